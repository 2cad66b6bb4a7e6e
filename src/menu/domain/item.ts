import { sellsAt, availabilityStatusAt } from './availability.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Addon, ItemSize, ModifierGroup, OptionalField, PlainItem, SwapFamily } from './menubook.ts';
import type { Piastres } from '../../kernel/money.ts';
import { priceAt, type SalePoint } from './price.ts';
import type { Instant } from '../../kernel/time.ts';

export interface OnSaleAddon {
  readonly addon: Addon;
  /** Full price, also for a swap (Decisions 6). */
  readonly price: Piastres;
  /** False: sold out. */
  readonly isAvailable: boolean;
}

/** `onSale`: add-ons on the menu, in order. `swapPrices` includes those off the menu. */
export interface AddonIndex {
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
  /** Piastres added to this item. */
  readonly charge: Piastres;
}

export interface OnSaleGroup {
  readonly group: ModifierGroup;
  readonly options: readonly OnSaleOption[];
}

export interface OnSaleItem {
  readonly kind: 'item';
  readonly item: PlainItem;
  /** Price of the cheapest size, if any. */
  readonly price: Piastres;
  readonly sizes: readonly OnSaleSize[];
  readonly optionals: readonly OnSaleOptional[];
  /** Without add-ons that are off the menu. */
  readonly allowedAddonIds: readonly Uuid[] | null;
  readonly groups: readonly OnSaleGroup[];
  /** Charge by add-on; null: groups have the charges. */
  readonly addonCharges: ReadonlyMap<Uuid, Piastres> | null;
  readonly defaults: Readonly<Record<SwapFamily, Uuid | null>>;
}

/**
 * Add-ons that are off or have no price on the channel are hidden; sold-out ones are listed (Decisions 6).
 */
const addonOnSale = (addon: Addon, point: SalePoint, now: Instant): OnSaleAddon | null => {
  const price = priceAt(addon.prices, point);
  if (!addon.isLive || price === null) return null;
  const status = availabilityStatusAt(addon.availability, point, now);
  return status === 'off' ? null : { addon, price, isAvailable: status === 'on' };
};

export const indexAddons = (addons: readonly Addon[], point: SalePoint, now: Instant): AddonIndex => {
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
 * A swap costs max(0, its price − the price of the item's default), also when the default is off the menu
 * (Decisions 6, 7.1). A default without a price on the channel counts as 0.
 */
export const chargeOf = (
  { addon, price }: Pick<OnSaleAddon, 'addon' | 'price'>,
  item: PlainItem,
  addonIndex: AddonIndex,
): Piastres => {
  if (addon.type === 'extra') return price;
  const standard = addonIndex.swapPrices[addon.type].get(item.defaults[addon.type] ?? '') ?? 0;
  return Math.max(0, price - standard);
};

/** Sizes without a price on the channel are not sold there. */
export const sizesAt = (item: PlainItem, point: SalePoint): readonly OnSaleSize[] =>
  item.sizes.flatMap((size) => {
    const price = priceAt(item.prices, point, size.label);
    return price === null ? [] : [{ ...size, price }];
  });

/** The default size; of equal prices the first (Decisions 6). */
export const cheapestOf = (sizes: readonly OnSaleSize[]): OnSaleSize | null =>
  sizes.reduce<OnSaleSize | null>(
    (best, size) => (best === null || size.price < best.price ? size : best),
    null,
  );

/** Price of the cheapest size; null: not on the menu (Decisions 6). */
export const itemPriceAt = (item: PlainItem, point: SalePoint): Piastres | null =>
  item.sizes.length > 0 ? (cheapestOf(sizesAt(item, point))?.price ?? null) : priceAt(item.prices, point);

/** Hides optionals without a price, and those of sizes that are not sold. */
const optionalsAt = (item: PlainItem, sizes: readonly OnSaleSize[], point: SalePoint): OnSaleOptional[] =>
  item.optionals.flatMap((field) => {
    const price = priceAt(field.prices, point);
    const fits = field.sizeLabel === null || sizes.some(({ label }) => label === field.sizeLabel);
    return price !== null && fits ? [{ field, price }] : [];
  });

const groupOnSale = (group: ModifierGroup, item: PlainItem, addonIndex: AddonIndex): OnSaleGroup => ({
  group,
  options: group.addonIds.flatMap((id) => {
    const addon = addonIndex.onSale.get(id);
    return addon === undefined ? [] : [{ ...addon, charge: chargeOf(addon, item, addonIndex) }];
  }),
});

/**
 * Whether the available options can satisfy a required group (Decisions 6, 7.1). At least one selection is
 * needed, even if the minimum is 0. Quantities count for extras; a swap family allows one selection per line.
 */
const isSatisfiable = ({ group, options }: OnSaleGroup): boolean => {
  if (!group.isRequired) return true;
  const types = new Set(options.filter((option) => option.isAvailable).map((option) => option.addon.type));
  if (group.selectionType === 'single' || types.has('extra')) return types.size > 0;
  return types.size >= Math.max(1, group.minSelections);
};

/** Pruned, unless that would empty the list: an empty list in a menu allows all. */
const allowedOf = (
  { allowedAddonIds: stored }: PlainItem,
  addonIndex: AddonIndex,
): readonly Uuid[] | null => {
  const left = stored?.filter((id) => addonIndex.onSale.has(id)) ?? [];
  return left.length > 0 ? left : stored;
};

const addonChargesOf = (
  item: PlainItem,
  allowed: readonly Uuid[] | null,
  addonIndex: AddonIndex,
): ReadonlyMap<Uuid, Piastres> =>
  new Map(
    (allowed ?? [...addonIndex.onSale.keys()]).flatMap((id): [Uuid, Piastres][] => {
      const addon = addonIndex.onSale.get(id);
      return addon === undefined ? [] : [[id, chargeOf(addon, item, addonIndex)]];
    }),
  );

const defaultsOnMenu = (item: PlainItem, addonIndex: AddonIndex): OnSaleItem['defaults'] => {
  const onMenu = (family: SwapFamily): Uuid | null => {
    const id = item.defaults[family];
    return id !== null && addonIndex.onSale.get(id)?.addon.type === family ? id : null;
  };
  return { milk_type: onMenu('milk_type'), coffee_type: onMenu('coffee_type') };
};

/** Null: not on the menu (Decisions 6). */
export const itemOnSale = (
  item: PlainItem,
  addonIndex: AddonIndex,
  point: SalePoint,
  now: Instant,
): OnSaleItem | null => {
  const price = itemPriceAt(item, point);
  if (price === null || !sellsAt(item, point, now)) return null;
  const groups = item.groups.map((group) => groupOnSale(group, item, addonIndex));
  if (!groups.every(isSatisfiable)) return null;
  const sizes = sizesAt(item, point);
  const allowedAddonIds = allowedOf(item, addonIndex);
  return {
    kind: 'item',
    item,
    price,
    sizes,
    optionals: optionalsAt(item, sizes, point),
    allowedAddonIds,
    groups,
    addonCharges: groups.length > 0 ? null : addonChargesOf(item, allowedAddonIds, addonIndex),
    defaults: defaultsOnMenu(item, addonIndex),
  };
};
