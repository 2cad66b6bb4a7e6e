/** A guest books a table (Decisions 2, 9). */
import type { BodyOf, HeadersOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/guest-booking.ts';
import { multiLine, singleLine } from '../../kernel/free-text.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Language } from '../../kernel/names.ts';
import { parsePhone, type Phone } from '../../kernel/phone.ts';
import { Refusal, refusedFor, type CodedFault } from '../../kernel/refusal.ts';
import { parseInstant, type Instant } from '../../kernel/time.ts';
import { NO_PHONE, provenPhones } from '../../identity/app/otp.ts';
import { takesBookings, type Branch } from '../../shops/domain/shop.ts';
import { branchById, messageLanguageOf } from '../../shops/app/shared.ts';
import { Repeated } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import { commitAndPublish } from '../../platform/app/commit.ts';
import { bodyHash, refuseOtherBody } from '../../platform/app/idempotency.ts';
import { at } from '../../platform/store/types.ts';
import { claimKey, KeyTaken, subjectUnderKey, type KeyOf } from '../../platform/store/idempotency.ts';
import { bookingById, insertBooking, lockDays } from '../store/booking.ts';
import { viewOf, type BookingView } from './booking-view.ts';
import { datesToLock } from './seating.ts';
import { assignmentChanges, retrying, seatOrRefuse, takeSeat } from './table-assignment.ts';
import { wishOf, type Wish } from './wish.ts';

interface Input {
  readonly body: BodyOf<typeof contract.bookTable>;
  readonly headers: HeadersOf<typeof contract.bookTable>;
  readonly caller: { readonly language: Language | null };
}

const OPERATION = 'booking';

interface RequestKey extends KeyOf {
  readonly hash: Buffer;
}

const keyOf = ({ orgId }: Branch, { headers, body }: Input): RequestKey | null => {
  const key = headers['idempotency-key'] ?? null;
  return key === null ? null : { orgId, operation: OPERATION, key, hash: bodyHash(body) };
};

interface Request {
  readonly body: BodyOf<typeof contract.bookTable>;
  readonly branch: Branch;
  readonly name: string;
  readonly phone: Phone;
  readonly isProven: boolean;
  readonly language: Language;
  readonly wish: Wish;
  readonly key: RequestKey | null;
}

/** The booking made under the key, as it stands now. Throws IDEMPOTENCY_KEY_REUSED for another body. */
const bookingOfKey = async (
  app: App,
  branch: Branch,
  key: RequestKey | null,
): Promise<BookingView | null> => {
  const before = key === null ? null : await subjectUnderKey(app.db.kysely, key);
  if (key === null || before === null) return null;
  refuseOtherBody(before, key.hash);
  const booking = await bookingById(app.db.kysely, branch.orgId, before.id);
  const token = booking?.manage_hash ? app.tokens.manageTokenOf(booking.id, booking.manage_hash) : null;
  const place = booking === null ? null : await branchById(app.db.kysely, booking.branch_id);
  if (booking === null || token === null || place === null) throw new Refusal('NOT_FOUND');
  return viewOf(app, booking, place, token);
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
  const read = wishOf(branch, asked, app.clock.now());
  const faults: CodedFault[] = 'faults' in read ? [...read.faults] : [];
  const invalid = { refusal: 'INVALID_INPUT', figures: {} } as const;
  if (name === null)
    faults.push({ path: 'guest_name', ...invalid, problem: 'is required', arabic: 'الاسم مطلوب' });
  if (phone === null) faults.push({ path: 'phone', ...invalid, ...NO_PHONE });
  if ('faults' in read || name === null || phone === null) throw refusedFor(faults);
  const [proven] = await provenPhones(app, body.device_token);
  const isProven = proven === phone;
  if (branch.booking.requireOtp && !isProven) throw new Refusal('PHONE_NOT_VERIFIED');
  return {
    ...{ body, branch, name, phone, isProven, wish: read.wish },
    language: body.locale ?? caller.language ?? (await messageLanguageOf(app.db.kysely, branch.orgId)),
    key,
  };
};

const rowOf = (request: Request, bookingId: Uuid, manageHash: Buffer, now: Instant) => {
  const { branch, body, wish } = request;
  const { start, end } = wish.stay;
  return {
    ...{ org_id: branch.orgId, id: bookingId, branch_id: branch.id, service_date: wish.date },
    ...{ status: 'confirmed', party_size: wish.partySize, source: 'guest', language: request.language },
    ...{ starts_at: at(start), ends_at: at(end), created_at: at(now), updated_at: at(now) },
    ...{ guest_name: request.name, guest_phone: request.phone, phone_proven: request.isProven },
    ...{ notes: multiLine(body.notes), manage_hash: manageHash },
  };
};

const write = (app: App, request: Request): Promise<BookingView> =>
  commitAndPublish(app, async (tx, log) => {
    const { branch, wish, key } = request;
    const bookingId = app.random.uuid();
    const token = app.tokens.manageToken(bookingId);
    const now = app.clock.now();
    await lockDays(tx, branch.orgId, branch.id, datesToLock(wish.date));
    if (key !== null) await claimKey(tx, key, { subjectId: bookingId, bodyHash: key.hash }, now);
    const { state, seat } = await seatOrRefuse(tx, branch, wish, now);
    const booking = await insertBooking(tx, rowOf(request, bookingId, app.tokens.hashOf(token), now));
    const assignment = { bookingId, wish, seat, state };
    await takeSeat(tx, branch, assignment);
    log.add(branch.orgId, ...assignmentChanges(branch.id, assignment));
    return viewOf(app, booking, branch, token);
  });

const bookableBranch = async (app: App, branchId: string): Promise<Branch> => {
  const branch = await branchById(app.db.kysely, branchId.toLowerCase());
  if (branch === null || !takesBookings(branch)) throw new Refusal('NOT_FOUND');
  return branch;
};

/** POST /public/bookings. A refused request leaves its key unused. */
export const bookTable =
  (app: App) =>
  async (input: Input): Promise<BookingView | Repeated<BookingView>> => {
    const branch = await bookableBranch(app, input.body.branch_id);
    const key = keyOf(branch, input);
    const before = await bookingOfKey(app, branch, key);
    if (before !== null) return new Repeated(before);
    try {
      const request = await readRequest(app, branch, input, key);
      return await retrying(() => write(app, request));
    } catch (thrown) {
      const isDecision = thrown instanceof KeyTaken || thrown instanceof Refusal;
      const made = isDecision ? await bookingOfKey(app, branch, key) : null;
      if (made !== null) return new Repeated(made);
      throw thrown;
    }
  };
