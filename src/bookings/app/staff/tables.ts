/** Which tables the staff give a booking: as if there were no holds (`repairHolds`). */
import type { Kysely } from 'kysely';
import { invalidInput } from '../../../kernel/refusal.ts';
import { addMinutes, overlaps, type Instant, type LocalDate, type Span } from '../../../kernel/time.ts';
import type { App } from '../../../platform/app/app.ts';
import type { Database } from '../../../platform/store/schema.ts';
import type { Branch } from '../../../shops/domain/shop.ts';
import type { StoredBooking } from '../../store/booking.ts';
import { claimsBy } from '../../domain/seating/room.ts';
import type { BookedParty, SeatingState } from '../../store/seating-state.ts';
import {
  datesToLock,
  freeTablesAt,
  readSeating,
  seatAtChosen,
  tablesAt,
  type LockedStay,
  type SeatAnswer,
} from '../seating.ts';
import { foundOrRefuse, type Assignment } from '../table-assignment.ts';

type Tx = Kysely<Database>;

const NO_TABLE_HERE = {
  problem: 'is no table of this branch',
  arabic: 'ليست طاولة من طاولات هذا الفرع',
} as const;

/** The ids in lower case, each once. Throws INVALID_INPUT with the path of the first that is none. */
export const ownTables = ({ tables }: SeatingState, tableIds: readonly string[]): readonly string[] => {
  const ids = tableIds.map((id) => id.toLowerCase());
  const unknown = ids.findIndex((id) => !tables.some((table) => table.id === id));
  if (unknown !== -1) throw invalidInput({ path: `table_ids[${unknown}]`, ...NO_TABLE_HERE });
  return [...new Set(ids)];
};

/**
 * Guests who sit down now are led to no table with an open bill. Confirmed guests who have such a table now stay there:
 * the bill may be theirs.
 */
const withoutTablesInUse = (state: SeatingState, { start }: Span, now: Instant): SeatingState => {
  if (start > now) return state;
  const moment = { start: now, end: addMinutes(now, 1) };
  const isThere = (party: BookedParty): boolean =>
    overlaps(party, moment) && party.tableIds.some((id) => state.inUse.includes(id));
  const staying = state.parties.filter(isThere).flatMap(claimsBy);
  const isFree = (tableId: string): boolean => staying.every((claim) => claim.tableId !== tableId);
  const inUse = state.inUse.filter(isFree).map((tableId) => ({ ...moment, tableId }));
  const parties = state.parties.filter((party) => !isThere(party));
  return { ...state, parties, claims: [...state.claims, ...staying, ...inUse] };
};

/** Guests without a booking get a table that is kept for them, then any that is free; others move at last. */
const anyTables = (state: SeatingState, place: LockedStay, size: number, isWalkIn: boolean): SeatAnswer => {
  const { stay } = place;
  const kept = state.tables.filter(({ bookable }) => bookable === false);
  const forWalkIns = { ...state, tables: kept.map((table) => ({ ...table, bookable: true })), joins: [] };
  return (
    (isWalkIn ? freeTablesAt(forWalkIns, stay, size) : null) ??
    freeTablesAt(state, stay, size) ??
    tablesAt(state, place, size)
  );
};

/** A confirmed booking's stay; of seated guests what is left of it, from now on. */
export const remainingStay = (
  { status, starts_at: start, ends_at: end }: StoredBooking,
  now: Instant,
): Span => (status === 'seated' ? { start: now, end: Math.max(end, addMinutes(now, 1)) } : { start, end });

export interface StaffStayRequest {
  readonly date: LocalDate;
  readonly stay: Span;
  readonly partySize: number;
  /** These and no others; empty: any. */
  readonly tableIds: readonly string[];
  /** These, if they are free. */
  readonly preferred?: readonly string[];
  /** Where guests sit who stay there, even if the table was removed since. */
  readonly staying?: readonly string[];
  readonly isWalkIn?: boolean;
}

/** Throws SLOT_TAKEN, and INVALID_INPUT for a table of another branch. `without`: a booking that counts as absent. */
export const seatForStaff = async (
  app: Pick<App, 'undecidedSeatings'>,
  tx: Tx,
  branch: Branch,
  { date, stay, partySize, tableIds, preferred = [], staying, isWalkIn = false }: StaffStayRequest,
  now: Instant,
  without: string | null = null,
): Promise<Omit<Assignment, 'bookingId'>> => {
  const view = { viewer: 'staff', dates: [date], stay, without } as const;
  const state = await readSeating(tx, branch, view, now);
  const place = { locked: datesToLock(date), stay };
  if (staying !== undefined)
    return { date, stay, state, seat: foundOrRefuse(app, seatAtChosen(state, place, staying)) };
  const chosen = ownTables(state, tableIds);
  const kept = preferred.filter((id) => state.tables.some((table) => table.id === id));
  const [only] = [chosen, kept].filter(({ length }) => length > 0);
  const named = only === undefined ? 'full' : seatAtChosen(state, place, only);
  const isFound = typeof named === 'object' || chosen.length > 0;
  const any = withoutTablesInUse(state, stay, now);
  const seat = foundOrRefuse(app, isFound ? named : anyTables(any, place, partySize, isWalkIn));
  return { date, stay, state, seat };
};
