/** Backups in memory, and a reader of their format that shares no code with the program. */
import { createHash } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import type pg from 'pg';
import { backUp, BackupError, restore, type ShopMark } from '../../../src/platform/store/backup.ts';
import type { ConnectionOptions } from '../../../src/platform/store/db.ts';
import { MIGRATIONS } from '../../../src/wiring.ts';
import { withAdmin, type TestDatabase } from './test-database.ts';

/** A writable stream into memory; `onFirst` runs before the first chunk is accepted. */
export const memorySink = (
  onFirst: () => Promise<void> = () => Promise.resolve(),
): { readonly to: Writable; readonly bytes: () => Buffer } => {
  const pieces: Buffer[] = [];
  let first: Promise<void> | null = null;
  const to = new Writable({
    write: (piece: Buffer, _encoding, done) => {
      pieces.push(piece);
      (first ??= onFirst()).then(() => done(), done);
    },
  });
  return { to, bytes: () => Buffer.concat(pieces) };
};

export const BACKED_UP_AT = Date.UTC(2026, 10, 20, 18);

export const backupOf = async (
  connection: ConnectionOptions,
  onFirst?: () => Promise<void>,
  now = () => BACKED_UP_AT,
  shop: ShopMark | null = null,
): Promise<Buffer> => {
  const { to, bytes } = memorySink(onFirst);
  await backUp({ connection, shop, to, program: 'test', now });
  return bytes();
};

export const streamed = (bytes: Buffer, size = 65_536): Readable =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    })(),
  );

export const restored = async (
  connection: ConnectionOptions,
  bytes: Buffer,
  folder = MIGRATIONS,
): ReturnType<typeof restore> =>
  restore({ connection, from: streamed(bytes), folder, now: () => BACKED_UP_AT });

export interface TableInBackup {
  /** As COPY writes them. */
  readonly rows: readonly string[];
  readonly sha256: string;
}

const isEndOf = (line: string): { rows: number; sha256: string } =>
  JSON.parse(line) as { rows: number; sha256: string };

/** The tables of a backup by name. Throws when a row count or digest does not match the rows. */
export const tablesIn = (bytes: Buffer): ReadonlyMap<string, TableInBackup> => {
  const lines = gunzipSync(bytes).toString('utf8').split('\n');
  const tables = new Map<string, TableInBackup>();
  for (let at = 1; lines[at]?.startsWith('{"table":') === true;) {
    const { table } = JSON.parse(lines[at] ?? '') as { table: string };
    const end = lines.indexOf('\\.', at);
    const rows = lines.slice(at + 1, end);
    const told = isEndOf(lines[end + 1] ?? '');
    const sha256 = createHash('sha256')
      .update(rows.map((row) => `${row}\n`).join(''))
      .digest('hex');
    if (told.rows !== rows.length || told.sha256 !== sha256) throw new Error(`${table} is told wrongly`);
    tables.set(table, { rows, sha256 });
    at = end + 2;
  }
  return tables;
};

/** A restore raises the numbers of changes; test/sync/restored-feed.test.ts has how. */
const isRestoredAsItWas = (name: string): boolean => name !== 'change_counter';

export const digestsOf = (bytes: Buffer): Record<string, string> =>
  Object.fromEntries(
    [...tablesIn(bytes)]
      .filter(([name]) => isRestoredAsItWas(name))
      .map(([name, { sha256 }]) => [name, sha256]),
  );

export const headerOf = (bytes: Buffer): Readonly<Record<string, unknown>> =>
  JSON.parse(gunzipSync(bytes).toString('utf8').split('\n')[0] ?? '') as Record<string, unknown>;

export const inDatabase = <T>({ owner }: TestDatabase, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  withAdmin({ connection: owner }, work);

export const rowsOf = (database: TestDatabase, sql: string): Promise<unknown[]> =>
  inDatabase(database, async (client) => (await client.query<Record<string, unknown>>(sql)).rows);

export const run = async (database: TestDatabase, sql: string): Promise<void> => {
  await inDatabase(database, (client) => client.query(sql));
};

// A backup leaves these out: `sending_hold` belongs to the database, not to the data, counts of limits are no data of a
// shop.
const TABLES = `select table_name as name from information_schema.tables
  where table_schema = current_schema() and table_name not in ('sending_hold', 'request_limit')
  order by table_name`;
export const namesOf = async (database: TestDatabase): Promise<string[]> =>
  ((await rowsOf(database, TABLES)) as { name: string }[]).map(({ name }) => name);

/** Of a change without its transaction, which is of one server. */
const rowOf = (table: string): string =>
  table === 'change' ? "(to_jsonb(t) - 'transaction_id')::text" : 't::text';

export const allRows = async (database: TestDatabase): Promise<Record<string, unknown>> => {
  const names = (await namesOf(database)).filter(isRestoredAsItWas);
  // A connection for each table would take longer than reading it.
  return inDatabase(database, async (client) => {
    const all: Record<string, unknown> = {};
    for (const name of names)
      all[name] = (await client.query(`select ${rowOf(name)} as row from "${name}" t order by 1`)).rows;
    return all;
  });
};

/** The message of the `BackupError` that `work` rejects with. */
export const refusalMessage = async (work: Promise<unknown>): Promise<string> => {
  const fault: unknown = await work.then(
    () => 'no fault',
    (raised: unknown) => raised,
  );
  return fault instanceof BackupError ? fault.message : `other: ${String(fault)}`;
};
