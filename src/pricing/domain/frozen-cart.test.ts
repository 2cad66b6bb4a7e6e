import { UNTAXED } from './bill.test-support.ts';
import { describe, expect, test } from 'vitest';
import type { CartLine } from './cart.ts';
import { aLine, aMeal, aPick, aPriceBook, withAddons } from './cart.test-support.ts';
import { frozenCart, stockTaken, type FrozenCart } from './frozen-cart.ts';
import {
  aCategory,
  aChoice,
  aCombo,
  aDeal,
  anAddon,
  anItem,
  aSlot,
  price,
} from '../../menu/domain/menu.test-support.ts';
import { quote, type Quote } from './quote.ts';

const syrup = anAddon('syrup', { prices: [price(1000)] });
const latte = anItem('latte', {
  categoryId: 'coffee',
  sizes: [
    { label: 'صغير', labelTranslations: { en: 'Small' } },
    { label: 'كبير', labelTranslations: { en: 'Large' } },
  ],
  prices: [price(5000, { sizeLabel: 'صغير' }), price(7000, { sizeLabel: 'كبير' })],
  optionals: [
    {
      id: 'hot',
      name: 'ساخن جدًا',
      nameTranslations: { en: 'Extra hot' },
      sizeLabel: null,
      prices: [price(200)],
    },
  ],
});
const turkish = anItem('turkish', { prices: [price(4000)], categoryId: 'coffee' });
const cake = anItem('cake', { prices: [price(6000)] });
const breakfast = aCombo(
  'breakfast',
  [
    aSlot('drink', [aChoice('latte', { includedSizeLabel: 'صغير' })]),
    aSlot('sweet', [aChoice('cake', { surcharge: 500 })], { sort: 1 }),
  ],
  { prices: [price(8000)] },
);
const pairs = aDeal('pairs', {
  qty: 2,
  terms: { kind: 'n_for_price', price: 8000 },
  pool: [{ categoryId: 'coffee', menuItemId: null, sizeLabel: null }],
});
const book = aPriceBook({
  categories: [aCategory('coffee')],
  items: [latte, turkish, cake, breakfast],
  addons: [syrup],
  deals: [pairs],
});

const LINES: readonly CartLine[] = [
  aLine('latte', {
    sizeLabel: 'كبير',
    notes: 'بدون رغوة',
    optionalFieldIds: ['hot'],
    ...withAddons({ syrup: 2 }),
  }),
  aLine('turkish'),
  aMeal(
    'breakfast',
    [aPick('drink', 'latte', { sizeLabel: 'كبير', ...withAddons({ syrup: 1 }) }), aPick('sweet', 'cake')],
    {
      quantity: 2,
      notes: 'معًا',
    },
  ),
];

const quoted = (lines: readonly CartLine[]): Quote => {
  const result = quote({ book, lines, stock: new Map(), terms: UNTAXED });
  if ('faults' in result) throw new Error(JSON.stringify(result.faults));
  return result.quote;
};
const frozen = (lines: readonly CartLine[]): FrozenCart => frozenCart(quoted(lines));

describe('a frozen cart', () => {
  test('has a line with its size, add-ons, unit price, deal discount and total', () => {
    // 70.00 and 40.00 for 80.00: 19.09 off the latte by the splitter; two syrups and the heat always pay.
    expect(frozen(LINES).lines[0]).toEqual({
      menu_item_id: 'latte',
      name: latte.name,
      name_translations: { en: 'latte' },
      size_label: 'كبير',
      size_translations: { en: 'Large' },
      quantity: 1,
      unit_price: 7000,
      addons_total: 2200,
      addons: [
        {
          addon_item_id: 'syrup',
          name: syrup.name,
          name_translations: { en: 'syrup' },
          quantity: 2,
          unit_price: 1000,
        },
      ],
      optionals: [
        { optional_field_id: 'hot', name: 'ساخن جدًا', name_translations: { en: 'Extra hot' }, price: 200 },
      ],
      notes: 'بدون رغوة',
      combo: null,
      deal_discount: 1909,
      line_total: 7291,
      reward_units: 0,
      reward_discount: 0,
    });
  });

  test('has a combo with its parts, each with its slot, size and add-ons', () => {
    const line = frozen(LINES).lines[2];
    expect(line).toMatchObject({
      menu_item_id: 'breakfast',
      size_label: null,
      size_translations: {},
      quantity: 2,
      unit_price: 0,
      addons_total: 1000,
      addons: [],
      optionals: [],
      notes: 'معًا',
      deal_discount: 0,
      // (80.00 + 20.00 for the large + 5.00 for the cake + 10.00 of syrup) × 2
      line_total: 23_000,
      combo: { price: 8000, unit_total: 10_500 },
    });
    expect(line?.combo?.parts).toMatchObject([
      {
        slot_id: 'drink',
        slot_name_translations: { en: 'drink' },
        menu_item_id: 'latte',
        name: latte.name,
        size_label: 'كبير',
        size_translations: { en: 'Large' },
        quantity: 2,
        unit_price: 7000,
        combo_surcharge: 4000,
        addons_total: 2000,
        addons: [{ addon_item_id: 'syrup', quantity: 1, unit_price: 1000 }],
        notes: null,
      },
      { slot_id: 'sweet', menu_item_id: 'cake', size_label: null, quantity: 2, combo_surcharge: 1000 },
    ]);
    const parts = line?.combo?.parts ?? [];
    expect(parts.reduce((sum, part) => sum + part.line_total + part.addons_total, 0)).toBe(line?.line_total);
  });

  test('has the deals with their discount of each line', () => {
    expect(frozen(LINES).deals).toEqual([
      {
        deal_rule_id: 'pairs',
        name: pairs.name,
        name_translations: { en: 'pairs' },
        times: 1,
        discount: 3000,
        lines: [
          { line_index: 0, units: 1, discount: 1909 },
          { line_index: 1, units: 1, discount: 1091 },
        ],
      },
    ]);
  });

  test('has lines that sum to the total after deals', () => {
    for (const lines of [LINES, LINES.slice(0, 1), [...LINES, ...LINES]]) {
      const { totalAfterDeals } = quoted(lines);
      const sum = frozen(lines).lines.reduce((total, line) => total + line.line_total, 0);
      expect(sum).toBe(totalAfterDeals);
    }
  });

  test('is unchanged after it was stored as JSON', () => {
    const cart = frozen(LINES);
    expect(JSON.parse(JSON.stringify(cart))).toEqual(cart);
  });

  test('has notes without control characters and extra blanks', () => {
    const notes = ['  بدون\u0007  رغوة \r\n\n شكرًا ', ' \n '].map((text) =>
      aLine('turkish', { notes: text }),
    );
    expect(frozen(notes).lines.map((line) => line.notes)).toEqual(['بدون رغوة\nشكرًا', null]);
  });

  test('has no field for cost, margin, profit or recipe', () => {
    const keys = new Set<string>();
    JSON.stringify(frozen(LINES), (key, value: unknown) => {
      keys.add(key);
      return value;
    });
    expect([...keys].filter((key) => /cost|margin|profit|recipe/.test(key))).toEqual([]);
  });
});

describe('the stock that an order takes', () => {
  const counted = (ids: readonly string[]) => new Map(ids.map((id) => [id, 50]));

  test('is the sum of counted lines, combo parts and add-ons by id', () => {
    expect(stockTaken(LINES, counted(['turkish', 'syrup', 'latte', 'water']))).toEqual([
      { id: 'latte', units: 3 },
      // Two on the latte, one on each of two meals.
      { id: 'syrup', units: 4 },
      { id: 'turkish', units: 1 },
    ]);
  });

  test('includes a counted combo besides its parts', () => {
    expect(stockTaken(LINES, counted(['breakfast', 'cake']))).toEqual([
      { id: 'breakfast', units: 2 },
      { id: 'cake', units: 2 },
    ]);
  });

  test('is empty when no item is counted', () => {
    expect(stockTaken(LINES, new Map())).toEqual([]);
  });
});
