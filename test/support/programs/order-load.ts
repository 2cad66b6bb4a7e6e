/**
 * A load of guests and staff that retry until they get an answer, guests under the same idempotency key and staff at
 * the same revision. Every answer is recorded: the server must have kept what it acknowledged.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { allEndpoints } from '../../../src/service/contract/endpoints.ts';
import type { TemplateName } from '../../../src/messaging/domain/template.ts';
import type { OrderStatus } from '../../../src/orders/domain/order.ts';
import { conformanceTo } from '../server/openapi-conformance.ts';
import type { StaffOrder } from '../people/staff.ts';
import { httpRequest, type Reply } from '../server/http-client.ts';
import type { Order, OrderInput } from '../people/guests.ts';

// ── A client that retries ─────────────────────────────────────────────────────────────

export interface RetryingClient {
  /** One POST, repeated after a lost connection or a 503. */
  postUntilAnswered(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** The same of any method; only what is safe to repeat, or names its revision. */
  untilAnswered(
    method: 'GET' | 'PATCH' | 'POST',
    path: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>;
  /** Requests without an answer: the connection was refused or broke. */
  lost(): number;
  unavailable(): number;
  /** The distinct bodies of all refusals and 503s. */
  refusals(): readonly string[];
}

const AGAIN_AFTER_MS = 150;

const published = conformanceTo(allEndpoints);

/** `port` returns the current port, which changes with a restart. */
export const retryingClient = (port: () => number): RetryingClient => {
  const count = { lost: 0, unavailable: 0 };
  const refusals = new Set<string>();
  const untilAnswered: RetryingClient['untilAnswered'] = async (method, path, body, headers = {}) => {
    const json = { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
    const asked = { method, ...(body === undefined ? { headers } : json) };
    for (;;) {
      // A rejection means that the connection was refused or broke.
      const reply = await httpRequest(port(), path, asked).catch(() => null);
      if (reply !== null) {
        const { status, headers: lines, text } = reply;
        published.check({ method, path, status, headers: lines, body: text });
        if (status >= 400) refusals.add(text);
        if (status !== 503) return reply;
        count.unavailable += 1;
      } else count.lost += 1;
      await pause(AGAIN_AFTER_MS);
    }
  };
  return {
    untilAnswered,
    lost: () => count.lost,
    unavailable: () => count.unavailable,
    refusals: () => [...refusals],
    postUntilAnswered: (path, body, headers) => untilAnswered('POST', path, body, headers),
  };
};

// ── Guests ──────────────────────────────────────────────────────────────────────────────────────

export interface Acknowledged {
  readonly n: number;
  readonly key: string;
  /** 201; 200 when an earlier try created the order and its answer was lost. */
  readonly status: number;
  readonly order: Order;
  readonly text: string;
}

export interface Refused {
  readonly n: number;
  readonly key: string;
  readonly status: number;
}

export interface OrderLoad {
  /** The acknowledged orders. Throws the first unexpected answer. */
  acknowledged(): readonly Acknowledged[];
  refused(): readonly Refused[];
  /** Starts no more orders; resolves once every order is answered. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  readonly client: RetryingClient;
  readonly perSecond: number;
  readonly orderOf: (n: number) => OrderInput;
  readonly onTaken?: (taken: Acknowledged) => void;
}

/** Orders start in bursts, so that several are in flight at any time. */
const BURSTS_PER_SECOND = 10;
const MAX_WAITING = 60;

export const keyOf = (n: number): string => `order-${n}`;

export const orderLoad = ({ client, perSecond, orderOf, onTaken }: LoadOptions): OrderLoad => {
  const acknowledged: Acknowledged[] = [];
  const refused: Refused[] = [];
  const inFlight = new Set<Promise<void>>();
  let fault: { readonly thrown: unknown } | null = null;
  let isStopped = false;

  const order = async (n: number): Promise<void> => {
    const key = keyOf(n);
    const { status, body, text } = await client.postUntilAnswered('/public/delivery-orders', orderOf(n), {
      'idempotency-key': key,
    });
    if (status >= 400) {
      refused.push({ n, key, status });
      return;
    }
    // The shape was checked against the document.
    const taken = { n, key, status, order: body as Order, text };
    acknowledged.push(taken);
    onTaken?.(taken);
  };
  const begin = (n: number): void => {
    const ordering: Promise<void> = order(n)
      .catch((thrown: unknown) => {
        fault ??= { thrown };
      })
      .finally(() => inFlight.delete(ordering));
    inFlight.add(ordering);
  };
  const arrive = async (): Promise<void> => {
    const began = performance.now();
    for (let [n, burst] = [1, 1]; !isStopped; burst += 1) {
      for (let place = 0; place < perSecond / BURSTS_PER_SECOND && inFlight.size < MAX_WAITING; place += 1)
        begin(n++);
      await pause(Math.max(1, began + (burst * 1_000) / BURSTS_PER_SECOND - performance.now()));
    }
  };
  const arriving = arrive();
  const failOnFault = (): void => {
    if (fault !== null) throw fault.thrown;
  };
  return {
    acknowledged: () => {
      failOnFault();
      return acknowledged;
    },
    refused: () => refused,
    stop: async () => {
      isStopped = true;
      await arriving;
      await Promise.all(inFlight);
      failOnFault();
    },
  };
};

// ── Staff ───────────────────────────────────────────────────────────────────────────────────────

type Target = Exclude<OrderStatus, 'received' | 'rejected'>;

export interface Step {
  readonly to: Target;
  readonly notifies: TemplateName | null;
}

const CONFIRMED: Step = { to: 'confirmed', notifies: 'order_confirmed' };
const PREPARING: Step = { to: 'preparing', notifies: null };
const READY: Step = { to: 'ready', notifies: 'order_ready' };
const DELIVERED: Step = { to: 'delivered', notifies: null };

/** Sequences of steps: all of them, one back after a mis-tap, with skips, cancelled. */
const PICKUP_STEPS: readonly (readonly Step[])[] = [
  [CONFIRMED, PREPARING, READY, DELIVERED],
  [CONFIRMED, PREPARING, { to: 'confirmed', notifies: null }, READY],
  [CONFIRMED, { to: 'cancelled', notifies: 'order_cancelled' }],
];
const DELIVERY_STEPS: readonly (readonly Step[])[] = [
  [CONFIRMED, { to: 'out_for_delivery', notifies: 'order_on_the_way' }, DELIVERED],
  [
    { to: 'preparing', notifies: 'order_confirmed' },
    { to: 'ready', notifies: null },
  ],
];

export const stepsOf = ({ n, order: { channel } }: Acknowledged): readonly Step[] => {
  const ways = channel === 'pickup' ? PICKUP_STEPS : DELIVERY_STEPS;
  return ways[Math.floor(n / 8) % ways.length] ?? [];
};

const requestOf = ({ to }: Step): readonly [string, object] => {
  if (to === 'delivered') return ['finalize', { payment_method: 'cash' }];
  if (to === 'cancelled') return ['cancel', { reason: 'sold_out' }];
  return ['move', { to }];
};

export interface MovedOrder {
  readonly taken: Acknowledged;
  readonly steps: readonly Step[];
}

export interface OrderStaff {
  take(order: Acknowledged): void;
  readonly begin: () => void;
  moved(): readonly MovedOrder[];
  /** Takes no more orders; resolves once every order in hand has all its steps. */
  stop(): Promise<void>;
}

/** `people` workers that move orders, each one order at a time, in the session of `token`. */
export const orderStaff = (client: RetryingClient, token: string, people: number): OrderStaff => {
  const waiting: Acknowledged[] = [];
  const moved: { readonly taken: Acknowledged; readonly steps: Step[] }[] = [];
  let isStopped = false;
  const moveThrough = async (taken: Acknowledged): Promise<void> => {
    const { order } = taken;
    const steps: Step[] = [];
    moved.push({ taken, steps });
    let revision = order.revision;
    for (const step of stepsOf(taken)) {
      const [verb, body] = requestOf(step);
      const path = `/staff/orders/${order.id}/${verb}`;
      const reply = await client.postUntilAnswered(
        path,
        { ...body, revision },
        { authorization: `Bearer ${token}` },
      );
      const after = reply.body as StaffOrder;
      if (reply.status !== 200 || after.status !== step.to || after.revision !== revision + 1)
        throw new Error(`${path} to ${step.to} at ${revision} answered ${reply.status}: ${reply.text}`);
      revision = after.revision;
      steps.push(step);
    }
  };
  const work = async (): Promise<void> => {
    while (!isStopped) {
      const next = waiting.shift();
      await (next === undefined ? pause(20) : moveThrough(next));
    }
  };
  let working: Promise<unknown> = Promise.resolve();
  return {
    take: (order) => void waiting.push(order),
    begin: () => {
      working = Promise.all(Array.from({ length: people }, work));
      // `stop` rethrows it.
      working.catch(() => undefined);
    },
    moved: () => moved,
    stop: async () => {
      isStopped = true;
      await working;
    },
  };
};
