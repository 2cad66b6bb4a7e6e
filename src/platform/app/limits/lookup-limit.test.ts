import { expect, test } from 'vitest';
import { Refusal } from '../../../kernel/refusal.ts';
import { LookupLimit } from './lookup-limit.ts';

const HERE = { lat: 30, lng: 31 };
const roads = { meters: () => Promise.resolve(1) };

const may = async (limit: LookupLimit, client: string): Promise<boolean> => {
  try {
    await limit.on(roads, client).meters(HERE, HERE);
    return true;
  } catch (thrown) {
    if (thrown instanceof Refusal && thrown.refusal === 'RATE_LIMITED') return false;
    throw thrown;
  }
};
const each = async (limit: LookupLimit, ...clients: readonly string[]): Promise<readonly boolean[]> => {
  const answers: boolean[] = [];
  for (const client of clients) answers.push(await may(limit, client));
  return answers;
};

test('beyond 50,000 clients those nearest to a full bucket are dropped first', async () => {
  const limit = new LookupLimit({ scale: 1, monotonic: () => 0 });
  for (let n = 0; n < 60; n += 1) await may(limit, 'busy');
  for (let client = 0; client < 50_100; client += 1) await may(limit, String(client));
  expect(await each(limit, 'busy')).toEqual([false]);
});

test('a client has 60 look-ups at once, and one more each second', async () => {
  let now = 0;
  const limit = new LookupLimit({ scale: 1, monotonic: () => now });
  const sixty = Array.from({ length: 60 }, () => 'one');
  expect(new Set(await each(limit, ...sixty))).toEqual(new Set([true]));
  expect(await may(limit, 'one')).toBe(false);
  now = 999;
  expect(await may(limit, 'one')).toBe(false);
  now = 1000;
  expect(await each(limit, 'one', 'one')).toEqual([true, false]);
  now = 61_000;
  expect(new Set(await each(limit, ...sixty))).toEqual(new Set([true]));
  expect(await may(limit, 'one')).toBe(false);
});

test('a full bucket has sixty tokens at any instant', async () => {
  for (let nth = 0; nth < 500; nth += 1) {
    const limit = new LookupLimit({ scale: 1, monotonic: () => nth * 4_321.987 });
    const answers = await each(limit, ...Array.from({ length: 61 }, () => 'one'));
    expect(answers.indexOf(false)).toBe(60);
  }
});
