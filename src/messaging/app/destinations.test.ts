import { expect, test } from 'vitest';
import type { Outcome } from '../domain/outbox.ts';
import { createWaysOut } from './destinations.ts';

const HOUR = 3_600_000;
const later: Outcome = { sent: false, again: 'later', waitMs: null, reason: 'answered 503' };
const pointless: Outcome = { sent: false, again: 'pointless', reason: 'the order has no phone any more' };
const taken: Outcome = { sent: true, providerId: null };

/** Whether the way out was given up by the end of each hour, in which one row is tried. */
const hours = (outcomeOf: (hour: number) => Outcome, count: number): boolean[] => {
  const ways = createWaysOut(8);
  return Array.from({ length: count }, (_, hour) => {
    ways.begin('message');
    return ways.end('message', outcomeOf(hour), hour * HOUR);
  });
};

test('a way out that takes nothing for a day is given up', () => {
  expect(hours(() => later, 25).indexOf(true)).toBe(24);
});

test('what asked nobody tells nothing of it: the day goes on, and so does its rest', () => {
  expect(hours((hour) => (hour === 20 ? pointless : later), 25).indexOf(true)).toBe(24);
  const ways = createWaysOut(8);
  for (let n = 0; n < 9; n += 1) {
    ways.begin('message');
    ways.end('message', later, 0);
  }
  ways.begin('message');
  ways.end('message', pointless, 0);
  expect(ways.toClaim(0).without).toEqual(['message']);
});

test('one that takes something has its day anew', () => {
  expect(hours((hour) => (hour === 20 ? taken : later), 44)).not.toContain(true);
});
