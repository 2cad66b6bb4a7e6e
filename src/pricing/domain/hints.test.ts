import { UNTAXED } from './bill.test-support.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BillTerms } from './bill.ts';
import type { CartLine } from './cart.ts';
import { aLine, aMeal, aPick, aPriceBook, withAddons } from './cart.test-support.ts';
import { additionsIn } from './additions.ts';
import type { Hint } from './hints.ts';
import { hintsOf as hintsFor } from './hints.test-support.ts';
import {
  aCategory,
  aChoice,
  aCombo,
  aDeal,
  aDiscount,
  aGroup,
  anAddon,
  anItem,
  aSlot,
  inSizes,
  price,
} from '../../menu/domain/menu.test-support.ts';
import type { Deal, DealPoolEntry } from '../../menu/domain/menubook.ts';
import { HIGHEST_PRICE, HIGHEST_TOTAL } from '../../kernel/money.ts';
import type { PriceBook } from './pricebook.ts';
import { quote, type Quote, type QuoteInput } from './quote.ts';

const TAX_ON_TOP: BillTerms = { ...UNTAXED, taxRate: 140_000, taxInclusive: false };
const FEE_TAXED: BillTerms = { ...TAX_ON_TOP, fee: 2503, feeTaxable: true };

const syrup = anAddon('شراب', { prices: [price(1000)] });
const latte = anItem('لاتيه', { ...inSizes({ صغير: 5000, كبير: 7000 }), categoryId: 'قهوة' });
const turkish = anItem('تركي', { prices: [price(4000)], categoryId: 'قهوة' });
const espresso = anItem('إسبريسو', { prices: [price(4000)], categoryId: 'قهوة' });
const cake = anItem('كيك', { prices: [price(6000)] });
const tea = anItem('شاي', { prices: [price(2000)] });
const diamond = anItem('ماس', { prices: [price(HIGHEST_PRICE)] });
const breakfast = aCombo('فطار', [aSlot('مشروب', [aChoice(turkish.id)])], { prices: [price(3000)] });
const shelf = {
  categories: [aCategory('قهوة')],
  items: [latte, turkish, espresso, cake, tea, diamond, breakfast],
  addons: [syrup],
};

const ofItem = (menuItemId: string, sizeLabel: string | null = null): DealPoolEntry => ({
  categoryId: null,
  menuItemId,
  sizeLabel,
});
const ofCoffee: DealPoolEntry = { categoryId: 'قهوة', menuItemId: null, sizeLabel: null };
const bundle = (id: string, qty: number, amount: number, pool: readonly DealPoolEntry[]): Deal =>
  aDeal(id, { qty, terms: { kind: 'n_for_price', price: amount }, pool });

const PAIRS = bundle('اتنين', 2, 7000, [ofCoffee]);
const CAKE_ON_US = aDeal('كيك هدية', {
  qty: 1,
  terms: { kind: 'buy_get', getQty: 1, getPercent: 100 },
  pool: [ofItem(latte.id, 'كبير')],
  rewardPool: [ofItem(cake.id)],
});
const TEAS = bundle('شاي', 2, 3000, [ofItem(tea.id)]);
const DIAMONDS = bundle('ماس', 2, HIGHEST_PRICE, [ofItem(diamond.id)]);

const bookOf = (...deals: readonly Deal[]): PriceBook => aPriceBook({ ...shelf, deals });
const inputOf = (
  book: PriceBook,
  lines: readonly CartLine[],
  { terms = UNTAXED, stock = {} }: { terms?: BillTerms; stock?: Readonly<Record<string, number>> } = {},
): QuoteInput => ({ book, lines, terms, stock: new Map(Object.entries(stock)) });

const quoteOf = (input: QuoteInput): Quote => {
  const result = quote(input);
  if ('faults' in result) throw new Error(`the cart was refused: ${JSON.stringify(result.faults)}`);
  return result.quote;
};

const hintsOf = (input: QuoteInput, workLimit?: number): readonly Hint[] =>
  hintsFor(input, quoteOf(input), workLimit);
const itemsOf = (hints: readonly Hint[]) => hints.map(({ line }) => line.item.id);

/** The cart with the unit of the hint: on a new line, or, in a cart of 100 lines, on an existing one. */
const withHint = (input: QuoteInput, { line: { item, sizeLabel } }: Hint): QuoteInput => {
  const { lines } = input;
  if (lines.length < 100) return { ...input, lines: [...lines, aLine(item.id, { sizeLabel })] };
  const quoted = quoteOf(input).lines;
  const at = quoted.findIndex(
    (line) =>
      line.item.id === item.id &&
      line.sizeLabel === sizeLabel &&
      line.addons.length === 0 &&
      line.quantity < 999,
  );
  return {
    ...input,
    lines: lines.map((line, index) => (index === at ? { ...line, quantity: line.quantity + 1 } : line)),
  };
};

test('of items with the same price, the first of the menu is the hint', () => {
  const hints = hintsOf(inputOf(bookOf(PAIRS), [aLine(turkish.id)]));
  expect(
    hints.map(({ line, saving, totalChange }) => [line.item.id, line.sizeLabel, saving, totalChange]),
  ).toEqual([
    [turkish.id, null, 1000, 3000],
    [latte.id, 'صغير', 2000, 3000],
    [latte.id, 'كبير', 4000, 3000],
  ]);
});

test('a hint has the size that the pool of its deal names', () => {
  const [hint, ...others] = hintsOf(inputOf(bookOf(CAKE_ON_US), [aLine(cake.id)]));
  expect([hint?.line.item.id, hint?.line.sizeLabel, hint?.saving, hint?.totalChange]).toEqual([
    latte.id,
    'كبير',
    6000,
    1000,
  ]);
  expect(others).toEqual([]);
});

test('a hint does not change the deals already applied', () => {
  const cart = [aLine(tea.id, { quantity: 2 }), aLine(turkish.id, { quantity: 2 }), aLine(cake.id)];
  const hints = hintsOf(inputOf(bookOf(TEAS, PAIRS, CAKE_ON_US), cart));
  expect(hints.map(({ line, saving }) => [line.item.id, line.sizeLabel, saving])).toEqual([
    [latte.id, 'كبير', 6000],
    [latte.id, 'صغير', 1000],
  ]);
});

describe('an item that needs a choice', () => {
  const beans = anAddon('حبوب', { prices: [price(500)] });
  const filter = anItem('فلتر', {
    prices: [price(4000)],
    categoryId: 'قهوة',
    groups: [aGroup('الحبوب', [beans.id])],
  });
  const book = aPriceBook({
    ...shelf,
    items: [filter, cake],
    addons: [beans],
    deals: [PAIRS],
  });
  const chosen = aLine(filter.id, withAddons({ [beans.id]: 1 }));

  test('is a hint with what a line of the cart has chosen, at the price of both', () => {
    const input = inputOf(book, [aLine(cake.id), chosen]);
    const [hint, ...others] = hintsOf(input);
    expect(others).toEqual([]);
    expect([hint?.line.item.id, hint?.lineIndex, hint?.line.lineTotal]).toEqual([filter.id, 1, 4500]);
    const after = quoteOf({ ...input, lines: [aLine(cake.id), { ...chosen, quantity: 2 }] });
    expect(after.deals.saving - quoteOf(input).deals.saving).toBe(hint?.saving);
    expect(after.bill.beforeFee.total - quoteOf(input).bill.beforeFee.total).toBe(hint?.totalChange);
  });

  test('is a hint only while a unit of each counted choice is left too', () => {
    const hintsAt = (left: number) =>
      itemsOf(hintsOf(inputOf(book, [aLine(cake.id), chosen], { stock: { [beans.id]: left } })));
    expect(hintsAt(2)).toEqual([filter.id]);
    expect(hintsAt(1)).toEqual([]);
  });

  test('is none while no line has chosen, or the line is full', () => {
    expect(hintsOf(inputOf(book, [aLine(cake.id)]))).toEqual([]);
    expect(hintsOf(inputOf(book, [{ ...chosen, quantity: 999 }]))).toEqual([]);
  });
});

describe('every hint can be ordered:', () => {
  const fullCart = (...lines: readonly CartLine[]): readonly CartLine[] => [
    ...lines,
    ...Array.from({ length: 100 - lines.length }, () => aLine(cake.id)),
  ];
  const teasIn = (...lines: readonly CartLine[]) => itemsOf(hintsOf(inputOf(bookOf(TEAS), lines)));

  test('a cart of 100 lines gets hints only for its own lines', () => {
    const hints = hintsOf(inputOf(bookOf(PAIRS), fullCart(aLine(latte.id))));
    expect(hints.map(({ line }) => [line.item.id, line.sizeLabel])).toEqual([[latte.id, 'صغير']]);
    expect(hintsOf(inputOf(bookOf(PAIRS), fullCart(aLine(latte.id)).slice(1)))).toEqual([]);
    expect(itemsOf(hintsOf(inputOf(bookOf(PAIRS), fullCart(aLine(latte.id)).slice(0, 99))))).toHaveLength(3);
  });

  test('in a cart of 100 lines, only a line below 999 units and without add-ons gets a hint', () => {
    const syrups = withAddons({ [syrup.id]: 1 });
    expect(teasIn(...fullCart(aLine(tea.id)))).toEqual([tea.id]);
    expect(teasIn(...fullCart(aLine(tea.id, syrups)))).toEqual([]);
    // A line of 999 units takes no further unit.
    const full = aLine(tea.id, { quantity: 999 });
    expect(teasIn(...fullCart(full))).toEqual([]);
    expect(teasIn(...fullCart(full, full, aLine(tea.id, syrups)))).toEqual([]);
    expect(teasIn(...fullCart(full, aLine(tea.id, { quantity: 998 })))).toEqual([tea.id]);
    expect(teasIn(full)).toEqual([tea.id]);
  });

  test('an item with counted stock is a hint only while a unit is left, after parts of combos', () => {
    const input = (stock: Readonly<Record<string, number>>) =>
      inputOf(bookOf(PAIRS), [aLine(turkish.id), aMeal(breakfast.id, [aPick('مشروب', turkish.id)])], {
        stock,
      });
    expect(itemsOf(hintsOf(input({ [turkish.id]: 3 })))[0]).toBe(turkish.id);
    // The other item of the same price takes its place.
    expect(itemsOf(hintsOf(input({ [turkish.id]: 2 })))[0]).toBe(espresso.id);
  });

  test('a unit that raises the items or the total above int32 is no hint', () => {
    const diamonds = (quantity: number, terms: BillTerms) =>
      itemsOf(hintsOf(inputOf(bookOf(DIAMONDS), [aLine(diamond.id, { quantity })], { terms })));
    expect(diamonds(19, UNTAXED)).toEqual([diamond.id]);
    // 22 cost too much before the deal takes anything off.
    expect(22 * HIGHEST_PRICE).toBeGreaterThan(HIGHEST_TOTAL);
    expect(diamonds(21, UNTAXED)).toEqual([]);
    // The deal saves 1.00 on twenty: with tax on top the twentieth exceeds the highest total.
    const dear = bundle('ماس', 20, 20 * HIGHEST_PRICE - 100, [ofItem(diamond.id)]);
    const twentieth = (terms: BillTerms) =>
      itemsOf(hintsOf(inputOf(bookOf(dear), [aLine(diamond.id, { quantity: 19 })], { terms })));
    expect(twentieth(UNTAXED)).toEqual([diamond.id]);
    expect(twentieth({ ...UNTAXED, taxRate: 100_000, taxInclusive: false })).toEqual([]);
  });
});

describe('the search for hints', () => {
  const three = inputOf(bookOf(PAIRS, TEAS, CAKE_ON_US), [aLine(turkish.id), aLine(tea.id), aLine(cake.id)]);

  test('has one work limit for all hints: with less work there are fewer hints, each exact', () => {
    const all = hintsOf(three);
    expect(all).toHaveLength(3);
    expect(hintsOf(three, 0)).toEqual([]);
    const counts = Array.from({ length: 60 }, (_, index) => hintsOf(three, index * 5000));
    for (const some of counts)
      for (const hint of some)
        expect(quoteOf(withHint(three, hint)).deals.saving).toBe(quoteOf(three).deals.saving + hint.saving);
    const lengths = counts.map((some) => some.length);
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
    expect(new Set(lengths)).toEqual(new Set([0, 1, 2, 3]));
  });

  test('prepares a long menu once', () => {
    const items = Array.from({ length: 2000 }, (_, index) =>
      anItem(`صنف ${index}`, { prices: [price(1000 + index)], categoryId: 'قهوة' }),
    );
    const deal = bundle('عرض', 3, 1_000_000, [ofCoffee, ...items.map(({ id }) => ofItem(id))]);
    const book = aPriceBook({ ...shelf, items, deals: [deal] });
    expect(additionsIn(book).alike).toHaveLength(2000);
    expect(additionsIn(book)).toBe(additionsIn(book));
  });
});

const anyLine = fc
  .record({
    item: fc.constantFrom(latte, turkish, espresso, cake, tea),
    isLarge: fc.boolean(),
    quantity: fc.integer({ min: 1, max: 4 }),
    syrups: fc.nat(1),
  })
  .map(({ item, isLarge, quantity, syrups }) =>
    aLine(item.id, {
      quantity,
      sizeLabel: item === latte && isLarge ? 'كبير' : null,
      ...(syrups === 0 ? {} : withAddons({ [syrup.id]: syrups })),
    }),
  );
const anyMeal = fc.constant(aMeal(breakfast.id, [aPick('مشروب', turkish.id)]));
const anyDeals = fc.subarray([
  PAIRS,
  CAKE_ON_US,
  TEAS,
  bundle('أي', 3, 9000, [ofCoffee, ofItem(tea.id), ofItem(cake.id)]),
]);
const anyCart = fc.record({
  lines: fc.array(fc.oneof({ weight: 5, arbitrary: anyLine }, anyMeal), { minLength: 1, maxLength: 5 }),
  repeated: fc.constantFrom(1, 1, 100),
  deals: anyDeals,
  terms: fc.constantFrom(UNTAXED, TAX_ON_TOP, { ...TAX_ON_TOP, taxInclusive: true }, FEE_TAXED),
  isDiscounted: fc.boolean(),
  spare: fc.option(fc.nat(1), { nil: undefined }),
});

describe('for any cart', () => {
  const inputsOf = fc.record({ cart: anyCart }).map(({ cart }) => {
    const lines = Array.from({ length: cart.repeated }, () => cart.lines)
      .flat()
      .slice(0, 100);
    const discounts = cart.isDiscounted ? [aDiscount('عشرة')] : [];
    const book = aPriceBook({ ...shelf, deals: cart.deals, discounts });
    const coffees = lines.reduce(
      (sum, { menuItemId, quantity }) =>
        sum + (menuItemId === turkish.id || menuItemId === breakfast.id ? quantity : 0),
      0,
    );
    const stock = cart.spare === undefined || coffees === 0 ? {} : { [turkish.id]: coffees + cart.spare };
    return inputOf(book, lines, { terms: cart.terms, stock });
  });

  test('each hint equals the quote with its unit added', () => {
    fc.assert(
      fc.property(inputsOf, (input) => {
        const before = quoteOf(input);
        for (const hint of hintsOf(input)) {
          const after = quoteOf(withHint(input, hint));
          expect(after.itemsTotal - before.itemsTotal).toBe(hint.line.lineTotal);
          expect(after.deals.saving - before.deals.saving).toBe(hint.saving);
          expect(after.bill.beforeFee.total - before.bill.beforeFee.total).toBe(hint.totalChange);
          expect(hint.saving).toBeGreaterThan(0);
        }
      }),
    );
  });

  test('the first hint has the smallest change of the total of all single units', () => {
    fc.assert(
      fc.property(inputsOf, (input) => {
        fc.pre(input.lines.length < 100);
        const before = quoteOf(input);
        const changes = [
          ...[turkish, espresso, cake, tea].map(({ id }) => aLine(id)),
          ...['صغير', 'كبير'].map((sizeLabel) => aLine(latte.id, { sizeLabel })),
        ].flatMap((line) => {
          const result = quote({ ...input, lines: [...input.lines, line] });
          if ('faults' in result || result.quote.deals.saving <= before.deals.saving) return [];
          return [result.quote.bill.beforeFee.total - before.bill.beforeFee.total];
        });
        const totalChanges = hintsOf(input).map(({ totalChange }) => totalChange);
        // Of units with equal effect, one is a hint.
        expect(totalChanges[0] ?? null).toBe(changes.length === 0 ? null : Math.min(...changes));
        expect(totalChanges).toEqual([...totalChanges].sort((a, b) => a - b));
        expect(totalChanges.length).toBeLessThanOrEqual(3);
      }),
    );
  });
});
