/** The booking itself: the phone is proven where the branch asks for it, and a repeated request makes one booking. */
import { ApiError, type Client } from '../../../client/client.ts';
import type { Guest, GuestFault } from '../components/booking/details.tsx';
import { readDevice } from './device.ts';
import { requestCode } from './proof.ts';
import {
  inDoubt,
  isLate,
  isSettledBy,
  keepPending,
  newPending,
  readPending,
  WAITS_MS,
  type PendingRequest,
} from './pending-request.ts';
import { isRefusal } from './words.ts';

export interface BookingRequest {
  readonly branchId: string;
  readonly start: string;
  readonly party: number;
  readonly guest: Guest;
  readonly holdToken: string | null;
  readonly language: 'ar' | 'en';
}

export type BookingOutcome =
  | { readonly kind: 'booked'; readonly token: string }
  /** A code was sent; another can be asked for after so many seconds. */
  | { readonly kind: 'code_sent'; readonly resendSeconds: number }
  | { readonly kind: 'taken' }
  | { readonly kind: 'faults'; readonly faults: readonly GuestFault[] };

const FIELDS: Readonly<Record<string, GuestFault>> = { guest_name: 'name', phone: 'phone' };

const faultsOf = (error: unknown): readonly GuestFault[] =>
  error instanceof ApiError && error.status === 400
    ? (error.body.fields ?? []).flatMap(({ path }) => FIELDS[path] ?? [])
    : [];

const bodyOf = ({ branchId, start, party, guest, holdToken, language }: BookingRequest) => ({
  ...{ branch_id: branchId, starts_at: start, party_size: party },
  // An empty field is named by the server together with the other faults.
  ...{ guest_name: guest.name || ' ', phone: guest.phone || ' ', notes: guest.notes.trim() || null },
  ...{ hold_token: holdToken, locale: language },
});

/** Without a device token, which may be renewed between two attempts. */
type Pending = PendingRequest<ReturnType<typeof bodyOf>>;

const NAME = 'ahwa-booking';

/** Also in memory, for a browser that keeps nothing. */
let pending: Pending | null = null;

const keep = (sent: Pending | null): void => {
  pending = sent;
  keepPending(NAME, sent);
};

const unanswered = (): Pending | null => {
  const kept = pending ?? readPending(NAME, WAITS_MS);
  return kept === null || isLate(kept) ? null : kept;
};

/** What the guest corrects is another request, with a key of its own. */
const pendingOf = (body: Pending['body']): Pending => {
  const kept = unanswered();
  const isSame = kept !== null && JSON.stringify(kept.body) === JSON.stringify(body);
  return isSame ? { ...kept, sentAt: Date.now() } : newPending(body);
};

/** The token of the booking's page. Throws as the client does; a refusal says that nothing was booked. */
const send = async (client: Client, request: Pending): Promise<string> => {
  keep(request);
  try {
    const { body } = await client.bookTable({
      body: { ...request.body, device_token: readDevice() },
      headers: { 'idempotency-key': request.key },
    });
    if (body === null) throw new Error('A booking has a body.');
    keep(null);
    return body.manage_token;
  } catch (error) {
    keep(isSettledBy(error, request) ? null : inDoubt(request));
    throw error;
  }
};

/** Throws as the client does for whatever is no outcome. */
export const requestBooking = async (client: Client, request: BookingRequest): Promise<BookingOutcome> => {
  try {
    return { kind: 'booked', token: await send(client, pendingOf(bodyOf(request))) };
  } catch (error) {
    if (isRefusal(error, 'SLOT_TAKEN')) return { kind: 'taken' };
    if (isRefusal(error, 'PHONE_NOT_VERIFIED'))
      return { kind: 'code_sent', resendSeconds: await requestCode(client, request.guest.phone) };
    const faults = faultsOf(error);
    if (faults.length === 0) throw error;
    return { kind: 'faults', faults };
  }
};

/** The booking of before a reload: the token of its page; null: there is none. Throws where that is still not known. */
export const resumeBooking = async (client: Client): Promise<string | null> => {
  const kept = unanswered();
  if (kept === null) return null;
  try {
    return await send(client, kept);
  } catch (error) {
    if (unanswered() !== null) throw error;
    return null;
  }
};
