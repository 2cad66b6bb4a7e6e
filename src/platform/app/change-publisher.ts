import type { ChangeScope } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';

/** The changes that one transaction committed at a shop. */
export interface CommittedChanges {
  readonly orgId: Uuid;
  /** The number of the shop's last change. */
  readonly version: number;
  readonly scopes: readonly ChangeScope[];
}

export type ChangeSubscriber = (changes: CommittedChanges) => void;

/** Publishes commits to subscribers in this process; other processes poll the change log. */
export class ChangePublisher {
  readonly #subscribers = new Set<ChangeSubscriber>();
  readonly #onFault: (fault: unknown) => void;

  constructor(onFault: (fault: unknown) => void) {
    this.#onFault = onFault;
  }

  /** Errors of subscribers go to `onFault` only: the changes are committed, and the request has succeeded. */
  publish(changes: CommittedChanges): void {
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
