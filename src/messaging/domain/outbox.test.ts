import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { afterTry, BACK_OFF, backOffMs, messageRow, webhookRow, type Outcome } from './outbox.ts';

const NOW = Date.UTC(2026, 10, 20, 18);
const HALFWAY = 0.5;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const failed = (waitMs: number | null = null): Outcome => ({
  ...{ sent: false, again: 'later', waitMs, reason: 'answered 503' },
});

describe('a message that could not be sent', () => {
  test.each([
    [1, 5 * SECOND],
    [2, 10 * SECOND],
    [3, 20 * SECOND],
    [9, 1_280 * SECOND],
    [10, 30 * MINUTE],
    [55, 30 * MINUTE],
  ])('waits after try %i for %i ms', (tries, wait) => {
    expect(afterTry(tries, failed(), NOW, HALFWAY)).toEqual({
      status: 'waiting',
      until: NOW + wait,
      reason: 'answered 503',
    });
  });

  test('is parked after a day of tries', () => {
    const waits = Array.from({ length: BACK_OFF.tries - 1 }, (_, tries) => backOffMs(tries + 1, HALFWAY));
    const hours = waits.reduce((sum, wait) => sum + wait, 0) / (60 * MINUTE);
    expect(hours).toBeGreaterThan(23.5);
    expect(hours).toBeLessThan(24);
    expect(afterTry(BACK_OFF.tries - 1, failed(), NOW, HALFWAY).status).toBe('waiting');
    expect(afterTry(BACK_OFF.tries, failed(), NOW, HALFWAY)).toEqual({
      status: 'parked',
      reason: 'answered 503',
    });
  });

  test('waits for the longer of its back-off and the provider’s Retry-After', () => {
    const until = (tries: number, retryAfterMs: number): number => {
      const after = afterTry(tries, failed(retryAfterMs), NOW, HALFWAY);
      return after.status === 'waiting' ? after.until - NOW : Number.NaN;
    };
    expect(until(1, 40 * SECOND)).toBe(40 * SECOND);
    expect(until(9, 40 * SECOND)).toBe(1_280 * SECOND);
    expect(until(1, 60 * MINUTE)).toBe(60 * MINUTE);
  });

  test('waits at most an hour for the provider’s Retry-After', () => {
    expect(afterTry(1, failed(365 * 24 * 60 * MINUTE), NOW, HALFWAY)).toMatchObject({
      until: NOW + 60 * MINUTE,
    });
  });

  test('is parked at once if no retry can succeed', () => {
    const never: Outcome = { sent: false, again: 'never', waitMs: null, reason: 'no such template' };
    expect(afterTry(1, never, NOW, HALFWAY)).toEqual({ status: 'parked', reason: 'no such template' });
  });

  test('is dropped without a receiver', () => {
    const obsolete: Outcome = { sent: false, again: 'obsolete', reason: 'the phone was erased' };
    expect(afterTry(1, obsolete, NOW, HALFWAY)).toEqual({
      status: 'dropped',
      reason: 'the phone was erased',
    });
  });

  test('has a back-off of 4 s to 36 minutes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 55 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (tries, jitter) => {
          const wait = backOffMs(tries, jitter);
          expect(wait).toBeGreaterThanOrEqual(4 * SECOND);
          expect(wait).toBeLessThanOrEqual(36 * MINUTE);
          expect(wait).toBeLessThanOrEqual(backOffMs(tries, 1));
          expect(wait).toBeGreaterThanOrEqual(backOffMs(tries, 0));
        },
      ),
    );
  });
});

test('a sent row has the id of the provider', () => {
  expect(afterTry(1, { sent: true, providerId: 'wamid.1' }, NOW, 0)).toEqual({
    status: 'sent',
    providerId: 'wamid.1',
  });
  expect(afterTry(BACK_OFF.tries, { sent: true, providerId: null }, NOW, 1).status).toBe('sent');
});

test('the reason of a provider is stored as one line of at most 300 characters', () => {
  const text = `nul \0, lines\r\nand ${'much '.repeat(100)}`;
  const after = afterTry(1, { sent: false, again: 'never', waitMs: null, reason: text }, NOW, HALFWAY);
  const reason = 'reason' in after ? after.reason : '';
  expect(reason).toMatch(/^nul {2}, lines and much/);
  expect(reason).toHaveLength(300);
});

test('messages of an order share an ordering key; its events have one per address', () => {
  const facts = { template: 'order_received', language: 'ar', parameters: ['منى'] } as const;
  const event = { type: 'order.created' } as const;
  const of = { orgId: 'shop', subject: 'order', subjectId: 'order' } as const;
  const keys = [
    messageRow({ ...of, id: 'a' }, facts),
    messageRow({ ...of, id: 'b' }, facts),
    messageRow({ ...of, id: 'c', subjectId: 'other' }, facts),
    webhookRow('shop', 'd', 'order', 'till', event),
    webhookRow('shop', 'e', 'order', 'stock', event),
  ].map(({ orderingKey }) => orderingKey);
  expect(keys[0]).toBe(keys[1]);
  expect(new Set(keys).size).toBe(4);
});
