/** Compares a server with a baseline in alternating rounds, so that a busy machine slows both. */
import { alternate } from './alternate.ts';
import { median, micros, perSecond } from './figures.ts';
import type { Row } from './report.ts';
import { CONNECTIONS, load, type Load, type Target } from './wrk.ts';

const ROUNDS = 5;
const SECONDS = 1;
const WARM_SECONDS = 1;
/** Below this share of a core a server was not saturated: its requests per second say little. */
const FREE_CORE = 0.9;

export interface Goal {
  /** Least share of the baseline's requests per second. */
  readonly rate: number;
  /** Most multiple of the baseline's CPU per request. */
  readonly cpu?: number;
}

export interface Round {
  readonly ours: Load;
  readonly bare: Load;
}

/** Warms both up, then alternates. */
export const alternateLoad = async (ours: Target, bare: Target): Promise<readonly Round[]> => {
  for (const target of [ours, bare]) await load(target, WARM_SECONDS);
  return alternate(
    ROUNDS,
    () => load(ours, SECONDS),
    () => load(bare, SECONDS),
  );
};

/** The medians as a row. `size`: bytes of the body. */
export const comparisonRow = (
  { name, goal }: { readonly name: string; readonly goal?: Goal },
  rounds: readonly Round[],
  size: number,
): Row => {
  const of = (read: (round: Round) => number): number => median(rounds.map(read));
  const rate = of(({ ours, bare }) => ours.perSecond / bare.perSecond);
  const cpu = of(({ ours, bare }) => ours.cpuPerRequest / bare.cpuPerRequest);
  const disturbed =
    Math.min(
      of(({ ours }) => ours.coreShare),
      of(({ bare }) => bare.coreShare),
    ) < FREE_CORE;
  const side = (which: 'ours' | 'bare'): string =>
    `${perSecond(of((round) => round[which].perSecond))}, ${micros(of((round) => round[which].cpuPerRequest))}`;
  const row = {
    job: `${name} (${size < 1000 ? `${size} B` : `${(size / 1000).toFixed(1)} KB`})`,
    figure: side('ours'),
    baseline: side('bare'),
  };
  const ratio = `${rate.toFixed(2)}, CPU × ${cpu.toFixed(2)}`;
  if (goal === undefined) return { ...row, ratio };
  const reached = disturbed ? 1 / cpu : rate;
  return {
    ...row,
    ratio: `${ratio}${disturbed ? ' (decides)' : ''}`,
    goal: `≥ ${goal.rate}${goal.cpu === undefined ? '' : `, CPU ≤ ${goal.cpu}`}`,
    met: reached >= goal.rate && (goal.cpu === undefined || cpu <= goal.cpu),
  };
};

export const HOW_TAKEN = [
  `Medians of ${ROUNDS} rounds, the two servers in turn, ${CONNECTIONS} connections; µs are the server's CPU for one request.`,
  'Limits, headers, metrics and the default log are on. "decides": a server had less than a whole core, so CPU counts.',
];
