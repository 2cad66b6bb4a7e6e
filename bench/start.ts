/**
 * From `node dist/main.js` to the first answer: empty folder; data with PostgreSQL stopped; data with PostgreSQL
 * running.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../src/adapters/embedded-postgres.ts';
import { createServer } from 'node:net';
import { MAIN, withDataFolder } from './support/ahwa.ts';
import { get, openConnection } from './support/connection.ts';
import { median, millis } from './support/figures.ts';
import { spawnNode, stop } from './support/processes.ts';
import { report, type Row } from './support/report.ts';

const RUNS = 7;
const FIRST_RUNS = 3;
/** The interval of connection attempts. */
const TRY_MS = 2;
const QUESTION = get('/public/orgs/brand?slug=zawya', { Connection: 'close' });

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

/** Milliseconds from the start of the process to its first 200. */
const startOnce = async (dataDir: string, env: NodeJS.ProcessEnv): Promise<number> => {
  const port = await freePort();
  const asking = openConnection(port);
  const began = performance.now();
  const child = spawnNode([MAIN], {
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: String(port),
    METRICS_PORT: 'off',
    ...env,
  });
  child.stdout?.resume();
  child.stderr?.resume();
  while ((await asking.ask(QUESTION)).status !== 200) {
    if (child.exitCode !== null) throw new Error(`The server ended with code ${child.exitCode}.`);
    await pause(TRY_MS);
  }
  const took = performance.now() - began;
  await stop(child);
  return took;
};

const timesOf = async (runs: number, once: () => Promise<number>): Promise<readonly number[]> => {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) times.push(await once());
  return times;
};

const rowOf = (job: string, times: readonly number[], goal?: number): Row => ({
  job,
  figure: `${millis(median(times))} (${millis(Math.min(...times))} … ${millis(Math.max(...times))})`,
  ...(goal === undefined ? {} : { goal: `≤ ${goal} ms`, met: median(times) <= goal }),
});

const PRODUCTION = { NODE_ENV: 'production' };

/** An empty program: the start time of Node itself. */
const bareNode = async (): Promise<number> => {
  const began = performance.now();
  const child = spawnNode(['--eval', ''], {});
  await new Promise((resolve) => child.once('exit', resolve));
  return performance.now() - began;
};

const rows: Row[] = [];
rows.push(
  rowOf(
    'empty folder: database made, tables, demo shops',
    await timesOf(FIRST_RUNS, async () => {
      let took = 0;
      await withDataFolder(async (dataDir) => {
        took = await startOnce(dataDir, {});
      });
      return took;
    }),
  ),
);
await withDataFolder(async (dataDir) => {
  await startOnce(dataDir, {});
  rows.push(rowOf('data there, database down', await timesOf(RUNS, () => startOnce(dataDir, {})), 600));
  rows.push(rowOf('the same, in production', await timesOf(RUNS, () => startOnce(dataDir, PRODUCTION)), 600));
  const database = await startEmbeddedPostgres({ dataDir });
  try {
    rows.push(rowOf('data there, database up', await timesOf(RUNS, () => startOnce(dataDir, {})), 350));
    rows.push(
      rowOf('the same, in production', await timesOf(RUNS, () => startOnce(dataDir, PRODUCTION)), 350),
    );
  } finally {
    await database.release();
  }
});
rows.push(rowOf('node --eval "" (to its end)', await timesOf(RUNS, bareNode)));
report('Cold start to the first 200 of GET /public/orgs/brand', rows, [
  `Medians of ${RUNS} starts (${FIRST_RUNS} of an empty folder), lowest and highest in brackets.`,
]);
