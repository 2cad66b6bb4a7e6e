import { describe, expect, test } from 'vitest';
import type { CartLine } from './cart.ts';
import {
  aLine,
  aMeal,
  aPick,
  aPriceBook,
  cartOf,
  faultsOf,
  linesOf,
  withAddons,
} from './cart.test-support.ts';
import {
  aCategory,
  anAddon,
  anItem,
  aWindow,
  DINE_IN,
  inSizes,
  OFF,
  price,
  SOLD_OUT,
} from '../../menu/domain/menu.test-support.ts';
import type { OptionalField, PlainItem } from '../../menu/domain/menubook.ts';
import { HIGHEST_PRICE, HIGHEST_TOTAL } from '../../kernel/money.ts';

const whole = anAddon('كامل', { type: 'milk_type', prices: [price(800)] });
const oat = anAddon('شوفان', { type: 'milk_type', prices: [price(2000)] });
const decaf = anAddon('بدون كافيين', { type: 'coffee_type', prices: [price(500)] });
const syrup = anAddon('شراب', { prices: [price(1200)] });
const shot = anAddon('جرعة', { prices: [price(1500)] });
const addons = [whole, oat, decaf, syrup, shot];

const optional = (id: string, amount: number, sizeLabel: string | null = null): OptionalField => ({
  id,
  name: id,
  nameTranslations: {},
  sizeLabel,
  prices: [price(amount)],
});

const latte = anItem('لاتيه', {
  ...inSizes({ كبير: 9000, صغير: 7000, وسط: 8000 }),
  categoryId: 'حار',
  defaults: { milk_type: whole.id, coffee_type: null },
  optionals: [optional('ice', 0), optional('cup', 300, 'كبير'), { ...optional('unpriced', 0), prices: [] }],
});
const water = anItem('ماء', { prices: [price(1000), price(1500, { channel: 'pickup' })] });
const shelf = { categories: [aCategory('حار')], items: [latte, water], addons };
const book = aPriceBook(shelf);

const priced = (...lines: CartLine[]) => linesOf(cartOf(book, lines));
const faults = (...lines: CartLine[]) => faultsOf(cartOf(book, lines));
const invalid = (path: string) => [{ path, refusal: 'INVALID_INPUT', figures: {} }];

describe('a line costs (size + add-ons × their quantity + optionals) × quantity', () => {
  test.each<[string, CartLine, unitPrice: number, addonsTotal: number, lineTotal: number]>([
    ['water as it comes, at the channel’s price', aLine(water.id), 1500, 0, 1500],
    ['three waters', aLine(water.id, { quantity: 3 }), 1500, 0, 4500],
    ['a latte of no named size: the cheapest', aLine(latte.id), 7000, 0, 7000],
    ['an empty size is no name either', aLine(latte.id, { sizeLabel: '' }), 7000, 0, 7000],
    ['a large one', aLine(latte.id, { sizeLabel: 'كبير' }), 9000, 0, 9000],
    ['with its own milk, named', aLine(latte.id, withAddons({ [whole.id]: 1 })), 7000, 0, 7000],
    ['with oat instead: the difference', aLine(latte.id, withAddons({ [oat.id]: 1 })), 7000, 1200, 8200],
    [
      'with another coffee, where it has no default',
      aLine(latte.id, withAddons({ [decaf.id]: 1 })),
      7000,
      500,
      7500,
    ],
    [
      'a milk and a coffee are two families',
      aLine(latte.id, withAddons({ [oat.id]: 1, [decaf.id]: 1 })),
      7000,
      1700,
      8700,
    ],
    ['two syrups', aLine(latte.id, withAddons({ [syrup.id]: 2 })), 7000, 2400, 9400],
    ['an optional that costs nothing', aLine(latte.id, { optionalFieldIds: ['ice'] }), 7000, 0, 7000],
    [
      'two large with oat, three shots and a cup',
      aLine(latte.id, {
        quantity: 2,
        sizeLabel: 'كبير',
        optionalFieldIds: ['ice', 'cup'],
        ...withAddons({ [oat.id]: 1, [shot.id]: 3 }),
      }),
      9000,
      6000,
      30_000,
    ],
    ['the most add-ons of one kind', aLine(water.id, withAddons({ [shot.id]: 99 })), 1500, 148_500, 150_000],
  ])('prices %s', (_, line, unitPrice, addonsTotal, lineTotal) =>
    expect(priced(line)).toMatchObject([{ unitPrice, addonsTotal, lineTotal, combo: null }]),
  );

  test('has the prices of its channel; dine-in has the branch’s', () => {
    const dineIn = aPriceBook(shelf, DINE_IN);
    expect(linesOf(cartOf(dineIn, [aLine(water.id)]))).toMatchObject([{ lineTotal: 1000 }]);
  });

  test('a swap costs the difference to the item’s default, even when the default is off the menu', () => {
    const noWhole = aPriceBook({ ...shelf, addons: [{ ...whole, availability: [OFF] }, oat] });
    const cart = cartOf(noWhole, [aLine(latte.id, withAddons({ [oat.id]: 1 }))]);
    expect(linesOf(cart)).toMatchObject([{ addonsTotal: 1200 }]);
  });

  test('a swap cheaper than the default adds zero', () => {
    const plain = { ...latte, defaults: { milk_type: oat.id, coffee_type: null } };
    const cart = cartOf(aPriceBook({ items: [plain], addons }), [
      aLine(plain.id, withAddons({ [whole.id]: 1 })),
    ]);
    expect(linesOf(cart)).toMatchObject([{ addonsTotal: 0, addons: [{ addon: whole, unitPrice: 0 }] }]);
  });

  test('an add-on named twice is one add-on with both quantities', () => {
    const line = aLine(latte.id, {
      addons: [
        { addonItemId: syrup.id, quantity: 1 },
        { addonItemId: shot.id, quantity: 1 },
        { addonItemId: syrup.id, quantity: 2 },
      ],
    });
    expect(priced(line)).toMatchObject([
      {
        addonsTotal: 5100,
        addons: [
          { addon: syrup, quantity: 3, unitPrice: 1200 },
          { addon: shot, quantity: 1, unitPrice: 1500 },
        ],
      },
    ]);
  });

  test('a priced line has its size, also when none was named, its optionals and its notes', () => {
    const line = aLine(latte.id, { optionalFieldIds: ['ice'], notes: 'سكر زيادة' });
    expect(priced(line)).toMatchObject([
      { item: latte, sizeLabel: 'صغير', optionals: [{ field: { id: 'ice' }, price: 0 }], notes: 'سكر زيادة' },
    ]);
    expect(priced(aLine(water.id))).toMatchObject([{ sizeLabel: null }]);
  });

  test('its units count in deals at the size price, with the place of the size in the item', () => {
    const lines = priced(aLine(water.id), aLine(latte.id, { quantity: 2, ...withAddons({ [oat.id]: 1 }) }));
    expect(lines.map((line) => line.dealUnits)).toEqual([
      { line: 0, itemId: water.id, categoryId: null, sizeLabel: '', sizeOrder: 0, price: 1500, quantity: 1 },
      {
        line: 1,
        itemId: latte.id,
        categoryId: 'حار',
        sizeLabel: 'صغير',
        sizeOrder: 1,
        price: 7000,
        quantity: 2,
      },
    ]);
  });

  test('its units count in deals without a category when the category is removed', () => {
    const cart = cartOf(aPriceBook({ ...shelf, categories: [] }), [aLine(latte.id)]);
    expect(linesOf(cart)[0]?.dealUnits?.categoryId).toBeNull();
  });

  test('pricing does not modify the cart', () => {
    const lines = [aLine(latte.id, withAddons({ [syrup.id]: 1 })), aLine(water.id)];
    const before = structuredClone(lines);
    cartOf(book, lines);
    expect(lines).toEqual(before);
  });
});

describe('a malformed line is refused with its path', () => {
  test.each<[string, CartLine, path: string]>([
    ['a size the item has not', aLine(latte.id, { sizeLabel: 'XL' }), 'items[0].size_label'],
    ['a size of an item without sizes', aLine(water.id, { sizeLabel: 'كبير' }), 'items[0].size_label'],
    [
      'an unknown optional',
      aLine(latte.id, { optionalFieldIds: ['ice', 'x'] }),
      'items[0].optional_field_ids[1]',
    ],
    [
      'an optional of another size',
      aLine(latte.id, { optionalFieldIds: ['cup'] }),
      'items[0].optional_field_ids[0]',
    ],
    [
      'an optional without a price here',
      aLine(latte.id, { optionalFieldIds: ['unpriced'] }),
      'items[0].optional_field_ids[0]',
    ],
    [
      'an optional twice',
      aLine(latte.id, { optionalFieldIds: ['ice', 'ice'] }),
      'items[0].optional_field_ids[1]',
    ],
    ['an unknown add-on', aLine(latte.id, withAddons({ x: 1 })), 'items[0].addons[0].addon_item_id'],
    [
      'two milks',
      aLine(latte.id, withAddons({ [oat.id]: 1, [whole.id]: 1 })),
      'items[0].addons[1].addon_item_id',
    ],
    ['a milk twice over', aLine(latte.id, withAddons({ [oat.id]: 2 })), 'items[0].addons[0].quantity'],
    ['picks for a plain item', aMeal(latte.id, [aPick('s', water.id)]), 'items[0].combo'],
  ])('refuses %s', (_, line, path) => expect(faults(line)).toMatchObject(invalid(path)));

  test('refuses a milk that is named twice', () => {
    const entry = { addonItemId: oat.id, quantity: 1 };
    expect(faults(aLine(latte.id, { addons: [entry, entry] }))).toMatchObject(
      invalid('items[0].addons[1].quantity'),
    );
  });

  test('refuses more than 99 units of one add-on, also when it is named twice', () => {
    const entry = { addonItemId: syrup.id, quantity: 50 };
    expect(faults(aLine(latte.id, { addons: [entry, entry] }))).toMatchObject(
      invalid('items[0].addons[1].quantity'),
    );
  });

  test('does not report optionals of another size when the size itself is unknown', () => {
    const line = aLine(latte.id, { sizeLabel: 'XL', optionalFieldIds: ['cup', 'x'] });
    expect(faults(line).map(({ path }) => path)).toEqual([
      'items[0].size_label',
      'items[0].optional_field_ids[1]',
    ]);
  });

  test('refuses a size not sold on the channel, and names the sizes that are', () => {
    const away = price(7000, { sizeLabel: 'صغير', channel: 'outside' });
    const item = { ...latte, prices: [...inSizes({ كبير: 9000 }).prices, away] };
    const cart = cartOf(aPriceBook({ items: [item] }), [aLine(item.id, { sizeLabel: 'صغير' })]);
    expect(faultsOf(cart)).toMatchObject([
      { path: 'items[0].size_label', problem: 'names no size that this item is sold in: ‘كبير’' },
    ]);
  });

  test('refuses a name of two sizes, and takes the label of one that is another size’s translation', () => {
    const sizes = [
      { label: 'صغير', labelTranslations: { en: 'Cup', fr: 'كبير' } },
      { label: 'كبير', labelTranslations: { en: 'Cup' } },
    ];
    const on = aPriceBook({ items: [{ ...latte, sizes }] });
    expect(faultsOf(cartOf(on, [aLine(latte.id, { sizeLabel: 'cup' })]))).toMatchObject([
      { path: 'items[0].size_label', problem: 'names more than one size: ‘صغير’, ‘كبير’' },
    ]);
    expect(linesOf(cartOf(on, [aLine(latte.id, { sizeLabel: 'كبير' })]))).toMatchObject([
      { sizeLabel: 'كبير' },
    ]);
  });

  test('accepts `combo` without picks on a plain item', () =>
    expect(priced(aMeal(water.id, []))).toMatchObject([{ lineTotal: 1500 }]));
});

describe('the stored allowlist is enforced, not the list on the menu', () => {
  const picky = { ...latte, allowedAddonIds: [oat.id, shot.id] };
  const faultsWith = (id: string, sold = addons) =>
    faultsOf(
      cartOf(aPriceBook({ items: [picky], addons: sold }), [aLine(picky.id, withAddons({ [id]: 1 }))]),
    );

  test('only add-ons on the allowlist are accepted', () => {
    expect(faultsWith(oat.id)).toEqual([]);
    expect(faultsWith(syrup.id)).toMatchObject(invalid('items[0].addons[0].addon_item_id'));
  });

  test('no add-on is accepted while the whole allowlist is off', () => {
    const off = [syrup, { ...oat, availability: [OFF] }, { ...shot, isLive: false }];
    expect(faultsWith(syrup.id, off)).toMatchObject(invalid('items[0].addons[0].addon_item_id'));
    expect(faultsWith(shot.id, off)).toMatchObject([{ refusal: 'ADDON_UNAVAILABLE' }]);
  });
});

describe('an unavailable item or add-on is refused by name:', () => {
  test('an item of another shop', () => {
    expect(faults(aLine('another shop’s'))).toEqual([
      {
        path: 'items[0].menu_item_id',
        refusal: 'ITEM_NOT_FOUND',
        figures: { menu_item_id: 'another shop’s' },
        names: {},
      },
    ]);
  });

  test.each<[string, Partial<PlainItem>]>([
    ['sold out', { availability: [SOLD_OUT] }],
    ['switched off', { availability: [OFF] }],
    ['archived', { isLive: false }],
    ['without a price on the channel', { prices: [price(1, { channel: 'outside' })] }],
    ['outside its windows', { windows: [aWindow({ startsAt: 0, endsAt: 60 })] }],
  ])('an item that is %s', (_, why) => {
    const tea = anItem('شاي', why);
    expect(faultsOf(cartOf(aPriceBook({ items: [tea] }), [aLine(tea.id)], { [tea.id]: 7 }))).toEqual([
      {
        path: 'items[0].menu_item_id',
        refusal: 'ITEM_UNAVAILABLE',
        figures: { menu_item_id: tea.id, item: tea.name, available: 0 },
        names: { item: tea.nameTranslations },
      },
    ]);
  });

  test.each([
    ['sold out', { availability: [SOLD_OUT] }],
    ['switched off', { availability: [OFF] }],
    ['archived', { isLive: false }],
    ['without a price on the channel', { prices: [] }],
  ])('an add-on that is %s', (_, why) => {
    const away = aPriceBook({ items: [latte], addons: [{ ...syrup, ...why }] });
    expect(faultsOf(cartOf(away, [aLine(latte.id, withAddons({ [syrup.id]: 1 }))]))).toEqual([
      {
        path: 'items[0].addons[0].addon_item_id',
        refusal: 'ADDON_UNAVAILABLE',
        figures: { addon_item_id: syrup.id, addon: syrup.name, available: 0 },
        names: { addon: syrup.nameTranslations },
      },
    ]);
  });
});

describe('every total fits int32', () => {
  const ring = anItem('خاتم', { prices: [price(HIGHEST_PRICE)] });
  const rest = anItem('باقي', { prices: [price(HIGHEST_TOTAL - 21 * HIGHEST_PRICE)] });
  const dear = aPriceBook({ items: [ring, rest], addons: [{ ...shot, prices: [price(HIGHEST_PRICE)] }] });
  const pathsOf = (...lines: CartLine[]) => faultsOf(cartOf(dear, lines)).map(({ path }) => path);

  test('the highest total is accepted, one piastre more is refused', () => {
    const highest = [aLine(ring.id, { quantity: 21 }), aLine(rest.id)];
    expect(linesOf(cartOf(dear, highest)).reduce((sum, { lineTotal }) => sum + lineTotal, 0)).toBe(
      HIGHEST_TOTAL,
    );
    const free = aPriceBook({ items: [ring, rest, anItem('لب', { prices: [price(1)] })] });
    expect(faultsOf(cartOf(free, [...highest, aLine('لب')]))).toMatchObject(invalid('items[2].quantity'));
  });

  test('one line with the highest total is accepted', () => {
    const crown = anItem('تاج', { prices: [price(HIGHEST_TOTAL)] });
    expect(faultsOf(cartOf(aPriceBook({ items: [crown] }), [aLine(crown.id)]))).toEqual([]);
  });

  test('a line refused for another fault is not reported as too dear', () =>
    expect(pathsOf(aLine(ring.id, { quantity: 22, ...withAddons({ x: 1 }) }))).toEqual([
      'items[0].addons[0].addon_item_id',
    ]));

  test('a line above the highest total is named', () => {
    expect(pathsOf(aLine(rest.id), aLine(ring.id, { quantity: 22 }))).toEqual(['items[1].quantity']);
    expect(pathsOf(aLine(ring.id, { quantity: 999, ...withAddons({ [shot.id]: 99 }) }))).toEqual([
      'items[0].quantity',
    ]);
  });

  test('a cart above the highest total names the first line that exceeds it, once', () => {
    const eleven = aLine(ring.id, { quantity: 11 });
    expect(pathsOf(eleven, eleven, eleven, eleven)).toEqual(['items[1].quantity']);
  });
});

describe('several faults are reported together', () => {
  test('faults are ordered by line, then by field', () => {
    const found = faults(
      aLine('x'),
      aLine(water.id, { sizeLabel: 'XL', optionalFieldIds: ['y'], ...withAddons({ z: 1, [syrup.id]: 1 }) }),
      aLine(latte.id),
      aMeal(latte.id, [aPick('s', 'x')], { ...withAddons({ [oat.id]: 2 }) }),
    );
    expect(found.map(({ path }) => path)).toEqual([
      'items[0].menu_item_id',
      'items[1].size_label',
      'items[1].optional_field_ids[0]',
      'items[1].addons[0].addon_item_id',
      'items[3].addons[0].quantity',
      'items[3].combo',
    ]);
  });

  test('each of 100 faults is reported', () => {
    const lines = Array.from({ length: 100 }, (_, index) => aLine(`x${index}`));
    expect(faultsOf(cartOf(book, lines)).map(({ path }) => path)).toEqual(
      lines.map((_, index) => `items[${index}].menu_item_id`),
    );
  });

  test('an add-on that is unavailable and a second milk gets both faults', () => {
    const on = aPriceBook({ ...shelf, addons: [whole, { ...oat, availability: [OFF] }] });
    const line = aLine(latte.id, withAddons({ [whole.id]: 1, [oat.id]: 1 }));
    const at = 'items[0].addons[1].addon_item_id';
    expect(faultsOf(cartOf(on, [line]))).toMatchObject([
      { path: at, refusal: 'ADDON_UNAVAILABLE' },
      { path: at, refusal: 'INVALID_INPUT' },
    ]);
    const few = faultsOf(cartOf(book, [line], { [oat.id]: 0 }));
    expect(few.map(({ path, refusal }) => [path, refusal])).toEqual([
      [at, 'INVALID_INPUT'],
      ['items[0].addons[1].quantity', 'ADDON_UNAVAILABLE'],
    ]);
  });

  test('an empty cart has no lines and no faults', () => expect(cartOf(book, [])).toEqual({ lines: [] }));
});
