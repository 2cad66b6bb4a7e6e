import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { needsTill, paymentsOf, type PaymentInput } from './payments.ts';

const METHODS = ['cash', 'card', 'instapay'];
const faultsOf = (total: number, payments: readonly PaymentInput[]) => {
  const read = paymentsOf(total, payments, METHODS);
  return 'faults' in read ? read.faults.map(({ path, refusal }) => [path, refusal]) : [];
};

describe('payments', () => {
  test('say the change of cash: what was handed over, less amount and tip', () => {
    const paid = paymentsOf(
      11_491,
      [{ method: 'cash', amount: 11_491, tendered: 15_000, tip: 509 }],
      METHODS,
    );
    expect(paid).toEqual({
      payments: [{ method: 'cash', amount: 11_491, tip: 509, tendered: 15_000, change: 3_000 }],
    });
  });

  test('may be several, also of one method', () => {
    const paid = [
      { method: 'card', amount: 5_000 },
      { method: 'card', amount: 4_000, tip: 100 },
      { method: 'cash', amount: 1_000 },
    ];
    expect(faultsOf(10_000, paid)).toEqual([]);
  });

  test.each([
    ['a piastre too little', [{ method: 'cash', amount: 9_999 }], ['payments', 'PAYMENT_MISMATCH']],
    ['a piastre too much', [{ method: 'cash', amount: 10_001 }], ['payments', 'PAYMENT_MISMATCH']],
    ['none', [], ['payments', 'PAYMENT_MISMATCH']],
    [
      'a method that the shop does not take',
      [{ method: 'sweets', amount: 10_000 }],
      ['payments[0].method', 'INVALID_INPUT'],
    ],
    [
      'less cash than amount and tip',
      [{ method: 'cash', amount: 10_000, tip: 1, tendered: 10_000 }],
      ['payments[0].tendered', 'INVALID_INPUT'],
    ],
    [
      'change of a card',
      [{ method: 'card', amount: 10_000, tendered: 20_000 }],
      ['payments[0].tendered', 'INVALID_INPUT'],
    ],
    [
      'more than a sale can come to',
      [
        { method: 'cash', amount: 2_147_483_647 },
        { method: 'card', amount: 1 },
      ],
      ['payments', 'INVALID_INPUT'],
    ],
  ])('of %s are refused', (_, payments, fault) => expect(faultsOf(10_000, payments)).toEqual([fault]));

  test('of nothing are none', () => expect(faultsOf(0, [])).toEqual([]));

  test('are accepted exactly when they add up, whatever their tips', () => {
    const payment = fc.record({
      method: fc.constantFrom(...METHODS),
      amount: fc.nat(100_000),
      tip: fc.option(fc.nat(5_000)),
    });
    fc.assert(
      fc.property(fc.array(payment, { maxLength: 6 }), fc.integer({ min: -3, max: 3 }), (payments, off) => {
        const sum = payments.reduce((all, { amount }) => all + amount, 0);
        expect(faultsOf(sum + off, payments).length === 0).toBe(off === 0);
      }),
    );
  });
});

test.each([
  ['cash', ['card'], false],
  ['cash', ['card', 'cash'], true],
  ['all', ['card'], true],
  ['all', [], true],
  ['none', ['cash'], false],
] as const)(
  'a branch with `sales_need_till` %s asks for a till where %j is paid: %s',
  (rule, methods, asks) =>
    expect(
      needsTill(
        rule,
        methods.map((method) => ({ method })),
      ),
    ).toBe(asks),
);
