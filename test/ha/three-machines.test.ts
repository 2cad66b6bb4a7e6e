/**
 * Kills, freezes, cuts and switches over while guests order: what was acknowledged is kept. `HA_SIZE=small` runs the
 * first four tests and the last one.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../support/programs/program.ts';
import { ask, TWO_ROUNDS_MS, type Cluster } from './cluster.ts';
import { followFeed, publishedFrom } from './followed-feed.ts';
import { compare, inconsistentRows } from './orders.ts';
import {
  freezeInRound,
  freezePatroni,
  NOTHING_WRONG,
  openScenario,
  signalAll,
  type Scenario,
} from './scenario.ts';
import { IS_SMALL } from './size.ts';
import { startCluster } from './start-cluster.ts';

const whole = IS_SMALL ? test.skip : test;

let cluster: Cluster;
let scenario: Scenario;

beforeAll(async () => {
  cluster = await startCluster();
  scenario = openScenario(cluster);
  return () => cluster.close();
});
beforeEach(({ onTestFailed }) => onTestFailed(() => void process.stdout.write(cluster.lastWords())));

const killPostgres = async (): Promise<void> => {
  const primary = await cluster.primary();
  signalAll(primary.postgres(), 'SIGKILL');
  await cluster.successorOf(primary);
};

/** Longer than the statement time-out of Ahwa. */
const LONG_WAITING_COMMITS = `
  select count(*) from pg_stat_activity
  where wait_event = 'SyncRep' and clock_timestamp() - query_start > interval '5.5 s'`;

test('when the PostgreSQL of the primary is killed, orders go on within 10 s', async () => {
  expect(await scenario.stall('PostgreSQL of the primary killed', killPostgres)).toBeLessThan(10);
  await cluster.whole();
});

test('a planned switch-over stops orders for less than 5 s', async () => {
  let shortest = Infinity;
  // The machine of the test may be busy with something else meanwhile: the promise is one of the programs.
  for (let tries = 0; tries < 3 && shortest >= 5; tries += 1) {
    const primary = await cluster.primary();
    const stall = await scenario.stall('switch-over', async () => {
      await cluster.switchOver();
      await cluster.successorOf(primary);
    });
    shortest = Math.min(shortest, stall);
    await cluster.whole();
  }
  expect(shortest).toBeLessThan(5);
});

test('when the machine of the primary dies, orders go on within 30 s, and it comes back as a standby', async () => {
  const primary = await cluster.primary();
  const stall = await scenario.stall('machine of the primary dead', async () => {
    primary.powerOff();
    await cluster.successorOf(primary);
  });
  expect(stall).toBeLessThan(30);
  const from = performance.now();
  await cluster.boot(primary);
  await cluster.whole();
  const back = (performance.now() - from) / 1_000;
  process.stdout.write(`back as a standby after ${back.toFixed(1)} s\n`);
  expect(back).toBeLessThan(60);
});

test('a feed that is read from a standby has every change, also of one that is behind', async () => {
  const standby = await cluster.synchronousStandby();
  const feed = await followFeed(cluster.ownerUrl(standby));
  await scenario.stall('feed read from a standby', async (some) => {
    await ask(standby, 'select pg_wal_replay_pause()');
    await some();
    await ask(standby, 'select pg_wal_replay_resume()');
    await some();
  });
  const published = await cluster.asOwner((client) => publishedFrom(client, feed.first));
  expect(published.length).toBeGreaterThan(0);
  await eventually(
    () => (published.every((changes) => feed.read.has(changes)) ? true : null),
    'the changes to be read from the standby',
  );
  await feed.stop();
});

whole.each([
  ['Patroni of the primary frozen', freezePatroni],
  ['Patroni of the primary frozen before it renews its key', freezeInRound],
] as const)('%s for 35 s: orders go on within 30 s, and none is lost', async (what, freeze) => {
  const primary = await cluster.primary();
  const stall = await scenario.stall(what, async () => {
    await freeze(cluster, primary);
    await cluster.whole();
  });
  expect(stall).toBeLessThan(30);
});

whole('while two of three etcd are frozen for 30 s, orders go on', async () => {
  const primary = await cluster.primary();
  const frozen = [primary, await cluster.synchronousStandby()];
  const stall = await scenario.stall('two of three etcd frozen', async () => {
    for (const machine of frozen) machine.signal('etcd', 'SIGSTOP');
    // Longer than the leader key lives.
    await pause(30_000);
    for (const machine of frozen) machine.signal('etcd', 'SIGCONT');
  });
  expect(stall).toBeLessThan(5);
  expect(await cluster.primary()).toBe(primary);
  // Both standbys connect anew when etcd is back, and for a moment neither is synchronous.
  await cluster.whole(TWO_ROUNDS_MS);
});

whole('when the primary is cut from the others but not from guests, orders go on within 30 s', async () => {
  const primary = await cluster.primary();
  const stall = await scenario.stall('primary cut from the others', async (some) => {
    primary.cut();
    await cluster.successorOf(primary);
    await some();
    primary.heal();
    await cluster.whole();
  });
  expect(stall).toBeLessThan(30);
});

whole('a synchronous standby that hangs stops orders for less than 30 s', async () => {
  const standby = await cluster.synchronousStandby();
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
  const [primary, standby] = [await cluster.primary(), await cluster.synchronousStandby()];
  const receivers = standby.postgres('walreceiver');
  await scenario.stall('primary dead while the synchronous standby hangs', async () => {
    signalAll(receivers, 'SIGSTOP');
    await eventually(
      async () => ((await ask(primary, LONG_WAITING_COMMITS)) === '0' ? null : true),
      'commits that wait for the standby',
    );
    primary.powerOff();
    signalAll(receivers, 'SIGCONT');
    await cluster.successorOf(primary);
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
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([
        503,
        expect.stringMatching(/^\d+$/),
      ]);
      expect(scenario.ledger.orders.size).toBe(before);
      await Promise.all(others.slice(0, 1).map((machine) => cluster.boot(machine)));
    });
    await Promise.all(others.slice(1).map((machine) => cluster.boot(machine)));
    await cluster.whole();
  },
);

whole('through PgBouncer, which drops what a session prepared, orders go on after a fail-over', async () => {
  for (const machine of cluster.machines) {
    await machine.stop('ahwa');
    machine.start('pgbouncer');
    await cluster.serve(machine, { DATABASE_URL: cluster.databaseUrl(6432) });
  }
  expect(
    await scenario.stall('PostgreSQL of the primary killed, behind PgBouncer', killPostgres),
  ).toBeLessThan(10);
  await cluster.whole();
  const errors = cluster.machines.flatMap((machine) =>
    machine
      .log('ahwa')
      .split('\n')
      .filter((line) => line.includes('"level":"error"')),
  );
  expect(errors).toEqual([]);
});

whole('a recovery by pgBackRest to a moment has exactly what was acknowledged until then', async () => {
  const primary = await cluster.primary();
  await primary.run(['pgbackrest', '--stanza=ahwa', 'backup']);
  await scenario.stall('base backup taken', () => Promise.resolve());
  const before = new Map(scenario.ledger.orders);
  const moment = await ask(primary, 'select clock_timestamp()');
  await scenario.stall('after the moment to recover', () => Promise.resolve());
  const last = await ask(primary, 'select pg_walfile_name(pg_switch_wal())');
  await eventually(
    async () =>
      (await ask(primary, 'select last_archived_wal from pg_stat_archiver')) >= last ? true : null,
    'the log to be archived',
  );
  const found = await cluster.recovered(moment, async (client) => ({
    found: await compare(client, before),
    inconsistent: await inconsistentRows(client),
  }));
  expect(before.size).toBeLessThan(scenario.ledger.orders.size);
  expect(found).toEqual({ found: NOTHING_WRONG, inconsistent: [] });
});

test('no stored row is inconsistent after all of that', async () => {
  expect(await cluster.asOwner(inconsistentRows)).toEqual([]);
});
