/** The rows of a menu in the sync feed. */
import type { Static } from 'typebox';
import type { Uuid } from '../../kernel/ids.ts';
import type { Named } from '../../kernel/names.ts';
import { isoInstant } from '../../kernel/time.ts';
import type {
  FeedAddon,
  FeedCategory,
  FeedDeal,
  FeedDiscount,
  FeedMenuItem,
  FeedModifierGroup,
} from '../contract/feed.ts';
import { isOutOfStock, type AvailabilityEntry } from '../domain/availability.ts';
import { isActiveAtBranch } from '../domain/deals-and-discounts.ts';
import type {
  Addon,
  Category,
  Combo,
  ComboSlot,
  Deal,
  MenuItem,
  ModifierGroup,
  PlainItem,
} from '../domain/menubook.ts';
import type { PriceEntry } from '../domain/price.ts';
import type { PlacedDiscount } from '../store/feed.ts';
import { dealReply, windowReply } from './menu-reply.ts';

type ItemRow = Static<typeof FeedMenuItem>;

const named = ({ id, name, nameTranslations }: Named & { readonly id: Uuid }) => ({
  ...{ id, name, name_translations: nameTranslations },
});

const textOrNull = (text: string): string | null => (text === '' ? null : text);

/** In one order, whatever the order of the database. */
const inOrder = <T>(rows: readonly T[]): T[] =>
  rows
    .map((row): [string, T] => [JSON.stringify(row), row])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row);

const priceRows = (entries: readonly PriceEntry[]): ItemRow['prices'] =>
  inOrder(
    entries.map(({ sizeLabel, branchId, channel, amount }) => ({
      ...{ size_label: textOrNull(sizeLabel), branch_id: branchId, channel, amount },
    })),
  );

const availabilityRows = (entries: readonly AvailabilityEntry[]): ItemRow['availability'] =>
  inOrder(
    entries.map(({ branchId, channel, isOn, soldOutUntil, stock }) => ({
      ...{ branch_id: branchId, channel, is_on: isOn, sold_out: soldOutUntil !== null },
      back_at: soldOutUntil === null || soldOutUntil === Infinity ? null : isoInstant(soldOutUntil),
      out_of_stock: isOutOfStock({ stock }),
    })),
  );

export const categoryRow = (category: Category): Static<typeof FeedCategory> => ({
  ...{ ...named(category), sort: category.sort },
});

export const addonRow = (addon: Addon): Static<typeof FeedAddon> => ({
  ...{ ...named(addon), sort: addon.sort, type: addon.type, is_live: addon.isLive },
  ...{ prices: priceRows(addon.prices), availability: availabilityRows(addon.availability) },
});

export const groupRow = (group: ModifierGroup): Static<typeof FeedModifierGroup> => ({
  ...{ ...named(group), selection_type: group.selectionType, min_selections: group.minSelections },
  ...{ max_selections: group.maxSelections, is_required: group.isRequired, addon_type: group.addonType },
  addon_ids: [...group.addonIds],
});

const itemFields = (item: MenuItem) => ({
  ...{ ...named(item), sort: item.sort, category_id: item.categoryId, is_live: item.isLive },
  ...{ description: item.description, description_translations: item.descriptionTranslations },
  ...{ prices: priceRows(item.prices), availability: availabilityRows(item.availability) },
  windows: item.windows.map(windowReply),
});

const plainRow = (item: PlainItem): ItemRow => ({
  ...{ kind: 'item', ...itemFields(item) },
  sizes: item.sizes.map(({ label, labelTranslations }) => ({ label, label_translations: labelTranslations })),
  optionals: item.optionals.map((field) => ({
    ...{ ...named(field), size_label: field.sizeLabel, prices: priceRows(field.prices) },
  })),
  allowed_addon_ids: item.allowedAddonIds && [...item.allowedAddonIds],
  modifier_group_ids: item.groups.map(({ id }) => id),
  default_milk_addon_id: item.defaults.milk_type,
  default_coffee_addon_id: item.defaults.coffee_type,
  meal: item.meal && { combo_id: item.meal.comboId, slot_id: item.meal.slotId },
});

const slotRow = (slot: ComboSlot) => ({
  ...{ ...named(slot), sort: slot.sort, min: slot.min, max: slot.max },
  ...{ default_item_id: slot.defaultItemId, default_size_label: slot.defaultSizeLabel },
  choices: slot.choices.map(({ itemId, includedSizeLabel, surcharge, sizeExtras }) => ({
    ...{ menu_item_id: itemId, included_size_label: includedSizeLabel, surcharge },
    size_extras: Object.fromEntries([...sizeExtras].sort()),
  })),
});

const comboRow = (combo: Combo): ItemRow => ({
  ...{ kind: 'combo', ...itemFields(combo), sell: { ...combo.sell }, slots: combo.slots.map(slotRow) },
});

export const itemRow = (item: MenuItem): ItemRow => (item.kind === 'item' ? plainRow(item) : comboRow(item));

export const dealRow = (deal: Deal, branchId: Uuid): Static<typeof FeedDeal> => ({
  ...{ ...dealReply(deal), is_active: isActiveAtBranch(deal, branchId), sell: { ...deal.sell } },
});

export const discountRow = (discount: PlacedDiscount): Static<typeof FeedDiscount> => ({
  ...{ ...named(discount), dtype: discount.dtype, rate: Number(discount.rate), amount: discount.amount },
  ...{ is_active: discount.isActive, valid_from: discount.validFrom, valid_to: discount.validTo },
  on: discount.places,
});
