/**
 * A day of many cafés: each hour at its own pace, but in a few seconds, of one process and of two workers in turn. Before
 * it, what a visit of each kind costs; from that and the day: what other numbers of shops need.
 */
import { withAhwa, withDataFolder } from './support/ahwa.ts';
import { withApp } from './support/data.ts';
import { highest, median, megabytes, millis, percentile } from './support/figures.ts';
import { report, type Row } from './support/report.ts';
import { capacityRows, coresOf, costRows, measureCosts, warmUp, type Costs } from './support/scale/costs.ts';
import { VISITS } from './support/scale/day.ts';
import { replayDay, type Outcome } from './support/scale/outcome.ts';
import { addCafes, type Place } from './support/scale/shops.ts';
import { openSide, type Cpu } from './support/scale/side.ts';

const SHOPS = 300;
const WORKERS = 2;
const NEWS_MS = 1_000;
/** The first has 100 branches. */
const SIZES = [67, 10_000, 300_000, 1_000_000];
/** Of cafés that ask for codes, whose messages go nowhere. */
const ENV = { NODE_ENV: 'development', DEMO: 'false', OTP_SENDER: 'console', METRICS_PORT: 'off' };

const progress = (text: string): void => console.error(`  ${text}`);

const timesOf = (times: readonly number[]): string =>
  `p50 ${millis(median(times))}, p99 ${millis(percentile(times, 0.99))}`;
const coresIn = ({ server, postgres }: Cpu): string =>
  `${server.toFixed(2)} of Node, ${postgres.toFixed(2)} of PostgreSQL`;

const answerRows = (workers: Outcome, one: Outcome): readonly Row[] =>
  VISITS.map((kind) => ({
    job: kind,
    figure: timesOf(workers.times.get(kind) ?? []),
    baseline: timesOf(one.times.get(kind) ?? []),
  }));

const dayRows = (workers: Outcome, one: Outcome, costs: Costs): readonly Row[] => {
  const row = (job: string, of: (outcome: Outcome) => string): Row => ({
    ...{ job, figure: of(workers), baseline: of(one) },
  });
  const slowest = highest([...workers.news, ...one.news]);
  const faults = [...workers.faults, ...one.faults];
  return [
    row('cores in the fullest hour', ({ top }) => coresIn(top)),
    { job: 'the same, by what visits cost alone', figure: '', baseline: coresIn(coresOf(costs, SHOPS)) },
    row('memory of the server', ({ memory }) => megabytes(memory)),
    row('stored for a sale; log', ({ bytesPerSale, loggedPerSale }) =>
      [bytesPerSale, loggedPerSale].map((bytes) => `${(bytes / 1_000).toFixed(1)} KB`).join('; '),
    ),
    {
      ...row(
        'until a board has an order',
        ({ news }) => `${timesOf(news)}, highest ${millis(highest(news))}`,
      ),
      ...{ goal: '≤ 1 s', met: slowest <= NEWS_MS },
    },
    {
      ...row('sales acknowledged', ({ acknowledged }) => acknowledged.toLocaleString('en')),
      ...{ goal: 'each there, once; no wrong answer', met: faults.length === 0 },
    },
  ];
};

interface Costly {
  readonly costs: Costs;
  /** Of a branch, after a start. */
  readonly first: Cpu;
}

const reportAll = ({ costs, first }: Costly, workers: Outcome, one: Outcome): void => {
  const shops = SHOPS.toLocaleString('en');
  report('What a visit costs one process', costRows(costs, first));
  report(
    `The fullest hour of ${shops} shops, ${WORKERS} workers beside one process`,
    answerRows(workers, one),
  );
  report(`A day of ${shops} shops, ${WORKERS} workers beside one process`, dayRows(workers, one, costs), [
    ...[...workers.faults, ...one.faults].slice(0, 10),
  ]);
  report('What shops need, by what visits cost', capacityRows(costs, SIZES, one.bytesPerSale));
};

/** A folder with the shops, and their branches. */
interface Folder {
  readonly dataDir: string;
  readonly places: readonly Place[];
}

const measure = async (one: Folder, two: Folder): Promise<void> => {
  await withAhwa(one.dataDir, ENV, (single) =>
    withAhwa(two.dataDir, { ...ENV, WORKERS: String(WORKERS) }, async (pair) => {
      progress('boards');
      const process = await openSide(one.dataDir, single, one.places);
      const workers = await openSide(two.dataDir, pair, two.places);
      progress('first visits');
      const first = await warmUp(process, one.places);
      await warmUp(workers, two.places);
      progress('what visits cost');
      const costs = await measureCosts(process);
      const [ofWorkers, ofProcess] = await replayDay([workers, process], SHOPS, (hour) =>
        progress(`${hour}:00`),
      );
      if (ofWorkers !== undefined && ofProcess !== undefined)
        reportAll({ costs, first }, ofWorkers, ofProcess);
      await workers.close();
      await process.close();
    }),
  );
};

const filled = async (dataDir: string): Promise<Folder> => {
  const onProgress = (branches: number): void => progress(`${branches} branches`);
  return { dataDir, places: await withApp(dataDir, (app) => addCafes(app, SHOPS, onProgress)) };
};

await withDataFolder(async (one) =>
  withDataFolder(async (two) => measure(await filled(one), await filled(two))),
);
