import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DELIVERIES, strongest } from './message-report.ts';

const of = (...deliveries: readonly (typeof DELIVERIES)[number][]) =>
  strongest(deliveries.map((delivery) => ({ providerId: 'wamid.A', delivery })));

test('whatever order reports come in, the same is known in the end, and read is the most', () => {
  const reported = fc.record({
    providerId: fc.constantFrom('wamid.A', 'wamid.B'),
    delivery: fc.constantFrom(...DELIVERIES),
    rank: fc.nat(),
  });
  const known = (reports: Parameters<typeof strongest>[0]) =>
    Object.fromEntries(strongest(reports).map(({ providerId, delivery }) => [providerId, delivery]));
  fc.assert(
    fc.property(fc.array(reported, { minLength: 1 }), (reports) => {
      expect(known(reports.toSorted((a, b) => a.rank - b.rank))).toEqual(known(reports));
    }),
  );
  expect(of('sent', 'read', 'delivered')).toEqual([{ providerId: 'wamid.A', delivery: 'read' }]);
});

test('a second device may have what a first one failed to get', () => {
  expect(of('failed', 'delivered')).toEqual(of('delivered', 'failed'));
  expect(of('failed', 'delivered')).toEqual([{ providerId: 'wamid.A', delivery: 'delivered' }]);
});
