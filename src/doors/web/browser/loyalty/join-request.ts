/** Joining itself: the phone is proven where the shop asks for it, and a repeated request makes one card. */
import { ApiError, type Client, type RequestOf } from '../../../../client/client.ts';
import type { JoinFault, Joiner } from '../../components/card/join-form.tsx';
import { readDevice } from '../device.ts';
import { newPending, pendingStore, type PendingRequest } from '../pending-request.ts';
import { isRefusal } from '../words.ts';

export type JoinOutcome =
  /** `token` is of the card. */
  | { readonly kind: 'joined'; readonly token: string }
  /** `linkSent`: the phone has a card already, whose link may be on its way to it. Null: that is not known. */
  | { readonly kind: 'unproven'; readonly known: { readonly linkSent: boolean } | null }
  | { readonly kind: 'faults'; readonly faults: readonly JoinFault[] };

/** Without a device token, which may be renewed between two attempts. */
type Body = Omit<NonNullable<RequestOf<'joinLoyalty'>['body']>, 'device_token'>;

type Pending = PendingRequest<Body>;

const FIELDS: Readonly<Record<string, JoinFault>> = {
  ...{ name: 'name', phone: 'phone', birth_month: 'birthday', birth_day: 'birthday' },
};

const faultsOf = (error: unknown): readonly JoinFault[] =>
  error instanceof ApiError && error.status === 400
    ? [...new Set((error.body.fields ?? []).flatMap(({ path }) => FIELDS[path] ?? []))]
    : [];

const numberIn = (text: string): number | null => (text === '' ? null : Number(text));

export const bodyOf = (orgId: string, { name, phone, month, day }: Joiner, locale: 'ar' | 'en'): Body => ({
  ...{ org_id: orgId, locale, birth_month: numberIn(month), birth_day: numberIn(day) },
  // An empty field is named by the server together with the other faults.
  ...{ name: name.trim() || ' ', phone: phone || ' ' },
});

const requests = pendingStore<Body>('ahwa-join');

/** While the answer is not known, the same body is the same request. */
const pendingOf = (body: Body): Pending => {
  const sent = requests.unanswered();
  return sent !== null && JSON.stringify(sent.body) === JSON.stringify(body) ? sent : newPending(body);
};

/** Throws as the client does. */
const send = (client: Client, request: Pending) =>
  requests.send(request, async ({ key, body: sent }) => {
    const { body } = await client.joinLoyalty({
      body: { ...sent, device_token: readDevice() },
      headers: { 'idempotency-key': key },
    });
    if (body === null) throw new Error('Joining has a body.');
    return body;
  });

/** Throws as the client does for whatever is no outcome. */
export const requestJoin = async (client: Client, body: Body): Promise<JoinOutcome> => {
  try {
    const result = await send(client, pendingOf(body));
    return result.member_token == null
      ? { kind: 'unproven', known: { linkSent: result.card_link_sent } }
      : { kind: 'joined', token: result.member_token };
  } catch (error) {
    if (isRefusal(error, 'PHONE_NOT_VERIFIED')) return { kind: 'unproven', known: null };
    const faults = faultsOf(error);
    if (faults.length === 0) throw error;
    return { kind: 'faults', faults };
  }
};
