import { expect, test } from 'vitest';
import { createClientQueue } from './client-queue.ts';

const settled = () => new Promise((turn) => setImmediate(turn));

/** Work whose end the test decides. */
const workshop = (isDivided: boolean) => {
  const inTurn = createClientQueue(isDivided);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (client: string, name: string, fails = false): Promise<string> =>
    inTurn(client, () => {
      begun.push(name);
      return new Promise((done, fail) => ends.push(() => (fails ? fail(new Error(name)) : done(name))));
    });
  return { ask, begun, endNext: () => ends.shift()?.() };
};

test('a client’s twelfth request waits for one of its eleven; other clients do not wait', async () => {
  const { ask, begun, endNext } = workshop(true);
  const all = Array.from({ length: 13 }, (_, n) => ask('the flood', `${n}`));
  void ask('a guest', 'guest');
  await settled();
  expect(begun).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'guest']);
  endNext();
  expect(await all[0]).toBe('0');
  await settled();
  expect(begun.at(-1)).toBe('11');
  endNext();
  await settled();
  expect(begun.at(-1)).toBe('12');
});

test('a request that fails rejects and lets the next one begin', async () => {
  const { ask, begun, endNext } = workshop(true);
  const first = ask('a client', 'first', true);
  for (let n = 0; n < 10; n += 1) void ask('a client', `${n}`);
  void ask('a client', 'last');
  await settled();
  expect(begun).not.toContain('last');
  endNext();
  await expect(first).rejects.toThrow('first');
  await settled();
  expect(begun.at(-1)).toBe('last');
});

test('no request waits while limits are off', async () => {
  const { ask, begun } = workshop(false);
  for (let n = 0; n < 200; n += 1) void ask('a client', `${n}`);
  await settled();
  expect(begun).toHaveLength(200);
});
