/** Prints the table of a bench, and adds it to the summary of a run of several. */
import { appendFileSync } from 'node:fs';
import { cpus } from 'node:os';

export interface Row {
  readonly job: string;
  readonly figure: string;
  /** The reference value, measured in the same run. */
  readonly baseline?: string;
  readonly ratio?: string;
  readonly goal?: string;
  /** Undefined without a goal. */
  readonly met?: boolean;
}

const COLUMNS = ['job', 'figure', 'baseline', 'ratio', 'goal', 'verdict'] as const;

const verdictOf = ({ met }: Row): string => (met === undefined ? '' : met ? 'met' : 'NOT MET');

const cellsOf = (row: Row): readonly string[] => [
  row.job,
  row.figure,
  row.baseline ?? '–',
  row.ratio ?? '–',
  row.goal ?? '–',
  verdictOf(row),
];

const aligned = (rows: readonly (readonly string[])[]): string => {
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

/** The summary file of a run of several benches, which the runner prints at the end. */
const SUMMARY = process.env['AHWA_BENCH_SUMMARY'];

/** Prints the rows under a heading. A missed goal does not fail the bench. */
export const report = (title: string, rows: readonly Row[], notes: readonly string[] = []): void => {
  const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown CPU'}`;
  console.log(`\n${title}  (${machine})\n`);
  console.log(aligned([[...COLUMNS], ...rows.map(cellsOf)]));
  for (const note of notes) console.log(`  ${note}`);
  if (SUMMARY === undefined) return;
  for (const row of rows.filter((each) => each.met !== undefined))
    appendFileSync(
      SUMMARY,
      `${verdictOf(row).padEnd(7)}  ${title}: ${row.job}  ${row.ratio ?? row.figure}  (goal ${row.goal ?? ''})\n`,
    );
};
