/** What a page shows, kept in its address: for a reload, for sharing, and for the other language. */

export const keepInAddress = (query: Readonly<Record<string, string | number>>): void => {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  history.replaceState(history.state, '', `?${text.toString()}`);
  const link = document.querySelector<HTMLAnchorElement>('a.language');
  if (link !== null) link.href = `?${text.toString()}&lang=${link.hreflang}`;
};
