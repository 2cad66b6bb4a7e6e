/** The events of one request (Decisions 13: at most 200 and 1 MB). */
import type { QueuedEvent } from './event.ts';

export const MAX_EVENTS = 200;

/** Bytes of the events as JSON; the rest of 1 MB is for the body around them. */
export const MAX_BYTES = 1_000_000 - 1_000;

const encoder = new TextEncoder();

/** With the comma after it. */
const bytesOf = (event: QueuedEvent): number => encoder.encode(JSON.stringify(event)).length + 1;

/** No request can carry it. */
export const isTooLarge = (event: QueuedEvent): boolean => bytesOf(event) > MAX_BYTES;

/** The oldest events that fit into one request; at least one. */
export const firstBatch = (events: readonly QueuedEvent[]): readonly QueuedEvent[] => {
  const batch: QueuedEvent[] = [];
  let bytes = 0;
  for (const event of events.slice(0, MAX_EVENTS)) {
    bytes += bytesOf(event);
    if (batch.length > 0 && bytes > MAX_BYTES) break;
    batch.push(event);
  }
  return batch;
};
