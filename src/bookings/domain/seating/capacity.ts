import type { Instant, Span } from '../../../kernel/time.ts';
import { findSeat } from './find-seat.ts';
import type { Room } from './room.ts';

export interface Arrival {
  readonly startsAt: Instant;
  readonly partySize: number;
}

/**
 * Guests with the same start, including this party, may not exceed `maxCovers`; null: unlimited (Decisions 9,
 * max covers per slot).
 */
export const withinCovers = (
  arrivals: readonly Arrival[],
  startsAt: Instant,
  partySize: number,
  maxCovers: number | null,
): boolean => {
  if (maxCovers === null) return true;
  const covers = arrivals
    .filter((arrival) => arrival.startsAt === startsAt)
    .reduce((sum, arrival) => sum + arrival.partySize, 0);
  return covers + partySize <= maxCovers;
};

/** Limits that are independent of bookings. */
export interface SeatingCapacity extends Room {
  /** Guests per start; null: unlimited (Decisions 9, max covers per slot). */
  readonly maxCovers: number | null;
}

/** Reasons that hold even if every table were free. */
export const UNFIT_REASONS = ['no_tables', 'tables', 'covers'] as const;
export type UnfitReason = (typeof UNFIT_REASONS)[number];

/** Without claims every span is equal. */
const ANY_TIME: Span = { start: 0, end: 0 };

const isSeated = ({ tables, joins }: SeatingCapacity, partySize: number): boolean =>
  findSeat(tables, joins, [], ANY_TIME, partySize) !== null;

/** Null: fits. Tables are checked before covers. */
export const unfitReason = (capacity: SeatingCapacity, partySize: number): UnfitReason | null => {
  if (capacity.tables.every(({ bookable }) => bookable === false)) return 'no_tables';
  if (!isSeated(capacity, partySize)) return 'tables';
  return withinCovers([], ANY_TIME.start, partySize, capacity.maxCovers) ? null : 'covers';
};

/** Null: none from `smallest` to `largest` fits, even if every table were free. */
export const largestParty = (capacity: SeatingCapacity, smallest: number, largest: number): number | null => {
  for (let size = Math.min(largest, capacity.maxCovers ?? largest); size >= smallest; size--)
    if (isSeated(capacity, size)) return size;
  return null;
};
