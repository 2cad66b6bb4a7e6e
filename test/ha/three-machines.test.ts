/** Kills, freezes, cuts and switches over while guests order: what was acknowledged is kept. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/programs/program.ts';
import { startCluster, type Cluster } from './cluster.ts';
import { compare, inconsistentRows, openLedger } from './orders.ts';

let cluster: Cluster;
const ledger = openLedger();

beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.close());

const NOTHING_WRONG = { lost: 0, twice: 0, unknown: 0, gaps: 0 };

/** Enough orders to show that they flow. */
const SOME = 40;

/**
 * Guests order before, during and after the blow. Returns the longest time without an acknowledged order, s; the ledger
 * has been compared then.
 */
const underOrders = async (what: string, blow: () => Promise<void>): Promise<number> => {
  const guests = ledger.begin(cluster.servers);
  const some = async (): Promise<void> => {
    const enough = guests.acknowledged() + SOME;
    await eventually(() => (guests.acknowledged() >= enough ? true : null), 'orders to flow', 120_000);
  };
  await some();
  const from = performance.now();
  await blow();
  await some();
  const stall = ledger.longestStall(from) / 1_000;
  await guests.stop();
  const found = await cluster.asOwner((client) => compare(client, ledger.orders));
  process.stdout.write(
    `${what}: ${stall.toFixed(1)} s without an order, ${JSON.stringify(found)}, ${ledger.orders.size} acknowledged so far\n`,
  );
  expect(found).toEqual(NOTHING_WRONG);
  return stall;
};

test('when the PostgreSQL of the primary is killed, orders go on within 10 s', async () => {
  const primary = await cluster.primary();
  const stall = await underOrders('PostgreSQL killed', async () => {
    for (const pid of primary.postgres()) process.kill(pid, 'SIGKILL');
    await eventually(
      async () => ((await cluster.primary()) === primary ? null : true),
      'a fail-over',
      60_000,
    );
  });
  expect(stall).toBeLessThan(10);
  await cluster.whole();
});

test('no stored row is inconsistent after all of that', async () => {
  expect(await cluster.asOwner(inconsistentRows)).toEqual([]);
});
