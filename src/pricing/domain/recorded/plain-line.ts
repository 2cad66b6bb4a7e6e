import type { Piastres } from '../../../kernel/money.ts';
import { cheapestOf, itemPriceAt, sizesAt } from '../../../menu/domain/item.ts';
import type { PlainItem } from '../../../menu/domain/menubook.ts';
import type { CartLine, PricedLine } from '../cart/types.ts';
import { sizesNamed } from '../cart/unit-options.ts';
import type { DealUnits } from '../deals/types.ts';
import { wasEverOn } from './known-prices.ts';
import type { RecordedItemInput, RecordedPricing } from './types.ts';
import { recordedOptions } from './unit-options.ts';

/** An empty name counts as none, as in a cart of a guest. */
export const nameOfSize = (label: string | null): string | null => label || null;

/** The named size, else the cheapest; the price is 0 for a size that is not sold. */
const sizeOf = (
  item: PlainItem,
  label: string | null,
  { book }: RecordedPricing,
): { readonly label: string | null; readonly price: Piastres } => {
  const named = nameOfSize(label);
  const sizes = sizesAt(item, book.point);
  if (named === null)
    return { label: cheapestOf(sizes)?.label ?? null, price: itemPriceAt(item, book.point) ?? 0 };
  const [size = null, ...others] = sizesNamed(named, sizes);
  return size === null || others.length > 0 ? { label: named, price: 0 } : size;
};

/** Null: the item is not on the menu. */
const dealUnitsOf = (
  { index, quantity, unitPrice: price, sizeLabel: label }: Omit<PricedLine, 'dealUnits'>,
  item: PlainItem,
  { book }: RecordedPricing,
): DealUnits | null => {
  const entry = book.entries.get(item.id);
  if (entry?.kind !== 'item') return null;
  const place = item.sizes.findIndex((each) => each.label === label);
  return {
    ...{ line: index, itemId: item.id, categoryId: entry.categoryId, sizeLabel: label ?? '' },
    ...{ sizeOrder: Math.max(0, place), price, quantity },
  };
};

/** (Size price + add-ons + optionals) × quantity (Decisions 7.1), at the prices that the device charged. */
export const recordedPlainLine = (
  line: CartLine,
  index: number,
  item: PlainItem,
  input: RecordedItemInput,
  pricing: RecordedPricing,
): PricedLine => {
  const { quantity, notes } = line;
  const { label: sizeLabel, price: present } = sizeOf(item, line.sizeLabel, pricing);
  const unitPrice = input.unit_price ?? present;
  // The size may have been added to the item since.
  const labels = [sizeLabel ?? '', ...(nameOfSize(line.sizeLabel) === null ? [''] : [])];
  if (unitPrice !== present && !wasEverOn(unitPrice, item, labels, pricing))
    pricing.reasons.add('price_never_on', { item: item.name, recorded: unitPrice });
  const { addons, optionals, unitSum } = recordedOptions(line, input.addons, item, pricing);
  const priced = {
    ...{ index, quantity, item, sizeLabel, unitPrice, addonsTotal: unitSum },
    ...{ lineTotal: (unitPrice + unitSum) * quantity, addons, optionals, notes, combo: null },
  };
  return { ...priced, dealUnits: dealUnitsOf(priced, item, pricing) };
};
