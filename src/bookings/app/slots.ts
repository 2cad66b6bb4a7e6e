import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import type { BookingSlots } from '../contract/slots.ts';
import type { PathOf, QueryOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/slots.ts';
import { branchScope, dayScope, shopScope } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal, refusedFor } from '../../kernel/refusal.ts';
import { largestParty, unfitReason, type SeatingCapacity } from '../domain/seating/capacity.ts';
import { takesBookings, type Branch } from '../../shops/domain/shop.ts';
import {
  isInTime,
  isWithin,
  nextLeadEdge,
  nextServiceDateEdge,
  offeredSlots,
  slotStarts,
  type DateBounds,
  type OfferedSlot,
} from '../domain/slots.ts';
import {
  addDays,
  daysBetween,
  earliest,
  isoInstant,
  type Instant,
  type LocalDate,
} from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { branchById, brandOf } from '../../shops/app/shared.ts';
import { versionOf } from '../../platform/store/change-log.ts';
import type { Answer } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import { boundsOf, dateFault, partyFaults, rulesOf } from './branch-rules.ts';
import { readSeating, roomAt } from './seating.ts';
import type { SeatingUse } from './seating-grid.ts';
import type { SeatingState } from '../store/seating-state.ts';
import { shopAndBranchNames, type ShopAndBranchNames } from './booking-help.ts';

/** Reports both faults at once (Decisions 3, 5, 9). */
const checkDateAndParty = (branch: Branch, bounds: DateBounds, date: LocalDate, partySize: number): void => {
  const faults = [
    ...(isWithin(bounds, date) ? [] : [dateFault('date', bounds)]),
    ...partyFaults(branch, partySize),
  ];
  if (faults.length > 0) throw refusedFor(faults);
};

interface SlotSearch {
  readonly branch: Branch;
  readonly version: number;
  readonly now: Instant;
  readonly bounds: DateBounds;
  readonly partySize: number;
}

/** Throws NOT_FOUND, also if bookings are off (Decisions 9), and the faults of date and party. */
const slotSearchOf = async (
  db: Kysely<Database>,
  now: Instant,
  branchId: string,
  date: LocalDate,
  partySize: number,
): Promise<SlotSearch> => {
  const branch = await branchById(db, branchId);
  if (branch === null || !takesBookings(branch)) throw new Refusal('NOT_FOUND');
  const version = await versionOf(db, branch.orgId);
  const bounds = boundsOf(branch, now);
  checkDateAndParty(branch, bounds, date, partySize);
  return { branch, version, now, bounds, partySize };
};

interface OfferedDay {
  readonly date: LocalDate;
  readonly slots: readonly OfferedSlot[];
}

interface Offered {
  readonly days: readonly OfferedDay[];
  /** When a hold expires. */
  readonly heldUntil: Instant | null;
  /** Limits that hold on any day. */
  readonly capacity: SeatingCapacity;
}

const hasFree = ({ slots }: OfferedDay): boolean => slots.some(({ unavailable }) => unavailable === null);

/** Stops after the first date with a free start. It needs no connection to the database. */
const offeredOn = async (
  app: App,
  { branch, now, partySize }: SlotSearch,
  state: SeatingState,
  dates: readonly LocalDate[],
  use: SeatingUse = 'request',
): Promise<Offered> => {
  const { booking, zone } = branch;
  const rules = rulesOf(branch);
  const dayOf = async (date: LocalDate): Promise<OfferedDay> => {
    const bookable = slotStarts(rules, booking.hours, zone, date).filter((start) =>
      isInTime(start, rules.leadMinutes, now),
    );
    const { free, undecided } = await roomAt(
      app,
      branch,
      state,
      { date, starts: bookable },
      { size: partySize, use },
    );
    app.undecidedSeatings.add('slots', undecided);
    return {
      date,
      slots: offeredSlots(rules, booking.hours, zone, date, now, ({ start }) => free.has(start)),
    };
  };
  const days: OfferedDay[] = [];
  for (const date of dates) {
    const day = await dayOf(date);
    days.push(day);
    if (hasFree(day)) break;
  }
  return { days, heldUntil: state.heldUntil, capacity: { ...state, maxCovers: booking.maxCoversPerSlot } };
};

/** Whether the party could be seated if every table were free. */
const fitOf = ({ minParty }: Branch['booking'], capacity: SeatingCapacity, partySize: number) => {
  const reason = unfitReason(capacity, partySize);
  return {
    party_fits: reason === null,
    unfit_reason: reason,
    largest_party: reason === null ? partySize : largestParty(capacity, minParty, partySize),
    max_covers: capacity.maxCovers,
  };
};

const replyOf = (
  { branch, bounds, partySize }: SlotSearch,
  date: LocalDate,
  { days, capacity }: Offered,
): Static<typeof BookingSlots> => ({
  date,
  timezone: branch.zone,
  slots: days.flatMap(({ slots }) =>
    slots.map(({ startsAt, unavailable }) => ({
      starts_at: isoInstant(startsAt),
      available: unavailable === null,
      reason: unavailable,
    })),
  ),
  last_date: bounds.last,
  ...fitOf(branch.booking, capacity, partySize),
});

/** `body` must depend on what was offered only. */
const answerOf = <T>(
  { branch, version, now }: SlotSearch,
  { days, heldUntil }: Offered,
  body: T,
): Answer<T> => {
  const { booking, zone, orgId } = branch;
  // A stay may reach into the next date, and one of the previous date into this.
  const dates = days.flatMap(({ date }) => [addDays(date, -1), date, addDays(date, 1)]);
  return {
    body,
    orgId,
    scopes: [
      shopScope,
      branchScope(branch.id),
      ...[...new Set(dates)].map((date) => dayScope(branch.id, date)),
    ],
    version,
    validUntil: earliest([
      ...days.map(({ slots }) =>
        nextLeadEdge(
          slots.map(({ startsAt }) => startsAt),
          booking.leadTimeMinutes,
          now,
        ),
      ),
      nextServiceDateEdge(booking.hours, zone, now),
      heldUntil,
    ]),
  };
};

/** What a guest asks of one date. */
export interface SlotsQuestion {
  readonly branchId: string;
  readonly date: LocalDate;
  readonly partySize: number;
}

const offeredAt = async (
  app: App,
  { branchId, date, partySize }: SlotsQuestion,
  use: SeatingUse,
  without: Uuid | null = null,
): Promise<{ readonly search: SlotSearch; readonly offered: Offered }> => {
  const { search, state } = await app.db.snapshot(async (tx) => {
    const now = app.clock.now();
    const read = await slotSearchOf(tx, now, branchId, date, partySize);
    return {
      search: read,
      state: await readSeating(tx, read.branch, { viewer: 'guest', dates: [date], without }, now),
    };
  });
  return { search, offered: await offeredOn(app, search, state, [date], use) };
};

/** Decides the starts before anybody asks for them. Throws like `getBookingSlots`. */
export const decideAhead = async (app: App, question: SlotsQuestion): Promise<void> => {
  await offeredAt(app, question, 'ahead');
};

/** GET /public/branches/{id}/booking-slots (Behaviour, Menu rule 4; Decisions 9). `note` hears what was answered. */
export const getBookingSlots =
  (app: App, note: (asked: SlotsQuestion) => void) =>
  async ({
    path,
    query,
  }: {
    path: PathOf<typeof contract.getBookingSlots>;
    query: QueryOf<typeof contract.getBookingSlots>;
  }): Promise<Answer<Static<typeof BookingSlots>>> => {
    const question = { branchId: path.id, date: query.date, partySize: query.party_size };
    const { search, offered } = await offeredAt(app, question, 'request');
    note(question);
    return answerOf(search, offered, replyOf(search, query.date, offered));
  };

/** What a booking could be moved to: its own tables count as free. Throws like `getBookingSlots`. */
export const slotsWithout = async (
  app: App,
  question: SlotsQuestion,
  bookingId: Uuid,
): Promise<Static<typeof BookingSlots>> => {
  const { search, offered } = await offeredAt(app, question, 'request', bookingId);
  return replyOf(search, question.date, offered);
};

/** Dates searched after a full one. */
const DAYS_AHEAD = 7;

/** Never beyond the last bookable date. */
const datesAhead = (date: LocalDate, { last }: DateBounds): LocalDate[] =>
  Array.from({ length: Math.min(DAYS_AHEAD, daysBetween(date, last)) }, (_, index) =>
    addDays(date, index + 1),
  );

/** A date and, if it is full for a party that fits, the next free date. */
export interface BookingAvailability {
  readonly names: ShopAndBranchNames;
  /** Lead time. */
  readonly leadMinutes: number;
  readonly day: Static<typeof BookingSlots>;
  readonly nextFreeDate: LocalDate | null;
  /** Set if every date up to the last bookable one is full. */
  readonly noneUntil: LocalDate | null;
}

/** A date, and those after it that are searched while each before is full; read in one snapshot. */
const offeredFrom = async (
  app: App,
  { branchId, partySize }: { readonly branchId: string; readonly partySize: number },
  date: LocalDate,
  after: readonly LocalDate[],
) => {
  const dates = [date, ...after];
  const { search, brand, state } = await app.db.snapshot(async (tx) => {
    const now = app.clock.now();
    const read = await slotSearchOf(tx, now, branchId, date, partySize);
    const ofShop = await brandOf(tx, read.branch.orgId);
    if (ofShop === null) throw new Refusal('NOT_FOUND');
    const view = { viewer: 'guest', dates } as const;
    return { search: read, brand: ofShop, state: await readSeating(tx, read.branch, view, now) };
  });
  const offered = await offeredOn(app, search, state, dates);
  const [first, ...later] = offered.days;
  const day = replyOf(search, date, { ...offered, days: first === undefined ? [] : [first] });
  return { search, brand, offered, day, later, isFull: day.party_fits && !(first && hasFree(first)) };
};

/** Throws like `getBookingSlots`. A full date is read again, with those after it. */
export const bookingAvailability =
  (app: App) =>
  async (branchId: string, date: LocalDate, partySize: number): Promise<Answer<BookingAvailability>> => {
    const asked = { branchId, partySize };
    const alone = await offeredFrom(app, asked, date, []);
    const after = alone.isFull ? datesAhead(date, alone.search.bounds) : [];
    const { search, brand, offered, day, later, isFull } =
      after.length === 0 ? alone : await offeredFrom(app, asked, date, after);
    const next = later.find(hasFree)?.date ?? null;
    const reached = later.at(-1)?.date ?? date;
    return answerOf(search, offered, {
      names: shopAndBranchNames(brand, search.branch),
      leadMinutes: search.branch.booking.leadTimeMinutes,
      day,
      nextFreeDate: next,
      noneUntil: isFull && next === null && reached === search.bounds.last ? reached : null,
    });
  };
