/**
 * Two-line quotes and menu reads during a flood of the heaviest carts, and how long each of the worst bodies blocks the event loop.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readMetrics } from '../../test/soak/siege/metrics.ts';
import { freePort } from '../../test/support/programs/free-port.ts';
import { UNREFUSED, withAhwa } from './ahwa.ts';
import { barePost } from './baseline.ts';
import { get, openConnection, post } from './connection.ts';
import { median, millis, percentile } from './figures.ts';
import { paced } from './pace.ts';
import { cpuSeconds, lineOf, spawnNode, stop } from './processes.ts';
import type { Row } from './report.ts';
import { twoLineQuote, WORST_PATH, worstBodies } from './worst-bodies.ts';

const JSON_BODY = { 'Content-Type': 'application/json' };
/** Goals: at the 99th percentile, a quote and a menu read during the flood; and a block of the event loop. */
const QUOTE_MS = 50;
const MENU_RATIO = 3;
const BLOCK_MS = 10;

const SECONDS = 10;
const EVERY_MS = 50;

interface Place {
  readonly port: number;
  readonly path: string;
}

interface Pair {
  readonly alone: readonly number[];
  readonly flooded: readonly number[];
}

/** The jobs at a constant rate, first alone, then together during the flood; a refused one counts as infinite. */
const inFlood = async <Job extends string>(
  place: Place,
  jobs: Readonly<Record<Job, string>>,
): Promise<Readonly<Record<Job, Pair>>> => {
  const all = Object.entries<string>(jobs);
  const timesOf = (job: string) => paced(place.port, job, EVERY_MS, pause(SECONDS * 1_000), Infinity);
  const alone: (readonly number[])[] = [];
  for (const [, job] of all) {
    await timesOf(job);
    alone.push(await timesOf(job));
  }
  const flood = spawnNode(
    ['--import', 'tsx', join(import.meta.dirname, 'flood.ts'), JSON.stringify(place)],
    {},
  );
  try {
    await lineOf(flood, (line) => (line === 'flooding' ? true : null));
    const flooded = await Promise.all(all.map(([, job]) => timesOf(job)));
    const pairs = all.map(([name], n) => [name, { alone: alone[n] ?? [], flooded: flooded[n] ?? [] }]);
    return Object.fromEntries(pairs) as Record<Job, Pair>;
  } finally {
    await stop(flood);
  }
};

const timesText = (times: readonly number[]): string =>
  `p50 ${millis(median(times))}, p99 ${millis(percentile(times, 0.99))}`;

const pairText = ({ alone, flooded }: Pair): string => `${timesText(flooded)}; alone ${timesText(alone)}`;

const QUOTE = post(WORST_PATH, twoLineQuote(), JSON_BODY);
const MENU = get(WORST_PATH.replace('cart-quote', 'menu'));

/** Quotes with normal limits and without refusals, beside a bare server that parses the same bodies; and menu reads. */
export const quotesInFlood = async (dataDir: string): Promise<readonly Row[]> => {
  const ours = async (scale: string) => {
    const env = { RATE_LIMIT_SCALE: scale };
    const found: Readonly<Record<'quote' | 'menu', Pair>>[] = [];
    await withAhwa(dataDir, env, async ({ port }) => {
      found.push(await inFlood({ port, path: WORST_PATH }, { quote: QUOTE, menu: MENU }));
    });
    return found[0] ?? { quote: { alone: [], flooded: [] }, menu: { alone: [], flooded: [] } };
  };
  const server = await barePost(dataDir, Buffer.from('{}'));
  const baseline = { port: server.port, path: '/' };
  const { quote: bare } = await inFlood(baseline, { quote: post('/', twoLineQuote(), JSON_BODY) }).finally(
    () => server.stop(),
  );
  const p99 = (times: readonly number[]): number => percentile(times, 0.99);
  const quoteRow = (job: string, pair: Pair): Row => ({
    ...{ job: `a two-line quote, ${job}`, figure: pairText(pair), baseline: pairText(bare) },
    ratio: `p99 × ${(p99(pair.flooded) / p99(bare.flooded)).toFixed(1)}`,
    ...{ goal: `p99 ≤ ${QUOTE_MS} ms`, met: p99(pair.flooded) <= QUOTE_MS },
  });
  const menuRow = (job: string, { alone, flooded }: Pair): Row => {
    const ratio = p99(flooded) / p99(alone);
    return {
      ...{ job: `a menu read, ${job}`, figure: timesText(flooded), baseline: `alone ${timesText(alone)}` },
      ratio: `p99 × ${ratio.toFixed(1)}`,
      ...{ goal: `≤ ${MENU_RATIO} × alone`, met: ratio <= MENU_RATIO },
    };
  };
  const rows: Row[] = [];
  for (const [job, scale] of [
    ['limits as they are', '1'],
    ['nothing refused by limits', UNREFUSED],
  ] as const) {
    const { quote, menu } = await ours(scale);
    rows.push(quoteRow(job, quote), menuRow(job, menu));
  }
  return rows;
};

/** Enough that one starts just before the event loop's delay is sampled, every 10 ms. */
const TIMES = 40;

interface Block {
  /** The longest delay of the event loop, ms. */
  readonly longest: number;
  /** Server CPU per body, ms, all threads. */
  readonly cpu: number;
  readonly status: number;
}

/** The longest delay of the event loop per body, beside that of an empty request. */
export const longestBlocks = async (dataDir: string): Promise<readonly Row[]> => {
  const metricsPort = await freePort();
  const rows: Row[] = [];
  const env = { RATE_LIMIT_SCALE: UNREFUSED, METRICS_PORT: String(metricsPort) };
  await withAhwa(dataDir, env, async ({ pid, port }) => {
    const asking = openConnection(port);
    const blockOf = async (body: string): Promise<Block> => {
      const request = Buffer.from(post(WORST_PATH, body, JSON_BODY));
      let status = 0;
      for (let time = 0; time < TIMES; time += 1) await asking.ask(request);
      await readMetrics(metricsPort);
      const before = cpuSeconds(pid);
      for (let time = 0; time < TIMES; time += 1) ({ status } = await asking.ask(request));
      const cpu = ((cpuSeconds(pid) - before) / TIMES) * 1_000;
      return { longest: (await readMetrics(metricsPort)).blocked, cpu, status };
    };
    const nothing = [await blockOf('{}'), await blockOf('{}'), await blockOf('{}')];
    const baseline = median(nothing.map(({ longest }) => longest));
    const { carts, odd } = worstBodies();
    for (const [job, body] of Object.entries({ ...carts, ...odd })) {
      const { longest, cpu, status } = await blockOf(body);
      const more = Math.max(0, longest - baseline);
      rows.push({
        ...{
          job,
          figure: `${millis(more)} more, CPU ${millis(cpu)} each, answered ${status}`,
          baseline: millis(baseline),
        },
        ...{ ratio: `× ${(longest / baseline).toFixed(1)}`, goal: `≤ ${BLOCK_MS} ms`, met: more <= BLOCK_MS },
      });
    }
    asking.close();
  });
  return rows;
};

export const HOW_FLOODED = [
  `A quote and a menu read every ${EVERY_MS} ms for ${SECONDS} s from one address; 80 workers of 8 other addresses send the heaviest carts meanwhile, as fast as they are answered. Refused ones count as endless.`,
  'Baseline: a bare node:http server that parses the same bodies, in the same flood.',
];

export const HOW_BLOCKED = [
  `Each body ${TIMES} times, one after another, after as many that are not counted: a server that has just begun prices its first carts in blocks of up to 20 ms. Baseline: the same with a body of nothing; the delay is looked at every 10 ms, which is part of every figure.`,
];
