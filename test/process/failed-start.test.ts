/** A start that fails writes nothing, does no background work and leaves nothing running. */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/adapters/embedded-postgres.ts';
import { loadConfig } from '../../src/config.ts';
import { connect } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { settlePorts } from '../../src/serve/ports.ts';
import { add, aMessage, storedRow } from '../support/background/outbox.ts';
import { newId } from '../support/database/ids.ts';
import { emptyDatabase, withAdmin } from '../support/database/test-database.ts';
import { eventually, processesOf, urlOf, useProgram } from '../support/programs/program.ts';

const bench = useProgram('test', 'embedded');

const takenPort = async (): Promise<string> => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  return String((other.address() as AddressInfo).port);
};

test.each(['PORT', 'METRICS_PORT'])(
  'a taken %s ends the start before a table, a demo shop or a key is made',
  async (key) => {
    const database = await emptyDatabase();
    onTestFinished(() => database.release());
    const before = readdirSync(bench.dataDir());
    const { code, stderr } = await bench.launch({
      ...{ DATABASE_URL: urlOf(database.connection), DEMO: 'true', HOST: '127.0.0.1' },
      [key]: await takenPort(),
    }).ended;
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^ahwa: 127\.0\.0\.1:\d+ is taken by another program; .*\n$/),
    ]);
    const { rows } = await withAdmin(database, (client) =>
      client.query("select from pg_tables where schemaname = 'public'"),
    );
    expect([rows.length, readdirSync(bench.dataDir())]).toEqual([0, before]);
  },
);

test('one port for the server and its metrics ends the start in one sentence', async () => {
  const port = await takenPort();
  const { code, stderr } = await bench.launch({ PORT: port, METRICS_PORT: port, METRICS_HOST: '' }).ended;
  expect([code, stderr]).toEqual([
    ...[1, `ahwa: PORT and METRICS_PORT are both ${port}; set one of them to another.\n`],
  ]);
});

test.each(['192.0.2.1', 'no-such-host.invalid'])(
  'a host of the metrics that is none of this machine: the sentence names METRICS_HOST: %s',
  async (host) => {
    const settings = { METRICS_HOST: host, METRICS_PORT: '9', PORT: '0' };
    await expect(settlePorts(loadConfig(settings))).rejects.toThrow(
      `${host}:9 is not an address of this machine; set METRICS_HOST to another.`,
    );
  },
);

const UNKNOWN_MIGRATION = `
  insert into migration (id, name, checksum, compatible, applied_at)
  values (9999, 'of_a_newer_build', '', false, now()) on conflict do nothing`;

test('a start that refuses its database sends and sweeps nothing, and ends its PostgreSQL', async () => {
  const dataDir = bench.dataDir();
  const due = aMessage(newId());
  const onDatabase = async <T>(
    work: (db: ReturnType<typeof connect<Database>>) => Promise<T>,
  ): Promise<T> => {
    const server = await startEmbeddedPostgres({ dataDir });
    const db = connect<Database>(server.connection);
    try {
      await withAdmin({ connection: server.owner }, (client) => client.query(UNKNOWN_MIGRATION));
      return await work(db);
    } finally {
      await db.close();
      await server.release();
    }
  };
  await onDatabase((db) => add(db, [due], Date.UTC(2026, 0, 1)));
  const { code, stderr, stdout } = await bench.launch({ OTP_FILE: join(dataDir, 'sent') }).ended;
  expect([code, stdout, stderr]).toEqual([
    1,
    '',
    'ahwa: The database has the migration 9999_of_a_newer_build, which this build does not know and cannot work with; start the newer build.\n',
  ]);
  await eventually(() => (processesOf(dataDir).length === 0 ? true : null), 'PostgreSQL to end');
  expect([readdirSync(join(dataDir, 'run/users')), readdirSync(dataDir).includes('sent')]).toEqual([
    [],
    false,
  ]);
  const row = await onDatabase((db) => storedRow(db, due));
  expect(row).toMatchObject({ status: 'waiting', attempts: 0 });
});
