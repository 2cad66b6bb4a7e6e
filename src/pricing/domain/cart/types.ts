/** A cart before and after pricing (Shapes, CartLineInput and ComboInput; Decisions 3). */
import type { DealUnits } from '../deals/types.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import type { Addon, ComboSlot, MenuItem, OptionalField, PlainItem } from '../../../menu/domain/menubook.ts';
import type { Piastres } from '../../../kernel/money.ts';
import type { CodedFault } from '../../../kernel/refusal.ts';

// ── Input ───────────────────────────────────────────────────────────────────────

/** `quantity` is per unit of the line or pick. */
export interface ChosenAddon {
  readonly addonItemId: Uuid;
  readonly quantity: number;
  /** True when the body leaves the quantity out: it is 1. */
  readonly leavesQuantityOut?: boolean;
}

/** The common part of a line and a combo's pick. */
export interface Chosen {
  readonly menuItemId: Uuid;
  readonly quantity: number;
  /** Null or '' when none is named; menus write '' for items without sizes. */
  readonly sizeLabel: string | null;
  readonly notes: string | null;
  readonly optionalFieldIds: readonly Uuid[];
  readonly addons: readonly ChosenAddon[];
}

/** `quantity` is per unit of the combo. */
export interface ComboPick extends Chosen {
  readonly slotId: Uuid;
  /** True when the body leaves the quantity out: it is 1. */
  readonly leavesQuantityOut?: boolean;
}

export interface CartLine extends Chosen {
  readonly combo: { readonly picks: readonly ComboPick[] } | null;
}

// ── Prices ───────────────────────────────────────────────────────────────────────────────

/** Each add-on once, however often the input names it. */
export interface PricedAddon {
  readonly addon: Addon;
  /** Per unit of the line or the part. */
  readonly quantity: number;
  /** A swap's difference, or an extra's price. */
  readonly unitPrice: Piastres;
}

export interface PricedOptional {
  readonly field: OptionalField;
  readonly price: Piastres;
}

/** The priced options of one unit. */
export interface PricedOptions {
  readonly addons: readonly PricedAddon[];
  readonly optionals: readonly PricedOptional[];
}

export interface PricedLine extends PricedOptions {
  /** The index of the line in the cart. */
  readonly index: number;
  readonly quantity: number;
  readonly item: MenuItem;
  /** The size sold, named or not; null for a combo and an item without sizes. */
  readonly sizeLabel: string | null;
  /** The price of one unit in its size; 0 for a combo. */
  readonly unitPrice: Piastres;
  /** Add-ons and optionals of one unit, for a combo of all its parts. */
  readonly addonsTotal: Piastres;
  /** Before deals. */
  readonly lineTotal: Piastres;
  readonly notes: string | null;
  /** Null for a plain item. */
  readonly combo: PricedCombo | null;
  /** The units that count in deals; null for a combo (Decisions 7.2). */
  readonly dealUnits: DealUnits | null;
}

/** The combo of a line, for one unit of it (Decisions 3, QuotedCombo). */
export interface PricedCombo {
  readonly price: Piastres;
  /** With surcharges and size extras, without add-ons. */
  readonly unitTotal: Piastres;
  /** The single prices of the picks without add-ons − `unitTotal`; may be negative. */
  readonly savingUnit: Piastres;
  /** In slot order. */
  readonly parts: readonly PricedPart[];
}

/** One pick; quantity and sums are for the whole line (Decisions 3, QuotedCombo). */
export interface PricedPart extends PricedOptions {
  readonly slot: ComboSlot;
  readonly item: PlainItem;
  readonly sizeLabel: string | null;
  readonly quantity: number;
  /** The price of one unit outside the combo, in its size. */
  readonly unitPrice: Piastres;
  /** The share of the combo's price. */
  readonly comboShare: Piastres;
  /** Surcharges of the choice and extras of the size. */
  readonly comboSurcharge: Piastres;
  /** Share and surcharge, without add-ons. */
  readonly lineTotal: Piastres;
  readonly addonsTotal: Piastres;
  readonly notes: string | null;
}

// ── Faults ───────────────────────────────────────────────────────────────────────

/** The path is that of the body: `items[2].addons[0].addon_item_id`. */
export type CartFault = CodedFault;

export type PricedCart =
  { readonly lines: readonly PricedLine[] } | { readonly faults: readonly CartFault[] };
