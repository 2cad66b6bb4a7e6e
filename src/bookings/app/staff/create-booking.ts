/** The staff book a table for guests who call, and seat guests who come without a booking. */
import { multiLine, singleLine } from '../../../kernel/free-text.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import type { Language } from '../../../kernel/names.ts';
import { parsePhone, type Phone } from '../../../kernel/phone.ts';
import { invalidInput, type Fault } from '../../../kernel/refusal.ts';
import { addMinutes, parseInstant, wholeMinute, type Instant, type Span } from '../../../kernel/time.ts';
import { NO_PHONE } from '../../../identity/app/otp.ts';
import type { Repeated } from '../../../platform/app/answer.ts';
import type { App } from '../../../platform/app/app.ts';
import { recordAudit } from '../../../platform/app/audit.ts';
import { commitAndPublish } from '../../../platform/app/commit.ts';
import type { BodyOf, HeadersOf } from '../../../platform/contract/endpoint.ts';
import { claimKey } from '../../../platform/store/idempotency.ts';
import { at } from '../../../platform/store/types.ts';
import { phoneAnswers } from '../../../messaging/app/shared.ts';
import { messageLanguageOf } from '../../../shops/app/shared.ts';
import type { Branch } from '../../../shops/domain/shop.ts';
import type { Actor } from '../../../staff/app/access.ts';
import type * as contract from '../../contract/staff-bookings.ts';
import { serviceDateOf } from '../../domain/slots.ts';
import { insertBooking } from '../../store/booking.ts';
import { lockDays } from '../../store/claims.ts';
import { inTurn } from '../branch-turns.ts';
import { NO_NAME, timeFaults } from '../input.ts';
import { isGuestNotified, notifyGuest } from '../notifications.ts';
import { remindAt } from '../reminders.ts';
import { onceUnder, requestKey, type RequestKey } from '../../../platform/app/request-key.ts';
import { datesToLock } from '../seating.ts';
import { replyOf, type StaffBookingReply } from './booking-reply.ts';
import { staffBooking, staffBranch } from './day.ts';
import { takeForStaff } from './step.ts';
import { seatForStaff, type StaffStayRequest } from './tables.ts';

type Body = BodyOf<typeof contract.createStaffBooking>;

interface Input {
  readonly body: Body;
  readonly headers: HeadersOf<typeof contract.createStaffBooking>;
  readonly actor: Actor;
}

interface Request {
  readonly branch: Branch;
  readonly actor: Actor;
  readonly body: Body;
  readonly name: string;
  readonly phone: Phone | null;
  readonly isPhoneHeard: boolean;
  readonly language: Language;
  readonly requested: StaffStayRequest;
  readonly key: RequestKey | null;
}

/** Guests who come are seated now, whatever start was sent. */
const stayOf = (branch: Branch, { source, starts_at, duration_minutes }: Body, now: Instant): Span | null => {
  const start = source === 'walk_in' ? now : parseInstant(starts_at ?? '');
  const minutes = duration_minutes ?? branch.booking.defaultDurationMinutes;
  const from = start === null ? null : wholeMinute(start);
  return from === null ? null : { start: from, end: addMinutes(from, minutes) };
};

/** Throws INVALID_INPUT with all faults. */
const readRequest = async (app: App, branch: Branch, { body, actor }: Input, key: RequestKey | null) => {
  const now = app.clock.now();
  const stay = stayOf(branch, body, now);
  const name = singleLine(body.guest_name);
  const phone = typeof body.phone === 'string' ? parsePhone(body.phone, app.phoneCountries) : null;
  const faults: Fault[] = timeFaults(stay, now, { isNew: true });
  if (name === null) faults.push({ path: 'guest_name', ...NO_NAME });
  if (phone === null && typeof body.phone === 'string') faults.push({ path: 'phone', ...NO_PHONE });
  if (stay === null || name === null || faults.length > 0) throw invalidInput(...faults);
  const requested: StaffStayRequest = {
    date: serviceDateOf(branch.booking.hours, branch.zone, stay.start),
    ...{ stay, partySize: body.party_size, tableIds: body.table_ids ?? [] },
    isWalkIn: body.source === 'walk_in',
  };
  const language = body.locale ?? (await messageLanguageOf(app.db.kysely, branch.orgId));
  const isPhoneHeard = await phoneAnswers(app.db.kysely, () => phone);
  return { branch, actor, body, name, phone, isPhoneHeard, language, requested, key };
};

const rowOf = (
  { branch, body, name, phone, language, requested }: Request,
  id: Uuid,
  hash: Buffer,
  now: Instant,
) => ({
  ...{ org_id: branch.orgId, id, branch_id: branch.id, service_date: requested.date },
  ...{ party_size: requested.partySize, source: body.source, language, notes: multiLine(body.notes) },
  ...{
    starts_at: at(requested.stay.start),
    ends_at: at(requested.stay.end),
    created_at: at(now),
    updated_at: at(now),
  },
  ...{ guest_name: name, guest_phone: phone, manage_hash: hash, is_pinned: requested.tableIds.length > 0 },
  ...(requested.isWalkIn ? { status: 'seated', seated_at: at(now) } : { status: 'confirmed' }),
});

const write = (app: App, request: Request): Promise<StaffBookingReply> =>
  commitAndPublish(app, async (tx, log) => {
    const { branch, actor, requested, key } = request;
    const { orgId, staffId, deviceId } = actor;
    const id = app.random.uuid();
    const hash = app.tokens.hashOf(app.tokens.manageToken(id));
    const now = app.clock.now();
    await lockDays(tx, orgId, branch.id, datesToLock(requested.date));
    if (key !== null) await claimKey(tx, key, { subjectId: id, bodyHash: key.hash }, now);
    const assignment = await seatForStaff(app, tx, branch, requested, now);
    const { phone, isPhoneHeard } = request;
    const mayTell = !requested.isWalkIn && phone !== null && isPhoneHeard;
    const notified = mayTell && (await isGuestNotified(tx, app, phone, now));
    const remind_at = notified ? remindAt(branch, requested.stay.start, now) : null;
    const booking = await insertBooking(tx, { ...rowOf(request, id, hash, now), notified, remind_at });
    const changes = await takeForStaff(app, tx, { ...assignment, bookingId: id, branch });
    await recordAudit(app, tx, {
      ...{ orgId, staffId, deviceId, branchId: branch.id, at: now },
      ...{ action: 'booking.created', subject: 'booking', subjectId: id },
      detail: { source: request.body.source, party_size: requested.partySize },
    });
    await notifyGuest(tx, app, { event: 'confirmed', by: 'shop', booking, branch });
    log.add(orgId, ...changes);
    return replyOf(app, tx, booking);
  });

/** POST /staff/bookings. */
export const createStaffBooking =
  (app: App) =>
  async (input: Input): Promise<StaffBookingReply | Repeated<StaffBookingReply>> => {
    const { body, headers, actor } = input;
    const branch = await staffBranch(app, actor, body.branch_id);
    const key = requestKey(branch.orgId, 'staff_booking', headers['idempotency-key'], body);
    const viewAgain = async (id: Uuid) => replyOf(app, app.db.kysely, await staffBooking(app, actor, id));
    const create = async (): Promise<StaffBookingReply> => {
      const request = await readRequest(app, branch, input, key);
      return inTurn(app, branch.id, () => write(app, request));
    };
    return onceUnder(app, key, viewAgain, create);
  };
