import { describe, expect, test } from 'vitest';
import { menuValidUntil, onSale } from './menu.ts';
import {
  aBook,
  aCategory,
  aCombo,
  aDeal,
  aDiscount,
  anItem,
  aWindow,
  BRANCH,
  DINE_IN,
  everywhere,
  inSizes,
  NOON,
  OFF,
  PICKUP,
} from './menu.test-support.ts';
import type { ChannelDiscount, Deal, DealPoolEntry, MenuItem } from './menubook.ts';
import { wholePercent } from './deals-and-discounts.ts';

const ofItem = (menuItemId: string, sizeLabel: string | null = null): DealPoolEntry => ({
  categoryId: null,
  menuItemId,
  sizeLabel,
});
const ofCategory = (categoryId: string, sizeLabel: string | null = null): DealPoolEntry => ({
  categoryId,
  menuItemId: null,
  sizeLabel,
});

const tea = anItem('شاي', { categoryId: 'hot', ...inSizes({ صغير: 2000, كبير: 3000 }) });
const cake = anItem('كيك', { categoryId: 'sweet' });
const combo = aCombo('وجبة', [], { categoryId: 'meals' });
const categories = ['hot', 'sweet', 'meals'].map(aCategory);

const dealsOf = (deal: Partial<Deal>, items: readonly MenuItem[] = [tea, cake, combo], point = PICKUP) =>
  onSale(aBook({ categories, items, deals: [aDeal('d', deal)] }), point, NOON).deals;

describe('deals on offer', () => {
  const pool = [ofItem(tea.id)];
  const buyGet = { kind: 'buy_get', getQty: 1, getPercent: 100 } as const;

  test.each<[string, Partial<Deal>, pickup: boolean, dineIn: boolean]>([
    ['on', {}, true, true],
    ['switched off', { isActive: false }, false, false],
    ['switched off here', { branchOverrides: [{ branchId: BRANCH, isActive: false }] }, false, false],
    [
      'on here alone',
      { isActive: false, branchOverrides: [{ branchId: BRANCH, isActive: true }] },
      true,
      true,
    ],
    ['switched off elsewhere', { branchOverrides: [{ branchId: 'maadi', isActive: false }] }, true, true],
    ['not for the channels', { sell: { ...everywhere, online: false } }, false, true],
    ['not for tables', { sell: { ...everywhere, qr: false } }, true, false],
    ['only for till and aggregators', { sell: { ...everywhere, qr: false, online: false } }, false, false],
    ['outside its windows', { windows: [aWindow({ startsAt: 0, endsAt: 60 })] }, false, false],
    ['inside its windows', { windows: [aWindow({ startsAt: 660, endsAt: 780 })] }, true, true],
  ])('are shown or hidden when a deal is %s', (_, deal, pickup, dineIn) => {
    expect(dealsOf({ pool, ...deal })).toHaveLength(pickup ? 1 : 0);
    expect(dealsOf({ pool, ...deal }, undefined, DINE_IN)).toHaveLength(dineIn ? 1 : 0);
  });

  test('a deal on a menu has the windows and overrides of this branch only, and is active', () => {
    const everyBranch = aWindow({ startsAt: 0, endsAt: 1439 });
    const windows = [everyBranch, aWindow({ branchId: BRANCH }), aWindow({ branchId: 'maadi' })];
    const branchOverrides = [
      { branchId: 'maadi', isActive: false },
      { branchId: BRANCH, isActive: true },
    ];
    expect(dealsOf({ pool, windows, branchOverrides, isActive: false })).toMatchObject([
      {
        windows: windows.slice(0, 2),
        branchOverrides: [{ branchId: BRANCH, isActive: true }],
        isActive: true,
      },
    ]);
  });

  test.each<[string, DealPoolEntry, stays: boolean]>([
    ['an item', ofItem(tea.id), true],
    ['a size it has', ofItem(tea.id, 'كبير'), true],
    ['a size it lacks', ofItem(tea.id, 'وسط'), false],
    ['a size of an item without sizes', ofItem(cake.id, 'كبير'), false],
    ['an item that is not there', ofItem('قهوة'), false],
    ['a combo', ofItem(combo.id), false],
    ['a category', ofCategory('sweet'), true],
    ['a category in a size some item has', ofCategory('hot', 'صغير'), true],
    ['a category in a size no item has', ofCategory('sweet', 'صغير'), false],
    ['a category of combos alone', ofCategory('meals'), false],
    ['an unknown category', ofCategory('cold'), false],
  ])('a pool keeps an entry only if the menu has it: %s', (_, entry, stays) => {
    const both = [entry, ofItem(cake.id)];
    expect(dealsOf({ pool: both })[0]?.pool).toEqual(stays ? both : [ofItem(cake.id)]);
    expect(dealsOf({ pool: [entry] })).toHaveLength(stays ? 1 : 0);
    expect(dealsOf({ terms: buyGet, pool, rewardPool: [entry] })).toHaveLength(stays ? 1 : 0);
  });

  test('an empty reward pool stays empty', () => {
    expect(dealsOf({ terms: buyGet, pool, rewardPool: [] })).toMatchObject([{ rewardPool: [] }]);
  });

  test('a deal is left out when its category has no item on the menu', () => {
    expect(dealsOf({ pool: [ofCategory('hot')] }, [{ ...tea, availability: [OFF] }, cake])).toEqual([]);
  });
});

describe("the channel's discount", () => {
  const shopWide = aDiscount('shop');
  const own = aDiscount('own', { branchId: BRANCH });
  const shown = (discounts: ChannelDiscount[], point = PICKUP) =>
    onSale(aBook({ discounts }), point, NOON).discount?.id ?? null;

  test('the discount of the branch replaces the discount of the shop', () => {
    expect(shown([shopWide, own])).toBe('own');
    expect(shown([shopWide, aDiscount('maadi', { branchId: 'maadi' })])).toBe('shop');
    expect(shown([])).toBeNull();
  });

  test('applies to its own channel only, and never to dine-in', () => {
    expect(shown([shopWide], { ...PICKUP, channel: 'outside' })).toBeNull();
    expect(shown([shopWide], DINE_IN)).toBeNull();
  });

  test.each<[string, Partial<ChannelDiscount>, valid: boolean]>([
    ['switched off', { isActive: false }, false],
    ['over since yesterday', { validTo: '2026-07-01' }, false],
    ['today the last day', { validTo: '2026-07-02' }, true],
    ['today the first day', { validFrom: '2026-07-02' }, true],
    ['from tomorrow', { validFrom: '2026-07-03' }, false],
  ])('%s: the discount of the shop applies while the branch’s is not valid', (_, fields, valid) => {
    expect(shown([{ ...own, ...fields }])).toBe(valid ? 'own' : null);
    expect(shown([shopWide, { ...own, ...fields }])).toBe(valid ? 'own' : 'shop');
  });

  test('starts and ends at midnight of the branch', () => {
    const midnight = Date.parse('2026-07-02T21:00:00Z');
    const until = (fields: Partial<ChannelDiscount>) =>
      menuValidUntil(aBook({ discounts: [{ ...own, ...fields }] }), PICKUP, NOON);
    expect(until({ validTo: '2026-07-02' })).toBe(midnight);
    expect(until({ validFrom: '2026-07-03' })).toBe(midnight);
    expect(until({ validTo: '2026-07-01' })).toBeNull();
    expect(until({})).toBeNull();
    const book = aBook({ discounts: [{ ...own, validTo: '2026-07-02' }] });
    expect(onSale(book, PICKUP, midnight - 1).discount?.id).toBe('own');
    expect(onSale(book, PICKUP, midnight).discount).toBeNull();
  });

  test.each([
    ['0.125000', 13],
    ['0.124999', 12],
    ['0.145', 15],
    ['0.285000', 29],
    ['0.000000', 0],
    ['0.005', 1],
    ['0.1', 10],
    ['1.000000', 100],
    ['1', 100],
    ['0.995', 100],
    ['0.565000', 57],
  ])('a rate of %s is shown as %i percent', (rate, percent) => expect(wholePercent(rate)).toBe(percent));
});
