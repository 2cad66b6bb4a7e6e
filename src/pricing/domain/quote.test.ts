import { UNTAXED } from './bill.test-support.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BillTerms } from './bill.ts';
import type { CartLine } from './cart.ts';
import { aLine, aMeal, aPick, aPriceBook, withAddons } from './cart.test-support.ts';
import {
  aCategory,
  aChoice,
  aCombo,
  aDeal,
  aDiscount,
  anAddon,
  anItem,
  aSlot,
  DINE_IN,
  inSizes,
  price,
} from '../../menu/domain/menu.test-support.ts';
import { HIGHEST_PRICE, HIGHEST_TOTAL } from '../../kernel/money.ts';
import type { PriceBook } from './pricebook.ts';
import { quote, type Quote } from './quote.ts';

const syrup = anAddon('شراب', { prices: [price(1000)] });
const latte = anItem('لاتيه', { ...inSizes({ صغير: 5000, كبير: 7000 }), categoryId: 'قهوة' });
const turkish = anItem('تركي', { prices: [price(4000)], categoryId: 'قهوة' });
const cake = anItem('كيك', { prices: [price(6000)] });
const diamond = anItem('ماس', { prices: [price(HIGHEST_PRICE)] });
const breakfast = aCombo('فطار', [aSlot('مشروب', [aChoice(latte.id, { includedSizeLabel: 'صغير' })])], {
  prices: [price(8000)],
});
const shelf = {
  categories: [aCategory('قهوة')],
  items: [latte, turkish, cake, diamond, breakfast],
  addons: [syrup],
};
/** Any two coffees for 80.00. */
const pairs = aDeal('اتنين', {
  qty: 2,
  terms: { kind: 'n_for_price', price: 8000 },
  pool: [{ categoryId: 'قهوة', menuItemId: null, sizeLabel: null }],
});
const book = aPriceBook({ ...shelf, deals: [pairs] });

const resultOf = (
  lines: readonly CartLine[],
  from: PriceBook = book,
  terms: BillTerms = UNTAXED,
  stock: ReadonlyMap<string, number> = new Map(),
) => quote({ book: from, lines, stock, terms });

const quoteOf = (...[lines, from, terms]: Parameters<typeof resultOf>): Quote => {
  const result = resultOf(lines, from, terms);
  if ('faults' in result) throw new Error(`the cart was refused: ${JSON.stringify(result.faults)}`);
  return result.quote;
};
const faultsOf = (...[lines, from, terms, stock]: Parameters<typeof resultOf>) => {
  const result = resultOf(lines, from, terms, stock);
  return 'faults' in result ? result.faults : [];
};

test('a quote applies deals, then the channel’s discount, then tax', () => {
  const withDiscount = aPriceBook({ ...shelf, deals: [pairs], discounts: [aDiscount('عشرة')] });
  const lines = [aLine(latte.id, { sizeLabel: 'كبير', ...withAddons({ [syrup.id]: 1 }) }), aLine(turkish.id)];
  const terms = { ...UNTAXED, taxRate: 140_000, taxInclusive: false };
  const { itemsTotal, deals, totalAfterDeals, bill } = quoteOf(lines, withDiscount, terms);
  // 70.00 and 40.00 in the deal for 80.00; the syrup's 10.00 always pays; 10 % off 90.00; 14 % on 81.00.
  expect([itemsTotal, deals.saving, totalAfterDeals]).toEqual([12_000, 3000, 9000]);
  expect(bill).toMatchObject({ discount: 900, base: 8100, tax: 1134, total: 9234 });
});

test('each line has the sum of its deal discounts', () => {
  const cheaper = aDeal('كيك', {
    qty: 1,
    sort: 2,
    maxPerOrder: 1,
    terms: { kind: 'n_for_price', price: 5000 },
    pool: [{ categoryId: null, menuItemId: cake.id, sizeLabel: null }],
  });
  const both = aPriceBook({ ...shelf, deals: [pairs, cheaper] });
  const { lines, deals } = quoteOf([aLine(cake.id), aLine(turkish.id), aLine(latte.id)], both);
  expect(lines.map(({ item, dealDiscount }) => [item.id, dealDiscount])).toEqual([
    [cake.id, 1000],
    [turkish.id, expect.any(Number)],
    [latte.id, expect.any(Number)],
  ]);
  expect(lines.reduce((sum, { dealDiscount }) => sum + dealDiscount, 0)).toBe(deals.saving);
  expect(deals.applied.map(({ deal, times, discount }) => [deal.id, times, discount])).toEqual([
    [pairs.id, 1, 1000],
    [cheaper.id, 1, 1000],
  ]);
});

test('a combo takes no part in deals', () => {
  const combo = aMeal(breakfast.id, [aPick('مشروب', latte.id)], { quantity: 2 });
  const { lines, deals, totalAfterDeals } = quoteOf([combo, aLine(turkish.id)]);
  expect(deals.applied).toEqual([]);
  expect(totalAfterDeals).toBe(20_000);
  expect(lines[0]).toMatchObject({ unitPrice: 0, lineTotal: 16_000, dealDiscount: 0 });
});

test('a table has no channel discount, and pays for service', () => {
  const at = aPriceBook({ ...shelf, discounts: [aDiscount('عشرة')] }, DINE_IN);
  const { bill } = quoteOf([aLine(cake.id)], at, { ...UNTAXED, serviceRate: 120_000 });
  expect(bill).toMatchObject({ discount: 0, service: 720, total: 6720 });
});

describe('a cart is refused for', () => {
  test('the faults of its lines', () =>
    expect(faultsOf([aLine(cake.id), aLine('nobody')]).map(({ path, refusal }) => [path, refusal])).toEqual([
      ['items[1].menu_item_id', 'ITEM_NOT_FOUND'],
    ]));

  test('too little counted stock, over all lines', () => {
    const lines = [aLine(cake.id, { quantity: 2 }), aLine(cake.id)];
    expect(faultsOf(lines, book, UNTAXED, new Map([[cake.id, 2]]))).toMatchObject([
      { path: 'items[1].quantity', refusal: 'ITEM_UNAVAILABLE', figures: { available: 2 } },
    ]);
    expect(faultsOf(lines, book, UNTAXED, new Map([[cake.id, 3]]))).toEqual([]);
  });

  test('a total above int32 after service, fee or tax', () => {
    const most = [aLine(diamond.id, { quantity: 21 })];
    expect(quoteOf(most).bill.total).toBe(21 * HIGHEST_PRICE);
    const taxed = { ...UNTAXED, taxRate: 140_000, taxInclusive: false };
    expect(21 * HIGHEST_PRICE * 1.14).toBeGreaterThan(HIGHEST_TOTAL);
    const brought = { ...UNTAXED, fee: HIGHEST_TOTAL - 21 * HIGHEST_PRICE + 1 };
    for (const terms of [taxed, { ...UNTAXED, serviceRate: 30_000 }, brought])
      expect(faultsOf(most, book, terms)).toMatchObject([{ path: 'items', refusal: 'INVALID_INPUT' }]);
  });
});

const anyLine = fc
  .record({
    item: fc.constantFrom(latte, turkish, cake),
    quantity: fc.integer({ min: 1, max: 5 }),
    syrups: fc.nat(2),
  })
  .map(({ item, quantity, syrups }) =>
    aLine(item.id, { quantity, ...(syrups === 0 ? {} : withAddons({ [syrup.id]: syrups })) }),
  );
const carts = fc.array(anyLine, { minLength: 1, maxLength: 6 });

describe('for any cart', () => {
  test('the figures of the quote add up', () => {
    fc.assert(
      fc.property(carts, (lines) => {
        const { lines: quoted, itemsTotal, deals, totalAfterDeals, bill } = quoteOf(lines);
        const sum = (of: (line: Quote['lines'][number]) => number): number =>
          quoted.reduce((all, line) => all + of(line), 0);
        expect(quoted.map(({ index }) => index)).toEqual(lines.map((_, index) => index));
        expect(sum((line) => line.lineTotal)).toBe(itemsTotal);
        expect(sum((line) => line.dealDiscount)).toBe(deals.saving);
        expect(totalAfterDeals).toBe(itemsTotal - deals.saving);
        expect(bill.total).toBe(totalAfterDeals);
        for (const line of quoted)
          expect(line.dealDiscount).toBeLessThanOrEqual(line.unitPrice * line.quantity);
      }),
    );
  });

  test('the total is the same in another order, or with lines split into single units', () => {
    fc.assert(
      fc.property(carts, (lines) => {
        const singles = lines.flatMap((line) =>
          Array.from({ length: line.quantity }, () => ({ ...line, quantity: 1 })),
        );
        const total = quoteOf(lines).bill.total;
        expect(quoteOf(lines.toReversed()).bill.total).toBe(total);
        expect(quoteOf(singles).bill.total).toBe(total);
      }),
    );
  });
});
