/** What one visit of each kind costs, alone, and what so many shops need by that. */
import type { Row } from '../report.ts';
import { salesPerDay, salesPerSecond, TOP_HOUR, VISITS, visitsPerSecond, type Visit } from './day.ts';
import type { Place } from './shops.ts';
import { cpuOf, type Cpu, type Side } from './side.ts';

const AT_ONCE = 16;
const SECONDS = 4;
const ORDER: Visit = 'online order and its four steps';
/** These take longest until their code and statements are compiled. */
const SALES: readonly Visit[] = [ORDER, 'counter sale and its quote'];
const WARM_SECONDS = { sale: 12, other: 2 };

export type Costs = ReadonlyMap<Visit, Cpu>;

/** One kind at full speed. Returns the visits. */
const visitFor = async ({ visitors }: Side, kind: Visit, seconds: number): Promise<number> => {
  const until = performance.now() + seconds * 1_000;
  let count = 0;
  const visitor = async (): Promise<void> => {
    while (performance.now() < until) {
      await visitors.visit(kind, performance.now());
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, visitor));
  return count;
};

const costOf = async (side: Side, kind: Visit): Promise<Cpu> => {
  await visitFor(side, kind, SALES.includes(kind) ? WARM_SECONDS.sale : WARM_SECONDS.other);
  let count = 0;
  const { server, postgres } = await cpuOf(side, async () => {
    count = await visitFor(side, kind, SECONDS);
  });
  return { server: server / count, postgres: postgres / count };
};

/** Orders first: others follow them. */
const IN_ORDER: readonly Visit[] = [ORDER, ...VISITS.filter((kind) => kind !== ORDER)];

/** What is kept ready, once it was asked for. */
const KEPT_READY: readonly Visit[] = ['links page', 'menu page', 'order page', 'menu', 'cart quote'];

/** The first visits of all branches after a start. Returns what they cost for one branch. */
export const warmUp = async (side: Side, places: readonly Place[]): Promise<Cpu> => {
  const { server, postgres } = await cpuOf(side, async () => {
    for (const place of places)
      await Promise.all(KEPT_READY.map((kind) => side.visitors.visit(kind, performance.now(), place)));
  });
  return { server: server / places.length, postgres: postgres / places.length };
};

export const measureCosts = async (side: Side): Promise<Costs> => {
  const costs = new Map<Visit, Cpu>();
  for (const kind of IN_ORDER) costs.set(kind, await costOf(side, kind));
  return costs;
};

/** Cores that so many shops keep busy in an hour, by what each visit costs alone. */
export const coresOf = (costs: Costs, shops: number, hour = TOP_HOUR): Cpu => {
  const rates = visitsPerSecond(shops, hour);
  let [server, postgres] = [0, 0];
  for (const [kind, cost] of costs) {
    server += rates[kind] * cost.server;
    postgres += rates[kind] * cost.postgres;
  }
  return { server, postgres };
};

const milliseconds = (seconds: number): string => `${(1_000 * seconds).toFixed(2)} ms`;

/** `first`: of a branch, after a start. */
export const costRows = (costs: Costs, first: Cpu): readonly Row[] =>
  [...costs, ['first visits of a branch: three pages, menu, quote', first] as const].map(
    ([kind, { server, postgres }]) => ({
      job: kind,
      figure: `${milliseconds(server)} of Node, ${milliseconds(postgres)} of PostgreSQL`,
    }),
  );

const rounded = (value: number): string => Number(value.toPrecision(2)).toLocaleString('en');

/** `bytes`: of the database for one sale. */
export const capacityRows = (costs: Costs, sizes: readonly number[], bytes: number): readonly Row[] =>
  sizes.map((shops) => {
    const { server, postgres } = coresOf(costs, shops);
    const requests = Object.values(visitsPerSecond(shops, TOP_HOUR)).reduce((sum, rate) => sum + rate, 0);
    return {
      job: `${shops.toLocaleString('en')} shops`,
      figure: `${rounded(server)} cores of Node, ${rounded(postgres)} of PostgreSQL, ${rounded((salesPerDay(shops) * bytes) / 1e9)} GB a day`,
      baseline: `${rounded(salesPerSecond(shops, TOP_HOUR))} sales/s, ${rounded(requests)} visits/s in the fullest hour`,
    };
  });
