/** Durable writes over HTTP beside a replay of the same statements by node-postgres alone. */
import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../../src/platform/app/app.ts';
import { withAhwa, withDataFolder, type Ahwa } from './ahwa.ts';
import { alternate } from './alternate.ts';
import type { Timings } from './concurrently.ts';
import { withApp } from './data.ts';
import { numberIn, openDatabases, type Databases } from './databases.ts';
import { median, millis, percentile, perSecond } from './figures.ts';
import { postWrites, type Posted, type Turns } from './post-writes.ts';
import { cpuSeconds } from './processes.ts';
import { recordWrites } from './record-writes.ts';
import { replay, type Script } from './replay.ts';
import { report, type Row } from './report.ts';
import { tripsRow } from './trips.ts';
import { CLIENTS, ROUNDS, TIMED, WARM, type WriteJob } from './write-job.ts';

const WAITING = `select count(*) from outbox where status = 'waiting'`;
const DRAINED_MS = 120_000;

interface Round extends Posted {
  /** From the last write to its sent messages; the CPU is with these. */
  readonly drainedMs: number;
}

/** Waits until the outbox is empty, so that sending does not slow the replay. */
const drained = async (databases: Databases): Promise<number> => {
  const began = performance.now();
  while ((await numberIn(databases.own, WAITING)) > 0) {
    if (performance.now() - began > DRAINED_MS) throw new Error('Messages are not sent.');
    await pause(50);
  }
  return performance.now() - began;
};

/** As `postWrites`, and waits for the messages. */
const posted = async (ahwa: Ahwa, databases: Databases, job: WriteJob, turns: Turns): Promise<Round> => {
  const taken = await postWrites(ahwa, job, turns);
  const before = cpuSeconds(ahwa.pid);
  const drainedMs = await drained(databases);
  const sending = (cpuSeconds(ahwa.pid) - before) / (CLIENTS * turns.turns);
  return { ...taken, cpu: taken.cpu + sending, drainedMs };
};

const replayed = (databases: Databases, { table, many }: WriteJob, script: Script): Promise<Timings> =>
  databases.withCopy(async (connection) => {
    const count = table === null ? 'select 0' : `select count(*) from ${table}`;
    const before = await numberIn(connection, count);
    await databases.settle();
    const taken = await replay(connection, script, WARM);
    const made = (await numberIn(connection, count)) - before;
    if (table !== null && made !== CLIENTS * (WARM + TIMED))
      throw new Error(`${made} ${many} came of the replay.`);
    return taken;
  });

const takenText = (rounds: readonly Timings[]): string => {
  const times = rounds.flatMap((round) => round.times);
  const rate = median(rounds.map((round) => round.perSecond));
  return `${perSecond(rate)}, p50 ${millis(median(times))}, p99 ${millis(percentile(times, 0.99))}`;
};

const measured = async (
  ahwa: Ahwa,
  databases: Databases,
  job: WriteJob,
  script: Script,
): Promise<readonly Row[]> => {
  await posted(ahwa, databases, job, { from: 0, turns: WARM });
  const ours = async (round: number): Promise<Round> => {
    await databases.settle();
    return posted(ahwa, databases, job, { from: WARM + round * TIMED, turns: TIMED });
  };
  const rounds = await alternate(ROUNDS, ours, () => replayed(databases, job, script));
  const ratio = median(rounds.map(({ ours, bare }) => ours.perSecond / bare.perSecond));
  const cpu = median(rounds.map(({ ours }) => ours.cpu)) * 1000;
  const drainedMs = median(rounds.map(({ ours }) => ours.drainedMs));
  return [
    {
      job: `${job.many} of ${CLIENTS} clients, ${job.spread}`,
      figure: takenText(rounds.map(({ ours }) => ours)),
      baseline: takenText(rounds.map(({ bare }) => bare)),
      ratio: ratio.toFixed(2),
      goal: `≥ ${job.goal.ratio}`,
      met: ratio >= job.goal.ratio,
    },
    {
      job: 'CPU of the server for one, its message included',
      figure: `${cpu.toFixed(2)} ms; the last message ${millis(drainedMs)} after the last ${job.one}`,
    },
  ];
};

const compare = async (dataDir: string, databases: Databases, job: WriteJob): Promise<void> => {
  const script = await recordWrites(dataDir, databases, job);
  const env = {
    NODE_ENV: 'development',
    DEMO: 'false',
    OTP_SENDER: 'console',
  };
  await withAhwa(dataDir, env, async (ahwa) => {
    const rows = await measured(ahwa, databases, job, script);
    report(
      `${job.title}, ${job.spread}`,
      [...rows, tripsRow(job, script)],
      [
        `Medians of ${ROUNDS} rounds of ${CLIENTS * TIMED} ${job.many}, the two in turn, each replay on a fresh copy of the data.`,
        ...(job.table === null
          ? []
          : [
              `The server also sends each ${job.one}’s message, as a line of its output, in transactions of its own; the replay does not.`,
            ]),
      ],
    );
  });
};

/** Reports each job; `addData` makes what all their requests need. */
export const compareWrites = (
  addData: (app: App) => Promise<void>,
  jobs: readonly WriteJob[],
): Promise<void> =>
  withDataFolder(async (dataDir) => {
    await withApp(dataDir, addData);
    const databases = await openDatabases(dataDir);
    try {
      for (const job of jobs) await compare(dataDir, databases, job);
    } finally {
      await databases.close();
    }
  });
