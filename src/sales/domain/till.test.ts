import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CASH_KINDS, sumCounted, tillFigures, type CashMovement, type SalesFigures } from './till.ts';

const NOTHING: SalesFigures = {
  ...{ count: 0, subtotal: 0, dealDiscount: 0, rewardDiscount: 0, discountAmount: 0 },
  ...{ serviceCharge: 0, deliveryFee: 0, tax: 0, total: 0, taxes: [], methods: [] },
  ...{
    covers: 0,
    staffDrinks: 0,
    staffDrinkDiscount: 0,
    partPayments: 0,
    recordedDifference: 0,
    beyond: 0,
    refundCount: 0,
    refunded: 0,
    refundedTax: 0,
  },
};
const voids = { units: 0, total: 0 };

const moved = (kind: CashMovement['kind'], amount: number): CashMovement => ({
  ...{ id: '3c2b1a09-8f7e-4d6c-9b5a-4a3b2c1d0e9f', at: 0, kind, amount, reason: 'فكة', staffName: 'سارة' },
});

describe('what must be in a till', () => {
  test('cash is the float, sales and tips, what was paid in, less what was refunded, paid out or went into the safe', () => {
    const { methods } = tillFigures({
      voids,
      openingFloat: 50_000,
      sales: {
        ...NOTHING,
        methods: [
          { method: 'card', sales: 30_000, tips: 1_000, refunds: 0 },
          { method: 'cash', sales: 20_000, tips: 500, refunds: 4_500 },
        ],
      },
      movements: [moved('pay_in', 1_000), moved('pay_out', 300), moved('drop', 40_000)],
      methods: ['cash', 'card', 'wallet'],
      counted: { cash: 31_000, card: 31_000 },
    });
    expect(methods).toEqual([
      {
        ...{ method: 'cash', sales: 20_000, tips: 500, refunds: 4_500 },
        ...{ expected: 26_700, counted: 31_000, difference: 4_300 },
      },
      {
        ...{ method: 'card', sales: 30_000, tips: 1_000, refunds: 0 },
        ...{ expected: 31_000, counted: 31_000, difference: 0 },
      },
      {
        ...{ method: 'wallet', sales: 0, tips: 0, refunds: 0 },
        ...{ expected: 0, counted: null, difference: null },
      },
    ]);
  });

  test('a method that the shop has given up stays while the till took or counted it', () => {
    const sales = { ...NOTHING, methods: [{ method: 'voucher', sales: 5, tips: 0, refunds: 0 }] };
    const { methods } = tillFigures({
      ...{ openingFloat: 0, sales, voids, movements: [], methods: ['cash'], counted: { cheque: 7 } },
    });
    expect(methods.map(({ method }) => method)).toEqual(['cash', 'voucher', 'cheque']);
  });

  test('the differences of all methods are what was counted less float, takings and movements', () => {
    const amount = fc.integer({ min: 0, max: 1_000_000 });
    const method = fc.constantFrom('cash', 'card', 'wallet');
    fc.assert(
      fc.property(
        amount,
        fc.uniqueArray(fc.record({ method, sales: amount, tips: amount, refunds: amount }), {
          selector: (each) => each.method,
        }),
        fc.array(fc.tuple(fc.constantFrom(...CASH_KINDS), amount)),
        fc.record({ cash: amount, card: amount, wallet: amount }),
        (openingFloat, taken, cash, counted) => {
          const { methods } = tillFigures({
            voids,
            ...{
              openingFloat,
              sales: { ...NOTHING, methods: taken },
              methods: ['cash', 'card', 'wallet'],
              counted,
            },
            movements: cash.map(([kind, moving]) => moved(kind, moving)),
          });
          const differences = methods.reduce((sum, { difference }) => sum + (difference ?? 0), 0);
          let rest = counted.cash + counted.card + counted.wallet - openingFloat;
          for (const { sales, tips, refunds } of taken) rest -= sales + tips - refunds;
          for (const [kind, moving] of cash) rest += kind === 'pay_in' ? -moving : moving;
          expect(differences).toBe(rest);
        },
      ),
    );
  });
});

test('cash is counted as a sum or by its notes and coins', () => {
  expect(sumCounted(12_345)).toBe(12_345);
  expect(sumCounted({ 20_000: 3, 500: 2, 25: 1 })).toBe(61_025);
  expect(sumCounted({})).toBe(0);
});
