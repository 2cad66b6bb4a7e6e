/**
 * The uncompressed text of a backup: the head as a line of JSON; per table `{"table":"shop"}`, its rows in
 * COPY format, `\.` as in PostgreSQL's dumps, and `{"rows":3,"sha256":"…"}`; the last line has the totals and
 * the SHA-256 of all bytes before it. Truncation and changes are detected, and `zcat` and `psql` can read the
 * file.
 */
import { createHash } from 'node:crypto';
import { BackupError, damaged, readFields, readHead, writeHead } from './head.ts';
import type { BackupHead, TableHead } from './head.ts';

const LINE_END = 0x0a;
/** COPY escapes backslashes and line ends, so no row equals this line. */
const ROWS_END = Buffer.from('\\.\n');
const ROWS_END_AFTER_ROW = Buffer.from('\n\\.\n');
const MAX_LINE_BYTES = 16 * 1024 * 1024;

export interface Totals {
  readonly tables: number;
  readonly rows: number;
}

export interface Progress {
  readonly table: string;
  readonly rows: number;
}

/** Every row ends with its only line end. */
export const rowsIn = (bytes: Buffer): number => {
  let count = 0;
  for (let at = bytes.indexOf(LINE_END); at !== -1; at = bytes.indexOf(LINE_END, at + 1)) count += 1;
  return count;
};

const line = (value: object | string): Buffer =>
  Buffer.from(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`);

const endOfTable = (rows: number, sha256: string): Buffer => line({ rows, sha256 });

const endOfAll = ({ tables, rows }: Totals, sha256: string): Buffer => line({ tables, rows, sha256 });

/** `onEnd` receives the totals. */
export async function* backupText(
  head: BackupHead,
  rowsOf: (name: string) => AsyncIterable<Buffer>,
  onProgress: (progress: Progress) => void,
  onEnd: (totals: Totals) => void,
): AsyncGenerator<Buffer> {
  const whole = createHash('sha256');
  const counted = (bytes: Buffer): Buffer => {
    whole.update(bytes);
    return bytes;
  };
  let total = 0;
  yield counted(line(writeHead(head)));
  for (const { name: table } of head.tables) {
    const digest = createHash('sha256');
    let rows = 0;
    onProgress({ table, rows });
    yield counted(line({ table }));
    for await (const bytes of rowsOf(table)) {
      digest.update(bytes);
      rows += rowsIn(bytes);
      onProgress({ table, rows });
      yield counted(bytes);
    }
    yield counted(ROWS_END);
    yield counted(endOfTable(rows, digest.digest('hex')));
    total += rows;
  }
  const totals: Totals = { tables: head.tables.length, rows: total };
  yield endOfAll(totals, whole.digest('hex'));
  onEnd(totals);
}

const cutShort = (): BackupError => new BackupError('The backup is cut short: its end is missing.');

/** Reads chunks of any size as lines and rows. */
const scan = (bytes: AsyncIterable<Buffer>) => {
  const chunks = bytes[Symbol.asyncIterator]();
  const whole = createHash('sha256');
  let rest: Buffer = Buffer.alloc(0);
  const more = async (): Promise<boolean> => {
    const piece = await chunks.next();
    if (piece.done === true) return false;
    rest = rest.length === 0 ? piece.value : Buffer.concat([rest, piece.value]);
    return true;
  };
  const take = (length: number): Buffer => {
    const taken = rest.subarray(0, length);
    rest = rest.subarray(length);
    whole.update(taken);
    return taken;
  };
  return {
    digest: (): string => whole.copy().digest('hex'),
    line: async (): Promise<string> => {
      for (;;) {
        const end = rest.indexOf(LINE_END);
        if (end !== -1) return take(end + 1).toString('utf8', 0, end);
        if (rest.length > MAX_LINE_BYTES) throw damaged('a line of it has no end');
        if (!(await more())) throw cutShort();
      }
    },
    /** The rows up to the end mark, in chunks that may split a row. */
    rows: async function* (): AsyncGenerator<Buffer> {
      for (let atLineStart = true; ;) {
        while (rest.length < ROWS_END.length) if (!(await more())) throw cutShort();
        if (atLineStart && rest.subarray(0, ROWS_END.length).equals(ROWS_END)) break;
        const end = rest.indexOf(ROWS_END_AFTER_ROW);
        // Keeps bytes that may start the end mark.
        const upTo = end === -1 ? rest.length - ROWS_END.length : end + 1;
        if (upTo > 0) {
          yield take(upTo);
          atLineStart = end !== -1;
        }
        if (end === -1 && !(await more())) throw cutShort();
      }
      take(ROWS_END.length);
    },
    isAtEnd: async (): Promise<boolean> => rest.length === 0 && !(await more()),
  };
};

export type RowConsumer = (table: TableHead, rows: AsyncIterable<Buffer>) => Promise<number>;

export interface OpenBackup {
  readonly head: BackupHead;
  /**
   * Reads the tables in order. Throws BackupError when the content differs from what was written. Call it
   * once.
   */
  readonly readTables: (take: RowConsumer) => Promise<Totals>;
}

async function* digested(
  rows: AsyncIterable<Buffer>,
  onPiece: (bytes: Buffer) => void,
): AsyncGenerator<Buffer> {
  for await (const bytes of rows) {
    onPiece(bytes);
    yield bytes;
  }
}

/** Reads the head. Throws BackupError. */
export const readBackup = async (bytes: AsyncIterable<Buffer>): Promise<OpenBackup> => {
  const text = scan(bytes);
  const head = readHead(await text.line());
  const readTable = async (table: TableHead, take: RowConsumer): Promise<number> => {
    if (readFields(await text.line()).text('table') !== table.name)
      throw damaged(`the table ${table.name} is not where it should be`);
    const digest = createHash('sha256');
    const rows = await take(
      table,
      digested(text.rows(), (piece) => digest.update(piece)),
    );
    const expected = endOfTable(rows, digest.digest('hex')).toString();
    if (`${await text.line()}\n` !== expected)
      throw damaged(`the rows of the table ${table.name} are not those that were written`);
    return rows;
  };
  return {
    head,
    readTables: async (take) => {
      let rows = 0;
      for (const table of head.tables) rows += await readTable(table, take);
      const totals: Totals = { tables: head.tables.length, rows };
      const expected = endOfAll(totals, text.digest()).toString();
      if (`${await text.line()}\n` !== expected) throw damaged('it is not what was written');
      if (!(await text.isAtEnd())) throw damaged('something follows its end');
      return totals;
    },
  };
};
