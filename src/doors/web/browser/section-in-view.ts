/** A narrow band below the sticky bar: what is in it is in view. */
const BAND = { above: 0.2, height: 0.05 };

/** Whether the page is scrolled to what stands before the section. */
const isAbove = (section: Element | undefined): boolean =>
  section !== undefined && section.getBoundingClientRect().top > innerHeight * (BAND.above + BAND.height);

/**
 * Marks the link of the section in view, and keeps it in sight; above the first section, none. A list that is being
 * pressed stays where it is: moved, it would put another link under the finger, and the tap would be lost.
 */
export const watchSections = (): void => {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('.sections a')].map((link) => [
      link.hash.slice(1),
      link,
    ]),
  );
  const list = document.querySelector('.sections ul');
  let current: HTMLAnchorElement | undefined;
  const mark = (link: HTMLAnchorElement | undefined): void => {
    if (link === current) return;
    current?.removeAttribute('aria-current');
    link?.setAttribute('aria-current', 'true');
    if (list?.matches(':active') === false)
      list.scrollTo({
        left: link === undefined ? 0 : link.offsetLeft - (list.clientWidth - link.offsetWidth) / 2,
      });
    current = link;
  };
  const sections = [...document.querySelectorAll('.section')];
  const inView = new Set<Element>();
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries)
        if (isIntersecting) inView.add(target);
        else inView.delete(target);
      const seen = sections.find((section) => inView.has(section));
      if (seen !== undefined) mark(links.get(seen.getAttribute('aria-labelledby') ?? ''));
      else if (isAbove(sections[0])) mark(undefined);
    },
    { rootMargin: `-${BAND.above * 100}% 0px -${(1 - BAND.above - BAND.height) * 100}% 0px` },
  );
  for (const section of sections) watch.observe(section);
};
