import { describe, expect, test } from 'vitest';
import type { CartLine, ComboPick } from '../cart.ts';
import {
  aLine,
  aMeal,
  aPick,
  aPriceBook,
  cartOf,
  faultsOf,
  linesOf,
  withAddons,
} from '../cart.test-support.ts';
import {
  aChoice,
  aCombo,
  aGroup,
  anAddon,
  anItem,
  aSlot,
  aWindow,
  DINE_IN,
  everywhere,
  inSizes,
  OFF,
  price,
  SOLD_OUT,
} from '../../../menu/domain/menu.test-support.ts';
import type { Combo } from '../../../menu/domain/menubook.ts';
import { HIGHEST_PRICE } from '../../../kernel/money.ts';

const cheese = anAddon('جبنة', { prices: [price(1500)] });
const ice = { id: 'ice', name: 'ثلج', nameTranslations: {}, sizeLabel: null, prices: [price(100)] };

const burger = anItem('برجر', { prices: [price(9000)] });
const fries = anItem('بطاطس', inSizes({ صغير: 3000, وسط: 4000, كبير: 4500 }));
const cola = anItem('كولا', { prices: [price(2500)], optionals: [ice] });
const juice = anItem('عصير', inSizes({ كبير: 5000, صغير: 3500 }));

const main = aSlot('main', [aChoice(burger.id)], { sort: 1 });
const side = aSlot('side', [aChoice(fries.id, { includedSizeLabel: 'وسط' })], { sort: 2 });
const drink = aSlot(
  'drink',
  [
    aChoice(cola.id),
    aChoice(juice.id, { includedSizeLabel: 'صغير', surcharge: 500, sizeExtras: new Map([['كبير', 900]]) }),
  ],
  { sort: 3, max: 2 },
);
const meal = aCombo('وجبة', [main, side, drink], { prices: [price(12_000)] });
const shelf = { items: [meal, burger, fries, cola, juice], addons: [cheese] };
const book = aPriceBook(shelf);

const withDrink = (...drinks: readonly ComboPick[]): readonly ComboPick[] => [
  aPick('main', burger.id),
  aPick('side', fries.id),
  ...drinks,
];
const aCola = aPick('drink', cola.id);
const priced = (line: CartLine) => linesOf(cartOf(book, [line]))[0];
const faults = (line: CartLine, on = book) => faultsOf(cartOf(on, [line]));

describe('a combo costs its price, surcharges, size extras and add-ons', () => {
  test('a combo of included sizes costs its price, split over its parts by their included prices', () => {
    expect(priced(aMeal(meal.id, withDrink(aCola)))).toMatchObject({
      unitPrice: 0,
      addonsTotal: 0,
      lineTotal: 12_000,
      sizeLabel: null,
      dealUnits: null,
      combo: {
        price: 12_000,
        unitTotal: 12_000,
        savingUnit: 9000 + 4000 + 2500 - 12_000,
        parts: [
          { slot: main, item: burger, sizeLabel: null, quantity: 1, unitPrice: 9000, comboShare: 6968 },
          { slot: side, item: fries, sizeLabel: 'وسط', quantity: 1, unitPrice: 4000, comboShare: 3097 },
          { slot: drink, item: cola, sizeLabel: null, quantity: 1, unitPrice: 2500, comboShare: 1935 },
        ],
      },
    });
  });

  test.each<[string, ComboPick, extra: number, singly: number]>([
    ['the included size, named', aPick('side', fries.id, { sizeLabel: 'وسط' }), 0, 4000],
    ['a larger one: what it costs more', aPick('side', fries.id, { sizeLabel: 'كبير' }), 500, 4500],
    ['a smaller one gives nothing back', aPick('side', fries.id, { sizeLabel: 'صغير' }), 0, 3000],
  ])('prices %s', (_, pick, extra, singly) => {
    const line = priced(aMeal(meal.id, [aPick('main', burger.id), pick, aCola]));
    expect(line?.lineTotal).toBe(12_000 + extra);
    expect(line?.combo).toMatchObject({
      unitTotal: 12_000 + extra,
      savingUnit: 9000 + singly + 2500 - 12_000 - extra,
      parts: [
        {},
        { sizeLabel: pick.sizeLabel, unitPrice: singly, comboShare: 3097, comboSurcharge: extra },
        {},
      ],
    });
  });

  test('a surcharge and a listed size extra are added', () => {
    const large = aPick('drink', juice.id, { sizeLabel: 'كبير' });
    expect(priced(aMeal(meal.id, withDrink(large)))?.combo).toMatchObject({
      unitTotal: 13_400,
      savingUnit: 9000 + 4000 + 5000 - 13_400,
      parts: [{}, {}, { unitPrice: 5000, comboSurcharge: 1400 }],
    });
  });

  test('a combo dearer than its parts has a negative saving', () => {
    const dear = aPriceBook({
      ...shelf,
      items: [{ ...meal, prices: [price(20_000)] }, burger, fries, cola, juice],
    });
    expect(linesOf(cartOf(dear, [aMeal(meal.id, withDrink(aCola))]))[0]?.combo?.savingUnit).toBe(-4500);
  });

  test('a quantity of three multiplies the price, the shares and the picks of one combo', () => {
    const picks = withDrink(aPick('drink', juice.id, { quantity: 2 }));
    const line = priced(aMeal(meal.id, picks, { quantity: 3 }));
    expect(line).toMatchObject({
      quantity: 3,
      lineTotal: 39_000,
      combo: { price: 12_000, unitTotal: 13_000 },
    });
    expect(line?.combo?.parts).toMatchObject([
      { quantity: 3, comboShare: 3 * 5400, comboSurcharge: 0, lineTotal: 16_200 },
      { quantity: 3, comboShare: 3 * 2400, comboSurcharge: 0, lineTotal: 7200 },
      { quantity: 6, comboShare: 3 * 4200, comboSurcharge: 3000, lineTotal: 15_600 },
    ]);
  });

  test('add-ons and optionals of a part are added for every unit of the part', () => {
    const picks = [
      aPick('main', burger.id, withAddons({ [cheese.id]: 2 })),
      aPick('side', fries.id),
      aPick('drink', cola.id, { quantity: 2, optionalFieldIds: ['ice'], notes: 'بدون شفاطة' }),
    ];
    const line = priced(aMeal(meal.id, picks, { quantity: 2, notes: 'للأطفال' }));
    expect(line).toMatchObject({ addonsTotal: 3200, lineTotal: 2 * 15_200, notes: 'للأطفال' });
    expect(line?.combo).toMatchObject({
      unitTotal: 12_000,
      savingUnit: 9000 + 4000 + 5000 - 12_000,
      parts: [
        { addonsTotal: 6000, addons: [{ addon: cheese, quantity: 2, unitPrice: 1500 }] },
        { addonsTotal: 0 },
        { addonsTotal: 400, optionals: [{ field: ice, price: 100 }], notes: 'بدون شفاطة' },
      ],
    });
  });

  test('parts are ordered by sort and id of their slot, then as sent', () => {
    const item = (id: string) => anItem(id, { prices: [price(1000)] });
    const of = (id: string, sort: number) => aSlot(id, [aChoice('x'), aChoice('y')], { sort, max: 2 });
    const combo = aCombo('c', [of('b', 1), of('z', 0), of('a', 1)], { prices: [price(100)] });
    const sent = [aPick('b', 'y'), aPick('a', 'y'), aPick('b', 'x'), aPick('z', 'x')];
    const cart = cartOf(aPriceBook({ items: [combo, item('x'), item('y')] }), [aMeal('c', sent)]);
    expect(
      linesOf(cart)[0]?.combo?.parts.map((part) => [part.slot.id, part.item.id, part.comboShare]),
    ).toEqual([
      ['z', 'x', 25],
      ['a', 'y', 25],
      ['b', 'y', 25],
      ['b', 'x', 25],
    ]);
  });

  test('items with a price of zero share the price equally', () => {
    const free = (id: string) => anItem(id, { prices: [price(0)] });
    const combo = aCombo('c', [aSlot('1', [aChoice('x')]), aSlot('2', [aChoice('y')])], {
      prices: [price(101)],
    });
    const cart = cartOf(aPriceBook({ items: [combo, free('x'), free('y')] }), [
      aMeal('c', [aPick('1', 'x'), aPick('2', 'y')]),
    ]);
    expect(linesOf(cart)[0]?.combo?.parts.map((part) => part.comboShare)).toEqual([51, 50]);
  });

  test('a combo has the price of the channel', () => {
    const items = [
      { ...meal, prices: [...meal.prices, price(13_000, { channel: 'pickup' })] },
      burger,
      fries,
      cola,
      juice,
    ];
    const line = [aMeal(meal.id, withDrink(aCola))];
    expect(linesOf(cartOf(aPriceBook({ items }), line))[0]?.lineTotal).toBe(13_000);
    expect(linesOf(cartOf(aPriceBook({ items }, DINE_IN), line))[0]?.lineTotal).toBe(12_000);
  });
});

describe('picks are checked slot by slot', () => {
  const picks = 'items[0].combo.picks';
  const slotOf = (slot: { id: string; name: string }) => ({ slot_id: slot.id, slot: slot.name });

  test.each<[string, CartLine, unknown]>([
    ['no picks', aLine(meal.id), { path: 'items[0].combo', refusal: 'COMBO_PICKS_REQUIRED' }],
    [
      'an empty list of picks',
      aMeal(meal.id, []),
      { path: 'items[0].combo', refusal: 'COMBO_PICKS_REQUIRED' },
    ],
    [
      'a slot left empty',
      aMeal(meal.id, withDrink()),
      { path: picks, refusal: 'COMBO_SLOT_TOO_FEW', figures: { ...slotOf(drink), min: 1, got: 0 } },
    ],
    [
      'a slot overfilled by quantity',
      aMeal(meal.id, withDrink({ ...aCola, quantity: 3 })),
      { path: picks, refusal: 'COMBO_SLOT_TOO_MANY', figures: { ...slotOf(drink), max: 2, got: 3 } },
    ],
    [
      'a slot overfilled by several picks',
      aMeal(meal.id, withDrink(aCola, aCola, aPick('drink', juice.id))),
      { path: picks, refusal: 'COMBO_SLOT_TOO_MANY', figures: { ...slotOf(drink), max: 2, got: 3 } },
    ],
    [
      'a slot of no combo of ours',
      aMeal(meal.id, withDrink(aCola, aPick('x', cola.id))),
      {
        path: `${picks}[3].slot_id`,
        refusal: 'COMBO_CHOICE_NOT_ALLOWED',
        figures: { slot_id: 'x', menu_item_id: cola.id },
      },
    ],
    [
      'an item of another slot',
      aMeal(meal.id, withDrink(aPick('drink', fries.id))),
      {
        path: `${picks}[2].menu_item_id`,
        refusal: 'COMBO_CHOICE_NOT_ALLOWED',
        figures: { slot_id: 'drink', menu_item_id: fries.id },
      },
    ],
    [
      'an unknown item',
      aMeal(meal.id, withDrink(aPick('drink', 'another shop’s'))),
      {
        path: `${picks}[2].menu_item_id`,
        refusal: 'COMBO_CHOICE_NOT_ALLOWED',
        figures: { slot_id: 'drink', menu_item_id: 'another shop’s' },
      },
    ],
    [
      'a combo inside the combo',
      aMeal(meal.id, withDrink(aPick('drink', meal.id))),
      { path: `${picks}[2].menu_item_id`, refusal: 'COMBO_NESTED', figures: {} },
    ],
    [
      'a size the choice has not',
      aMeal(meal.id, withDrink(aPick('drink', cola.id, { sizeLabel: 'كبير' }))),
      { path: `${picks}[2].size_label`, refusal: 'INVALID_INPUT' },
    ],
    [
      'an add-on of nobody’s',
      aMeal(meal.id, withDrink(aPick('drink', cola.id, withAddons({ x: 1 })))),
      { path: `${picks}[2].addons[0].addon_item_id`, refusal: 'INVALID_INPUT' },
    ],
    [
      'an optional of another item',
      aMeal(meal.id, withDrink(aPick('drink', juice.id, { optionalFieldIds: ['ice'] }))),
      { path: `${picks}[2].optional_field_ids[0]`, refusal: 'INVALID_INPUT' },
    ],
  ])('reports %s', (_, line, fault) => {
    const found = faults(line);
    expect(found).toMatchObject([fault]);
  });

  test('size, optionals and add-ons of the combo itself are refused', () => {
    const line = aMeal(meal.id, withDrink(aCola), {
      sizeLabel: 'كبير',
      optionalFieldIds: ['ice'],
      ...withAddons({ [cheese.id]: 1 }),
    });
    expect(faults(line).map(({ path }) => path)).toEqual([
      'items[0].size_label',
      'items[0].optional_field_ids',
      'items[0].addons',
    ]);
    expect(faults(aMeal(meal.id, withDrink(aCola), { sizeLabel: '' }))).toEqual([]);
  });

  test('the modifier groups of a part are enforced', () => {
    const grouped = { ...burger, groups: [aGroup('الجبنة', [cheese.id])] };
    const on = aPriceBook({ ...shelf, items: [meal, grouped, fries, cola, juice] });
    expect(faults(aMeal(meal.id, withDrink(aCola)), on)).toMatchObject([
      {
        path: `${picks}[0].addons`,
        refusal: 'MODIFIER_TOO_FEW',
        figures: { group_id: 'الجبنة', min: 1, got: 0 },
      },
    ]);
    const withCheese = aPick('main', burger.id, withAddons({ [cheese.id]: 1 }));
    expect(faults(aMeal(meal.id, [withCheese, aPick('side', fries.id), aCola]), on)).toEqual([]);
  });

  test('a slot with a minimum of zero can stay empty', () => {
    const optional = { ...meal, slots: [main, { ...side, min: 0 }, drink] };
    const on = aPriceBook({ ...shelf, items: [optional, burger, fries, cola, juice] });
    expect(faults(aMeal(meal.id, [aPick('main', burger.id), aCola]), on)).toEqual([]);
  });
});

describe('an unavailable combo', () => {
  const refused = (field: string, reason: string, available: number) => [
    {
      path: `items[0].${field}`,
      refusal: 'COMBO_UNAVAILABLE',
      figures: { combo_id: meal.id, combo: meal.name, reason, available },
      names: { combo: meal.nameTranslations },
    },
  ];

  test.each<[string, Partial<Combo>, reason: string]>([
    ['archived', { isLive: false }, 'off'],
    ['switched off at the branch', { availability: [OFF] }, 'off'],
    ['not for this channel', { sell: { ...everywhere, online: false } }, 'off'],
    ['without a price on it', { prices: [price(1, { channel: 'outside' })] }, 'no_price'],
    ['sold out', { availability: [SOLD_OUT] }, 'sold_out'],
    ['outside its windows', { windows: [aWindow({ startsAt: 0, endsAt: 60 })] }, 'outside_hours'],
    ['with a slot that nothing can fill', { slots: [aSlot('x', [])] }, 'no_choice'],
  ])('%s has its reason', (_, why, reason) => {
    const off = aPriceBook({ ...shelf, items: [{ ...meal, ...why }, burger, fries, cola, juice] });
    expect(faults(aMeal(meal.id, withDrink(aCola)), off)).toEqual(refused('menu_item_id', reason, 0));
  });

  test.each([
    [0, 'sold_out'],
    [1, 'too_few_left'],
  ])('with %i left of two has its reason', (left, reason) => {
    const cart = cartOf(book, [aMeal(meal.id, withDrink(aCola), { quantity: 2 })], { [meal.id]: left });
    expect(faultsOf(cart)).toEqual(refused('quantity', reason, left));
  });

  test('an unavailable choice is refused by name', () => {
    const off = aPriceBook({
      ...shelf,
      items: [meal, burger, fries, { ...cola, availability: [SOLD_OUT] }, juice],
    });
    expect(faults(aMeal(meal.id, withDrink(aCola)), off)).toEqual([
      {
        path: 'items[0].combo.picks[2].menu_item_id',
        refusal: 'COMBO_ITEM_UNAVAILABLE',
        figures: { menu_item_id: cola.id, item: cola.name },
        names: { item: cola.nameTranslations },
      },
    ]);
  });
});

test('a choice whose included size is not sold on the channel is refused, although the item is sold', () => {
  const noMedium = { ...fries, prices: fries.prices.filter(({ sizeLabel }) => sizeLabel !== 'وسط') };
  const slots = [main, { ...side, min: 0 }, drink];
  const on = aPriceBook({ ...shelf, items: [{ ...meal, slots }, burger, noMedium, cola, juice] });
  expect(faults(aMeal(meal.id, withDrink(aCola)), on)).toMatchObject([
    { path: 'items[0].combo.picks[1].menu_item_id', refusal: 'COMBO_ITEM_UNAVAILABLE' },
  ]);
  expect(faults(aLine(fries.id), on)).toEqual([]);
});

test('picks whose single prices exceed int32 are refused', () => {
  const ring = anItem('خاتم', { prices: [price(HIGHEST_PRICE)] });
  const box = aCombo('علبة', [aSlot('rings', [aChoice(ring.id)], { max: 50 })], { prices: [price(100)] });
  const rings = (quantity: number) => aMeal(box.id, [aPick('rings', ring.id, { quantity })]);
  const on = aPriceBook({ items: [box, ring] });
  expect(faults(rings(21), on)).toEqual([]);
  expect(faults(rings(22), on)).toMatchObject([{ path: 'items[0].combo.picks', refusal: 'INVALID_INPUT' }]);
});
