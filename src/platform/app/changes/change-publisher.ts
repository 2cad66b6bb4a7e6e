import type { ScopedChanges } from '../../../kernel/change.ts';
import type { Stop } from '../../../ports.ts';

export interface ChangeSubscriber {
  /** Takes the changes that one transaction committed; `isOwn`: in this process, just now. */
  readonly changed: (changes: ScopedChanges, isOwn: boolean) => void;
  /** Changes of other processes may have been missed: nothing that was known of any shop is sure. */
  readonly missed?: () => void;
}

/** Tells subscribers in this process of commits: its own at once, those of others as the feed reads them. */
export class ChangePublisher {
  readonly #subscribers = new Set<ChangeSubscriber>();
  readonly #onFault: (fault: unknown) => void;

  constructor(onFault: (fault: unknown) => void) {
    this.#onFault = onFault;
  }

  /** Of this process. Errors of subscribers go to `onFault` only: the changes are committed, and the request has succeeded. */
  publish(changes: ScopedChanges): void {
    this.#tell(({ changed }) => changed(changes, true));
  }

  /** Of another process. */
  relay(changes: ScopedChanges): void {
    this.#tell(({ changed }) => changed(changes, false));
  }

  /** Of others, which nobody can tell. */
  relayMissed(): void {
    this.#tell(({ missed }) => missed?.());
  }

  /** Returns a function that ends the subscription. */
  subscribe(subscriber: ChangeSubscriber): Stop {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  #tell(tell: (subscriber: ChangeSubscriber) => void): void {
    for (const subscriber of this.#subscribers)
      try {
        tell(subscriber);
      } catch (fault) {
        this.#onFault(fault);
      }
  }
}
