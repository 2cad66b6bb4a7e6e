/**
 * Sends an order until its answer is known. The key and the body stay in the tab until then, so that a retry and a reload
 * repeat the same request, which makes one order.
 */
import { useRef, useState } from 'preact/hooks';
import { ApiError, type Client } from '../../../../client/client.ts';
import type { OrderBody, OrderIslandProps } from '../../components/order.ts';
import { readStored, session, store } from '../storage.ts';
import { newKey } from '../words.ts';

interface Pending {
  readonly key: string;
  readonly body: OrderBody;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
}

/** A guest who comes back later does not wait for it any more, and would be surprised by an order. */
const WAITS_MS = 15 * 60_000;

const nameOf = ({ branch, channel }: OrderIslandProps): string => `ahwa-order ${branch.id} ${channel}`;

const isPending = (value: unknown): value is Pending =>
  typeof value === 'object' &&
  value !== null &&
  'key' in value &&
  typeof value.key === 'string' &&
  'body' in value &&
  'sentAt' in value &&
  typeof value.sentAt === 'number';

const isLate = ({ sentAt }: Pending): boolean => Date.now() - sentAt >= WAITS_MS;

/** An order whose answer is not known. */
const readPending = (shop: OrderIslandProps): Pending | null => {
  const kept = readStored(session, nameOf(shop));
  if (isPending(kept) && !isLate(kept)) return kept;
  store(session, nameOf(shop), null);
  return null;
};

const newPending = (shop: OrderIslandProps, body: OrderBody): Pending => {
  const pending = { key: newKey(), body, sentAt: Date.now() };
  store(session, nameOf(shop), pending);
  return pending;
};

type Outcome =
  | { readonly kind: 'placed'; readonly id: string }
  | { readonly kind: 'refused'; readonly refusal: ApiError }
  /** The answer was lost: the order may have been taken. */
  | { readonly kind: 'unknown' };

/** A refusal says that no order was made; a failure of the server does not. */
const isRefusal = (fault: unknown): fault is ApiError => fault instanceof ApiError && fault.status < 500;

const send = async (client: Client, shop: OrderIslandProps, pending: Pending): Promise<Outcome> => {
  try {
    const { body } = await client.placeOrder({
      body: pending.body,
      headers: { 'idempotency-key': pending.key },
    });
    if (body === null) return { kind: 'unknown' };
    store(session, nameOf(shop), null);
    return { kind: 'placed', id: body.id };
  } catch (fault) {
    if (!isRefusal(fault)) return { kind: 'unknown' };
    store(session, nameOf(shop), null);
    return { kind: 'refused', refusal: fault };
  }
};

/** An answer was lost: the order is sent again, and when that is late, only if the guest says so. */
export type Doubt = 'repeats' | 'late';

export const usePlacing = (client: Client, shop: OrderIslandProps) => {
  const [isPlacing, setIsPlacing] = useState(false);
  const [doubt, setDoubt] = useState<Doubt | null>(null);
  const isBusy = useRef(false);
  const pending = useRef<Pending | null>(null);
  /** Null: there is no order to send, or it is being sent. */
  const deliver = async (): Promise<Outcome | null> => {
    const order = pending.current;
    if (order === null || isBusy.current) return null;
    isBusy.current = true;
    setIsPlacing(true);
    const outcome = await send(client, shop, order);
    isBusy.current = false;
    if (outcome.kind === 'placed') return outcome;
    setIsPlacing(false);
    setDoubt(outcome.kind === 'unknown' ? 'repeats' : null);
    if (outcome.kind === 'refused') pending.current = null;
    return outcome;
  };
  return {
    /** Also while the page is left for the placed order. */
    isPlacing,
    doubt,
    /** Whether an order waits for its answer. */
    isPending: (): boolean => pending.current !== null,
    begin: (body: OrderBody): void => {
      pending.current = newPending(shop, body);
    },
    /** The order of before a reload. Returns whether there is one. */
    resume: (): boolean => {
      pending.current = readPending(shop);
      setDoubt(pending.current === null ? null : 'repeats');
      return pending.current !== null;
    },
    deliver,
    /** Without the guest, who may have waited too long for an order to be welcome. */
    repeat: async (): Promise<Outcome | null> => {
      if (pending.current === null || !isLate(pending.current)) return deliver();
      setDoubt('late');
      return null;
    },
    forget: (): void => {
      pending.current = null;
      store(session, nameOf(shop), null);
      setDoubt(null);
    },
  };
};
