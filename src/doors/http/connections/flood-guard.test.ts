import { expect, test } from 'vitest';
import { createFloodGuard } from './flood-guard.ts';

const direct = (key: string) => ({ key, isProxy: false });

const watched = (isDivided = true) => {
  const state = { now: 0 };
  const cut: string[] = [];
  const floodGuard = createFloodGuard({
    ...{ isDivided, monotonic: () => state.now },
    onBlocked: (client) => cut.push(client),
  });
  /** Returns whether the connection may go on. */
  const send = (client: string, times: number, cost = 1): boolean => {
    let mayGoOn = true;
    for (let n = 0; n < times; n += 1) mayGoOn = floodGuard.charge(direct(client), cost);
    return mayGoOn;
  };
  return { floodGuard, cut, send, state };
};

test('a client that pipelines more than 2,000 requests is cut off alone, for ten seconds', () => {
  const { floodGuard, cut, send, state } = watched();
  send('a guest', 100);
  send('the flood', 2_000);
  expect([cut, floodGuard.isBlocked(direct('the flood'))]).toEqual([[], false]);
  send('the flood', 1);
  expect(cut).toEqual(['the flood']);
  expect([floodGuard.isBlocked(direct('the flood')), floodGuard.isBlocked(direct('a guest'))]).toEqual([
    true,
    false,
  ]);
  state.now += 9_999;
  expect(floodGuard.isBlocked(direct('the flood'))).toBe(true);
  state.now += 1;
  expect(floodGuard.isBlocked(direct('the flood'))).toBe(false);
  state.now += 1_000;
  expect([send('the flood', 200), cut]).toEqual([true, ['the flood']]);
});

test('200 pipelined requests a second are allowed, and an expensive request counts as several', () => {
  const { cut, send, state } = watched();
  for (let second = 0; second < 600; second += 1, state.now += 1_000) send('an eager client', 200);
  expect(cut).toEqual([]);
  send('a flood', 4, 500);
  expect(cut).toEqual([]);
  send('a flood', 1, 500);
  expect(cut).toEqual(['a flood']);
});

test('a configured proxy is never cut off', () => {
  const { floodGuard, cut } = watched();
  const proxy = { key: 'the proxy', isProxy: true };
  for (let n = 0; n < 20_000; n += 1) floodGuard.charge(proxy, 1);
  expect([cut, floodGuard.isBlocked(proxy), floodGuard.charge(proxy, 1)]).toEqual([[], false, true]);
});

test('many clients below their own limit are stopped by the limit of all clients together', () => {
  const { cut, send, state } = watched();
  for (let client = 0; client < 30; client += 1) expect(send(`number ${client}`, 200)).toBe(true);
  expect([send('one more', 1), cut]).toEqual([false, []]);
  state.now += 1_000;
  expect(send('one more', 1)).toBe(true);
});

test('no client is cut off while limits are off', () => {
  const { floodGuard, cut, send } = watched(false);
  expect([send('the flood', 20_000), cut, floodGuard.isBlocked(direct('the flood'))]).toEqual([
    true,
    [],
    false,
  ]);
});
