import type { OnSaleItem, OnSaleSize } from '../../../menu/domain/item.ts';
import type { Piastres } from '../../../kernel/money.ts';
import { priceAddons } from './addons.ts';
import type { CartFaults, Pricing } from './faults.ts';
import { priceOptionals } from './optionals.ts';
import type { Chosen, PricedOptions } from './types.ts';

/**
 * The named size among those sold on the channel, or `standard` without a name; null for an item without sizes;
 * undefined and a fault for an unknown name. An empty name counts as none, because menus write it for items without
 * sizes.
 */
export const namedSize = <T extends OnSaleSize>(
  named: string | null,
  sizes: readonly T[],
  standard: T | null,
  path: string,
  faults: CartFaults,
): T | null | undefined => {
  if (named === null || named === '') return standard;
  const size = sizes.find(({ label }) => label === named);
  if (size === undefined) {
    const at = `${path}.size_label`;
    const labels = sizes.map(({ label }) => `‘${label}’`).join(', ');
    if (sizes.length === 0) faults.invalid(at, 'SIZE_OF_UNSIZED');
    else faults.invalid(at, 'SIZE_UNKNOWN', { sizes: labels });
  }
  return size;
};

export interface UnitOptions extends PricedOptions {
  /** Add-ons and optionals of one unit. */
  readonly unitSum: Piastres;
}

/** Prices the options of one unit (Decisions 7.1). */
export const priceUnitOptions = (
  chosen: Chosen,
  entry: OnSaleItem,
  sizeLabel: string | null | undefined,
  path: string,
  pricing: Pricing,
): UnitOptions => {
  const optionals = priceOptionals(chosen.optionalFieldIds, entry, sizeLabel, path, pricing.faults);
  const addons = priceAddons(chosen.addons, entry.item, path, pricing);
  const unitSum =
    addons.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0) +
    optionals.reduce((sum, { price }) => sum + price, 0);
  return { addons, optionals, unitSum };
};
