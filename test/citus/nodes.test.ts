/** Shops on three nodes, while guests order: a shop moves, and nodes die. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { aBranch, aShopFile, daily } from '../support/shops/cafe.ts';
import { BLOW_MS, feedFailures, noticed, told, underOrders } from './blows.ts';
import { useCluster } from './cluster.ts';
import type { Node } from './nodes.ts';

/** On two of the three nodes at least, also after the first one has moved. */
const SLUGS = ['one', 'two', 'three', 'six'].map((name) => `cafe-${name}`);
const [FIRST = ''] = SLUGS;
/** Half of the shortest time limit that an order could meet (of a statement, 5 s): none has waited for a dead node. */
const NO_LIMIT_MET_MS = 2_500;

const open = aBranch({ online_hours: daily('00:00', '00:00'), otp_required: false });
const cluster = useCluster({
  shops: SLUGS.map((slug) => aShopFile({ slug, branches: [open] })),
  servers: 2,
});

/** Orders that were taken without messages. */
const unnotified = async (): Promise<number> => {
  const [row] = await cluster
    .coordinator()
    .query<{ orders: number }>('select count(*)::int as orders from delivery_order where not notified');
  return row?.orders ?? 0;
};

test('orders of a shop that moves to another node are kept', async () => {
  const { shard, port } = await cluster.placeOf(FIRST);
  const to = cluster.workers().find((worker) => worker.port !== port)?.port;
  const { guests, from } = await underOrders(cluster, SLUGS, async () => {
    await cluster
      .coordinator()
      .query("select citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3, 'force_logical')", [
        shard,
        port,
        to,
      ]);
  });
  told('a shop moved, and its slowest order took', guests.slowestOrder(FIRST, from));
  expect((await cluster.placeOf(FIRST)).port).toBe(to);
}, 300_000);

const whileDead = async (dead: readonly Node[]): Promise<void> => {
  const [without, failures] = [await unnotified(), feedFailures(cluster)];
  const ports = dead.map(({ port }) => port);
  const { slowest, refusals, refusal, unanswered } = await noticed(cluster, SLUGS, ports, async () => {
    for (const node of dead) node.kill();
    await pause(BLOW_MS);
    await Promise.all(dead.map((node) => node.start()));
  });
  expect(await unnotified()).toBeGreaterThan(without);
  expect(feedFailures(cluster)).toEqual(failures);
  // Once by each server, which then knows the silent nodes.
  expect(refusals).toBeLessThanOrEqual(cluster.servers().length);
  expect(slowest).toBeLessThan(NO_LIMIT_MET_MS);
  expect(unanswered).toBe(0);
  expect(refusal).toBeGreaterThan(0);
  expect(refusal).toBeLessThan(NO_LIMIT_MET_MS);
};

test('when a node dies, shops elsewhere go on, and no acknowledged order is lost', async () => {
  await whileDead([await cluster.nodeOf(FIRST)]);
}, 300_000);

test('when all nodes but one die, its shops go on, and no acknowledged order is lost', async () => {
  const living = await cluster.nodeOf(FIRST);
  await whileDead(cluster.workers().filter((node) => node !== living));
}, 300_000);
