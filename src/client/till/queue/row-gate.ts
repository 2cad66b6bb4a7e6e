/** A replica takes no rows of the server while events of its own wait: they would undo on screen what was just sold. */
import type { EventQueue } from './event-queue.ts';

export interface PullAndApply<Page> {
  /** `POST /sync/pull`. */
  readonly pull: () => Promise<Page>;
  /** Stores the rows. Events that are added meanwhile wait for it, so it must not wait for the network. */
  readonly apply: (page: Page) => Promise<void>;
}

/**
 * Waits until the server has every event of the device, pulls, and applies the page. An event that was added meanwhile,
 * also one that was sent already, makes the page too old: it is pulled again. Resolves to the page that was applied.
 */
export const pullWhenSent = async <Page>(
  queue: Pick<EventQueue, 'whenEmpty' | 'emptyMark' | 'unlessAddedSince'>,
  { pull, apply }: PullAndApply<Page>,
): Promise<Page> => {
  for (;;) {
    await queue.whenEmpty();
    const mark = await queue.emptyMark();
    if (mark === null) continue;
    const page = await pull();
    if (await queue.unlessAddedSince(mark, () => apply(page))) return page;
  }
};
