/** The rows of a CSV, each with the line on which it begins. */
import { CsvError, parse } from 'csv-parse/sync';
import { MOST_SIZES } from '../../domain/limits.ts';
import { encodingFault } from '../../domain/text.ts';
import { ShopFileFaults } from '../faults.ts';
import type { ImportFile } from '../importing.ts';

/** The delimiter that the first line uses most; Excel writes `;` where the comma is the decimal point. */
const delimiterOf = (text: string): string => {
  const header = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replaceAll(/"[^"]*"/g, '');
  const counts = [',', ';', '\t', '،'].map((sign) => ({ sign, count: header.split(sign).length }));
  return counts.reduce((best, other) => (other.count > best.count ? other : best)).sign;
};

export interface Table {
  readonly rows: readonly (readonly string[])[];
  /** The first row that cannot be told from its neighbours; null when all can. */
  readonly unreadable: number | null;
  /** The line of the text on which a row begins. */
  lineOf(row: number): number | null;
}

interface CsvRow {
  readonly record: string[];
  /** Bytes of the text, in UTF-8, up to the end of the row. */
  readonly end: number;
}

/** Excel writes the delimiter into a first line of its own, and then counts that line as none. */
const EXCEL_DELIMITER = /^sep=(.)\r?\n/i;

/** Characters of one line, and of one row that has several: no menu has a tenth of it. */
const LONGEST_LINE = 65_536;

/** The number of the first line that is too long; null: none is. */
const tooLongLine = (text: string): number | null => {
  let [line, start] = [1, 0];
  const ends = /\r\n|\r|\n/g;
  for (;;) {
    const end = ends.exec(text);
    if ((end?.index ?? text.length) - start > LONGEST_LINE) return line;
    if (end === null) return null;
    line += 1;
    start = ends.lastIndex;
  }
};

/** The rows up to the first that cannot be read, or one more than `most`. */
const readRows = (
  source: string,
  delimiter: string,
  most: number,
): { rows: CsvRow[]; isComplete: boolean } => {
  const rows: CsvRow[] = [];
  try {
    parse(source, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      max_record_size: LONGEST_LINE,
      to: most + 1,
      on_record: (record: string[], { bytes }) => {
        rows.push({ record, end: bytes });
        return null;
      },
    });
    return { rows, isComplete: true };
  } catch (fault) {
    if (!(fault instanceof CsvError)) throw fault;
    return { rows, isComplete: false };
  }
};

/** The line on which each row begins, and the one after the last: the reader counts a CRLF in a cell as two lines. */
const beginnings = (source: string, rows: readonly CsvRow[], first: number): number[] => {
  const bytes = Buffer.from(source);
  const lines = [first];
  let from = 0;
  for (const { end } of rows) {
    const breaks = bytes.toString('utf8', from, end).match(/\r\n|\r|\n/g)?.length ?? 0;
    lines.push((lines.at(-1) ?? first) + breaks);
    from = end;
  }
  return lines;
};

/** The first row, and for each item as many as it may have sizes. */
const mostRows = (items: number): number => 1 + items * MOST_SIZES;

/** Reads a table of at most `maxItems` items. Throws ShopFileFaults where it cannot be read at all. */
export const readTable = ({ name, text }: ImportFile, maxItems: number): Table => {
  const marked = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const refuse = (problem: string, line: number | null): never => {
    throw new ShopFileFaults([{ file: name, path: '', problem, line, column: null }]);
  };
  const encoding = encodingFault(marked);
  if (encoding !== null) refuse(encoding, null);
  const longLine = tooLongLine(marked);
  if (longLine !== null)
    refuse(`is no table: this line has more than ${LONGEST_LINE.toLocaleString('en')} characters`, longLine);
  const named = EXCEL_DELIMITER.exec(marked);
  const source = marked.slice(named?.[0].length ?? 0);
  const most = mostRows(maxItems);
  const { rows, isComplete } = readRows(source, named?.[1] ?? delimiterOf(source), most);
  if (rows.length > most)
    refuse(
      `has more than ${most.toLocaleString('en')} rows, which are ${MOST_SIZES} sizes of each of ` +
        `${maxItems.toLocaleString('en')} items, all that an import reads (IMPORT_MAX_ITEMS)`,
      null,
    );
  const lines = beginnings(source, rows, named === null ? 1 : 2);
  const known = isComplete ? rows.length : rows.length + 1;
  return {
    rows: rows.map(({ record }) => record),
    unreadable: isComplete ? null : known,
    lineOf: (row) => (row > known ? null : (lines[row - 1] ?? null)),
  };
};
