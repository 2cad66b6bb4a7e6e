import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { largestParty, unfitReason, withinCovers, type SeatingCapacity } from './capacity.ts';
import { aGroup, aTable } from './room.test-support.ts';

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
