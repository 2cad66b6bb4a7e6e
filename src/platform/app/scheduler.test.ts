import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Meter } from './meter.ts';
import { Scheduler, type JobContext } from './scheduler.ts';

/** Each job belongs to another client. */
const anyClient = (): JobContext => ({ client: `client ${(clients += 1)}`, meter: new Meter(() => 0) });
let clients = 0;

/** A job of `steps` steps that records each; its result is its name. */
function* job(name: string, steps: number, recorded: string[]): Generator<void, string> {
  for (let step = 1; step < steps; step++) {
    recorded.push(name);
    yield;
  }
  recorded.push(name);
  return name;
}

/** A job that fails after `steps` steps. */
function* failing(steps: number, recorded: string[]): Generator<void, never> {
  for (let step = 1; step <= steps; step++) {
    recorded.push('failing');
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

/** What each turn of the event loop recorded until `all` resolved. */
const turnByTurn = async (recorded: readonly string[], all: Promise<unknown>): Promise<readonly number[]> => {
  const state = { isOver: false };
  const over = () => (state.isOver = true);
  all.then(over, over);
  const counts: number[] = [];
  for (let before = recorded.length; !state.isOver; before = recorded.length) {
    await nextTurn();
    counts.push(recorded.length - before);
  }
  return counts;
};

describe('many jobs of one step each', () => {
  /** A one-step job that takes `ms` by a manual clock. */
  const lasting = (clock: { now: number }, recorded: string[], ms: number, name: string) =>
    (function* (): Generator<void, string> {
      clock.now += ms;
      recorded.push(name);
      return name;
    })();

  test('short jobs all run in the turn of the event loop in which they arrive', async () => {
    const clock = { now: 0 };
    const scheduler = new Scheduler(64, () => clock.now);
    const recorded: string[] = [];
    const all = names(30).map((name) => scheduler.run(lasting(clock, recorded, 0.01, name), anyClient()));
    expect(recorded).toEqual(names(30));
    expect(await Promise.all(all)).toEqual(names(30));
  });

  test('long jobs run one per turn of the event loop, also those that arrive later', async () => {
    const clock = { now: 0 };
    const scheduler = new Scheduler(64, () => clock.now);
    const recorded: string[] = [];
    const all = Promise.all(
      names(30).map((name) => scheduler.run(lasting(clock, recorded, 5, name), anyClient())),
    );
    expect(recorded).toEqual(['0']);
    const counts = await turnByTurn(recorded, all);
    expect(counts.filter((count) => count > 1)).toEqual([]);
    expect(await all).toEqual(names(30));
    await nextTurn();
    expect(await scheduler.run(lasting(clock, recorded, 5, 'later'), anyClient())).toBe('later');
  });
});

test('each turn of the event loop runs one step, however many jobs there are', async () => {
  const scheduler = new Scheduler(64, slow());
  const recorded: string[] = [];
  const all = Promise.all(names(20).map((name) => scheduler.run(job(name, 10, recorded), anyClient())));
  expect(recorded).toEqual(['0']);
  const counts = await turnByTurn(recorded, all);
  expect(counts.slice(0, 199)).toEqual(Array.from({ length: 199 }, () => 1));
  expect(counts.slice(199).every((count) => count === 0)).toBe(true);
  expect(await all).toEqual(names(20));
});

test('jobs run their steps in rotation', async () => {
  const scheduler = new Scheduler();
  const recorded: string[] = [];
  await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) => scheduler.run(job(name, name === 'b' ? 2 : 4, recorded), anyClient())),
  );
  expect(recorded.join('')).toBe('abcd' + 'abcd' + 'acd' + 'acd');
});

test('new jobs begin before others continue, but at most eight in a row', async () => {
  const scheduler = new Scheduler(64, slow());
  const recorded: string[] = [];
  const early = ['A', 'B'].map((name) => scheduler.run(job(name, 3, recorded), anyClient()));
  await nextTurn();
  expect(recorded.join('')).toBe('AB');
  const late = 'a b c d e f g h i j k'
    .split(' ')
    .map((name) => scheduler.run(job(name, 1, recorded), anyClient()));
  await Promise.all([...early, ...late]);
  // B was queued once more among those.
  expect(recorded.join('')).toBe('AB' + 'abcdefg' + 'A' + 'hijk' + 'BAB');
});

describe('a failing job', () => {
  test('a failing job stops no other job, whether it fails in its first step or later', async () => {
    const scheduler = new Scheduler();
    const recorded: string[] = [];
    const all = await Promise.allSettled([
      scheduler.run(failing(0, recorded), anyClient()),
      scheduler.run(job('a', 5, recorded), anyClient()),
      scheduler.run(failing(0, recorded), anyClient()),
      scheduler.run(failing(2, recorded), anyClient()),
      scheduler.run(job('b', 5, recorded), anyClient()),
    ]);
    expect(all.map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(await scheduler.run(job('c', 3, recorded), anyClient())).toBe('c');
  });

  test('a failing job frees its place for another job', async () => {
    const scheduler = new Scheduler(1);
    const recorded: string[] = [];
    for (let time = 0; time < 3; time++)
      await expect(scheduler.run(failing(1, recorded), anyClient())).rejects.toThrow('this one is spoilt');
    expect(await scheduler.run(job('a', 2, recorded), anyClient())).toBe('a');
  });
});

test('a full scheduler refuses jobs of several steps and runs jobs of one step', async () => {
  const scheduler = new Scheduler(3);
  const recorded: string[] = [];
  const long = names(5).map((name) => scheduler.run(job(name, 20, recorded), anyClient()));
  const short = names(5).map((name) => scheduler.run(job(name, 1, recorded), anyClient()));
  const settled = await Promise.allSettled([...long, ...short]);
  expect(settled.map(({ status }) => status)).toEqual([
    ...['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
    ...short.map(() => 'fulfilled'),
  ]);
  await expect(long[3]).rejects.toMatchObject({ refusal: 'UNAVAILABLE' });
  expect(await scheduler.run(job('afterwards', 3, recorded), anyClient())).toBe('afterwards');
});

test('of 100 concurrent long jobs 64 run', async () => {
  const scheduler = new Scheduler();
  const recorded: string[] = [];
  const settled = await Promise.allSettled(
    names(100).map((name) => scheduler.run(job(name, 200, recorded), anyClient())),
  );
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(64);
});

test('from half of the places on, a client with many jobs is refused, others are not', async () => {
  const scheduler = new Scheduler(12);
  const recorded: string[] = [];
  const greedy: JobContext = { client: 'greedy', meter: new Meter(() => 0) };
  const settled = Promise.allSettled(names(10).map((name) => scheduler.run(job(name, 50, recorded), greedy)));
  const other = scheduler.run(job('other', 50, recorded), anyClient());
  const refused = (await settled).flatMap((each) =>
    each.status === 'rejected' ? [each.reason as unknown] : [],
  );
  expect(refused).toHaveLength(4);
  for (const refusal of refused) expect(refusal).toMatchObject({ refusal: 'RATE_LIMITED' });
  expect(await other).toBe('other');
});

test('the meter of a job adds up the time of its steps', async () => {
  const clock = { now: 0 };
  const meter = new Meter(() => clock.now);
  const steps = function* (): Generator<void, string> {
    clock.now += 3;
    yield;
    clock.now += 4;
    return 'done';
  };
  expect(await new Scheduler().run(steps(), { client: 'a', meter })).toBe('done');
  expect(meter.ms).toBe(7);
});
