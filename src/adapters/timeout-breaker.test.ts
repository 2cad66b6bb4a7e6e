import { beforeEach, expect, test } from 'vitest';
import { createTimeoutBreaker, type TimeoutBreaker } from './timeout-breaker.ts';

let elapsed: number;
let reported: string[];
let breaker: TimeoutBreaker;

beforeEach(() => {
  elapsed = 0;
  reported = [];
  breaker = createTimeoutBreaker({ monotonic: () => elapsed, onFailing: (reason) => reported.push(reason) });
});

const timesOut = (times: number): void => {
  for (let n = 0; n < times; n += 1) breaker.failed({ reason: 'no answer in time', isTimeout: true });
};
const failsAtOnce = (times: number): void => {
  for (let n = 0; n < times; n += 1) breaker.failed({ reason: 'answered 500', isTimeout: false });
};

test('three timeouts in a row open the circuit for ten seconds', () => {
  timesOut(2);
  expect(breaker.mayCall()).toBe(true);
  timesOut(1);
  elapsed = 9_999;
  expect(breaker.mayCall()).toBe(false);
  elapsed = 10_000;
  expect(breaker.mayCall()).toBe(true);
});

test('a half-open circuit allows one call, and its failure opens the circuit for ten seconds', () => {
  timesOut(3);
  elapsed = 10_000;
  expect([breaker.mayCall(), breaker.mayCall()]).toEqual([true, false]);
  elapsed = 11_500;
  timesOut(1);
  elapsed = 21_499;
  expect(breaker.mayCall()).toBe(false);
  elapsed = 21_500;
  expect(breaker.mayCall()).toBe(true);
});

test('a success closes the circuit, and two further timeouts leave it closed', () => {
  timesOut(3);
  elapsed = 10_000;
  breaker.succeeded();
  timesOut(2);
  expect([breaker.mayCall(), breaker.mayCall()]).toEqual([true, true]);
});

test('a failure without a timeout never opens the circuit', () => {
  failsAtOnce(100);
  expect(breaker.mayCall()).toBe(true);
  timesOut(2);
  failsAtOnce(1);
  timesOut(2);
  expect(breaker.mayCall()).toBe(true);
});

test('the third failure in a row is reported once, and again after a success in between', () => {
  failsAtOnce(2);
  expect(reported).toEqual([]);
  failsAtOnce(8);
  breaker.succeeded();
  timesOut(9);
  expect(reported).toEqual(['answered 500', 'no answer in time']);
});
