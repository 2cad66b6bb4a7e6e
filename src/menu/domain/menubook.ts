import type { AvailabilityEntry, Sold } from './availability.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { Named, Translations } from '../../kernel/names.ts';
import type { PriceEntry } from './price.ts';
import type { Channel, OnlineChannel } from '../../shops/domain/shop.ts';
import type { Instant, LocalDate } from '../../kernel/time.ts';
import type { SaleWindow } from '../../kernel/windows.ts';

/**
 * Everything that decides what a branch sells, on every channel and at every moment: the shop's menu as it is
 * stored, with the prices, switches and windows that concern the branch. Lists are in the order they are shown.
 */
export interface MenuBook {
  readonly categories: readonly Category[];
  /** Every item and combo of the shop, and archived ones that a combo still names. */
  readonly items: readonly MenuItem[];
  /** Every add-on, archived ones too: a default off the menu still sets what a swap costs (Decisions 6). */
  readonly addons: readonly Addon[];
  readonly deals: readonly Deal[];
  readonly discounts: readonly ChannelDiscount[];
}

export interface Category extends Named {
  readonly id: Uuid;
  readonly imageUrl: string | null;
}

interface Sellable extends Named, Sold {
  readonly id: Uuid;
  readonly categoryId: Uuid | null;
  readonly description: string | null;
  readonly descriptionTranslations: Translations;
  readonly imageUrl: string | null;
  readonly prices: readonly PriceEntry[];
}

export interface ItemSize {
  readonly label: string;
  readonly labelTranslations: Translations;
}

export interface OptionalField extends Named {
  readonly id: Uuid;
  /** Null = for every size. */
  readonly sizeLabel: string | null;
  readonly prices: readonly PriceEntry[];
}

export interface PlainItem extends Sellable {
  readonly kind: 'item';
  readonly sizes: readonly ItemSize[];
  readonly optionals: readonly OptionalField[];
  /** Null: every add-on; empty: none (Decisions 3). Where there are groups they alone say what may be added. */
  readonly allowedAddonIds: readonly Uuid[] | null;
  readonly groups: readonly ModifierGroup[];
  /** The add-on of each swap family that the item comes with; swapping it is priced against it. */
  readonly defaults: Readonly<Record<SwapFamily, Uuid | null>>;
  readonly meal: MealLink | null;
}

/** The combo that makes a meal of an item, and the slot that the item fills there. */
export interface MealLink {
  readonly comboId: Uuid;
  readonly slotId: Uuid;
}

export interface Combo extends Sellable {
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
  /** '' for an item without sizes; for one with sizes, its cheapest. */
  readonly includedSizeLabel: string;
  /** Piastres per picked unit. */
  readonly surcharge: Piastres;
  /** What the owner lists for a size; the others cost what they cost more than the included one. */
  readonly sizeExtras: ReadonlyMap<string, Piastres>;
}

/** Add-ons of these families take another's place; extras come on top. */
export type SwapFamily = 'milk_type' | 'coffee_type';
export type AddonType = SwapFamily | 'extra';

export interface Addon extends Named {
  readonly id: Uuid;
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

/** Where a combo or a deal is sold; each is on until switched off (Shapes, ChannelToggles). */
export interface ChannelToggles {
  readonly pos: boolean;
  readonly qr: boolean;
  readonly online: boolean;
  readonly delivery: boolean;
}

/**
 * `qr` = a table's QR, `online` = the four online channels (Decisions 6). The read-only dine-in menu is what a
 * table orders from. `pos` is the till, `delivery` the aggregator apps: no public menu.
 */
const TOGGLE: Readonly<Record<Channel, 'qr' | 'online'>> = {
  dine_in: 'qr',
  pickup: 'online',
  outside: 'online',
  in_mall: 'online',
  umbrella: 'online',
};

export const isToggledOn = (sell: ChannelToggles, channel: Channel): boolean => sell[TOGGLE[channel]];

/** What counts towards a deal: an item, or every plain item of a category; one size, or any when null. */
export type DealPoolEntry = (
  | { readonly categoryId: Uuid; readonly menuItemId: null }
  | { readonly categoryId: null; readonly menuItemId: Uuid }
) & { readonly sizeLabel: string | null };

/** A deal covers an item's size price only (Shapes, DealRule). */
export interface Deal extends Named {
  readonly id: Uuid;
  readonly terms: DealTerms;
  readonly qty: number;
  /** Null = as often as the cart allows. */
  readonly maxPerOrder: number | null;
  readonly sort: number;
  readonly isActive: boolean;
  readonly sell: ChannelToggles;
  readonly pool: readonly DealPoolEntry[];
  /** `buy_get` only; empty = rewarded units come from `pool`. */
  readonly rewardPool: readonly DealPoolEntry[];
  readonly windows: readonly SaleWindow[];
  readonly branchOverrides: readonly { readonly branchId: Uuid; readonly isActive: boolean }[];
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export type DealTerms =
  | { readonly kind: 'n_for_price'; readonly price: Piastres }
  | { readonly kind: 'buy_get'; readonly getQty: number; readonly getPercent: number };

/** A discount that an online channel carries, at one branch or (null) at all. */
export interface ChannelDiscount extends Named {
  readonly id: Uuid;
  readonly branchId: Uuid | null;
  readonly channel: OnlineChannel;
  readonly isActive: boolean;
  /** First and last local date, both included; null = no bound. */
  readonly validFrom: LocalDate | null;
  readonly validTo: LocalDate | null;
  readonly cut: DiscountCut;
}

export type DiscountCut =
  /** `rate`: a fraction as exact decimal text, at most six places. */
  | { readonly dtype: 'percentage'; readonly rate: string }
  | { readonly dtype: 'fixed'; readonly amount: Piastres };
