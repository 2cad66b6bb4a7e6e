/** The results of a siege as a table. */
import { megabytes, median, millis, percentile } from '../../../bench/support/figures.ts';
import type { Row } from '../../../bench/support/report.ts';
import type { AttackResult } from './attacks.ts';
import { GAUGES } from './metrics.ts';
import type { Aftermath } from './siege.ts';
import { tallyText } from './tally.ts';
import type { ClientResults, Times } from './legitimate-clients.ts';

/** Goals, ms at the 99th percentile. */
const ORDER_MS = 1_000;
const QUOTE_MS = 100;

/** Samples of the server metrics during the siege. */
export interface Readings {
  readonly memory: number[];
  /** Longest delays of the event loop, ms. */
  readonly blocked: number[];
}

const timesText = (times: Times): string =>
  `p50 ${millis(median(times))}, p99 ${millis(percentile(times, 0.99))} of ${times.length}`;

const within = (job: string, times: Times, goalMs: number): Row => ({
  ...{ job, figure: timesText(times), goal: `p99 ≤ ${millis(goalMs)}` },
  met: percentile(times, 0.99) <= goalMs,
});

const victimRows = (suffered: ClientResults): readonly Row[] => {
  const { begun, taken, delivered, quotes, menus, seen } = suffered;
  return [
    {
      job: 'orders of guests that were taken, and delivered',
      figure: `${taken.length}, ${delivered} of ${begun}`,
      goal: 'all',
      met: taken.length === begun && delivered === begun && begun > 0,
    },
    within('from the first try to the order', taken, ORDER_MS),
    within('a two-line quote, refused ones counted as endless', quotes, QUOTE_MS),
    { job: 'a menu, the same', figure: timesText(menus) },
    { job: 'answers to guests and staff', figure: tallyText(seen) },
  ];
};

const serverRows = ({ memory, blocked }: Readings, { figures, faults }: Aftermath): readonly Row[] => [
  {
    job: 'memory at the start, highest, at the end',
    figure: [memory[0] ?? NaN, Math.max(...memory), figures.memory].map(megabytes).join(', '),
  },
  {
    job: 'longest delay of the event loop in a reading',
    figure: `p50 ${millis(median(blocked))}, highest ${millis(Math.max(...blocked))}`,
  },
  {
    job: 'gauges afterwards',
    figure: GAUGES.map((name) => `${name.replace('ahwa_http_', '')} ${figures.gauges[name]}`).join(', '),
    goal: 'all 0',
    met: GAUGES.every((name) => figures.gauges[name] === 0),
  },
  { job: 'all answers', figure: tallyText(figures.statuses) },
  { job: 'faults', figure: String(faults.length), goal: '0', met: faults.length === 0 },
];

export const verdictRows = (
  suffered: ClientResults,
  attacked: readonly AttackResult[],
  readings: Readings,
  aftermath: Aftermath,
): readonly Row[] => [
  ...victimRows(suffered),
  ...attacked.map(({ name, seen, isFelt }) => ({
    ...{ job: name, figure: tallyText(seen), goal: 'felt' },
    met: isFelt,
  })),
  ...serverRows(readings, aftermath),
];
