import { backAt, nextSaleChange, type AvailabilityEntry } from './availability.ts';
import { comboOnSale, isComboOffered, slotTakes, type OnSaleCombo } from './combo.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { itemOnSale, itemPriceAt, indexAddons, type OnSaleAddon, type OnSaleItem } from './item.ts';
import type { Category, ChannelDiscount, Combo, Deal, MealLink, MenuBook, PlainItem } from './menubook.ts';
import {
  dealsOnSale,
  discountAt,
  discountChanges,
  nextDealChange,
  type DealTargets,
} from './deals-and-discounts.ts';
import { priceAt, type SalePoint } from './price.ts';
import { earliest, type Instant } from '../../kernel/time.ts';

interface Placed {
  /** Null: no category of this menu. */
  readonly categoryId: Uuid | null;
}

export type MenuEntry = (OnSaleItem & Placed & { readonly meal: MealLink | null }) | (OnSaleCombo & Placed);

/**
 * Every id refers to an entry of the menu, except in unpruned allowlists and unavailable combo choices
 * (Decisions 6).
 */
export interface OnSaleMenu {
  /** Without empty categories. */
  readonly categories: readonly Category[];
  /** In order of categories, entries without a category last. */
  readonly entries: readonly MenuEntry[];
  readonly addons: readonly OnSaleAddon[];
  readonly deals: readonly Deal[];
  readonly discount: ChannelDiscount | null;
}

const isPlain = (item: PlainItem | Combo): item is PlainItem => item.kind === 'item';
const isCombo = (item: PlainItem | Combo): item is Combo => item.kind === 'combo';

const byIdOf = <T extends { readonly item: { readonly id: Uuid } }>(entries: readonly T[]): Map<Uuid, T> =>
  new Map(entries.map((entry) => [entry.item.id, entry]));

/** Decisions 6: both ends must be on the menu, and the slot must take the item. */
const mealOf = ({ item }: OnSaleItem, combos: ReadonlyMap<Uuid, OnSaleCombo>): MealLink | null => {
  if (item.meal === null) return null;
  const combo = combos.get(item.meal.comboId);
  return combo !== undefined && slotTakes(combo, item.meal.slotId, item.id) ? item.meal : null;
};

const inMenuOrder = (book: MenuBook, entries: readonly MenuEntry[]): readonly MenuEntry[] => {
  const byCategory = groupBy(entries, (entry) => entry.categoryId);
  return [...book.categories.map(({ id }) => id), null].flatMap((id) => byCategory.get(id) ?? []);
};

const targetsOf = (entries: readonly MenuEntry[]): DealTargets => {
  const plain = entries.filter((entry) => entry.kind === 'item');
  return { byId: byIdOf(plain), byCategory: groupBy(plain, (entry) => entry.categoryId) };
};

/**
 * One pass, because each part depends only on the parts before it: add-ons, items, combos, meal links,
 * categories, deals.
 */
export const onSale = (book: MenuBook, point: SalePoint, now: Instant): OnSaleMenu => {
  const addonIndex = indexAddons(book.addons, point, now);
  const items = book.items.filter(isPlain).flatMap((item) => itemOnSale(item, addonIndex, point, now) ?? []);
  const sources = {
    onMenu: byIdOf(items),
    stored: new Map(book.items.map((item) => [item.id, item])),
  };
  const combos = byIdOf(
    book.items.filter(isCombo).flatMap((combo) => comboOnSale(combo, sources, point, now) ?? []),
  );
  const live = new Set(book.categories.map(({ id }) => id));
  const placed = ({ item }: OnSaleItem | OnSaleCombo): Placed => ({
    categoryId: item.categoryId !== null && live.has(item.categoryId) ? item.categoryId : null,
  });
  const unordered = book.items.flatMap(({ id }): MenuEntry[] => {
    const item = sources.onMenu.get(id);
    if (item !== undefined) return [{ ...item, ...placed(item), meal: mealOf(item, combos) }];
    const combo = combos.get(id);
    return combo === undefined ? [] : [{ ...combo, ...placed(combo) }];
  });
  const entries = inMenuOrder(book, unordered);
  const filled = new Set(entries.map((entry) => entry.categoryId));
  return {
    categories: book.categories.filter(({ id }) => filled.has(id)),
    entries,
    addons: [...addonIndex.onSale.values()],
    deals: dealsOnSale(book.deals, targetsOf(entries), point, now),
    discount: discountAt(book.discounts, point, now),
  };
};

/** Skips entries that the channel never shows. */
const changes = (book: MenuBook, point: SalePoint, now: Instant): (Instant | null)[] => [
  ...book.items.map((item) => {
    const shown = item.kind === 'combo' ? isComboOffered(item, point) : itemPriceAt(item, point) !== null;
    return shown ? nextSaleChange(item, point, now) : null;
  }),
  ...book.addons.map((addon) => {
    const shown = addon.isLive && priceAt(addon.prices, point) !== null;
    return shown ? backAt(addon.availability, point, now) : null;
  }),
  ...book.deals.map((deal) => nextDealChange(deal, point, now)),
  ...discountChanges(book.discounts, point, now),
];

/**
 * The next time at which `onSale` may change (windows, snoozes, discount dates); null: never. Never late, but
 * may be early.
 */
export const menuValidUntil = (book: MenuBook, point: SalePoint, now: Instant): Instant | null =>
  earliest(changes(book, point, now));

export type SoldOutEntry = MenuEntry & {
  /** Null: not by itself, or not known. */
  readonly backAt: Instant | null;
};

const neverSoldOut = <T extends { readonly availability: readonly AvailabilityEntry[] }>(subject: T): T => ({
  ...subject,
  availability: subject.availability.map((entry) => ({ ...entry, soldOutUntil: null, stock: null })),
});

export interface SoldOutPart {
  readonly entries: readonly SoldOutEntry[];
  /** Of these and of the menu. */
  readonly categories: readonly Category[];
  /** As `menuValidUntil`, also of what is sold out. */
  readonly validUntil: Instant | null;
}

/**
 * The smallest book of which `onSale` has the item exactly if `onSale` of the whole book has it: an item needs the add-ons
 * of its groups, a combo the items of its slots too.
 */
const partsOf = (
  book: MenuBook,
  stored: ReadonlyMap<Uuid, PlainItem | Combo>,
): ((item: PlainItem | Combo) => MenuBook) => {
  const addons = new Map(book.addons.map((addon) => [addon.id, addon]));
  return (item) => {
    const choices = isCombo(item) ? item.slots.flatMap((slot) => slot.choices) : [];
    const items = [item, ...choices.flatMap(({ itemId }) => stored.get(itemId) ?? [])];
    const addonIds = items.filter(isPlain).flatMap(({ groups }) => groups.flatMap((group) => group.addonIds));
    return {
      ...{ items: [...new Set(items)], addons: [...new Set(addonIds)].flatMap((id) => addons.get(id) ?? []) },
      ...{ categories: [], groups: [], deals: [], discounts: [] },
    };
  };
};

/** The entries that would be on `menu` if nothing were sold out, neither they nor what they need. */
export const soldOutAt = (book: MenuBook, menu: OnSaleMenu, point: SalePoint, now: Instant): SoldOutPart => {
  const onMenu = byIdOf(menu.entries);
  const stored = new Map(book.items.map((item) => [item.id, item]));
  const full = { ...book, items: book.items.map(neverSoldOut), addons: book.addons.map(neverSoldOut) };
  const { categories, entries } = onSale(full, point, now);
  const partOf = partsOf(book, stored);
  const isOnMenu = (item: PlainItem | Combo, at: Instant): boolean =>
    onSale(partOf(item), point, at).entries.some((entry) => entry.item.id === item.id);
  return {
    categories,
    entries: entries.flatMap((entry) => {
      const item = stored.get(entry.item.id);
      if (item === undefined || onMenu.has(item.id)) return [];
      const end = backAt(item.availability, point, now);
      return [{ ...entry, backAt: end !== null && isOnMenu(item, end) ? end : null }];
    }),
    validUntil: earliest([menuValidUntil(book, point, now), menuValidUntil(full, point, now)]),
  };
};
