import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { afterFailureReport, DELIVERIES, strongestReports, type MessageReport } from './message-report.ts';
import { BACK_OFF, backOffMs, later, never, GIVE_UP_AFTER_MS } from './outbox.ts';

type Delivery = (typeof DELIVERIES)[number];

const reportOf = (providerId: string, delivery: Delivery): MessageReport =>
  delivery === 'failed' ? { providerId, delivery, failure: later('down') } : { providerId, delivery };

const of = (...deliveries: readonly Delivery[]) =>
  strongestReports(deliveries.map((delivery) => reportOf('wamid.A', delivery)));

test('the order of reports does not matter, and read is the strongest', () => {
  const reported = fc.record({
    report: fc.tuple(fc.constantFrom('wamid.A', 'wamid.B'), fc.constantFrom(...DELIVERIES)),
    rank: fc.nat(),
  });
  const known = (reports: readonly { readonly report: readonly [string, Delivery] }[]) =>
    Object.fromEntries(
      strongestReports(reports.map(({ report }) => reportOf(...report))).map((report) => [
        report.providerId,
        report,
      ]),
    );
  fc.assert(
    fc.property(fc.array(reported, { minLength: 1 }), (reports) => {
      expect(known(reports.toSorted((a, b) => a.rank - b.rank))).toEqual(known(reports));
    }),
  );
  expect(of('sent', 'read', 'delivered')).toEqual([{ providerId: 'wamid.A', delivery: 'read' }]);
});

test('a report delivered of a second device replaces failed, in any order', () => {
  expect(of('failed', 'delivered')).toEqual(of('delivered', 'failed'));
  expect(of('failed', 'delivered')).toEqual([{ providerId: 'wamid.A', delivery: 'delivered' }]);
});

describe('a message that failed after it was accepted', () => {
  const NOW = Date.UTC(2026, 10, 20, 18);
  const row = { tries: 3, waitingSince: NOW - 60_000, isOvertaken: false };
  const passing = later('WhatsApp error 131056');

  test('is retried like any failed try, for a temporary reason', () => {
    expect(afterFailureReport(row, passing, NOW, 0.5)).toEqual({
      status: 'waiting',
      until: NOW + backOffMs(3, 0.5),
      reason: passing.reason,
    });
  });

  test('is parked for a permanent reason, at the limit of tries, and after a day', () => {
    const parked = { status: 'parked', reason: passing.reason };
    expect(afterFailureReport({ ...row, isOvertaken: true }, never('no phone'), NOW, 0.5)).toEqual({
      status: 'parked',
      reason: 'no phone',
    });
    expect(afterFailureReport({ ...row, tries: BACK_OFF.tries }, passing, NOW, 0.5)).toEqual(parked);
    const waitingSince = NOW - GIVE_UP_AFTER_MS;
    expect(afterFailureReport({ ...row, waitingSince }, passing, NOW, 0.5)).toEqual(parked);
  });

  test('is dropped when a later message was sent', () => {
    expect(afterFailureReport({ ...row, isOvertaken: true }, passing, NOW, 0.5)).toEqual({
      status: 'dropped',
      reason: 'WhatsApp error 131056; a later message was sent',
    });
  });
});
