import type { Uuid } from '../../kernel/ids.ts';
import { shelfOf, type AddonShelf } from '../../menu/domain/item.ts';
import { menuValidUntil, onSale, type MenuEntry, type OnSaleMenu } from '../../menu/domain/menu.ts';
import type { Addon, MenuBook, MenuItem } from '../../menu/domain/menubook.ts';
import type { SalePoint } from '../../menu/domain/price.ts';
import type { Instant } from '../../kernel/time.ts';

/**
 * What a branch sells on a channel now, indexed for pricing: the menu that guests see, and behind it the stored
 * things, because pricing enforces stored allowlists and groups and never the pruned ones of a menu (Decisions 7.1).
 */
export interface PriceBook {
  readonly point: SalePoint;
  /** The moment that it was made for. */
  readonly asOf: Instant;
  /** Until when it holds by itself; null = until something is changed. */
  readonly validUntil: Instant | null;
  readonly menu: OnSaleMenu;
  /** What is on the menu now, by item or combo. */
  readonly entries: ReadonlyMap<Uuid, MenuEntry>;
  /** Everything stored, on the menu or not. */
  readonly items: ReadonlyMap<Uuid, MenuItem>;
  readonly addons: ReadonlyMap<Uuid, Addon>;
  readonly shelf: AddonShelf;
}

const byId = <T extends { readonly id: Uuid }>(things: readonly T[]): ReadonlyMap<Uuid, T> =>
  new Map(things.map((thing) => [thing.id, thing]));

export const priceBookOf = (book: MenuBook, point: SalePoint, now: Instant): PriceBook => {
  const menu = onSale(book, point, now);
  return {
    point,
    asOf: now,
    validUntil: menuValidUntil(book, point, now),
    menu,
    entries: new Map(menu.entries.map((entry) => [entry.item.id, entry])),
    items: byId(book.items),
    addons: byId(book.addons),
    shelf: shelfOf(book.addons, point, now),
  };
};
