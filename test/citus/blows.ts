/** What is done to nodes while guests order, and what the guests notice. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { eventually } from '../support/programs/program.ts';
import type { Cluster } from './cluster.ts';
import { guestsAt, type Ledger } from './guests.ts';

const GUESTS = 2;
/** Of a calm time too, which tells how fast this machine is. */
export const BLOW_MS = 10_000;
/** Orders of every shop. */
const SOME = 6;

interface Blow {
  readonly guests: Ledger;
  /** When it began. */
  readonly from: number;
  /** ms; the slowest order of any shop before it. */
  readonly calm: number;
}

const expectKept = async ({ coordinator }: Cluster, { orders }: Ledger): Promise<void> => {
  const rows = await coordinator().query<{ key: string; id: string }>(
    'select k.key, o.id from delivery_order o join idempotency_key k on k.org_id = o.org_id and k.subject_id = o.id',
  );
  const stored = new Map(rows.filter(({ key }) => orders.has(key)).map(({ key, id }) => [key, id]));
  expect([...stored].sort()).toEqual([...orders].sort());
  const [count] = await coordinator().query<{ orders: number }>(
    'select count(*)::int as orders from delivery_order',
  );
  expect(count?.orders).toBe(rows.length);
};

/** Guests order before, during and after the blow, and each order that was acknowledged is kept. */
export const underOrders = async (
  cluster: Cluster,
  slugs: readonly string[],
  blow: () => Promise<void>,
): Promise<Blow> => {
  const addresses = cluster.servers().map(({ port }) => `http://127.0.0.1:${port}`);
  const guests = guestsAt(slugs, addresses, GUESTS);
  const some = async (): Promise<void> => {
    const enough = guests.orders.size + SOME * slugs.length;
    await eventually(() => (guests.orders.size >= enough ? true : null), 'orders', 120_000);
  };
  await some();
  const before = performance.now();
  await pause(BLOW_MS);
  const from = performance.now();
  const calm = Math.max(...slugs.map((slug) => guests.slowestOrder(slug, before, from)));
  await blow();
  await some();
  await guests.stop();
  await expectKept(cluster, guests);
  return { guests, from, calm };
};

export const told = (what: string, ms: number): void => {
  process.stdout.write(`${what}: ${(ms / 1_000).toFixed(1)} s\n`);
};

export interface Noticed {
  /** ms; the slowest order of a shop elsewhere since the blow. */
  readonly slowest: number;
  /** How often one order of a shop elsewhere was refused before it was taken, at most. */
  readonly refusals: number;
  /** ms; the longest wait for a refusal at a shop of the silent nodes. */
  readonly refusal: number;
  /** ms; of those that were asked for once the silence was known. */
  readonly laterRefusal: number;
  /** Requests that had no answer before the guest gave up. */
  readonly unanswered: number;
}

const FEED_STOPPED = 'the change feed does not answer';
export const feedFailures = (cluster: Cluster) => cluster.logged().filter(({ msg }) => msg === FEED_STOPPED);

/** While the nodes with these ports are silent, which every server knows after `knownMs`. */
export const noticed = async (
  cluster: Cluster,
  slugs: readonly string[],
  ports: readonly number[],
  blow: () => Promise<void>,
  knownMs = 0,
): Promise<Noticed> => {
  const places = new Map<string, number>();
  for (const slug of slugs) places.set(slug, (await cluster.placeOf(slug)).port);
  const isSilent = (slug: string): boolean => ports.includes(places.get(slug) ?? 0);
  const { guests, from, calm } = await underOrders(cluster, slugs, blow);
  const elsewhere = slugs.filter((slug) => !isSilent(slug));
  expect(elsewhere.length).toBeGreaterThan(0);
  const slowest = Math.max(...elsewhere.map((slug) => guests.slowestOrder(slug, from)));
  const refusalSince = (since: number): number =>
    Math.max(...slugs.filter(isSilent).map((slug) => guests.slowestRefusal(slug, since)));
  const [refusal, laterRefusal] = [refusalSince(0), refusalSince(from + knownMs)];
  const unanswered = slugs.reduce((sum, slug) => sum + guests.unanswered(slug), 0);
  const refusals = Math.max(...elsewhere.map((slug) => guests.mostRefusals(slug)));
  told('before the blow, the slowest order took', calm);
  told('since then, the slowest of shops elsewhere took', slowest);
  told('orders of shops on silent nodes were refused within', refusal);
  told('and once the silence was known, within', laterRefusal);
  process.stdout.write(
    `one order elsewhere was refused ${refusals} times at most; ${unanswered} requests had no answer in time\n`,
  );
  return { slowest, refusals, refusal, laterRefusal, unanswered };
};
