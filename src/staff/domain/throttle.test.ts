import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ACCOUNT_PASSWORDS,
  afterWrongPin,
  afterWrongTry,
  countedAt,
  countedFailures,
  DEVICE_PINS,
  isNotificationDue,
  NO_PIN_FAILURES,
  NO_TRIES,
  passwordWaitSeconds,
  triesOfTheHour,
  waitSeconds,
  type PinThrottle,
  type TryCount,
} from './throttle.ts';

const NOON = Date.parse('2026-12-04T10:00:00Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const pinWaitSeconds = ({ waitUntil }: PinThrottle, now: number): number => waitSeconds(waitUntil, now);

const afterWrong = (count: number): { state: PinThrottle; at: number } => {
  let [state, at] = [NO_PIN_FAILURES, NOON];
  for (let tried = 0; tried < count; tried += 1) {
    at += pinWaitSeconds(state, at) * SECOND;
    state = afterWrongPin(state, at);
  }
  return { state, at };
};

describe('a device', () => {
  test.each([
    [1, 0],
    [2, 0],
    [3, 0],
    [4, 5],
    [5, 15],
    [6, 60],
    [7, 300],
    [8, 900],
    [9, 900],
    [40, 900],
  ])('after %i wrong PINs in a row waits %i s', (count, seconds) => {
    const { state, at } = afterWrong(count);
    expect(state.failures).toBe(count);
    expect(pinWaitSeconds(state, at)).toBe(seconds);
  });

  test('waits less as time goes by, in whole seconds, and not at all at the end', () => {
    const { state, at } = afterWrong(4);
    expect([1, 4_000, 4_001, 4_999].map((later) => pinWaitSeconds(state, at + later))).toEqual([5, 1, 1, 1]);
    expect(pinWaitSeconds(state, at + 5_000)).toBe(0);
  });

  test('may try after the announced wait', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.nat(20 * MINUTE), (count, later) => {
        const { state, at } = afterWrong(count);
        const seconds = pinWaitSeconds(state, at + later);
        expect(pinWaitSeconds(state, at + later + seconds * SECOND)).toBe(0);
      }),
    );
  });

  test('gives a guesser fewer than a hundred tries a day after the first', () => {
    let [state, at, tries] = [NO_PIN_FAILURES, NOON, 0];
    while (at < NOON + 24 * 60 * MINUTE) {
      tries += 1;
      state = afterWrongPin(state, at);
      at += pinWaitSeconds(state, at) * SECOND;
    }
    expect(tries).toBeLessThan(110);
  });

  test('forgets the wrong PINs of a person a day after the last, not sooner', () => {
    const { state, at } = afterWrong(5);
    const later = (ms: number): number => pinWaitSeconds(afterWrongPin(state, at + ms), at + ms);
    expect(later(24 * 60 * MINUTE - 1)).toBe(60);
    expect(later(24 * 60 * MINUTE)).toBe(0);
  });
});

describe('wrong tries that are forgiven one after the other', () => {
  test('count until their time is over, each after the one before', () => {
    let count: TryCount = NO_TRIES;
    for (let tried = 0; tried < 3; tried += 1) count = afterWrongTry(count, DEVICE_PINS, NOON);
    const left = [0, 10, 20, 30, 40].map(
      (minute) => countedAt(count, DEVICE_PINS, NOON + minute * MINUTE).failures,
    );
    expect(left).toEqual([3, 2, 1, 0, 0]);
    expect(countedAt(count, DEVICE_PINS, NOON + 10 * MINUTE - 1).failures).toBe(3);
  });

  test.each([
    ['of a device', DEVICE_PINS, 20],
    ['of an account', ACCOUNT_PASSWORDS, 10],
  ])('%s cost nothing at first, then a wait that grows', (_, rule, free) => {
    let [count, at] = [NO_TRIES, NOON];
    const waits: number[] = [];
    for (let tried = 0; tried < free + 6; tried += 1) {
      count = afterWrongTry(count, rule, at);
      waits.push(waitSeconds(count.waitUntil, at));
      at += (waits.at(-1) ?? 0) * SECOND;
    }
    expect(waits.slice(0, free)).toEqual(Array(free).fill(0));
    expect(waits.slice(free, free + 4)).toEqual([5, 15, 60, 300]);
  });
});

describe('the owner', () => {
  const minutes = (...given: readonly number[]): number[] => given.map((minute) => NOON + minute * MINUTE);

  test('is notified at the tenth wrong try within an hour, and again after an hour at the earliest', () => {
    let moments: number[] = [];
    let notifiedAt: number | null = null;
    const notified: number[] = [];
    for (let minute = 0; minute < 180; minute += 5) {
      const now = NOON + minute * MINUTE;
      moments = triesOfTheHour(moments, now);
      if (!isNotificationDue(moments, notifiedAt, now)) continue;
      notifiedAt = now;
      notified.push(minute);
    }
    expect(notified).toEqual([45, 105, 165]);
  });

  test('is not notified of nine, nor of ten over more than an hour', () => {
    expect(
      isNotificationDue(triesOfTheHour(minutes(0, 1, 2, 3, 4, 5, 6, 7), NOON + 8 * MINUTE), null, NOON),
    ).toBe(false);
    const slow = minutes(0, 7, 14, 21, 28, 35, 42, 49, 56);
    expect(triesOfTheHour(slow, NOON + 60 * MINUTE)).toHaveLength(9);
  });
});

describe('an account, from one address', () => {
  const minutes = (...given: readonly number[]): number[] => given.map((minute) => NOON + minute * MINUTE);

  test('may be tried until five passwords were wrong in 15 minutes', () => {
    expect(passwordWaitSeconds([], NOON)).toBe(0);
    expect(passwordWaitSeconds(minutes(0, 1, 2, 3), NOON + 4 * MINUTE)).toBe(0);
    expect(passwordWaitSeconds(minutes(0, 1, 2, 3, 4), NOON + 4 * MINUTE)).toBe(11 * 60);
  });

  test('may be tried again when the first of the last five is 15 minutes old', () => {
    const failures = minutes(0, 1, 2, 3, 4);
    expect(passwordWaitSeconds(failures, NOON + 15 * MINUTE - 1)).toBe(1);
    expect(passwordWaitSeconds(failures, NOON + 15 * MINUTE)).toBe(0);
    expect(countedFailures(failures, NOON + 15 * MINUTE)).toEqual(minutes(1, 2, 3, 4));
  });

  test('waits as announced, in any order of the failures', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30 * MINUTE), { maxLength: 12 }), (ages) => {
        const failures = ages.map((age) => NOON - age);
        const wait = passwordWaitSeconds(failures, NOON);
        expect(wait > 0).toBe(countedFailures(failures, NOON).length >= 5);
        expect(passwordWaitSeconds(failures, NOON + wait * SECOND)).toBe(0);
      }),
    );
  });
});
