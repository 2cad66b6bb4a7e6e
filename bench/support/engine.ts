/** The deals engine on many carts, and a solver on the first of them. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type BuildOptions } from 'esbuild';
import type * as Engine from '../../src/pricing/domain/deals/best.ts';
import { cafeBy, cartBy, type Cafe, type CafeLine, type CafeSize, type Mix } from './cafe.ts';
import { highest, median, millis, percentile } from './figures.ts';
import { ROOT } from './processes.ts';
import type { Row } from './report.ts';
import { savingByYalps } from './yalps.ts';

const CARTS = 200;
const WARM_CARTS = 200;
/** Carts for the solver, and its time limit per cart. */
const SOLVER_CARTS = 20;
const SOLVER_MS = 250;

export type BestDealsOf = typeof Engine.bestDeals;

/** As `scripts/build.mjs` bundles the server. */
export const BUNDLED: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  logLevel: 'warning',
};

/** The engine as shipped: compiled by tsx, which runs the benches, it is slower by more than a half. */
export const shippedEngine = async (folder: string): Promise<BestDealsOf> => {
  const outfile = join(folder, 'engine.mjs');
  const entry = join(ROOT, 'src', 'pricing', 'domain', 'deals', 'best.ts');
  await build({ ...BUNDLED, entryPoints: [entry], outfile });
  const { bestDeals } = (await import(pathToFileURL(outfile).href)) as typeof Engine;
  return bestDeals;
};

/** CPU milliseconds of this process, garbage collection included, and the result. */
export const timed = <T>(work: () => T): { readonly ms: number; readonly result: T } => {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, result };
};

interface Cart {
  readonly cafe: Cafe;
  readonly lines: readonly CafeLine[];
}

/** Each cart has its own café. */
const cartsOf = ({ mix, size, units }: EngineJob, from: number, count: number): readonly Cart[] =>
  Array.from({ length: count }, (_, index) => {
    const cafe = cafeBy(from + index, mix, size);
    return { cafe, lines: cartBy(from + index, cafe, units) };
  });

const counted = (value: number): string => Math.round(value).toLocaleString('en');

const quantiles = (times: readonly number[]): string =>
  `p50 ${millis(median(times))}, p99 ${millis(percentile(times, 0.99))}`;

interface EngineGoal {
  /** The part of the results that is proven optimal, at least. */
  readonly proven: number;
  /** CPU milliseconds, at most; absent: any. */
  readonly p50?: number;
  readonly p99?: number;
}

const goalText = ({ proven, p50, p99 }: EngineGoal): string =>
  [
    proven === 1 ? 'all proven' : `≥ ${proven * 100} % proven`,
    ...(p50 === undefined ? [] : [`p50 ≤ ${p50} ms`]),
    ...(p99 === undefined ? [] : [`p99 ≤ ${p99} ms`]),
  ].join(', ');

export interface EngineJob {
  readonly mix: Mix;
  readonly size: CafeSize;
  readonly units: number;
  readonly goal: EngineGoal;
}

/** One row. Throws where a finished solver and an optimal result of the engine differ. */
export const measureEngine = (bestDeals: BestDealsOf, job: EngineJob): Row => {
  const { mix, size, units, goal } = job;
  for (const { cafe, lines } of cartsOf(job, CARTS, WARM_CARTS)) bestDeals(lines, cafe.deals);
  const carts = cartsOf(job, 0, CARTS);
  const ours = carts.map(({ cafe, lines }) => timed(() => bestDeals(lines, cafe.deals)));
  const theirs = carts
    .slice(0, SOLVER_CARTS)
    .map(({ cafe, lines }) => timed(() => savingByYalps(lines, cafe.deals, SOLVER_MS)));
  const times = ours.map(({ ms }) => ms);
  const work = ours.map(({ result }) => result.work);
  const finished = theirs.flatMap(({ result: most }, index) => {
    const best = ours[index]?.result;
    if (best === undefined || most === null) return [];
    if (best.saving > most || best.bound < most)
      throw new Error(
        `Cart ${index} of ${mix.name}: the engine saves ${best.saving}, ${best.bound} at most, and yalps ${most}.`,
      );
    return [{ isLess: best.saving < most }];
  });
  const less = finished.filter(({ isLess }) => isLess).length;
  const proven = ours.filter(({ result }) => result.optimal).length / CARTS;
  const [p50, p99] = [median(times), percentile(times, 0.99)];
  const solverTimes = theirs.map(({ ms }) => ms);
  const same = median(times.slice(0, SOLVER_CARTS)) / median(solverTimes);
  return {
    job: `${mix.name}, ${units} units, ${size.deals} deals`,
    figure: `${quantiles(times)}, highest ${millis(highest(times))}; ${(proven * 100).toFixed(1)} % proven; work p50 ${counted(median(work))}, p99 ${counted(percentile(work, 0.99))}`,
    baseline: `yalps: ${quantiles(solverTimes)}; finished ${finished.length} of ${SOLVER_CARTS}${less === 0 ? '' : `, saves more on ${less}`}; on the same carts we take × ${same.toPrecision(2)}`,
    goal: goalText(goal),
    met: proven >= goal.proven && p50 <= (goal.p50 ?? Infinity) && p99 <= (goal.p99 ?? Infinity),
  };
};

export const HOW_TIMED = [
  `CPU time of one call, after ${WARM_CARTS} others; ${CARTS} carts of so many units, each of another café (bench/support/cafe.ts).`,
  `yalps solves the first ${SOLVER_CARTS} of them as integer programs, each in ${SOLVER_MS} ms or not at all; what it finishes lies within our bounds.`,
];
