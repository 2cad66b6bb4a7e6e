import type { ScopedChanges } from '../../kernel/change.ts';

/** Takes the changes that one transaction committed. */
export type ChangeSubscriber = (changes: ScopedChanges) => void;

/** Publishes commits to subscribers in this process; other processes poll the change log. */
export class ChangePublisher {
  readonly #subscribers = new Set<ChangeSubscriber>();
  readonly #onFault: (fault: unknown) => void;

  constructor(onFault: (fault: unknown) => void) {
    this.#onFault = onFault;
  }

  /** Errors of subscribers go to `onFault` only: the changes are committed, and the request has succeeded. */
  publish(changes: ScopedChanges): void {
    for (const subscriber of this.#subscribers)
      try {
        subscriber(changes);
      } catch (fault) {
        this.#onFault(fault);
      }
  }

  /** Returns a function that ends the subscription. */
  subscribe(subscriber: ChangeSubscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }
}
