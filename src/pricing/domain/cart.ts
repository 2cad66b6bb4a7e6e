import { priceComboLine } from './cart/combo.ts';
import { CartFaults, type Pricing } from './cart/faults.ts';
import { namedSize, priceUnitOptions } from './cart/unit-options.ts';
import { whyOffMenu, type ComboReason } from './cart/reason.ts';
import { shortages } from './cart/stock.ts';
import type { CartLine, PricedCart, PricedLine } from './cart/types.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { cheapestOf } from '../../menu/domain/item.ts';
import type { Combo, PlainItem } from '../../menu/domain/menubook.ts';
import { HIGHEST_TOTAL } from '../../kernel/money.ts';
import type { PriceBook } from './pricebook.ts';

export { COMBO_REASONS, type ComboReason } from './cart/reason.ts';
export type {
  CartFault,
  CartLine,
  ChosenAddon,
  ComboPick,
  PricedAddon,
  PricedCart,
  PricedCombo,
  PricedLine,
  PricedOptional,
  PricedPart,
} from './cart/types.ts';

/** (Size price + add-ons + optionals) × quantity (Decisions 7.1). */
const pricePlain = (line: CartLine, index: number, item: PlainItem, pricing: Pricing): PricedLine | null => {
  const { book, faults, unitsLeft } = pricing;
  const path = `items[${index}]`;
  const about = { menu_item_id: item.id, item: item.name };
  const names = { item: item.nameTranslations };
  const entry = book.entries.get(item.id);
  if (entry?.kind !== 'item') {
    // Off sale at any stock, so `available` is 0: a client must not retry with a lower quantity.
    faults.refuse(`${path}.menu_item_id`, 'ITEM_UNAVAILABLE', { ...about, available: 0 }, names);
    return null;
  }
  const left = unitsLeft.get(path);
  if (left !== undefined)
    faults.refuse(`${path}.quantity`, 'ITEM_UNAVAILABLE', { ...about, available: left }, names);
  const size = namedSize(line.sizeLabel, entry.sizes, cheapestOf(entry.sizes), path, faults);
  const label = size === undefined ? undefined : (size?.label ?? null);
  const { addons, optionals, unitSum } = priceUnitOptions(line, entry, label, path, pricing);
  if (line.combo !== null && line.combo.picks.length > 0)
    faults.invalid(`${path}.combo`, 'PICKS_OF_NO_COMBO');
  if (label === undefined) return null;
  const unitPrice = size?.price ?? entry.price;
  return {
    index,
    quantity: line.quantity,
    item,
    sizeLabel: label,
    unitPrice,
    addonsTotal: unitSum,
    lineTotal: (unitPrice + unitSum) * line.quantity,
    addons,
    optionals,
    notes: line.notes,
    combo: null,
    dealUnits: {
      line: index,
      itemId: item.id,
      categoryId: entry.categoryId,
      sizeLabel: label ?? '',
      sizeOrder: Math.max(
        0,
        item.sizes.findIndex((each) => each.label === label),
      ),
      price: unitPrice,
      quantity: line.quantity,
    },
  };
};

/** (Combo price + surcharges + size extras + add-ons of its parts) × quantity (Decisions 7.2). */
const priceCombo = (line: CartLine, index: number, item: Combo, pricing: Pricing): PricedLine | null => {
  const { book, faults, unitsLeft } = pricing;
  const path = `items[${index}]`;
  const entry = book.entries.get(item.id);
  const refuse = (field: string, reason: ComboReason, available: number): void => {
    const figures = { combo_id: item.id, combo: item.name, reason, available };
    faults.refuse(`${path}.${field}`, 'COMBO_UNAVAILABLE', figures, { combo: item.nameTranslations });
  };
  if (entry?.kind !== 'combo') {
    refuse('menu_item_id', whyOffMenu(item, book), 0);
    return null;
  }
  const left = unitsLeft.get(path);
  if (left !== undefined) refuse('quantity', left > 0 ? 'too_few_left' : 'sold_out', left);
  const priced = priceComboLine(line, entry, path, pricing);
  if (priced === null) return null;
  const { combo, addonsTotal } = priced;
  return {
    index,
    quantity: line.quantity,
    item,
    sizeLabel: null,
    unitPrice: 0,
    addonsTotal,
    lineTotal: (combo.unitTotal + addonsTotal) * line.quantity,
    addons: [],
    optionals: [],
    notes: line.notes,
    combo,
    dealUnits: null,
  };
};

/**
 * Every total fits int32 (Decisions 7). A sum beyond 2^53 is inexact, but no addend is negative, so it stays above the
 * limit.
 */
const checkTotals = ({ index, lineTotal, combo }: PricedLine, before: number, { faults }: Pricing): void => {
  const path = `items[${index}]`;
  const figures = { most: HIGHEST_TOTAL };
  if (lineTotal > HIGHEST_TOTAL) faults.invalid(`${path}.quantity`, 'LINE_TOO_DEAR', figures);
  else if (before <= HIGHEST_TOTAL && before + lineTotal > HIGHEST_TOTAL)
    faults.invalid(`${path}.quantity`, 'CART_TOO_DEAR', figures);
  if (combo !== null && combo.savingUnit > HIGHEST_TOTAL)
    faults.invalid(`${path}.combo.picks`, 'PICKS_TOO_DEAR', figures);
};

const priceLine = (line: CartLine, index: number, pricing: Pricing): PricedLine | null => {
  const item = pricing.book.items.get(line.menuItemId);
  if (item === undefined) {
    pricing.faults.refuse(`items[${index}].menu_item_id`, 'ITEM_NOT_FOUND', {
      menu_item_id: line.menuItemId,
    });
    return null;
  }
  return item.kind === 'item'
    ? pricePlain(line, index, item, pricing)
    : priceCombo(line, index, item, pricing);
};

/**
 * The lines priced before deals, or all their faults by line, then field (Decisions 3, vars; 7.1, 7.2). Quantities are
 * whole and at least 1. `stock`: counted units left at the branch, by the id of an item, combo or add-on.
 */
export const priceCart = (
  book: PriceBook,
  lines: readonly CartLine[],
  stock: ReadonlyMap<Uuid, number>,
): PricedCart => {
  const faults = new CartFaults();
  const pricing = { book, faults, unitsLeft: shortages(lines, stock) };
  const priced: PricedLine[] = [];
  let total = 0;
  for (const [index, line] of lines.entries()) {
    const before = faults.count;
    const one = priceLine(line, index, pricing);
    if (one === null || faults.count > before) continue;
    checkTotals(one, total, pricing);
    total += one.lineTotal;
    priced.push(one);
  }
  return faults.count > 0 ? { faults: faults.all } : { lines: priced };
};
