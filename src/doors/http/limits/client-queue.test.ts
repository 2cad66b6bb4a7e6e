import { expect, test } from 'vitest';
import { createClientQueue } from './client-queue.ts';

const settled = () => new Promise((turn) => setImmediate(turn));

/** Work whose end the test decides. */
const queueFixture = (isDivided: boolean) => {
  const inTurn = createClientQueue(isDivided);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const enqueue = (client: string, name: string, fails = false): Promise<string> =>
    inTurn(client, () => {
      started.push(name);
      return new Promise((done, fail) => ends.push(() => (fails ? fail(new Error(name)) : done(name))));
    });
  return { enqueue, started, endNext: () => ends.shift()?.() };
};

test('a client’s twelfth request waits for one of its eleven; other clients do not wait', async () => {
  const { enqueue, started, endNext } = queueFixture(true);
  const all = Array.from({ length: 13 }, (_, n) => enqueue('the flood', `${n}`));
  void enqueue('a guest', 'guest');
  await settled();
  expect(started).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'guest']);
  endNext();
  expect(await all[0]).toBe('0');
  await settled();
  expect(started.at(-1)).toBe('11');
  endNext();
  await settled();
  expect(started.at(-1)).toBe('12');
});

test('a request that fails rejects and lets the next one begin', async () => {
  const { enqueue, started, endNext } = queueFixture(true);
  const first = enqueue('a client', 'first', true);
  for (let n = 0; n < 10; n += 1) void enqueue('a client', `${n}`);
  void enqueue('a client', 'last');
  await settled();
  expect(started).not.toContain('last');
  endNext();
  await expect(first).rejects.toThrow('first');
  await settled();
  expect(started.at(-1)).toBe('last');
});

test('no request waits while limits are off', async () => {
  const { enqueue, started } = queueFixture(false);
  for (let n = 0; n < 200; n += 1) void enqueue('a client', `${n}`);
  await settled();
  expect(started).toHaveLength(200);
});
