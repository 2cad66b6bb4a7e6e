import { compareIds } from '../../../kernel/ids.ts';
import { overlaps } from '../../../kernel/time.ts';
import type { Span } from '../../../kernel/time.ts';
import type { JoinGroup, Table, TableClaim } from './room.ts';

const byId = (a: Table, b: Table): number => compareIds(a.id, b.id);

/** Bookable tables without a claim in `span`, by id. */
const freeTables = (
  tables: readonly Table[],
  claims: readonly TableClaim[],
  span: Span,
): readonly Table[] => {
  const taken = new Set(claims.filter((claim) => overlaps(claim, span)).map((claim) => claim.tableId));
  return tables.filter((table) => table.bookable !== false && !taken.has(table.id)).sort(byId);
};

/** Fewest seats, then lowest id. */
const smallestTable = (free: readonly Table[], partySize: number): Table | null => {
  let best: Table | null = null;
  for (const table of free) {
    if (partySize < table.seatsMin || partySize > table.seatsMax) continue;
    if (best === null || table.seatsMax < best.seatsMax) best = table;
  }
  return best;
};

/** In order of ids. */
interface Join {
  readonly seats: number;
  readonly tableIds: readonly string[];
}

/** Fewest seats, then fewest tables, then lowest ids. */
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
 * The smallest join of two or more `tables` (sorted by id) that seats the party, or null. Dynamic programming
 * over (table count, seats), which keeps the lowest ids: O(tables² × seats) instead of O(2^tables).
 */
const smallestJoinOf = (tables: readonly Table[], partySize: number): Join | null => {
  const allSeats = tables.reduce((sum, table) => sum + table.seatsMax, 0);
  if (tables.length < 2 || allSeats < partySize) return null;
  const growing = new Map<number, Join>();
  let best: Join | null = null;
  const consider = (join: Join): void => {
    if (join.tableIds.length >= 2 && join.seats >= partySize) {
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
 * Returns table ids, ascending; null: no room. Prefers the smallest free table, else the smallest join
 * (Decisions 9). A join only needs enough seats. A claim that ends at the start of `span` does not conflict.
 */
export const findSeat = (
  tables: readonly Table[],
  groups: readonly JoinGroup[],
  claims: readonly TableClaim[],
  span: Span,
  partySize: number,
): readonly string[] | null => {
  const free = freeTables(tables, claims, span);
  const table = smallestTable(free, partySize);
  return table === null ? (smallestJoin(free, groups, partySize)?.tableIds ?? null) : [table.id];
};
