import { describe, expect, test } from 'vitest';
import type { OnSaleCombo } from './combo.ts';
import { onSale } from './menu.ts';
import {
  aBook,
  aChoice,
  aCombo,
  anItem,
  aSlot,
  aWindow,
  DINE_IN,
  everywhere,
  inSizes,
  NOON,
  OFF,
  PICKUP,
  price,
  SOLD_OUT,
} from './menu.test-support.ts';
import type { Combo, MenuItem } from './menubook.ts';
import type { SalePoint } from './price.ts';

const burger = anItem('برجر', { prices: [price(9000)] });
const fries = anItem('بطاطس', inSizes({ صغير: 3000, وسط: 4000, كبير: 4500 }));
const cola = anItem('كولا', { prices: [price(2500)] });
const tea = anItem('شاي', { prices: [price(2000)] });

const sideSlot = aSlot('side', [aChoice(fries.id, { includedSizeLabel: 'وسط' })]);
const drinkSlot = aSlot('drink', [aChoice(cola.id, { surcharge: 500 }), aChoice(tea.id)], {
  defaultItemId: cola.id,
});
const meal = aCombo('وجبة', [aSlot('main', [aChoice(burger.id)]), sideSlot, drinkSlot]);

const comboIn = (items: readonly MenuItem[], point: SalePoint = PICKUP): OnSaleCombo | null =>
  onSale(aBook({ items }), point, NOON).entries.find((entry) => entry.kind === 'combo') ?? null;
const withMeal = (combo: Combo, ...items: MenuItem[]): MenuItem[] => [combo, ...items];
const slotOf = (combo: OnSaleCombo | null, id: string) => combo?.slots.find(({ slot }) => slot.id === id);

describe('a combo on the menu', () => {
  test('has its own price on the channel', () => {
    const dear = { ...meal, prices: [price(11_000), price(12_000, { channel: 'pickup' })] };
    expect(comboIn(withMeal(dear, burger, fries, cola, tea))?.price).toBe(12_000);
    expect(comboIn(withMeal(dear, burger, fries, cola, tea), DINE_IN)?.price).toBe(11_000);
  });

  test.each<[string, Partial<Combo>, pickup: boolean, dineIn: boolean]>([
    ['switched on everywhere', {}, true, true],
    ['off online', { sell: { ...everywhere, online: false } }, false, true],
    ["off at the table's QR", { sell: { ...everywhere, qr: false } }, true, false],
    [
      'off at the till and in aggregators',
      { sell: { ...everywhere, pos: false, delivery: false } },
      true,
      true,
    ],
    ['outside its windows', { windows: [aWindow({ startsAt: 0, endsAt: 60 })] }, false, false],
    ['without a price', { prices: [] }, false, false],
    ['priced for pickup alone', { prices: [price(1, { channel: 'pickup' })] }, true, false],
    ['sold out', { availability: [SOLD_OUT] }, false, false],
    ['archived', { isLive: false }, false, false],
  ])('is shown or hidden when it is %s', (_, combo, pickup, dineIn) => {
    const items = withMeal({ ...meal, ...combo }, burger, fries, cola, tea);
    expect(comboIn(items) !== null).toBe(pickup);
    expect(comboIn(items, DINE_IN) !== null).toBe(dineIn);
  });

  test('needs an available choice in every slot that requires a pick', () => {
    const noBurger = { ...burger, availability: [SOLD_OUT] };
    expect(comboIn(withMeal(meal, noBurger, fries, cola, tea))).toBeNull();
    const mayLack = { ...meal, slots: [aSlot('main', [aChoice(burger.id)], { min: 0 }), drinkSlot] };
    expect(comboIn(withMeal(mayLack, noBurger, cola, tea))?.slots.map(({ slot }) => slot.id)).toEqual([
      'main',
      'drink',
    ]);
  });
});

describe('choices', () => {
  test('a size adds its price minus the price of the included size, at least zero', () => {
    expect(slotOf(comboIn(withMeal(meal, burger, fries, cola, tea)), 'side')?.choices).toMatchObject([
      {
        available: true,
        basePrice: 4000,
        includedSizeLabel: 'وسط',
        sizes: [
          { label: 'صغير', price: 3000, extra: 0 },
          { label: 'وسط', price: 4000, extra: 0 },
          { label: 'كبير', price: 4500, extra: 500 },
        ],
      },
    ]);
  });

  test('an extra listed by the owner replaces the difference; the included size adds nothing', () => {
    const sizeExtras = new Map([
      ['كبير', 300],
      ['وسط', 999],
    ]);
    const listed = aSlot('side', [aChoice(fries.id, { includedSizeLabel: 'وسط', sizeExtras })]);
    const combo = comboIn(withMeal({ ...meal, slots: [listed] }, fries));
    expect(slotOf(combo, 'side')?.choices[0]?.sizes.map(({ extra }) => extra)).toEqual([0, 0, 300]);
  });

  test('an item without sizes has no included size; otherwise the cheapest size is included by default', () => {
    const combo = comboIn(
      withMeal({ ...meal, slots: [aSlot('s', [aChoice(cola.id), aChoice(fries.id)])] }, cola, fries),
    );
    expect(combo?.slots[0]?.choices).toMatchObject([
      { basePrice: 2500, includedSizeLabel: '', sizes: [] },
      { basePrice: 3000, includedSizeLabel: 'صغير', sizes: [{ extra: 0 }, { extra: 1000 }, { extra: 1500 }] },
    ]);
  });

  test.each([
    ['sold out', { ...cola, availability: [SOLD_OUT] }, 2500],
    ['off', { ...cola, availability: [OFF] }, 2500],
    ['archived', { ...cola, isLive: false }, 2500],
    ['outside its windows', { ...cola, windows: [aWindow({ startsAt: 0, endsAt: 60 })] }, 2500],
    ['without a price on the channel', { ...cola, prices: [price(1, { channel: 'outside' })] }, 0],
    ['itself a combo', aCombo(cola.id, []), 0],
  ])('a choice that is %s stays as not available and is never the default', (_, unavailable, basePrice) => {
    const slot = slotOf(comboIn(withMeal(meal, burger, fries, unavailable, tea)), 'drink');
    expect(slot?.choices).toMatchObject([
      { item: { id: cola.id }, available: false, basePrice, sizes: [], surcharge: 500 },
      { item: { id: tea.id }, available: true },
    ]);
    expect(slot?.defaultItemId).toBeNull();
  });

  test('a choice whose included size is not sold on the channel is not available', () => {
    const someSizes = {
      ...fries,
      prices: fries.prices.filter(({ sizeLabel }) => sizeLabel !== 'وسط'),
    };
    const optional = { ...sideSlot, min: 0 };
    const combo = comboIn(withMeal({ ...meal, slots: [optional] }, someSizes));
    expect(slotOf(combo, 'side')?.choices).toMatchObject([
      { available: false, basePrice: 0, includedSizeLabel: 'وسط', sizes: [] },
    ]);
  });

  test('an unavailable choice keeps the price of its included size', () => {
    const combo = comboIn(
      withMeal({ ...meal, slots: [{ ...sideSlot, min: 0 }] }, { ...fries, availability: [OFF] }),
    );
    expect(slotOf(combo, 'side')?.choices).toMatchObject([{ available: false, basePrice: 4000, sizes: [] }]);
  });

  test('the default and its size are named while they are available', () => {
    const side = { ...sideSlot, defaultItemId: fries.id, defaultSizeLabel: 'كبير' };
    const items = withMeal({ ...meal, slots: [side] }, fries);
    expect(comboIn(items)?.slots[0]).toMatchObject({ defaultItemId: fries.id, defaultSizeLabel: 'كبير' });
    const noLarge = { ...fries, prices: fries.prices.filter(({ sizeLabel }) => sizeLabel !== 'كبير') };
    expect(comboIn(withMeal({ ...meal, slots: [side] }, noLarge))?.slots[0]).toMatchObject({
      defaultItemId: fries.id,
      defaultSizeLabel: null,
    });
  });
});

describe('a combo is fixed when each slot has one choice, whatever its sizes', () => {
  test.each<[string, Combo['slots'], boolean]>([
    ['one choice each', [aSlot('a', [aChoice(burger.id)]), aSlot('b', [aChoice(cola.id)])], true],
    ['two of the one choice', [aSlot('a', [aChoice(cola.id)], { min: 2, max: 2 })], true],
    ['a choice between two', [drinkSlot], false],
    ['one or two', [aSlot('a', [aChoice(cola.id)], { max: 2 })], false],
    ['an optional slot', [aSlot('a', [aChoice(cola.id)], { min: 0 }), aSlot('b', [aChoice(tea.id)])], false],
    ['a size to choose', [sideSlot], true],
  ])('%s', (_, slots, isFixed) => {
    expect(comboIn(withMeal({ ...meal, slots }, burger, fries, cola, tea))?.isFixed).toBe(isFixed);
  });
});
