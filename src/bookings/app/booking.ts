import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import type { BookingSlots } from '../contract/booking.ts';
import type { PathOf, QueryOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/booking.ts';
import { branchScope, dayScope, shopScope } from '../../kernel/change.ts';
import { Refusal, refusedFor, type CodedFault } from '../../kernel/refusal.ts';
import { findSeat, largestParty, whyUnfit, withinCovers, type Room } from '../domain/seating.ts';
import { takesBookings, type Branch } from '../../shops/domain/shop.ts';
import {
  dateBounds,
  isWithin,
  nextLeadEdge,
  nextServiceDateEdge,
  offeredSlots,
  serviceDateOf,
  slotStarts,
  stayFrom,
  type DateBounds,
  type OfferedSlot,
  type SlotRules,
} from '../domain/slots.ts';
import {
  addDays,
  daysBetween,
  earliest,
  isoInstant,
  overlaps,
  type Instant,
  type LocalDate,
  type Span,
} from '../../kernel/time.ts';
import { floorOf } from '../store/booking.ts';
import type { Database } from '../../platform/store/schema.ts';
import { branchById, brandOf } from '../../shops/store/shop.ts';
import { versionOf } from '../../platform/store/versions.ts';
import type { Answer } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import { placeOf, type BookingPlace } from './booking-place.ts';

const rulesOf = ({ booking }: Branch): SlotRules => ({
  slotMinutes: booking.slotMinutes,
  durationMinutes: booking.defaultDurationMinutes,
  leadMinutes: booking.leadTimeMinutes,
  blackoutDates: booking.blackoutDates,
});

/** Refuses a date and a party the branch does not take, both at once (Decisions 3, 5, 9). */
const checkAsked = (
  { booking }: Branch,
  { first, last }: DateBounds,
  date: LocalDate,
  partySize: number,
): void => {
  const { minParty: min, maxParty: max } = booking;
  const faults: CodedFault[] = [];
  if (!isWithin({ first, last }, date))
    faults.push({ path: 'date', refusal: 'DATE_OUT_OF_RANGE', figures: { first, last } });
  if (partySize < min || partySize > max)
    faults.push({ path: 'party_size', refusal: 'PARTY_SIZE_OUT_OF_RANGE', figures: { min, max } });
  if (faults.length > 0) throw refusedFor(faults);
};

/** A question that a branch takes, and what answering it at this moment starts from. */
interface Asked {
  readonly branch: Branch;
  readonly version: number;
  readonly now: Instant;
  readonly bounds: DateBounds;
  readonly partySize: number;
}

/** A branch that takes bookings, such a date and such a party; booking off is NOT_FOUND (Decisions 9). */
const askedOf = async (
  db: Kysely<Database>,
  now: Instant,
  branchId: string,
  date: LocalDate,
  partySize: number,
): Promise<Asked> => {
  const branch = await branchById(db, branchId);
  if (branch === null || !takesBookings(branch)) throw new Refusal('NOT_FOUND');
  const version = await versionOf(db, branch.orgId);
  const { booking, zone } = branch;
  const bounds = dateBounds(serviceDateOf(booking.hours, zone, now), booking.horizonDays);
  checkAsked(branch, bounds, date, partySize);
  return { branch, version, now, bounds, partySize };
};

/** The starts of a date, each available exactly when a seat and the covers of its start allow the party. */
interface OfferedDay {
  readonly date: LocalDate;
  readonly slots: readonly OfferedSlot[];
}

interface Offered {
  readonly days: readonly OfferedDay[];
  /** What bounds a party there, on these days and any other. */
  readonly room: Room;
}

const hasFree = ({ slots }: OfferedDay): boolean => slots.some(({ unavailable }) => unavailable === null);

/** From the first start to the end of the last stay; without starts a span without length, in which nothing is taken. */
const spanOf = (rules: SlotRules, starts: readonly Instant[], now: Instant): Span => {
  let [start, last] = [starts[0], starts[0]];
  if (start === undefined || last === undefined) return { start: now, end: now };
  // Of two dates the second may begin before the first has ended.
  for (const each of starts) [start, last] = [Math.min(start, each), Math.max(last, each)];
  return { start, end: stayFrom(rules, last).end };
};

/** What the branch offers on these dates, up to the first with a free start. What is taken is read once for all. */
const offeredOn = async (
  db: Kysely<Database>,
  { branch, now, partySize }: Asked,
  dates: readonly LocalDate[],
): Promise<Offered> => {
  const { booking, zone } = branch;
  const rules = rulesOf(branch);
  const startsOn = (date: LocalDate) => slotStarts(rules, booking.hours, zone, date);
  const span = spanOf(rules, dates.flatMap(startsOn), now);
  const { tables, joins, claims, arrivals } = await floorOf(db, branch.orgId, branch.id, span);
  const dayOf = (date: LocalDate): OfferedDay => {
    const day = spanOf(rules, startsOn(date), now);
    const taken = claims.filter((claim) => overlaps(claim, day));
    const hasRoom = (stay: Span): boolean =>
      findSeat(tables, joins, taken, stay, partySize) !== null &&
      withinCovers(arrivals, stay.start, partySize, booking.maxCoversPerSlot);
    return { date, slots: offeredSlots(rules, booking.hours, zone, date, now, hasRoom) };
  };
  const days: OfferedDay[] = [];
  for (const date of dates) {
    const day = dayOf(date);
    days.push(day);
    if (hasFree(day)) break;
  }
  return { days, room: { tables, joins, maxCovers: booking.maxCoversPerSlot } };
};

/** Whether a party could be seated there at all, and which could. */
const fitOf = ({ minParty }: Branch['booking'], room: Room, partySize: number) => {
  const reason = whyUnfit(room, partySize);
  return {
    party_fits: reason === null,
    unfit_reason: reason,
    largest_party: reason === null ? partySize : largestParty(room, minParty, partySize),
    max_covers: room.maxCovers,
  };
};

const replyOf = (
  { branch, bounds, partySize }: Asked,
  date: LocalDate,
  { days, room }: Offered,
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
  ...fitOf(branch.booking, room, partySize),
});

/** `body`, which says something of all these days and of no other. */
const answerOf = <T>({ branch, version, now }: Asked, days: readonly OfferedDay[], body: T): Answer<T> => {
  const { booking, zone, orgId } = branch;
  // A stay may reach into the next service, and one of the night before into this.
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
    ]),
  };
};

/** GET /public/branches/{id}/booking-slots (Behaviour, Menu rule 4; Decisions 9). */
export const getBookingSlots =
  (app: App) =>
  ({
    path,
    query,
  }: {
    path: PathOf<typeof contract.getBookingSlots>;
    query: QueryOf<typeof contract.getBookingSlots>;
  }): Promise<Answer<Static<typeof BookingSlots>>> =>
    app.db.snapshot(async (tx) => {
      const { date, party_size: partySize } = query;
      const asked = await askedOf(tx, app.clock.now(), path.id, date, partySize);
      const offered = await offeredOn(tx, asked, [date]);
      return answerOf(asked, offered.days, replyOf(asked, date, offered));
    });

/** How many days after a date without a free start are looked at. */
const DAYS_AHEAD = 7;

/** The dates after `date` that are looked at, none of them beyond the last that can be booked. */
const datesAhead = (date: LocalDate, { last }: DateBounds): LocalDate[] =>
  Array.from({ length: Math.min(DAYS_AHEAD, daysBetween(date, last)) }, (_, index) =>
    addDays(date, index + 1),
  );

/** A day at a branch and, where nothing is free for a party that fits, what the week after it has. */
export interface BookingOutlook {
  readonly place: BookingPlace;
  /** A booking starts this many minutes from now, or later. */
  readonly leadMinutes: number;
  readonly day: Static<typeof BookingSlots>;
  readonly nextFreeDate: LocalDate | null;
  /** The last date that can be booked, where that and all before it were looked at in vain. */
  readonly noneUntil: LocalDate | null;
}

/** The booking slots of a date, of which shop and branch they are, and where else to look; refused like the slots. */
export const bookingOutlook =
  (app: App) =>
  (branchId: string, date: LocalDate, partySize: number): Promise<Answer<BookingOutlook>> =>
    app.db.snapshot(async (tx) => {
      const asked = await askedOf(tx, app.clock.now(), branchId, date, partySize);
      const { branch, bounds } = asked;
      const brand = await brandOf(tx, branch.orgId);
      if (brand === null) throw new Refusal('NOT_FOUND');
      const offered = await offeredOn(tx, asked, [date]);
      const day = replyOf(asked, date, offered);
      const isFull = day.party_fits && !offered.days.some(hasFree);
      const ahead = isFull ? datesAhead(date, bounds) : [];
      const later = ahead.length === 0 ? [] : (await offeredOn(tx, asked, ahead)).days;
      const next = later.find(hasFree)?.date ?? null;
      const reached = later.at(-1)?.date ?? date;
      return answerOf(asked, [...offered.days, ...later], {
        place: placeOf(brand, branch),
        leadMinutes: branch.booking.leadTimeMinutes,
        day,
        nextFreeDate: next,
        noneUntil: isFull && next === null && reached === bounds.last ? reached : null,
      });
    });
