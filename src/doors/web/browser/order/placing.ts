/** Sends an order until its answer is known. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiError, Client } from '../../../../client/client.ts';
import type { OrderBody, OrderIslandProps } from '../../components/order.ts';
import { keepCard, readCard } from '../card.ts';
import { keepsAnotherCard } from '../other-card.ts';
import {
  inDoubt,
  isLate,
  isSettledBy,
  keepPending,
  newPending,
  readPending,
  type PendingRequest,
} from '../pending-request.ts';

type Pending = PendingRequest<OrderBody>;

const nameOf = ({ branch, channel }: OrderIslandProps): string => `ahwa-order ${branch.id} ${channel}`;

type Outcome =
  | { readonly kind: 'placed'; readonly id: string; readonly body: OrderBody }
  | { readonly kind: 'refused'; readonly refusal: ApiError; readonly body: OrderBody }
  /** The answer was lost: the order may have been taken. */
  | { readonly kind: 'unknown' };

/** The order has ended the token that it was sent with; another card of this device stays. */
const keepNewToken = async (
  client: Client,
  { slug }: OrderIslandProps,
  { body }: Pending,
  token: string | undefined,
): Promise<void> => {
  if (token === undefined) return;
  const isSame = body.member_token === readCard(slug);
  if (isSame || !(await keepsAnotherCard(client, slug, token))) keepCard(slug, token);
};

const send = async (client: Client, shop: OrderIslandProps, pending: Pending): Promise<Outcome> => {
  try {
    const { body } = await client.placeOrder({
      body: pending.body,
      headers: { 'idempotency-key': pending.key },
    });
    if (body === null) return { kind: 'unknown' };
    await keepNewToken(client, shop, pending, body.member_token);
    keepPending(nameOf(shop), null);
    return { kind: 'placed', id: body.id, body: pending.body };
  } catch (fault) {
    if (!isSettledBy(fault, pending)) return { kind: 'unknown' };
    keepPending(nameOf(shop), null);
    return { kind: 'refused', refusal: fault, body: pending.body };
  }
};

/** An answer was lost: the order is sent again, and when that is late, only if the guest says so. */
export type Doubt = 'repeats' | 'late';

const doubtAbout = (order: Pending): Doubt => (isLate(order) ? 'late' : 'repeats');

export const usePlacing = (client: Client, shop: OrderIslandProps) => {
  const [isPlacing, setIsPlacing] = useState(false);
  const [doubt, setDoubt] = useState<Doubt | null>(null);
  const isBusy = useRef(false);
  const pending = useRef<Pending | null>(null);
  /** The back button shows the page as it was left for the placed order: another one may be placed. */
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent): void => {
      if (!persisted || pending.current !== null) return;
      isBusy.current = false;
      setIsPlacing(false);
    };
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, []);
  /** Null: there is no order to send, or it is being sent. */
  const deliver = async (): Promise<Outcome | null> => {
    const order = pending.current;
    if (order === null || isBusy.current) return null;
    isBusy.current = true;
    setIsPlacing(true);
    const outcome = await send(client, shop, order);
    pending.current = outcome.kind === 'unknown' ? inDoubt(order) : null;
    if (outcome.kind === 'placed') return outcome;
    isBusy.current = false;
    setIsPlacing(false);
    setDoubt(outcome.kind === 'unknown' ? 'repeats' : null);
    return outcome;
  };
  return {
    /** Also while the page is left for the placed order. */
    isPlacing,
    doubt,
    /** Whether an order waits for its answer, or is placed and the page about to be left. */
    isUnderWay: (): boolean => pending.current !== null || isBusy.current,
    begin: (body: OrderBody): void => {
      pending.current = newPending(body);
      keepPending(nameOf(shop), pending.current);
    },
    /** Returns the order of before a reload; null: there is none. */
    resume: (): OrderBody | null => {
      const order = readPending<OrderBody>(nameOf(shop));
      pending.current = order;
      setDoubt(order === null ? null : doubtAbout(order));
      return order?.body ?? null;
    },
    deliver,
    /** Without the guest, who may have waited too long for an order to be welcome. */
    repeat: async (): Promise<Outcome | null> => {
      if (pending.current === null || doubtAbout(pending.current) === 'repeats') return deliver();
      setDoubt('late');
      return null;
    },
    forget: (): void => {
      pending.current = null;
      keepPending(nameOf(shop), null);
      setDoubt(null);
    },
  };
};
