/** The booking itself: the phone is proven where the branch asks for it, and a repeated request makes one booking. */
import { ApiError, type Client } from '../../../client/client.ts';
import type { Guest, GuestFault } from '../components/booking/details.tsx';
import { readDevice } from './device.ts';
import { requestCode } from './proof.ts';
import { isRefusal, newKey } from './words.ts';

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

/** One key per body, device tokens apart: what the guest corrects is another request. */
const keys = new Map<string, string>();

const keyOf = (body: object): string => {
  const text = JSON.stringify(body);
  const key = keys.get(text) ?? newKey();
  keys.set(text, key);
  return key;
};

/** Throws as the client does for whatever is no outcome. */
export const requestBooking = async (client: Client, request: BookingRequest): Promise<BookingOutcome> => {
  const { guest, holdToken, language } = request;
  const body = {
    ...{ branch_id: request.branchId, starts_at: request.start, party_size: request.party },
    // An empty field is named by the server together with the other faults.
    ...{ guest_name: guest.name || ' ', phone: guest.phone || ' ', notes: guest.notes.trim() || null },
    ...{ hold_token: holdToken, locale: language },
  };
  const headers = { 'idempotency-key': keyOf(body) };
  try {
    const { body: made } = await client.bookTable({
      body: { ...body, device_token: readDevice() },
      headers,
    });
    if (made === null) throw new Error('A booking has a body.');
    return { kind: 'booked', token: made.manage_token };
  } catch (error) {
    if (isRefusal(error, 'SLOT_TAKEN')) return { kind: 'taken' };
    if (isRefusal(error, 'PHONE_NOT_VERIFIED'))
      return { kind: 'code_sent', resendSeconds: await requestCode(client, guest.phone) };
    const faults = faultsOf(error);
    if (faults.length === 0) throw error;
    return { kind: 'faults', faults };
  }
};
