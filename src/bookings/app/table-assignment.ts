/** Assigns tables under a lock of the date; the database refuses a second claim on a table (Decisions 9). */
import type { Kysely } from 'kysely';
import { dayScope, type Change } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Instant, LocalDate, Span } from '../../kernel/time.ts';
import type { Branch } from '../../shops/domain/shop.ts';
import type { Database } from '../../platform/store/schema.ts';
import { claimTables, ConcurrentChange, releaseTables } from '../store/booking.ts';
import type { SeatingState } from '../store/seating-state.ts';
import { readSeating, seatAt, type Seat } from './seating.ts';
import type { Wish } from './wish.ts';

type Tx = Kysely<Database>;

const stayOfParty = ({ parties }: SeatingState, id: Uuid): Span => {
  const party = parties.find((each) => each.id === id);
  if (party === undefined) throw new Error(`No party ${id} was read.`);
  return party;
};

/** Moves other parties out of the way and claims the tables. */
export const takeSeat = async (
  tx: Tx,
  { orgId, id: branchId }: Branch,
  { bookingId, stay, seat, state }: { bookingId: Uuid; stay: Span; seat: Seat; state: SeatingState },
): Promise<void> => {
  const moved = seat.moves.map(({ partyId, tableIds }) => ({
    ...{ bookingId: partyId, tableIds, span: stayOfParty(state, partyId) },
  }));
  await releaseTables(tx, orgId, [bookingId, ...moved.map((move) => move.bookingId)]);
  await claimTables(tx, orgId, branchId, [...moved, { bookingId, tableIds: seat.tableIds, span: stay }]);
};

/** Of the dates, and of each booking that moved: the staff's boards show its tables. */
export const changesOf = (
  branchId: Uuid,
  bookingId: Uuid,
  dates: readonly LocalDate[],
  moves: Seat['moves'],
): readonly Change[] =>
  [...new Set(dates)].flatMap((date) =>
    [bookingId, ...moves.map(({ partyId }) => partyId)].map((id): Change => ({
      ...{ scope: dayScope(branchId, date), type: 'booking', id, op: 'upsert' },
    })),
  );

/** Attempts, when a booking of another date took a table between search and claim, or the booking moved to another date. */
const MAX_ATTEMPTS = 3;

export const retrying = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work();
    } catch (fault) {
      if (!(fault instanceof ConcurrentChange)) throw fault;
      if (attempt === MAX_ATTEMPTS) throw new Refusal('SLOT_TAKEN');
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
  const seat = seatAt(branch, state, stay, partySize);
  if (seat === null) throw new Refusal('SLOT_TAKEN');
  return { state, seat };
};
