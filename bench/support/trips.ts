/** The round trips and commits of recorded writes. */
import { highest, median } from './figures.ts';
import type { Sheet } from './replay-record.ts';
import { tripsIn, type Script } from './replay.ts';
import type { Row } from './report.ts';
import { WARM, type WriteJob } from './write-job.ts';

const BEGINS = /^(begin|start transaction)\b/i;
const COMMITS = /^commit$/i;
const WRITES = /^\s*(insert|update|delete|with)\b/i;

const countOf = (sheet: Sheet, pattern: RegExp): number =>
  sheet.filter(({ text }) => pattern.test(text)).length;

const between = (values: readonly number[]): string => {
  const [least, most] = [Math.min(...values), highest(values)];
  return least === most ? String(most) : `${least} to ${most}`;
};

const mean = (values: readonly number[]): string =>
  (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(2);

/** After the warm-up. Every write counts, also one that leases the messages of others (decision 23). */
export const tripsRow = ({ one, goal }: WriteJob, script: Script): Row => {
  const sheets = script.flatMap((all) => all.slice(WARM));
  const trips = sheets.map(tripsIn);
  const commits = sheets.map((sheet) => countOf(sheet, COMMITS));
  const writesOutside = sheets.filter((sheet) => {
    const begins = sheet.findIndex(({ text }) => BEGINS.test(text));
    return countOf(begins < 0 ? sheet : sheet.slice(0, begins), WRITES) > 0;
  }).length;
  return {
    job: `round trips of one ${one}`,
    figure: `${between(trips)}, median ${median(trips)}, mean ${mean(trips)}; commits ${between(commits)}, median ${median(commits)}, mean ${mean(commits)}; writes outside them ${writesOutside}`,
    goal: `≤ ${goal.trips}, commits ${goal.commits}`,
    met:
      highest(trips) <= goal.trips && commits.every((count) => count === goal.commits) && writesOutside === 0,
  };
};
