/** The booking itself: the phone is proven where the branch asks for it, and a repeated request makes one booking. */
import { ApiError, type Client } from '../../../../client/client.ts';
import type { Guest, GuestFault } from '../../components/booking/details.tsx';
import { readDevice } from '../device.ts';
import { requestCode } from '../proof.ts';
import { isLate, newPending, pendingStore, type PendingRequest } from '../pending-request.ts';
import { isRefusal } from '../words.ts';

export interface BookingRequest {
  readonly branchId: string;
  readonly start: string;
  readonly party: number;
  readonly guest: Guest;
  readonly holdToken: string | null;
  readonly language: 'ar' | 'en';
}

interface BookedTable {
  /** Of the booking's page. */
  readonly token: string;
  /** What the guest had asked for before, whose answer was lost. */
  readonly isEarlier: boolean;
}

export type BookingOutcome =
  | ({ readonly kind: 'booked' } & BookedTable)
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
type Body = ReturnType<typeof bodyOf>;

/** The bodies that were sent under its key, the latest last: the server makes one booking of them. */
type Pending = PendingRequest<readonly Body[]>;

const requests = pendingStore<Pending['body']>('ahwa-bookings');

const isSame = (a: Body, b: Body): boolean => JSON.stringify(a) === JSON.stringify(b);

/** While the answer to a request is not known, what the guest asks for instead has the same key. */
const pendingOf = (body: Body): Pending => {
  const sent = requests.unanswered();
  if (sent?.isInDoubt !== true) return newPending([body]);
  return { ...sent, body: [...sent.body.filter((each) => !isSame(each, body)), body], sentAt: Date.now() };
};

const post = async (client: Client, key: string, body: Body): Promise<string> => {
  const { body: booking } = await client.bookTable({
    body: { ...body, device_token: readDevice() },
    headers: { 'idempotency-key': key },
  });
  if (booking === null) throw new Error('A booking has a body.');
  return booking.manage_token;
};

/** Books the latest body, or finds the earlier one for which the key was used. */
const postLatest = async (client: Client, { key, body: bodies }: Pending): Promise<BookedTable> => {
  let reused: unknown = null;
  for (const [tried, body] of [...bodies].reverse().entries())
    try {
      return { token: await post(client, key, body), isEarlier: tried > 0 };
    } catch (error) {
      if (!isRefusal(error, 'IDEMPOTENCY_KEY_REUSED')) throw error;
      reused = error;
    }
  throw reused;
};

/** Throws as the client does; a refusal says that nothing was booked. */
const send = (client: Client, request: Pending): Promise<BookedTable> =>
  requests.send(request, (sent) => postLatest(client, sent));

/** Throws as the client does for whatever is no outcome. */
export const requestBooking = async (client: Client, request: BookingRequest): Promise<BookingOutcome> => {
  try {
    return { kind: 'booked', ...(await send(client, pendingOf(bodyOf(request)))) };
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
  const sent = requests.unanswered();
  if (sent === null || isLate(sent)) return null;
  try {
    return (await send(client, sent)).token;
  } catch (error) {
    if (requests.unanswered() !== null) throw error;
    return null;
  }
};
