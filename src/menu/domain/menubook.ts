import type { AvailabilityEntry, SaleConditions } from './availability.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { Named, Translations } from '../../kernel/names.ts';
import type { PriceEntry, SalePoint } from './price.ts';
import { ONLINE_CHANNELS, type Channel, type OnlineChannel } from '../../shops/domain/shop.ts';
import type { Instant, LocalDate } from '../../kernel/time.ts';
import type { SaleWindow } from '../../kernel/sale-windows.ts';

/**
 * Stored data that decides what a branch sells on every channel at any time. Lists are in display order: by `sort`, then id.
 */
export interface MenuBook {
  readonly categories: readonly Category[];
  /** Also archived items that a combo names. */
  readonly items: readonly MenuItem[];
  /** Also archived ones: a hidden default still sets the price of a swap (Decisions 6). */
  readonly addons: readonly Addon[];
  /** Also of no item. */
  readonly groups: readonly ModifierGroup[];
  readonly deals: readonly Deal[];
  readonly discounts: readonly ChannelDiscount[];
}

export interface Category extends Named {
  readonly id: Uuid;
  readonly sort: number;
  /** As the shop file names it. */
  readonly imageUrl: string | null;
  /** The stored picture under `imageUrl`. */
  readonly pictureId: Uuid | null;
}

interface MenuItemFields extends Named, SaleConditions {
  readonly id: Uuid;
  readonly sort: number;
  readonly categoryId: Uuid | null;
  readonly description: string | null;
  readonly descriptionTranslations: Translations;
  readonly imageUrl: string | null;
  readonly pictureId: Uuid | null;
  readonly prices: readonly PriceEntry[];
}

export interface ItemSize {
  readonly label: string;
  readonly labelTranslations: Translations;
}

export interface OptionalField extends Named {
  readonly id: Uuid;
  /** Null: every size. */
  readonly sizeLabel: string | null;
  readonly prices: readonly PriceEntry[];
}

export interface PlainItem extends MenuItemFields {
  readonly kind: 'item';
  readonly sizes: readonly ItemSize[];
  readonly optionals: readonly OptionalField[];
  /** Null: all; empty: none (Decisions 3). Ignored if the item has groups. */
  readonly allowedAddonIds: readonly Uuid[] | null;
  readonly groups: readonly ModifierGroup[];
  /** The included add-on of each swap family. */
  readonly defaults: Readonly<Record<SwapFamily, Uuid | null>>;
  readonly meal: MealLink | null;
}

/** The combo that contains the item, and the item's slot. */
export interface MealLink {
  readonly comboId: Uuid;
  readonly slotId: Uuid;
}

export interface Combo extends MenuItemFields {
  readonly kind: 'combo';
  readonly sell: ChannelToggles;
  readonly slots: readonly ComboSlot[];
}

export type MenuItem = PlainItem | Combo;

export interface ComboSlot extends Named {
  readonly id: Uuid;
  readonly sort: number;
  readonly min: number;
  readonly max: number;
  readonly choices: readonly ComboChoice[];
  readonly defaultItemId: Uuid | null;
  readonly defaultSizeLabel: string | null;
}

export interface ComboChoice {
  readonly itemId: Uuid;
  /** '': an item without sizes, or the cheapest size. */
  readonly includedSizeLabel: string;
  /** Piastres per picked unit. */
  readonly surcharge: Piastres;
  /** Listed extras; other sizes cost the price difference. */
  readonly sizeExtras: ReadonlyMap<string, Piastres>;
}

/** A swap replaces the default; an extra is added. */
export type SwapFamily = 'milk_type' | 'coffee_type';
export type AddonType = SwapFamily | 'extra';

export interface Addon extends Named {
  readonly id: Uuid;
  readonly sort: number;
  readonly type: AddonType;
  readonly isLive: boolean;
  readonly prices: readonly PriceEntry[];
  readonly availability: readonly AvailabilityEntry[];
}

export interface ModifierGroup extends Named {
  readonly id: Uuid;
  readonly selectionType: 'single' | 'multi';
  readonly minSelections: number;
  readonly maxSelections: number | null;
  readonly isRequired: boolean;
  readonly addonType: AddonType | null;
  readonly addonIds: readonly Uuid[];
}

/** Shapes, ChannelToggles. */
export interface ChannelToggles {
  readonly pos: boolean;
  readonly qr: boolean;
  readonly online: boolean;
  readonly delivery: boolean;
}

/**
 * `qr`: tables, hence the dine-in menu; `online`: the four online channels (Decisions 6). `pos` (tills) and
 * `delivery` (aggregators) have no public menu.
 */
const TOGGLE: Readonly<Record<Channel, 'qr' | 'online'>> = {
  dine_in: 'qr',
  pickup: 'online',
  outside: 'online',
  in_mall: 'online',
  umbrella: 'online',
};

export const isToggledOn = (
  sell: ChannelToggles,
  { channel, toggle }: Pick<SalePoint, 'channel' | 'toggle'>,
): boolean => sell[toggle ?? TOGGLE[channel]];

/** An item, or all plain items of a category; null size: any. */
export type DealPoolEntry = (
  | { readonly categoryId: Uuid; readonly menuItemId: null }
  | { readonly categoryId: null; readonly menuItemId: Uuid }
) & { readonly sizeLabel: string | null };

/** Covers size prices only (Shapes, DealRule). */
export interface Deal extends Named {
  readonly id: Uuid;
  readonly terms: DealTerms;
  readonly qty: number;
  /** Null: unlimited. */
  readonly maxPerOrder: number | null;
  readonly sort: number;
  readonly isActive: boolean;
  readonly sell: ChannelToggles;
  readonly pool: readonly DealPoolEntry[];
  /** `buy_get` only; empty: rewards come from `pool`. */
  readonly rewardPool: readonly DealPoolEntry[];
  readonly windows: readonly SaleWindow[];
  readonly branchOverrides: readonly { readonly branchId: Uuid; readonly isActive: boolean }[];
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export type DealTerms =
  | { readonly kind: 'n_for_price'; readonly price: Piastres }
  | { readonly kind: 'buy_get'; readonly getQty: number; readonly getPercent: number };

/** Where a discount is offered: on a channel, which has one, or at tills, where the staff give it. */
export const DISCOUNT_PLACES = [...ONLINE_CHANNELS, 'till'] as const;

/** Null branch: all branches. */
export interface ChannelDiscount extends Named {
  readonly id: Uuid;
  readonly branchId: Uuid | null;
  readonly channel: OnlineChannel;
  readonly isActive: boolean;
  /** Local dates, inclusive; null: unbounded. */
  readonly validFrom: LocalDate | null;
  readonly validTo: LocalDate | null;
  readonly cut: DiscountCut;
}

export type DiscountCut =
  /** `rate`: decimal fraction as text, at most six places. */
  | { readonly dtype: 'percentage'; readonly rate: string }
  | { readonly dtype: 'fixed'; readonly amount: Piastres };

const neverSoldOut = <T extends { readonly availability: readonly AvailabilityEntry[] }>(thing: T): T => ({
  ...thing,
  availability: thing.availability.map((entry) => ({ ...entry, soldOutUntil: null, stock: null })),
});

/** The book of another moment: what is sold out now was not sold out whenever it was sold. */
export const withoutSoldOut = (book: MenuBook): MenuBook => ({
  ...book,
  items: book.items.map(neverSoldOut),
  addons: book.addons.map(neverSoldOut),
});
