import type { Uuid } from '../ids.ts';
import { chargeOf } from '../item.ts';
import type { Addon, PlainItem } from '../menubook.ts';
import type { Pricing } from './faults.ts';
import { checkGroups } from './groups.ts';
import type { ChosenAddon, PricedAddon } from './types.ts';

/** Of one add-on on one unit, as the body's shape has it for each entry. */
const MOST_OF_ONE = 99;

/** An add-on of this item, with the quantities of all its entries so far. */
interface Taken {
  readonly addon: Addon;
  quantity: number;
}

/**
 * Why the item does not take the add-on; null when it does. The stored groups and allowlist decide, never those
 * that a menu prunes. Where there are groups they alone say what may be added (Shapes, DeliveryMenuItem).
 */
const whyNotTaken = (item: PlainItem, addonId: Uuid): string | null => {
  if (item.groups.length > 0)
    return item.groups.some((group) => group.addonIds.includes(addonId))
      ? null
      : 'is no option of the groups of this item';
  return item.allowedAddonIds.length === 0 || item.allowedAddonIds.includes(addonId)
    ? null
    : 'is not among the add-ons of this item';
};

/** A swap takes the place of the item's own: one of each family, at quantity 1 (Decisions 7.1). */
const checkSwap = (
  { addon, quantity }: Taken,
  taken: ReadonlyMap<Uuid, Taken>,
  path: string,
  { faults }: Pricing,
): void => {
  const isSecond = [...taken.values()].some(
    (other) => other.addon.type === addon.type && other.addon !== addon,
  );
  if (isSecond) faults.invalid(`${path}.addon_item_id`, `is a second ${addon.type}: an item takes one`);
  else if (quantity > 1)
    faults.invalid(`${path}.quantity`, `makes more than one ${addon.type}: an item takes one`);
};

/** An entry's faults; whatever is not sold now still counts in its group, so that it is named once. */
const takeEntry = (
  { addonItemId, quantity }: ChosenAddon,
  item: PlainItem,
  taken: Map<Uuid, Taken>,
  path: string,
  pricing: Pricing,
): void => {
  const { book, faults, short } = pricing;
  const addon = book.addons.get(addonItemId);
  if (addon === undefined) {
    faults.invalid(`${path}.addon_item_id`, 'names no add-on of this shop');
    return;
  }
  const whyNot = whyNotTaken(item, addonItemId);
  if (whyNot !== null) {
    faults.invalid(`${path}.addon_item_id`, whyNot);
    return;
  }
  const one = taken.get(addonItemId) ?? { addon, quantity: 0 };
  one.quantity += quantity;
  taken.set(addonItemId, one);
  if (book.shelf.onSale.get(addonItemId)?.isAvailable !== true || short.has(path))
    faults.refuse(`${path}.addon_item_id`, 'ADDON_UNAVAILABLE', {
      addon_item_id: addonItemId,
      addon: addon.name,
    });
  if (addon.type !== 'extra') checkSwap(one, taken, path, pricing);
  else if (one.quantity > MOST_OF_ONE)
    faults.invalid(`${path}.quantity`, `makes more than ${MOST_OF_ONE} of one add-on`);
};

/**
 * The add-ons of each unit (Decisions 7.1), by first mention. An add-on that is named twice is one add-on whose
 * quantities add up, as an order pad reads two strokes for the same syrup.
 */
export const priceAddons = (
  chosen: readonly ChosenAddon[],
  item: PlainItem,
  path: string,
  pricing: Pricing,
): readonly PricedAddon[] => {
  const taken = new Map<Uuid, Taken>();
  for (const [index, entry] of chosen.entries())
    takeEntry(entry, item, taken, `${path}.addons[${index}]`, pricing);
  const all = [...taken.values()];
  checkGroups(
    item,
    all.map(({ addon, quantity }) => ({ addonId: addon.id, quantity })),
    `${path}.addons`,
    pricing.faults,
  );
  const { shelf } = pricing.book;
  return all.flatMap(({ addon, quantity }) => {
    const shown = shelf.onSale.get(addon.id);
    return shown === undefined ? [] : [{ addon, quantity, unitPrice: chargeOf(shown, item, shelf) }];
  });
};
