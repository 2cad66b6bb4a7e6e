import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createParseTurns } from './parse-scheduler.ts';

test('one goes a turn of the loop, the clients going round', async () => {
  const turn = createParseTurns();
  const told: string[] = [];
  for (const client of ['greedy', 'greedy', 'greedy', 'guest', 'another'])
    void turn(client).then(() => told.push(client));
  const counts: number[] = [];
  while (told.length < 5) {
    await nextTurn();
    counts.push(told.length);
  }
  expect(told).toEqual(['greedy', 'guest', 'another', 'greedy', 'greedy']);
  expect(counts.filter((count) => count > 0)).toEqual([1, 2, 3, 4, 5]);
});
