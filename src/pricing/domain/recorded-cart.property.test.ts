import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { UNTAXED } from './bill.test-support.ts';
import type { PricedPart } from './cart.ts';
import { cartOf, linesOf } from './cart.test-support.ts';
import { book, now, point } from '../../menu/domain/menu-arbitraries.test-support.ts';
import { priceBookOf } from './pricebook.ts';
import { bestDeals } from './deals/best.ts';
import { quote, beginPriced } from './quote.ts';
import { recordedCart, type RecordedItemInput } from './recorded-cart.ts';
import { choices, recordsOf, soldLines } from './recorded-cart.test-support.ts';

const RUNS = { numRuns: 500 };
const none = new Map<string, never>();

describe('a cart of prices that the service would charge', () => {
  const seen = { lines: 0, combos: 0, addons: 0, optionals: 0, swaps: 0, deals: 0 };

  test('has the lines of a live cart, whichever prices the device recorded', () => {
    fc.assert(
      fc.property(
        fc.tuple(book, point, now),
        choices,
        fc.infiniteStream(fc.boolean()),
        ([b, p, t], from, coins) => {
          const on = priceBookOf(b, p, t);
          const lines = soldLines(on, from);
          const live = linesOf(cartOf(on, lines));
          const records = (): boolean => coins.next().value === true;
          for (const items of [recordsOf(on, lines), recordsOf(on, lines, records)]) {
            const cart = recordedCart(on, items, none, none);
            expect(cart.lines).toEqual(live);
            expect(cart.reasons).toEqual([]);
          }
          for (const { combo, addons, optionals } of live) {
            const all = [...addons, ...(combo?.parts ?? []).flatMap((part) => part.addons)];
            seen.lines += 1;
            seen.combos += combo === null ? 0 : 1;
            seen.addons += all.length;
            seen.swaps += all.filter(({ addon }) => addon.type !== 'extra').length;
            seen.optionals += optionals.length;
          }
        },
      ),
      RUNS,
    );
  });

  test('has the quote of a live cart', () => {
    fc.assert(
      fc.property(fc.tuple(book, point, now), choices, ([b, p, t], from) => {
        const on = priceBookOf(b, p, t);
        const lines = soldLines(on, from);
        const live = quote({ book: on, lines, stock: none, terms: UNTAXED });
        const { lines: priced } = recordedCart(on, recordsOf(on, lines), none, none);
        const { deals, discount } = on.menu;
        const cut = discount?.cut ?? null;
        const unfinished = beginPriced({ lines: priced, deals, cut, terms: UNTAXED });
        const recorded = unfinished.finish(bestDeals(unfinished.units, unfinished.deals));
        expect({ quote: recorded }).toEqual(live);
        seen.deals += recorded.deals.applied.length;
      }),
      RUNS,
    );
  });

  afterAll(() => {
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
  });
});

// ── Any records, from a menu that they may have nothing to do with ──────────────────────────────

const id = (...ids: readonly string[]) => fc.constantFrom(...ids);
const amount = fc.oneof(fc.nat(3000), fc.nat(2_000_000));
const addons = fc.array(
  fc.record({
    addon_item_id: id('a0', 'a1', 'a2', 'a3', 'x'),
    quantity: fc.integer({ min: 1, max: 5 }),
    unit_price: amount,
  }),
  { maxLength: 3 },
);
const making = {
  size_label: fc.oneof(fc.constant(null), id('', 'صغير', 'كبير', 'x')),
  quantity: fc.integer({ min: 1, max: 5 }),
  addons,
};
const pick = fc.record({
  ...making,
  slot_id: id('c0-0', 'c0-1', 'c1-0', 'c1-1', 'x'),
  menu_item_id: id('i0', 'i1', 'i2', 'i3', 'c1', 'x'),
  share: amount,
  surcharge: amount,
});
const anyRecord = fc.record({
  ...making,
  menu_item_id: id('i0', 'i1', 'i2', 'i3', 'c0', 'c1', 'x'),
  unit_price: amount,
  combo: fc.option(fc.record({ picks: fc.array(pick, { minLength: 1, maxLength: 3 }) })),
});

type Recorded = typeof anyRecord extends fc.Arbitrary<infer T> ? T : never;

/** From the text of the rules, over the recorded prices alone. */
const expectedTotal = ({ quantity, unit_price: price, addons: own, combo }: Recorded): number => {
  let one = combo === null ? price : 0;
  for (const addon of own) one += addon.unit_price * addon.quantity;
  for (const each of combo?.picks ?? []) {
    one += each.share + each.surcharge;
    for (const addon of each.addons) one += each.quantity * addon.quantity * addon.unit_price;
  }
  return one * quantity;
};

/** Without picks, what a combo cost is not recorded. */
const isPriced = ({ menu_item_id: itemId, combo }: Recorded): boolean =>
  combo !== null || !itemId.startsWith('c');

describe('for any records on any menu', () => {
  const records = fc.array(anyRecord.filter(isPriced), { maxLength: 8 });

  test('every line costs what the device charged', () => {
    fc.assert(
      fc.property(book, point, now, records, (b, p, t, items) => {
        const before = structuredClone(items);
        const { lines, asked } = recordedCart(priceBookOf(b, p, t), items, none, none);
        expect(items).toEqual(before);
        expect(lines.map(({ lineTotal }) => lineTotal)).toEqual(items.map(expectedTotal));
        expect(lines.map(({ index, quantity }) => [index, quantity])).toEqual(
          items.map(({ quantity }, index) => [index, quantity]),
        );
        expect(asked).toHaveLength(items.length);
        for (const { combo, lineTotal, addonsTotal, quantity, unitPrice, dealUnits } of lines) {
          if (dealUnits !== null) expect(dealUnits).toMatchObject({ price: unitPrice, quantity });
          expect(((combo?.unitTotal ?? unitPrice) + addonsTotal) * quantity).toBe(lineTotal);
        }
      }),
      RUNS,
    );
  });

  test('parts of a combo add up to it, also where shares are missing', () => {
    const withoutSome = fc.tuple(records, fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }));
    fc.assert(
      fc.property(book, point, now, withoutSome, (b, p, t, [items, keeps]) => {
        let place = 0;
        const some = items.map((item): RecordedItemInput => {
          if (item.combo === null) return item;
          const picks = item.combo.picks.map(({ share, ...rest }) =>
            keeps[place++] === true ? { ...rest, share } : rest,
          );
          return { ...item, combo: { picks } };
        });
        for (const { combo, quantity } of recordedCart(priceBookOf(b, p, t), some, none, none).lines) {
          if (combo === null) continue;
          const { parts } = combo;
          const total = (of: (part: PricedPart) => number) => parts.reduce((sum, part) => sum + of(part), 0);
          expect(total((part) => part.comboShare)).toBe(combo.price * quantity);
          expect(total((part) => part.lineTotal)).toBe(combo.unitTotal * quantity);
        }
      }),
      RUNS,
    );
  });
});
