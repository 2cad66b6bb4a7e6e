/** Works when the phone has nothing else to do. */
export const whenIdle = (work: () => void): void => {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 4_000 });
  else setTimeout(work, 2_000);
};
