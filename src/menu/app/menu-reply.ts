import type { Static } from 'typebox';
import type {
  DealPoolEntry as PoolEntryShape,
  DealRule,
  DeliveryAddonOption,
  DeliveryMenu,
  DeliveryMenuDiscount,
  DeliveryMenuItem,
  DeliveryModifierGroup,
  PublicComboChoice,
  PublicComboSlot,
  SaleWindowShape,
  SoldOutItem,
} from '../contract/menu.ts';
import type { OnSaleChoice, OnSaleCombo, OnSaleSlot } from '../domain/combo.ts';
import type { OnSaleAddon, OnSaleGroup, OnSaleItem, OnSaleSize } from '../domain/item.ts';
import type { MenuEntry, OnSaleMenu, SoldOutEntry, SoldOutPart } from '../domain/menu.ts';
import type { ChannelDiscount, Deal, DealPoolEntry } from '../domain/menubook.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Named } from '../../kernel/names.ts';
import { pictureAddress } from '../../pictures/domain/picture.ts';
import { wholePercent } from '../domain/deals-and-discounts.ts';
import { formatWallTime, isoInstant, type WallMinutes } from '../../kernel/time.ts';
import type { SaleWindow } from '../../kernel/sale-windows.ts';

/** The address of a picture that a reply shows. */
type Address = (of: { readonly imageUrl: string | null; readonly pictureId: Uuid | null }) => string | null;

const named = ({ name, nameTranslations }: Named) => ({ name, name_translations: nameTranslations });

const addonReply = ({ addon, price, isAvailable }: OnSaleAddon): Static<typeof DeliveryAddonOption> => ({
  addon_item_id: addon.id,
  ...named(addon),
  type: addon.type,
  price,
  is_available: isAvailable,
});

const groupReply = ({ group, options }: OnSaleGroup): Static<typeof DeliveryModifierGroup> => ({
  group_id: group.id,
  ...named(group),
  selection_type: group.selectionType,
  min_selections: group.minSelections,
  max_selections: group.maxSelections,
  is_required: group.isRequired,
  addon_type: group.addonType,
  options: options.map(({ addon, price, charge, isAvailable }) => ({
    option_id: addon.id,
    ...named(addon),
    price,
    charge,
    is_available: isAvailable,
  })),
});

const choiceReply = (choice: OnSaleChoice, address: Address): Static<typeof PublicComboChoice> => ({
  menu_item_id: choice.item.id,
  ...named(choice.item),
  base_price: choice.basePrice,
  included_size_label: choice.includedSizeLabel,
  sizes: choice.sizes.map(({ label, labelTranslations, price, extra }) => ({
    label,
    label_translations: labelTranslations,
    price,
    extra,
  })),
  surcharge: choice.surcharge,
  available: choice.available,
  image_url: address(choice.item),
});

const slotReply = (
  { slot, choices, defaultItemId, defaultSizeLabel }: OnSaleSlot,
  address: Address,
): Static<typeof PublicComboSlot> => ({
  id: slot.id,
  ...named(slot),
  sort: slot.sort,
  min: slot.min,
  max: slot.max,
  choices: choices.map((choice) => choiceReply(choice, address)),
  default_item_id: defaultItemId,
  default_size_label: defaultSizeLabel,
});

type ItemReply = Static<typeof DeliveryMenuItem>;

const commonReply = ({ item, price, categoryId }: MenuEntry, address: Address) => ({
  id: item.id,
  ...named(item),
  price,
  category_id: categoryId,
  description: item.description,
  description_translations: item.descriptionTranslations,
  image_url: address(item),
});

/** In a reply an empty list means no restriction, hence the flag (Decisions 3). */
const takesNoAddons = ({ groups, allowedAddonIds }: OnSaleItem): boolean =>
  groups.length === 0 && allowedAddonIds?.length === 0;

const sizeReply = ({ label, labelTranslations, price }: OnSaleSize) => ({
  label,
  label_translations: labelTranslations,
  price,
});

const itemPart = (entry: OnSaleItem) => ({
  kind: entry.kind,
  sizes: entry.sizes.map(sizeReply),
  optionals: entry.optionals.map(({ field, price }) => ({
    id: field.id,
    ...named(field),
    price,
    size_label: field.sizeLabel,
  })),
  allowed_addon_ids: [...(entry.allowedAddonIds ?? [])],
  ...(takesNoAddons(entry) ? { takes_addons: false } : {}),
  ...(entry.addonCharges === null ? {} : { addon_charges: Object.fromEntries(entry.addonCharges) }),
  modifier_groups: entry.groups.map(groupReply),
  default_milk_addon_id: entry.defaults.milk_type,
  default_coffee_addon_id: entry.defaults.coffee_type,
});

/** Sizes and add-ons of a combo belong to its picks. */
const comboPart = (entry: OnSaleCombo, address: Address) => ({
  kind: entry.kind,
  sizes: [],
  optionals: [],
  allowed_addon_ids: [],
  modifier_groups: [],
  default_milk_addon_id: null,
  default_coffee_addon_id: null,
  combo: { is_fixed: entry.isFixed, slots: entry.slots.map((slot) => slotReply(slot, address)) },
});

const entryReply = (entry: MenuEntry, address: Address): ItemReply => {
  const common = commonReply(entry, address);
  if (entry.kind === 'combo') return { ...common, ...comboPart(entry, address) };
  const meal =
    entry.meal === null ? {} : { meal: { combo_id: entry.meal.comboId, slot_id: entry.meal.slotId } };
  return { ...common, ...itemPart(entry), ...meal };
};

export const poolReply = (entry: DealPoolEntry): Static<typeof PoolEntryShape> => ({
  category_id: entry.categoryId,
  menu_item_id: entry.menuItemId,
  size_label: entry.sizeLabel,
});

const wallTime = (minutes: WallMinutes | null): string | null =>
  minutes === null ? null : formatWallTime(minutes);

export const windowReply = (window: SaleWindow): Static<typeof SaleWindowShape> => ({
  branch_id: window.branchId,
  weekdays: window.weekdays,
  starts_at: wallTime(window.startsAt),
  ends_at: wallTime(window.endsAt),
  valid_from: window.validFrom,
  valid_to: window.validTo,
});

export const dealReply = (deal: Deal): Static<typeof DealRule> => ({
  id: deal.id,
  ...named(deal),
  kind: deal.terms.kind,
  qty: deal.qty,
  price: deal.terms.kind === 'n_for_price' ? deal.terms.price : null,
  get_qty: deal.terms.kind === 'buy_get' ? deal.terms.getQty : null,
  get_percent: deal.terms.kind === 'buy_get' ? deal.terms.getPercent : null,
  max_per_order: deal.maxPerOrder,
  sort: deal.sort,
  is_active: deal.isActive,
  pool: deal.pool.map(poolReply),
  reward_pool: deal.rewardPool.map(poolReply),
  windows: deal.windows.map(windowReply),
  branch_overrides: deal.branchOverrides.map(({ branchId, isActive }) => ({
    branch_id: branchId,
    is_active: isActive,
  })),
  created_at: isoInstant(deal.createdAt),
  updated_at: isoInstant(deal.updatedAt),
});

/** `value` is for display; prices use `value_rate` (Decisions 3, DeliveryMenuDiscount). */
const discountReply = (discount: ChannelDiscount): Static<typeof DeliveryMenuDiscount> => ({
  id: discount.id,
  ...named(discount),
  dtype: discount.cut.dtype,
  value: discount.cut.dtype === 'percentage' ? wholePercent(discount.cut.rate) : discount.cut.amount,
  value_rate: discount.cut.dtype === 'percentage' ? Number(discount.cut.rate) : 0,
});

const categoryReply = (category: OnSaleMenu['categories'][number], address: Address) => ({
  id: category.id,
  ...named(category),
  image_url: address(category),
});

const addressOf =
  (baseUrl: string): Address =>
  ({ imageUrl, pictureId }) =>
    pictureAddress(baseUrl, imageUrl, pictureId);

/** Shapes, DeliveryMenu. */
export const menuReply = (baseUrl: string, menu: OnSaleMenu): Static<typeof DeliveryMenu> => {
  const address = addressOf(baseUrl);
  return {
    categories: menu.categories.map((category) => categoryReply(category, address)),
    items: menu.entries.map((entry) => entryReply(entry, address)),
    addons: menu.addons.map(addonReply),
    deals: menu.deals.map(dealReply),
    discount: menu.discount === null ? null : discountReply(menu.discount),
  };
};

const soldOutItem = (entry: SoldOutEntry, address: Address): Static<typeof SoldOutItem> => ({
  kind: entry.kind,
  ...commonReply(entry, address),
  sizes: entry.kind === 'combo' ? [] : entry.sizes.map(sizeReply),
  back_at: entry.backAt === null ? null : isoInstant(entry.backAt),
});

/** What a reply has besides the menu where what is sold out is asked for. */
export const soldOutReply = (baseUrl: string, { categories, entries }: SoldOutPart) => {
  const address = addressOf(baseUrl);
  return {
    categories: categories.map((category) => categoryReply(category, address)),
    sold_out: entries.map((entry) => soldOutItem(entry, address)),
  };
};
