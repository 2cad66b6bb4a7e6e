/** What an import reads of the database, and what it reads where there is none. */
import type { Uuid } from '../../kernel/ids.ts';
import { pictureIdsOf } from '../../pictures/app/shared.ts';
import {
  emailOwners,
  loadShop,
  located,
  lockForImport,
  slugOwners,
  slugsOf,
  type EmailOwner,
  type LocatorEntry,
  type SlugOwner,
} from '../store/shopfile.ts';
import { TABLE_NAMES, type ShopRows } from '../store/tables.ts';
import type { Tx } from './save.ts';

export interface StoredShops {
  /** Serialises the imports of a shop. */
  lock(shopId: Uuid): Promise<void>;
  /** Empty lists for an unknown shop. */
  load(shopId: Uuid): Promise<ShopRows>;
  slugsOf(shopId: Uuid): Promise<readonly string[]>;
  slugOwners(slugs: readonly string[]): Promise<readonly SlugOwner[]>;
  emailOwners(emails: readonly string[]): Promise<readonly EmailOwner[]>;
  located(ids: readonly Uuid[]): Promise<readonly LocatorEntry[]>;
  /** By the reference in the shop file. */
  pictureIdsOf(shopId: Uuid): Promise<ReadonlyMap<string, Uuid>>;
}

export const storedIn = (tx: Tx): StoredShops => ({
  lock: (shopId) => lockForImport(tx, shopId),
  load: (shopId) => loadShop(tx, shopId),
  slugsOf: (shopId) => slugsOf(tx, shopId),
  slugOwners: (slugs) => slugOwners(tx, slugs),
  emailOwners: (emails) => emailOwners(tx, emails),
  located: (ids) => located(tx, ids),
  pictureIdsOf: (shopId) => pictureIdsOf(tx, shopId),
});

// Every table is in TABLE_NAMES.
const NO_ROWS = Object.fromEntries(TABLE_NAMES.map((table) => [table, []])) as unknown as ShopRows;

/** A database before its first import. */
export const NO_SHOPS: StoredShops = {
  lock: () => Promise.resolve(),
  load: () => Promise.resolve(NO_ROWS),
  slugsOf: () => Promise.resolve([]),
  slugOwners: () => Promise.resolve([]),
  emailOwners: () => Promise.resolve([]),
  located: () => Promise.resolve([]),
  pictureIdsOf: () => Promise.resolve(new Map()),
};
