/**
 * Two-line quotes during a flood of the heaviest carts, and how long each of the worst bodies blocks the event loop.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readMetrics } from '../../test/soak/siege/metrics.ts';
import { freePort } from '../../test/support/programs/free-port.ts';
import { UNREFUSED, withAhwa } from './ahwa.ts';
import { barePost } from './baseline.ts';
import { openConnection, post } from './connection.ts';
import { median, millis, percentile } from './figures.ts';
import { paced } from './pace.ts';
import { cpuSeconds, lineOf, spawnNode, stop } from './processes.ts';
import type { Row } from './report.ts';
import { twoLineQuote, WORST_PATH, worstBodies } from './worst-bodies.ts';

const JSON_BODY = { 'Content-Type': 'application/json' };
/** Goals: a quote during the flood at the 99th percentile, and a block of the event loop. */
const QUOTE_MS = 100;
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

/** Quotes at a constant rate, first alone, then during the flood; a refused one counts as infinite. */
const quotesAt = async (place: Place): Promise<Pair> => {
  const quote = post(place.path, twoLineQuote(), JSON_BODY);
  const quotes = () => paced(place.port, quote, EVERY_MS, pause(SECONDS * 1_000), Infinity);
  await quotes();
  const alone = await quotes();
  const flood = spawnNode(
    ['--import', 'tsx', join(import.meta.dirname, 'flood.ts'), JSON.stringify(place)],
    {},
  );
  try {
    await lineOf(flood, (line) => (line === 'flooding' ? true : null));
    return { alone, flooded: await quotes() };
  } finally {
    await stop(flood);
  }
};

const timesText = (times: readonly number[]): string =>
  `p50 ${millis(median(times))}, p99 ${millis(percentile(times, 0.99))}`;

const pairText = ({ alone, flooded }: Pair): string => `${timesText(flooded)}; alone ${timesText(alone)}`;

/** Quotes with normal limits and without refusals, beside a bare server that parses the same bodies. */
export const quotesInFlood = async (dataDir: string): Promise<readonly Row[]> => {
  const ours = async (scale: string): Promise<Pair> => {
    let pair: Pair = { alone: [], flooded: [] };
    await withAhwa(dataDir, { RATE_LIMIT_SCALE: scale }, async ({ port }) => {
      pair = await quotesAt({ port, path: WORST_PATH });
    });
    return pair;
  };
  const server = await barePost(dataDir, Buffer.from('{}'));
  const bare = await quotesAt({ port: server.port, path: '/' }).finally(() => server.stop());
  const row = (job: string, pair: Pair, goal?: number): Row => {
    const p99 = percentile(pair.flooded, 0.99);
    const figures = {
      ...{ job, figure: pairText(pair), baseline: pairText(bare) },
      ratio: `p99 × ${(p99 / percentile(bare.flooded, 0.99)).toFixed(1)}`,
    };
    return goal === undefined ? figures : { ...figures, goal: `p99 ≤ ${goal} ms`, met: p99 <= goal };
  };
  return [
    row('limits as they are', await ours('1'), QUOTE_MS),
    row('nothing refused by limits', await ours(UNREFUSED)),
  ];
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
  `A quote every ${EVERY_MS} ms for ${SECONDS} s from one address; 80 workers of 8 other addresses send the heaviest carts meanwhile, as fast as they are answered. Refused quotes count as endless.`,
  'Baseline: a bare node:http server that parses the same bodies, in the same flood.',
];

export const HOW_BLOCKED = [
  `Each body ${TIMES} times, one after another, after as many that are not counted: a server that has just begun prices its first carts in blocks of up to 20 ms. Baseline: the same with a body of nothing; the delay is looked at every 10 ms, which is part of every figure.`,
];
