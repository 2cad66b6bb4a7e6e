import { expect, test } from 'vitest';
import { deferred, manualTimers } from '../../../../test/support/background/manual-timers.ts';
import { Throttled } from './throttled.ts';

const PAUSE_MS = 100;

const aThrottled = () => {
  const clock = { now: 0 };
  const { timers, pending, fire } = manualTimers();
  const ends: (() => void)[] = [];
  const throttled = new Throttled({
    ...{ timers, monotonic: () => clock.now, pauseMs: PAUSE_MS },
    work: () => {
      const { promise, resolve } = deferred();
      ends.push(resolve);
      return promise;
    },
  });
  /** The run under way ends. */
  const end = async (): Promise<void> => {
    ends.at(-1)?.();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { throttled, clock, pending, fire, end, runs: () => ends.length };
};

test('work begins at once, and again after the pause for what was asked meanwhile', async () => {
  const { throttled, clock, pending, fire, end, runs } = aThrottled();
  throttled.runWithin(0);
  throttled.runWithin(0);
  expect(pending()).toEqual([0]);
  fire(0);
  clock.now = 30;
  throttled.runWithin(0);
  expect([runs(), pending()]).toEqual([1, []]);
  await end();
  expect(pending()).toEqual([70]);
  clock.now = 100;
  fire(70);
  await end();
  expect([runs(), pending()]).toEqual([2, []]);
});

test('a sooner request moves a run forward, a later one does not move it back', () => {
  const { throttled, pending } = aThrottled();
  throttled.runWithin(400);
  throttled.runWithin(900);
  expect(pending()).toEqual([400]);
  throttled.runWithin(50);
  expect(pending()).toEqual([50]);
});

test('what is cancelled does not begin, and a run under way ends', async () => {
  const { throttled, pending, fire, end, runs } = aThrottled();
  throttled.runWithin(0);
  fire(0);
  throttled.runWithin(0);
  throttled.cancel();
  await end();
  expect([runs(), pending()]).toEqual([1, []]);
});
