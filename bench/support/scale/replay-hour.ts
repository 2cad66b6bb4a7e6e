/** Replays an hour of a day against a server, at its own pace, but in a few seconds. */
import { setTimeout as pause } from 'node:timers/promises';
import { visitsPerSecond, VISITS } from './day.ts';
import type { Visitors } from './visitors.ts';

const TICK_MS = 10;

/** How many come in a tick, by chance, `mean` on average (Knuth's way of drawing from a Poisson distribution). */
const drawn = (mean: number): number => {
  const limit = Math.exp(-mean);
  let count = -1;
  for (let product = 1; product > limit; product *= Math.random()) count += 1;
  return count;
};

/** Visits of one hour, for some seconds; resolves when all are over. */
export const replayHour = async (
  visitors: Visitors,
  shops: number,
  hour: number,
  seconds: number,
): Promise<void> => {
  const rates = visitsPerSecond(shops, hour);
  const under: Promise<void>[] = [];
  const began = performance.now();
  for (let due = began; due < began + seconds * 1_000; due += TICK_MS) {
    await pause(Math.max(0, due - performance.now()));
    for (const kind of VISITS)
      for (let n = drawn((rates[kind] * TICK_MS) / 1_000); n > 0; n -= 1)
        under.push(visitors.visit(kind, due));
  }
  await Promise.all(under);
};
