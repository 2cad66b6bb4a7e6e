import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createParseScheduler } from './parse-scheduler.ts';

test('one body is parsed per turn of the event loop, round-robin over clients', async () => {
  const turn = createParseScheduler();
  const parsed: string[] = [];
  for (const client of ['greedy', 'greedy', 'greedy', 'guest', 'another'])
    void turn(client).then(() => parsed.push(client));
  const counts: number[] = [];
  while (parsed.length < 5) {
    await nextTurn();
    counts.push(parsed.length);
  }
  expect(parsed).toEqual(['greedy', 'guest', 'another', 'greedy', 'greedy']);
  expect(counts.filter((count) => count > 0)).toEqual([1, 2, 3, 4, 5]);
});
