/** Shop files for tests that always import. `rich-shop.ts` has one that uses every field, `any-shop.ts` makes them up. */
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';

export type BranchEntry = ShopFile['branches'][number];
export type MenuFile = ShopFile['menu'];
export type ItemEntry = NonNullable<MenuFile['items']>[number];
export type ComboEntry = NonNullable<MenuFile['combos']>[number];
export type DealEntry = NonNullable<MenuFile['deals']>[number];

/** A branch that hands coffee over the counter from eight to midnight. */
export const aBranch = (overrides: Partial<BranchEntry> = {}): BranchEntry => ({
  name: { ar: 'الزمالك', en: 'Zamalek' },
  code: 'ZML',
  online_hours: [{ open: '08:00', close: '00:00' }],
  channels: { pickup: {} },
  ...overrides,
});

/** One coffee for 45 pounds. */
export const anItem = (overrides: Partial<ItemEntry> = {}): ItemEntry => ({
  name: { ar: 'قهوة تركي', en: 'Turkish coffee' },
  category: 'قهوة',
  price: 4500,
  ...overrides,
});

/** One branch, one category, one coffee. */
export const aShopFile = (overrides: Partial<ShopFile> = {}): ShopFile => ({
  format: 1,
  slug: 'bon-test',
  name: { ar: 'بن التجربة', en: 'Test Beans' },
  branches: [aBranch()],
  menu: { categories: [{ name: { ar: 'قهوة', en: 'Coffee' } }], items: [anItem()] },
  ...overrides,
});

export { aRichShopFile } from './rich-shop.ts';
export { anyShopFile } from './any-shop.ts';
