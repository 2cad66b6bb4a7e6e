/**
 * Cached reads of two workers beside one process, in turn on the same cores, which the load generator shares: how much more
 * they answer, and what a request costs.
 */
import { demoContents } from '../src/service/app/demo.ts';
import { demoActivity } from '../src/wiring.ts';
import { startAhwa, withDataFolder, type Ahwa } from './support/ahwa.ts';
import { alternateLoad, type Round } from './support/compare.ts';
import { addDemo, withApp } from './support/data.ts';
import { median, micros, perSecond } from './support/figures.ts';
import { report, type Row } from './support/report.ts';
import type { Load } from './support/wrk.ts';
import { CONNECTIONS, needWrk } from './support/wrk.ts';

const WORKERS = 2;
const GOAL = 0.85;

interface Job {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

const jobsOf = (dataDir: string): Promise<readonly Job[]> =>
  withApp(dataDir, async (app) => {
    await addDemo(app);
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

needWrk();
await withDataFolder(async (dataDir) => {
  const jobs = await jobsOf(dataDir);
  const one = await startAhwa(dataDir);
  const workers = await startAhwa(dataDir, { WORKERS: String(WORKERS), METRICS_PORT: 'off' });
  try {
    const notes = [
      `${WORKERS} workers beside one process, ${CONNECTIONS} connections, medians of rounds in turn; requests/s, CPU of a request, cores that the servers had.`,
      'By core: requests for each second of CPU, beside one process. The load generator takes the rest of the cores.',
    ];
    report('Workers', await measure(jobs, workers, one), notes);
  } finally {
    await workers.stop();
    await one.stop();
  }
});
