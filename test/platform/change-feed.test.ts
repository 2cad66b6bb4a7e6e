/** Readers of the change feed against the transactions that were committed. */
import fc from 'fast-check';
import { sql, type Kysely, type Transaction } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ScopedChanges } from '../../src/kernel/change.ts';
import { ChangeFeed } from '../../src/platform/app/changes/change-feed.ts';
import { commitAndPublish } from '../../src/platform/app/commit.ts';
import {
  FEED_CHANNEL,
  feedQuery,
  readFeed,
  type FeedPosition,
} from '../../src/platform/store/change-feed.ts';
import { recordChanges } from '../../src/platform/store/change-log.ts';
import { connect, type Db } from '../../src/platform/store/db.ts';
import { readCounters, type ChangesRead } from '../../src/platform/store/nodes/feed.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { deferred, manualTimers } from '../support/background/manual-timers.ts';
import { PATIENT } from '../support/database/patient-options.ts';
import { insertShop } from '../support/database/rows.ts';
import { asOwner, freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { eventually } from '../support/programs/program.ts';
import { aChangePublisher } from '../support/server/change-publisher.ts';

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const NOON = Date.parse('2026-12-04T10:00:00Z');
const WRITERS = 3;
/** Of a writer each: transactions of one shop wait for each other. */
const SHOPS = [id(1), id(2), id(3)];

let database: TestDatabase;
let db: Db<Database>;
beforeAll(async () => {
  database = await freshDatabase();
  db = connect<Database>(database.connection, PATIENT);
  // Statistics are taken when a test says so.
  await asOwner(database, 'alter table change set (autovacuum_enabled = false)');
  for (const [at, shop] of SHOPS.entries()) await insertShop(db.kysely, shop, `shop-${at}`);
});
afterAll(async () => {
  await db.close();
  await database.release();
});

const changesOf = (scopes: readonly string[]) =>
  scopes.map((scope) => ({ ...{ scope, type: 'shop', id: id(9), op: 'upsert' as const } }));

const summary = ({ orgId, version, scopes }: ScopedChanges): string =>
  `${orgId} ${version} ${scopes.toSorted().join()}`;

/** A transaction that stays open until the test ends it. */
const openTransaction = async (): Promise<{
  readonly tx: Transaction<Database>;
  end(commits: boolean): Promise<void>;
}> => {
  const begun = deferred<Transaction<Database>>();
  const ending = deferred<boolean>();
  const done = db.kysely
    .transaction()
    .execute(async (tx) => {
      begun.resolve(tx);
      if (!(await ending.promise)) throw new Error('rolled back');
    })
    .catch((fault: unknown) => {
      if (!(fault instanceof Error) || fault.message !== 'rolled back') throw fault;
    });
  const tx = await begun.promise;
  // It has its number from here on, however late it logs.
  await sql`select pg_current_xact_id()`.execute(tx);
  return {
    tx,
    end: (commits) => {
      ending.resolve(commits);
      return done;
    },
  };
};

type Read<P> = (db: Kysely<Database>, after: P | null) => Promise<ChangesRead<P>>;

/** Remembers what it has read, transaction by transaction. */
class Reader<P> {
  position: P | null = null;
  readonly read: string[] = [];
  readonly #read: Read<P>;

  constructor(read: Read<P>) {
    this.#read = read;
  }

  async poll(): Promise<void> {
    const read = this.#read;
    const { position, changes } = await read(db.kysely, this.position);
    if (this.position !== null && changes === null) throw new Error('the reader began anew');
    this.position = position;
    this.read.push(...(changes ?? []).map(summary));
  }
}

type Step =
  | { readonly do: 'begin' | 'commit' | 'roll back'; readonly writer: number }
  | { readonly do: 'log'; readonly writer: number; readonly scopes: readonly string[] }
  | { readonly do: 'poll'; readonly reader: number };

const writer = fc.nat(WRITERS - 1);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('begin' as const, 'commit' as const, 'roll back' as const), writer }),
  fc.record({
    do: fc.constant('log' as const),
    ...{ writer, scopes: fc.subarray(['a', 'b', 'c'], { minLength: 1 }) },
  }),
  fc.record({ do: fc.constant('poll' as const), reader: fc.nat(1) }),
);

test.each([
  ['transactions', () => new Reader(readFeed)],
  ['change counters', () => new Reader(readCounters)],
])('every reader by %s gets each committed transaction once, however long it ran', async (_, aReader) => {
  const run = async (steps: readonly Step[]): Promise<void> => {
    const readers = [aReader(), aReader()];
    for (const reader of readers) await reader.poll();
    const open = new Map<number, Awaited<ReturnType<typeof openTransaction>>>();
    const logged = new Map<number, string>();
    const committed: string[] = [];
    const end = async (at: number, commits: boolean): Promise<void> => {
      await open.get(at)?.end(commits);
      const log = logged.get(at);
      if (commits && log !== undefined) committed.push(log);
      open.delete(at);
      logged.delete(at);
    };
    for (const step of steps)
      if (step.do === 'poll') await readers[step.reader]?.poll();
      else if (step.do === 'begin') {
        if (!open.has(step.writer)) open.set(step.writer, await openTransaction());
      } else if (step.do === 'log') {
        const transaction = open.get(step.writer);
        const orgId = SHOPS[step.writer] ?? '';
        if (transaction === undefined || logged.has(step.writer)) continue;
        const version = await recordChanges(transaction.tx, orgId, changesOf(step.scopes), NOON);
        logged.set(step.writer, summary({ orgId, version, scopes: step.scopes }));
      } else await end(step.writer, step.do === 'commit');
    for (const at of [...open.keys()]) await end(at, true);
    for (const reader of readers) {
      await reader.poll();
      expect(reader.read.toSorted()).toEqual(committed.toSorted());
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(anyStep, { maxLength: 40, size: 'max' }), run), { numRuns: 60 });
});

describe('a reader begins anew', () => {
  const positionNow = async (): Promise<FeedPosition> => (await readFeed(db.kysely, null)).position;

  test.each<readonly [string, (now: FeedPosition) => Partial<FeedPosition>]>([
    ['after a restart of the database server', ({ run }) => ({ run: `1${run}` })],
    ['after its server recovered from a crash without one', ({ run }) => ({ run: `${run}1` })],
    ['on a database whose transactions went back', ({ next }) => ({ next: String(BigInt(next) + 1000n) })],
  ])('%s', async (_, changed) => {
    const now = await positionNow();
    expect((await readFeed(db.kysely, now)).changes).toEqual([]);
    const { position, changes } = await readFeed(db.kysely, { ...now, ...changed(now) });
    expect([position.run, changes]).toEqual([now.run, null]);
  });

  // A recovery sets the statistics of the log anew, and gives the numbers of unwritten transactions out again.
  test('names a run by its start and its last recovery', async () => {
    const { rows } = await sql<{ run: string }>`
      select extract(epoch from pg_postmaster_start_time()) || ' ' || extract(epoch from stats_reset) as run
      from pg_stat_wal`.execute(db.kysely);
    expect((await positionNow()).run).toBe(rows[0]?.run);
  });

  test('behind more rows than one read takes', async () => {
    const before = await positionNow();
    await asOwner(
      database,
      `insert into change (org_id, seq, scope, type, id, op, at)
       select '${id(8)}', n, 'scope ' || n, 'shop', '${id(9)}', 'upsert', now() from generate_series(1, 100000) n`,
    );
    const { position, changes } = await readFeed(db.kysely, before);
    expect(changes).toBeNull();
    expect((await readFeed(db.kysely, position)).changes).toEqual([]);
  });
});

test('a reader by change counters begins anew after a restore, and where a shop was removed', async () => {
  const { position } = await readCounters(db.kysely, null);
  const more = new Map([...position.counters, [id(8), 1]]);
  expect((await readCounters(db.kysely, { ...position, counters: more })).changes).toBeNull();
  await asOwner(database, `update change_counter set seq = seq + 1000 where org_id = '${SHOPS[0] ?? ''}'`);
  expect((await readCounters(db.kysely, position)).changes).toBeNull();
});

test('rows that were copied from another server are read by nobody', async () => {
  const before = (await readFeed(db.kysely, null)).position;
  const later = String(BigInt(before.next) + 1_000_000n);
  await asOwner(
    database,
    `insert into change (org_id, seq, scope, type, id, op, at, transaction_id)
     values ('${id(8)}', 0, 'shop', 'shop', '${id(9)}', 'upsert', now(), '${later}')`,
  );
  expect((await readFeed(db.kysely, before)).changes).toEqual([]);
});

test('a poll reads few pages of a large log, with and without statistics', async () => {
  const { position } = await readFeed(db.kysely, null);
  await db.kysely.transaction().execute((tx) => recordChanges(tx, SHOPS[0] ?? '', changesOf(['a']), NOON));
  for (const isKnown of [false, true]) {
    if (isKnown) await asOwner(database, 'analyze change');
    // Not the transactions that run in other databases: without statistics, 150 of them make a scan of all the cheaper plan.
    const { rows } = await sql<{ 'QUERY PLAN': readonly [{ readonly Plan: Record<string, number> }] }>`
      explain (analyze, buffers, format json) ${feedQuery({ ...position, running: ['3'] }, 100_000)}
    `.execute(db.kysely);
    const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
    // The log of the tests above has some 1,300 pages.
    const pages = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
    expect(pages, JSON.stringify({ isKnown, plan })).toBeLessThan(50);
  }
});

/** A process: its feed listens on a connection of its own, and its timers fire when the test says so. */
const aProcess = async (processName: string) => {
  const published: (readonly [string, boolean])[] = [];
  const { timers, pending, fire } = manualTimers();
  const changePublisher = aChangePublisher();
  const own: Db<Database> = connect<Database>(database.connection, {
    ...{ ...PATIENT, size: 1 },
    listening: { channel: FEED_CHANNEL, onNotice: (sender) => feed.wake(sender) },
  });
  const feed = new ChangeFeed({
    ...{ db: own, changePublisher, processName, timers, monotonic: () => 0 },
    onFailure: (failure) => {
      if (failure !== null) throw new Error('The feed failed.', { cause: failure });
    },
  });
  changePublisher.subscribe({ changed: (changes, isOwn) => published.push([summary(changes), isOwn]) });
  onTestFinished(async () => {
    feed.stop();
    await own.close();
  });
  await feed.poll();
  const commit = (scope: string): Promise<string> =>
    commitAndPublish({ db, clock: { now: () => NOON }, changePublisher }, (_, log) => {
      log.add(SHOPS[0] ?? '', ...changesOf([scope]));
      return Promise.resolve(scope);
    });
  return { feed, published, commit, pending, fire };
};

test('a process publishes its own commits at once and those of others once, as they were published', async () => {
  const [here, there] = [await aProcess('here'), await aProcess('there')];
  await here.commit('a');
  await there.commit('b');
  for (const { feed } of [here, there, here, there]) await feed.poll();
  const [[first, isOwn] = ['', false]] = here.published;
  expect([here.published, isOwn]).toEqual([
    [
      [first, true],
      [there.published[0]?.[0], false],
    ],
    true,
  ]);
  expect(there.published).toEqual([
    [here.published[1]?.[0], true],
    [first, false],
  ]);
});

test('an announcement makes other processes poll at once, and not the one that sent it', async () => {
  const [here, there] = [await aProcess('here'), await aProcess('there')];
  for (const one of [here, there]) {
    one.feed.start();
    one.fire(0);
    await eventually(() => (one.pending().includes(400) ? true : null), 'the first poll');
  }
  await here.commit('a');
  here.fire(0);
  await eventually(() => (there.pending().includes(250) ? true : null), 'the announcement');
  there.fire(250);
  await eventually(() => (there.published.length === 1 ? true : null), 'the change');
  expect([here.pending(), here.published.length]).toEqual([[400], 1]);
});
