/**
 * Vitest global setup: one PostgreSQL per run, TEST_DATABASE_URL or DATABASE_URL if set, else an embedded server in the
 * temp folder; and one migrated template database, which test files copy.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../../src/adapters/embedded-postgres.ts';
import { dataFolder, removeDataFolder } from '../programs/data-folder.ts';
import { databaseOf, migrateAndGrant, withAdmin } from '../database/test-database.ts';
import type { TestServer } from '../database/test-database.ts';

interface BorrowedServer extends Pick<TestServer, 'connection' | 'serving'> {
  readonly release: () => Promise<void>;
}

/** A serving role for this run on a given server. */
const lendRole = async (url: string): Promise<BorrowedServer> => {
  const [name, password] = [`ahwa_test_${randomBytes(4).toString('hex')}`, randomBytes(16).toString('hex')];
  await withAdmin({ connection: { url } }, (client) =>
    client.query(`create role ${name} login password '${password}'`),
  );
  const serving = Object.assign(new URL(url), { username: name, password });
  return {
    connection: { url },
    serving: { url: serving.href },
    release: () =>
      withAdmin({ connection: { url } }, async (client) => {
        await client.query(`drop role ${name}`);
      }),
  };
};

/** A crash of the machine costs a test run nothing that it needs; the other guarantees stay. */
const skipFsync = (connection: TestServer['connection']): Promise<void> =>
  withAdmin({ connection }, async (client) => {
    await client.query('alter system set fsync = off');
    await client.query('alter system set full_page_writes = off');
    await client.query('select pg_reload_conf()');
  });

const borrowServer = async (): Promise<BorrowedServer> => {
  // An empty variable counts as unset.
  const url = process.env['TEST_DATABASE_URL'] || process.env['DATABASE_URL'];
  if (url !== undefined && url !== '') return lendRole(url);
  const dataDir = dataFolder();
  const server = await startEmbeddedPostgres({ dataDir });
  await skipFsync(server.owner);
  const release = async (): Promise<void> => {
    await server.release();
    removeDataFolder(dataDir);
  };
  return { connection: server.owner, serving: server.connection, release };
};

/** Tables whose rows have the id of their shop. */
const tablesOfShops = (connection: TestServer['connection']): Promise<string[]> =>
  withAdmin({ connection }, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name = 'org_id'`,
    );
    return rows.map(({ name }) => name);
  });

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
  const { release, ...roles } = await borrowServer();
  const server: TestServer = { ...roles, prefix: `ahwa_test_${randomBytes(4).toString('hex')}_` };
  try {
    const template = `${server.prefix}template`;
    await withAdmin(server, (client) => client.query(`create database ${template}`));
    await migrateAndGrant(databaseOf(roles.connection, template), databaseOf(roles.serving, template));
  } catch (fault) {
    await release();
    throw fault;
  }
  const runFolder = dataFolder();
  project.provide('testServer', server);
  project.provide(
    'shopTables',
    await tablesOfShops(databaseOf(roles.connection, `${server.prefix}template`)),
  );
  project.provide('runFolder', runFolder);
  return async () => {
    await dropAll(server);
    await release();
    removeDataFolder(runFolder);
  };
}
