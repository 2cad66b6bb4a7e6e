import { pipeline as connect } from 'node:stream';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { label, createTables, MIGRATION_LOCK, readMigrations } from '../migrate.ts';
import type { Migration } from '../migrate.ts';
import type { Instant } from '../../../kernel/time.ts';
import type { ConnectionOptions } from '../pool.ts';
import { BEGIN_NEW_HISTORY } from '../change-log.ts';
import { INSERT_RESTORED_SILENCE } from '../sending.ts';
import { codeOf } from '../../domain/fault-code.ts';
import { quoted, relations, sequencesOf, tablesOf } from './catalog.ts';
import type { Table } from './catalog.ts';
import { BackupError, BackupStreamError, damaged } from './head.ts';
import type { BackupHead, SequenceState, TableHead } from './head.ts';
import { begin, inSession, liftTransactionTimeout } from './session.ts';
import { readBackup, rowsIn } from './text.ts';
import type { OpenBackup, Progress, RowConsumer, Totals } from './text.ts';

export interface CheckOptions {
  readonly from: Readable;
  readonly folder: string;
  readonly onProgress?: (progress: Progress) => void;
}

export interface RestoreOptions extends CheckOptions {
  readonly connection: ConnectionOptions;
  readonly now: () => Instant;
}

export interface Contents extends Totals {
  readonly head: BackupHead;
}

export interface Restored extends Contents {
  /** Tables that Ahwa's migrations do not create; they are not restored. */
  readonly leftOut: readonly string[];
}

const gzipFault = (fault: unknown, hasBegun: boolean): unknown => {
  const code = codeOf(fault);
  if (!code.startsWith('Z_')) return new BackupStreamError('The backup cannot be read.', { cause: fault });
  if (code === 'Z_BUF_ERROR') return new BackupError('The backup is cut short: its end is missing.');
  return hasBegun
    ? damaged('its bytes have changed')
    : new BackupError('This is not a backup that Ahwa made.');
};

async function* unpacked(from: Readable): AsyncGenerator<Buffer> {
  // Errors reach the reader below.
  const bytes: AsyncIterable<Buffer> = connect(from, createGunzip(), () => undefined);
  let hasBegun = false;
  try {
    for await (const piece of bytes) {
      hasBegun = true;
      yield piece;
    }
  } catch (fault) {
    throw gzipFault(fault, hasBegun);
  }
}

/** The migrations that created the tables of the backup. Throws BackupError when this build's differ. */
const migrationsOf = ({ migrations, program }: BackupHead, files: readonly Migration[]): Migration[] => {
  const last = migrations.at(-1);
  if (last === undefined) throw damaged('it names no migration');
  const unknown = migrations.find(({ id }) => id > (files.at(-1)?.id ?? 0));
  if (unknown !== undefined)
    throw new BackupError(
      `The backup was made by Ahwa ${program} with the migration ${label(unknown)}, which this build does not know; restore with that build or a newer one.`,
    );
  const wanted = files.filter(({ id }) => id <= last.id);
  const isSame = (file: Migration, at: number): boolean =>
    migrations[at]?.id === file.id &&
    migrations[at].name === file.name &&
    migrations[at].checksum === file.checksum;
  const mismatch = wanted.find((file, at) => !isSame(file, at)) ?? migrations[wanted.length];
  if (mismatch !== undefined)
    throw new BackupError(
      `The migration ${label(mismatch)} of this build is not the one that the backup was made with; restore with the build that made it, Ahwa ${program}.`,
    );
  return wanted;
};

const mustBeEmpty = async (client: pg.Client): Promise<void> => {
  const lock = await client.query<{ held: boolean }>('select pg_try_advisory_xact_lock($1) as held', [
    MIGRATION_LOCK,
  ]);
  if (lock.rows[0]?.held !== true)
    throw new BackupError('Another process is making tables in this database; nothing was changed.');
  const existing = await relations(client, ['r', 'p', 'v', 'm', 'f', 'S']);
  if (existing.length === 0) return;
  const named = existing.length > 3 ? `${existing.slice(0, 3).join(', ')} and others` : existing.join(', ');
  throw new BackupError(
    `The database is not empty (it has ${named}); nothing was changed. Restore into a new database or a new DATA_DIR.`,
  );
};

const mustFit = (tables: readonly Table[], head: BackupHead): void => {
  const inBackup = new Map(head.tables.map((table) => [table.name, table]));
  for (const { name, columns } of tables) {
    const found = inBackup.get(name);
    if (found === undefined) throw new BackupError(`The backup lacks the table ${name}.`);
    if (JSON.stringify(found.columns) !== JSON.stringify(columns))
      throw new BackupError(
        `The table ${name} has other columns in the backup than the migrations make; nothing was changed.`,
      );
  }
};

const countRows: RowConsumer = async (_table, rows) => {
  let count = 0;
  for await (const bytes of rows) count += rowsIn(bytes);
  return count;
};

/** Error in the rows: format (22) or constraint (23). */
const isRowFault = (fault: unknown): fault is pg.DatabaseError =>
  fault instanceof pg.DatabaseError && /^2[23]/.test(codeOf(fault));

const write = async (client: pg.Client, table: TableHead, rows: AsyncIterable<Buffer>): Promise<number> => {
  const columns = quoted(table.columns.map(({ name }) => name));
  const copy = client.query(copyFrom(`copy ${quoted([table.name])} (${columns}) from stdin`));
  // After the pipeline ends, errors of the stream were already reported.
  copy.on('error', () => undefined);
  try {
    await pipeline(rows, copy);
  } catch (fault) {
    if (!isRowFault(fault)) throw fault;
    throw new BackupError(
      `The database does not take the rows of the table ${table.name} (${fault.message}); nothing was changed. \`ahwa restore --check\` tells whether the backup is damaged.`,
      { cause: fault },
    );
  }
  return copy.rowCount;
};

const withProgress =
  (take: RowConsumer, onProgress: (progress: Progress) => void): RowConsumer =>
  (table, rows) => {
    const counted = async function* (): AsyncGenerator<Buffer> {
      let count = 0;
      onProgress({ table: table.name, rows: count });
      for await (const bytes of rows) {
        yield bytes;
        onProgress({ table: table.name, rows: (count += rowsIn(bytes)) });
      }
    };
    return take(table, counted());
  };

const setSequences = async (client: pg.Client, states: readonly SequenceState[]): Promise<void> => {
  const inBackup = new Map(states.map((state) => [state.name, state]));
  for (const { name } of await sequencesOf(client)) {
    const state = inBackup.get(name);
    if (state === undefined) throw new BackupError(`The backup lacks the sequence ${name}.`);
    await client.query('select setval($1::regclass, $2, $3)', [quoted([name]), state.last, state.called]);
  }
};

/** Backups of before migration 0035 are of a time when no device read the log. */
const isReadByDevices = (tables: readonly Table[]): boolean =>
  tables.some(
    ({ name, columns }) => name === 'change_counter' && columns.some((column) => column.name === 'trimmed'),
  );

const NO_PROGRESS = (): void => undefined;

const fill = async (
  client: pg.Client,
  { head, readTables }: OpenBackup,
  files: readonly Migration[],
  options: RestoreOptions,
): Promise<Restored> => {
  await mustBeEmpty(client);
  await createTables(client, files);
  const tables = await tablesOf(client);
  mustFit(tables, head);
  const ours = new Set(tables.map(({ name }) => name));
  const names = quoted([...ours]);
  // The backup contains the rows that migrations insert.
  await client.query(`truncate ${names}`);
  const take: RowConsumer = (table, rows) =>
    ours.has(table.name) ? write(client, table, rows) : countRows(table, rows);
  const totals = await readTables(withProgress(take, options.onProgress ?? NO_PROGRESS));
  await setSequences(client, head.sequences);
  if (isReadByDevices(tables)) await client.query(BEGIN_NEW_HISTORY, [options.now()]);
  await client.query(INSERT_RESTORED_SILENCE, [new Date(options.now())]);
  // Without statistics, the first queries would get bad plans.
  await client.query(`analyze ${names}`);
  return {
    head,
    ...totals,
    leftOut: head.tables.map(({ name }) => name).filter((name) => !ours.has(name)),
  };
};

const withBackup = async <T>(
  { from, folder }: CheckOptions,
  work: (backup: OpenBackup, files: readonly Migration[]) => Promise<T>,
): Promise<T> => {
  try {
    const backup = await readBackup(unpacked(from));
    return await work(backup, migrationsOf(backup.head, readMigrations(folder)));
  } finally {
    from.destroy();
  }
};

/**
 * Creates the tables of the backup and inserts all rows in one transaction. Throws BackupError,
 * BackupStreamError and DatabaseUnavailable; then the database is unchanged.
 */
export const restore = (options: RestoreOptions): Promise<Restored> =>
  withBackup(options, (backup, files) =>
    inSession(options.connection, 'ahwa restore', async (client) => {
      await begin(client);
      await liftTransactionTimeout(client);
      try {
        const restored = await fill(client, backup, files, options);
        await client.query('commit');
        return restored;
      } catch (fault) {
        await client.query('rollback').catch(() => undefined);
        throw fault;
      }
    }),
  );

/** Reads a backup completely, without a database. Throws as `restore` does. */
export const checkBackup = (options: CheckOptions): Promise<Contents> =>
  withBackup(options, async ({ head, readTables }) => ({
    head,
    ...(await readTables(withProgress(countRows, options.onProgress ?? NO_PROGRESS))),
  }));
