/** A guest books a table (Decisions 2, 9). */
import type { BodyOf, HeadersOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/guest-booking.ts';
import { multiLine, singleLine } from '../../kernel/free-text.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Language } from '../../kernel/names.ts';
import { parsePhone, type Phone } from '../../kernel/phone.ts';
import { Refusal, refusedFor, type CodedFault } from '../../kernel/refusal.ts';
import { parseInstant, type Instant } from '../../kernel/time.ts';
import { NO_PHONE, proofIn, refuseUnproven } from '../../identity/app/otp.ts';
import type { Branch } from '../../shops/domain/shop.ts';
import { branchById, messageLanguageOf } from '../../shops/app/shared.ts';
import { phoneAnswers } from '../../messaging/app/shared.ts';
import type { Repeated } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import { commitAndPublish } from '../../platform/app/commit.ts';
import { at } from '../../platform/store/types.ts';
import { claimKey } from '../../platform/store/idempotency.ts';
import { bookingById, insertBooking } from '../store/booking.ts';
import { lockDays } from '../store/claims.ts';
import { inTurn } from './branch-turns.ts';
import { viewOf, type BookingView } from './booking-view.ts';
import { bookableBranch } from './branch-rules.ts';
import { endHold, holdOf } from './holds.ts';
import { NO_NAME } from './input.ts';
import { onceUnder, requestKey, type RequestKey } from '../../platform/app/request-key.ts';
import { chargingAddress, isGuestNotified, notifyGuest } from './notifications.ts';
import { remindAt } from './reminders.ts';
import { datesToLock } from './seating.ts';
import { seatOrRefuse, takeSeat } from './table-assignment.ts';
import { stayRequestOf, type StayRequest } from './stay-request.ts';

interface Input {
  readonly body: BodyOf<typeof contract.bookTable>;
  readonly headers: HeadersOf<typeof contract.bookTable>;
  readonly caller: { readonly client: string; readonly language: Language | null };
}

interface Request {
  readonly body: BodyOf<typeof contract.bookTable>;
  readonly branch: Branch;
  readonly name: string;
  readonly phone: Phone;
  readonly isProven: boolean;
  readonly isPhoneHeard: boolean;
  readonly language: Language;
  readonly requested: StayRequest;
  readonly key: RequestKey | null;
}

/** Throws NOT_FOUND once the guest was erased, or its branch is gone. */
const viewAgain = async (app: App, { orgId }: Branch, id: Uuid): Promise<BookingView> => {
  const booking = await bookingById(app.db.kysely, orgId, id);
  if (booking === null) throw new Refusal('NOT_FOUND');
  const token = booking.manage_hash ? app.tokens.manageTokenOf(booking.id, booking.manage_hash) : null;
  const branch = await branchById(app.db.kysely, booking.branch_id);
  if (token === null || branch === null) throw new Refusal('NOT_FOUND');
  return viewOf(app, booking, branch, token);
};

const readRequest = async (
  app: App,
  branch: Branch,
  { body, caller }: Input,
  key: RequestKey | null,
): Promise<Request> => {
  const phone = parsePhone(body.phone, app.phoneCountries);
  const name = singleLine(body.guest_name);
  const asked = { startsAt: parseInstant(body.starts_at), partySize: body.party_size };
  const read = stayRequestOf(branch, asked, app.clock.now());
  const faults: CodedFault[] = 'faults' in read ? [...read.faults] : [];
  const invalid = { refusal: 'INVALID_INPUT', figures: {} } as const;
  if (name === null) faults.push({ path: 'guest_name', ...invalid, ...NO_NAME });
  if (phone === null) faults.push({ path: 'phone', ...invalid, ...NO_PHONE });
  if ('faults' in read || name === null || phone === null) throw refusedFor(faults);
  const proof = await proofIn(app, body.device_token);
  const isProven = proof.phone === phone;
  if (branch.booking.requireOtp && !isProven) refuseUnproven(proof);
  return {
    ...{ body, branch, name, phone, isProven, requested: read.requested },
    isPhoneHeard: await phoneAnswers(app.db.kysely, () => phone),
    language: body.locale ?? caller.language ?? (await messageLanguageOf(app.db.kysely, branch.orgId)),
    key,
  };
};

interface Made {
  readonly bookingId: Uuid;
  readonly manageHash: Buffer;
  readonly notified: boolean;
}

const rowOf = (request: Request, { bookingId, manageHash, notified }: Made, now: Instant) => {
  const { branch, body, requested } = request;
  const { start, end } = requested.stay;
  return {
    ...{ org_id: branch.orgId, id: bookingId, branch_id: branch.id, service_date: requested.date },
    ...{ status: 'confirmed', party_size: requested.partySize, source: 'guest', language: request.language },
    ...{ starts_at: at(start), ends_at: at(end), created_at: at(now), updated_at: at(now) },
    ...{ guest_name: request.name, guest_phone: request.phone, phone_proven: request.isProven },
    ...{ notes: multiLine(body.notes), manage_hash: manageHash, notified },
    remind_at: notified ? remindAt(branch, start, now) : null,
  };
};

const write = (app: App, request: Request, hasBudget: boolean): Promise<BookingView> =>
  commitAndPublish(app, async (tx, log) => {
    const { branch, requested, key, isPhoneHeard } = request;
    const bookingId = app.random.uuid();
    const token = app.tokens.manageToken(bookingId);
    const now = app.clock.now();
    await lockDays(tx, branch.orgId, branch.id, datesToLock(requested.date));
    if (key !== null) await claimKey(tx, key, { subjectId: bookingId, bodyHash: key.hash }, now);
    const hold = await holdOf(app, tx, branch, request.body.hold_token);
    const assignment = await seatOrRefuse(app, tx, branch, requested, now, hold?.id);
    const notified = hasBudget && isPhoneHeard && (await isGuestNotified(tx, app, request.phone, now));
    const made = { bookingId, manageHash: app.tokens.hashOf(token), notified };
    const booking = await insertBooking(tx, rowOf(request, made, now));
    log.add(branch.orgId, ...(await takeSeat(tx, branch, { ...assignment, bookingId })));
    if (hold !== null) log.add(branch.orgId, ...(await endHold(tx, hold)));
    await notifyGuest(tx, app, { event: 'confirmed', by: 'guest', booking, branch });
    return viewOf(app, booking, branch, token);
  });

/** POST /public/bookings. A refused request leaves its key unused. */
export const bookTable =
  (app: App) =>
  async (input: Input): Promise<BookingView | Repeated<BookingView>> => {
    const branch = await bookableBranch(app, input.body.branch_id);
    const key = requestKey(branch.orgId, 'booking', input.headers['idempotency-key'], input.body);
    const book = async (): Promise<BookingView> => {
      const request = await readRequest(app, branch, input, key);
      const charged = { client: input.caller.client, isProven: request.isProven };
      return chargingAddress(app, charged, (hasBudget) =>
        inTurn(app, branch.id, () => write(app, request, hasBudget)),
      );
    };
    return onceUnder(app, key, (id) => viewAgain(app, branch, id), book);
  };
