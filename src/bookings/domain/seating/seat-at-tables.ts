import { overlaps, type Span } from '../../../kernel/time.ts';
import { claimsBy, type Party, type Room, type TableClaim } from './room.ts';
import { seatParty, type Move, type Seating } from './seat-party.ts';

/** The parties that sit elsewhere than before, or were not seated. */
export const movesBetween = (before: readonly Party[], after: readonly Party[]): Move[] => {
  const oldTables = new Map(before.map(({ id, tableIds }) => [id, tableIds]));
  return after
    .filter(({ id, tableIds }) => oldTables.get(id)?.join('\n') !== tableIds.join('\n'))
    .map(({ id, tableIds }) => ({ partyId: id, tableIds }));
};

/**
 * Seats the waiting parties among the others, one after the other: each whenever some assignment of all seated so far
 * exists (Decisions 9). Their own tables do not count.
 */
export const seatAll = <P extends Party>(
  room: Room,
  seated: readonly P[],
  claims: readonly TableClaim[],
  waiting: readonly P[],
): { readonly seated: readonly P[]; readonly unseated: readonly P[] } => {
  let parties = seated;
  const unseated: P[] = [];
  for (const party of waiting) {
    const found = seatParty(room, parties, claims, party);
    if (found.kind === 'seated') {
      const tablesOf = new Map(found.moves.map((move) => [move.partyId, move.tableIds]));
      const moved = parties.map((each) => ({ ...each, tableIds: tablesOf.get(each.id) ?? each.tableIds }));
      parties = [...moved, { ...party, tableIds: found.tables }];
    } else unseated.push(party);
  }
  return { seated: parties, unseated };
};

/**
 * Keeps `tableIds` free over the stay, whatever they seat: parties there get other tables. `full` where a claim lies on
 * one of the tables, or a party finds no other place.
 */
export const seatAtTables = (
  room: Room,
  parties: readonly Party[],
  claims: readonly TableClaim[],
  stay: Span,
  tableIds: readonly string[],
): Seating => {
  const isMeant = ({ tableId }: TableClaim): boolean => tableIds.includes(tableId);
  if (claims.some((claim) => isMeant(claim) && overlaps(claim, stay))) return { kind: 'full' };
  const isDisplaced = (party: Party): boolean => overlaps(party, stay) && claimsBy(party).some(isMeant);
  const staying = parties.filter((party) => !isDisplaced(party));
  const taken = [...claims, ...claimsBy({ ...stay, tableIds })];
  const { seated, unseated } = seatAll(room, staying, taken, parties.filter(isDisplaced));
  if (unseated.length > 0) return { kind: 'full' };
  return { kind: 'seated', tables: tableIds, moves: movesBetween(parties, seated) };
};
