import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FrozenLine } from '../../pricing/domain/frozen-cart.ts';
import { refundAmounts, spansOf, type SaleMoney } from './refund.ts';

const line: fc.Arbitrary<FrozenLine> = fc
  .record({
    quantity: fc.integer({ min: 1, max: 9 }),
    rewards: fc.nat(9),
    total: fc.oneof(fc.constant(0), fc.nat(50), fc.nat(2_000_000)),
  })
  .map(({ quantity, rewards, total }) => ({
    ...{ menu_item_id: 'x', name: 'قهوة', name_translations: {}, size_label: null, size_translations: {} },
    ...{ quantity, unit_price: 1, addons_total: 0, addons: [], optionals: [], notes: null, combo: null },
    ...{ deal_discount: 0, reward_discount: 0, reward_units: Math.min(quantity, rewards) },
    line_total: rewards >= quantity ? 0 : total,
  }));

interface Sold extends SaleMoney {
  readonly lines: readonly FrozenLine[];
}

/** A sale whose total has little to do with its lines: discounts, service and tax are in it. */
const sale: fc.Arbitrary<Sold> = fc
  .record({
    lines: fc.array(line, { minLength: 1, maxLength: 6 }),
    charged: fc.oneof(fc.nat(20), fc.nat(10_000_000)),
    taxPercent: fc.nat(30),
    deliveryFee: fc.nat(5_000),
  })
  .map(({ lines, charged, taxPercent, deliveryFee }) => {
    const isFree = lines.every(({ line_total: total }) => total === 0);
    const items = isFree ? 0 : charged;
    return { lines, total: items + deliveryFee, tax: Math.floor((items * taxPercent) / 100), deliveryFee };
  });

/** Refunds units in the order of `picks` until nothing is left; returns what each refund gave back. */
const refundAll = (sold: Sold, picks: readonly { readonly line: number; readonly units: number }[]) => {
  const refunded = new Map<number, number>();
  const given: { amount: number; tax: number; deliveryFee: number; isLast: boolean }[] = [];
  const refund = (index: number, most: number): void => {
    const left = (sold.lines[index]?.quantity ?? 0) - (refunded.get(index) ?? 0);
    const units = Math.min(left, most);
    if (units === 0) return;
    const found = spansOf({ lines: sold.lines, refunded }, [{ index, units }], 0);
    if ('faults' in found) throw new Error(JSON.stringify(found.faults));
    given.push(refundAmounts({ lines: sold.lines, refunded }, sold, found.spans));
    refunded.set(index, (refunded.get(index) ?? 0) + units);
  };
  for (const { line: at, units } of picks) refund(at % sold.lines.length, units);
  for (const index of sold.lines.keys()) refund(index, Infinity);
  return given;
};

const picks = fc.array(fc.record({ line: fc.nat(5), units: fc.integer({ min: 1, max: 4 }) }), {
  maxLength: 20,
});
const sumOf = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0);

describe('the refunds of a sale', () => {
  test('come to its total and its tax when everything is refunded, in any order and any portions', () => {
    fc.assert(
      fc.property(sale, picks, (sold, order) => {
        const given = refundAll(sold, order);
        expect(sumOf(given.map(({ amount }) => amount))).toBe(sold.total);
        expect(sumOf(given.map(({ tax }) => tax))).toBe(sold.tax);
        expect(given.map(({ isLast }) => isLast)).toEqual(given.map((_, n) => n === given.length - 1));
      }),
    );
  });

  test('are never negative, never more than was paid, and have the delivery fee with the last unit alone', () => {
    fc.assert(
      fc.property(sale, picks, (sold, order) => {
        let back = 0;
        for (const { amount, tax, deliveryFee, isLast } of refundAll(sold, order)) {
          expect(Math.min(amount, tax, deliveryFee)).toBeGreaterThanOrEqual(0);
          back += amount;
          expect(back).toBeLessThanOrEqual(sold.total);
          expect(deliveryFee).toBe(isLast ? sold.deliveryFee : 0);
        }
      }),
    );
  });

  test('of all at once are the same as unit by unit', () => {
    fc.assert(
      fc.property(sale, picks, (sold, order) => {
        const found = spansOf({ lines: sold.lines, refunded: new Map() }, null, 0);
        if ('faults' in found) throw new Error('nothing was refunded before');
        const whole = refundAmounts({ lines: sold.lines, refunded: new Map() }, sold, found.spans);
        expect(whole.amount).toBe(sumOf(refundAll(sold, order).map(({ amount }) => amount)));
      }),
    );
  });
});
