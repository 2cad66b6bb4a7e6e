import { expect, test } from 'vitest';
import { debounced } from './timers.ts';

test('calls within the delay run once, one delay after the first call', () => {
  const timers: { readonly ms: number; readonly work: () => void }[] = [];
  const after = (ms: number, work: () => void) => {
    timers.push({ ms, work });
    return () => undefined;
  };
  let times = 0;
  const call = debounced({ after }, 25, () => (times += 1));
  for (let n = 0; n < 3; n += 1) call();
  expect([times, timers.map(({ ms }) => ms)]).toEqual([0, [25]]);
  timers[0]?.work();
  expect(times).toBe(1);
  call();
  timers[1]?.work();
  expect([times, timers.length]).toEqual([2, 2]);
});
