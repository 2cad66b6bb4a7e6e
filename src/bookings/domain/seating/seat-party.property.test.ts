/** Properties of seating (Decisions 9). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eveningDifferences } from './conformance.test-support.ts';
import { evening } from './evenings.test-support.ts';

test('a party is accepted exactly when some assignment of all parties exists, and the assignment is valid', () => {
  fc.assert(
    fc.property(evening, (any) => {
      expect(eveningDifferences(any)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
