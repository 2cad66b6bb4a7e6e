import { expect, test } from 'vitest';
import { Refusal } from '../domain/refusal.ts';
import { LookupLimit } from './lookup-limit.ts';

const HERE = { lat: 30, lng: 31 };
const roads = { meters: () => Promise.resolve(1) };

const may = (limit: LookupLimit, client: string): boolean => {
  try {
    void limit.on(roads, client).meters(HERE, HERE);
    return true;
  } catch (thrown) {
    if (thrown instanceof Refusal && thrown.refusal === 'RATE_LIMITED') return false;
    throw thrown;
  }
};

test('memory is bounded: of 50,000 clients the one that asked longest ago is forgotten first', () => {
  const limit = new LookupLimit({ scale: 1 / 60, monotonic: () => 0 });
  expect([may(limit, 'first'), may(limit, 'second'), may(limit, 'first')]).toEqual([true, true, false]);
  for (let client = 3; client <= 50_000; client += 1) may(limit, String(client));
  expect([may(limit, 'first'), may(limit, 'second')]).toEqual([false, false]);
  may(limit, 'one too many');
  expect([may(limit, 'second'), may(limit, 'first')]).toEqual([false, true]);
});

test('who waits as long as told, passes', () => {
  let now = 0;
  const limit = new LookupLimit({ scale: 1, monotonic: () => now });
  for (let asked = 0; asked < 60; asked += 1) expect(may(limit, 'one')).toBe(true);
  expect(may(limit, 'one')).toBe(false);
  now = 999;
  expect(may(limit, 'one')).toBe(false);
  now = 1000;
  expect([may(limit, 'one'), may(limit, 'one')]).toEqual([true, false]);
  now = 61_000;
  for (let asked = 0; asked < 60; asked += 1) expect(may(limit, 'one')).toBe(true);
  expect(may(limit, 'one')).toBe(false);
});
