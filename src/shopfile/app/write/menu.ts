import { isoInstant } from '../../../kernel/time.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import { ADDON_TYPES } from '../../../menu/contract/menu.ts';
import { ONLINE_CHANNELS } from '../../../shops/domain/shop.ts';
import type { Row } from '../../store/tables.ts';
import { writtenText } from '../localized.ts';
import type { ComboEntry, DealEntry, DiscountEntry, ItemEntry, MenuFile } from '../read/reading.ts';
import { writeAvailability, writePrices, writeSell, writeWindows } from './sale.ts';
import { bySort, given, listed, named, unless, type Writing } from './writing.ts';

type MenuItem = Row<'menu_item'>;
type Slot = ComboEntry['slots'][number];
type AddonType = (typeof ADDON_TYPES)[number];

const nameOf = (row: { readonly name: string; readonly name_translations: unknown }, { main }: Writing) =>
  writtenText(row.name, row.name_translations, main);

const typeOf = (text: string | null): AddonType | null => ADDON_TYPES.find((type) => type === text) ?? null;

const byOrder = <R extends { readonly sort: number }>(rows: readonly R[] = []): R[] =>
  [...rows].sort((a, b) => a.sort - b.sort);

const writeCategories = (writing: Writing): NonNullable<MenuFile['categories']> =>
  bySort(writing.rows.category).map((category) => ({
    id: category.id,
    name: nameOf(category, writing),
    ...given('image_url', category.image_url),
  }));

const writeAddons = (writing: Writing): NonNullable<MenuFile['addons']> =>
  bySort(writing.rows.addon).map((addon) => ({
    id: addon.id,
    name: nameOf(addon, writing),
    type: typeOf(addon.type) ?? 'extra',
    ...unless(true, 'active', addon.is_active),
    ...writePrices(writing, addon.id),
    ...writeAvailability(writing, addon.id),
  }));

const writeGroups = (writing: Writing): NonNullable<MenuFile['modifier_groups']> =>
  named(writing.rows.modifier_group).map((group) => ({
    id: group.id,
    name: nameOf(group, writing),
    selection: group.selection_type === 'single' ? 'single' : 'multi',
    ...unless(false, 'required', group.is_required),
    ...unless(group.is_required ? 1 : 0, 'min', group.min_selections),
    ...given(
      'max',
      group.selection_type === 'single' && group.max_selections === 1 ? null : group.max_selections,
    ),
    ...given('addon_type', typeOf(group.addon_type)),
    options: byOrder(writing.details.options.get(group.id))
      .filter((option) => writing.isLive(option.addon_id))
      .map((option) => writing.refer(option.addon_id)),
  }));

/** What items and combos have in common; `details` stand between the name and where it is sold. */
const writeCommon = (writing: Writing, item: MenuItem) => ({
  id: item.id,
  name: nameOf(item, writing),
  ...given('category', refer(writing, item.category_id)),
  ...given(
    'description',
    item.description === null
      ? null
      : writtenText(item.description, item.description_translations, writing.main),
  ),
  ...given('image_url', item.image_url),
  ...unless(true, 'active', item.is_active),
});

const refer = (writing: Writing, id: Uuid | null): string | null =>
  id === null || !writing.isLive(id) ? null : writing.refer(id);

const writeSizes = (writing: Writing, item: MenuItem): NonNullable<ItemEntry['sizes']> =>
  byOrder(writing.details.sizes.get(item.id)).map((size) => ({
    label: writtenText(size.label, size.label_translations, writing.main),
    ...writePrices(writing, item.id, size.label),
  }));

const writeOptionals = (writing: Writing, item: MenuItem): NonNullable<ItemEntry['optionals']> =>
  bySort(writing.details.optionals.get(item.id) ?? []).map((optional) => ({
    id: optional.id,
    name: nameOf(optional, writing),
    ...given('size', optional.size_label),
    ...writePrices(writing, optional.id),
  }));

const writeMeal = (writing: Writing, item: MenuItem): ItemEntry['meal'] | null => {
  const combo = refer(writing, item.meal_combo_id);
  const slot = refer(writing, item.meal_slot_id);
  return combo === null || slot === null ? null : { combo, slot };
};

const liveReferences = (writing: Writing, ids: readonly Uuid[]): string[] =>
  ids.filter((id) => writing.isLive(id)).map((id) => writing.refer(id));

const writeItem = (writing: Writing, item: MenuItem): ItemEntry => {
  const { details } = writing;
  const sizes = writeSizes(writing, item);
  const listedAddons = byOrder(details.allowedAddons.get(item.id)).map((row) => row.addon_id);
  const isRestricted = listedAddons.length > 0 || !item.takes_addons;
  const allowed = liveReferences(writing, listedAddons);
  const groups = byOrder(details.groups.get(item.id));
  return {
    ...writeCommon(writing, item),
    ...writePrices(writing, item.id),
    ...listed('sizes', sizes),
    ...listed('optionals', writeOptionals(writing, item)),
    ...given('default_milk', refer(writing, item.default_milk_addon_id)),
    ...given('default_coffee', refer(writing, item.default_coffee_addon_id)),
    ...given('allowed_addons', isRestricted ? allowed : null),
    ...listed(
      'modifier_groups',
      liveReferences(
        writing,
        groups.map((row) => row.group_id),
      ),
    ),
    ...given('meal', writeMeal(writing, item)),
    ...writeAvailability(writing, item.id),
    ...writeWindows(writing, item.id),
  };
};

const writeChoices = (writing: Writing, slotId: Uuid): Slot['choices'] =>
  byOrder(writing.details.choices.get(slotId))
    .filter((choice) => writing.isLive(choice.item_id))
    .map((choice) => {
      const extras = (writing.details.extras.get(slotId) ?? [])
        .filter((row) => row.item_id === choice.item_id)
        .sort((a, b) => (a.size_label < b.size_label ? -1 : 1));
      return {
        item: writing.refer(choice.item_id),
        ...unless('', 'included_size', choice.included_size_label),
        ...unless(0, 'surcharge', choice.surcharge),
        ...listed(
          'size_extras',
          extras.map((row) => ({ size: row.size_label, extra: row.extra })),
        ),
      };
    });

const writeCombo = (writing: Writing, combo: MenuItem): ComboEntry => ({
  ...writeCommon(writing, combo),
  ...writePrices(writing, combo.id),
  ...writeSell(combo),
  slots: bySort(writing.details.slots.get(combo.id) ?? []).map((slot) => ({
    id: slot.id,
    name: nameOf(slot, writing),
    min: slot.min,
    max: slot.max,
    ...given('default', refer(writing, slot.default_item_id)),
    ...given('default_size', refer(writing, slot.default_item_id) === null ? null : slot.default_size_label),
    choices: writeChoices(writing, slot.id),
  })),
  ...writeAvailability(writing, combo.id),
  ...writeWindows(writing, combo.id),
});

const writePool = (writing: Writing, dealId: Uuid, role: 'pool' | 'reward'): DealEntry['pool'] =>
  byOrder(writing.details.pools.get(dealId)?.filter((row) => row.role === role)).flatMap((row) => {
    const target = {
      ...given('category', refer(writing, row.category_id)),
      ...given('item', refer(writing, row.menu_item_id)),
    };
    return Object.keys(target).length === 0 ? [] : [{ ...target, ...given('size', row.size_label) }];
  });

const writeDeal = (writing: Writing, deal: Row<'deal'>): DealEntry => ({
  id: deal.id,
  name: nameOf(deal, writing),
  kind: deal.kind === 'buy_get' ? 'buy_get' : 'n_for_price',
  qty: deal.qty,
  ...given('price', deal.price),
  ...given('get_qty', deal.get_qty),
  ...given('get_percent', deal.get_percent),
  ...given('max_per_order', deal.max_per_order),
  ...unless(true, 'active', deal.is_active),
  ...writeSell(deal),
  pool: writePool(writing, deal.id, 'pool'),
  ...listed('reward_pool', writePool(writing, deal.id, 'reward')),
  ...writeWindows(writing, deal.id),
  ...listed(
    'branches',
    (writing.details.dealBranches.get(deal.id) ?? [])
      .filter((row) => writing.isLive(row.branch_id))
      .sort((a, b) => (a.branch_id < b.branch_id ? -1 : 1))
      .map((row) => ({ branch: writing.refer(row.branch_id), active: row.is_active })),
  ),
  created_at: isoInstant(deal.created_at),
  updated_at: isoInstant(deal.updated_at),
});

const writeDiscount = (writing: Writing, discount: Row<'discount'>): DiscountEntry => {
  const places = writing.rows.channel_discount.filter(
    (row) => row.discount_id === discount.id && (row.branch_id === null || writing.isLive(row.branch_id)),
  );
  return {
    id: discount.id,
    name: nameOf(discount, writing),
    ...(discount.dtype === 'percentage'
      ? { percent: Math.round(Number(discount.rate) * 1_000_000) / 10_000 }
      : { amount: discount.amount }),
    ...unless(true, 'active', discount.is_active),
    ...given('valid_from', discount.valid_from),
    ...given('valid_to', discount.valid_to),
    on: ONLINE_CHANNELS.flatMap((channel) =>
      places
        .filter((row) => row.channel === channel)
        .sort((a, b) => ((a.branch_id ?? '') < (b.branch_id ?? '') ? -1 : 1))
        .map((row) => ({ channel, ...given('branch', refer(writing, row.branch_id)) })),
    ),
  };
};

export const writeMenu = (writing: Writing): MenuFile => {
  const { rows } = writing;
  const items = bySort(rows.menu_item);
  return {
    ...listed('categories', writeCategories(writing)),
    ...listed('addons', writeAddons(writing)),
    ...listed('modifier_groups', writeGroups(writing)),
    ...listed(
      'items',
      items.filter(({ kind }) => kind === 'item').map((item) => writeItem(writing, item)),
    ),
    ...listed(
      'combos',
      items.filter(({ kind }) => kind === 'combo').map((combo) => writeCombo(writing, combo)),
    ),
    ...listed(
      'deals',
      bySort(rows.deal).map((deal) => writeDeal(writing, deal)),
    ),
    ...listed(
      'discounts',
      named(rows.discount).map((discount) => writeDiscount(writing, discount)),
    ),
  };
};
