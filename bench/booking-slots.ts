/**
 * The seating engine on nearly full days, as a request asks it: 20 starts for one size, nothing known of the day. Beside
 * it first fit, which moves nobody and refuses parties that have a place. The cached answer is in `reads`, a cold request
 * over HTTP in `slots-cold`.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { findSeat } from '../src/bookings/domain/seating/find-seat.ts';
import { claimsBy } from '../src/bookings/domain/seating/room.ts';
import type * as Engine from '../src/bookings/domain/seating/seat-party.ts';
import { withDataFolder } from './support/ahwa.ts';
import { denseDay, DURATION, ROOMS, SIZES, STARTS, type RoomKind } from './support/dense-days.ts';
import { timed } from './support/engine.ts';
import { median, millis, percentile } from './support/figures.ts';
import { ROOT } from './support/processes.ts';
import { report, type Row } from './support/report.ts';

const DAYS = 10;
const WARM_SIZES = [2, 5];
const GOAL = { p50: 25, p99: 100 };

/** As shipped: compiled by tsx, which runs the benches, it is slower. */
const shippedEngine = async (folder: string): Promise<typeof Engine> => {
  const outfile = join(folder, 'seating.mjs');
  await build({
    entryPoints: [join(ROOT, 'src', 'bookings', 'domain', 'seating', 'seat-party.ts')],
    ...{ outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20.19', logLevel: 'warning' },
  });
  return (await import(pathToFileURL(outfile).href)) as typeof Engine;
};

const stays = STARTS.map((start) => ({ start, end: start + DURATION }));

const rowOf = ({ seatParty, seatingDayOf }: typeof Engine, kind: RoomKind): Row => {
  const days = Array.from({ length: DAYS }, (_, index) => denseDay(seatParty, kind, index + 1));
  const kindsOf = ({ room, parties }: (typeof days)[number], size: number) => {
    const day = seatingDayOf(room, parties, []);
    return stays.map((stay) => day.kindAt(stay, size));
  };
  for (const day of days) for (const size of WARM_SIZES) kindsOf(day, size);
  const questions = days.flatMap((day) => SIZES.map((size) => ({ day, size })));
  const ours = questions.map(({ day, size }) => timed(() => kindsOf(day, size)));
  const theirs = questions.map(({ day: { room, parties }, size }) =>
    timed(() => {
      const claims = parties.flatMap(claimsBy);
      return stays.map((stay) => findSeat(room.tables, room.joins, claims, stay, size) !== null);
    }),
  );
  const kinds = ours.flatMap(({ result }) => result);
  const share = (count: number): string => `${((100 * count) / kinds.length).toFixed(1)} %`;
  const times = ours.map(({ ms }) => ms);
  const [half, most] = [median(times), percentile(times, 0.99)];
  const firstFit = median(theirs.map(({ ms }) => ms));
  const seated = kinds.filter((each) => each === 'seated').length;
  const first = theirs.flatMap(({ result }) => result).filter(Boolean).length;
  return {
    job: kind.name,
    figure: `p50 ${millis(half)}, p99 ${millis(most)}; offers ${share(seated)}, undecided ${share(kinds.filter((each) => each === 'undecided').length)}`,
    baseline: `first fit: p50 ${millis(firstFit)}; offers ${share(first)}`,
    ratio: `× ${(half / firstFit).toPrecision(2)}`,
    goal: `p50 ≤ ${GOAL.p50} ms, p99 ≤ ${GOAL.p99} ms`,
    met: half <= GOAL.p50 && most <= GOAL.p99,
  };
};

await withDataFolder(async (folder) => {
  const engine = await shippedEngine(folder);
  report(
    'Booking slots of a nearly full day: seating',
    ROOMS.map((kind) => rowOf(engine, kind)),
    [
      `CPU time of ${STARTS.length} starts for one size, nothing known of the day; ${DAYS} days × sizes 1 to ${SIZES.length}.`,
    ],
  );
});
