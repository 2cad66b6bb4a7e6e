import { describe, expect, test } from 'vitest';
import { menuValidUntil, onSale, soldOutAt } from './menu.ts';
import {
  aBook,
  aCategory,
  aChoice,
  aCombo,
  aDeal,
  aGroup,
  anAddon,
  anItem,
  aSlot,
  availability,
  aWindow,
  everywhere,
  inSizes,
  NOON,
  OFF,
  PICKUP,
  price,
  SOLD_OUT,
} from './menu.test-support.ts';
import type { MenuBook } from './menubook.ts';

const HOUR = 3_600_000;
const ids = (book: MenuBook) => onSale(book, PICKUP, NOON).entries.map(({ item }) => item.id);

describe('categories and order', () => {
  test('items are ordered by category, then by their own order; items without a category come last', () => {
    const items = [
      anItem('عام'),
      anItem('كنافة', { categoryId: 'sweet' }),
      anItem('شاي', { categoryId: 'hot' }),
      aCombo('فطار', [], { categoryId: 'hot' }),
      anItem('قهوة', { categoryId: 'hot' }),
    ];
    const book = aBook({ categories: [aCategory('hot'), aCategory('sweet')], items });
    expect(ids(book)).toEqual(['شاي', 'فطار', 'قهوة', 'كنافة', 'عام']);
  });

  test('a category without items on sale is left out; an archived category is ignored', () => {
    const items = [
      anItem('شاي', { categoryId: 'hot', availability: [OFF] }),
      anItem('قهوة', { categoryId: 'gone' }),
    ];
    const menu = onSale(aBook({ categories: [aCategory('hot')], items }), PICKUP, NOON);
    expect(menu.categories).toEqual([]);
    expect(menu.entries).toMatchObject([{ item: { id: 'قهوة' }, categoryId: null }]);
  });
});

describe('add-ons', () => {
  test('an add-on that is off or unpriced is left out; a sold-out add-on stays as not available', () => {
    const addons = [
      anAddon('on'),
      anAddon('out', { availability: [SOLD_OUT] }),
      anAddon('snoozed', { availability: [availability({ soldOutUntil: NOON + HOUR })] }),
      anAddon('off', { availability: [availability({ branchId: null, channel: 'pickup', isOn: false })] }),
      anAddon('gone', { isLive: false }),
      anAddon('unpriced', { prices: [price(1, { channel: 'outside' })] }),
    ];
    expect(
      onSale(aBook({ addons }), PICKUP, NOON).addons.map(({ addon, isAvailable }) => [addon.id, isAvailable]),
    ).toEqual([
      ['on', true],
      ['out', false],
      ['snoozed', false],
    ]);
  });
});

describe('meal links', () => {
  const fries = anItem('بطاطس', inSizes({ صغير: 3000, كبير: 4000 }));
  const burger = anItem('برجر', { meal: { comboId: 'وجبة', slotId: 'main' } });
  const slots = [aSlot('main', [aChoice('برجر')]), aSlot('side', [aChoice('بطاطس')])];
  const combo = aCombo('وجبة', slots);
  const mealWith = (...items: MenuBook['items'][number][]) =>
    onSale(aBook({ items }), PICKUP, NOON).entries.flatMap((entry) =>
      entry.kind === 'item' && entry.item.id === 'برجر' ? [entry.meal] : [],
    )[0];

  test('a meal link is shown while its item and its combo are on the menu', () => {
    expect(mealWith(burger, fries, combo)).toEqual({ comboId: 'وجبة', slotId: 'main' });
  });

  test.each([
    [
      'the combo is switched off online',
      [burger, fries, { ...combo, sell: { ...everywhere, online: false } }],
    ],
    ['another slot of the combo cannot be filled', [burger, { ...fries, availability: [SOLD_OUT] }, combo]],
    [
      'the slot does not take the item',
      [{ ...burger, meal: { comboId: 'وجبة', slotId: 'side' } }, fries, combo],
    ],
    ['the slot is none of the combo', [{ ...burger, meal: { comboId: 'وجبة', slotId: 'x' } }, fries, combo]],
    ['the combo is unknown', [{ ...burger, meal: { comboId: 'x', slotId: 'main' } }, fries, combo]],
  ])('a meal link is not shown when %s', (_, items) => expect(mealWith(...items)).toBeNull());
});

test('an add-on that leaves the menu removes the item, combo, meal link, category and deal that need it', () => {
  const milk = anAddon('لبن', { type: 'milk_type' });
  const latte = anItem('لاتيه', { categoryId: 'hot', groups: [aGroup('g', [milk.id])] });
  const cake = anItem('كيك', { categoryId: 'sweet', meal: { comboId: 'فطار', slotId: 'sweet' } });
  const breakfast = aCombo('فطار', [aSlot('hot', [aChoice('لاتيه')]), aSlot('sweet', [aChoice('كيك')])]);
  const deals = [aDeal('d', { pool: [{ categoryId: 'hot', menuItemId: null, sizeLabel: null }] })];
  const categories = [aCategory('hot'), aCategory('sweet')];
  const book = aBook({ categories, items: [latte, cake, breakfast], addons: [milk], deals });
  const shape = (b: MenuBook) => {
    const menu = onSale(b, PICKUP, NOON);
    return {
      items: menu.entries.map(({ item }) => item.id),
      categories: menu.categories.map(({ id }) => id),
      meals: menu.entries.flatMap((entry) =>
        entry.kind === 'item' && entry.meal !== null ? [entry.item.id] : [],
      ),
      deals: menu.deals.map(({ id }) => id),
    };
  };
  expect(shape(book)).toEqual({
    items: ['لاتيه', 'كيك', 'فطار'],
    categories: ['hot', 'sweet'],
    meals: ['كيك'],
    deals: ['d'],
  });
  expect(shape({ ...book, addons: [{ ...milk, availability: [SOLD_OUT] }] })).toEqual({
    items: ['كيك'],
    categories: ['sweet'],
    meals: [],
    deals: [],
  });
});

describe('what is sold out', () => {
  const soldOut = (of: MenuBook, now = NOON) => soldOutAt(of, onSale(of, PICKUP, now), PICKUP, now);
  const milk = anAddon('لبن', { type: 'milk_type', availability: [SOLD_OUT] });
  const until = NOON + 2 * HOUR;
  const snoozed = availability({ soldOutUntil: until });
  const book = aBook({
    categories: [aCategory('hot'), aCategory('sweet'), aCategory('empty')],
    addons: [milk],
    items: [
      anItem('شاي', { categoryId: 'hot' }),
      anItem('كيك', { categoryId: 'sweet', availability: [snoozed], ...inSizes({ قطعة: 40, كاملة: 300 }) }),
      anItem('لاتيه', { categoryId: 'hot', groups: [aGroup('g', [milk.id])] }),
      anItem('سحلب', { availability: [OFF] }),
      anItem('بقلاوة', {
        availability: [SOLD_OUT],
        windows: [aWindow({ startsAt: 17 * 60, endsAt: 20 * 60 })],
      }),
      aCombo('فطار', [aSlot('sweet', [aChoice('كيك')])], { prices: [price(60)] }),
      aCombo('عشاء', [aSlot('hot', [aChoice('شاي')])], { isLive: false }),
    ],
  });

  test('are items and combos that are sold out, or need something that is, and nothing that is off', () => {
    const { entries } = soldOut(book);
    expect(entries.map(({ item, price, backAt }) => [item.id, price, backAt])).toEqual([
      ['لاتيه', 5000, null],
      ['كيك', 40, until],
      ['فطار', 60, null],
    ]);
    expect(onSale(book, PICKUP, NOON).entries.map(({ item }) => item.id)).toEqual(['شاي']);
  });

  test('has no time at which something that it needs is still sold out, or its sale window over', () => {
    const early = aWindow({ startsAt: 8 * 60, endsAt: 13 * 60 });
    const entries = (item: Partial<MenuBook['items'][number] & { kind: 'item' }>) =>
      soldOut(
        aBook({ addons: [milk], items: [anItem('لاتيه', { ...item, availability: [snoozed] })] }),
      ).entries.map(({ backAt }) => backAt);
    expect(entries({})).toEqual([until]);
    expect(entries({ groups: [aGroup('g', [milk.id])] })).toEqual([null]);
    expect(entries({ windows: [early] })).toEqual([null]);
  });

  test('has its categories beside those of the menu', () => {
    const { categories } = soldOut(book);
    expect(categories.map(({ id }) => id)).toEqual(['hot', 'sweet']);
  });

  test('is valid until a sale window of something sold out begins or ends', () => {
    expect(soldOut(book).validUntil).toBe(until);
    expect(soldOut(book, until).validUntil).toBe(NOON + 5 * HOUR);
    expect(menuValidUntil(book, PICKUP, until)).toBeNull();
  });
});

describe('the validity of a menu', () => {
  const evening = [aWindow({ startsAt: 17 * 60, endsAt: 20 * 60 })];
  const snoozed = [availability({ soldOutUntil: NOON + 2 * HOUR })];

  test.each<[string, Partial<MenuBook>, hours: number | null]>([
    ['for ever, when nothing depends on the time', { items: [anItem('شاي')] }, null],
    ['until an item comes on sale', { items: [anItem('شاي', { windows: evening })] }, 5],
    ['until a combo does', { items: [aCombo('وجبة', [], { windows: evening })] }, 5],
    ['until a snoozed item is back', { items: [anItem('شاي', { availability: snoozed })] }, 2],
    ['until a snoozed add-on is back', { addons: [anAddon('لبن', { availability: snoozed })] }, 2],
    ['until a deal begins', { deals: [aDeal('d', { windows: evening })] }, 5],
    [
      'until the first of them',
      { items: [anItem('شاي', { availability: snoozed })], deals: [aDeal('d', { windows: evening })] },
      2,
    ],
    ['an item without a price never shows', { items: [anItem('x', { prices: [], windows: evening })] }, null],
    [
      'nor does a combo that is off online',
      { items: [aCombo('x', [], { windows: evening, sell: { ...everywhere, online: false } })] },
      null,
    ],
    ['nor a deal that is off', { deals: [aDeal('d', { windows: evening, isActive: false })] }, null],
    ['nor an archived add-on', { addons: [anAddon('x', { isLive: false, availability: snoozed })] }, null],
  ])('%s', (_, book, hours) => {
    expect(menuValidUntil(aBook(book), PICKUP, NOON)).toBe(hours === null ? null : NOON + hours * HOUR);
  });
});
