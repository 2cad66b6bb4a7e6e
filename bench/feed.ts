/**
 * What hearing of changes costs a process that watches many shops, and how soon a server hears. Beside it, in the same run:
 * asking for the last change of each of them.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { startEmbeddedPostgres, type EmbeddedConnection } from '../src/adapters/embedded-postgres.ts';
import { announceChanges } from '../src/platform/store/change-feed.ts';
import { recordChanges } from '../src/platform/store/change-log.ts';
import { connect, type Db } from '../src/platform/store/db.ts';
import type { Database } from '../src/platform/store/schema.ts';
import { withAhwa, withDataFolder } from './support/ahwa.ts';
import { get, openConnection } from './support/connection.ts';
import { addShops, withApp } from './support/data.ts';
import { median, millis, percentile } from './support/figures.ts';
import { idOf } from './support/feed-shops.ts';
import { cpuSeconds, lineOf, spawnNode, stop } from './support/processes.ts';
import { report, type Row } from './support/report.ts';
import { shopFile } from './support/shop.ts';
import { shopIdOf } from '../src/shopfile/app/entity-ids.ts';

const SHOPS = 100_000;
const ROWS_PER_SHOP = 20;
const CHANGES_PER_SECOND = 50;
const WARM_MS = 5_000;
const MEASURED_MS = 20_000;
const NEWS = 30;
const SHOP = shopFile({ slug: 'heard', items: 10, branches: 1, tables: 0 });

/** Logs of shops that have not changed since. */
const fillLog = async (connection: EmbeddedConnection): Promise<void> => {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(`
    insert into change_counter (org_id, seq)
    select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, ${ROWS_PER_SHOP}
    from generate_series(1, ${SHOPS}) n`);
  await client.query(`
    insert into change (org_id, seq, scope, type, id, op, at)
    select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, seq, 'shop', 'shop', gen_random_uuid(), 'upsert', now()
    from generate_series(1, ${ROWS_PER_SHOP}) seq, generate_series(1, ${SHOPS}) n`);
  await client.query('vacuum analyze');
  await client.end();
};

/** The process of PostgreSQL that answers the reader. */
const backendOf = async (connection: EmbeddedConnection): Promise<number> => {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'ahwa bench feed'",
  );
  await client.end();
  const [{ pid } = { pid: 0 }] = rows;
  return pid;
};

const change = (orgId: string, scope: string) => ({
  ...{ scope, type: 'shop', id: orgId, op: 'upsert' as const },
});

/** Commits of other processes, one at a time, in shops by chance; announced five times a second, more often than one process does. */
const commitPaced = async (db: Db<Database>, forMs: number): Promise<number> => {
  const began = performance.now();
  let committed = 0;
  for (let due = began; due < began + forMs; due += 1000 / CHANGES_PER_SECOND) {
    await pause(Math.max(0, due - performance.now()));
    const orgId = idOf(1 + Math.floor(Math.random() * SHOPS));
    await db.tx((tx) => recordChanges(tx, orgId, [change(orgId, 'shop')], Date.now()));
    committed += 1;
    if (committed % (CHANGES_PER_SECOND / 5) === 0) await announceChanges(db.kysely, 'bench');
  }
  return committed;
};

/** Share of one core that a reader and its connection take while `work` runs. */
const coreShare = async (cpu: () => number, work: () => Promise<unknown>): Promise<number> => {
  const [began, before] = [performance.now(), cpu()];
  await work();
  return (cpu() - before) / ((performance.now() - began) / 1000);
};

interface Hearing {
  /** Without and with changes. */
  readonly still: number;
  readonly busy: number;
}

const measureReader = async (connection: EmbeddedConnection, db: Db<Database>): Promise<Hearing> => {
  const reader = spawnNode(
    ['--import', 'tsx', 'bench/support/feed-reader.ts', JSON.stringify({ connection, shops: SHOPS })],
    {},
  );
  await lineOf(reader, (line) => (line === 'reading' ? line : null));
  // The first polls compile and plan.
  await commitPaced(db, WARM_MS);
  const backend = await backendOf(connection);
  const cpu = (): number => cpuSeconds(reader.pid) + cpuSeconds(backend);
  const still = await coreShare(cpu, () => pause(MEASURED_MS));
  const busy = await coreShare(cpu, () => commitPaced(db, MEASURED_MS));
  await stop(reader);
  return { still, busy };
};

const percent = (share: number): string => `${(100 * share).toFixed(2)} % of a core`;

/** Seconds of a question for the last change of each of so many shops, as a poll that knows its shops would ask. */
const askByShop = async (db: Db<Database>): Promise<number> => {
  const ids = Array.from({ length: SHOPS }, (_, n) => idOf(n + 1));
  const times: number[] = [];
  for (let n = 0; n < 7; n += 1) {
    const began = performance.now();
    await sql`select org_id, seq from change_counter where org_id = any(${ids}::uuid[])`.execute(db.kysely);
    times.push(performance.now() - began);
  }
  return median(times) / 1000;
};

/** Milliseconds from a commit of another process until the server answers with it. */
const newsOf = async (db: Db<Database>, port: number, isAnnounced: boolean): Promise<readonly number[]> => {
  const orgId = shopIdOf(SHOP.slug);
  const asking = openConnection(port);
  const times: number[] = [];
  for (let n = 0; n < NEWS; n += 1) {
    const name = `${isAnnounced ? 'announced' : 'polled'} ${n}`;
    await db.tx(async (tx) => {
      await tx.updateTable('shop').set({ name }).where('org_id', '=', orgId).execute();
      await recordChanges(tx, orgId, [change(orgId, 'shop')], Date.now());
    });
    const committedAt = performance.now();
    if (isAnnounced) await announceChanges(db.kysely, 'bench');
    while (!(await asking.ask(get(`/public/orgs/brand?slug=${SHOP.slug}`))).body.includes(name))
      await pause(1);
    times.push(performance.now() - committedAt);
    // At any moment between two polls.
    await pause(400 * Math.random());
  }
  asking.close();
  return times;
};

const newsRow = (how: string, times: readonly number[]): Row => ({
  job: `until a server answers with a change of another process, ${how}`,
  figure: `median ${millis(median(times))}, longest ${millis(percentile(times, 1))}`,
  ...{ goal: '≤ 1 s', met: percentile(times, 1) <= 1_000 },
});

const measure = async (connection: EmbeddedConnection, dataDir: string): Promise<void> => {
  const db = connect<Database>(connection, { size: 2, answerMs: 60_000, statementMs: 50_000 });
  const { still, busy } = await measureReader(connection, db);
  const byShop = await askByShop(db);
  const news: Row[] = [];
  await withAhwa(dataDir, { DEMO: 'false', METRICS_PORT: 'off' }, async ({ port }) => {
    news.push(newsRow('polled', await newsOf(db, port, false)));
    news.push(newsRow('announced', await newsOf(db, port, true)));
  });
  await db.close();
  report(`Hearing of changes of ${SHOPS.toLocaleString('en')} watched shops`, [
    { job: 'a process and its connection, without a change', figure: percent(still) },
    {
      job: `${CHANGES_PER_SECOND} changes of other processes a second`,
      figure: percent(busy),
      baseline: `${millis(1000 * byShop)} each 400 ms for asking by shop, ${percent(2.5 * byShop)}`,
      ratio: (busy / (2.5 * byShop)).toFixed(3),
      ...{ goal: '≤ 2 % of a core', met: busy <= 0.02 },
    },
    ...news,
  ]);
};

await withDataFolder(async (dataDir) => {
  await withApp(dataDir, (app) => addShops(app, SHOP));
  const embedded = await startEmbeddedPostgres({ dataDir });
  try {
    await fillLog(embedded.owner);
    await measure(embedded.connection, dataDir);
  } finally {
    await embedded.release();
  }
});
