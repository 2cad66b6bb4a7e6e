/** A line of a cart as bodies and devices write it (Shapes, OrderItemInput). Prices in it are ignored (Decisions 7). */
import type { Uuid } from '../../../kernel/ids.ts';
import type { CartLine, ComboPick } from './types.ts';

export interface AskedAddon {
  readonly addon_item_id: string;
  readonly quantity?: number | undefined;
}

interface AskedOptions {
  readonly size_label?: string | null | undefined;
  readonly notes?: string | null | undefined;
  readonly optional_field_ids?: readonly string[] | undefined;
  readonly addons?: readonly AskedAddon[] | undefined;
}

export interface AskedPick extends AskedOptions {
  readonly slot_id: string;
  readonly menu_item_id: string;
  readonly quantity?: number | undefined;
}

export interface AskedLine extends AskedOptions {
  readonly menu_item_id: string;
  readonly quantity: number;
  readonly combo?: { readonly picks: readonly AskedPick[] } | null | undefined;
}

/** Ids are case-insensitive (Decisions 2). */
const idOf = (text: string): Uuid => text.toLowerCase();

const countOf = (quantity: number | undefined) =>
  quantity === undefined ? { quantity: 1, leavesQuantityOut: true } : { quantity };

/** The options of each unit. */
const makingOf = (asked: AskedOptions) => ({
  sizeLabel: asked.size_label ?? null,
  notes: asked.notes ?? null,
  optionalFieldIds: (asked.optional_field_ids ?? []).map(idOf),
  addons: (asked.addons ?? []).map(({ addon_item_id: id, quantity }) => ({
    addonItemId: idOf(id),
    ...countOf(quantity),
  })),
});

const pickOf = (pick: AskedPick): ComboPick => ({
  slotId: idOf(pick.slot_id),
  menuItemId: idOf(pick.menu_item_id),
  ...countOf(pick.quantity),
  ...makingOf(pick),
});

export const readLine = (asked: AskedLine): CartLine => ({
  menuItemId: idOf(asked.menu_item_id),
  quantity: asked.quantity,
  ...makingOf(asked),
  combo: asked.combo ? { picks: asked.combo.picks.map(pickOf) } : null,
});
