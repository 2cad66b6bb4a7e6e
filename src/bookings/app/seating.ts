/** The one way in which slots and bookings ask for tables: offered ⇔ bookable (Decisions 9). */
import type { Kysely } from 'kysely';
import { withinCovers } from '../domain/seating/capacity.ts';
import { findSeat } from '../domain/seating/find-seat.ts';
import { claimsBy, type TableClaim } from '../domain/seating/room.ts';
import { movesBetween, seatAll, seatAtTables } from '../domain/seating/seat-at-tables.ts';
import { seatParty, type Move, type Seating } from '../domain/seating/seat-party.ts';
import { slotStarts, stayFrom } from '../domain/slots.ts';
import type { Branch } from '../../shops/domain/shop.ts';
import { addDays, addMinutes, overlaps, type Instant, type LocalDate, type Span } from '../../kernel/time.ts';
import { seatingStateOf, type BookedParty, type SeatingState } from '../store/seating-state.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { App } from '../../platform/app/app.ts';
import { rulesOf } from './branch-rules.ts';
import type { SeatingUse } from './seating-grid.ts';

/** Bookings before and after the stays of a date, which may have to move for them. */
const MARGIN_MINUTES = 12 * 60;

/** From the first start to the last end, and the margin; zero length without stays. */
const withMargin = (stays: readonly Span[], now: Instant): Span => {
  const [first] = stays;
  if (first === undefined) return { start: now, end: now };
  // A service may begin before that of the previous date ends.
  const start = stays.reduce((least, each) => Math.min(least, each.start), first.start);
  const end = stays.reduce((most, each) => Math.max(most, each.end), first.end);
  return { start: addMinutes(start, -MARGIN_MINUTES), end: addMinutes(end, MARGIN_MINUTES) };
};

/** Who asks, and about which dates and stay. */
export interface SeatingView {
  readonly viewer: 'guest' | 'staff';
  readonly dates: readonly LocalDate[];
  /** A stay that is none of the dates' starts. */
  readonly stay?: Span;
  /** A booking or hold that counts as absent. */
  readonly without?: Uuid | null;
}

export const readSeating = (
  db: Kysely<Database>,
  branch: Branch,
  { viewer, dates, stay, without = null }: SeatingView,
  now: Instant,
): Promise<SeatingState> => {
  const rules = rulesOf(branch);
  const starts = dates.flatMap((date) => slotStarts(rules, branch.booking.hours, branch.zone, date));
  const stays = starts.map((start) => stayFrom(rules, start));
  const span = withMargin([...stays, ...(stay === undefined ? [] : [stay])], now);
  return seatingStateOf(db, { ...{ orgId: branch.orgId, branchId: branch.id }, span, now, viewer, without });
};

/** A booking is made with the dates beside its own locked too: parties of any other date stay. */
export const datesToLock = (date: LocalDate): readonly LocalDate[] => [
  addDays(date, -1),
  date,
  addDays(date, 1),
];

const movableOn = (
  state: SeatingState,
  locked: readonly LocalDate[],
): { readonly parties: readonly BookedParty[]; readonly claims: readonly TableClaim[] } => {
  const isMovable = ({ serviceDate }: BookedParty): boolean => locked.includes(serviceDate);
  const staying = state.parties.filter((party) => !isMovable(party));
  return {
    parties: state.parties.filter(isMovable),
    claims: [...state.claims, ...staying.flatMap(claimsBy)],
  };
};

/** Whether a guest may arrive then, whatever tables are free. */
const isOpen = ({ booking }: Branch, state: SeatingState, stay: Span, size: number): boolean =>
  withinCovers(state.arrivals, stay.start, size, booking.maxCoversPerSlot) &&
  !state.closures.some((closure) => overlaps(closure, stay));

/** What the starts of a service date offer a party. */
export interface OpenStarts {
  /** At which it would be accepted. */
  readonly free: ReadonlySet<Instant>;
  /** How many others the engine left undecided. */
  readonly undecided: number;
}

export const roomAt = async (
  { seatingGrids }: Pick<App, 'seatingGrids'>,
  branch: Branch,
  state: SeatingState,
  { date, starts }: { readonly date: LocalDate; readonly starts: readonly Instant[] },
  { size, use }: { readonly size: number; readonly use: SeatingUse },
): Promise<OpenStarts> => {
  const { parties, claims } = movableOn(state, datesToLock(date));
  const open = starts.filter((start) => isOpen(branch, state, stayFrom(rulesOf(branch), start), size));
  const duration = addMinutes(0, branch.booking.defaultDurationMinutes);
  const stays = open.map((start) => ({ start, end: start + duration }));
  const { tables, joins } = state;
  const kinds = await seatingGrids.kindsOf({ tables, joins, parties, claims }, stays, size, use);
  return {
    free: new Set(open.filter((_, index) => kinds[index] === 'seated')),
    undecided: kinds.filter((kind) => kind === 'undecided').length,
  };
};

export interface Seat {
  readonly tableIds: readonly string[];
  /** Of other parties. */
  readonly moves: readonly Move[];
}

/** `undecided` counts as full. */
export type SeatAnswer = Seat | 'full' | 'undecided';

const answerOf = (found: Seating): SeatAnswer =>
  found.kind === 'seated' ? { tableIds: found.tables, moves: found.moves } : found.kind;

export interface LockedStay {
  /** Dates whose parties may move; they are locked. */
  readonly locked: readonly LocalDate[];
  readonly stay: Span;
}

/** Whatever the covers of the start. */
export const tablesAt = (state: SeatingState, { locked, stay }: LockedStay, size: number): SeatAnswer => {
  const { parties, claims } = movableOn(state, locked);
  return answerOf(seatParty(state, parties, claims, { ...stay, size }));
};

/** For a guest. */
export const seatAt = (branch: Branch, state: SeatingState, place: LockedStay, size: number): SeatAnswer =>
  isOpen(branch, state, place.stay, size) ? tablesAt(state, place, size) : 'full';

/** Tables that are free as everybody sits now; null: there are none. */
export const freeTablesAt = (
  { tables, joins, parties, claims }: SeatingState,
  stay: Span,
  size: number,
): Seat | null => {
  const found = findSeat(tables, joins, [...claims, ...parties.flatMap(claimsBy)], stay, size);
  return found === null ? null : { tableIds: found, moves: [] };
};

/** At tables that the staff chose. */
export const seatAtChosen = (
  state: SeatingState,
  { locked, stay }: LockedStay,
  tableIds: readonly Uuid[],
): SeatAnswer => {
  const { parties, claims } = movableOn(state, locked);
  return answerOf(seatAtTables(state, parties, claims, stay, tableIds));
};

const clashes = (party: BookedParty, claims: readonly TableClaim[]): boolean =>
  claims.some((claim) => party.tableIds.includes(claim.tableId) && overlaps(claim, party));

/** Seats the holds anew whose tables others have; those without a place end. */
export const reseatHolds = (
  state: SeatingState,
  locked: readonly LocalDate[],
): { readonly seat: Seat; readonly ended: readonly BookedParty[] } => {
  const { parties, claims } = movableOn(state, locked);
  const isLost = (party: BookedParty): boolean => {
    const others = parties.filter(({ id, kind }) => kind === 'booking' && id !== party.id);
    return party.kind === 'hold' && clashes(party, [...claims, ...others.flatMap(claimsBy)]);
  };
  const staying = parties.filter((party) => !isLost(party));
  const { seated, unseated } = seatAll(state, staying, claims, parties.filter(isLost));
  return { seat: { tableIds: [], moves: movesBetween(parties, seated) }, ended: unseated };
};
