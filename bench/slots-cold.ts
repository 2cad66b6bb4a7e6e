/**
 * Booking slots without a cache hit: 60 joinable tables, 200 bookings a day, a new date or party each time; then again
 * after every date changed.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { shopIdOf } from '../src/shopfile/app/entity-ids.ts';
import { addDays, type LocalDate } from '../src/kernel/time.ts';
import { withAhwa, withDataFolder, type Ahwa } from './support/ahwa.ts';
import { fillFloor, touchDates, type Floor } from './support/bookings.ts';
import { get, openConnection } from './support/connection.ts';
import { addShops, withApp } from './support/data.ts';
import { highest, median, millis, percentile } from './support/figures.ts';
import { cpuSeconds } from './support/processes.ts';
import { report, type Row } from './support/report.ts';
import { branchId, shopFile, tableId } from './support/shop.ts';

const SLUG = 'bench-floor';
const BRANCHES = 2;
const TABLES = 60;
const BOOKINGS = 200;
const DATES = 14;
const PARTIES = Array.from({ length: 20 }, (_, index) => index + 1);
/** The server's poll interval for changes. */
const HEARD_MS = 1000;
const GOAL = { median: 25, p99: 100 };

const floors: readonly Floor[] = Array.from({ length: BRANCHES }, (_, branch) => ({
  orgId: shopIdOf(SLUG),
  branchId: branchId(SLUG, branch),
  tableIds: Array.from({ length: TABLES }, (_, table) => tableId(SLUG, branch, table)),
}));

const addresses = (dates: readonly LocalDate[]): readonly string[] =>
  PARTIES.flatMap((party) =>
    dates.flatMap((date) =>
      floors.map(
        (floor) => `/public/branches/${floor.branchId}/booking-slots?date=${date}&party_size=${party}`,
      ),
    ),
  );

/** Milliseconds of each answer; `clients` requests at a time. */
const timesOf = async (ahwa: Ahwa, paths: readonly string[], clients: number): Promise<readonly number[]> => {
  const times: number[] = [];
  const waiting = paths.values();
  const client = async (): Promise<void> => {
    const asking = openConnection(ahwa.port);
    for (const path of waiting) {
      const { status, ms, body } = await asking.ask(get(path));
      if (status !== 200) throw new Error(`${path} answers ${status}: ${body.toString()}`);
      times.push(ms);
    }
    asking.close();
  };
  await Promise.all(Array.from({ length: clients }, client));
  return times;
};

const rowOf = (job: string, times: readonly number[], cpu: number, hasGoal: boolean): Row => {
  const [half, most] = [median(times), percentile(times, 0.99)];
  return {
    job,
    figure: `p50 ${millis(half)}, p99 ${millis(most)}, highest ${millis(highest(times))}; CPU ${millis((cpu / times.length) * 1000)} each`,
    ...(hasGoal
      ? {
          goal: `p50 ≤ ${GOAL.median} ms, p99 ≤ ${GOAL.p99} ms`,
          met: half <= GOAL.median && most <= GOAL.p99,
        }
      : {}),
  };
};

await withDataFolder((dataDir) =>
  withApp(dataDir, async (app) => {
    await addShops(app, shopFile({ slug: SLUG, items: 0, branches: BRANCHES, tables: TABLES }));
    const today = new Date(app.clock.now()).toISOString().slice(0, 10);
    const dates = Array.from({ length: DATES }, (_, day) => addDays(today, day + 2));
    for (const floor of floors) await fillFloor(app, floor, dates, BOOKINGS);
    const paths = addresses(dates);
    await withAhwa(dataDir, {}, async (ahwa) => {
      const measured = async (job: string, clients: number, hasGoal: boolean): Promise<Row> => {
        const before = cpuSeconds(ahwa.pid);
        const times = await timesOf(ahwa, paths, clients);
        return rowOf(job, times, cpuSeconds(ahwa.pid) - before, hasGoal);
      };
      const changed = async (): Promise<void> => {
        for (const floor of floors) await touchDates(app, floor, dates);
        await pause(HEARD_MS);
      };
      const rows = [await measured('one at a time, server just started', 1, true)];
      await changed();
      rows.push(await measured('one at a time, after a change of each date', 1, true));
      await changed();
      rows.push(await measured('eight at a time, after another change', 8, false));
      report('Booking slots of a cold day', rows, [
        `${paths.length} different addresses each; ${TABLES} tables in joins of five, ${BOOKINGS} bookings a day, 39 starts.`,
      ]);
    });
  }),
);
