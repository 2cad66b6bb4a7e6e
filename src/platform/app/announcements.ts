/** Who in this process wants to know at once that something was committed; other processes hear it from the change log. */
import type { Scope } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';

/** What a commit changed: the shop's number from then on, and the scopes concerned. */
export interface Announcement {
  readonly orgId: Uuid;
  readonly version: number;
  readonly scopes: readonly Scope[];
}

export type Listener = (announcement: Announcement) => void;

export class Announcements {
  readonly #listeners = new Set<Listener>();

  announce(announcement: Announcement): void {
    for (const listener of this.#listeners) listener(announcement);
  }

  /** Hears of every commit from now on; gives what ends that. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
