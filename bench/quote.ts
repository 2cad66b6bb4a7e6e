/**
 * Cart quotes: an everyday one beside a bare node:http server; the deals engine beside a solver; the heaviest allowed
 * cart during menu reads.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { WORK_LIMIT } from '../src/pricing/domain/deals/best.ts';
import { withAhwa, withDataFolder, type Ahwa } from './support/ahwa.ts';
import { barePost, type Bare } from './support/baseline.ts';
import { alternateLoad, comparisonRow, HOW_TAKEN, type Round } from './support/compare.ts';
import { cafeBy, fullestCart, HEAVY, linesBy, USUAL, type Cafe, type CafeLine } from './support/cafe.ts';
import { cafeShop, quoteBody } from './support/cafe-shop.ts';
import { get, openConnection, post } from './support/connection.ts';
import { addShops, withApp } from './support/data.ts';
import {
  HOW_TIMED,
  measureEngine,
  shippedEngine,
  timed,
  type BestDealsOf,
  type EngineJob,
} from './support/engine.ts';
import { highest, median, millis, percentile } from './support/figures.ts';
import { paced } from './support/pace.ts';
import { cpuSeconds } from './support/processes.ts';
import { report, type Row } from './support/report.ts';
import { branchId } from './support/shop.ts';
import { needWrk } from './support/wrk.ts';

/** Of a cart whose deals are remembered. */
const GOAL = { rate: 0.23, cpuMs: 0.5 };
const JSON_BODY = { 'Content-Type': 'application/json' };

const EVERYDAY = { slug: 'bench-cafe', cafe: cafeBy(1, USUAL, { items: 24, deals: 6 }) };
const LINES = 5;
const OTHER_CARTS = 400;
/** Twice as many as the server remembers, each with 243 choices of quantities. */
const UNREPEATED_CARTS = 4000;
const HINTED_CARTS = 100;
/** Before this many quotes V8 has not optimised the code, and a quote takes twice the time. */
const WARM_QUOTES = 3000;

const SMALL = { items: 24, deals: 10 };
const LARGE = { items: 30, deals: 20 };
const ENGINE_JOBS: readonly EngineJob[] = [
  { mix: USUAL, size: SMALL, units: 60, goal: { proven: 1, p50: 1, p99: 4 } },
  { mix: HEAVY, size: SMALL, units: 60, goal: { proven: 1, p50: 1.7, p99: 10 } },
  { mix: USUAL, size: LARGE, units: 60, goal: { proven: 0.995, p50: 1, p99: 25 } },
  { mix: HEAVY, size: LARGE, units: 60, goal: { proven: 0.98, p50: 4.5, p99: 25 } },
  { mix: USUAL, size: SMALL, units: 120, goal: { proven: 0.95 } },
  { mix: HEAVY, size: SMALL, units: 120, goal: { proven: 0.93 } },
];

/** The maximum cart, on a menu of 20 deals. */
const HEAVIEST = { slug: 'bench-heaviest', lines: 100, quantity: 999, size: { items: 100, deals: 20 } };
const HEAVIEST_CAFES = 10;
const HEAVIEST_QUOTES = 20;
/** The search checks its work limit between steps, so it overshoots. */
const WORK_GOAL = WORK_LIMIT * 1.1;
const READ_EVERY_MS = 5;
const ALONE_MS = 3000;

const pathOf = (slug: string): string => `/public/branches/${branchId(slug, 0)}/cart-quote`;

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** Five lines of one to three units. */
const everydayCart = (seed: number): readonly CafeLine[] =>
  linesBy(
    seed,
    EVERYDAY.cafe,
    range(LINES).map((line) => 1 + ((seed + line) % 3)),
  );

/** CPU milliseconds of the deals of one cart, after a warm-up. */
const dealsAlone = (bestDeals: BestDealsOf, lines: readonly CafeLine[]): number => {
  const often = () => range(WARM_QUOTES).forEach(() => bestDeals(lines, EVERYDAY.cafe.deals));
  often();
  return timed(often).ms / WARM_QUOTES;
};

/** The cart with the median work among 101. */
const ordinaryCart = (bestDeals: BestDealsOf): readonly CafeLine[] => {
  const carts = range(101).map((seed) => {
    const lines = everydayCart(seed);
    return { lines, work: bestDeals(lines, EVERYDAY.cafe.deals).work };
  });
  const middle = carts.sort((a, b) => a.work - b.work)[50];
  if (middle === undefined) throw new RangeError('There are no carts.');
  return middle.lines;
};

const counted = (work: number): string => Math.round(work).toLocaleString('en');

/** The café whose fullest cart takes the most CPU, and a row about all cafés. */
const heaviestCart = (bestDeals: BestDealsOf): { cafe: Cafe; lines: readonly CafeLine[]; row: Row } => {
  const carts = [USUAL, HEAVY].flatMap((mix) =>
    range(HEAVIEST_CAFES).map((seed) => {
      const cafe = cafeBy(seed, mix, HEAVIEST.size);
      return { cafe, lines: fullestCart(cafe, HEAVIEST.lines, HEAVIEST.quantity) };
    }),
  );
  const once = () => carts.map(({ cafe, lines }) => timed(() => bestDeals(lines, cafe.deals)));
  once();
  const all = once();
  const most = highest(all.map(({ ms }) => ms));
  const heaviest = carts[all.findIndex(({ ms }) => ms === most)];
  if (heaviest === undefined) throw new RangeError('There are no carts.');
  const work = highest(all.map(({ result }) => result.work));
  const proven = all.filter(({ result }) => result.optimal).length;
  return {
    ...heaviest,
    row: {
      job: `the engine, ${carts.length} such carts`,
      figure: `work ${counted(work)} at most; CPU p50 ${millis(median(all.map(({ ms }) => ms)))}, highest ${millis(most)}; ${proven} proven`,
      goal: `work ≤ ${counted(WORK_GOAL)}`,
      met: work <= WORK_GOAL,
    },
  };
};

interface Quoted {
  readonly times: readonly number[];
  /** Server CPU milliseconds per quote. */
  readonly cpu: number;
  readonly body: Buffer;
}

/** Requests the quotes one after another. */
const quoted = async ({ pid, port }: Ahwa, slug: string, bodies: readonly string[]): Promise<Quoted> => {
  const asking = openConnection(port);
  const times: number[] = [];
  let last: Buffer = Buffer.alloc(0);
  const before = cpuSeconds(pid);
  for (const text of bodies) {
    const { status, ms, body } = await asking.ask(post(pathOf(slug), text, JSON_BODY));
    if (status !== 200) throw new Error(`A quote is answered ${status}: ${body.toString()}`);
    times.push(ms);
    last = body;
  }
  const cpu = ((cpuSeconds(pid) - before) / bodies.length) * 1000;
  asking.close();
  return { times, cpu, body: last };
};

const cpuText = (ms: number): string => `${ms.toFixed(2)} ms`;

const quotedRow = (job: string, { times, cpu }: Quoted): Row => ({
  job,
  figure: `CPU ${cpuText(cpu)} each, p50 ${millis(median(times))}, p99 ${millis(percentile(times, 0.99))}`,
});

/** Every request another cart, so that the deals of each are searched. */
const unrepeated = async (ahwa: Ahwa, bare: Bare, folder: string): Promise<readonly Round[]> => {
  const { slug } = EVERYDAY;
  const carts = join(folder, 'carts.jsonl');
  const bodies = range(UNREPEATED_CARTS).map((seed) => quoteBody(slug, everydayCart(10_000 + seed)));
  await writeFile(carts, bodies.join('\n'));
  return alternateLoad(
    { ...ahwa, path: pathOf(slug), headers: JSON_BODY, carts },
    { ...bare, path: '/', headers: JSON_BODY, carts },
  );
};

const everyday = async (ahwa: Ahwa, folder: string, bestDeals: BestDealsOf): Promise<readonly Row[]> => {
  const { slug } = EVERYDAY;
  const ordinary = ordinaryCart(bestDeals);
  const body = quoteBody(slug, ordinary);
  const others = range(OTHER_CARTS).map((seed) => everydayCart(1000 + seed));
  const bodies = others.map((lines) => quoteBody(slug, lines));
  await quoted(
    ahwa,
    slug,
    range(WARM_QUOTES).map((index) => bodies[index % OTHER_CARTS] ?? body),
  );
  const answer = (await quoted(ahwa, slug, [body])).body;
  const bare = await barePost(folder, answer);
  try {
    const rounds = await alternateLoad(
      { ...ahwa, path: pathOf(slug), headers: JSON_BODY, body },
      { ...bare, path: '/', headers: JSON_BODY, body },
    );
    const cpu = median(rounds.map(({ ours }) => ours.cpuPerRequest)) * 1000;
    const size = `${LINES} lines, ${EVERYDAY.cafe.deals.length} deals`;
    const searched = await unrepeated(ahwa, bare, folder);
    return [
      comparisonRow(
        { name: `${size}, the same cart again`, goal: { rate: GOAL.rate } },
        rounds,
        answer.length,
      ),
      comparisonRow({ name: `${size}, another cart each time` }, searched, answer.length),
      {
        job: 'CPU of the server for one',
        figure: `${cpuText(cpu)}; its deals alone, searched each time, ${cpuText(dealsAlone(bestDeals, ordinary))}`,
        goal: `≤ ${GOAL.cpuMs} ms`,
        met: cpu <= GOAL.cpuMs,
      },
      quotedRow(`${OTHER_CARTS} other carts, one after another`, await quoted(ahwa, slug, bodies)),
      quotedRow(
        `${HINTED_CARTS} of them with hints`,
        await quoted(
          ahwa,
          slug,
          others.slice(0, HINTED_CARTS).map((lines) => quoteBody(slug, lines, true)),
        ),
      ),
    ];
  } finally {
    await bare.stop();
  }
};

const readText = (times: readonly number[]): string =>
  `p50 ${millis(median(times))}, p99 ${millis(percentile(times, 0.99))}, highest ${millis(highest(times))}`;

const heaviestAsked = async (ahwa: Ahwa, lines: readonly CafeLine[]): Promise<readonly Row[]> => {
  const { slug } = HEAVIEST;
  const bodies = (hints: boolean): readonly string[] =>
    range(HEAVIEST_QUOTES).map(() => quoteBody(slug, lines, hints));
  const menu = get(`/public/branches/${branchId(slug, 0)}/menu`);
  const readsDuring = (end: Promise<unknown>): Promise<readonly number[]> =>
    paced(ahwa.port, menu, READ_EVERY_MS, end);
  await quoted(ahwa, slug, bodies(false).slice(0, 3));
  await readsDuring(pause(ALONE_MS / 10));
  const plain = await quoted(ahwa, slug, bodies(false));
  const hinted = await quoted(ahwa, slug, bodies(true));
  const alone = await readsDuring(pause(ALONE_MS));
  const beside = await readsDuring(quoted(ahwa, slug, bodies(false)));
  return [
    quotedRow('the quote', plain),
    quotedRow('the same with hints', hinted),
    {
      job: 'a menu read while such quotes are made',
      figure: readText(beside),
      baseline: `${readText(alone)} without`,
      ratio: `p99 × ${(percentile(beside, 0.99) / percentile(alone, 0.99)).toFixed(1)}`,
    },
  ];
};

needWrk();
await withDataFolder(async (dataDir) => {
  const bestDeals = await shippedEngine(dataDir);
  const heaviest = heaviestCart(bestDeals);
  await withApp(dataDir, (app) =>
    addShops(app, cafeShop(EVERYDAY.slug, EVERYDAY.cafe), cafeShop(HEAVIEST.slug, heaviest.cafe)),
  );
  await withAhwa(dataDir, {}, async (ahwa) => {
    report('Cart quotes', await everyday(ahwa, dataDir, bestDeals), [
      ...HOW_TAKEN,
      'CPU is that of Node; every quote asks PostgreSQL, in one statement, whether prices still stand.',
    ]);
    report(
      `The heaviest cart: ${HEAVIEST.lines} lines × ${HEAVIEST.quantity}, ${HEAVIEST.size.deals} deals`,
      [heaviest.row, ...(await heaviestAsked(ahwa, heaviest.lines))],
      [
        `${HEAVIEST_QUOTES} quotes one after another; menu reads every ${READ_EVERY_MS} ms, whether those before are answered or not.`,
      ],
    );
  });
  report(
    'The best deals of 60 and 120 units',
    ENGINE_JOBS.map((job) => measureEngine(bestDeals, job)),
    HOW_TIMED,
  );
});
