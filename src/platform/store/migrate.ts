/**
 * Brings the tables to what this build needs: numbered SQL files, forward only, each applied once by whichever
 * process comes first. `-- no transaction` as the first line of a file lets it hold statements that refuse one;
 * `-- compatible` among its first comment lines says that builds older than the file go on working after it.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Instant } from '../../kernel/time.ts';
import { onOwnConnection } from './own-connection.ts';
import type { ConnectionOptions } from './pool.ts';
import { HOLD_TABLE } from './sending.ts';
import { codeOf, reasonOf } from './unavailable.ts';

/** The message is a whole sentence for the operator. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text, whatever its line endings. */
  readonly checksum: string;
  readonly inTransaction: boolean;
  readonly compatible: boolean;
}

export interface MigrateOptions {
  readonly connection: ConnectionOptions;
  /** Stamped on what is applied. */
  readonly now: () => Instant;
  /** Where the migrations are. */
  readonly folder: string;
  readonly onProgress?: (line: string) => void;
}

interface Applied {
  readonly id: number;
  readonly name: string;
  readonly checksum: string;
  readonly compatible: boolean;
}

const FILE = /^(\d{4})_([a-z0-9_]+)\.sql$/;
const LOCK_TIMEOUT_MS = 3_000;
const LOCK_TRIES = 20;
/** Key of the advisory lock that whoever changes the tables holds, "ahwa" in ASCII. */
export const MIGRATION_LOCK = 0x61687761;

const withUnixLines = (text: string): string => text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');

/** The comment lines a file begins with, without their dashes. */
const heading = (sql: string): string[] => {
  const lines = sql.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('--'));
  return lines.slice(0, end === -1 ? lines.length : end).map((line) => line.replace(/^--\s*/, '').trim());
};

const migrationOf = (folder: string, file: string): Migration => {
  const [, number, name] = FILE.exec(file) ?? [];
  if (number === undefined || name === undefined) {
    throw new MigrationError(`${join(folder, file)} is not named like a migration (0001_what_it_does.sql).`);
  }
  const sql = withUnixLines(readFileSync(join(folder, file), 'utf8'));
  return {
    id: Number(number),
    name,
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
    inTransaction: heading(sql)[0] !== 'no transaction',
    compatible: heading(sql).includes('compatible'),
  };
};

/** The migrations of a folder by number. Throws MigrationError on a bad name or a number used twice. */
export const readMigrations = (folder: string): Migration[] => {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort();
  const found = files.map((file) => migrationOf(folder, file));
  const twice = found.find((migration, at) => found[at - 1]?.id === migration.id);
  if (twice !== undefined)
    throw new MigrationError(
      `Two migrations in ${folder} have the number ${twice.id}; renumber the newer one.`,
    );
  return found;
};

export const label = (migration: { readonly id: number; readonly name: string }): string =>
  `${String(migration.id).padStart(4, '0')}_${migration.name}`;

const applied = async (client: pg.Client): Promise<Applied[]> => {
  try {
    return (await client.query<Applied>('select id, name, checksum, compatible from migration order by id'))
      .rows;
  } catch (fault) {
    if (codeOf(fault) === '42P01') return [];
    throw fault;
  }
};

/** What is still to do, after all faults of the history have been looked for. */
const remaining = (files: readonly Migration[], done: readonly Applied[]): Migration[] => {
  const byId = new Map(files.map((file) => [file.id, file]));
  const newest = files.at(-1)?.id ?? 0;
  for (const row of done) {
    const file = byId.get(row.id);
    if (file === undefined) refuseUnknown(row, newest);
    else if (file.checksum !== row.checksum || file.name !== row.name) {
      throw new MigrationError(
        `The migration ${label(file)} was changed after it had been applied as ${label(row)}; restore the file and write what should change as a new migration.`,
      );
    }
  }
  const doneIds = new Set(done.map((row) => row.id));
  const open = files.filter((file) => !doneIds.has(file.id));
  const last = done.at(-1);
  const late = open.find((file) => last !== undefined && file.id < last.id);
  if (late !== undefined && last !== undefined) {
    throw new MigrationError(
      `The migration ${label(late)} came after ${label(last)} had been applied; give it a higher number.`,
    );
  }
  return open;
};

/** Expand first, contract a release later: an older build works on while what came after it only added things. */
const refuseUnknown = (row: Applied, newest: number): void => {
  if (row.id > newest && row.compatible) return;
  throw new MigrationError(
    `The database has the migration ${label(row)}, which this build does not know and cannot work with; start the newer build.`,
  );
};

const withClient = <T>(connection: ConnectionOptions, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  onOwnConnection(connection, 'ahwa migrate', work);

const inTransaction = async <T>(client: pg.Client, work: () => Promise<T>): Promise<T> => {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (fault) {
    await client.query('rollback').catch(() => undefined);
    throw fault;
  }
};

const TABLE = `
  create table if not exists migration (
    id         integer     primary key,
    name       text        not null,
    checksum   text        not null,
    compatible boolean     not null,
    applied_at timestamptz not null
  )`;

const note = (client: pg.Client, migration: Migration, now: Instant): Promise<unknown> =>
  client.query(
    'insert into migration (id, name, checksum, compatible, applied_at) values ($1, $2, $3, $4, $5)',
    [migration.id, migration.name, migration.checksum, migration.compatible, new Date(now)],
  );

/** A waiting statement holds up everybody behind it: so each wait is short, and tried again. */
const tryingLocks = async <T>(work: () => Promise<T>, tell: (line: string) => void): Promise<T> => {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (fault) {
      const isBusy = codeOf(fault) === '55P03' || codeOf(fault) === '40P01';
      if (!isBusy) throw fault;
      if (tried === LOCK_TRIES) {
        throw new MigrationError(
          'Another process holds the tables that a migration needs; try again when it has ended.',
          { cause: fault },
        );
      }
      tell('waiting for another process that uses the tables');
      await pause(200 + Math.random() * 300);
    }
  }
};

/** The first migration that is still open, applied under the lock that lets one process at a time do so. */
const applyNext = (
  client: pg.Client,
  files: readonly Migration[],
  options: MigrateOptions,
): Promise<Migration | null> =>
  inTransaction(client, async () => {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query(TABLE);
    await client.query(HOLD_TABLE);
    const next = remaining(files, await applied(client))[0];
    if (next === undefined) return null;
    options.onProgress?.(`migration ${label(next)}`);
    await runFile(client, next, options.connection);
    await note(client, next, options.now());
    return next;
  });

const isOfTheFile = (fault: unknown): fault is pg.DatabaseError =>
  fault instanceof pg.DatabaseError && reasonOf(fault) === null;

const runFile = async (
  client: pg.Client,
  migration: Migration,
  connection: ConnectionOptions,
): Promise<void> => {
  try {
    if (migration.inTransaction) await client.query(migration.sql);
    // On a connection of its own; this one holds the lock, and no snapshot that the statements would wait for.
    else await withClient(connection, (other) => runSingly(other, migration.sql));
  } catch (fault) {
    if (!isOfTheFile(fault)) throw fault;
    const outcome = migration.inTransaction
      ? 'and was undone'
      : 'half-way; mend what it left and start again';
    throw new MigrationError(`The migration ${label(migration)} failed ${outcome}: ${fault.message}.`, {
      cause: fault,
    });
  }
};

/** The statements of a file marked `-- no transaction`; each ends a line with `;`. */
const statementsOf = (sql: string): string[] =>
  sql.split(/;[ \t]*(?:\n|$)/).filter((statement) => statement.replace(/^\s*--.*$/gm, '').trim() !== '');

/** Statements sent together form one transaction, so these are sent one by one. */
const runSingly = async (client: pg.Client, sql: string): Promise<void> => {
  await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
  for (const statement of statementsOf(sql)) await client.query(statement);
};

/**
 * Lays the tables of `files` within the transaction that runs on `client`, in a database that has none: for a
 * restore, which brings the rows of every table, also of `migration`.
 */
export const layTables = async (client: pg.Client, files: readonly Migration[]): Promise<void> => {
  await client.query(TABLE);
  await client.query(HOLD_TABLE);
  for (const { sql, inTransaction: whole } of files) {
    // Nobody uses the tables yet: what `concurrently` spares others is not needed, and a transaction refuses it.
    const statements = whole
      ? [sql]
      : statementsOf(sql).map((text) => text.replace(/\bconcurrently\b/gi, ''));
    for (const statement of statements) await client.query(statement);
  }
};

/**
 * Applies what is open and returns it. Throws MigrationError (a sentence) or DatabaseUnavailable; what was
 * applied before the fault stays.
 */
export const migrate = async (options: MigrateOptions): Promise<Migration[]> => {
  const tell = options.onProgress ?? (() => undefined);
  const files = readMigrations(options.folder);
  return await withClient(options.connection, async (client) => {
    const done: Migration[] = [];
    while (remaining(files, await applied(client)).length > 0) {
      const next = await tryingLocks(() => applyNext(client, files, options), tell);
      if (next !== null) done.push(next);
    }
    return done;
  });
};

/** Migrations this build needs that the database does not have yet. Throws as `migrate` does. */
export const pendingMigrations = (connection: ConnectionOptions, folder: string): Promise<Migration[]> =>
  withClient(connection, async (client) => remaining(readMigrations(folder), await applied(client)));
