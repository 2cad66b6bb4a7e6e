/** Databases for tests: copies of this run's migrated template, emptied and lent again by the same worker. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { inject } from 'vitest';
import type { ConnectionOptions, Db } from '../../../src/platform/store/db.ts';
import { grantServing } from '../../../src/platform/store/grants.ts';
import { migrate } from '../../../src/platform/store/migrate.ts';
import type { Database } from '../../../src/platform/store/schema.ts';
import { MIGRATIONS } from '../../../src/wiring.ts';

export interface TestServer {
  /** As a superuser. */
  readonly connection: ConnectionOptions;
  /** As the serving role, which owns no tables. */
  readonly serving: ConnectionOptions;
  /** Prefix of every database name of this run: several runs may share a server. */
  readonly prefix: string;
  /** Over the shards of Citus. */
  readonly isDistributed: boolean;
}

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer;
    /** Those with a column `org_id`. */
    shopTables: string[];
  }
}

export interface TestDatabase {
  readonly name: string;
  /** As the serving role, which may read and write rows only. */
  readonly connection: ConnectionOptions;
  /** As the role that owns the tables. A database whose owner was asked for is not lent again. */
  readonly owner: ConnectionOptions;
  release(): Promise<void>;
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

/** Makes all tables, and the rights of the serving role on them. */
export const migrateAndGrant = async (
  owner: ConnectionOptions,
  serving: ConnectionOptions,
): Promise<void> => {
  await migrate({ connection: owner, folder: MIGRATIONS, now: () => Date.UTC(2026, 0, 1) });
  await grantServing({ owner, serving });
};

/** A database is copied only while nobody is connected to it, and Citus is again and again. */
export const endSessions = (server: Pick<TestServer, 'connection'>, name: string): Promise<void> =>
  withAdmin(server, async (client) => {
    await client.query(`alter database ${name} allow_connections false`);
    await client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [
      name,
    ]);
  });

const create = async (template: string): Promise<string> => {
  const server = inject('testServer');
  const name = `${server.prefix}${randomBytes(5).toString('hex')}`;
  await withAdmin(server, (client) => client.query(`create database ${name} template ${template}`));
  return name;
};

/** A background process of an extension may have come back since its session was ended. */
const IN_USE = '55006';

const drop = (name: string): Promise<void> =>
  withAdmin(inject('testServer'), async (client) => {
    for (let tries = 1; ; tries += 1)
      try {
        await client.query(`drop database if exists ${name} with (force)`);
        return;
      } catch (fault) {
        if ((fault as { readonly code?: unknown }).code !== IN_USE || tries === 5) throw fault;
      }
  });

const END_SESSIONS = `
  select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid();`;

/**
 * Deletes all rows but those of the migrations and the planner's statistics of them, and restarts the sequences. By
 * statistics of earlier rows the planner takes an index that reads all rows of a shop for one that reads a row.
 */
const EMPTY_TABLES = `${END_SESSIONS}
  do $$
  declare name regclass;
  begin
    set local session_replication_role = replica;
    for name in select oid from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migration'
    loop execute format('delete from %s', name); end loop;
    delete from pg_statistic
      where starelid in (select oid from pg_class where relnamespace = 'public'::regnamespace);
    perform setval(oid::regclass, 1, false) from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'S';
  end $$`;

const DROP_SCHEMAS = `${END_SESSIONS}
  do $$
  declare name text;
  begin
    for name in select nspname from pg_namespace where nspname !~ '^(pg_|information_schema$)'
    loop execute format('drop schema %I cascade', name); end loop;
    execute format('alter database %I reset all', current_database());
  end $$;
  create schema public authorization pg_database_owner;
  grant usage on schema public to public`;

/**
 * Databases that this worker gave back: to empty one costs a tenth of what it costs to create one. Rows and sequences
 * are reset; settings, grants and objects are not: ask for `owner` before you change them, and the database is dropped.
 */
const idle = { tables: [] as string[], none: [] as string[] };

const giveBack = async (name: string, reset: string, to: string[]): Promise<void> => {
  const connection = databaseOf(inject('testServer').connection, name);
  await withAdmin({ connection }, (client) => client.query(reset));
  to.push(name);
};

/** A database with all tables and no rows. */
export const freshDatabase = async (): Promise<TestDatabase> => {
  const { prefix, serving, connection, isDistributed } = inject('testServer');
  const name = idle.tables.pop() ?? (await create(`${prefix}template`));
  // To empty each shard takes longer than to copy the database.
  let isAltered = isDistributed;
  let released: Promise<void> | null = null;
  return {
    name,
    connection: databaseOf(serving, name),
    get owner() {
      isAltered = true;
      return databaseOf(connection, name);
    },
    release: () => (released ??= isAltered ? drop(name) : giveBack(name, EMPTY_TABLES, idle.tables)),
  };
};

/** A copy of a database that nobody is connected to; it is dropped when it is released. */
export const copyOf = async (template: TestDatabase): Promise<TestDatabase> => {
  const { isDistributed, ...server } = inject('testServer');
  const { serving, connection } = server;
  if (isDistributed) await endSessions(server, template.name);
  const name = await create(template.name);
  return {
    name,
    connection: databaseOf(serving, name),
    owner: databaseOf(connection, name),
    release: () => drop(name),
  };
};

/** A database without tables; its `connection` is the superuser. */
export const emptyDatabase = async (): Promise<TestDatabase> => {
  const name = idle.none.pop() ?? (await create('template0'));
  const connection = databaseOf(inject('testServer').connection, name);
  let released: Promise<void> | null = null;
  return {
    name,
    connection,
    owner: connection,
    release: () => (released ??= giveBack(name, DROP_SCHEMAS, idle.none)),
  };
};

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
