/** Shops opened for a test, known by keys, so that every id of theirs can be told beforehand. */
import { importShops } from '../../src/shopfile/app/shopfile.ts';
import { derivedId, shopIdOf, type ThingKind } from '../../src/shopfile/app/identity.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import type { Uuid } from '../../src/kernel/ids.ts';
import * as build from './build.ts';
import type { World } from './world.ts';

export type BranchFile = ShopFile['branches'][number];
type EntryOf<List> = NonNullable<List> extends readonly (infer Entry)[] ? Entry : never;
export type TableFile = EntryOf<BranchFile['tables']>;
export type HoursFile = NonNullable<BranchFile['online_hours']>;

/** The shop that a test has when it names none. */
export const SLUG = 'beit-el-bunn';

/** Every day from `open` to `close`. */
export const daily = (open: string, close: string): HoursFile => [{ open, close }];

/** A street branch, open 09:00–23:00 every day for pickup. */
export const aBranch = (overrides: Partial<BranchFile> = {}): BranchFile =>
  build.aBranch({ key: 'zamalek', online_hours: daily('09:00', '23:00'), ...overrides });

export const aTable = (key: string, max: number, overrides: Partial<TableFile> = {}): TableFile => ({
  key,
  label: key.toUpperCase(),
  seats: { max },
  ...overrides,
});

/** One category with one coffee. */
export const aMenu = (): ShopFile['menu'] => ({
  categories: [{ key: 'coffee', name: { ar: 'قهوة', en: 'Coffee' } }],
  items: [
    { key: 'turkish', name: { ar: 'قهوة تركي', en: 'Turkish coffee' }, category: 'coffee', price: 4500 },
  ],
});

/** A coffee shop with one branch and one coffee. */
export const aShopFile = (overrides: Partial<ShopFile> = {}): ShopFile =>
  build.aShopFile({
    slug: SLUG,
    name: { ar: 'بيت البن', en: 'Beit El Bunn' },
    branches: [aBranch()],
    menu: aMenu(),
    ...overrides,
  });

/** Imports shops as `ahwa import --state` does, beside the running server, which hears of it. */
export const openShops = async (world: World, ...files: readonly ShopFile[]): Promise<void> => {
  await importShops(
    world.app,
    files.map((file) => ({ name: `${file.slug}.json`, text: JSON.stringify(file) })),
    { state: true },
  );
  await world.hearOfChanges();
};

export const shopId = (slug = SLUG): Uuid => shopIdOf(slug);
export const branchId = (key = 'zamalek', slug = SLUG): Uuid =>
  derivedId(shopIdOf(slug), 'branch', shopIdOf(slug), { key });
export const tableId = (key: string, branch = 'zamalek', slug = SLUG): Uuid =>
  derivedId(shopIdOf(slug), 'table', branchId(branch, slug), { key });
/** A thing that stands directly under the shop: an item, a deal, an add-on … */
export const thingId = (kind: ThingKind, key: string, slug = SLUG): Uuid =>
  derivedId(shopIdOf(slug), kind, shopIdOf(slug), { key });
