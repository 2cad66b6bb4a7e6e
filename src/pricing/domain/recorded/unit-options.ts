import type { Uuid } from '../../../kernel/ids.ts';
import type { Piastres } from '../../../kernel/money.ts';
import { chargeOf } from '../../../menu/domain/item.ts';
import type { Addon, PlainItem } from '../../../menu/domain/menubook.ts';
import { priceAt } from '../../../menu/domain/price.ts';
import type { Chosen, PricedAddon, PricedOptional } from '../cart/types.ts';
import type { UnitOptions } from '../cart/unit-options.ts';
import { wasEverCharged } from './known-prices.ts';
import { soldAddon, soldOptional } from './sold-things.ts';
import type { RecordedAddon, RecordedPricing } from './types.ts';

/** What the shop charges for the add-on on this item; 0 without a price on the channel. */
const presentCharge = (addon: Addon, item: PlainItem, { book }: RecordedPricing): Piastres => {
  const price = priceAt(addon.prices, book.point);
  return price === null ? 0 : chargeOf({ addon, price }, item, book.shelf);
};

const chargeIn = (
  addon: Addon,
  recorded: Piastres | null,
  item: PlainItem,
  pricing: RecordedPricing,
): Piastres => {
  const present = presentCharge(addon, item, pricing);
  if (recorded === null || recorded === present) return present;
  if (!wasEverCharged(recorded, addon, item, pricing))
    pricing.reasons.add('price_never_on', { item: addon.name, recorded });
  return recorded;
};

/** In order of first mention. Entries of one add-on at one price add up. */
const addonsIn = (
  { addons }: Chosen,
  recorded: readonly RecordedAddon[],
  item: PlainItem,
  pricing: RecordedPricing,
): readonly PricedAddon[] => {
  const taken = new Map<string, PricedAddon>();
  for (const [index, { addonItemId, quantity }] of addons.entries()) {
    const addon = soldAddon(addonItemId, pricing);
    const unitPrice = chargeIn(addon, recorded[index]?.unit_price ?? null, item, pricing);
    const key = `${addonItemId} ${unitPrice}`;
    const before = taken.get(key)?.quantity ?? 0;
    taken.set(key, { addon, quantity: before + quantity, unitPrice });
  }
  return [...taken.values()];
};

/** Devices record no price of an optional: it is 0 without a present one. */
const optionalsIn = (
  ids: readonly Uuid[],
  item: PlainItem,
  pricing: RecordedPricing,
): readonly PricedOptional[] =>
  ids.map((id) => {
    const field = soldOptional(id, item, pricing);
    return { field, price: priceAt(field.prices, pricing.book.point) ?? 0 };
  });

/** The options of one unit, with the prices that the device charged, else those of the shop (Decisions 13). */
export const recordedOptions = (
  chosen: Chosen,
  recorded: readonly RecordedAddon[] | undefined,
  item: PlainItem,
  pricing: RecordedPricing,
): UnitOptions => {
  const addons = addonsIn(chosen, recorded ?? [], item, pricing);
  const optionals = optionalsIn(chosen.optionalFieldIds, item, pricing);
  const unitSum =
    addons.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0) +
    optionals.reduce((sum, { price }) => sum + price, 0);
  return { addons, optionals, unitSum };
};
