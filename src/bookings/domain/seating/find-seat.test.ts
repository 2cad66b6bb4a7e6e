import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Span } from '../../../kernel/time.ts';
import { findSeat } from './find-seat.ts';
import { aGroup, aTable } from './room.test-support.ts';
import type { JoinGroup, Table, TableClaim } from './room.ts';

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
