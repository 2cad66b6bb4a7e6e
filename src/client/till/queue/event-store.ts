/** Where a device keeps its own events until the server has them. */
import type { QueuedEvent, RefusedEvent } from './event.ts';

/** Each promise of a change resolves when the change is durable. When it rejects, the change may or may not be. */
export interface EventStore {
  /** In this order, after all others. An id that waits already is left as it is; one that was refused waits again. */
  append(events: readonly QueuedEvent[]): Promise<void>;
  /** Rises with each appended event; tabs that share a store share the number. */
  appended(): Promise<number>;
  /** The oldest events in the order in which they were appended; all when `limit` is left out. */
  waiting(limit?: number): Promise<readonly QueuedEvent[]>;
  /** The server has these. */
  remove(ids: readonly string[]): Promise<void>;
  /** Moves them from the waiting events to the refused ones, or adds them there. */
  refuse(refused: readonly RefusedEvent[]): Promise<void>;
  /** In the order in which they were refused. */
  refused(): Promise<readonly RefusedEvent[]>;
  /** A person has seen why it was refused. */
  dismiss(id: string): Promise<void>;
  close(): Promise<void>;
}
