/** A database of its own for each test file, copied from the migrated template of this run. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { inject } from 'vitest';
import type { ConnectionOptions, Db } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';

export interface TestServer {
  /** As a superuser. */
  readonly connection: ConnectionOptions;
  /** As the role that serves, which owns nothing. */
  readonly serving: ConnectionOptions;
  /** Begins the name of every database of this run; several runs may share a server. */
  readonly prefix: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

export interface TestDatabase {
  /** As the role that serves: it reads and writes rows, and no more. */
  readonly connection: ConnectionOptions;
  /** As the role that owns the tables. */
  readonly owner: ConnectionOptions;
  /** Ends all its sessions and removes it. */
  drop(): Promise<void>;
}

/** The same server and role, another database. */
export const databaseOf = (connection: ConnectionOptions, database: string): ConnectionOptions => {
  if (!('url' in connection)) return { ...connection, database };
  const url = new URL(connection.url);
  url.pathname = `/${database}`;
  return { url: url.href };
};

/** Runs `work` on a connection to the server's own database. */
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

/** A database with all tables and no rows, as a server uses one. */
export const freshDatabase = (): Promise<TestDatabase> =>
  create(`${inject('testServer').prefix}template`, 'serving');

/** A database with nothing in it, not even tables: whoever connects is to make them. */
export const emptyDatabase = (): Promise<TestDatabase> => create('template0', 'connection');

/** Resolves once so many sessions of the database wait for a lock. */
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

/** Runs a statement as the role that owns the tables: what the role that serves may not. */
export const asOwner = async ({ owner }: TestDatabase, statement: string): Promise<void> => {
  await withAdmin({ connection: owner }, (client) => client.query(statement));
};
