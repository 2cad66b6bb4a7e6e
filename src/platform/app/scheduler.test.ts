import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Meter } from './meter.ts';
import { Turns, type WorkFor } from './scheduler.ts';

/** Each piece of work is another client's. */
const someone = (): WorkFor => ({ client: `client ${(clients += 1)}`, meter: new Meter(() => 0) });
let clients = 0;

/** Work of so many steps that writes each of them down; its answer is its name. */
function* work(name: string, steps: number, told: string[]): Generator<void, string> {
  for (let step = 1; step < steps; step++) {
    told.push(name);
    yield;
  }
  told.push(name);
  return name;
}

/** Work that fails in a step after so many. */
function* failing(steps: number, told: string[]): Generator<void, never> {
  for (let step = 1; step <= steps; step++) {
    told.push('failing');
    yield;
  }
  throw new Error('this one is spoilt');
}

/** A clock by which every step is long. */
const slow = (): (() => number) => {
  let now = 0;
  return () => (now += 5);
};

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `${index}`);

/** What is written down in each turn of the loop till all is answered. */
const turnByTurn = async (told: readonly string[], all: Promise<unknown>): Promise<readonly number[]> => {
  const state = { isOver: false };
  const over = () => (state.isOver = true);
  all.then(over, over);
  const counts: number[] = [];
  for (let before = told.length; !state.isOver; before = told.length) {
    await nextTurn();
    counts.push(told.length - before);
  }
  return counts;
};

describe('of many that come together and take one step each', () => {
  /** Work of one step that takes so long by a clock set by hand. */
  const lasting = (clock: { now: number }, told: string[], ms: number, name: string) =>
    (function* (): Generator<void, string> {
      clock.now += ms;
      told.push(name);
      return name;
    })();

  test('short ones are all done in the turn that they came in', async () => {
    const clock = { now: 0 };
    const turns = new Turns(64, () => clock.now);
    const told: string[] = [];
    const all = names(30).map((name) => turns.run(lasting(clock, told, 0.01, name), someone()));
    expect(told).toEqual(names(30));
    expect(await Promise.all(all)).toEqual(names(30));
  });

  test('long ones are done one in each turn, and so are those that come after them', async () => {
    const clock = { now: 0 };
    const turns = new Turns(64, () => clock.now);
    const told: string[] = [];
    const all = Promise.all(names(30).map((name) => turns.run(lasting(clock, told, 5, name), someone())));
    expect(told).toEqual(['0']);
    const counts = await turnByTurn(told, all);
    expect(counts.filter((count) => count > 1)).toEqual([]);
    expect(await all).toEqual(names(30));
    await nextTurn();
    expect(await turns.run(lasting(clock, told, 5, 'later'), someone())).toBe('later');
  });
});

test('however many are at work, each turn of the loop takes one step', async () => {
  const turns = new Turns(64, slow());
  const told: string[] = [];
  const all = Promise.all(names(20).map((name) => turns.run(work(name, 10, told), someone())));
  expect(told).toEqual(['0']);
  const counts = await turnByTurn(told, all);
  expect(counts.slice(0, 199)).toEqual(Array.from({ length: 199 }, () => 1));
  expect(counts.slice(199).every((count) => count === 0)).toBe(true);
  expect(await all).toEqual(names(20));
});

test('they go round, each in its turn', async () => {
  const turns = new Turns();
  const told: string[] = [];
  await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) => turns.run(work(name, name === 'b' ? 2 : 4, told), someone())),
  );
  expect(told.join('')).toBe('abcd' + 'abcd' + 'acd' + 'acd');
});

test('who comes later is begun before others go on, but no more than eight in a row', async () => {
  const turns = new Turns(64, slow());
  const told: string[] = [];
  const early = ['A', 'B'].map((name) => turns.run(work(name, 3, told), someone()));
  await nextTurn();
  expect(told.join('')).toBe('AB');
  const late = 'a b c d e f g h i j k'.split(' ').map((name) => turns.run(work(name, 1, told), someone()));
  await Promise.all([...early, ...late]);
  // B came as one more of those.
  expect(told.join('')).toBe('AB' + 'abcdefg' + 'A' + 'hijk' + 'BAB');
});

describe('one that fails', () => {
  test('stops no other, whether in its first step or later', async () => {
    const turns = new Turns();
    const told: string[] = [];
    const all = await Promise.allSettled([
      turns.run(failing(0, told), someone()),
      turns.run(work('a', 5, told), someone()),
      turns.run(failing(0, told), someone()),
      turns.run(failing(2, told), someone()),
      turns.run(work('b', 5, told), someone()),
    ]);
    expect(all.map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(await turns.run(work('c', 3, told), someone())).toBe('c');
  });

  test('leaves its place to another', async () => {
    const turns = new Turns(1);
    const told: string[] = [];
    for (let time = 0; time < 3; time++)
      await expect(turns.run(failing(1, told), someone())).rejects.toThrow('this one is spoilt');
    expect(await turns.run(work('a', 2, told), someone())).toBe('a');
  });
});

test('beyond the bound what takes more than one step is refused, and what takes one is done', async () => {
  const turns = new Turns(3);
  const told: string[] = [];
  const long = names(5).map((name) => turns.run(work(name, 20, told), someone()));
  const short = names(5).map((name) => turns.run(work(name, 1, told), someone()));
  const settled = await Promise.allSettled([...long, ...short]);
  expect(settled.map(({ status }) => status)).toEqual([
    ...['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
    ...short.map(() => 'fulfilled'),
  ]);
  await expect(long[3]).rejects.toMatchObject({ refusal: 'UNAVAILABLE' });
  expect(await turns.run(work('afterwards', 3, told), someone())).toBe('afterwards');
});

test('of a hundred long ones at once sixty-four go on', async () => {
  const turns = new Turns();
  const told: string[] = [];
  const settled = await Promise.allSettled(
    names(100).map((name) => turns.run(work(name, 200, told), someone())),
  );
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(64);
});

test('once half of the places are taken, a client that has many at work is refused, and others are not', async () => {
  const turns = new Turns(12);
  const told: string[] = [];
  const greedy: WorkFor = { client: 'greedy', meter: new Meter(() => 0) };
  const settled = Promise.allSettled(names(10).map((name) => turns.run(work(name, 50, told), greedy)));
  const other = turns.run(work('other', 50, told), someone());
  const refused = (await settled).flatMap((each) =>
    each.status === 'rejected' ? [each.reason as unknown] : [],
  );
  expect(refused).toHaveLength(4);
  for (const refusal of refused) expect(refusal).toMatchObject({ refusal: 'RATE_LIMITED' });
  expect(await other).toBe('other');
});

test('what the steps of a piece of work cost is added up', async () => {
  const clock = { now: 0 };
  const meter = new Meter(() => clock.now);
  const steps = function* (): Generator<void, string> {
    clock.now += 3;
    yield;
    clock.now += 4;
    return 'done';
  };
  expect(await new Turns().run(steps(), { client: 'a', meter })).toBe('done');
  expect(meter.ms).toBe(7);
});
