/** Minimal shop files without keys, for tests of the import. */
import type { ShopFile } from '../../../src/shopfile/contract/shopfile.ts';

export type BranchEntry = ShopFile['branches'][number];
type EntryOf<List> = NonNullable<List> extends readonly (infer Entry)[] ? Entry : never;
export type TableEntry = EntryOf<BranchEntry['tables']>;
export type HoursEntry = NonNullable<BranchEntry['online_hours']>;
export type MenuFile = ShopFile['menu'];
export type ItemEntry = NonNullable<MenuFile['items']>[number];
export type ComboEntry = NonNullable<MenuFile['combos']>[number];
export type DealEntry = NonNullable<MenuFile['deals']>[number];

/** A branch with pickup, open 08:00–24:00. */
export const aBranchEntry = (overrides: Partial<BranchEntry> = {}): BranchEntry => ({
  name: { ar: 'الزمالك', en: 'Zamalek' },
  code: 'ZML',
  online_hours: [{ open: '08:00', close: '00:00' }],
  channels: { pickup: {} },
  ...overrides,
});

/** One coffee for 45 pounds. */
export const anItemEntry = (overrides: Partial<ItemEntry> = {}): ItemEntry => ({
  name: { ar: 'قهوة تركي', en: 'Turkish coffee' },
  category: 'قهوة',
  price: 4500,
  ...overrides,
});

/** One branch, one category, one coffee. */
export const aMinimalShopFile = (overrides: Partial<ShopFile> = {}): ShopFile => ({
  format: 1,
  slug: 'bon-test',
  name: { ar: 'بن التجربة', en: 'Test Beans' },
  branches: [aBranchEntry()],
  menu: { categories: [{ name: { ar: 'قهوة', en: 'Coffee' } }], items: [anItemEntry()] },
  ...overrides,
});
