import { expect, test } from 'vitest';
import type { Outcome } from '../domain/outbox.ts';
import { createDestinations } from './destinations.ts';

const HOUR = 3_600_000;
const later: Outcome = { sent: false, again: 'later', waitMs: null, reason: 'answered 503' };
const obsolete: Outcome = { sent: false, again: 'obsolete', reason: 'the order has no phone any more' };
const accepted: Outcome = { sent: true, providerId: null };

/** Whether the destination was given up by the end of each hour, in which one row is tried. */
const hours = (outcomeOf: (hour: number) => Outcome, count: number): boolean[] => {
  const destinations = createDestinations(8);
  return Array.from({ length: count }, (_, hour) => {
    destinations.begin('message');
    return destinations.end('message', outcomeOf(hour), hour * HOUR);
  });
};

test('a destination that accepts no row for a day is given up', () => {
  expect(hours(() => later, 25).indexOf(true)).toBe(24);
});

test('an outcome without a call neither restarts the day nor closes the circuit', () => {
  expect(hours((hour) => (hour === 20 ? obsolete : later), 25).indexOf(true)).toBe(24);
  const destinations = createDestinations(8);
  for (let n = 0; n < 9; n += 1) {
    destinations.begin('message');
    destinations.end('message', later, 0);
  }
  destinations.begin('message');
  destinations.end('message', obsolete, 0);
  expect(destinations.toClaim(0).without).toEqual(['message']);
});

test('the day restarts when a row is accepted', () => {
  expect(hours((hour) => (hour === 20 ? accepted : later), 44)).not.toContain(true);
});
