import { expect, test } from 'vitest';
import { DESTINATION_CIRCUIT, never, uncalled, type Outcome, type OutboxKind } from '../domain/outbox.ts';
import { createDestinations } from './destinations.ts';

const HOUR = 3_600_000;
const later: Outcome = { sent: false, again: 'later', waitMs: null, reason: 'answered 503' };
const obsolete: Outcome = { sent: false, again: 'obsolete', reason: 'the order has no phone any more' };
const accepted: Outcome = { sent: true, providerId: null };

/** Whether the destination was given up by the end of each hour, in which one row is tried. */
const hours = (outcomeOf: (hour: number) => Outcome, count: number): boolean[] => {
  const destinations = createDestinations('message', 8);
  return Array.from({ length: count }, (_, hour) => {
    destinations.begin('message');
    return destinations.end('message', outcomeOf(hour), hour * HOUR).isGivenUp;
  });
};

test('a destination that accepts no row for a day is given up', () => {
  expect(hours(() => later, 25).indexOf(true)).toBe(24);
});

test('an outcome without a call neither restarts the day nor closes the circuit', () => {
  expect(hours((hour) => (hour === 20 ? obsolete : later), 25).indexOf(true)).toBe(24);
  const destinations = createDestinations('message', 8);
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

/** What is reported of the destination after each outcome. */
const healthChanges = (kind: OutboxKind, outcomes: readonly Outcome[]): (string | null)[] => {
  const destinations = createDestinations(kind, 2);
  return outcomes.map((outcome) => {
    destinations.begin('one');
    return destinations.end('one', outcome, 0).healthChange;
  });
};

test('a failure is reported once until a row goes through, then again', () => {
  const outcomes = [accepted, later, later, obsolete, later, accepted, accepted, later];
  const reported = [null, 'failed', null, null, null, 'recovered', null, 'failed'];
  expect(healthChanges('webhook', outcomes)).toEqual(reported);
  expect(healthChanges('message', outcomes)).toEqual(reported);
});

test('a refusal for good is a failure of a webhook, but not of the provider of messages', () => {
  expect(healthChanges('webhook', [never('answered 410'), later, accepted])).toEqual([
    'failed',
    null,
    'recovered',
  ]);
  expect(healthChanges('message', [never('no such phone'), later, never('no such phone')])).toEqual([
    null,
    'failed',
    'recovered',
  ]);
});

test('an address that is switched off is not called, which is no failure', () => {
  expect(healthChanges('webhook', [uncalled('it is off'), later, uncalled('it is off')])).toEqual([
    null,
    'failed',
    null,
  ]);
});

test('eight rows in flight that fail at once open the circuit as long as five do', () => {
  const destinations = createDestinations('message', 8);
  const { firstOpenMs } = DESTINATION_CIRCUIT;
  const isShutAt = (now: number): boolean => destinations.toClaim(now).without.length > 0;
  for (let n = 0; n < 8; n += 1) destinations.begin('message');
  for (let n = 0; n < 8; n += 1) destinations.end('message', later, 0);
  expect([isShutAt(firstOpenMs - 1), isShutAt(firstOpenMs)]).toEqual([true, false]);
  // The row that is tried next fails too.
  destinations.begin('message');
  destinations.end('message', later, firstOpenMs);
  expect([isShutAt(3 * firstOpenMs - 1), isShutAt(3 * firstOpenMs)]).toEqual([true, false]);
});
