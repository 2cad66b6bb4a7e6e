import type { Uuid } from '../../kernel/ids.ts';
import { indexAddons, type AddonIndex } from '../../menu/domain/item.ts';
import { menuValidUntil, onSale, type MenuEntry, type OnSaleMenu } from '../../menu/domain/menu.ts';
import type { Addon, MenuBook, MenuItem } from '../../menu/domain/menubook.ts';
import type { SalePoint } from '../../menu/domain/price.ts';
import type { SolutionMemo } from './deals/memo.ts';
import type { Instant } from '../../kernel/time.ts';

/**
 * The menu of a branch on a channel, indexed for pricing. It includes the stored things, because pricing enforces
 * stored allowlists and groups, not the pruned ones of a menu (Decisions 7.1).
 */
export interface PriceBook {
  readonly point: SalePoint;
  readonly asOf: Instant;
  /** Null: valid until the next change. */
  readonly validUntil: Instant | null;
  readonly menu: OnSaleMenu;
  /** Items and combos on the menu, by id. */
  readonly entries: ReadonlyMap<Uuid, MenuEntry>;
  /** All stored items, on the menu or not. */
  readonly items: ReadonlyMap<Uuid, MenuItem>;
  readonly addons: ReadonlyMap<Uuid, Addon>;
  readonly shelf: AddonIndex;
  /** Of the best deals of carts; null: none are remembered. */
  readonly memo: SolutionMemo | null;
}

const byId = <T extends { readonly id: Uuid }>(entries: readonly T[]): ReadonlyMap<Uuid, T> =>
  new Map(entries.map((entry) => [entry.id, entry]));

export const priceBookOf = (
  book: MenuBook,
  point: SalePoint,
  now: Instant,
  memo: SolutionMemo | null = null,
): PriceBook => {
  const menu = onSale(book, point, now);
  return {
    point,
    asOf: now,
    validUntil: menuValidUntil(book, point, now),
    menu,
    entries: new Map(menu.entries.map((entry) => [entry.item.id, entry])),
    items: byId(book.items),
    addons: byId(book.addons),
    shelf: indexAddons(book.addons, point, now),
    memo,
  };
};

/** Nothing in the book has changed by the clock since. */
export const holdsAt = ({ asOf, validUntil }: PriceBook, now: Instant): boolean =>
  asOf <= now && (validUntil === null || now < validUntil);
