/**
 * Applies numbered SQL files, forward only, each exactly once even when several processes start together. `--
 * no transaction` as the first line is for statements that cannot run in one; `-- compatible` among the first
 * comment lines says that older builds can run after it.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Instant } from '../../kernel/time.ts';
import { onDedicatedConnection } from './dedicated-connection.ts';
import { placeOf, type Place } from './place.ts';
import type { ConnectionOptions } from './pool.ts';
import { isMissingRight, rightSentence } from './missing-right.ts';
import { CREATE_SILENCE_TABLE } from './sending.ts';
import { codeOf } from '../domain/fault-code.ts';
import { asUnavailable, reasonOf } from './unavailable.ts';

/** The message is a sentence for the operator. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text with normalized line endings. */
  readonly checksum: string;
  readonly inTransaction: boolean;
  readonly compatible: boolean;
}

export interface MigrateOptions {
  readonly connection: ConnectionOptions;
  readonly now: () => Instant;
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
/** Advisory lock of every process that changes tables; "ahwa" in ASCII. */
export const MIGRATION_LOCK = 0x61687761;

const withUnixLines = (text: string): string => text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');

/** The first comment lines of a file, without dashes. */
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

/** The migrations of a folder, by number. Throws MigrationError on a bad name or a duplicate number. */
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

/** Throws MigrationError when files and history contradict each other. */
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
  const outOfOrder = open.find((file) => last !== undefined && file.id < last.id);
  if (outOfOrder !== undefined && last !== undefined) {
    throw new MigrationError(
      `The migration ${label(outOfOrder)} came after ${label(last)} had been applied; give it a higher number.`,
    );
  }
  return open;
};

/**
 * Expand first, contract a release later: an older build can run while newer migrations only added things.
 */
const refuseUnknown = (row: Applied, newest: number): void => {
  if (row.id > newest && row.compatible) return;
  throw new MigrationError(
    `The database has the migration ${label(row)}, which this build does not know and cannot work with; start the newer build.`,
  );
};

const asMigrationError = (fault: unknown, place: Place): unknown =>
  isMissingRight(fault) ? new MigrationError(rightSentence(fault, place)) : asUnavailable(fault, place);

const withClient = <T>(connection: ConnectionOptions, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  onDedicatedConnection(connection, 'ahwa migrate', work, asMigrationError);

export const inTransaction = async <T>(client: pg.Client, work: () => Promise<T>): Promise<T> => {
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

const recordMigration = (client: pg.Client, migration: Migration, now: Instant): Promise<unknown> =>
  client.query(
    'insert into migration (id, name, checksum, compatible, applied_at) values ($1, $2, $3, $4, $5)',
    [migration.id, migration.name, migration.checksum, migration.compatible, new Date(now)],
  );

/** A waiting lock request blocks all later ones, so each wait is short and is retried. */
const retryOnLock = async <T>(work: () => Promise<T>, onProgress: (line: string) => void): Promise<T> => {
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
      onProgress('waiting for another process that uses the tables');
      await pause(200 + Math.random() * 300);
    }
  }
};

/** Null when none is pending. */
const applyNext = (
  client: pg.Client,
  files: readonly Migration[],
  options: MigrateOptions,
): Promise<Migration | null> =>
  inTransaction(client, async () => {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query(TABLE);
    await client.query(CREATE_SILENCE_TABLE);
    const next = remaining(files, await applied(client))[0];
    if (next === undefined) return null;
    options.onProgress?.(`migration ${label(next)}`);
    await runFile(client, next, options.connection);
    await recordMigration(client, next, options.now());
    return next;
  });

const isStatementFault = (fault: unknown): fault is pg.DatabaseError =>
  fault instanceof pg.DatabaseError && reasonOf(fault) === null;

const runFile = async (
  client: pg.Client,
  migration: Migration,
  connection: ConnectionOptions,
): Promise<void> => {
  try {
    if (migration.inTransaction)
      for (const statement of oneByOne(migration.sql)) await client.query(statement);
    // On another connection: this one holds the lock but no snapshot that the statements would wait for.
    else await withClient(connection, (other) => runSingly(other, migration.sql));
  } catch (fault) {
    if (!isStatementFault(fault)) throw fault;
    const outcome = migration.inTransaction
      ? 'and was undone'
      : 'half-way; mend what it left and start again';
    const advice = isMissingRight(fault) ? ` ${rightSentence(fault, placeOf(connection))}` : '';
    throw new MigrationError(
      `The migration ${label(migration)} failed ${outcome}: ${fault.message}.${advice}`,
      { cause: fault },
    );
  }
};

/** The statements of a file with `-- no transaction`; each ends a line with `;`. */
const statementsOf = (sql: string): string[] =>
  sql.split(/;[ \t]*(?:\n|$)/).filter((statement) => statement.replace(/^\s*--.*$/gm, '').trim() !== '');

/** Citus refuses some statements beside others. Those within a `do` block are not told apart. */
const oneByOne = (sql: string): readonly string[] => (sql.includes('$') ? [sql] : statementsOf(sql));

/** Statements sent together form one transaction, so each is sent alone. */
const runSingly = async (client: pg.Client, sql: string): Promise<void> => {
  await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
  for (const statement of statementsOf(sql)) await client.query(statement);
};

/**
 * Creates the tables of `files` in an empty database, in the transaction of `client`. For a restore, which
 * inserts the rows of all tables, `migration` included.
 */
export const createTables = async (client: pg.Client, files: readonly Migration[]): Promise<void> => {
  await client.query(TABLE);
  await client.query(CREATE_SILENCE_TABLE);
  for (const { sql, inTransaction: whole } of files) {
    // A transaction refuses `concurrently`, and the tables are not in use yet.
    const statements = whole
      ? [sql]
      : statementsOf(sql).map((text) => text.replace(/\bconcurrently\b/gi, ''));
    for (const statement of statements) await client.query(statement);
  }
};

/**
 * Applies and returns pending migrations. Throws MigrationError or DatabaseUnavailable; migrations applied
 * before the error stay.
 */
export const migrate = async (options: MigrateOptions): Promise<Migration[]> => {
  const onProgress = options.onProgress ?? (() => undefined);
  const files = readMigrations(options.folder);
  return await withClient(options.connection, async (client) => {
    const done: Migration[] = [];
    while (remaining(files, await applied(client)).length > 0) {
      const next = await retryOnLock(() => applyNext(client, files, options), onProgress);
      if (next !== null) done.push(next);
    }
    return done;
  });
};

/** Throws as `migrate` does. */
export const pendingMigrations = (connection: ConnectionOptions, folder: string): Promise<Migration[]> =>
  withClient(connection, async (client) => remaining(readMigrations(folder), await applied(client)));

/** `older`: migrations of this build are pending. */
export type TablesState = 'none' | 'older' | 'current';

/** Throws as `migrate` does. */
export const tablesState = (connection: ConnectionOptions, folder: string): Promise<TablesState> =>
  withClient(connection, async (client) => {
    const done = await applied(client);
    if (done.length === 0) return 'none';
    return remaining(readMigrations(folder), done).length === 0 ? 'current' : 'older';
  });
