/**
 * Cached reads and orders of two workers beside one process, in turn on the same cores, which the load generator and
 * PostgreSQL share: how much more they answer, and what a request costs.
 */
import type { App } from '../src/platform/app/app.ts';
import { demoContents } from '../src/service/app/demo.ts';
import { demoActivity } from '../src/wiring.ts';
import { withAhwa, withDataFolder, type Ahwa } from './support/ahwa.ts';
import { alternate } from './support/alternate.ts';
import { alternateLoad, type Round } from './support/compare.ts';
import { addDemo, withApp } from './support/data.ts';
import { median, micros, millis, percentile, perSecond } from './support/figures.ts';
import { addOrderingGuests, orderJobs } from './support/orders.ts';
import { postWrites, type Posted } from './support/post-writes.ts';
import { report, type Row } from './support/report.ts';
import { CLIENTS, ROUNDS, TIMED, WARM } from './support/write-job.ts';
import { CONNECTIONS, needWrk, type Load } from './support/wrk.ts';

const WORKERS = 2;
const GOAL = 0.85;
/** No worse, as far as rounds tell. */
const ORDERS_GOAL = 0.95;

interface Job {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

const jobsOf = (dataDir: string): Promise<readonly Job[]> =>
  withApp(dataDir, async (app) => {
    const { shops } = await demoContents(app, demoActivity());
    const shop = shops.find(({ slug }) => slug === 'layaly');
    const menu = `/public/branches/${shop?.branches[0]?.id ?? ''}/menu`;
    return [
      { name: 'menu', path: menu, headers: {} },
      { name: 'menu, br', path: menu, headers: { 'Accept-Encoding': 'br' } },
      { name: 'brand', path: '/public/orgs/brand?slug=layaly', headers: {} },
    ];
  });

const figureOf = (loads: readonly Load[]): string => {
  const of = (read: (load: Load) => number): number => median(loads.map(read));
  return `${perSecond(of((load) => load.perSecond))}, ${micros(of((load) => load.cpuPerRequest))}, ${of((load) => load.coreShare).toFixed(2)} cores`;
};

/** By core that the servers had: what the load generator took is no fault of theirs. */
const rowOf = ({ name }: Job, rounds: readonly Round[]): Row => {
  const rate = median(rounds.map(({ ours, bare }) => ours.perSecond / bare.perSecond));
  const byCore = median(rounds.map(({ ours, bare }) => bare.cpuPerRequest / ours.cpuPerRequest));
  return {
    job: name,
    figure: figureOf(rounds.map(({ ours }) => ours)),
    baseline: figureOf(rounds.map(({ bare }) => bare)),
    ratio: `${rate.toFixed(2)}, by core ${byCore.toFixed(2)}`,
    goal: `≥ ${GOAL} by core`,
    met: byCore >= GOAL,
  };
};

const measure = async (jobs: readonly Job[], workers: Ahwa, one: Ahwa): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (const job of jobs)
    rows.push(rowOf(job, await alternateLoad({ ...job, ...workers }, { ...job, ...one })));
  return rows;
};

/** Of a café that asks for codes, whose messages go nowhere. */
const ORDERING = { NODE_ENV: 'development', DEMO: 'false', OTP_SENDER: 'console', METRICS_PORT: 'off' };

const orderRow = (rounds: readonly { readonly ours: Posted; readonly bare: Posted }[]): Row => {
  const ratio = median(rounds.map(({ ours, bare }) => ours.perSecond / bare.perSecond));
  const figure = (side: 'ours' | 'bare'): string => {
    const all = rounds.map((round) => round[side]);
    const p99 = percentile(
      all.flatMap(({ times }) => times),
      0.99,
    );
    return `${perSecond(median(all.map((one) => one.perSecond)))}, p99 ${millis(p99)}, ${micros(median(all.map(({ cpu }) => cpu)))}`;
  };
  return {
    job: 'orders at all branches',
    ...{ figure: figure('ours'), baseline: figure('bare'), ratio: ratio.toFixed(2) },
    ...{ goal: `≥ ${ORDERS_GOAL}`, met: ratio >= ORDERS_GOAL },
  };
};

/** Two workers and one process, each on a folder of its own with the same data. */
const inTwoFolders = async (
  addData: (app: App) => Promise<void>,
  env: NodeJS.ProcessEnv,
  work: (workers: Ahwa, one: Ahwa, folder: string) => Promise<readonly Row[]>,
): Promise<readonly Row[]> => {
  let rows: readonly Row[] = [];
  await withDataFolder(async (first) =>
    withDataFolder(async (second) => {
      for (const folder of [first, second]) await withApp(folder, addData);
      const own = { ...env, WORKERS: String(WORKERS), METRICS_PORT: 'off' };
      await withAhwa(first, own, (workers) =>
        withAhwa(second, env, async (one) => {
          rows = await work(workers, one, first);
        }),
      );
    }),
  );
  return rows;
};

/** Orders at all branches; each server has a database of its own. */
const orders = (): Promise<readonly Row[]> =>
  inTwoFolders(addOrderingGuests, ORDERING, async (workers, one) => {
    const job = orderJobs.find(({ spread }) => spread === 'all branches');
    if (job === undefined) throw new Error('No job places orders at all branches.');
    for (const server of [workers, one]) await postWrites(server, job, { from: 0, turns: WARM });
    const turnsOf = (round: number) => ({ from: WARM + round * TIMED, turns: TIMED });
    const rounds = await alternate(
      ROUNDS,
      (round) => postWrites(workers, job, turnsOf(round)),
      (round) => postWrites(one, job, turnsOf(round)),
    );
    return [orderRow(rounds)];
  });

needWrk();
const reads = await inTwoFolders(addDemo, {}, async (workers, one, dataDir) =>
  measure(await jobsOf(dataDir), workers, one),
);
report(
  'Workers',
  [...reads, ...(await orders())],
  [
    `${WORKERS} workers beside one process, medians of rounds in turn on the same cores: ${CONNECTIONS} connections that read, ${CLIENTS} clients that order; requests/s, CPU of a request, cores that the servers had.`,
    'By core: requests for each second of CPU, beside one process. The load generator takes the rest of the cores, and so does PostgreSQL.',
  ],
);
