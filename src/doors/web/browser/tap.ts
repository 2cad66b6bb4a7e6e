/** A plain tap: others open a new tab or a menu of the browser. */
const isPlain = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** The element of the selector that a plain tap was on; null: none. */
export const tapped = (event: MouseEvent, selector: string): Element | null =>
  event.target instanceof Element && isPlain(event) ? event.target.closest(selector) : null;

/** On a slow network what a tap opens takes seconds to come. */
export const showWaiting = (element: Element): void => element.setAttribute('aria-busy', 'true');

export const endWaiting = (): void => {
  for (const element of document.querySelectorAll('[aria-busy=true]')) element.removeAttribute('aria-busy');
};
