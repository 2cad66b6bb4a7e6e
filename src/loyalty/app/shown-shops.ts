/**
 * Shops as their cards show them, cached. Every use compares the version with the database, so a card shows every
 * change of its shop that was committed before the request.
 */
import { LRUCache } from 'lru-cache';
import type { Uuid } from '../../kernel/ids.ts';
import type { App } from '../../platform/app/app.ts';
import { LoadedCache } from '../../platform/app/loaded-cache.ts';
import { branchesOf } from '../../shops/app/shared.ts';
import { offersOnline } from '../../shops/domain/shop.ts';
import { loadShopVersion } from '../store/shop-version.ts';
import { shopWithProgramme, type ShopWithProgramme } from './programme.ts';

export interface ShownShop extends ShopWithProgramme {
  readonly isOrderable: boolean;
  readonly version: number;
}

interface OfShop {
  readonly orgId: Uuid;
  /** Of the shop, in the snapshot that was read. */
  readonly version: number;
}

export interface ShownShops {
  /**
   * The result of `read`, with its shop at that moment. Throws NOT_FOUND where the shop is not active; passes refusals
   * of `read` on.
   */
  withShop<T extends OfShop>(
    read: () => Promise<T>,
  ): Promise<{ readonly shop: ShownShop; readonly state: T }>;
}

/** At most 10 MB: a shop has brand, links and rewards, up to 20 kB. */
const MAX_SHOPS = 500;

export const createShownShops = (app: Pick<App, 'db'>): ShownShops => {
  const shops = new LoadedCache<ShownShop>(new LRUCache<Uuid, ShownShop>({ max: MAX_SHOPS }));
  const load = (orgId: Uuid): Promise<ShownShop> =>
    app.db.snapshot(async (tx) => {
      const version = await loadShopVersion(tx, orgId);
      const shop = await shopWithProgramme(tx, orgId);
      return { ...shop, isOrderable: (await branchesOf(tx, orgId)).some(offersOnline), version };
    });
  return {
    withShop: async (read) => {
      let state = await read();
      const { orgId } = state;
      return shops.use(
        orgId,
        () => load(orgId),
        async (shop) => {
          if (shop.version > state.version) state = await read();
          return shop.version === state.version ? { shop, state } : null;
        },
      );
    },
  };
};
