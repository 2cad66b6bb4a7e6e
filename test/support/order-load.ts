/**
 * Guests and staff who do not give up: each asks until there is an answer, a guest under the same key and staff at the
 * same revision, and keeps what the answer said. What the server owes them is what stands in these books.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { endpoints, staffEndpoints } from '../../src/service/contract/index.ts';
import { openApiDocument } from '../../src/service/contract/publish.ts';
import type { TemplateName } from '../../src/orders/domain/message.ts';
import type { OrderStatus } from '../../src/orders/domain/order.ts';
import { conformance } from './conformance.ts';
import type { StaffOrder } from './shift.ts';
import { ask, type Reply } from './doors.ts';
import type { Order, OrderInput } from './guests.ts';

// ── Asking until there is an answer ─────────────────────────────────────────────────────────────

export interface Caller {
  /** One POST, repeated while nobody answers or the answer is 503. */
  insist(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** Requests that nobody answered: the connection was refused, or broke. */
  lost(): number;
  /** Requests that were answered with 503. */
  unavailable(): number;
  /** The text of every refusal and 503 that came, once. */
  refusals(): readonly string[];
}

const AGAIN_AFTER_MS = 150;

const published = {
  public: conformance(openApiDocument(endpoints, { baseUrl: 'http://localhost', version: '0' })),
  staff: conformance(
    openApiDocument(staffEndpoints, { baseUrl: 'http://localhost', version: '0', side: 'staff' }),
  ),
};

/** `port`: where the server listens now; it may be another after a restart. */
export const aCaller = (port: () => number): Caller => {
  const count = { lost: 0, unavailable: 0 };
  const refusals = new Set<string>();
  return {
    lost: () => count.lost,
    unavailable: () => count.unavailable,
    refusals: () => [...refusals],
    insist: async (path, body, headers = {}) => {
      const asked = {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      };
      for (;;) {
        // The one fault of a request that was sent as it is: nobody was there, or not long enough.
        const reply = await ask(port(), path, asked).catch(() => null);
        if (reply !== null) {
          const { status, headers: lines, text } = reply;
          const side = path.startsWith('/staff') ? published.staff : published.public;
          side.check({ method: 'POST', path, status, headers: lines, body: text });
          if (status >= 400) refusals.add(text);
          if (status !== 503) return reply;
          count.unavailable += 1;
        } else count.lost += 1;
        await pause(AGAIN_AFTER_MS);
      }
    },
  };
};

// ── Guests ──────────────────────────────────────────────────────────────────────────────────────

export interface Acknowledged {
  /** Which order of the load it is, from 1 on. */
  readonly n: number;
  readonly key: string;
  /** 201; 200 where an earlier try had made the order, and nobody heard. */
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
  /** What was acknowledged so far. Throws what a guest must never be answered, once it was. */
  acknowledged(): readonly Acknowledged[];
  refused(): readonly Refused[];
  /** Nobody comes any more; resolves once everybody has an answer. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  readonly caller: Caller;
  readonly perSecond: number;
  /** What the guest number `n` orders. */
  readonly orderOf: (n: number) => OrderInput;
  /** Hears of every order that was acknowledged. */
  readonly onTaken?: (taken: Acknowledged) => void;
}

/** Guests come in bursts, so that several orders are under way at any moment. */
const BURSTS_PER_SECOND = 10;
/** No one joins a longer line. */
const MOST_WAITING = 60;

export const keyOf = (n: number): string => `order-${n}`;

export const orderLoad = ({ caller, perSecond, orderOf, onTaken }: LoadOptions): OrderLoad => {
  const acknowledged: Acknowledged[] = [];
  const refused: Refused[] = [];
  const under = new Set<Promise<void>>();
  let fault: { readonly thrown: unknown } | null = null;
  let isStopped = false;

  const order = async (n: number): Promise<void> => {
    const key = keyOf(n);
    const { status, json, text } = await caller.insist('/public/delivery-orders', orderOf(n), {
      'idempotency-key': key,
    });
    if (status >= 400) {
      refused.push({ n, key, status });
      return;
    }
    // The shape was checked against the document.
    const taken = { n, key, status, order: json as Order, text };
    acknowledged.push(taken);
    onTaken?.(taken);
  };
  const begin = (n: number): void => {
    const ordering: Promise<void> = order(n)
      .catch((thrown: unknown) => {
        fault ??= { thrown };
      })
      .finally(() => under.delete(ordering));
    under.add(ordering);
  };
  const come = async (): Promise<void> => {
    const began = performance.now();
    for (let [n, burst] = [1, 1]; !isStopped; burst += 1) {
      for (let place = 0; place < perSecond / BURSTS_PER_SECOND && under.size < MOST_WAITING; place += 1)
        begin(n++);
      await pause(Math.max(1, began + (burst * 1_000) / BURSTS_PER_SECOND - performance.now()));
    }
  };
  const coming = come();
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
      await coming;
      await Promise.all(under);
      failOnFault();
    },
  };
};

// ── Staff ───────────────────────────────────────────────────────────────────────────────────────

type Target = Exclude<OrderStatus, 'received' | 'rejected'>;

export interface Step {
  readonly to: Target;
  /** What the guest is told of it. */
  readonly tells: TemplateName | null;
}

const CONFIRMED: Step = { to: 'confirmed', tells: 'order_confirmed' };
const PREPARING: Step = { to: 'preparing', tells: null };
const READY: Step = { to: 'ready', tells: 'order_ready' };
const DELIVERED: Step = { to: 'delivered', tells: null };

/** Ways of orders through the shop: step by step, back after a mis-tap, with skips, and off. */
const COUNTER_WAYS: readonly (readonly Step[])[] = [
  [CONFIRMED, PREPARING, READY, DELIVERED],
  [CONFIRMED, PREPARING, { to: 'confirmed', tells: null }, READY],
  [CONFIRMED, { to: 'cancelled', tells: 'order_cancelled' }],
];
const CARRIED_WAYS: readonly (readonly Step[])[] = [
  [CONFIRMED, { to: 'out_for_delivery', tells: 'order_on_the_way' }, DELIVERED],
  [
    { to: 'preparing', tells: 'order_confirmed' },
    { to: 'ready', tells: null },
  ],
];

/** The way that an order goes. */
export const wayOf = ({ n, order: { channel } }: Acknowledged): readonly Step[] => {
  const ways = channel === 'pickup' ? COUNTER_WAYS : CARRIED_WAYS;
  return ways[Math.floor(n / 8) % ways.length] ?? [];
};

const requestOf = ({ to }: Step): readonly [string, object] => {
  if (to === 'delivered') return ['finalize', { payment_method: 'cash' }];
  if (to === 'cancelled') return ['cancel', { reason: 'sold_out' }];
  return ['move', { to }];
};

export interface Walked {
  readonly taken: Acknowledged;
  /** The steps that were acknowledged, in order. */
  readonly steps: readonly Step[];
}

export interface Crew {
  /** Will walk this order when its turn comes. */
  take(order: Acknowledged): void;
  readonly begin: () => void;
  walked(): readonly Walked[];
  /** Takes on nothing more; resolves once each has walked the order in hand to its end. */
  stop(): Promise<void>;
}

/** So many people who move orders, each one order at a time; `token` signs them in. */
export const aCrew = (caller: Caller, token: string, people: number): Crew => {
  const waiting: Acknowledged[] = [];
  const walked: { readonly taken: Acknowledged; readonly steps: Step[] }[] = [];
  let isStopped = false;
  const walk = async (taken: Acknowledged): Promise<void> => {
    const { order } = taken;
    const steps: Step[] = [];
    walked.push({ taken, steps });
    let revision = order.revision;
    for (const step of wayOf(taken)) {
      const [verb, body] = requestOf(step);
      const path = `/staff/orders/${order.id}/${verb}`;
      const reply = await caller.insist(path, { ...body, revision }, { authorization: `Bearer ${token}` });
      const after = reply.json as StaffOrder;
      if (reply.status !== 200 || after.status !== step.to || after.revision !== revision + 1)
        throw new Error(`${path} to ${step.to} at ${revision} answered ${reply.status}: ${reply.text}`);
      revision = after.revision;
      steps.push(step);
    }
  };
  const work = async (): Promise<void> => {
    while (!isStopped) {
      const next = waiting.shift();
      await (next === undefined ? pause(20) : walk(next));
    }
  };
  let working: Promise<unknown> = Promise.resolve();
  return {
    take: (order) => void waiting.push(order),
    begin: () => {
      working = Promise.all(Array.from({ length: people }, work));
      // Told by `stop`.
      working.catch(() => undefined);
    },
    walked: () => walked,
    stop: async () => {
      isStopped = true;
      await working;
    },
  };
};
