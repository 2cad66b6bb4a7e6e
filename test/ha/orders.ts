/** Guests who order at several servers until they are answered, and the ledger of what was acknowledged to them. */
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { INCONSISTENT_ROWS } from '../support/database/inconsistent-rows.ts';
import { anOrder, type Order } from '../support/people/guests.ts';

const GUESTS = 8;
/** Before the next order, and before the next try. */
const [PAUSE_MS, AGAIN_AFTER_MS] = [50, 150];
/** A machine without power answers nothing. */
const TIMEOUT_MS = 4_000;

export interface Acknowledged {
  readonly id: string;
  readonly ref: Order['delivery_ref'];
  readonly total: number;
}

export interface Guests {
  /** Stops ordering; resolves once every order is answered. */
  stop(): Promise<void>;
  /** Throws the first answer that no guest should get. */
  acknowledged(): number;
}

export interface Ledger {
  /** By idempotency key. */
  readonly orders: ReadonlyMap<string, Acknowledged>;
  /** Guests order from now on, at these servers. */
  begin(servers: readonly string[]): Guests;
  /** ms; the longest time since `from` in which nothing was acknowledged. */
  longestStall(from: number): number;
}

type Answer = { readonly status: number; readonly text: string } | null;

/** Null without an answer. */
const post = async (server: string, key: string, body: string): Promise<Answer> => {
  try {
    const reply = await fetch(`${server}/public/delivery-orders`, {
      ...{ method: 'POST', body, signal: AbortSignal.timeout(TIMEOUT_MS) },
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
    });
    return { status: reply.status, text: await reply.text() };
  } catch {
    return null;
  }
};

/** The n-th order of a guest. */
export const bodyOf = (guest: number, n: number): string =>
  JSON.stringify(
    anOrder({ customer_name: `ضيف ${guest}-${n}`, customer_phone: `0100000${String(1000 + guest)}` }),
  );

export const openLedger = (): Ledger => {
  const orders = new Map<string, Acknowledged>();
  const times: number[] = [];
  let crowds = 0;
  const order = async (
    servers: readonly string[],
    first: number,
    key: string,
    body: string,
  ): Promise<number> => {
    for (let at = first; ; at += 1) {
      const answer = await post(servers[at % servers.length] ?? '', key, body);
      if (answer !== null && answer.status < 300) {
        const { id, delivery_ref: ref, total } = JSON.parse(answer.text) as Order;
        orders.set(key, { id, ref, total });
        times.push(performance.now());
        return at;
      }
      if (answer !== null && answer.status !== 503)
        throw new Error(`an order was answered with ${answer.status}: ${answer.text}`);
      await pause(AGAIN_AFTER_MS);
    }
  };
  return {
    orders,
    begin: (servers) => {
      crowds += 1;
      const crowd = crowds;
      let isStopped = false;
      const before = orders.size;
      const guest = async (number: number): Promise<void> => {
        for (let [n, at] = [1, number]; !isStopped; n += 1) {
          at = await order(servers, at, `${crowd}-${number}-${n}`, bodyOf(number, n));
          await pause(PAUSE_MS);
        }
      };
      let fault: Error | null = null;
      const all = Promise.all(Array.from({ length: GUESTS }, (_, number) => guest(number)));
      all.catch((thrown: unknown) => (fault = thrown as Error));
      return {
        stop: async () => {
          isStopped = true;
          await all;
        },
        acknowledged: () => {
          if (fault !== null) throw fault;
          return orders.size - before;
        },
      };
    },
    longestStall: (from) => {
      const after = [from, ...times.filter((time) => time > from), performance.now()];
      return Math.max(...after.slice(1).map((time, place) => time - (after[place] ?? time)));
    },
  };
};

export interface Comparison {
  /** Keys whose acknowledged order is not in the database as it was acknowledged. */
  readonly lost: number;
  /** Orders of a key beyond the first, and orders without a key. */
  readonly twice: number;
  /** Orders that were never acknowledged. */
  readonly unknown: number;
  /** Days of a branch whose references do not run from one without a gap. */
  readonly gaps: number;
}

interface Stored {
  readonly key: string | null;
  readonly id: string;
  readonly ref: string;
  readonly total: number;
}

const STORED = `
  select k.key, o.id, o.delivery_ref as ref, o.total::int
  from delivery_order o left join idempotency_key k on k.org_id = o.org_id and k.subject_id = o.id`;

const GAPS = `
  select count(*)::int as gaps from (
    select split_part(delivery_ref, '-', 2) as branch, split_part(delivery_ref, '-', 3) as day,
           array_agg(split_part(delivery_ref, '-', 4)::int order by split_part(delivery_ref, '-', 4)::int) as numbers
    from delivery_order group by branch, day) of_day
  where numbers <> array(select generate_series(1, cardinality(numbers)))`;

/** What the database has, beside the ledger. No guest may be ordering. */
export const compare = async (client: pg.Client, orders: Ledger['orders']): Promise<Comparison> => {
  const { rows: stored } = await client.query<Stored>(STORED);
  const { rows } = await client.query<{ gaps: number }>(GAPS);
  const byKey = new Map<string | null, Stored>(stored.map((row) => [row.key, row]));
  const isKept = ([key, { id, ref, total }]: [string, Acknowledged]): boolean => {
    const row = byKey.get(key);
    return row?.id === id && row.ref === ref && row.total === total;
  };
  return {
    lost: [...orders].filter((entry) => !isKept(entry)).length,
    twice: stored.length - byKey.size + (byKey.has(null) ? 1 : 0),
    unknown: [...byKey.keys()].filter((key) => key !== null && !orders.has(key)).length,
    gaps: rows[0]?.gaps ?? -1,
  };
};

export const inconsistentRows = async (client: pg.Client): Promise<readonly unknown[]> =>
  (await client.query<{ what: string }>(INCONSISTENT_ROWS)).rows;
