/** Properties of seating (Decisions 9). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundedDifferences, eveningDifferences, gridDifferences } from './conformance.test-support.ts';
import { evening } from './evenings.test-support.ts';

test('a party is accepted exactly when some assignment of all parties exists, and the assignment is valid', () => {
  fc.assert(
    fc.property(evening, (any) => {
      expect(eveningDifferences(any)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test('the grid offers a start to a party size exactly when a booking for it alone is accepted', () => {
  fc.assert(
    fc.property(evening, (any) => {
      expect(gridDifferences(any)).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

test('with less work allowed an answer is the same, or undecided', () => {
  fc.assert(
    fc.property(evening, fc.constantFrom(0, 2_000, 20_000), (any, budget) => {
      expect(boundedDifferences(any, budget)).toEqual([]);
    }),
    { numRuns: 25 },
  );
});
