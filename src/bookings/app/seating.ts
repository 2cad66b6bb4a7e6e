/** The one way in which slots and bookings ask for tables: offered ⇔ bookable (Decisions 9). */
import type { Kysely } from 'kysely';
import { withinCovers } from '../domain/seating/capacity.ts';
import { claimsBy } from '../domain/seating/room.ts';
import { seatingGrid, seatParty, type Move } from '../domain/seating/seat-party.ts';
import { slotStarts, stayFrom, type SlotRules } from '../domain/slots.ts';
import type { Branch } from '../../shops/domain/shop.ts';
import { addDays, addMinutes, type Instant, type LocalDate, type Span } from '../../kernel/time.ts';
import { seatingStateOf, type BookedParty, type SeatingState } from '../store/seating-state.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { rulesOf } from './branch-rules.ts';

/** Bookings before and after the stays of a date, which may have to move for them. */
const MARGIN_MINUTES = 12 * 60;

/** Covers all stays; zero length without starts. */
const spanOf = (rules: SlotRules, starts: readonly Instant[], now: Instant): Span => {
  let [start, last] = [starts[0], starts[0]];
  if (start === undefined || last === undefined) return { start: now, end: now };
  // A service may begin before that of the previous date ends.
  for (const each of starts) [start, last] = [Math.min(start, each), Math.max(last, each)];
  return {
    start: addMinutes(start, -MARGIN_MINUTES),
    end: addMinutes(stayFrom(rules, last).end, MARGIN_MINUTES),
  };
};

/** `without`: a booking that counts as absent. */
export const readSeating = (
  db: Kysely<Database>,
  branch: Branch,
  dates: readonly LocalDate[],
  now: Instant,
  without: Uuid | null = null,
): Promise<SeatingState> => {
  const rules = rulesOf(branch);
  const starts = dates.flatMap((date) => slotStarts(rules, branch.booking.hours, branch.zone, date));
  return seatingStateOf(db, branch.orgId, branch.id, spanOf(rules, starts, now), without);
};

/** A booking is made with the dates beside its own locked too: parties of any other date stay. */
export const datesToLock = (date: LocalDate): readonly LocalDate[] => [
  addDays(date, -1),
  date,
  addDays(date, 1),
];

const movableOn = (state: SeatingState, date: LocalDate): Pick<SeatingState, 'parties' | 'claims'> => {
  const dates = datesToLock(date);
  const isMovable = ({ serviceDate }: BookedParty): boolean => dates.includes(serviceDate);
  const staying = state.parties.filter((party) => !isMovable(party));
  return {
    parties: state.parties.filter(isMovable),
    claims: [...state.claims, ...staying.flatMap(claimsBy)],
  };
};

const hasCovers = ({ booking }: Branch, { arrivals }: SeatingState, start: Instant, size: number): boolean =>
  withinCovers(arrivals, start, size, booking.maxCoversPerSlot);

/** The starts of a service date at which a party would be accepted. */
export const roomAt = (
  branch: Branch,
  state: SeatingState,
  { date, starts }: { readonly date: LocalDate; readonly starts: readonly Instant[] },
  size: number,
): ReadonlySet<Instant> => {
  const { parties, claims } = movableOn(state, date);
  const open = starts.filter((start) => hasCovers(branch, state, start, size));
  const duration = addMinutes(0, branch.booking.defaultDurationMinutes);
  const grid = seatingGrid(state, parties, claims, { starts: open, duration, sizes: [size] });
  return new Set(open.filter((_, index) => grid[index]?.[0] === 'seated'));
};

export interface Seat {
  readonly tableIds: readonly string[];
  /** Of other parties. */
  readonly moves: readonly Move[];
}

/** Null: there is no room. */
export const seatAt = (
  branch: Branch,
  state: SeatingState,
  { date, stay }: { readonly date: LocalDate; readonly stay: Span },
  size: number,
): Seat | null => {
  if (!hasCovers(branch, state, stay.start, size)) return null;
  const { parties, claims } = movableOn(state, date);
  const found = seatParty(state, parties, claims, { ...stay, size });
  return found.kind === 'seated' ? { tableIds: found.tables, moves: found.moves } : null;
};
