import type { OnSaleChoice, OnSaleCombo, OnSaleComboSize, OnSaleSlot } from '../../../menu/domain/combo.ts';
import type { OnSaleItem } from '../../../menu/domain/item.ts';
import { splitMoney, type Piastres } from '../../../kernel/money.ts';
import { quantityPath, type Pricing } from './faults.ts';
import { namedSize, priceUnitOptions, type UnitOptions } from './unit-options.ts';
import type { CartLine, ComboPick, PricedCombo, PricedPart } from './types.ts';

// ── Checks of the picks (Decisions 7.2) ───────────────────────────────────────────

/** A combo line has only a quantity: options belong to its picks. */
const checkBare = (line: CartLine, path: string, { faults }: Pricing): void => {
  if (line.sizeLabel !== null && line.sizeLabel !== '') faults.invalid(`${path}.size_label`, 'SIZE_OF_COMBO');
  if (line.optionalFieldIds.length > 0) faults.invalid(`${path}.optional_field_ids`, 'OPTIONALS_OF_COMBO');
  if (line.addons.length > 0) faults.invalid(`${path}.addons`, 'ADDONS_OF_COMBO');
};

/** Wrong choices count too, so that a slot with one is not also reported as empty. */
const checkSlot = (
  { slot }: OnSaleSlot,
  picks: readonly ComboPick[],
  path: string,
  { faults }: Pricing,
): void => {
  const { id, name, nameTranslations, min, max } = slot;
  const got = picks.reduce((sum, pick) => sum + (pick.slotId === id ? pick.quantity : 0), 0);
  const about = { slot_id: id, slot: name };
  const names = { slot: nameTranslations };
  if (got < min) faults.refuse(path, 'COMBO_SLOT_TOO_FEW', { ...about, min, got }, names);
  else if (got > max) faults.refuse(path, 'COMBO_SLOT_TOO_MANY', { ...about, max, got }, names);
};

interface Allowed {
  readonly slot: OnSaleSlot['slot'];
  readonly choice: OnSaleChoice;
  readonly entry: OnSaleItem;
}

const allowedChoice = (
  pick: ComboPick,
  combo: OnSaleCombo,
  path: string,
  pricing: Pricing,
): Allowed | null => {
  const { book, faults } = pricing;
  const { slotId, menuItemId } = pick;
  const named = { slot_id: slotId, menu_item_id: menuItemId };
  if (book.items.get(menuItemId)?.kind === 'combo') {
    faults.refuse(`${path}.menu_item_id`, 'COMBO_NESTED');
    return null;
  }
  const shown = combo.slots.find(({ slot }) => slot.id === slotId);
  const choice = shown?.choices.find(({ item }) => item.id === menuItemId);
  if (shown === undefined || choice === undefined) {
    const field = shown === undefined ? 'slot_id' : 'menu_item_id';
    faults.refuse(`${path}.${field}`, 'COMBO_CHOICE_NOT_ALLOWED', named);
    return null;
  }
  const entry = choice.available ? book.entries.get(menuItemId) : undefined;
  if (entry?.kind !== 'item') {
    const about = { menu_item_id: menuItemId, item: choice.item.name };
    const names = { item: choice.item.nameTranslations };
    faults.refuse(`${path}.menu_item_id`, 'COMBO_ITEM_UNAVAILABLE', about, names);
    return null;
  }
  return { slot: shown.slot, choice, entry };
};

// ── Prices of the picks ──────────────────────────────────────────────────────────────────────────────

/** Priced for one unit. */
interface PricedPick extends Allowed {
  readonly quantity: number;
  readonly notes: string | null;
  readonly size: OnSaleComboSize | null;
  readonly making: UnitOptions;
}

/** Without a size label, the included size. */
const pricePick = (
  pick: ComboPick,
  combo: OnSaleCombo,
  path: string,
  pricing: Pricing,
): PricedPick | null => {
  const { faults, unitsLeft } = pricing;
  const allowed = allowedChoice(pick, combo, path, pricing);
  if (allowed === null) return null;
  const { choice, entry } = allowed;
  const left = unitsLeft.get(path);
  if (left !== undefined) {
    const { id, name, nameTranslations } = choice.item;
    const about = { menu_item_id: id, item: name, available: left };
    faults.refuse(quantityPath(path, pick), 'ITEM_UNAVAILABLE', about, { item: nameTranslations });
  }
  const included = choice.sizes.find(({ label }) => label === choice.includedSizeLabel) ?? null;
  const size = namedSize(pick.sizeLabel, choice.sizes, included, path, faults);
  const making = priceUnitOptions(
    pick,
    entry,
    size === undefined ? undefined : (size?.label ?? null),
    path,
    pricing,
  );
  if (size === undefined) return null;
  return { slot: allowed.slot, choice, entry, quantity: pick.quantity, notes: pick.notes, size, making };
};

/** The price of one unit outside the combo, in its size. */
const singlePriceOf = ({ size, choice }: PricedPick): Piastres => size?.price ?? choice.basePrice;

/** Quantity × (surcharge of the choice + extra of the size), per unit of the combo. */
const surchargeOf = ({ quantity, choice, size }: PricedPick): Piastres =>
  quantity * (choice.surcharge + (size?.extra ?? 0));

/** Slot order: sort, then id, then input order (Decisions 7.2). */
export const bySlot = (
  { slot: a }: Pick<PricedPart, 'slot'>,
  { slot: b }: Pick<PricedPart, 'slot'>,
): number => a.sort - b.sort || Number(a.id > b.id) - Number(a.id < b.id);

const partOf = (pick: PricedPick, share: Piastres, lineQuantity: number): PricedPart => {
  const comboShare = share * lineQuantity;
  const comboSurcharge = surchargeOf(pick) * lineQuantity;
  const quantity = pick.quantity * lineQuantity;
  const { addons, optionals, unitSum } = pick.making;
  return {
    slot: pick.slot,
    item: pick.entry.item,
    sizeLabel: pick.size?.label ?? null,
    quantity,
    unitPrice: singlePriceOf(pick),
    comboShare,
    comboSurcharge,
    lineTotal: comboShare + comboSurcharge,
    addonsTotal: unitSum * quantity,
    addons,
    optionals,
    notes: pick.notes,
  };
};

const sum = (amounts: readonly Piastres[]): Piastres => amounts.reduce((all, amount) => all + amount, 0);

export interface PricedComboLine {
  readonly combo: PricedCombo;
  /** Of all parts, per unit of the combo. */
  readonly addonsTotal: Piastres;
}

/** Splits the price of one unit, then multiplies by the line's quantity (Decisions 7.2). */
const priceOf = (combo: OnSaleCombo, picks: readonly PricedPick[], lineQuantity: number): PricedComboLine => {
  const ordered = picks.toSorted(bySlot);
  const shares = splitMoney(
    combo.price,
    ordered.map(({ choice, quantity }) => choice.basePrice * quantity),
  );
  const unitTotal = combo.price + sum(ordered.map(surchargeOf));
  const apart = sum(ordered.map((pick) => singlePriceOf(pick) * pick.quantity));
  return {
    combo: {
      price: combo.price,
      unitTotal,
      savingUnit: apart - unitTotal,
      parts: ordered.map((pick, index) => partOf(pick, shares[index] ?? 0, lineQuantity)),
    },
    addonsTotal: sum(ordered.map(({ making, quantity }) => making.unitSum * quantity)),
  };
};

/** Prices a combo that is on the menu; null when a pick is refused. */
export const priceComboLine = (
  line: CartLine,
  combo: OnSaleCombo,
  path: string,
  pricing: Pricing,
): PricedComboLine | null => {
  checkBare(line, path, pricing);
  const picks = line.combo?.picks ?? [];
  if (picks.length === 0) {
    pricing.faults.refuse(`${path}.combo`, 'COMBO_PICKS_REQUIRED');
    return null;
  }
  for (const slot of combo.slots) checkSlot(slot, picks, `${path}.combo.picks`, pricing);
  const priced = picks.flatMap(
    (pick, index) => pricePick(pick, combo, `${path}.combo.picks[${index}]`, pricing) ?? [],
  );
  return priced.length < picks.length ? null : priceOf(combo, priced, line.quantity);
};
