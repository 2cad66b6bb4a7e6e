/**
 * Vitest global setup: one PostgreSQL per run, TEST_DATABASE_URL or DATABASE_URL if set, else an embedded server in the
 * temp folder; and one migrated template database, which test files copy. With CITUS_URL it is that server, and the
 * template is spread over its shards.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../../src/adapters/embedded-postgres.ts';
import { distribute } from '../../../src/platform/store/nodes/distribute.ts';
import { MIGRATIONS } from '../../../src/wiring.ts';
import { dataFolder, removeDataFolder } from '../programs/data-folder.ts';
import { databaseOf, endSessions, migrateAndGrant, withAdmin } from '../database/test-database.ts';
import type { TestServer } from '../database/test-database.ts';

interface BorrowedServer extends Omit<TestServer, 'prefix'> {
  readonly release: () => Promise<void>;
}

/** A serving role for this run on a given server. */
const lendRole = async (url: string, isDistributed: boolean): Promise<BorrowedServer> => {
  const [name, password] = [`ahwa_test_${randomBytes(4).toString('hex')}`, randomBytes(16).toString('hex')];
  await withAdmin({ connection: { url } }, (client) =>
    client.query(`create role ${name} login password '${password}'`),
  );
  const serving = Object.assign(new URL(url), { username: name, password });
  return {
    connection: { url },
    ...{ serving: { url: serving.href }, isDistributed },
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
  const citus = process.env['CITUS_URL'];
  if (citus !== undefined && citus !== '') return lendRole(citus, true);
  const url = process.env['TEST_DATABASE_URL'] || process.env['DATABASE_URL'];
  if (url !== undefined && url !== '') return lendRole(url, false);
  const dataDir = dataFolder();
  const server = await startEmbeddedPostgres({ dataDir });
  await skipFsync(server.owner);
  const release = async (): Promise<void> => {
    await server.release();
    removeDataFolder(dataDir);
  };
  return { connection: server.owner, serving: server.connection, isDistributed: false, release };
};

/** Few shards: each is a copy of every table. */
const spread = async (server: TestServer, template: string): Promise<void> => {
  const connection = databaseOf(server.connection, template);
  await withAdmin({ connection }, async (client) => {
    await client.query('create extension citus');
    await client.query(`alter database ${template} set citus.shard_count = 2`);
  });
  await distribute({ connection, folder: MIGRATIONS, onProgress: () => undefined });
  await endSessions(server, template);
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
  const template = `${server.prefix}template`;
  const connection = databaseOf(roles.connection, template);
  try {
    await withAdmin(server, (client) => client.query(`create database ${template}`));
    await migrateAndGrant(connection, databaseOf(roles.serving, template));
    project.provide('shopTables', await tablesOfShops(connection));
    if (roles.isDistributed) await spread(server, template);
  } catch (fault) {
    await dropAll(server);
    await release();
    throw fault;
  }
  const runFolder = dataFolder();
  project.provide('testServer', server);
  project.provide('runFolder', runFolder);
  return async () => {
    await dropAll(server);
    await release();
    removeDataFolder(runFolder);
  };
}
