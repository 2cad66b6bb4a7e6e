/** A database per test file, copied from this run's migrated template. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { inject } from 'vitest';
import type { ConnectionOptions, Db } from '../../../src/platform/store/db.ts';
import type { Database } from '../../../src/platform/store/schema.ts';

export interface TestServer {
  /** As a superuser. */
  readonly connection: ConnectionOptions;
  /** As the serving role, which owns no tables. */
  readonly serving: ConnectionOptions;
  /** Prefix of every database name of this run: several runs may share a server. */
  readonly prefix: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

export interface TestDatabase {
  /** As the serving role, which may read and write rows only. */
  readonly connection: ConnectionOptions;
  /** As the role that owns the tables. */
  readonly owner: ConnectionOptions;
  drop(): Promise<void>;
}

export const databaseOf = (connection: ConnectionOptions, database: string): ConnectionOptions => {
  if (!('url' in connection)) return { ...connection, database };
  const url = new URL(connection.url);
  url.pathname = `/${database}`;
  return { url: url.href };
};

/** Runs `work` on one connection, which is closed afterwards. */
export const withAdmin = async <T>(
  { connection }: Pick<TestServer, 'connection'>,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const client = new pg.Client(
    'url' in connection ? { connectionString: connection.url } : { ...connection },
  );
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const create = async (template: string, as: 'serving' | 'connection'): Promise<TestDatabase> => {
  const server = inject('testServer');
  const name = `${server.prefix}${randomBytes(5).toString('hex')}`;
  await withAdmin(server, (client) => client.query(`create database ${name} template ${template}`));
  return {
    connection: databaseOf(server[as], name),
    owner: databaseOf(server.connection, name),
    drop: async () => {
      await withAdmin(server, (client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
};

/** A database with all tables and no rows. */
export const freshDatabase = (): Promise<TestDatabase> =>
  create(`${inject('testServer').prefix}template`, 'serving');

/** A database without tables; its `connection` is the superuser. */
export const emptyDatabase = (): Promise<TestDatabase> => create('template0', 'connection');

export const waitingForLocks = async (
  { kysely }: Pick<Db<Database>, 'kysely'>,
  count: number,
): Promise<void> => {
  for (let found = 0; found < count;) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    `.execute(kysely);
    found = rows.length;
  }
};

/** Runs a statement as the owner of the tables, for what the serving role may not do. */
export const asOwner = async ({ owner }: TestDatabase, statement: string): Promise<void> => {
  await withAdmin({ connection: owner }, (client) => client.query(statement));
};
