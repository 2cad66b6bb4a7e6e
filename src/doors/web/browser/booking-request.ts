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

/** The server knows its key for a day. */
const KEPT_MS = 24 * 60 * 60_000;

const unanswered = (): Pending | null => pending ?? readPending(NAME, KEPT_MS);

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

/** The token of the request, if it was carried out; null: it was not. Throws where that is still not known. */
const answerTo = async (client: Client, request: Pending): Promise<string | null> => {
  try {
    return await send(client, request);
  } catch (error) {
    if (unanswered() !== null) throw error;
    return null;
  }
};

const SAME_TABLE = ['branch_id', 'starts_at', 'party_size', 'phone'] as const;

/** A table that may be booked already is asked about before it is booked again, held anew or with another note. */
const earlierBooking = async (client: Client, body: Pending['body']): Promise<string | null> => {
  const sent = unanswered();
  if (sent?.isInDoubt !== true || SAME_TABLE.some((field) => sent.body[field] !== body[field])) return null;
  return answerTo(client, sent);
};

/** Throws as the client does for whatever is no outcome. */
export const requestBooking = async (client: Client, request: BookingRequest): Promise<BookingOutcome> => {
  const body = bodyOf(request);
  try {
    const token = (await earlierBooking(client, body)) ?? (await send(client, newPending(body)));
    return { kind: 'booked', token };
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
  const sent = unanswered();
  return sent === null || isLate(sent) ? null : answerTo(client, sent);
};
