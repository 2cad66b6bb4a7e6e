/**
 * The deals engine as it is beside itself with one constant changed or one mechanism switched off, on the same carts.
 * Work is counted, so all figures but those of time are the same on every machine.
 */
import { FEW_UNITS, HOW_MADE, MANY_UNITS, SMALL, type Cart } from './support/ablation-carts.ts';
import { withDataFolder } from './support/ahwa.ts';
import {
  compareFound,
  reachingBranchAndBound,
  reasonsFor,
  searchAll,
  searchAtOnce,
  searchCart,
  type Difference,
  type Search,
} from './support/compare-engines.ts';
import { editedEngine, type Edit, type Engine } from './support/engine-edits.ts';
import { spreadRatio, timedCarts, timeRatio } from './support/engine-times.ts';
import { report, type Row } from './support/report.ts';
import { BRANCHING, BRANCHING_CHARGES } from './support/tuned-branching.ts';
import { AT_ONCE, CHARGES, FEW, PROGRAM, TIME_SAVERS } from './support/tuned-program.ts';
import type { Tuned } from './support/tuned.ts';

const CARTS = [...MANY_UNITS, ...FEW_UNITS];
/** A smaller difference of times counts as none. */
const TOLERANCE = 1.02;

/** An engine without branch and bound, to find the carts that reach it. */
const WITHOUT_BRANCHING: Edit = {
  file: 'branch-and-bound.ts',
  found: /^ {2}prove\(\): boolean \{(?<value>)\n/,
  by: " throw new Error('reached');",
};

const began = performance.now();
const progress = (line: string): void =>
  console.log(`${String(Math.round((performance.now() - began) / 1000)).padStart(4)} s  ${line}`);

const times = (ratio: number): string => `× ${ratio.toFixed(2)}`;

const figureOf = ({ unproven, less, more, worseTies, betterTies, wrong }: Difference): string =>
  [
    `${unproven} unproven`,
    `${less} save less, ${more} more`,
    ...(worseTies + betterTies === 0 ? [] : [`ties ${worseTies} worse, ${betterTies} better`]),
    ...(wrong === 0 ? [] : [`${wrong} bounds WRONG`]),
  ].join('; ');

/** What a replacement changes, and in what it is worse; no reason: the engine does not gain from the constant. */
interface Outcome {
  readonly figure: string;
  readonly ratio: string;
  readonly reasons: readonly string[];
}

/** One row for each replacement, and a verdict on the constant: each replacement has to be worse in something. */
const ablate = async (
  folder: string,
  { name, what, place, value, others }: Tuned,
  outcomeOf: (engine: Engine) => Outcome,
): Promise<{ readonly rows: readonly Row[]; readonly verdict: Row }> => {
  const outcomes: (Outcome & { readonly job: string })[] = [];
  for (const { by, name: other } of others) {
    const outcome = outcomeOf(await editedEngine(folder, [{ ...place, by }]));
    const job = `${name}: ${value} → ${other}`;
    progress(`${job}: ${outcome.figure}; ${outcome.ratio}`);
    outcomes.push({ ...outcome, job });
  }
  const rows = outcomes.map(({ job, figure, ratio, reasons }) => ({
    job: `${job} (${what})`,
    figure,
    ratio,
    baseline: reasons.length === 0 ? 'no worse' : reasons.join(', '),
  }));
  const noWorse = outcomes.filter(({ reasons }) => reasons.length === 0).map(({ job }) => job);
  const pays = noWorse.length === 0;
  const figure = pays ? 'pays' : `does not pay (${noWorse.join('; ')})`;
  return { rows, verdict: { job: name, figure, goal: 'every other value is worse', met: pays } };
};

const verdicts: Row[] = [];

const ablateAll = async (
  folder: string,
  title: string,
  all: readonly Tuned[],
  outcomeOf: (engine: Engine) => Outcome,
  notes: readonly string[],
): Promise<void> => {
  const rows: Row[] = [];
  for (const one of all) {
    const { rows: own, verdict } = await ablate(folder, one, outcomeOf);
    rows.push(...own);
    verdicts.push(verdict);
  }
  report(title, rows, notes);
};

/** Ablations whose figures are counted. */
const ablateCounted = async (
  folder: string,
  title: string,
  all: readonly Tuned[],
  { carts, search }: { readonly carts: readonly Cart[]; readonly search: Search },
): Promise<void> => {
  const asIs = searchAll(await editedEngine(folder, []), carts, search);
  const unproven = asIs.filter(({ isProven }) => !isProven).length;
  const work = asIs.reduce((sum, found) => sum + found.work, 0);
  const figure = `${unproven} of ${asIs.length} unproven, work ${work.toLocaleString('en')}`;
  progress(`${title}, as it is: ${figure}`);
  const outcomeOf = (engine: Engine): Outcome => {
    const difference = compareFound(asIs, searchAll(engine, carts, search));
    const ratio = `work ${times(difference.work)}, p50 ${times(difference.medianWork)}`;
    return { figure: figureOf(difference), ratio, reasons: reasonsFor(difference, { unproven }) };
  };
  await ablateAll(folder, title, all, outcomeOf, [`The engine as it is: ${figure}.`]);
};

const timeOutcome = (ratio: number, worse: string): Outcome => ({
  figure: '–',
  ratio: times(ratio),
  reasons: ratio > TOLERANCE ? [worse] : [],
});

const ablateTimes = async (folder: string): Promise<void> => {
  const asIs = await editedEngine(folder, []);
  const timed = timedCarts(asIs, CARTS);
  progress(`${timed.length} carts timed`);
  await ablateAll(
    folder,
    'What an operation counts as',
    [...CHARGES, ...BRANCHING_CHARGES],
    (engine) => timeOutcome(spreadRatio(timed, engine), 'time per operation less alike'),
    [`The ratio: how the time per operation varies over ${timed.length} carts, beside the engine as it is.`],
  );
  await ablateAll(
    folder,
    'What only saves time',
    TIME_SAVERS,
    (engine) => timeOutcome(timeRatio(asIs, engine, FEW_UNITS), 'more time'),
    ['The ratio: CPU time of the carts of few units, each in turn by both engines.'],
  );
};

await withDataFolder(async (folder) => {
  const withoutBranching = await editedEngine(folder, [WITHOUT_BRANCHING]);
  const branching = reachingBranchAndBound(withoutBranching, CARTS);
  const all = { carts: CARTS, search: searchCart };
  await ablateCounted(folder, 'The dynamic program and the search as a whole', PROGRAM, all);
  const small = { carts: SMALL, search: searchCart };
  await ablateCounted(folder, 'The dynamic program for few units', FEW, small);
  const atOnce = { carts: CARTS, search: searchAtOnce };
  await ablateCounted(folder, 'Problems that are searched within a request', AT_ONCE, atOnce);
  const ofBranching = { carts: branching, search: searchCart };
  await ablateCounted(folder, 'Branch and bound, on the carts that reach it', BRANCHING, ofBranching);
  await ablateTimes(folder);
});
report('Verdicts', verdicts, [
  HOW_MADE,
  'A constant pays if every other value leaves more carts unproven, takes over 2 % more work in all or at the median, saves less on more carts than it saves more on, decides more ties worse than better, or makes a bound wrong.',
]);
