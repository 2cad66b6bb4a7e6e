import { sellsAt, standingAt } from './availability.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Addon, ItemSize, ModifierGroup, OptionalField, PlainItem, SwapFamily } from './menubook.ts';
import type { Piastres } from '../../kernel/money.ts';
import { priceAt, type SalePoint } from './price.ts';
import type { Instant } from '../../kernel/time.ts';

/** An add-on that is on a menu. */
export interface OnSaleAddon {
  readonly addon: Addon;
  /** Its full price on the channel, of a swap option too (Decisions 6). */
  readonly price: Piastres;
  /** False: sold out for now. */
  readonly isAvailable: boolean;
}

/** The add-ons of a menu, in order, by id; and what every add-on costs on the channel, on the menu or not. */
export interface AddonShelf {
  readonly onSale: ReadonlyMap<Uuid, OnSaleAddon>;
  readonly swapPrices: Readonly<Record<SwapFamily, ReadonlyMap<Uuid, Piastres>>>;
}

export interface OnSaleSize extends ItemSize {
  readonly price: Piastres;
}

export interface OnSaleOptional {
  readonly field: OptionalField;
  readonly price: Piastres;
}

export interface OnSaleOption extends OnSaleAddon {
  /** Piastres that choosing it adds to this item. */
  readonly charge: Piastres;
}

export interface OnSaleGroup {
  readonly group: ModifierGroup;
  readonly options: readonly OnSaleOption[];
}

/** A plain item as a menu shows it. */
export interface OnSaleItem {
  readonly kind: 'item';
  readonly item: PlainItem;
  /** Of the cheapest size where the item has sizes. */
  readonly price: Piastres;
  readonly sizes: readonly OnSaleSize[];
  readonly optionals: readonly OnSaleOptional[];
  /** As stored, without what is off the menu. */
  readonly allowedAddonIds: readonly Uuid[] | null;
  readonly groups: readonly OnSaleGroup[];
  /** What each add-on that may be added adds to this item; null where groups say so. */
  readonly addonCharges: ReadonlyMap<Uuid, Piastres> | null;
  readonly defaults: Readonly<Record<SwapFamily, Uuid | null>>;
}

/** An add-on that is off on the channel, or has no price there, leaves the menu; a sold-out one stays (Decisions 6). */
const addonOnSale = (addon: Addon, point: SalePoint, now: Instant): OnSaleAddon | null => {
  const price = priceAt(addon.prices, point);
  if (!addon.isLive || price === null) return null;
  const standing = standingAt(addon.availability, point, now);
  return standing === 'off' ? null : { addon, price, isAvailable: standing === 'on' };
};

export const shelfOf = (addons: readonly Addon[], point: SalePoint, now: Instant): AddonShelf => {
  const onSale = new Map<Uuid, OnSaleAddon>();
  const swapPrices = { milk_type: new Map<Uuid, Piastres>(), coffee_type: new Map<Uuid, Piastres>() };
  for (const addon of addons) {
    const shown = addonOnSale(addon, point, now);
    if (shown !== null) onSale.set(addon.id, shown);
    const price = priceAt(addon.prices, point);
    if (addon.type !== 'extra' && price !== null) swapPrices[addon.type].set(addon.id, price);
  }
  return { onSale, swapPrices };
};

/**
 * What an add-on adds to an item. A swap counts against the item's own default of its family even when that is
 * off the menu: max(0, its price − the default's price), so the default itself adds nothing (Decisions 6, 7.1).
 * A default that has no price on the channel takes nothing off.
 */
export const chargeOf = ({ addon, price }: OnSaleAddon, item: PlainItem, shelf: AddonShelf): Piastres => {
  if (addon.type === 'extra') return price;
  const standard = shelf.swapPrices[addon.type].get(item.defaults[addon.type] ?? '') ?? 0;
  return Math.max(0, price - standard);
};

/** The sizes that have a price on the channel; those without are not sold there. */
export const sizesAt = (item: PlainItem, point: SalePoint): readonly OnSaleSize[] =>
  item.sizes.flatMap((size) => {
    const price = priceAt(item.prices, point, size.label);
    return price === null ? [] : [{ ...size, price }];
  });

/** The size meant when none is named: the cheapest, of equals the first (Decisions 6). */
export const cheapestOf = (sizes: readonly OnSaleSize[]): OnSaleSize | null =>
  sizes.reduce<OnSaleSize | null>(
    (best, size) => (best === null || size.price < best.price ? size : best),
    null,
  );

/** The item's own price: of its cheapest size, or of itself; null = not on this menu (Decisions 6). */
export const itemPriceAt = (item: PlainItem, point: SalePoint): Piastres | null =>
  item.sizes.length > 0 ? (cheapestOf(sizesAt(item, point))?.price ?? null) : priceAt(item.prices, point);

/** Optionals without a price on the channel, or of a size that is not sold there, cannot be chosen and are left off. */
const optionalsAt = (item: PlainItem, sizes: readonly OnSaleSize[], point: SalePoint): OnSaleOptional[] =>
  item.optionals.flatMap((field) => {
    const price = priceAt(field.prices, point);
    const fits = field.sizeLabel === null || sizes.some(({ label }) => label === field.sizeLabel);
    return price !== null && fits ? [{ field, price }] : [];
  });

const groupOnSale = (group: ModifierGroup, item: PlainItem, shelf: AddonShelf): OnSaleGroup => ({
  group,
  options: group.addonIds.flatMap((id) => {
    const addon = shelf.onSale.get(id);
    return addon === undefined ? [] : [{ ...addon, charge: chargeOf(addon, item, shelf) }];
  }),
});

/**
 * Whether a guest can satisfy the group with what is available now (Decisions 6, 7.1). A required group wants at
 * least one selection, whatever its minimum; one that is not required may always be skipped. Quantities count, so
 * one extra reaches any minimum of a multiple choice; a swap family gives one selection per line.
 */
const isSatisfiable = ({ group, options }: OnSaleGroup): boolean => {
  if (!group.isRequired) return true;
  const types = new Set(options.filter((option) => option.isAvailable).map((option) => option.addon.type));
  if (group.selectionType === 'single' || types.has('extra')) return types.size > 0;
  return types.size >= Math.max(1, group.minSelections);
};

/** Pruned of what is not on the menu, unless nothing would be left: menus write a list that allows all as an empty one. */
const allowedOf = ({ allowedAddonIds: stored }: PlainItem, shelf: AddonShelf): readonly Uuid[] | null => {
  const left = stored?.filter((id) => shelf.onSale.has(id)) ?? [];
  return left.length > 0 ? left : stored;
};

const addonChargesOf = (
  item: PlainItem,
  allowed: readonly Uuid[] | null,
  shelf: AddonShelf,
): ReadonlyMap<Uuid, Piastres> =>
  new Map(
    (allowed ?? [...shelf.onSale.keys()]).flatMap((id): [Uuid, Piastres][] => {
      const addon = shelf.onSale.get(id);
      return addon === undefined ? [] : [[id, chargeOf(addon, item, shelf)]];
    }),
  );

const defaultsOnMenu = (item: PlainItem, shelf: AddonShelf): OnSaleItem['defaults'] => {
  const onMenu = (family: SwapFamily): Uuid | null => {
    const id = item.defaults[family];
    return id !== null && shelf.onSale.get(id)?.addon.type === family ? id : null;
  };
  return { milk_type: onMenu('milk_type'), coffee_type: onMenu('coffee_type') };
};

/** The item as the menu shows it at `now`; null when it is not on it (Decisions 6). */
export const itemOnSale = (
  item: PlainItem,
  shelf: AddonShelf,
  point: SalePoint,
  now: Instant,
): OnSaleItem | null => {
  const price = itemPriceAt(item, point);
  if (price === null || !sellsAt(item, point, now)) return null;
  const groups = item.groups.map((group) => groupOnSale(group, item, shelf));
  if (!groups.every(isSatisfiable)) return null;
  const sizes = sizesAt(item, point);
  const allowedAddonIds = allowedOf(item, shelf);
  return {
    kind: 'item',
    item,
    price,
    sizes,
    optionals: optionalsAt(item, sizes, point),
    allowedAddonIds,
    groups,
    addonCharges: groups.length > 0 ? null : addonChargesOf(item, allowedAddonIds, shelf),
    defaults: defaultsOnMenu(item, shelf),
  };
};
