/** Shops on three nodes, while guests order: a shop moves, and a node dies. */
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
const SLUGS = ['one', 'two', 'six'].map((name) => `cafe-${name}`);
const GUESTS = 2;
const DEAD_MS = 10_000;
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
  RATE_LIMIT_SCALE: '0',
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

/** Guests order before, during and after the blow. Returns the longest stall, ms, of the shops for which `counts`. */
const underOrders = async (blow: () => Promise<void>, counts: (slug: string) => boolean): Promise<number> => {
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
  const from = performance.now();
  await blow();
  await some();
  const stall = Math.max(...SLUGS.filter(counts).map((slug) => guests.longestStall(slug, from)));
  await guests.stop();
  await expectKept(guests);
  return stall;
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

const told = (what: string, stall: number): void => {
  process.stdout.write(`${what}: ${(stall / 1_000).toFixed(1)} s without an order\n`);
};

test('orders of a shop that moves to another node are kept', async () => {
  const [slug = ''] = SLUGS;
  const { shard, port } = await placeOf(slug);
  const to = workers.find((worker) => worker.port !== port)?.port;
  const stall = await underOrders(
    async () => {
      await coordinator.query(
        "select citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3, 'block_writes')",
        [shard, port, to],
      );
    },
    (one) => one === slug,
  );
  told('a shop moved', stall);
  expect((await placeOf(slug)).port).toBe(to);
}, 300_000);

test('a node that dies and comes back loses no acknowledged order of any shop', async () => {
  const places = new Map(
    await Promise.all(SLUGS.map(async (slug) => [slug, (await placeOf(slug)).port] as const)),
  );
  const dead = workers.find(({ port }) => port === places.get(SLUGS[0] ?? ''));
  if (dead === undefined) throw new Error('A shop is at no worker.');
  expect(new Set(places.values()).size).toBeGreaterThan(1);
  const stall = await underOrders(
    async () => {
      dead.kill();
      await pause(DEAD_MS);
      dead.start();
    },
    (slug) => places.get(slug) !== dead.port,
  );
  told('shops elsewhere while a node was dead', stall);
}, 300_000);
