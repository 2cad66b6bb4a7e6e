/** Marks the link of the section in view, and keeps it in sight. */
export const watchSections = (): void => {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('.sections a')].map((link) => [
      link.hash.slice(1),
      link,
    ]),
  );
  let current: HTMLAnchorElement | undefined;
  const mark = (link: HTMLAnchorElement | undefined): void => {
    if (link === undefined || link === current) return;
    current?.removeAttribute('aria-current');
    link.setAttribute('aria-current', 'true');
    const list = link.closest('ul');
    list?.scrollTo({ left: link.offsetLeft - (list.clientWidth - link.offsetWidth) / 2 });
    current = link;
  };
  const watch = new IntersectionObserver(
    (entries) => {
      const seen = entries.find(({ isIntersecting }) => isIntersecting);
      if (seen !== undefined) mark(links.get(seen.target.getAttribute('aria-labelledby') ?? ''));
    },
    // A narrow band below the sticky bar.
    { rootMargin: '-20% 0px -75% 0px' },
  );
  for (const section of document.querySelectorAll('.section')) watch.observe(section);
};
