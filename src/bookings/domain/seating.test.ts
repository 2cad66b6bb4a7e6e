import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findSeat, largestParty, unfitReason, withinCovers } from './seating.ts';
import type { TableClaim, JoinGroup, SeatingCapacity, Table } from './seating.ts';
import type { Span } from '../../kernel/time.ts';

const aTable = (id: string, seatsMin: number, seatsMax: number, more: Partial<Table> = {}): Table => ({
  id,
  seatsMin,
  seatsMax,
  ...more,
});
const aGroup = (...tableIds: readonly string[]): JoinGroup => ({ id: tableIds.join('+'), tableIds });
const evening: Span = { start: 1000, end: 2000 };
const taken = (tableId: string, start = 1000, end = 2000): TableClaim => ({ tableId, start, end });

describe('one table', () => {
  const tables = [aTable('t6', 4, 6), aTable('t4b', 2, 4), aTable('t4a', 2, 4), aTable('t2', 1, 2)];
  const seat = (party: number, ...claims: readonly TableClaim[]): readonly string[] | null =>
    findSeat(tables, [], claims, evening, party);

  test('a party gets the smallest table that fits; of equal tables the lowest id', () => {
    expect(seat(1)).toEqual(['t2']);
    expect(seat(3)).toEqual(['t4a']);
    expect(seat(3, taken('t4a'))).toEqual(['t4b']);
    expect(seat(6)).toEqual(['t6']);
  });

  test('a table is not given to a party below its smallest party', () => {
    expect(seat(3, taken('t4a'), taken('t4b'))).toBeNull();
    expect(seat(4, taken('t4a'), taken('t4b'))).toEqual(['t6']);
    expect(seat(7)).toBeNull();
  });

  test('a claim that ends when a stay starts, or starts when it ends, does not block the table', () => {
    expect(seat(6, taken('t6', 0, 1000), taken('t6', 2000, 3000))).toEqual(['t6']);
    expect(seat(6, taken('t6', 0, 1001))).toBeNull();
    expect(seat(6, taken('t6', 1999, 2001))).toBeNull();
    expect(seat(6, taken('t6', 1400, 1500))).toBeNull();
  });

  test('a table kept for walk-ins is never given, alone or in a join', () => {
    const kept = [aTable('a', 1, 4, { bookable: false }), aTable('b', 1, 4)];
    expect(findSeat(kept, [aGroup('a', 'b')], [], evening, 4)).toEqual(['b']);
    expect(findSeat(kept, [aGroup('a', 'b')], [], evening, 6)).toBeNull();
  });
});

describe('joined tables', () => {
  const tables = [
    aTable('a', 1, 2),
    aTable('b', 1, 2),
    aTable('c', 2, 4),
    aTable('d', 2, 4),
    aTable('e', 2, 5),
  ];

  test('are given only when no single table fits', () => {
    expect(findSeat(tables, [aGroup('a', 'b', 'c')], [], evening, 4)).toEqual(['c']);
    expect(findSeat(tables, [aGroup('a', 'b', 'c')], [], evening, 6)).toEqual(['a', 'c']);
  });

  test('are the join with the fewest seats, then the fewest tables, then the lowest ids', () => {
    expect(findSeat(tables, [aGroup('a', 'b', 'c', 'd', 'e')], [], evening, 7)).toEqual(['a', 'e']);
    expect(findSeat(tables, [aGroup('a', 'b', 'c', 'd')], [], evening, 8)).toEqual(['c', 'd']);
    expect(findSeat(tables, [aGroup('a', 'b', 'c', 'd')], [], evening, 12)).toEqual(['a', 'b', 'c', 'd']);
    expect(findSeat(tables, [aGroup('d', 'b'), aGroup('c', 'a')], [], evening, 6)).toEqual(['a', 'c']);
  });

  test('are of one group, and all free for the whole stay', () => {
    expect(findSeat(tables, [aGroup('a', 'b'), aGroup('c', 'd')], [], evening, 9)).toBeNull();
    expect(findSeat(tables, [aGroup('c', 'd', 'e')], [taken('d', 1900, 2100)], evening, 8)).toEqual([
      'c',
      'e',
    ]);
    expect(findSeat(tables, [aGroup('c', 'd')], [taken('d', 1900, 2100)], evening, 8)).toBeNull();
  });

  test('are found in a group that also names a removed table', () => {
    expect(findSeat(tables, [aGroup('c', 'gone', 'd')], [], evening, 8)).toEqual(['c', 'd']);
    expect(findSeat(tables, [aGroup('c', 'gone')], [], evening, 8)).toBeNull();
  });

  test('are found exactly in a group of 40 tables', () => {
    const hall = Array.from({ length: 40 }, (_, n) =>
      aTable(`t${String(n).padStart(2, '0')}`, 1, 2 + (n % 3)),
    );
    const seat = findSeat(hall, [{ id: 'hall', tableIds: hall.map((table) => table.id) }], [], evening, 97);
    // Thirteen fours and threes make 91 seats; three twos are the fewest tables for the other six.
    expect(seat?.length).toBe(29);
  });
});

describe('covers per slot', () => {
  const arrivals = [
    { startsAt: 1000, partySize: 4 },
    { startsAt: 1000, partySize: 2 },
    { startsAt: 1001, partySize: 9 },
  ];

  test('guests who start at the same instant are added up, and the bound itself is allowed', () => {
    expect(withinCovers(arrivals, 1000, 4, 10)).toBe(true);
    expect(withinCovers(arrivals, 1000, 5, 10)).toBe(false);
    expect(withinCovers(arrivals, 1000, 500, null)).toBe(true);
  });
});

// ── Brute force ─────────────────────────────────────────────────────────────────────────────────

const subsets = (tables: readonly Table[]): readonly (readonly Table[])[] =>
  Array.from({ length: 2 ** tables.length }, (_, bits) =>
    tables.filter((_table, n) => (bits >> n) % 2 === 1),
  );

const ranked = (sets: readonly (readonly Table[])[]): readonly string[] | null => {
  const seats = (set: readonly Table[]): number => set.reduce((sum, table) => sum + table.seatsMax, 0);
  const names = (set: readonly Table[]): string[] => set.map((table) => table.id).sort();
  const [best] = [...sets].sort(
    (a, b) => seats(a) - seats(b) || a.length - b.length || (names(a).join('') < names(b).join('') ? -1 : 1),
  );
  return best ? names(best) : null;
};

const bruteForce = (
  tables: readonly Table[],
  groups: readonly JoinGroup[],
  claims: readonly TableClaim[],
  span: Span,
  party: number,
): readonly string[] | null => {
  const free = tables
    .filter((table) => table.bookable ?? true)
    .filter(
      (table) =>
        !claims.some((each) => each.tableId === table.id && each.start < span.end && each.end > span.start),
    );
  const alone = free.filter((table) => table.seatsMin <= party && party <= table.seatsMax);
  const joined = groups.flatMap((group) =>
    subsets(free.filter((table) => group.tableIds.includes(table.id))).filter(
      (set) => set.length >= 2 && set.reduce((sum, table) => sum + table.seatsMax, 0) >= party,
    ),
  );
  return ranked(alone.map((table) => [table])) ?? ranked(joined);
};

test('findSeat agrees with a brute force over all sets of tables', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const capacity = fc
    .uniqueArray(fc.constantFrom(...ids), { maxLength: 8 })
    .chain((own) =>
      fc.tuple(
        ...own.map((id) =>
          fc
            .tuple(fc.integer({ min: 1, max: 4 }), fc.nat(4), fc.nat(9))
            .map(([min, more, dice]) => aTable(id, min, min + more, dice === 0 ? { bookable: false } : {})),
        ),
      ),
    );
  const groups = fc.array(
    fc.subarray(ids, { minLength: 2 }).map((tableIds) => aGroup(...tableIds)),
    { maxLength: 3 },
  );
  const claims = fc.array(
    fc
      .tuple(fc.constantFrom(...ids), fc.nat(12), fc.integer({ min: 1, max: 6 }))
      .map(([id, start, length]) => taken(id, start, start + length)),
    { maxLength: 8 },
  );
  const span = fc
    .tuple(fc.nat(12), fc.integer({ min: 1, max: 6 }))
    .map(([start, length]) => ({ start, end: start + length }));
  fc.assert(
    fc.property(
      capacity,
      groups,
      claims,
      span,
      fc.integer({ min: 1, max: 24 }),
      (tables, joins, held, stay, party) => {
        expect(findSeat(tables, joins, held, stay, party)).toEqual(
          bruteForce(tables, joins, held, stay, party),
        );
      },
    ),
    { numRuns: 1500 },
  );
});

test('findSeat agrees with the brute force for large parties in one group', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
  const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 5, maxLength: ids.length });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 6, max: 24 }), (seats, party) => {
      const tables = seats.map((each, n) => aTable(ids[n] ?? '', 1, each));
      const group = aGroup(...ids);
      expect(findSeat(tables, [group], [], evening, party)).toEqual(
        bruteForce(tables, [group], [], evening, party),
      );
    }),
    { numRuns: 1000 },
  );
});

describe('a party that could never be seated', () => {
  const tables = [aTable('a', 1, 2), aTable('b', 1, 2), aTable('c', 3, 4)];
  const capacity: SeatingCapacity = { tables, joins: [aGroup('a', 'b')], maxCovers: null };

  test('is seated by no table and no join, even if all are free: tables', () => {
    expect([1, 4, 5].map((party) => unfitReason(capacity, party))).toEqual([null, null, 'tables']);
    const forFour = { ...capacity, tables: tables.filter(({ id }) => id === 'c') };
    expect([2, 3].map((party) => unfitReason(forFour, party))).toEqual(['tables', null]);
  });

  test('exceeds the covers of a start, although tables would seat it: covers', () => {
    const small = { ...capacity, maxCovers: 3 };
    expect([3, 4, 5].map((party) => unfitReason(small, party))).toEqual([null, 'covers', 'tables']);
  });

  test('is any party at a branch without bookable tables: no_tables', () => {
    const kept = tables.map((table) => ({ ...table, bookable: false }));
    expect([
      unfitReason({ ...capacity, tables: kept }, 1),
      unfitReason({ ...capacity, tables: [] }, 1),
    ]).toEqual(['no_tables', 'no_tables']);
  });

  test('largestParty is the largest party without an unfit reason', () => {
    const anyTable = fc
      .tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 1, max: 5 }), fc.nat(4), fc.boolean())
      .map(([id, min, more, bookable]) => aTable(id, min, min + more, { bookable }));
    const anyRoom = fc.record({
      tables: fc.uniqueArray(anyTable, { selector: ({ id }) => id }),
      joins: fc.array(
        fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 2 }).map((ids) => aGroup(...ids)),
        { maxLength: 2 },
      ),
      maxCovers: fc.option(fc.integer({ min: 1, max: 20 })),
    });
    const bounds = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.nat(20));
    fc.assert(
      fc.property(anyRoom, bounds, (any, [smallest, more]) => {
        const sizes = Array.from({ length: more + 1 }, (_, at) => smallest + at);
        const fitting = sizes.filter((size) => unfitReason(any, size) === null);
        expect(largestParty(any, smallest, smallest + more)).toBe(fitting.at(-1) ?? null);
      }),
      { numRuns: 500 },
    );
  });
});
