import { sellsAt } from './availability.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { cheapestOf, sizesAt, type OnSaleItem, type OnSaleSize } from './item.ts';
import {
  isToggledOn,
  type Combo,
  type ComboChoice,
  type ComboSlot,
  type MenuItem,
  type PlainItem,
} from './menubook.ts';
import type { Piastres } from '../../kernel/money.ts';
import { priceAt, type SalePoint } from './price.ts';
import type { Instant } from '../../kernel/time.ts';

export interface OnSaleComboSize extends OnSaleSize {
  /** Piastres added to the combo. */
  readonly extra: Piastres;
}

export interface OnSaleChoice {
  readonly item: MenuItem;
  /** False: not sold now; listed without sizes and never a default (Shapes, PublicComboChoice). */
  readonly available: boolean;
  /** The included size's price on the channel. */
  readonly basePrice: Piastres;
  readonly includedSizeLabel: string;
  readonly sizes: readonly OnSaleComboSize[];
  /** Piastres per picked unit. */
  readonly surcharge: Piastres;
}

export interface OnSaleSlot {
  readonly slot: ComboSlot;
  readonly choices: readonly OnSaleChoice[];
  readonly defaultItemId: Uuid | null;
  readonly defaultSizeLabel: string | null;
}

export interface OnSaleCombo {
  readonly kind: 'combo';
  readonly item: Combo;
  readonly price: Piastres;
  readonly isFixed: boolean;
  readonly slots: readonly OnSaleSlot[];
}

export interface ChoiceSources {
  readonly onMenu: ReadonlyMap<Uuid, OnSaleItem>;
  readonly stored: ReadonlyMap<Uuid, MenuItem>;
}

/** The named size, or the cheapest if none is named; null: not sold on the channel. */
const includedAt = (
  item: PlainItem,
  label: string,
  point: SalePoint,
): { readonly label: string; readonly price: Piastres } | null => {
  if (item.sizes.length === 0) {
    const price = label === '' ? priceAt(item.prices, point) : null;
    return price === null ? null : { label, price };
  }
  const sizes = sizesAt(item, point);
  return label === '' ? cheapestOf(sizes) : (sizes.find((size) => size.label === label) ?? null);
};

/** The listed extra, else the price difference to the included size (Decisions 7.2). */
const comboSize = (
  size: OnSaleSize,
  choice: ComboChoice,
  included: { readonly label: string; readonly price: Piastres },
): OnSaleComboSize => ({
  ...size,
  extra:
    size.label === included.label
      ? 0
      : (choice.sizeExtras.get(size.label) ?? Math.max(0, size.price - included.price)),
});

/** The prices of a choice on the channel; null: its included size has none there. */
export const choiceAt = (
  choice: ComboChoice,
  item: PlainItem,
  point: SalePoint,
): Pick<OnSaleChoice, 'basePrice' | 'includedSizeLabel' | 'sizes'> | null => {
  const included = includedAt(item, choice.includedSizeLabel, point);
  return (
    included && {
      basePrice: included.price,
      includedSizeLabel: included.label,
      sizes: sizesAt(item, point).map((size) => comboSize(size, choice, included)),
    }
  );
};

/**
 * Available if the item is on the menu and its included size is sold on the channel. `basePrice` is 0 without
 * a price there.
 */
const choiceOnSale = (choice: ComboChoice, point: SalePoint, sources: ChoiceSources): OnSaleChoice[] => {
  const item = sources.stored.get(choice.itemId);
  if (item === undefined) return [];
  const priced = item.kind === 'item' ? choiceAt(choice, item, point) : null;
  const available = priced !== null && sources.onMenu.has(choice.itemId);
  return [
    {
      ...{ item, available, surcharge: choice.surcharge },
      basePrice: priced?.basePrice ?? 0,
      includedSizeLabel: priced?.includedSizeLabel ?? choice.includedSizeLabel,
      sizes: available ? priced.sizes : [],
    },
  ];
};

const slotOnSale = (slot: ComboSlot, point: SalePoint, sources: ChoiceSources): OnSaleSlot => {
  const choices = slot.choices.flatMap((choice) => choiceOnSale(choice, point, sources));
  const standard = choices.find((choice) => choice.available && choice.item.id === slot.defaultItemId);
  const size = standard?.sizes.find(({ label }) => label === slot.defaultSizeLabel);
  return { slot, choices, defaultItemId: standard?.item.id ?? null, defaultSizeLabel: size?.label ?? null };
};

/** One available choice fills any minimum, because quantities count. */
const isFillable = ({ slot, choices }: OnSaleSlot): boolean =>
  slot.min === 0 || choices.some((choice) => choice.available);

/** Sizes and add-ons do not count as a choice (Decisions 3). */
const leavesNoChoice = ({ slot, choices }: OnSaleSlot): boolean =>
  slot.min === slot.max && choices.length === 1;

export const isComboOffered = (combo: Combo, point: SalePoint): boolean =>
  isToggledOn(combo.sell, point) && priceAt(combo.prices, point) !== null;

/** Null: off the menu, also if a required slot has no available choice (Decisions 6). */
export const comboOnSale = (
  combo: Combo,
  sources: ChoiceSources,
  point: SalePoint,
  now: Instant,
): OnSaleCombo | null => {
  const price = priceAt(combo.prices, point);
  if (price === null || !isToggledOn(combo.sell, point) || !sellsAt(combo, point, now)) return null;
  const slots = combo.slots.map((slot) => slotOnSale(slot, point, sources));
  if (!slots.every(isFillable)) return null;
  return { kind: 'combo', item: combo, price, isFixed: slots.every(leavesNoChoice), slots };
};

/** Both ends of a meal link must be on the menu (Decisions 6). */
export const slotTakes = (combo: OnSaleCombo, slotId: Uuid, itemId: Uuid): boolean =>
  combo.slots.some(
    ({ slot, choices }) =>
      slot.id === slotId && choices.some((choice) => choice.available && choice.item.id === itemId),
  );
