/**
 * Backup and restore of the whole database, or of one shop, over an ordinary connection, without PostgreSQL's programs; works
 * with any version from 15 on (docs/decisions/0018).
 */
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Instant } from '../../kernel/time.ts';
import { isoInstant } from '../../kernel/time.ts';
import {
  migrationsIn,
  quoted,
  relations,
  sequencesOf,
  SHOP_COLUMN,
  tablesOf,
  tablesOfShops,
} from './backup/catalog.ts';
import type { Table } from './backup/catalog.ts';
import { BackupError, BackupStreamError } from './backup/head.ts';
import type { BackupHead, ShopMark } from './backup/head.ts';
import type { Contents } from './backup/restore.ts';
import { begin, inSession, keepFromMigrating, liftTransactionTimeout } from './backup/session.ts';
import { backupText } from './backup/text.ts';
import type { Progress, Totals } from './backup/text.ts';
import type { ConnectionOptions } from './pool.ts';

export { BackupError, BackupStreamError } from './backup/head.ts';
export type { ShopMark } from './backup/head.ts';
export type { Progress, Totals } from './backup/text.ts';
export { checkBackup, restore, withBackup } from './backup/restore.ts';
export type { Contents, ReadableBackup, Restored } from './backup/restore.ts';
export { removeShop } from './backup/remove-shop.ts';

export interface BackUpOptions {
  readonly connection: ConnectionOptions;
  /** Null: the whole database. */
  readonly shop: ShopMark | null;
  readonly to: Writable;
  readonly program: string;
  /** Read after the snapshot is open, because opening may wait. */
  readonly now: () => Instant;
  readonly onProgress?: (progress: Progress) => void;
}

const TRIES = 100;
const PAUSE_MS = 300;

const tableNames = (client: pg.Client): Promise<string[]> => relations(client, ['r', 'p']);

/**
 * Starts a snapshot in which no table changes its definition: locks the tables before the first read, in a
 * mode that blocks neither readers nor writers. Returns null while a migration runs.
 */
const trySnapshot = async (client: pg.Client): Promise<Table[] | null> => {
  const names = await tableNames(client);
  if (!names.includes('migration'))
    throw new BackupError('The database has no tables of Ahwa: there is nothing to back up.');
  await begin(client, 'isolation level repeatable read read only');
  await client.query(`lock table ${quoted(names)} in access share mode`);
  // Migrations wait for this lock. If they waited for the tables, writers would queue behind them.
  const isConsistent =
    (await keepFromMigrating(client)) && (await tableNames(client)).join() === names.join();
  return isConsistent ? await tablesOf(client) : null;
};

const openSnapshot = async (client: pg.Client): Promise<Table[]> => {
  for (let tried = 1; tried <= TRIES; tried += 1) {
    const tables = await trySnapshot(client);
    if (tables !== null) return tables;
    await client.query('rollback');
    await pause(PAUSE_MS);
  }
  throw new BackupError('The tables are being brought up to date; back up when that is done.');
};

const headOf = async (
  client: pg.Client,
  tables: readonly Table[],
  options: BackUpOptions,
): Promise<BackupHead> => {
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  return {
    shop: options.shop,
    program: options.program,
    postgres: rows[0]?.server_version ?? '',
    takenAt: isoInstant(options.now()),
    migrations: await migrationsIn(client),
    sequences: options.shop === null ? await sequencesOf(client) : [],
    tables: tables.map(({ name, columns }) => ({ name, columns })),
  };
};

/** Ordered by key, so that equal rows give equal text in every database. */
const selectOf = ({ name, columns, key }: Table, shop: ShopMark | null): string => {
  const order = key.map((column) => `${quoted([column.name])}${column.sorted ? ' collate "C"' : ''}`);
  // COPY takes no parameters.
  const where = shop === null ? '' : ` where ${SHOP_COLUMN} = ${pg.escapeLiteral(shop.orgId)}`;
  const select = `select ${quoted(columns.map((column) => column.name))} from ${quoted([name])}${where}`;
  return order.length === 0 ? select : `${select} order by ${order.join(', ')}`;
};

const copyRows = (client: pg.Client, select: string): AsyncIterable<Buffer> =>
  // After the reader has stopped, errors of the stream were already reported.
  client.query(copyTo(`copy (${select}) to stdout`)).on('error', () => undefined);

/** Distinguishes errors of the text from those of the stream. */
const writeOut = async (text: AsyncIterable<Buffer>, to: Writable): Promise<void> => {
  const reading = { failed: false };
  const watched = async function* (): AsyncGenerator<Buffer> {
    try {
      yield* text;
    } catch (fault) {
      reading.failed = true;
      throw fault;
    }
  };
  try {
    await pipeline(watched(), createGzip(), to);
  } catch (fault) {
    throw reading.failed ? fault : new BackupStreamError('The backup cannot be written.', { cause: fault });
  }
};

/** Writes continue meanwhile. Throws BackupError, BackupStreamError and DatabaseUnavailable. */
export const backUp = (options: BackUpOptions): Promise<Contents> =>
  inSession(options.connection, 'ahwa backup', async (client) => {
    const all = await openSnapshot(client);
    const tables = options.shop === null ? all : tablesOfShops(all);
    await liftTransactionTimeout(client);
    const head = await headOf(client, tables, options);
    const selects = new Map(tables.map((table) => [table.name, selectOf(table, options.shop)]));
    let totals: Totals = { tables: 0, rows: 0 };
    const text = backupText(
      head,
      (name) => copyRows(client, selects.get(name) ?? ''),
      options.onProgress ?? (() => undefined),
      (all) => (totals = all),
    );
    await writeOut(text, options.to);
    return { head, ...totals };
  });
