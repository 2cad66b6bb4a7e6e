/**
 * The first script of a menu page: small, so that it is there before the first tap. What draws the items' sheet and the
 * search is loaded when the phone is idle, or by the tap that needs it.
 */
import { whenIdle } from './idle.ts';
import { watchSections } from './section-in-view.ts';
import { showWaiting, tapped } from './tap.ts';
import type { FirstTap } from './menu-island.tsx';

/** `element`: the link of an item, or the search button. */
const firstTapOn = (element: Element): FirstTap =>
  element instanceof HTMLAnchorElement ? { opens: element.href } : { opens: 'search' };

/** Of the latest tap, also one on a script that is already on its way. */
let first: FirstTap = { opens: null };
let started = false;
const startIsland = async (): Promise<void> => {
  const { startMenu } = await import('./menu-island.tsx');
  if (started) return;
  started = true;
  document.removeEventListener('click', onFirstTap);
  startMenu(first);
};

const onFirstTap = (event: MouseEvent): void => {
  const element = tapped(event, 'a.item, .search-open');
  if (element === null) return;
  event.preventDefault();
  first = firstTapOn(element);
  showWaiting(element);
  startIsland().catch(() => {
    if (element instanceof HTMLAnchorElement) location.assign(element.href);
  });
};

export const startMenuPage = (): void => {
  document.addEventListener('click', onFirstTap);
  watchSections();
  document.documentElement.dataset['alive'] = '';
  window.addEventListener('load', () =>
    whenIdle(() => {
      startIsland().catch(() => undefined);
    }),
  );
};
