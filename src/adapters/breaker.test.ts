import { beforeEach, expect, test } from 'vitest';
import { createBreaker, type Breaker } from './breaker.ts';

let elapsed: number;
let told: string[];
let breaker: Breaker;

beforeEach(() => {
  elapsed = 0;
  told = [];
  breaker = createBreaker({ monotonic: () => elapsed, onFailing: (reason) => told.push(reason) });
});

const keepsSilent = (times: number): void => {
  for (let n = 0; n < times; n += 1) breaker.failed({ reason: 'no answer in time', isSilence: true });
};
const failsAtOnce = (times: number): void => {
  for (let n = 0; n < times; n += 1) breaker.failed({ reason: 'answered 500', isSilence: false });
};

test('a server that kept silent three times in a row is left alone for ten seconds', () => {
  keepsSilent(2);
  expect(breaker.mayAsk()).toBe(true);
  keepsSilent(1);
  elapsed = 9_999;
  expect(breaker.mayAsk()).toBe(false);
  elapsed = 10_000;
  expect(breaker.mayAsk()).toBe(true);
});

test('one question tries whether it is back; nobody else waits meanwhile, nor for ten seconds after it failed', () => {
  keepsSilent(3);
  elapsed = 10_000;
  expect([breaker.mayAsk(), breaker.mayAsk()]).toEqual([true, false]);
  elapsed = 11_500;
  keepsSilent(1);
  elapsed = 21_499;
  expect(breaker.mayAsk()).toBe(false);
  elapsed = 21_500;
  expect(breaker.mayAsk()).toBe(true);
});

test('one that answers is asked by everybody again, and may keep silent twice once more', () => {
  keepsSilent(3);
  elapsed = 10_000;
  breaker.answered();
  keepsSilent(2);
  expect([breaker.mayAsk(), breaker.mayAsk()]).toEqual([true, true]);
});

test('one that fails at once holds nobody up, and is asked every time', () => {
  failsAtOnce(100);
  expect(breaker.mayAsk()).toBe(true);
  keepsSilent(2);
  failsAtOnce(1);
  keepsSilent(2);
  expect(breaker.mayAsk()).toBe(true);
});

test('the operator is told once of what fails three times in a row, and again after it answered in between', () => {
  failsAtOnce(2);
  expect(told).toEqual([]);
  failsAtOnce(8);
  breaker.answered();
  keepsSilent(9);
  expect(told).toEqual(['answered 500', 'no answer in time']);
});
