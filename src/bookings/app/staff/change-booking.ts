/** The staff change time, party, guest or notes of a booking. */
import { multiLine, singleLine } from '../../../kernel/free-text.ts';
import { parsePhone, type Phone } from '../../../kernel/phone.ts';
import { invalidInput, type Fault } from '../../../kernel/refusal.ts';
import {
  addMinutes,
  parseInstant,
  wholeMinute,
  type Instant,
  type LocalDate,
  type Span,
} from '../../../kernel/time.ts';
import { NO_PHONE } from '../../../identity/app/otp.ts';
import type { App } from '../../../platform/app/app.ts';
import type { BodyOf, PathOf } from '../../../platform/contract/endpoint.ts';
import { at } from '../../../platform/store/types.ts';
import type { Branch } from '../../../shops/domain/shop.ts';
import type { Actor } from '../../../staff/app/access.ts';
import type * as contract from '../../contract/staff-bookings.ts';
import type { BookingEvent } from '../../domain/message.ts';
import { serviceDateOf } from '../../domain/slots.ts';
import { tablesOfBookings, type BookingUpdate, type StoredBooking } from '../../store/booking.ts';
import { NO_NAME, timeFaults } from '../input.ts';
import { dropMessagesAbout, phoneAnswers } from '../../../messaging/app/shared.ts';
import { isGuestNotified } from '../notifications.ts';
import { remindAt } from '../reminders.ts';
import { datesToLock } from '../seating.ts';
import { bookingChange } from '../table-assignment.ts';
import type { StaffBookingReply } from './booking-reply.ts';
import { staffBranch } from './day.ts';
import { takeStep, type PreparedStep } from './step.ts';
import { seatForStaff } from './tables.ts';

type Body = BodyOf<typeof contract.changeStaffBooking>;

interface Input {
  readonly path: PathOf<typeof contract.changeStaffBooking>;
  readonly body: Body;
  readonly actor: Actor;
}

const IS_SEATED = {
  problem: 'cannot be changed while the guests are seated',
  arabic: 'لا يمكن تغيير الموعد والضيوف جالسون',
} as const;

/** Null: the start is no moment. */
const stayOf = (booking: StoredBooking, { starts_at, duration_minutes }: Body): Span | null => {
  const asked = starts_at === undefined ? booking.starts_at : parseInstant(starts_at);
  if (asked === null) return null;
  const start = asked === booking.starts_at ? asked : wholeMinute(asked);
  const length = booking.ends_at - booking.starts_at;
  return {
    start,
    end: duration_minutes === undefined ? start + length : addMinutes(start, duration_minutes),
  };
};

/** The fields about the guest. */
interface GuestFields {
  readonly update: BookingUpdate;
  readonly faults: readonly Fault[];
}

const phoneUpdate = (booking: StoredBooking, phone: Phone | null) => ({
  guest_phone: phone,
  phone_proven: booking.phone_proven && phone === booking.guest_phone,
});

const guestFields = (app: App, booking: StoredBooking, { guest_name, phone, notes }: Body): GuestFields => {
  const name = guest_name === undefined ? booking.guest_name : singleLine(guest_name);
  const read = typeof phone === 'string' ? parsePhone(phone, app.phoneCountries) : null;
  return {
    update: {
      ...(name !== null && { guest_name: name }),
      ...(phone !== undefined && phoneUpdate(booking, read)),
      ...(notes !== undefined && { notes: multiLine(notes) }),
    },
    faults: [
      ...(name === null ? [{ path: 'guest_name', ...NO_NAME }] : []),
      ...(typeof phone === 'string' && read === null ? [{ path: 'phone', ...NO_PHONE }] : []),
    ],
  };
};

interface NewPlace {
  readonly branch: Branch;
  readonly date: LocalDate;
  readonly stay: Span;
  readonly partySize: number;
}

/** Guests who are seated stay at their tables; others get tables anew, the chosen ones where they are free. */
const takePlace =
  (app: App, { branch, date, stay, partySize }: NewPlace, guest: BookingUpdate): PreparedStep['apply'] =>
  async (tx, booking, now) => {
    const own = (await tablesOfBookings(tx, booking.org_id, [booking.id])).map(({ id }) => id);
    const isSeated = booking.status === 'seated';
    const requested = {
      ...{ date, partySize, tableIds: [] },
      ...(isSeated
        ? { stay: { start: now, end: stay.end }, staying: own }
        : { stay, preferred: booking.is_pinned ? own : [] }),
    };
    const assignment = await seatForStaff(app, tx, branch, requested, now, booking.id);
    const keepsTables = assignment.seat.tableIds.every((id) => own.includes(id));
    return {
      update: {
        ...{ ...guest, service_date: date, party_size: partySize },
        ...{ starts_at: at(stay.start), ends_at: at(stay.end) },
        is_pinned: booking.is_pinned && keepsTables,
      },
      assignment: { ...assignment, bookingId: booking.id, branch },
      changes: [bookingChange(branch.id, booking.service_date, booking.id)],
      detail: { party_size: partySize, starts_at: new Date(stay.start).toISOString() },
    };
  };

/** A new phone is told under its own rules, and another start has its own reminder. */
const withMessages = (
  app: App,
  branch: Branch,
  { start, isPhoneHeard }: { readonly start: Instant; readonly isPhoneHeard: boolean },
  prepared: PreparedStep,
): PreparedStep => ({
  ...prepared,
  apply: async (tx, booking, now) => {
    const outcome = await prepared.apply(tx, booking, now);
    const { guest_phone: phone = booking.guest_phone } = outcome.update;
    const isSamePhone = phone === booking.guest_phone;
    if (isSamePhone && start === booking.starts_at) return outcome;
    const mayTell = phone !== null && isPhoneHeard && booking.status === 'confirmed';
    const notified = isSamePhone ? booking.notified : mayTell && (await isGuestNotified(tx, app, phone, now));
    // They were meant for the phone before.
    if (!isSamePhone) await dropMessagesAbout(tx, booking.org_id, [booking.id], now);
    const remind_at = notified ? remindAt(branch, start, now) : null;
    return { ...outcome, update: { ...outcome.update, notified, remind_at } };
  },
});

const newStay = (booking: StoredBooking, body: Body, now: Instant) => {
  const stay = stayOf(booking, body);
  const isMoved = stay?.start !== booking.starts_at;
  const isSame = !isMoved && stay.end === booking.ends_at;
  const faults: Fault[] = isSame ? [] : timeFaults(stay, now, { isNew: isMoved });
  if (stay !== null && isMoved && booking.status === 'seated')
    faults.push({ path: 'starts_at', ...IS_SEATED });
  return { stay, isMoved, isSame, faults };
};

const isUnchanged = (booking: StoredBooking, update: BookingUpdate): boolean =>
  Object.entries(update).every(([column, value]) => booking[column as keyof StoredBooking] === value);

/** Null: nothing is changed. */
const prepareChange =
  (app: App, { body, actor }: Input) =>
  async (booking: StoredBooking, now: Instant): Promise<PreparedStep | null> => {
    const { stay, isMoved, isSame, faults } = newStay(booking, body, now);
    const guest = guestFields(app, booking, body);
    if (stay === null || faults.length + guest.faults.length > 0)
      throw invalidInput(...faults, ...guest.faults);
    const branch = await staffBranch(app, actor, booking.branch_id);
    const partySize = body.party_size ?? booking.party_size;
    const isSameParty = partySize === booking.party_size;
    const isNewPhone = typeof body.phone === 'string' && guest.update.guest_phone !== booking.guest_phone;
    const event: BookingEvent | null = isNewPhone ? 'confirmed' : isMoved || !isSameParty ? 'changed' : null;
    const isPhoneHeard = await phoneAnswers(app.db.kysely, () => guest.update.guest_phone ?? null);
    const told = { start: stay.start, isPhoneHeard };
    const notifies = event === null || booking.status !== 'confirmed' ? null : { event, branch };
    if (isSame && (isSameParty || booking.status === 'seated')) {
      const update = { ...guest.update, party_size: partySize };
      if (isUnchanged(booking, update)) return null;
      const apply = () => Promise.resolve({ update });
      return withMessages(app, branch, told, { locked: [], notifies, apply });
    }
    const date = isMoved
      ? serviceDateOf(branch.booking.hours, branch.zone, stay.start)
      : booking.service_date;
    const locked = [...datesToLock(date), ...datesToLock(booking.service_date)];
    const apply = takePlace(app, { branch, date, stay, partySize }, guest.update);
    return withMessages(app, branch, told, { locked, notifies, apply });
  };

/** PATCH /staff/bookings/{id}. */
export const changeStaffBooking =
  (app: App) =>
  (input: Input): Promise<StaffBookingReply> =>
    takeStep(app, {
      ...{ actor: input.actor, id: input.path.id, revision: input.body.revision },
      ...{ action: 'change', auditedAs: 'booking.changed', prepare: prepareChange(app, input) },
    });
