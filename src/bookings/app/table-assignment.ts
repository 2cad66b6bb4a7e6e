/** Assigns tables under a lock of the date; the database refuses a second claim on a table (Decisions 9). */
import type { Kysely } from 'kysely';
import { dayScope, type Change } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Instant, LocalDate, Span } from '../../kernel/time.ts';
import type { Branch } from '../../shops/domain/shop.ts';
import type { App } from '../../platform/app/app.ts';
import type { Database } from '../../platform/store/schema.ts';
import { claimTables, releaseTables } from '../store/claims.ts';
import { moveHold } from '../store/hold.ts';
import type { BookedParty, SeatingState } from '../store/seating-state.ts';
import { datesToLock, readSeating, seatAt, type Seat, type SeatAnswer } from './seating.ts';
import type { StayRequest } from './stay-request.ts';

type Tx = Kysely<Database>;

const partyOf = ({ parties }: SeatingState, id: Uuid): BookedParty => {
  const party = parties.find((each) => each.id === id);
  if (party === undefined) throw new Error(`No party ${id} was read.`);
  return party;
};

export const bookingChange = (branchId: Uuid, date: LocalDate, id: Uuid): Change => ({
  ...{ scope: dayScope(branchId, date), type: 'booking', id, op: 'upsert' },
});

/** A booking and the tables that it takes. */
export interface Assignment {
  readonly bookingId: Uuid;
  readonly date: LocalDate;
  readonly stay: Span;
  readonly seat: Seat;
  readonly state: SeatingState;
}

interface Moved {
  readonly party: BookedParty;
  readonly tableIds: readonly Uuid[];
}

const movedIn = (state: SeatingState, { moves }: Seat, kind: BookedParty['kind']): Moved[] =>
  moves
    .map(({ partyId, tableIds }) => ({ party: partyOf(state, partyId), tableIds }))
    .filter(({ party }) => party.kind === kind);

/**
 * Moves other parties out of the way, and claims the tables for the booking; without one they stay free. Returns the
 * change of each booking that moved, under its own date: the staff's boards show the tables.
 */
export const makeRoom = async (
  tx: Tx,
  { orgId, id: branchId }: Branch,
  state: SeatingState,
  seat: Seat,
  booking: Pick<Assignment, 'bookingId' | 'stay'> | null,
): Promise<readonly Change[]> => {
  const moved = movedIn(state, seat, 'booking');
  const own = booking === null ? [] : [{ ...booking, tableIds: seat.tableIds, span: booking.stay }];
  await releaseTables(tx, orgId, [
    ...own.map((each) => each.bookingId),
    ...moved.map(({ party }) => party.id),
  ]);
  const claims = moved.map(({ party, tableIds }) => ({ bookingId: party.id, tableIds, span: party }));
  await claimTables(tx, orgId, branchId, [...claims, ...own]);
  for (const { party, tableIds } of movedIn(state, seat, 'hold'))
    await moveHold(tx, orgId, party.id, tableIds);
  return moved.map(({ party }) => bookingChange(branchId, party.serviceDate, party.id));
};

/** Returns the changes: of the booking, and of those that moved for it. */
export const takeSeat = async (
  tx: Tx,
  branch: Branch,
  { bookingId, date, stay, seat, state }: Assignment,
): Promise<readonly Change[]> => [
  bookingChange(branch.id, date, bookingId),
  ...(await makeRoom(tx, branch, state, seat, { bookingId, stay })),
];

/** Throws SLOT_TAKEN. */
export const foundOrRefuse = (
  { undecidedSeatings }: Pick<App, 'undecidedSeatings'>,
  answer: SeatAnswer,
): Seat => {
  if (answer === 'undecided') undecidedSeatings.add('booking', 1);
  if (answer === 'full' || answer === 'undecided') throw new Refusal('SLOT_TAKEN');
  return answer;
};

/** For a guest. Throws SLOT_TAKEN. `without`: a booking or hold that counts as absent. */
export const seatOrRefuse = async (
  app: Pick<App, 'undecidedSeatings'>,
  tx: Tx,
  branch: Branch,
  { date, stay, partySize }: StayRequest,
  now: Instant,
  without: Uuid | null = null,
): Promise<Pick<Assignment, 'date' | 'stay' | 'state' | 'seat'>> => {
  const state = await readSeating(tx, branch, { viewer: 'guest', dates: [date], stay, without }, now);
  const seat = foundOrRefuse(app, seatAt(branch, state, { locked: datesToLock(date), stay }, partySize));
  return { date, stay, state, seat };
};
