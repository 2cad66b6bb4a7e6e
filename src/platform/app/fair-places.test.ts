import { describe, expect, test } from 'vitest';
import type { Timers } from '../../ports.ts';
import { FairPlaces, type PlacesSize } from './fair-places.ts';

const SIZE: PlacesSize = { running: 1, most: 64, mostPerClient: 6, waitMs: 100 };

/** Timers that fire by hand. */
const manual = () => {
  const pending = new Set<() => void>();
  const waits: number[] = [];
  const after: Timers['after'] = (ms, work) => {
    waits.push(ms);
    pending.add(work);
    return () => pending.delete(work);
  };
  const fire = (): void => {
    const due = [...pending];
    pending.clear();
    for (const work of due) work();
  };
  return { after, fire, pending, waits };
};

/** Until all that may begin has begun. */
const begunAll = (): Promise<void> => new Promise((go) => setImmediate(go));

/** Places whose work ends by hand, in the order in which it began. */
const placesOf = (size: Partial<PlacesSize> = {}) => {
  const timers = manual();
  const places = new FairPlaces({ ...SIZE, ...size }, timers);
  const begun: string[] = [];
  const ends: ((fault?: Error) => void)[] = [];
  const enter = (client: string, name = client, isMust = false): Promise<string> => {
    const work = (): Promise<string> => {
      begun.push(name);
      return new Promise((end, fail) => ends.push((fault) => (fault ? fail(fault) : end(name))));
    };
    const entered = places.run(client, work, isMust);
    // Refused before the test looks at it.
    entered.catch(() => undefined);
    return entered;
  };
  /** Ends the work that began first, and lets the next one begin. */
  const endOne = async (fault?: Error): Promise<void> => {
    await begunAll();
    ends.shift()?.(fault);
    await begunAll();
  };
  return { places, timers, begun, enter, endOne };
};

const outcomes = async (all: readonly Promise<string>[]): Promise<readonly string[]> =>
  (await Promise.allSettled(all)).map((one) =>
    one.status === 'fulfilled' ? one.value : (one.reason as { refusal: string }).refusal,
  );

test('as much work runs at once as there are places, the rest waits', async () => {
  const { begun, enter, endOne } = placesOf({ running: 2 });
  const all = ['a', 'b', 'c', 'd'].map((client) => enter(client));
  await begunAll();
  expect(begun).toEqual(['a', 'b']);
  await endOne();
  expect(begun).toEqual(['a', 'b', 'c']);
  for (let left = 3; left > 0; left--) await endOne();
  expect(await outcomes(all)).toEqual(['a', 'b', 'c', 'd']);
});

test('clients take turns, however much one of them asks for', async () => {
  const { begun, enter, endOne } = placesOf();
  const all = [
    ...['1', '2', '3', '4'].map((name) => enter('greedy', name)),
    ...['x', 'y'].map((name) => enter('other', name)),
    enter('third', 'z'),
  ];
  for (let left = all.length; left > 0; left--) await endOne();
  expect(begun).toEqual(['1', '2', 'x', 'z', '3', 'y', '4']);
});

describe('work is refused', () => {
  test('when all places are taken', async () => {
    const { enter, endOne } = placesOf({ most: 3 });
    const all = ['a', 'b', 'c', 'd'].map((client) => enter(client));
    for (let left = all.length; left > 0; left--) await endOne();
    expect(await outcomes(all)).toEqual(['a', 'b', 'c', 'UNAVAILABLE']);
    const later = enter('later');
    await endOne();
    expect(await later).toBe('later');
  });

  test('from half of the places on, when its client has many', async () => {
    const { enter, endOne } = placesOf({ most: 12, mostPerClient: 6 });
    const greedy = Array.from({ length: 8 }, () => enter('greedy'));
    const other = enter('other');
    for (let n = 0; n < 9; n++) await endOne();
    expect(await outcomes(greedy)).toEqual([
      ...Array.from({ length: 6 }, () => 'greedy'),
      ...['RATE_LIMITED', 'RATE_LIMITED'],
    ]);
    expect(await other).toBe('other');
  });

  test('when it has waited for too long, and what runs goes on', async () => {
    const { places, timers, enter, endOne } = placesOf();
    const all = ['a', 'b', 'b'].map((client) => enter(client));
    timers.fire();
    await endOne();
    expect(await outcomes(all)).toEqual(['a', 'UNAVAILABLE', 'UNAVAILABLE']);
    expect([places.taken, timers.pending.size]).toEqual([0, 0]);
    expect(timers.waits).toEqual([SIZE.waitMs, SIZE.waitMs]);
  });
});

test('work that fails frees its place', async () => {
  const { places, enter, endOne } = placesOf();
  const [spoilt, next] = [enter('a'), enter('b')];
  const failed = expect(spoilt).rejects.toThrow('this one is spoilt');
  await endOne(new Error('this one is spoilt'));
  await failed;
  await endOne();
  expect(await next).toBe('b');
  expect(places.taken).toBe(0);
});

test('work that must be done is never refused, however full it is and however long it waits', async () => {
  const { timers, enter, endOne } = placesOf({ most: 1 });
  const all = [enter('a'), enter('a', 'must', true)];
  timers.fire();
  for (let left = all.length; left > 0; left--) await endOne();
  expect(await outcomes(all)).toEqual(['a', 'must']);
});
