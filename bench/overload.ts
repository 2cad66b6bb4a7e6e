/**
 * 64 connections of mixed requests at full speed: each is answered or refused within a second. Also quotes during a
 * flood of the heaviest carts, and how long the worst bodies block the event loop.
 */
import { demoContents } from '../src/service/app/demo.ts';
import { demoActivity } from '../src/wiring.ts';
import { UNREFUSED, withAhwa, withDataFolder } from './support/ahwa.ts';
import { addDemo, addShops, withApp } from './support/data.ts';
import { highest, median, millis, percentile, perSecond } from './support/figures.ts';
import { badMix, readMix, runMix, unknownMix, type Ask } from './support/mix.ts';
import { report, type Row } from './support/report.ts';
import { HOW_BLOCKED, HOW_FLOODED, longestBlocks, quotesInFlood } from './support/quotes-in-flood.ts';
import { worstShop } from './support/worst-bodies.ts';

const SECONDS = 6;
const GOAL_MS = 1000;

const overload = async (job: string, port: number, mix: readonly Ask[]): Promise<Row> => {
  const { times, statuses } = await runMix(port, mix, SECONDS);
  const worst = highest(times);
  const lost = statuses.get(0) ?? 0;
  const counts = [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status === 0 ? 'no answer' : status} × ${count}`);
  return {
    job,
    figure: `${perSecond(times.length / SECONDS)}, p50 ${millis(median(times))}, p99 ${millis(percentile(times, 0.99))}, highest ${millis(worst)}`,
    baseline: counts.join(', '),
    goal: 'all answered, ≤ 1 s',
    met: worst <= GOAL_MS && lost === 0,
  };
};

await withDataFolder(async (dataDir) => {
  const places = await withApp(dataDir, async (app) => {
    await addDemo(app);
    await addShops(app, worstShop());
    return demoContents(app, demoActivity());
  });
  const anything = [...readMix(places), ...unknownMix(), ...badMix()];
  const rows: Row[] = [];
  await withAhwa(dataDir, { RATE_LIMIT_SCALE: '1' }, async ({ port }) => {
    rows.push(await overload('anything, limits as they are', port, anything));
  });
  await withAhwa(dataDir, { RATE_LIMIT_SCALE: UNREFUSED }, async ({ port }) => {
    rows.push(await overload('anything, nothing refused by limits', port, anything));
    rows.push(await overload('nothing but questions to the database', port, unknownMix()));
  });
  report('Overload, 64 connections', rows, ['In place of a baseline: how often each status came.']);
  report(
    'A two-line quote and a menu read in a flood of the heaviest carts',
    await quotesInFlood(dataDir),
    HOW_FLOODED,
  );
  report('The longest block of the event loop by a body', await longestBlocks(dataDir), HOW_BLOCKED);
});
