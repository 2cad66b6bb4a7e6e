/** The café of most tests: shop files with keys, which make every id computable before the import. */
import { importShops } from '../../../src/shopfile/app/shopfile.ts';
import { derivedId, shopIdOf, type EntityKind } from '../../../src/shopfile/app/entity-ids.ts';
import type { ShopFile } from '../../../src/shopfile/contract/shopfile.ts';
import type { Uuid } from '../../../src/kernel/ids.ts';
import {
  aBranchEntry,
  aMinimalShopFile,
  type BranchEntry,
  type HoursEntry,
  type TableEntry,
} from './shop-file.ts';
import type { World } from '../server/world.ts';

export const SLUG = 'beit-el-bunn';

export const daily = (open: string, close: string): HoursEntry => [{ open, close }];

/** A branch with pickup, open 09:00–23:00 every day. */
export const aBranch = (overrides: Partial<BranchEntry> = {}): BranchEntry =>
  aBranchEntry({ key: 'zamalek', online_hours: daily('09:00', '23:00'), ...overrides });

export const aTable = (key: string, max: number, overrides: Partial<TableEntry> = {}): TableEntry => ({
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
  aMinimalShopFile({
    slug: SLUG,
    name: { ar: 'بيت البن', en: 'Beit El Bunn' },
    branches: [aBranch()],
    menu: aMenu(),
    ...overrides,
  });

/** Imports shops as `ahwa import --state` does; the running server notices. */
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
/** The id of a direct child of the shop: an item, a deal, an add-on … */
export const thingId = (kind: EntityKind, key: string, slug = SLUG): Uuid =>
  derivedId(shopIdOf(slug), kind, shopIdOf(slug), { key });
