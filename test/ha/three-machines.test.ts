/**
 * Kills, freezes, cuts and switches over while guests order: what was acknowledged is kept. `HA_SIZE=small` runs the
 * first three blows.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/programs/program.ts';
import { startCluster, type Cluster } from './cluster.ts';
import type { Machine } from './machine.ts';
import { inconsistentRows } from './orders.ts';
import { openScenario, type Scenario } from './scenario.ts';

const whole = process.env['HA_SIZE'] === 'small' ? test.skip : test;

let cluster: Cluster;
let scenario: Scenario;

beforeAll(async () => {
  cluster = await startCluster();
  scenario = openScenario(cluster);
});
afterAll(() => cluster.close());

/** Resolves when another machine is the primary. */
const successorOf = (machine: Machine): Promise<Machine> =>
  eventually(
    async () => (await cluster.primaries()).find((other) => other !== machine) ?? null,
    'another primary',
    60_000,
  );

const killPostgres = async (): Promise<void> => {
  const primary = await cluster.primary();
  for (const pid of primary.postgres()) process.kill(pid, 'SIGKILL');
  await successorOf(primary);
};

const synchronousStandby = async (): Promise<Machine> => {
  const standby = (await cluster.members()).find(({ role }) => role === 'sync_standby');
  return cluster.machine(standby?.name ?? '');
};

const WAITING_COMMITS = "select count(*) from pg_stat_activity where wait_event = 'SyncRep'";

const signalAll = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids) process.kill(pid, signal);
};

test('when the PostgreSQL of the primary is killed, orders go on within 10 s', async () => {
  expect(await scenario.stall('PostgreSQL of the primary killed', killPostgres)).toBeLessThan(10);
  await cluster.whole();
});

test('a planned switch-over stops orders for less than 5 s', async () => {
  const primary = await cluster.primary();
  const stall = await scenario.stall('switch-over', async () => {
    await cluster.switchOver();
    await successorOf(primary);
  });
  expect(stall).toBeLessThan(5);
  await cluster.whole();
});

test('when the machine of the primary dies, orders go on within 30 s, and it comes back as a standby', async () => {
  const primary = await cluster.primary();
  const stall = await scenario.stall('machine of the primary dead', async () => {
    primary.powerOff();
    await successorOf(primary);
  });
  expect(stall).toBeLessThan(30);
  const from = performance.now();
  await cluster.boot(primary);
  await cluster.whole();
  const back = (performance.now() - from) / 1_000;
  process.stdout.write(`back as a standby after ${back.toFixed(1)} s\n`);
  expect(back).toBeLessThan(60);
});

whole('when the Patroni of the primary is frozen and wakes after a fail-over, no order is lost', async () => {
  const primary = await cluster.primary();
  const stall = await scenario.stall('Patroni of the primary frozen', async (some) => {
    primary.signal('patroni', 'SIGSTOP');
    await successorOf(primary);
    await some();
    primary.signal('patroni', 'SIGCONT');
    await cluster.whole();
  });
  expect(stall).toBeLessThan(30);
});

whole('while two of three etcd are frozen for 30 s, orders go on', async () => {
  const primary = await cluster.primary();
  const frozen = [primary, await synchronousStandby()];
  const stall = await scenario.stall('two of three etcd frozen', async () => {
    for (const machine of frozen) machine.signal('etcd', 'SIGSTOP');
    // Longer than the leader key lives.
    await pause(30_000);
    for (const machine of frozen) machine.signal('etcd', 'SIGCONT');
  });
  expect(stall).toBeLessThan(5);
  expect(await cluster.primary()).toBe(primary);
  await cluster.whole();
});

whole('when the primary is cut from the others but not from guests, orders go on within 30 s', async () => {
  const primary = await cluster.primary();
  const stall = await scenario.stall('primary cut from the others', async (some) => {
    primary.cut();
    await successorOf(primary);
    await some();
    primary.heal();
    await cluster.whole();
  });
  expect(stall).toBeLessThan(30);
});

whole('a synchronous standby that hangs stops orders for less than 30 s', async () => {
  const standby = await synchronousStandby();
  const receivers = standby.postgres('walreceiver');
  expect(receivers).toHaveLength(1);
  const stall = await scenario.stall('synchronous standby hangs', async (some) => {
    signalAll(receivers, 'SIGSTOP');
    await some();
    signalAll(receivers, 'SIGCONT');
  });
  expect(stall).toBeLessThan(30);
  await cluster.whole();
});

whole('an order that waits for a standby that hangs is not acknowledged before it has it', async () => {
  const [primary, standby] = [await cluster.primary(), await synchronousStandby()];
  const receivers = standby.postgres('walreceiver');
  await scenario.stall('primary dead while the synchronous standby hangs', async () => {
    signalAll(receivers, 'SIGSTOP');
    await eventually(
      async () => ((await cluster.ask(primary, WAITING_COMMITS)) === '0' ? null : true),
      'commits that wait for the standby',
    );
    primary.powerOff();
    signalAll(receivers, 'SIGCONT');
    await successorOf(primary);
  });
  await cluster.boot(primary);
  await cluster.whole();
});

whole(
  'with two of three machines gone nothing is acknowledged, and with one of them back orders go on',
  async () => {
    const primary = await cluster.primary();
    const others = cluster.machines.filter((machine) => machine !== primary);
    await scenario.stall('two of three machines dead', async () => {
      for (const machine of others) machine.powerOff();
      await eventually(
        async () => ((await cluster.primaries()).length === 0 ? true : null),
        'no primary',
        60_000,
      );
      const before = scenario.ledger.orders.size;
      const answer = await scenario.orderOnce(primary);
      expect([answer.status, Number(answer.headers.get('retry-after'))]).toEqual([503, expect.any(Number)]);
      expect(scenario.ledger.orders.size).toBe(before);
      await Promise.all(others.slice(0, 1).map((machine) => cluster.boot(machine)));
    });
    await Promise.all(others.slice(1).map((machine) => cluster.boot(machine)));
    await cluster.whole();
  },
);

test('no stored row is inconsistent after all of that', async () => {
  expect(await cluster.asOwner(inconsistentRows)).toEqual([]);
});
