/** Tables that a person chose, compared with every assignment (Decisions 9). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { overlaps } from '../../../kernel/time.ts';
import { faultsOf, partiesAfter } from './conformance.test-support.ts';
import { evening, type Evening } from './evenings.test-support.ts';
import { canSeatParties } from './oracle.test-support.ts';
import { claimsBy, type Party } from './room.ts';
import { seatAtTables } from './seat-at-tables.ts';
import { seatParty } from './seat-party.ts';

/** The parties that were accepted one after the other. */
const partiesOf = ({ room, claims, events }: Evening): readonly Party[] => {
  let parties: readonly Party[] = [];
  for (const [index, { newcomer }] of events.entries()) {
    const found = seatParty(room, parties, claims, newcomer);
    if (found.kind === 'seated' && parties.length < 12)
      parties = partiesAfter(parties, { ...newcomer, id: `p${index}`, tableIds: found.tables }, found);
  }
  return parties;
};

const chosen = fc.record({ start: fc.nat(12), length: fc.integer({ min: 1, max: 5 }), dice: fc.nat(255) });

test('chosen tables are kept free exactly when all other parties can sit elsewhere, and they do', () => {
  fc.assert(
    fc.property(evening, chosen, (any, { start, length, dice }) => {
      const { room, claims } = any;
      const parties = partiesOf(any);
      const stay = { start, end: start + length };
      const tableIds = room.tables.map(({ id }) => id).filter((_, index) => (dice >> index) & 1);
      const own = claimsBy({ ...stay, tableIds });
      const isClaimed = claims.some((claim) => tableIds.includes(claim.tableId) && overlaps(claim, stay));
      const expected = !isClaimed && canSeatParties(room, parties, [...claims, ...own]);
      const found = seatAtTables(room, parties, claims, stay, tableIds);
      expect(found.kind).toBe(expected ? 'seated' : 'full');
      if (found.kind !== 'seated') return;
      expect(found.tables).toEqual(tableIds);
      const after = parties.map((party) => ({
        ...party,
        tableIds: found.moves.find(({ partyId }) => partyId === party.id)?.tableIds ?? party.tableIds,
      }));
      expect(faultsOf({ room, parties: after, claims: [...claims, ...own] }, parties)).toEqual([]);
    }),
    { numRuns: 200 },
  );
});
