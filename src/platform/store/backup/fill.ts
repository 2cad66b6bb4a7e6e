/** The rows of a backup, written into tables. */
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { codeOf } from '../../domain/fault-code.ts';
import { quoted } from './catalog.ts';
import type { Table } from './catalog.ts';
import { BackupError } from './head.ts';
import type { BackupHead, TableHead } from './head.ts';
import { rowsIn } from './text.ts';
import type { OpenBackup, Progress, RowConsumer, Totals } from './text.ts';

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

/** Writes nothing. */
export const countRows: RowConsumer = async (_table, rows) => {
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

export const withProgress =
  (take: RowConsumer, onProgress: (progress: Progress) => void = () => undefined): RowConsumer =>
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

export interface FilledTables extends Totals {
  /** Rows that were written. */
  readonly filled: number;
  /** Tables of the backup that are not among these; they are not restored. */
  readonly leftOut: readonly string[];
}

/** Writes the rows of these tables. Throws BackupError. */
export const fillTables = async (
  client: pg.Client,
  tables: readonly Table[],
  { head, readTables }: OpenBackup,
  onProgress?: (progress: Progress) => void,
): Promise<FilledTables> => {
  mustFit(tables, head);
  const ours = new Set(tables.map(({ name }) => name));
  let filled = 0;
  const take: RowConsumer = async (table, rows) => {
    if (!ours.has(table.name)) return countRows(table, rows);
    const count = await write(client, table, rows);
    filled += count;
    return count;
  };
  const totals = await readTables(withProgress(take, onProgress));
  return {
    ...totals,
    filled,
    leftOut: head.tables.map(({ name }) => name).filter((name) => !ours.has(name)),
  };
};
