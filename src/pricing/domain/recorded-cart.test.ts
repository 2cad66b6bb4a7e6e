import { describe, expect, test } from 'vitest';
import { aPriceBook } from './cart.test-support.ts';
import {
  isBeyondInt32,
  recordedCart,
  unlistedIn,
  type KnownPrices,
  type RecordedCart,
  type RecordedItemInput,
} from './recorded-cart.ts';
import {
  aChoice,
  aCombo,
  aGroup,
  anAddon,
  anItem,
  aSlot,
  inSizes,
  OFF,
  price,
  SOLD_OUT,
} from '../../menu/domain/menu.test-support.ts';
import { HIGHEST_TOTAL } from '../../kernel/money.ts';

const addons = [
  anAddon('milk', { type: 'milk_type', prices: [price(800)] }),
  anAddon('oat', { type: 'milk_type', prices: [price(2000)] }),
  anAddon('syrup', { prices: [price(1200), price(1500, { channel: 'outside' })] }),
  anAddon('gone', { isLive: false, prices: [price(300)] }),
];
const items = [
  anItem('latte', {
    ...inSizes({ small: 5000, large: 7000 }),
    defaults: { milk_type: 'milk', coffee_type: null },
    optionals: [
      { id: 'ice', name: 'ice', nameTranslations: {}, sizeLabel: 'large', prices: [price(250)] },
      { id: 'cup', name: 'cup', nameTranslations: {}, sizeLabel: null, prices: [] },
    ],
    groups: [aGroup('temperature', ['hot'])],
  }),
  anItem('cake', { prices: [price(6000)], availability: [SOLD_OUT] }),
  anItem('tea', { prices: [price(3000)], availability: [OFF] }),
  anItem('old', { prices: [price(1000)], isLive: false }),
  aCombo(
    'meal',
    [
      aSlot('drink', [aChoice('latte', { includedSizeLabel: 'small', surcharge: 100 }), aChoice('tea')]),
      aSlot('sweet', [aChoice('cake')], { sort: 0 }),
    ],
    { prices: [price(9000)], isLive: false },
  ),
];
const book = aPriceBook({ items, addons });

const cartOf = (
  lines: readonly Partial<RecordedItemInput>[],
  { archived = {}, known = {} }: { archived?: object; known?: object } = {},
): RecordedCart => {
  const names = new Map(
    Object.entries(archived).map(([id, name]) => [id, { name: String(name), nameTranslations: {} }]),
  );
  return recordedCart(
    book,
    lines.map((line) => ({ menu_item_id: 'latte', quantity: 1, ...line })),
    names,
    new Map(Object.entries(known)) as KnownPrices,
  );
};
const reasonsOf = (...args: Parameters<typeof cartOf>) => cartOf(...args).reasons;
const neverOn = (item: string, recorded: number) => ({
  code: 'price_never_on',
  figures: { item: `اسم ${item}`, recorded },
});
const archived = (item: string) => ({ code: 'item_archived', figures: { item } });
const UNKNOWN = { code: 'item_unknown', figures: {} };

describe('a plain line without recorded prices', () => {
  test('has the prices of the book, in the cheapest size if none is named', () => {
    const swap = { addons: [{ addon_item_id: 'oat' }, { addon_item_id: 'syrup', quantity: 2 }] };
    const { lines, reasons } = cartOf([{ quantity: 2, ...swap }, { size_label: 'large' }]);
    expect(lines).toMatchObject([
      { sizeLabel: 'small', unitPrice: 5000, addonsTotal: 1200 + 2400, lineTotal: 2 * 8600 },
      { sizeLabel: 'large', unitPrice: 7000, lineTotal: 7000 },
    ]);
    expect(reasons).toEqual([]);
  });

  test('has the prices of things that are off the menu', () => {
    const syrups = [{ addon_item_id: 'gone', quantity: 2 }];
    expect(cartOf([{ menu_item_id: 'tea', addons: syrups }]).lines).toMatchObject([
      { unitPrice: 3000, addonsTotal: 600, dealUnits: null },
    ]);
  });

  test('takes a size by any of its names', () => {
    expect(cartOf([{ size_label: ' LARGE ' }]).lines).toMatchObject([
      { sizeLabel: 'large', unitPrice: 7000 },
    ]);
  });

  test('costs nothing in a size that is gone, and keeps its name', () => {
    expect(cartOf([{ size_label: 'huge' }]).lines).toMatchObject([{ sizeLabel: 'huge', unitPrice: 0 }]);
  });

  test('has optionals at their prices, 0 for those without one and for unknown ones', () => {
    const { lines } = cartOf([{ optional_field_ids: ['ICE', 'cup', 'shot', 'x'] }], {
      archived: { shot: 'shot' },
    });
    expect(lines[0]?.optionals.map(({ field, price: amount }) => [field.name, amount])).toEqual([
      ['ice', 250],
      ['cup', 0],
      ['shot', 0],
      ['اختيار غير معروف', 0],
    ]);
  });
});

describe('a recorded price', () => {
  test('replaces that of the book, in deals too', () => {
    const { lines } = cartOf([{ unit_price: 4000, size_label: 'large', quantity: 3 }]);
    // The sauce is required, so the latte is not on the menu and in no deal.
    expect(lines).toMatchObject([{ unitPrice: 4000, lineTotal: 12_000, dealUnits: null }]);
    const menu = aPriceBook({ items: [anItem('tea', { prices: [price(3000)] })] });
    const sold = recordedCart(
      menu,
      [{ menu_item_id: 'tea', quantity: 3, unit_price: 10 }],
      new Map(),
      new Map(),
    );
    expect(sold.lines[0]?.dealUnits).toMatchObject({ price: 10, quantity: 3 });
  });

  test('was on if any channel has it, or had it in this size', () => {
    const known = { latte: [{ sizeLabel: 'large', amount: 6500 }] };
    const latte = (label: string, amount: number) => ({ size_label: label, unit_price: amount });
    expect(reasonsOf([latte('large', 7000), latte('large', 6500), latte('small', 5000)], { known })).toEqual(
      [],
    );
    expect(reasonsOf([latte('small', 6500), latte('small', 7000)], { known })).toEqual([
      neverOn('latte', 6500),
      neverOn('latte', 7000),
    ]);
    const syrup = { addons: [{ addon_item_id: 'syrup', unit_price: 1500 }] };
    expect(reasonsOf([syrup])).toEqual([]);
  });

  test('of a line without a size may be from before the item had sizes', () => {
    const known = { latte: [{ sizeLabel: '', amount: 4500 }] };
    expect(reasonsOf([{ unit_price: 4500 }], { known })).toEqual([]);
    expect(reasonsOf([{ unit_price: 4500, size_label: 'small' }], { known })).toEqual([
      neverOn('latte', 4500),
    ]);
  });

  test('of a swap is a difference to a price of the default', () => {
    const oat = (amount: number) => ({ addons: [{ addon_item_id: 'oat', unit_price: amount }] });
    const known = { milk: [{ sizeLabel: '', amount: 1000 }], oat: [{ sizeLabel: '', amount: 1900 }] };
    expect(reasonsOf([oat(1200), oat(1000), oat(1100), oat(900)], { known })).toEqual([]);
    expect(reasonsOf([oat(2000), oat(0)], { known })).toEqual([neverOn('oat', 2000), neverOn('oat', 0)]);
  });

  test('of each entry of an add-on counts; entries at one price are one', () => {
    const syrup = (quantity: number, amount: number) => ({
      addon_item_id: 'syrup',
      quantity,
      unit_price: amount,
    });
    const { lines } = cartOf([{ addons: [syrup(1, 1200), syrup(2, 1500), syrup(3, 1200)] }]);
    expect(lines[0]?.addons.map(({ quantity, unitPrice }) => [quantity, unitPrice])).toEqual([
      [4, 1200],
      [2, 1500],
    ]);
    expect(lines).toMatchObject([{ addonsTotal: 4 * 1200 + 2 * 1500 }]);
  });

  test('that is odd on several lines is one reason', () => {
    expect(reasonsOf([{ unit_price: 1 }, { unit_price: 1 }, { unit_price: 2 }])).toHaveLength(2);
  });
});

describe('a combo', () => {
  const meal = (drink: object, sweet: object, line: object = {}) => ({
    ...{ menu_item_id: 'meal', ...line },
    combo: {
      picks: [
        { slot_id: 'drink', menu_item_id: 'latte', ...drink },
        { slot_id: 'sweet', menu_item_id: 'cake', ...sweet },
      ],
    },
  });
  const OFF_MENU = archived('اسم meal');

  test('without shares is split by the prices of its parts, in the order of its slots', () => {
    const { lines } = cartOf([meal({ size_label: 'large' }, {}, { quantity: 2 })]);
    expect(lines).toMatchObject([
      {
        ...{ unitPrice: 0, sizeLabel: null, lineTotal: 2 * (9000 + 100 + 2000), dealUnits: null },
        combo: {
          ...{ price: 9000, unitTotal: 11_100, savingUnit: 7000 + 6000 - 11_100 },
          parts: [
            { item: { id: 'cake' }, comboShare: 2 * 4909, comboSurcharge: 0 },
            { item: { id: 'latte' }, comboShare: 2 * 4091, comboSurcharge: 4200, sizeLabel: 'large' },
          ],
        },
      },
    ]);
  });

  test('has its shares if every part has one', () => {
    const all = cartOf([meal({ share: 1000 }, { share: 2000 }, { quantity: 2 })]);
    expect(all.lines).toMatchObject([
      { combo: { price: 3000, parts: [{ comboShare: 4000 }, { comboShare: 2000 }] }, lineTotal: 6200 },
    ]);
    expect(all.reasons).toEqual([OFF_MENU, neverOn('meal', 3000)]);
    expect(cartOf([meal({ share: 1000 }, {})]).lines).toMatchObject([{ combo: { price: 9000 } }]);
    const known = { meal: [{ sizeLabel: '', amount: 3000 }] };
    expect(reasonsOf([meal({ share: 1000 }, { share: 2000 })], { known })).toEqual([OFF_MENU]);
  });

  test('has recorded surcharges, which only the present choice and size justify', () => {
    const sold = [meal({ surcharge: 4200, size_label: 'large', quantity: 2 }, {})];
    expect(cartOf(sold).lines).toMatchObject([{ combo: { unitTotal: 13_200 } }]);
    expect(reasonsOf(sold)).toEqual([OFF_MENU]);
    expect(reasonsOf([meal({ surcharge: 4201, size_label: 'large', quantity: 2 }, {})])).toEqual([
      OFF_MENU,
      neverOn('latte', 4201),
    ]);
  });

  test('keeps parts that its slots do not offer, and combos in it', () => {
    const { lines, reasons } = cartOf([meal({ menu_item_id: 'meal' }, { slot_id: 'x', menu_item_id: 'y' })]);
    expect(lines).toMatchObject([
      {
        combo: {
          parts: [
            { slot: { id: 'x', name: 'جزء غير معروف' }, item: { kind: 'item', name: 'صنف غير معروف' } },
            { slot: { id: 'drink' }, item: { kind: 'item', name: 'اسم meal' } },
          ],
        },
      },
    ]);
    expect(reasons).toEqual([OFF_MENU, UNKNOWN]);
  });

  test('without picks has its price; a plain line with picks is a combo of its own price', () => {
    const cake = meal({ share: 100 }, {}, { menu_item_id: 'cake', unit_price: 500 });
    expect(cartOf([{ menu_item_id: 'meal' }, cake]).lines).toMatchObject([
      { lineTotal: 9000, combo: { parts: [] } },
      { item: { id: 'cake' }, combo: { price: 500 } },
    ]);
  });

  test('has options of the line itself in its money', () => {
    const syrup = { addons: [{ addon_item_id: 'syrup' }] };
    const { lines } = cartOf([meal({ ...syrup, quantity: 2 }, {}, syrup)]);
    expect(lines).toMatchObject([{ addonsTotal: 3 * 1200, addons: [{ quantity: 1 }] }]);
  });
});

describe('things that are gone', () => {
  test('are archived if the shop has them, else unknown', () => {
    const names = { archived: { former: 'Former' } };
    const lines = [
      { menu_item_id: 'old' },
      { menu_item_id: 'former' },
      { menu_item_id: 'x', unit_price: 900 },
    ];
    const cart = cartOf(lines, names);
    expect(cart.reasons).toEqual([archived('اسم old'), archived('Former'), UNKNOWN]);
    expect(cart.lines).toMatchObject([
      { item: { name: 'اسم old' }, lineTotal: 1000 },
      { item: { name: 'Former' }, lineTotal: 0 },
      { item: { nameTranslations: { en: 'Unknown item', ar: 'صنف غير معروف' } }, lineTotal: 900 },
    ]);
  });

  test('among add-ons count in the money', () => {
    const { lines, reasons } = cartOf([
      { addons: [{ addon_item_id: 'gone' }, { addon_item_id: 'x', unit_price: 40, quantity: 2 }] },
    ]);
    expect(lines).toMatchObject([{ addonsTotal: 300 + 80 }]);
    expect(reasons).toEqual([archived('اسم gone'), UNKNOWN]);
  });

  test('are looked for where the book has them not', () => {
    const picks = [
      { slot_id: 'drink', menu_item_id: 'latte', optional_field_ids: ['cup', 'o'] },
      { slot_id: 's', menu_item_id: 'i' },
    ];
    const { asked } = cartOf([{ menu_item_id: 'meal', combo: { picks } }, { optional_field_ids: ['p'] }]);
    expect(unlistedIn(asked, book)).toEqual(['o', 'i', 's', 'p']);
  });
});

describe('a cart does not fit int32', () => {
  const dear = HIGHEST_TOTAL;
  const syrups = (quantity: number) => ({
    unit_price: 0,
    addons: [{ addon_item_id: 'syrup', quantity, unit_price: 0 }],
  });

  test.each<[string, readonly Partial<RecordedItemInput>[]]>([
    ['if a line is too dear', [{ unit_price: dear, quantity: 2 }]],
    ['if its lines are too dear together', [{ unit_price: dear }, { unit_price: 1 }]],
    ['if it has too many units', [{ ...syrups(HIGHEST_TOTAL), quantity: 2 }]],
  ])('%s', (_, lines) => {
    expect(isBeyondInt32(cartOf(lines))).toBe(true);
  });

  test('but the highest total does', () => {
    expect(isBeyondInt32(cartOf([{ unit_price: dear - 1 }, { unit_price: 1 }]))).toBe(false);
  });
});
