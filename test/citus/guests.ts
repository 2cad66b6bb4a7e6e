/** Guests of several shops who order until they are answered, and what was acknowledged to them. */
import { setTimeout as pause } from 'node:timers/promises';
import { anOrder, type Order } from '../support/people/guests.ts';
import { branchId, thingId } from '../support/shops/cafe.ts';

/** With a longer pause than an order takes: nodes, servers and guests share the cores of this machine. */
const [PAUSE_MS, AGAIN_AFTER_MS, TIMEOUT_MS] = [400, 150, 4_000];

export interface Ledger {
  /** Order ids by idempotency key. */
  readonly orders: ReadonlyMap<string, string>;
  /** ms; the longest from the first attempt of an order to its acknowledgement, of those acknowledged in this time. */
  slowestOrder(slug: string, from: number, until?: number): number;
  /** ms; the longest wait of a guest of a shop for a refusal, asked for since then; 0: no guest was refused. */
  slowestRefusal(slug: string, from?: number): number;
  /** How often one order of a shop was refused before it was taken, at most. */
  mostRefusals(slug: string): number;
  /** How often a guest of a shop got no answer in time. */
  unanswered(slug: string): number;
  stop(): Promise<void>;
}

const post = async (server: string, key: string, body: string): Promise<Response | null> =>
  fetch(`${server}/public/delivery-orders`, {
    ...{ method: 'POST', body, signal: AbortSignal.timeout(TIMEOUT_MS) },
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
  }).catch(() => null);

/** Of all guests of a file: an order of a later test is no repetition of an earlier one. */
let orderedSoFar = 0;

/** `perShop` guests at each shop, who order at both servers in turn. */
export const guestsAt = (slugs: readonly string[], servers: readonly string[], perShop: number): Ledger => {
  const orders = new Map<string, string>();
  const taken = new Map<string, { readonly at: number; readonly took: number }[]>(
    slugs.map((slug) => [slug, []]),
  );
  const refusals = new Map<string, { readonly asked: number; readonly took: number }[]>(
    slugs.map((slug) => [slug, []]),
  );
  const unanswered = new Map<string, number>(slugs.map((slug) => [slug, 0]));
  const refused = new Map<string, number>(slugs.map((slug) => [slug, 0]));
  let isStopped = false;
  /** `first`: the server that is asked first; both know every shop before one of them is needed. */
  const order = async (slug: string, key: string, body: string, first: number): Promise<void> => {
    const begun = performance.now();
    let refusedBefore = 0;
    for (let tries = first; ; tries += 1) {
      const asked = performance.now();
      const reply = await post(servers[tries % servers.length] ?? '', key, body);
      if (reply !== null && reply.status < 300) {
        orders.set(key, ((await reply.json()) as Order).id);
        const at = performance.now();
        taken.get(slug)?.push({ at, took: at - begun });
        refused.set(slug, Math.max(refused.get(slug) ?? 0, refusedBefore));
        return;
      }
      if (reply !== null && reply.status !== 503)
        throw new Error(`an order was answered with ${reply.status}: ${await reply.text()}`);
      if (reply === null) unanswered.set(slug, (unanswered.get(slug) ?? 0) + 1);
      else {
        refusals.get(slug)?.push({ asked, took: performance.now() - asked });
        refusedBefore += 1;
      }
      await pause(AGAIN_AFTER_MS);
    }
  };
  const guest = async (slug: string, number: number): Promise<void> => {
    for (let n = 1; !isStopped; n += 1) {
      orderedSoFar += 1;
      const name = String(orderedSoFar).padStart(8, '0');
      const body = anOrder({
        ...{ branch_id: branchId('zamalek', slug), customer_phone: `010${name}` },
        items: [{ menu_item_id: thingId('item', 'turkish', slug), quantity: 1 }],
      });
      await order(slug, `order ${name}`, JSON.stringify(body), number + n);
      await pause(PAUSE_MS);
    }
  };
  const all = Promise.all(
    slugs.flatMap((slug) => Array.from({ length: perShop }, (_, number) => guest(slug, number))),
  );
  all.catch(() => undefined);
  return {
    orders,
    slowestOrder: (slug, from, until = Infinity) =>
      Math.max(
        0,
        ...(taken.get(slug) ?? []).flatMap(({ at, took }) => (at > from && at < until ? [took] : [])),
      ),
    mostRefusals: (slug) => refused.get(slug) ?? 0,
    unanswered: (slug) => unanswered.get(slug) ?? 0,
    slowestRefusal: (slug, from = 0) =>
      Math.max(0, ...(refusals.get(slug) ?? []).flatMap(({ asked, took }) => (asked > from ? [took] : []))),
    stop: async () => {
      isStopped = true;
      await all;
    },
  };
};
