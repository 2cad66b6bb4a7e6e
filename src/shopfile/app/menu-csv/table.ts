/** Parses a CSV into rows with line numbers. */
import { CsvError, parse } from 'csv-parse/sync';
import { MAX_SIZES } from '../../domain/limits.ts';
import { encodingFault } from '../../domain/text.ts';
import { ShopFileFaults } from '../faults.ts';
import type { ImportFile } from '../importing.ts';

/** Excel writes `;` in locales with a decimal comma. */
const delimiterOf = (text: string): string => {
  const header = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replaceAll(/"[^"]*"/g, '');
  const counts = [',', ';', '\t', '،'].map((sign) => ({ sign, count: header.split(sign).length }));
  return counts.reduce((best, other) => (other.count > best.count ? other : best)).sign;
};

export interface Table {
  readonly rows: readonly (readonly string[])[];
  /** The first row that cannot be parsed, from 1. */
  readonly unreadable: number | null;
  /** The line on which a row begins, both from 1. */
  lineOf(row: number): number | null;
}

interface CsvRow {
  readonly record: string[];
  /** UTF-8 byte offset of the row's end. */
  readonly end: number;
}

/** Excel's optional delimiter line, not counted as a row. */
const EXCEL_DELIMITER = /^sep=(.)\r?\n/i;

/** Characters of a line or row; real menus have less than a tenth. */
const MAX_LINE_LENGTH = 65_536;

const tooLongLine = (text: string): number | null => {
  let [line, start] = [1, 0];
  const ends = /\r\n|\r|\n/g;
  for (;;) {
    const end = ends.exec(text);
    if ((end?.index ?? text.length) - start > MAX_LINE_LENGTH) return line;
    if (end === null) return null;
    line += 1;
    start = ends.lastIndex;
  }
};

/** Stops at the first unreadable row, or after `max` + 1 rows. */
const readRows = (
  source: string,
  delimiter: string,
  max: number,
): { rows: CsvRow[]; isComplete: boolean } => {
  const rows: CsvRow[] = [];
  try {
    parse(source, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      max_record_size: MAX_LINE_LENGTH,
      to: max + 1,
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

/** First line of each row, and the line after the last. csv-parse counts a CRLF in a cell as two lines. */
const firstLines = (source: string, rows: readonly CsvRow[], first: number): number[] => {
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

const maxRows = (items: number): number => 1 + items * MAX_SIZES;

/** Throws ShopFileFaults if the text is no table or has too many rows for `maxItems`. */
export const readTable = ({ name, text }: ImportFile, maxItems: number): Table => {
  const withoutBom = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const refuse = (problem: string, line: number | null): never => {
    throw new ShopFileFaults([{ file: name, path: '', problem, line, column: null }]);
  };
  const encoding = encodingFault(withoutBom);
  if (encoding !== null) refuse(encoding, null);
  const longLine = tooLongLine(withoutBom);
  if (longLine !== null)
    refuse(
      `is no table: this line has more than ${MAX_LINE_LENGTH.toLocaleString('en')} characters`,
      longLine,
    );
  const excelHeader = EXCEL_DELIMITER.exec(withoutBom);
  const source = withoutBom.slice(excelHeader?.[0].length ?? 0);
  const max = maxRows(maxItems);
  const { rows, isComplete } = readRows(source, excelHeader?.[1] ?? delimiterOf(source), max);
  if (rows.length > max)
    refuse(
      `has more than ${max.toLocaleString('en')} rows, which are ${MAX_SIZES} sizes of each of ` +
        `${maxItems.toLocaleString('en')} items, all that an import reads (IMPORT_MAX_ITEMS)`,
      null,
    );
  const lines = firstLines(source, rows, excelHeader === null ? 1 : 2);
  const readable = isComplete ? rows.length : rows.length + 1;
  return {
    rows: rows.map(({ record }) => record),
    unreadable: isComplete ? null : readable,
    lineOf: (row) => (row > readable ? null : (lines[row - 1] ?? null)),
  };
};
