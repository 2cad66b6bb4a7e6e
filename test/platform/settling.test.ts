/** Settling of request limits between processes: statements at once, floods, a database that fails or is emptied. */
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { systemRandom } from '../../src/adapters/system.ts';
import { registerLimitMetrics } from '../../src/app-metrics.ts';
import { createMetrics } from '../../src/doors/http/metrics.ts';
import { LookupLimit } from '../../src/platform/app/limits/lookup-limit.ts';
import { LimitSettling } from '../../src/platform/app/limits/settling.ts';
import { sweeps } from '../../src/platform/app/sweeps.ts';
import { createTokens } from '../../src/platform/app/tokens.ts';
import { SharedBuckets } from '../../src/platform/domain/shared-buckets.ts';
import type { BucketSize } from '../../src/platform/domain/token-bucket.ts';
import { connect, type ConnectionOptions, type Db } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { useManualClock, type ManualClock } from '../support/database/manual-clock.ts';
import { PATIENT } from '../support/database/patient-options.ts';
import {
  freshDatabase,
  migrateAndGrant,
  waitingForLocks,
  withAdmin,
  type TestDatabase,
} from '../support/database/test-database.ts';
import { ownPostgres } from '../support/programs/own-postgres.ts';

const START = Date.parse('2026-11-20T18:00:00Z');
/** Tokens of a second each. */
const LARGE: BucketSize = { burst: 100_000, seconds: 100_000 };

let database: TestDatabase;
let clock: ManualClock;
let open: Db<Database>[] = [];

beforeEach(async () => {
  database = await freshDatabase();
  clock = await useManualClock(database, START);
});
afterEach(async () => {
  for (const db of open) await db.close();
  open = [];
  await database.release();
});

interface Settled {
  readonly settling: LimitSettling;
  readonly buckets: SharedBuckets;
  readonly db: Db<Database>;
  readonly logged: string[];
  now: number;
  take(client: string, count?: number): void;
}

/** What one process has of the limits. */
const aProcess = ({
  connection = database.connection,
  size = LARGE,
  key = 'a key of the tests',
}: {
  readonly connection?: ConnectionOptions;
  readonly size?: BucketSize;
  readonly key?: string;
} = {}): Settled => {
  const db = connect<Database>(connection, { ...PATIENT, size: 1 });
  open.push(db);
  const logged: string[] = [];
  const note = (level: string) => (_: object, message: string) => logged.push(`${level}: ${message}`);
  const time = { now: 0 };
  const settling = new LimitSettling({
    ...{ db, tokens: createTokens([key], systemRandom), monotonic: () => time.now },
    log: { info: note('info'), warn: note('warn') },
  });
  const buckets = new SharedBuckets({ name: 'writes', size, capacity: 60_000, quietPart: 0 });
  settling.add(buckets);
  return {
    ...{ settling, buckets, db, logged },
    get now() {
      return time.now;
    },
    set now(now) {
      time.now = now;
    },
    take: (client, count = 1) => {
      for (let n = 0; n < count; n += 1) buckets.take(client, buckets.owedMs(client, time.now), time.now);
    },
  };
};

const owedSeconds = async ({ db }: Settled): Promise<readonly number[]> =>
  (
    await sql<{ seconds: number }>`
      select (full_at - ${START}) / 1000 as seconds from request_limit order by client
    `.execute(db.kysely)
  ).rows.map(({ seconds }) => seconds);

test('two processes that settle the same 500 clients at once lose nothing and never deadlock', async () => {
  const clients = Array.from({ length: 500 }, (_, n) => `client ${n}`);
  const [first, second] = [aProcess(), aProcess()];
  for (let round = 1; round <= 60; round += 1) {
    for (const client of clients) first.take(client);
    for (const client of clients.toReversed()) second.take(client, 2);
    await Promise.all([first.settling.settle(), second.settling.settle()]);
  }
  expect([first.logged, second.logged]).toEqual([[], []]);
  expect(await owedSeconds(first)).toEqual(clients.map(() => 180));
  // Each learns what both took.
  for (const each of [first, second]) {
    each.take('client 7');
    await each.settling.settle();
  }
  expect(second.buckets.owedMs('client 7', 0)).toBe(182_000);
});

test('each client of a statement gets what it took itself, from when it took it', async () => {
  const names = Array.from({ length: 100 }, (_, n) => `client ${n}`);
  const [one, other] = [aProcess(), aProcess()];
  for (const [n, client] of names.entries()) one.take(client, n + 1);
  // A minute later some of the buckets are full again, as of some time before.
  await clock.set(START + 60_000);
  one.now = other.now = 60_000;
  await one.settling.settle();
  expect((await owedSeconds(one)).toSorted((a, b) => a - b)).toEqual(names.map((_, n) => n + 1));
  for (const client of names.toReversed()) other.take(client, 5);
  await other.settling.settle();
  for (const [n, client] of names.entries())
    expect(other.buckets.owedMs(client, 60_000)).toBe(Math.max(n + 1 - 60, 0) * 1000 + 5_000);
});

test('what two processes let a client take in the same time adds up, whichever is settled first', async () => {
  const [one, other] = [aProcess(), aProcess()];
  for (const each of [one, other]) each.take('c', 10);
  await clock.set(START + 8_000);
  one.now = other.now = 8_000;
  for (const { settling } of [one, other]) await settling.settle();
  expect(await owedSeconds(one)).toEqual([20]);
  expect([one, other].map(({ buckets }) => buckets.owedMs('c', 8_000))).toEqual([2_000, 12_000]);
});

test('a settling that waits is joined, and what is taken meanwhile is settled by the next one', async () => {
  const [one, other] = [aProcess(), aProcess()];
  one.take('c', 10);
  await one.settling.settle();
  const locked = withAdmin({ connection: database.owner }, async (client) => {
    await client.query('begin; lock table request_limit in exclusive mode');
    one.take('c', 1);
    const settling = one.settling.settle();
    await waitingForLocks(other.db, 1);
    one.take('c', 5);
    expect(one.settling.settle()).toBe(settling);
    await client.query('commit');
    return settling;
  });
  await locked;
  expect(one.buckets.owedMs('c', 0)).toBe(16_000);
  expect(await owedSeconds(one)).toEqual([11]);
  await one.settling.settle();
  expect(await owedSeconds(one)).toEqual([16]);
});

test('a flood of 50,000 clients is settled by 2,000 at a time, and buckets with few do not wait', async () => {
  const flooded = aProcess();
  const others = new SharedBuckets({ name: 'otp', size: LARGE, capacity: 100, quietPart: 0 });
  flooded.settling.add(others);
  for (let n = 0; n < 50_000; n += 1) flooded.take(`flood ${n}`);
  others.take('a guest', 0, 0);
  await flooded.settling.settle();
  expect(flooded.settling.settled).toEqual({ writes: 1_999, otp: 1 });
  expect(flooded.settling.waiting).toBe(48_001);
  // Those that wait come before those that are busy again.
  flooded.take('flood 0');
  for (let rounds = 1; flooded.settling.waiting > 0; rounds += 1) {
    await flooded.settling.settle();
    expect(rounds).toBeLessThan(26);
  }
  expect(flooded.settling.settled).toEqual({ writes: 50_001, otp: 1 });
  const metrics = createMetrics();
  registerLimitMetrics(metrics, flooded.settling);
  const text = await metrics.text();
  for (const line of [
    'ahwa_limits_alone 0',
    'ahwa_limit_clients_settled_total{limit="writes"} 50001',
    'ahwa_limit_clients_waiting 0',
  ])
    expect(text).toContain(line);
});

test('rows of buckets that are full again are deleted once a minute, others stay', async () => {
  const one = aProcess();
  one.take('short', 5);
  one.take('long', 90);
  await one.settling.settle();
  const [sweep] = sweeps;
  expect(sweep?.everyMs).toBe(60_000);
  // The clock of the service is not asked.
  const app = { db: one.db } as Parameters<NonNullable<typeof sweep>['run']>[0];
  await clock.set(START + 4_999);
  await sweep?.run(app, () => false);
  expect(await owedSeconds(one)).toHaveLength(2);
  await clock.set(START + 5_000);
  await sweep?.run(app, () => false);
  expect(await owedSeconds(one)).toEqual([90]);
});

test('a clock of the database that was set back leaves no client waiting for more than twice its bucket', async () => {
  const one = aProcess({ size: { burst: 60, seconds: 60 } });
  one.take('c', 30);
  await one.settling.settle();
  await clock.set(START - 3_600_000);
  one.take('c');
  await one.settling.settle();
  expect(one.buckets.owedMs('c', 0)).toBe(120_000);
});

test('the limit of quoted places is shared', async () => {
  const roads = { meters: () => Promise.resolve(1) };
  const processes = [aProcess(), aProcess()];
  const [one, other] = processes.map(({ settling }) => {
    const limit = new LookupLimit({ scale: 1, monotonic: () => 0, settling });
    const place = { lat: 30, lng: 31 };
    return (count: number): Promise<number> =>
      Promise.allSettled(
        Array.from({ length: count }, () => limit.on(roads, '203.0.113.9').meters(place, place)),
      ).then((answers) => answers.filter(({ status }) => status === 'fulfilled').length);
  });
  expect(await one?.(61)).toBe(60);
  await processes[0]?.settling.settle();
  expect(await other?.(8)).toBe(8);
  await processes[1]?.settling.settle();
  expect(await other?.(5)).toBe(0);
});

test('processes with another secret key count for themselves', async () => {
  const [one, other] = [aProcess(), aProcess({ key: 'another key' })];
  for (const each of [one, other]) {
    each.take('c', 3);
    await each.settling.settle();
  }
  expect(await owedSeconds(one)).toEqual([3, 3]);
});

test('a crash of PostgreSQL empties the table; limits go on, and are shared again', async () => {
  const postgres = await ownPostgres();
  onTestFinished(() => postgres.release());
  const { connection } = postgres;
  await migrateAndGrant(connection, connection);
  const [one, other] = [aProcess({ connection }), aProcess({ connection })];
  onTestFinished(() => Promise.all([one.db.close(), other.db.close()]).then(() => undefined));
  one.take('c', 20);
  await one.settling.settle();
  const count = () =>
    withAdmin({ connection }, async (client) => {
      const { rows } = await client.query<{ count: string }>('select count(*) from request_limit');
      return Number(rows[0]?.count);
    });
  expect(await count()).toBe(1);
  await withAdmin({ connection }, async (client) => {
    client.on('error', () => undefined);
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const lost = new Promise((resolve) => client.once('end', resolve));
    // The postmaster ends all sessions and recovers.
    process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
    await lost;
  });
  await expect.poll(() => count().catch(() => null)).toBe(0);
  one.take('c', 200);
  other.take('c', 500);
  for (const { settling } of [one, other])
    await expect
      .poll(async () => (await settling.settle(), [settling.isAlone, settling.waiting]))
      .toEqual([false, 0]);
  // Less what the real clock of this database has given back meanwhile.
  expect(other.buckets.owedMs('c', 0)).toBeGreaterThan(500_000);
  expect(other.buckets.owedMs('c', 0)).toBeLessThanOrEqual(700_000);
});
