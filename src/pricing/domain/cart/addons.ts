import type { Uuid } from '../../../kernel/ids.ts';
import { chargeOf } from '../../../menu/domain/item.ts';
import type { Addon, PlainItem } from '../../../menu/domain/menubook.ts';
import { quantityPath, type CartFaults, type Pricing } from './faults.ts';
import { checkGroups } from './groups.ts';
import { MAX_ADDON_QUANTITY } from './limits.ts';
import type { CartProblem } from './problems.ts';
import type { ChosenAddon, PricedAddon } from './types.ts';

/** An add-on with the sum of its entries so far. */
interface Taken {
  readonly addon: Addon;
  quantity: number;
}

/**
 * Why the item refuses the add-on, or null. The stored groups and allowlist decide, not the pruned ones of a menu;
 * where there are groups, the allowlist is ignored (Shapes, DeliveryMenuItem).
 */
const whyNotTaken = (item: PlainItem, addonId: Uuid): CartProblem | null => {
  const { groups, allowedAddonIds } = item;
  if (groups.length > 0)
    return groups.some((group) => group.addonIds.includes(addonId)) ? null : 'ADDON_OF_NO_GROUP';
  if (allowedAddonIds === null || allowedAddonIds.includes(addonId)) return null;
  return allowedAddonIds.length === 0 ? 'ADDONS_NOT_TAKEN' : 'ADDON_NOT_ALLOWED';
};

/** `available`: units left at the branch; 0 when off sale. */
const refuseAddon = (addon: Addon, available: number, path: string, faults: CartFaults): void => {
  const { id, name, nameTranslations } = addon;
  const about = { addon_item_id: id, addon: name, available };
  faults.refuse(path, 'ADDON_UNAVAILABLE', about, { addon: nameTranslations });
};

/** One swap per family, since it replaces the item's default (Decisions 7.1). */
const isSecondSwap = ({ type, id }: Addon, taken: ReadonlyMap<Uuid, Taken>): boolean =>
  type !== 'extra' && [...taken.values()].some(({ addon }) => addon.type === type && addon.id !== id);

/** The maximum per unit over all entries; 1 for a swap (Decisions 7.1). */
const checkQuantity = ({ addon, quantity }: Taken, path: string, { faults }: Pricing): void => {
  if (addon.type === 'extra') {
    if (quantity > MAX_ADDON_QUANTITY) faults.invalid(path, 'ADDON_TOO_OFTEN', { most: MAX_ADDON_QUANTITY });
  } else if (quantity > 1) faults.invalid(path, 'SWAP_TWICE', { family: addon.type });
};

/** Adds an entry and its faults. An add-on off sale still counts in its group, so that it causes one fault only. */
const takeEntry = (
  entry: ChosenAddon,
  item: PlainItem,
  taken: Map<Uuid, Taken>,
  path: string,
  pricing: Pricing,
): void => {
  const { book, faults, unitsLeft } = pricing;
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
  const left = isSold ? unitsLeft.get(path) : undefined;
  if (left !== undefined) refuseAddon(addon, left, at, faults);
  if (!isSecond) checkQuantity(one, at, pricing);
};

/** The add-ons of each unit (Decisions 7.1), in order of first mention. Entries of the same add-on add up. */
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
