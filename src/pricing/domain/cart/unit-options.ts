import { caseFolded } from '../../../kernel/closest-word.ts';
import type { OnSaleItem, OnSaleSize } from '../../../menu/domain/item.ts';
import type { ItemSize } from '../../../menu/domain/menubook.ts';
import type { Piastres } from '../../../kernel/money.ts';
import { priceAddons } from './addons.ts';
import type { CartFaults, Pricing } from './faults.ts';
import { priceOptionals } from './optionals.ts';
import type { Chosen, PricedOptions } from './types.ts';

const labelsOf = (sizes: readonly ItemSize[]): string => sizes.map(({ label }) => `‘${label}’`).join(', ');

/**
 * The sizes that a client's text names: by their label, else by another language's, else without regard to case and
 * spaces. One label of the first kind is enough; the others may be the same for several sizes.
 */
export const sizesNamed = <T extends ItemSize>(named: string, sizes: readonly T[]): readonly T[] => {
  const labelled = sizes.filter(({ label }) => label === named);
  if (labelled.length > 0) return labelled;
  const translated = sizes.filter(({ labelTranslations: others }) => Object.values(others).includes(named));
  if (translated.length > 0) return translated;
  const folded = caseFolded(named);
  return sizes.filter(({ label, labelTranslations: others }) =>
    [label, ...Object.values(others)].some((name) => caseFolded(name) === folded),
  );
};

/**
 * The named size among those sold on the channel, or `standard` without a name; null for an item without sizes;
 * undefined and a fault for a name of none or of several. An empty name counts as none, because menus write it for items
 * without sizes.
 */
export const namedSize = <T extends OnSaleSize>(
  named: string | null,
  sizes: readonly T[],
  standard: T | null,
  path: string,
  faults: CartFaults,
): T | null | undefined => {
  if (named === null || named === '') return standard;
  const found = sizesNamed(named, sizes);
  if (found.length === 1) return found[0];
  const at = `${path}.size_label`;
  if (sizes.length === 0) faults.invalid(at, 'SIZE_OF_UNSIZED');
  else if (found.length === 0) faults.invalid(at, 'SIZE_UNKNOWN', { sizes: labelsOf(sizes) });
  else faults.invalid(at, 'SIZE_AMBIGUOUS', { sizes: labelsOf(found) });
  return undefined;
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
