/** Assigns tables under a lock of the date; the database refuses a second claim on a table (Decisions 9). */
import type { Kysely } from 'kysely';
import { dayScope, type Change } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Instant, LocalDate } from '../../kernel/time.ts';
import type { Branch } from '../../shops/domain/shop.ts';
import type { Database } from '../../platform/store/schema.ts';
import { claimTables, ConcurrentChange, releaseTables } from '../store/booking.ts';
import type { BookedParty, SeatingState } from '../store/seating-state.ts';
import { readSeating, seatAt, type Seat } from './seating.ts';
import type { Wish } from './wish.ts';

type Tx = Kysely<Database>;

const partyOf = ({ parties }: SeatingState, id: Uuid): BookedParty => {
  const party = parties.find((each) => each.id === id);
  if (party === undefined) throw new Error(`No party ${id} was read.`);
  return party;
};

/** A booking and the tables that it takes. */
export interface Assignment {
  readonly bookingId: Uuid;
  readonly wish: Wish;
  readonly seat: Seat;
  readonly state: SeatingState;
}

/** Moves other parties out of the way and claims the tables. */
export const takeSeat = async (
  tx: Tx,
  { orgId, id: branchId }: Branch,
  { bookingId, wish, seat, state }: Assignment,
): Promise<void> => {
  const moved = seat.moves.map(({ partyId, tableIds }) => ({
    ...{ bookingId: partyId, tableIds, span: partyOf(state, partyId) },
  }));
  await releaseTables(tx, orgId, [bookingId, ...moved.map((move) => move.bookingId)]);
  await claimTables(tx, orgId, branchId, [...moved, { bookingId, tableIds: seat.tableIds, span: wish.stay }]);
};

export const bookingChange = (branchId: Uuid, date: LocalDate, id: Uuid): Change => ({
  ...{ scope: dayScope(branchId, date), type: 'booking', id, op: 'upsert' },
});

/** Of the booking, and of each that moved, under its own date: the staff's boards show the tables. */
export const assignmentChanges = (
  branchId: Uuid,
  { bookingId, wish, seat, state }: Assignment,
): readonly Change[] => [
  bookingChange(branchId, wish.date, bookingId),
  ...seat.moves.map(({ partyId }) => bookingChange(branchId, partyOf(state, partyId).serviceDate, partyId)),
];

/** Attempts, when the booking changed between its reading and its lock, or a table was claimed without the lock. */
const MAX_ATTEMPTS = 3;

export const retrying = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work();
    } catch (fault) {
      if (!(fault instanceof ConcurrentChange)) throw fault;
      if (attempt === MAX_ATTEMPTS) throw new Refusal('UNAVAILABLE');
    }
};

/** Throws SLOT_TAKEN. `without`: a booking that counts as absent. */
export const seatOrRefuse = async (
  tx: Tx,
  branch: Branch,
  { date, stay, partySize }: Wish,
  now: Instant,
  without: Uuid | null = null,
) => {
  const state = await readSeating(tx, branch, [date], now, without);
  const seat = seatAt(branch, state, { date, stay }, partySize);
  if (seat === null) throw new Refusal('SLOT_TAKEN');
  return { state, seat };
};
