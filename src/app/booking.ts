import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import type { BookingSlots } from '../contract/booking.ts';
import type { PathOf, QueryOf } from '../contract/endpoint.ts';
import type { EndpointOf } from '../contract/index.ts';
import { branchScope, dayScope, shopScope } from '../domain/change.ts';
import { Refusal } from '../domain/refusal.ts';
import { findSeat, largestParty, whyUnfit, withinCovers, type Room } from '../domain/seating.ts';
import type { Branch } from '../domain/shop.ts';
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
import { addDays, earliest, isoInstant, type Instant, type LocalDate, type Span } from '../domain/time.ts';
import { floorOf } from '../store/booking.ts';
import type { Database } from '../store/schema.ts';
import { branchById } from '../store/shop.ts';
import { versionOf } from '../store/versions.ts';
import type { Answer } from './answer.ts';
import type { App } from './app.ts';

/** A branch that takes bookings; booking off is NOT_FOUND (Decisions 9). */
const bookableBranch = async (db: Kysely<Database>, branchId: string): Promise<Branch> => {
  const branch = await branchById(db, branchId);
  if (branch === null || !branch.booking.enabled) throw new Refusal('NOT_FOUND');
  return branch;
};

const rulesOf = ({ booking }: Branch): SlotRules => ({
  slotMinutes: booking.slotMinutes,
  durationMinutes: booking.defaultDurationMinutes,
  leadMinutes: booking.leadTimeMinutes,
  blackoutDates: booking.blackoutDates,
});

/** The dates that can be booked now (Decisions 9). */
const boundsOf = ({ booking, zone }: Branch, now: Instant): DateBounds =>
  dateBounds(serviceDateOf(booking.hours, zone, now), booking.horizonDays);

/** Refuses a date or party the branch does not take (Decisions 5, 9). */
const checkAsked = (
  { booking }: Branch,
  { first, last }: DateBounds,
  date: LocalDate,
  partySize: number,
): void => {
  if (!isWithin({ first, last }, date)) throw new Refusal('DATE_OUT_OF_RANGE', { first, last });
  if (partySize < booking.minParty || partySize > booking.maxParty)
    throw new Refusal('PARTY_SIZE_OUT_OF_RANGE', { min: booking.minParty, max: booking.maxParty });
};

interface OfferedDay {
  readonly slots: readonly OfferedSlot[];
  /** What bounds a party there, on this day and any other. */
  readonly room: Room;
}

/** The starts of a date, each available exactly when a seat and the covers of its start allow the party. */
const slotsFor = async (
  db: Kysely<Database>,
  branch: Branch,
  date: LocalDate,
  partySize: number,
  now: Instant,
): Promise<OfferedDay> => {
  const { booking, zone } = branch;
  const rules = rulesOf(branch);
  const starts = slotStarts(rules, booking.hours, zone, date);
  const first = starts[0] ?? now;
  const last = starts.at(-1);
  // A day without starts is a span without length: nothing is taken within it.
  const end = last === undefined ? first : stayFrom(rules, last).end;
  const { tables, joins, claims, arrivals } = await floorOf(db, branch.orgId, branch.id, {
    start: first,
    end,
  });
  const hasRoom = (stay: Span): boolean =>
    findSeat(tables, joins, claims, stay, partySize) !== null &&
    withinCovers(arrivals, stay.start, partySize, booking.maxCoversPerSlot);
  return {
    slots: offeredSlots(rules, booking.hours, zone, date, now, hasRoom),
    room: { tables, joins, maxCovers: booking.maxCoversPerSlot },
  };
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

/** GET /public/branches/{id}/booking-slots (Behaviour, Menu rule 4; Decisions 9). */
export const getBookingSlots =
  (app: App) =>
  ({
    path,
    query,
  }: {
    path: PathOf<EndpointOf<'getBookingSlots'>>;
    query: QueryOf<EndpointOf<'getBookingSlots'>>;
  }): Promise<Answer<Static<typeof BookingSlots>>> =>
    app.db.snapshot(async (tx) => {
      const now = app.clock.now();
      const branch = await bookableBranch(tx, path.id);
      const version = await versionOf(tx, branch.orgId);
      const { date, party_size: partySize } = query;
      const bounds = boundsOf(branch, now);
      checkAsked(branch, bounds, date, partySize);
      const { slots, room } = await slotsFor(tx, branch, date, partySize, now);
      const { booking, zone } = branch;
      const starts = slots.map((slot) => slot.startsAt);
      return {
        body: {
          date,
          timezone: zone,
          slots: slots.map((slot) => ({
            starts_at: isoInstant(slot.startsAt),
            available: slot.available,
          })),
          last_date: bounds.last,
          ...fitOf(booking, room, partySize),
        },
        orgId: branch.orgId,
        // A stay may reach into the next service, and one of the night before into this.
        scopes: [
          shopScope,
          branchScope(branch.id),
          ...[addDays(date, -1), date, addDays(date, 1)].map((day) => dayScope(branch.id, day)),
        ],
        version,
        validUntil: earliest([
          nextLeadEdge(starts, booking.leadTimeMinutes, now),
          nextServiceDateEdge(booking.hours, zone, now),
        ]),
      };
    });
