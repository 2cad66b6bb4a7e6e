import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { billOf, discountOn, type Bill, type BillTerms } from './bill.ts';
import type { DiscountCut } from '../../menu/domain/menubook.ts';
import { HIGHEST_TOTAL } from '../../kernel/money.ts';

const ONLINE: BillTerms = {
  serviceRate: 0,
  serviceTaxable: false,
  fee: 0,
  feeTaxable: false,
  taxRate: 140_000,
  taxInclusive: false,
};
const AT_TABLE: BillTerms = { ...ONLINE, serviceRate: 120_000 };
const inside = (terms: BillTerms): BillTerms => ({ ...terms, taxInclusive: true });
const percent = (rate: string): DiscountCut => ({ dtype: 'percentage', rate });
const off = (amount: number): DiscountCut => ({ dtype: 'fixed', amount });

/** Cut, terms → discount, service, tax, total of items for 100.00. */
const HUNDRED = 10_000;
test.each<[string, DiscountCut | null, BillTerms, Pick<Bill, 'discount' | 'service' | 'tax' | 'total'>]>([
  ['tax on top', null, ONLINE, { discount: 0, service: 0, tax: 1400, total: 11_400 }],
  ['tax inside', null, inside(ONLINE), { discount: 0, service: 0, tax: 1228, total: 10_000 }],
  ['10 % off, tax on top', percent('0.1'), ONLINE, { discount: 1000, service: 0, tax: 1260, total: 10_260 }],
  [
    '10 % off, tax inside',
    percent('0.1'),
    inside(ONLINE),
    { discount: 1000, service: 0, tax: 1105, total: 9000 },
  ],
  ['25.00 off', off(2500), ONLINE, { discount: 2500, service: 0, tax: 1050, total: 8550 }],
  ['more off than there is', off(99_999), ONLINE, { discount: 10_000, service: 0, tax: 0, total: 0 }],
  ['all of it off', percent('1'), inside(ONLINE), { discount: 10_000, service: 0, tax: 0, total: 0 }],
  ['12 % service, untaxed', null, AT_TABLE, { discount: 0, service: 1200, tax: 1400, total: 12_600 }],
  [
    '12 % service, taxed',
    null,
    { ...AT_TABLE, serviceTaxable: true },
    { discount: 0, service: 1200, tax: 1568, total: 12_768 },
  ],
  [
    '12 % service, tax inside the items alone',
    null,
    inside(AT_TABLE),
    { discount: 0, service: 1200, tax: 1228, total: 11_200 },
  ],
  [
    '12 % service, tax inside both',
    null,
    inside({ ...AT_TABLE, serviceTaxable: true }),
    { discount: 0, service: 1200, tax: 1375, total: 11_200 },
  ],
  [
    'a fee of 20.00, untaxed, which no discount touches',
    percent('0.5'),
    { ...ONLINE, fee: 2000 },
    { discount: 5000, service: 0, tax: 700, total: 7700 },
  ],
  [
    'a fee of 20.00, taxed',
    percent('0.5'),
    { ...ONLINE, fee: 2000, feeTaxable: true },
    { discount: 5000, service: 0, tax: 980, total: 7980 },
  ],
  [
    'a fee of 20.00 with tax inside',
    null,
    inside({ ...ONLINE, fee: 2000, feeTaxable: true }),
    { discount: 0, service: 0, tax: 1474, total: 12_000 },
  ],
  ['no tax', null, { ...ONLINE, taxRate: 0 }, { discount: 0, service: 0, tax: 0, total: 10_000 }],
])('items for 100.00: %s', (_, cut, terms, expected) =>
  expect(billOf(HUNDRED, cut, terms)).toMatchObject(expected),
);

describe('a rate is applied once, and a half is rounded away from zero', () => {
  test.each<[items: number, rate: string, discount: number]>([
    [4, '0.125', 1],
    [3, '0.125', 0],
    [12, '0.125', 2],
    [1, '0.5', 1],
    [333, '0.333333', 111],
    [HIGHEST_TOTAL, '0.5', 1_073_741_824],
  ])('%i with %s off: %i', (items, rate, discount) =>
    expect(discountOn(items, percent(rate))).toBe(discount),
  );

  test.each<[base: number, service: number]>([
    [4, 1],
    [3, 0],
    [20, 3],
  ])('service of an eighth of %i is %i', (base, service) =>
    expect(billOf(base, null, { ...ONLINE, serviceRate: 125_000 }).service).toBe(service),
  );

  test.each<[base: number, onTop: number, within: number]>([
    [25, 4, 3],
    [75, 11, 9],
    [57, 8, 7],
    [1, 0, 0],
    [4, 1, 0],
  ])('tax at 0.14 of %i: %i on top, %i inside', (base, onTop, within) =>
    expect([billOf(base, null, ONLINE).tax, billOf(base, null, inside(ONLINE)).tax]).toEqual([onTop, within]),
  );
});

const rate = fc.oneof(
  fc.constantFrom(0, 1, 120_000, 125_000, 140_000, 500_000, 1_000_000),
  fc.nat(1_000_000),
);
const amount = fc.oneof(fc.nat(200), fc.nat(100_000), fc.nat(HIGHEST_TOTAL));
const cut = fc.option(
  fc.oneof(
    rate.map((millionths): DiscountCut => percent((millionths / 1e6).toFixed(6))),
    amount.map(off),
  ),
);
const terms = fc.record({
  serviceRate: rate,
  serviceTaxable: fc.boolean(),
  fee: fc.nat(10_000),
  feeTaxable: fc.boolean(),
  taxRate: rate,
  taxInclusive: fc.boolean(),
});
const holds = (law: (bill: Bill, items: number, on: BillTerms, less: DiscountCut | null) => void): void =>
  fc.assert(
    fc.property(amount, cut, terms, (items, less, on) => law(billOf(items, less, on), items, on, less)),
    { numRuns: 2_000 },
  );

describe('for any items, discount and rates', () => {
  test('the total is items − discount + service + fee, and + tax where tax is exclusive', () =>
    holds(({ discount, base, service, fee, tax, total }, items, on) => {
      expect(base).toBe(items - discount);
      expect(total).toBe(items - discount + service + fee + (on.taxInclusive ? 0 : tax));
    }));

  test('beforeFee is the bill of the same order without a fee', () =>
    holds(({ beforeFee }, items, on, less) => {
      const { tax, total } = billOf(items, less, { ...on, fee: 0 });
      expect(beforeFee).toEqual({ tax, total });
    }));

  test('inclusive tax never changes the total', () =>
    holds((_, items, on, less) => {
      const totals = [0, on.taxRate, 1_000_000].map(
        (taxRate) => billOf(items, less, { ...on, taxRate, taxInclusive: true }).total,
      );
      expect(new Set(totals).size).toBe(1);
    }));

  test('no figure is negative, and the discount is at most the cost of the items', () =>
    holds((bill, items) => {
      for (const figure of [bill.discount, bill.base, bill.service, bill.tax, bill.total])
        expect(Number.isInteger(figure) && figure >= 0).toBe(true);
      expect(bill.discount).toBeLessThanOrEqual(items);
    }));

  test('tax on top, and the net amount of inclusive tax, are rounded to the nearest piastre', () =>
    holds((_, items, on) => {
      const whole = { ...on, serviceRate: 0, fee: 0 };
      const million = 1_000_000n;
      const [of, by] = [BigInt(items), BigInt(on.taxRate)];
      // 2 × |rounded − exact| ≤ 1, multiplied out; a half is never rounded down.
      const isNearest = (rounded: bigint, above: bigint, below: bigint): boolean => {
        const error = 2n * (rounded * below - above);
        return error <= below && error > -below;
      };
      const onTop = BigInt(billOf(items, null, { ...whole, taxInclusive: false }).tax);
      expect(isNearest(onTop, of * by, million)).toBe(true);
      const net = of - BigInt(billOf(items, null, { ...whole, taxInclusive: true }).tax);
      expect(isNearest(net, of * million, million + by)).toBe(true);
    }));
});
