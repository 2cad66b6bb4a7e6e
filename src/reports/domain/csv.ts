/** A table as comma-separated values, for spreadsheets. */

export type Cell = string | number | boolean | null;

/** Spreadsheets take text that begins so for a formula. */
const BEGINS_A_FORMULA = /^[=+\-@\t\r]/;

const textCell = (text: string): string => {
  const harmless = BEGINS_A_FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

const cellOf = (cell: Cell): string =>
  cell === null ? '' : typeof cell === 'string' ? textCell(cell) : String(cell);

/** With the mark by which spreadsheets know UTF-8; lines end as RFC 4180 says. */
export const csvOf = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  `\ufeff${[columns, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`;
