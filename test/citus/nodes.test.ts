/** Shops on three nodes, while guests order: a shop moves, and a node dies. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dataFolder, removeDataFolder } from '../support/programs/data-folder.ts';
import {
  eventually,
  listening,
  startProgram,
  type Program,
  type Server,
} from '../support/programs/program.ts';
import { aBranch, aShopFile, daily, shopId } from '../support/shops/cafe.ts';
import { guestsAt, type Ledger } from './guests.ts';
import { startNode, type Node } from './nodes.ts';

/** On two of the three nodes at least, also after the first one has moved. */
const SLUGS = ['one', 'two', 'three', 'six'].map((name) => `cafe-${name}`);
const GUESTS = 2;
/** Of a calm time too, which tells how fast this machine is. */
const DEAD_MS = 10_000;
/** A shop that goes on has an order within a second, or on a slow machine within twice the longest time without a blow. */
const STALL_MS = 1_000;
const FEED_STOPPED = 'the change feed does not answer';
/** Some orders of every shop. */
const SOME = 6 * SLUGS.length;

const dataDir = dataFolder();
let coordinator: Node;
let workers: readonly Node[];
let programs: Program[] = [];
let servers: readonly Server[];

const settings = () => ({
  ...{
    DATABASE_URL: coordinator.url,
    DATA_DIR: dataDir,
    SECRET_KEY: 'a secret of this test alone, long enough',
  },
  // Limits and budgets that are asked and never reached.
  ...{ RATE_LIMIT_SCALE: '1000', OTP_SENDER: 'file', OTP_FILE: join(dataDir, 'messages.jsonl') },
});

const ahwa = async (args: readonly string[], input?: string): Promise<void> => {
  const { code, stderr } = await startProgram('cli.js', args, settings(), input).ended;
  if (code !== 0) throw new Error(`ahwa ${args.join(' ')} ended with ${code}: ${stderr}`);
};

beforeAll(async () => {
  const [first, ...others] = await Promise.all(Array.from({ length: 4 }, startNode));
  if (first === undefined) throw new Error('Four nodes were started.');
  [coordinator, workers] = [first, others];
  await coordinator.query("select citus_set_coordinator_host('127.0.0.1', $1)", [coordinator.port]);
  for (const { port } of workers) await coordinator.query("select citus_add_node('127.0.0.1', $1)", [port]);
  // Few shards, and one connection to a node for all that one statement asks of it: four servers share this machine.
  await coordinator.query('alter database postgres set citus.shard_count = 6');
  await coordinator.query('alter database postgres set citus.max_adaptive_executor_pool_size = 1');
  await ahwa(['migrate']);
  await ahwa(['distribute']);
  const branch = aBranch({ online_hours: daily('00:00', '00:00'), otp_required: false });
  for (const slug of SLUGS)
    await ahwa(['import', '-'], JSON.stringify(aShopFile({ slug, branches: [branch] })));
  programs = [1, 2].map(() => startProgram('main.js', [], settings()));
  servers = await Promise.all(programs.map(listening));
}, 300_000);
afterAll(async () => {
  for (const program of programs) program.signal('SIGKILL');
  await Promise.all(programs.map(({ ended }) => ended));
  for (const node of [coordinator, ...workers]) node.kill();
  removeDataFolder(dataDir);
});

/** What the servers logged last. */
beforeEach(({ onTestFailed }) =>
  onTestFailed(() => {
    const lines = programs.flatMap((program) => program.log().slice(-20));
    process.stdout.write(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  }),
);

interface Placement {
  readonly shard: number;
  readonly port: number;
}

const placeOf = async (slug: string): Promise<Placement> => {
  const [row] = await coordinator.query<Placement>(
    `select shardid::int as shard, nodeport as port from pg_dist_shard_placement
     where shardid = get_shard_id_for_distribution_column('shop', $1::uuid)`,
    [shopId(slug)],
  );
  if (row === undefined) throw new Error(`The shop ${slug} is nowhere.`);
  return row;
};

interface Blow {
  readonly guests: Ledger;
  /** When it began. */
  readonly from: number;
  /** ms; the longest stall of any shop before it. */
  readonly calm: number;
}

/** Guests order before, during and after the blow, and each order that was acknowledged is kept. */
const underOrders = async (blow: () => Promise<void>): Promise<Blow> => {
  const guests = guestsAt(
    SLUGS,
    servers.map(({ port }) => `http://127.0.0.1:${port}`),
    GUESTS,
  );
  const some = async (): Promise<void> => {
    const enough = guests.orders.size + SOME;
    await eventually(() => (guests.orders.size >= enough ? true : null), 'orders', 120_000);
  };
  await some();
  const before = performance.now();
  await pause(DEAD_MS);
  const from = performance.now();
  const calm = Math.max(...SLUGS.map((slug) => guests.longestStall(slug, before, from)));
  await blow();
  await some();
  await guests.stop();
  await expectKept(guests);
  return { guests, from, calm };
};

const expectKept = async ({ orders }: Ledger): Promise<void> => {
  const rows = await coordinator.query<{ key: string; id: string }>(
    'select k.key, o.id from delivery_order o join idempotency_key k on k.org_id = o.org_id and k.subject_id = o.id',
  );
  const stored = new Map(rows.filter(({ key }) => orders.has(key)).map(({ key, id }) => [key, id]));
  expect([...stored].sort()).toEqual([...orders].sort());
  const [count] = await coordinator.query<{ orders: number }>(
    'select count(*)::int as orders from delivery_order',
  );
  expect(count?.orders).toBe(rows.length);
};

/** Orders that were taken without messages. */
const unnotified = async (): Promise<number> => {
  const [row] = await coordinator.query<{ orders: number }>(
    'select count(*)::int as orders from delivery_order where not notified',
  );
  return row?.orders ?? 0;
};

const told = (what: string, ms: number): void => {
  process.stdout.write(`${what}: ${(ms / 1_000).toFixed(1)} s\n`);
};

test('orders of a shop that moves to another node are kept', async () => {
  const [slug = ''] = SLUGS;
  const { shard, port } = await placeOf(slug);
  const to = workers.find((worker) => worker.port !== port)?.port;
  const { guests, from } = await underOrders(async () => {
    await coordinator.query(
      "select citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3, 'block_writes')",
      [shard, port, to],
    );
  });
  told('a shop moved, and took no order for', guests.longestStall(slug, from));
  expect((await placeOf(slug)).port).toBe(to);
}, 300_000);

/** Kills the nodes of the shops that are not kept, and starts them again. */
const whileDead = async (dead: readonly Node[], places: ReadonlyMap<string, number>): Promise<void> => {
  const isDead = (slug: string): boolean => dead.some(({ port }) => port === places.get(slug));
  const without = await unnotified();
  const { guests, from, calm } = await underOrders(async () => {
    for (const node of dead) node.kill();
    await pause(DEAD_MS);
    await Promise.all(dead.map((node) => node.start()));
  });
  const elsewhere = SLUGS.filter((slug) => !isDead(slug));
  const stall = Math.max(...elsewhere.map((slug) => guests.longestStall(slug, from)));
  const refusal = Math.max(...SLUGS.filter(isDead).map((slug) => guests.slowestRefusal(slug)));
  told('before the blow, the longest time without an order of a shop was', calm);
  told('shops elsewhere were without an order for', stall);
  told('orders of shops on dead nodes were refused within', refusal);
  expect(elsewhere.length).toBeGreaterThan(0);
  expect(await unnotified()).toBeGreaterThan(without);
  expect(programs.flatMap((program) => program.log().map(({ msg }) => msg))).not.toContain(FEED_STOPPED);
  expect(stall).toBeLessThan(Math.max(STALL_MS, 2 * calm));
  expect(refusal).toBeGreaterThan(0);
  expect(refusal).toBeLessThan(Math.max(STALL_MS, 2 * calm));
};

const placesOfShops = async (): Promise<ReadonlyMap<string, number>> =>
  new Map(await Promise.all(SLUGS.map(async (slug) => [slug, (await placeOf(slug)).port] as const)));

test('when a node dies, shops elsewhere go on, and no acknowledged order is lost', async () => {
  const places = await placesOfShops();
  await whileDead(
    workers.filter(({ port }) => port === places.get(SLUGS[0] ?? '')),
    places,
  );
}, 300_000);

test('when all nodes but one die, its shops go on, and no acknowledged order is lost', async () => {
  const places = await placesOfShops();
  await whileDead(
    workers.filter(({ port }) => port !== places.get(SLUGS[0] ?? '')),
    places,
  );
}, 300_000);
