import { pipeline as connect } from 'node:stream';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { label, createTables, MIGRATION_LOCK, readMigrations } from '../migrate.ts';
import type { Migration } from '../migrate.ts';
import type { Instant } from '../../../kernel/time.ts';
import type { ConnectionOptions } from '../pool.ts';
import { beginNewHistory } from '../change-log.ts';
import { INSERT_RESTORED_SILENCE } from '../sending.ts';
import { codeOf } from '../../domain/fault-code.ts';
import { quoted, relations, sequencesOf, tablesOf } from './catalog.ts';
import type { Table } from './catalog.ts';
import { countRows, fillTables, withProgress, type FilledTables } from './fill.ts';
import { BackupError, BackupStreamError, damaged } from './head.ts';
import type { BackupHead, SequenceState } from './head.ts';
import { fillShop } from './restore-shop.ts';
import { begin, inSession, liftTransactionTimeout } from './session.ts';
import { readBackup } from './text.ts';
import type { OpenBackup, Progress, Totals } from './text.ts';

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

export interface Restored extends Contents, FilledTables {}

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

const setSequences = async (client: pg.Client, states: readonly SequenceState[]): Promise<void> => {
  const inBackup = new Map(states.map((state) => [state.name, state]));
  for (const { name } of await sequencesOf(client)) {
    const state = inBackup.get(name);
    if (state === undefined) throw new BackupError(`The backup lacks the sequence ${name}.`);
    await client.query('select setval($1::regclass, $2, $3)', [quoted([name]), state.last, state.called]);
  }
};

/** Whether the counters of changes have the column; those of older backups lack some. */
const counts = (tables: readonly Table[], name: string): boolean =>
  tables.some(
    (table) => table.name === 'change_counter' && table.columns.some((column) => column.name === name),
  );

const fill = async (
  client: pg.Client,
  backup: OpenBackup,
  files: readonly Migration[],
  options: RestoreOptions,
): Promise<Restored> => {
  await mustBeEmpty(client);
  await createTables(client, files);
  const tables = await tablesOf(client);
  const names = quoted(tables.map(({ name }) => name));
  // The backup contains the rows that migrations insert.
  await client.query(`truncate ${names}`);
  const filled = await fillTables(client, tables, backup, options.onProgress);
  await setSequences(client, backup.head.sequences);
  if (counts(tables, 'trimmed'))
    await client.query(beginNewHistory(counts(tables, 'closed_seq')), [options.now()]);
  await client.query(INSERT_RESTORED_SILENCE, [new Date(options.now())]);
  // Without statistics, the first queries would get bad plans.
  await client.query(`analyze ${names}`);
  return { head: backup.head, ...filled };
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
 * Creates the tables of the backup and inserts all rows in one transaction; a shop comes into the tables that there are,
 * closed. Throws BackupError, BackupStreamError and DatabaseUnavailable; then the database is unchanged.
 */
export const restore = (options: RestoreOptions): Promise<Restored> =>
  withBackup(options, (backup, files) =>
    inSession(options.connection, 'ahwa restore', async (client) => {
      await begin(client);
      await liftTransactionTimeout(client);
      try {
        const { shop } = backup.head;
        const restored =
          shop === null
            ? await fill(client, backup, files, options)
            : { head: backup.head, ...(await fillShop(client, shop, backup, options.onProgress)) };
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
    ...(await readTables(withProgress(countRows, options.onProgress))),
  }));
