/**
 * Durable orders of eight clients at one branch and at all branches, beside a replay of the same statements by
 * node-postgres alone.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { systemTimers } from '../src/adapters/timers.ts';
import { Repeated } from '../src/platform/app/answer.ts';
import { Meter } from '../src/platform/app/meter.ts';
import { handlersOf } from '../src/service/app/handlers.ts';
import { LookupLimit } from '../src/platform/app/lookup-limit.ts';
import { BudgetLeases } from '../src/messaging/app/budget-leases.ts';
import { connect } from '../src/platform/store/db.ts';
import type { Database } from '../src/platform/store/schema.ts';
import { withAhwa, withDataFolder, type Ahwa } from './support/ahwa.ts';
import { openConnection, post } from './support/connection.ts';
import { withApp } from './support/data.ts';
import { highest, median, millis, percentile, perSecond } from './support/figures.ts';
import { addOrderingGuests, CLIENTS, orderOf, SPREADS, type Spread } from './support/orders.ts';
import { concurrently, type Timings } from './support/concurrently.ts';
import { numberIn, openDatabases, type Databases } from './support/orders-databases.ts';
import { cpuSeconds } from './support/processes.ts';
import { startRecorder, type Sheet } from './support/replay-record.ts';
import { replay, tripsIn, type Script } from './support/replay.ts';
import { report, type Row } from './support/report.ts';

/** Orders per client: untimed, and per round. */
const WARM = 150;
const TIMED = 150;
const ROUNDS = 5;
const GOAL = { ratio: 0.5, trips: 6, commits: 1 };

const WAITING = `select count(*) from outbox where status = 'waiting'`;
const DRAINED_MS = 120_000;

// ── The record ──────────────────────────────────────────────────────────────────────────────────

/** Records the statements of the use case, run in this process on a copy of the data. */
const record = (dataDir: string, databases: Databases, spread: Spread): Promise<Script> =>
  withApp(dataDir, (app) =>
    databases.withCopy(async (connection) => {
      const db = connect<Database>(connection);
      const own = { ...app, db };
      const { placeOrder } = handlersOf({
        ...{ app: own, background: own, timers: systemTimers },
        lookups: new LookupLimit({ scale: 0, monotonic: () => 0 }),
        leases: new BudgetLeases(own, systemTimers),
        readiness: { check: () => Promise.resolve({ failing: [], isSilent: false }) },
      });
      const recorder = startRecorder();
      const script: Sheet[][] = Array.from({ length: CLIENTS }, () => []);
      try {
        await concurrently(CLIENTS, WARM + TIMED, async (client, turn) => {
          const { body, key } = orderOf(spread, client, turn);
          const sheet = await recorder.sheetOf(async () => {
            const answer = await placeOrder({
              body,
              headers: { 'idempotency-key': key },
              caller: { language: null, client: 'bench', meter: new Meter(() => 0) },
            });
            if (answer instanceof Repeated) throw new Error(`${key} was ordered before.`);
          });
          script[client]?.push(sheet);
        });
        return script;
      } finally {
        recorder.stop();
        await db.close();
      }
    }),
  );

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

/** Round trips after the warm-up. */
const tripsRow = (script: Script): Row => {
  const sheets = script.flatMap((all) => all.slice(WARM));
  const trips = sheets.map(tripsIn);
  const commits = sheets.map((sheet) => countOf(sheet, COMMITS));
  const writesOutside = sheets.filter((sheet) => {
    const begins = sheet.findIndex(({ text }) => BEGINS.test(text));
    return countOf(begins < 0 ? sheet : sheet.slice(0, begins), WRITES) > 0;
  }).length;
  return {
    job: 'round trips of one order',
    figure: `${between(trips)}, median ${median(trips)}, mean ${mean(trips)}; commits ${between(commits)}, median ${median(commits)}, mean ${mean(commits)}; writes outside them ${writesOutside}`,
    // Every order counts, also those that lease other orders' messages (decision 23).
    goal: `≤ ${GOAL.trips}, commits ${GOAL.commits}`,
    met:
      highest(trips) <= GOAL.trips && commits.every((count) => count === GOAL.commits) && writesOutside === 0,
  };
};

// ── The rounds ──────────────────────────────────────────────────────────────────────────────────

interface Round extends Timings {
  /** Server CPU seconds per order, and the time from the last order to its sent messages. */
  readonly cpu: number;
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

/** Orders over HTTP; `from`: the client's first order number. */
const ordered = async (
  { pid, port }: Ahwa,
  databases: Databases,
  spread: Spread,
  { from, turns }: { readonly from: number; readonly turns: number },
): Promise<Round> => {
  const requests = Array.from({ length: CLIENTS }, (_, client) =>
    Array.from({ length: turns }, (__, turn) => {
      const { body, key } = orderOf(spread, client, from + turn);
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
      return post('/public/delivery-orders', JSON.stringify(body), headers);
    }),
  );
  const connections = requests.map(() => openConnection(port));
  const before = cpuSeconds(pid);
  const taken = await concurrently(CLIENTS, turns, async (client, turn) => {
    const answer = await connections[client]?.ask(requests[client]?.[turn] ?? '');
    if (answer?.status !== 201)
      throw new Error(`An order is answered ${answer?.status ?? 0}: ${answer?.body.toString() ?? ''}`);
  });
  for (const connection of connections) connection.close();
  const drainedMs = await drained(databases);
  return { ...taken, cpu: (cpuSeconds(pid) - before) / (CLIENTS * turns), drainedMs };
};

const replayed = (databases: Databases, script: Script): Promise<Timings> =>
  databases.withCopy(async (connection) => {
    await databases.settle();
    const taken = await replay(connection, script, WARM);
    const orders = await numberIn(connection, 'select count(*) from delivery_order');
    if (orders !== CLIENTS * (WARM + TIMED)) throw new Error(`${orders} orders came of the replay.`);
    return taken;
  });

const takenText = (rounds: readonly Timings[]): string => {
  const times = rounds.flatMap((round) => round.times);
  const rate = median(rounds.map((round) => round.perSecond));
  return `${perSecond(rate)}, p50 ${millis(median(times))}, p99 ${millis(percentile(times, 0.99))}`;
};

const measured = async (ahwa: Ahwa, databases: Databases, spread: Spread, script: Script) => {
  await ordered(ahwa, databases, spread, { from: 0, turns: WARM });
  const rounds: { ours: Round; bare: Timings }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const ours = async (): Promise<Round> => {
      await databases.settle();
      return ordered(ahwa, databases, spread, { from: WARM + round * TIMED, turns: TIMED });
    };
    // Alternate the order of the two.
    const first = round % 2 === 0 ? await ours() : null;
    const bare = await replayed(databases, script);
    rounds.push({ ours: first ?? (await ours()), bare });
  }
  const ratio = median(rounds.map(({ ours, bare }) => ours.perSecond / bare.perSecond));
  const row: Row = {
    job: `orders of ${CLIENTS} clients, ${spread}`,
    figure: takenText(rounds.map(({ ours }) => ours)),
    baseline: takenText(rounds.map(({ bare }) => bare)),
    ratio: ratio.toFixed(2),
    goal: `≥ ${GOAL.ratio}`,
    met: ratio >= GOAL.ratio,
  };
  const cpu = median(rounds.map(({ ours }) => ours.cpu)) * 1000;
  const drainedMs = median(rounds.map(({ ours }) => ours.drainedMs));
  return [
    row,
    {
      job: 'CPU of the server for one, its message included',
      figure: `${cpu.toFixed(2)} ms; the last message ${millis(drainedMs)} after the last order`,
    },
  ];
};

await withDataFolder(async (dataDir) => {
  await withApp(dataDir, (app) => addOrderingGuests(app, WARM + ROUNDS * TIMED));
  const databases = await openDatabases(dataDir);
  try {
    const env = {
      NODE_ENV: 'development',
      DEMO: 'false',
      OTP_SENDER: 'console',
    };
    for (const spread of SPREADS) {
      const script = await record(dataDir, databases, spread);
      await withAhwa(dataDir, env, async (ahwa) => {
        const rows = await measured(ahwa, databases, spread, script);
        report(
          `Placing orders, ${spread}`,
          [...rows, tripsRow(script)],
          [
            `Medians of ${ROUNDS} rounds of ${CLIENTS * TIMED} orders, the two in turn, each replay on a fresh copy of the data.`,
            'The server also sends each order’s message, as a line of its output, in transactions of its own; the replay does not.',
          ],
        );
      });
    }
  } finally {
    await databases.close();
  }
});
