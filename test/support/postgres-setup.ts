/**
 * One PostgreSQL per test run: TEST_DATABASE_URL or DATABASE_URL when given, else an embedded server with its
 * data in the system's temp folder. A migrated template is made once; test files get copies of it.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/adapters/embedded-postgres.ts';
import { migrate } from '../../src/store/migrate.ts';
import { MIGRATIONS } from '../../src/wiring.ts';
import { dataFolder, removeDataFolder } from './data-folder.ts';
import { databaseOf, withAdmin } from './postgres.ts';
import type { TestServer } from './postgres.ts';

interface Lent {
  readonly connection: TestServer['connection'];
  readonly giveBack: () => Promise<void>;
}

const borrowServer = async (): Promise<Lent> => {
  // An empty variable counts as none.
  const url = process.env['TEST_DATABASE_URL'] || process.env['DATABASE_URL'];
  if (url !== undefined && url !== '') return { connection: { url }, giveBack: () => Promise.resolve() };
  const dataDir = dataFolder();
  const server = await startEmbeddedPostgres({ dataDir });
  const giveBack = async (): Promise<void> => {
    await server.release();
    removeDataFolder(dataDir);
  };
  return { connection: server.connection, giveBack };
};

const dropAll = (server: TestServer): Promise<void> =>
  withAdmin(server, async (client) => {
    const left = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [server.prefix],
    );
    for (const { datname } of left.rows)
      await client.query(`drop database ${pg.escapeIdentifier(datname)} with (force)`);
  });

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { connection, giveBack } = await borrowServer();
  const server: TestServer = { connection, prefix: `ahwa_test_${randomBytes(4).toString('hex')}_` };
  try {
    const template = `${server.prefix}template`;
    await withAdmin(server, (client) => client.query(`create database ${template}`));
    await migrate({
      connection: databaseOf(server, template),
      folder: MIGRATIONS,
      now: () => Date.UTC(2026, 0, 1),
    });
  } catch (fault) {
    await giveBack();
    throw fault;
  }
  project.provide('testServer', server);
  return async () => {
    await dropAll(server);
    await giveBack();
  };
}
