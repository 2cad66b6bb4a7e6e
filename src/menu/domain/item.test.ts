import { describe, expect, test } from 'vitest';
import { itemOnSale, indexAddons } from './item.ts';
import {
  aGroup,
  anAddon,
  anItem,
  DINE_IN,
  inSizes,
  NOON,
  OFF,
  PICKUP,
  price,
  SOLD_OUT,
} from './menu.test-support.ts';
import type { Addon, ModifierGroup, PlainItem } from './menubook.ts';

const onSale = (item: PlainItem, addons: readonly Addon[] = [], point = PICKUP) =>
  itemOnSale(item, indexAddons(addons, point, NOON), point, NOON);

describe('price and sizes', () => {
  test('an item with sizes has the price of its cheapest size on the channel', () => {
    const tea = anItem('شاي', inSizes({ كبير: 3000, صغير: 2000 }));
    const dear = { ...tea, prices: [...tea.prices, price(3500, { sizeLabel: 'صغير', channel: 'pickup' })] };
    expect(onSale(tea)?.price).toBe(2000);
    expect(onSale(dear)).toMatchObject({
      price: 3000,
      sizes: [
        { label: 'كبير', price: 3000 },
        { label: 'صغير', price: 3500 },
      ],
    });
    expect(onSale(dear, [], DINE_IN)?.price).toBe(2000);
  });

  test('a size without a price on the channel is left out, and so is an item without a priced size', () => {
    const channelOnly = { sizeLabel: 'كبير', channel: 'outside' } as const;
    const sizes = inSizes({ صغير: 2000 }).sizes.concat(inSizes({ كبير: 0 }).sizes);
    const some = anItem('شاي', {
      sizes,
      prices: [price(2000, { sizeLabel: 'صغير' }), price(1, channelOnly)],
    });
    expect(onSale(some)?.sizes.map(({ label }) => label)).toEqual(['صغير']);
    expect(onSale({ ...some, prices: [price(1, channelOnly), price(900)] })).toBeNull();
  });

  test('an item without a price on the channel is not on that menu', () => {
    const away = anItem('كشري', { prices: [price(7000, { channel: 'outside' })] });
    expect(onSale(away)).toBeNull();
    expect(onSale(away, [], { ...PICKUP, channel: 'outside' })?.price).toBe(7000);
  });

  test.each([
    ['off', { availability: [OFF] }],
    ['out of stock', { availability: [SOLD_OUT] }],
    ['archived', { isLive: false }],
  ])('an item that is %s is not on the menu', (_, why) => expect(onSale(anItem('x', why))).toBeNull());

  test('an optional is listed if it has a price on the channel and the item has its size', () => {
    const field = (id: string, sizeLabel: string | null, prices = [price(500)]) => ({
      id,
      name: id,
      nameTranslations: {},
      sizeLabel,
      prices,
    });
    const juice = anItem('عصير', {
      ...inSizes({ كبير: 3000 }),
      optionals: [
        field('any', null),
        field('large', 'كبير'),
        field('small', 'صغير'),
        field('unpriced', null, []),
      ],
    });
    expect(onSale(juice)?.optionals.map((optional) => optional.field.id)).toEqual(['any', 'large']);
  });
});

describe('add-ons', () => {
  const whole = anAddon('كامل', { type: 'milk_type', prices: [price(800)] });
  const oat = anAddon('شوفان', { type: 'milk_type', prices: [price(2000)] });
  const water = anAddon('ماء', { type: 'milk_type', prices: [price(0)] });
  const syrup = anAddon('شراب', { prices: [price(1200)] });
  const all = [whole, oat, water, syrup];
  const latte = anItem('لاتيه', { defaults: { milk_type: whole.id, coffee_type: null } });
  const charges = (item: PlainItem, addons: readonly Addon[]) =>
    Object.fromEntries(onSale(item, addons)?.addonCharges ?? []);

  test('a swap costs its price minus the price of the default, at least zero; an extra costs its price', () => {
    expect(charges(latte, all)).toEqual({ [whole.id]: 0, [oat.id]: 1200, [water.id]: 0, [syrup.id]: 1200 });
  });

  test('a default of another add-on type is ignored', () => {
    const black = { ...latte, defaults: { milk_type: syrup.id, coffee_type: whole.id } };
    expect(charges(black, all)).toEqual({ [whole.id]: 800, [oat.id]: 2000, [water.id]: 0, [syrup.id]: 1200 });
    expect(onSale(black, all)?.defaults).toEqual({ milk_type: null, coffee_type: null });
  });

  test.each([
    ['off on the channel', { availability: [OFF] }],
    ['archived', { isLive: false }],
  ])('a default that is %s is not named, but its price is still subtracted', (_, why) => {
    const addons = [{ ...whole, ...why }, oat];
    expect(onSale(latte, addons)?.defaults.milk_type).toBeNull();
    expect(charges(latte, addons)).toEqual({ [oat.id]: 1200 });
  });

  test('a default without a price on the channel subtracts nothing', () => {
    expect(charges(latte, [{ ...whole, prices: [] }, oat])).toEqual({ [oat.id]: 2000 });
  });

  test('a sold-out default is still named, and keeps its charge', () => {
    const addons = [{ ...whole, availability: [SOLD_OUT] }, oat];
    expect(onSale(latte, addons)?.defaults.milk_type).toBe(whole.id);
    expect(indexAddons(addons, PICKUP, NOON).onSale.get(whole.id)?.isAvailable).toBe(false);
    expect(charges(latte, addons)).toEqual({ [whole.id]: 0, [oat.id]: 1200 });
  });

  test('an allowlist loses the add-ons off the menu, but keeps its ids when it would become empty', () => {
    const picky = { ...latte, allowedAddonIds: [oat.id, syrup.id] };
    expect(onSale(picky, [whole, oat])?.allowedAddonIds).toEqual([oat.id]);
    expect(charges(picky, [whole, oat])).toEqual({ [oat.id]: 1200 });
    expect(onSale(picky, [whole])?.allowedAddonIds).toEqual([oat.id, syrup.id]);
    expect(charges(picky, [whole])).toEqual({});
  });

  test('an item with groups has charges on the options of its groups only', () => {
    const item = onSale({ ...latte, groups: [aGroup('اللبن', [oat.id, syrup.id])] }, all);
    expect(item?.addonCharges).toBeNull();
    expect(item?.groups[0]?.options).toMatchObject([
      { addon: oat, price: 2000, charge: 1200 },
      { addon: syrup, price: 1200, charge: 1200 },
    ]);
  });
});

describe('a required group that cannot reach its minimum takes the item off the menu', () => {
  const milk = (id: string, addon: Partial<Addon> = {}) => anAddon(id, { type: 'milk_type', ...addon });
  const coffee = (id: string) => anAddon(id, { type: 'coffee_type' });
  const many = { selectionType: 'multi', maxSelections: null } as const;
  const off = { availability: [OFF] };
  const soldOut = { availability: [SOLD_OUT] };

  test.each<[string, Partial<ModifierGroup>, Addon[], onMenu: boolean]>([
    ['one available option', {}, [milk('a')], true],
    ['all options off', {}, [milk('a', off)], false],
    ['all options sold out', {}, [milk('a', soldOut)], false],
    ['one sold out, one there', {}, [milk('a', soldOut), milk('b')], true],
    ['all off, not required', { isRequired: false, minSelections: 0 }, [milk('a', off)], true],
    ['all off, not required, a minimum once chosen', { isRequired: false }, [milk('a', off)], true],
    ['all off, required with minimum 0', { minSelections: 0 }, [milk('a', off)], false],
    ['two of one extra, by quantity', { ...many, minSelections: 2 }, [anAddon('a')], true],
    ['two of one milk: one per line', { ...many, minSelections: 2 }, [milk('a'), milk('b')], false],
    ['one milk and one coffee', { ...many, minSelections: 2 }, [milk('a'), coffee('b')], true],
    ['a milk and an extra', { ...many, minSelections: 3 }, [milk('a'), anAddon('b')], true],
  ])('%s', (_, group, addons, onMenu) => {
    const item = anItem('لاتيه', {
      groups: [
        aGroup(
          'g',
          addons.map(({ id }) => id),
          group,
        ),
      ],
    });
    expect(onSale(item, addons) !== null).toBe(onMenu);
  });

  test('a group whose options are all off stays as an empty group; sold-out options stay listed', () => {
    const optional = { isRequired: false, minSelections: 0 };
    const item = anItem('لاتيه', {
      groups: [aGroup('g', ['off', 'unknown'], optional), aGroup('h', ['out'], optional)],
    });
    expect(onSale(item, [anAddon('off', off), anAddon('out', soldOut)])?.groups).toMatchObject([
      { group: { id: 'g' }, options: [] },
      { group: { id: 'h' }, options: [{ isAvailable: false }] },
    ]);
  });
});
