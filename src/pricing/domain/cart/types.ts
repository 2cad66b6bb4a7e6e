/** What a cart is before and after pricing (Shapes, CartLineInput and ComboInput; Decisions 3). */
import type { DealUnits } from '../deals/types.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import type { Addon, ComboSlot, MenuItem, OptionalField, PlainItem } from '../../../menu/domain/menubook.ts';
import type { Piastres } from '../../../kernel/money.ts';
import type { CodedFault } from '../../../kernel/refusal.ts';

// ── What a guest asks for ───────────────────────────────────────────────────────────────────────

/** An add-on as it is asked for; its quantity is per unit of what it is added to. */
export interface ChosenAddon {
  readonly addonItemId: Uuid;
  readonly quantity: number;
  /** True where the body says no quantity, and one is meant. */
  readonly leavesQuantityOut?: boolean;
}

/** What a line and a combo's pick have in common: an item, how many, and how each of them is made. */
export interface Chosen {
  readonly menuItemId: Uuid;
  readonly quantity: number;
  /** Null, or '' as a menu writes it for an item without sizes: none is named. */
  readonly sizeLabel: string | null;
  readonly notes: string | null;
  readonly optionalFieldIds: readonly Uuid[];
  readonly addons: readonly ChosenAddon[];
}

/** A pick's quantity is per unit of the combo. */
export interface ComboPick extends Chosen {
  readonly slotId: Uuid;
  /** True where the body says no quantity, and one is meant. */
  readonly leavesQuantityOut?: boolean;
}

export interface CartLine extends Chosen {
  readonly combo: { readonly picks: readonly ComboPick[] } | null;
}

// ── What it costs ───────────────────────────────────────────────────────────────────────────────

/** An add-on on a line or a part: each once, however often the input names it. */
export interface PricedAddon {
  readonly addon: Addon;
  /** Per unit of the line or the part. */
  readonly quantity: number;
  /** What one of it adds to this item: a swap's difference, an extra's price. */
  readonly unitPrice: Piastres;
}

export interface PricedOptional {
  readonly field: OptionalField;
  readonly price: Piastres;
}

/** How each unit of a line or a part is made, priced. */
export interface Making {
  readonly addons: readonly PricedAddon[];
  readonly optionals: readonly PricedOptional[];
}

export interface PricedLine extends Making {
  /** The line's place in the cart, from 0. */
  readonly index: number;
  readonly quantity: number;
  /** As it is stored. */
  readonly item: MenuItem;
  /** The size that is sold, also where none was named; null for an item without sizes and for a combo. */
  readonly sizeLabel: string | null;
  /** The size price of one unit; 0 for a combo. */
  readonly unitPrice: Piastres;
  /** Add-ons and optionals of one unit; of a combo, those of all its parts. */
  readonly addonsTotal: Piastres;
  /** The whole line with add-ons, before deals. */
  readonly lineTotal: Piastres;
  readonly notes: string | null;
  /** Null for a plain item. */
  readonly combo: PricedCombo | null;
  /** What deals see of the line; null for a combo, which takes no deals (Decisions 7.2). */
  readonly dealUnits: DealUnits | null;
}

/** The combo of a line, for one unit of it (Decisions 3, QuotedCombo). */
export interface PricedCombo {
  readonly price: Piastres;
  /** The price with surcharges and size extras, without add-ons. */
  readonly unitTotal: Piastres;
  /** What the picks would cost singly, without add-ons, less `unitTotal`; may be negative. */
  readonly savingUnit: Piastres;
  /** In slot order. */
  readonly parts: readonly PricedPart[];
}

/** One pick of a combo; its quantity and sums are for the whole line (Decisions 3, QuotedCombo). */
export interface PricedPart extends Making {
  readonly slot: ComboSlot;
  readonly item: PlainItem;
  readonly sizeLabel: string | null;
  readonly quantity: number;
  /** What one of it in its size costs singly. */
  readonly unitPrice: Piastres;
  /** Its share of the combo's price. */
  readonly comboShare: Piastres;
  /** Surcharges of the choice and extras of the size. */
  readonly comboSurcharge: Piastres;
  /** Share and surcharge; add-ons are apart. */
  readonly lineTotal: Piastres;
  readonly addonsTotal: Piastres;
  readonly notes: string | null;
}

// ── What is wrong with it ───────────────────────────────────────────────────────────────────────

/** One thing wrong with a cart; its path is as in the body: `items[2].addons[0].addon_item_id`. */
export type CartFault = CodedFault;

export type PricedCart =
  { readonly lines: readonly PricedLine[] } | { readonly faults: readonly CartFault[] };
