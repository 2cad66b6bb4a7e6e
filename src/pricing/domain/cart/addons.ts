import type { Uuid } from '../../../kernel/ids.ts';
import { chargeOf } from '../../../menu/domain/item.ts';
import type { Addon, PlainItem } from '../../../menu/domain/menubook.ts';
import { quantityPath, type CartFaults, type Pricing } from './faults.ts';
import { checkGroups } from './groups.ts';
import { MOST_OF_ONE_ADDON } from './limits.ts';
import type { CartProblem } from './problems.ts';
import type { ChosenAddon, PricedAddon } from './types.ts';

/** An add-on of this item, with the quantities of all its entries so far. */
interface Taken {
  readonly addon: Addon;
  quantity: number;
}

/**
 * Why the item does not take the add-on; null when it does. The stored groups and allowlist decide, never those
 * that a menu prunes. Where there are groups they alone say what may be added (Shapes, DeliveryMenuItem).
 */
const whyNotTaken = (item: PlainItem, addonId: Uuid): CartProblem | null => {
  const { groups, allowedAddonIds } = item;
  if (groups.length > 0)
    return groups.some((group) => group.addonIds.includes(addonId)) ? null : 'ADDON_OF_NO_GROUP';
  if (allowedAddonIds === null || allowedAddonIds.includes(addonId)) return null;
  return allowedAddonIds.length === 0 ? 'ADDONS_NOT_TAKEN' : 'ADDON_NOT_ALLOWED';
};

/** `available`: units that can be had, of all that the branch has left; 0 where it is not sold now. */
const refuseAddon = (addon: Addon, available: number, path: string, faults: CartFaults): void => {
  const { id, name, nameTranslations } = addon;
  const about = { addon_item_id: id, addon: name, available };
  faults.refuse(path, 'ADDON_UNAVAILABLE', about, { addon: nameTranslations });
};

/** A swap takes the place of the item's own: one of each family (Decisions 7.1). */
const isSecondSwap = ({ type, id }: Addon, taken: ReadonlyMap<Uuid, Taken>): boolean =>
  type !== 'extra' && [...taken.values()].some(({ addon }) => addon.type === type && addon.id !== id);

/** Too many of one on a unit, all its entries together; of a swap the item takes one (Decisions 7.1). */
const checkQuantity = ({ addon, quantity }: Taken, path: string, { faults }: Pricing): void => {
  if (addon.type === 'extra') {
    if (quantity > MOST_OF_ONE_ADDON) faults.invalid(path, 'ADDON_TOO_OFTEN', { most: MOST_OF_ONE_ADDON });
  } else if (quantity > 1) faults.invalid(path, 'SWAP_TWICE', { family: addon.type });
};

/** An entry's faults; whatever is not sold now still counts in its group, so that it is named once. */
const takeEntry = (
  entry: ChosenAddon,
  item: PlainItem,
  taken: Map<Uuid, Taken>,
  path: string,
  pricing: Pricing,
): void => {
  const { book, faults, short } = pricing;
  const { addonItemId, quantity } = entry;
  const addon = book.addons.get(addonItemId);
  if (addon === undefined) {
    faults.invalid(`${path}.addon_item_id`, 'ADDON_UNKNOWN');
    return;
  }
  const whyNot = whyNotTaken(item, addonItemId);
  if (whyNot !== null) {
    faults.invalid(`${path}.addon_item_id`, whyNot, { item: item.name }, { item: item.nameTranslations });
    return;
  }
  const one = taken.get(addonItemId) ?? { addon, quantity: 0 };
  one.quantity += quantity;
  taken.set(addonItemId, one);
  const at = quantityPath(path, entry);
  const isSold = book.shelf.onSale.get(addonItemId)?.isAvailable === true;
  const isSecond = isSecondSwap(addon, taken);
  if (!isSold) refuseAddon(addon, 0, `${path}.addon_item_id`, faults);
  if (isSecond) faults.invalid(`${path}.addon_item_id`, 'SWAP_SECOND', { family: addon.type });
  const left = isSold ? short.get(path) : undefined;
  if (left !== undefined) refuseAddon(addon, left, at, faults);
  if (!isSecond) checkQuantity(one, at, pricing);
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
