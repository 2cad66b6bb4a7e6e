import { compareIds } from '../../kernel/ids.ts';
import { overlaps } from '../../kernel/time.ts';
import type { Instant, Span } from '../../kernel/time.ts';

/** A table that guests can be seated at. */
export interface Table {
  readonly id: string;
  /** The smallest and largest party it takes alone. */
  readonly seatsMin: number;
  readonly seatsMax: number;
  /** False = kept for walk-ins, never given to a booking; absent = true. */
  readonly bookable?: boolean;
}

/** Tables of which any two or more may be pushed together (Decisions 9). */
export interface JoinGroup {
  readonly id: string;
  readonly tableIds: readonly string[];
}

/** A table taken by a booking for [start, end). */
export interface Claim extends Span {
  readonly tableId: string;
}

/** Guests of one booking that arrive together. */
export interface Arrival {
  readonly startsAt: Instant;
  readonly partySize: number;
}

const byId = (a: Table, b: Table): number => compareIds(a.id, b.id);

/** The tables a booking may have for the whole of `span`, by id. */
const freeTables = (tables: readonly Table[], claims: readonly Claim[], span: Span): readonly Table[] => {
  const taken = new Set(claims.filter((claim) => overlaps(claim, span)).map((claim) => claim.tableId));
  return tables.filter((table) => table.bookable !== false && !taken.has(table.id)).sort(byId);
};

/** The smallest table that takes the party alone: fewest seats, then lowest id. */
const smallestTable = (free: readonly Table[], partySize: number): Table | null => {
  let best: Table | null = null;
  for (const table of free) {
    if (partySize < table.seatsMin || partySize > table.seatsMax) continue;
    if (best === null || table.seatsMax < best.seatsMax) best = table;
  }
  return best;
};

/** Tables pushed together, in the order of their ids. */
interface Join {
  readonly seats: number;
  readonly tableIds: readonly string[];
}

/** Order of choice: fewest seats, then fewest tables, then lowest ids one by one. */
const compareJoins = (a: Join, b: Join): number => {
  if (a.seats !== b.seats) return a.seats - b.seats;
  if (a.tableIds.length !== b.tableIds.length) return a.tableIds.length - b.tableIds.length;
  for (const [index, id] of a.tableIds.entries()) {
    const order = compareIds(id, b.tableIds[index] ?? '');
    if (order !== 0) return order;
  }
  return 0;
};

/**
 * The smallest join of two or more of `tables`, which come by id, that seats the party; null when all of
 * them together do not. Of the joins with the same seats and as many tables only the one with the lowest
 * ids can lead to the answer, so the work grows with tables² × seats and not with 2^tables.
 */
const smallestJoinOf = (tables: readonly Table[], partySize: number): Join | null => {
  const allSeats = tables.reduce((sum, table) => sum + table.seatsMax, 0);
  if (tables.length < 2 || allSeats < partySize) return null;
  const growing = new Map<number, Join>();
  let best: Join | null = null;
  const consider = (join: Join): void => {
    if (join.tableIds.length >= 2 && join.seats >= partySize) {
      // Already large enough: one more table would only make it larger.
      if (best === null || compareJoins(join, best) < 0) best = join;
      return;
    }
    const key = join.tableIds.length * (allSeats + 1) + join.seats;
    const known = growing.get(key);
    if (known === undefined || compareJoins(join, known) < 0) growing.set(key, join);
  };
  for (const table of tables) {
    for (const { seats, tableIds } of [...growing.values()]) {
      consider({ seats: seats + table.seatsMax, tableIds: [...tableIds, table.id] });
    }
    consider({ seats: table.seatsMax, tableIds: [table.id] });
  }
  return best;
};

const smallestJoin = (free: readonly Table[], groups: readonly JoinGroup[], partySize: number): Join | null =>
  groups
    .map((group) => new Set(group.tableIds))
    .map((ids) =>
      smallestJoinOf(
        free.filter((table) => ids.has(table.id)),
        partySize,
      ),
    )
    .filter((join) => join !== null)
    .reduce<Join | null>((best, join) => (best === null || compareJoins(join, best) < 0 ? join : best), null);

/**
 * The tables a party of `partySize` gets for the whole of `span`, ids ascending; null when there is no
 * room. The smallest free table that fits comes first, else the smallest free join (Decisions 9): a
 * table fits from its smallest to its largest party, a join whenever its seats together suffice.
 * Claims stay where they are; one that ends when the span starts is not in the way.
 */
export const findSeat = (
  tables: readonly Table[],
  groups: readonly JoinGroup[],
  claims: readonly Claim[],
  span: Span,
  partySize: number,
): readonly string[] | null => {
  const free = freeTables(tables, claims, span);
  const table = smallestTable(free, partySize);
  return table === null ? (smallestJoin(free, groups, partySize)?.tableIds ?? null) : [table.id];
};

/**
 * Whether a party may still start at `startsAt`: the guests that start at that very instant, with this
 * party, are at most `maxCovers`. Null = no bound (Decisions 9, max covers per slot).
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

/** What bounds a party at a branch, whatever is taken. */
export interface Room {
  readonly tables: readonly Table[];
  readonly joins: readonly JoinGroup[];
  /** The most guests that may start together; null = no bound (Decisions 9, max covers per slot). */
  readonly maxCovers: number | null;
}

/** Why a party could not be seated, were every table free: none can be booked, none seat it, or too many at one start. */
export const UNFIT_REASONS = ['no_tables', 'tables', 'covers'] as const;
export type UnfitReason = (typeof UNFIT_REASONS)[number];

/** With nothing taken one span is as good as any. */
const ANY_TIME: Span = { start: 0, end: 0 };

const isSeated = ({ tables, joins }: Room, partySize: number): boolean =>
  findSeat(tables, joins, [], ANY_TIME, partySize) !== null;

/** Null: it could be. Tables come before covers, where both forbid it. */
export const whyUnfit = (room: Room, partySize: number): UnfitReason | null => {
  if (room.tables.every(({ bookable }) => bookable === false)) return 'no_tables';
  if (!isSeated(room, partySize)) return 'tables';
  return withinCovers([], ANY_TIME.start, partySize, room.maxCovers) ? null : 'covers';
};

/** The largest party from `smallest` to `largest` guests that could be seated, were every table free; null where none. */
export const largestParty = (room: Room, smallest: number, largest: number): number | null => {
  // Down from what the covers allow, so that the first one that is seated is the answer.
  for (let size = Math.min(largest, room.maxCovers ?? largest); size >= smallest; size--)
    if (isSeated(room, size)) return size;
  return null;
};
