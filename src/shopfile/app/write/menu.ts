import { isoInstant } from '../../../kernel/time.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import { ADDON_TYPES } from '../../../menu/contract/menu.ts';
import { DISCOUNT_PLACES } from '../../../menu/domain/menubook.ts';
import type { Row } from '../../store/tables.ts';
import { fieldsFrom, inContractOrder } from '../fields.ts';
import { toLocalText } from '../localized.ts';
import type { ComboEntry, DealEntry, DiscountEntry, ItemEntry, MenuFile } from '../read/context.ts';
import { writeAvailability, writePrices, writeSell, writeWindows } from './sale.ts';
import {
  byOrder,
  liveBySort,
  ifPresent,
  ifNotEmpty,
  liveByName,
  refer,
  unlessDefault,
  type WriteContext,
} from './context.ts';
import { writePool } from './pool.ts';

type MenuItem = Row<'menu_item'>;
type Slot = ComboEntry['slots'][number];
type AddonType = (typeof ADDON_TYPES)[number];

const nameOf = (
  row: { readonly name: string; readonly name_translations: unknown },
  { main }: WriteContext,
) => toLocalText(row.name, row.name_translations, main);

const typeOf = (text: string | null): AddonType | null => ADDON_TYPES.find((type) => type === text) ?? null;

const writeCategories = (context: WriteContext): NonNullable<MenuFile['categories']> =>
  liveBySort(context.rows.category).map((category) => ({
    id: category.id,
    name: nameOf(category, context),
    ...fieldsFrom('category', category),
  }));

const writeAddons = (context: WriteContext): NonNullable<MenuFile['addons']> =>
  liveBySort(context.rows.addon).map((addon) => ({
    id: addon.id,
    name: nameOf(addon, context),
    type: typeOf(addon.type) ?? 'extra',
    ...fieldsFrom('addon', addon),
    ...writePrices(context, addon.id),
    ...writeAvailability(context, addon.id),
  }));

const writeGroups = (context: WriteContext): NonNullable<MenuFile['modifier_groups']> =>
  liveByName(context.rows.modifier_group).map((group) => ({
    id: group.id,
    name: nameOf(group, context),
    selection: group.selection_type === 'single' ? 'single' : 'multi',
    ...fieldsFrom('modifier_group', group),
    ...unlessDefault(group.is_required ? 1 : 0, 'min', group.min_selections),
    ...ifPresent(
      'max',
      group.selection_type === 'single' && group.max_selections === 1 ? null : group.max_selections,
    ),
    ...ifPresent('addon_type', typeOf(group.addon_type)),
    options: byOrder(context.details.options.get(group.id))
      .filter((option) => context.isLive(option.addon_id))
      .map((option) => context.refer(option.addon_id)),
  }));

/** Fields common to items and combos. */
const writeCommon = (context: WriteContext, item: MenuItem) => ({
  id: item.id,
  name: nameOf(item, context),
  ...ifPresent('category', refer(context, item.category_id)),
  ...ifPresent(
    'description',
    item.description === null
      ? null
      : toLocalText(item.description, item.description_translations, context.main),
  ),
  ...fieldsFrom('menu_item', item),
});

const writeSizes = (context: WriteContext, item: MenuItem): NonNullable<ItemEntry['sizes']> =>
  byOrder(context.details.sizes.get(item.id)).map((size) => ({
    label: toLocalText(size.label, size.label_translations, context.main),
    ...writePrices(context, item.id, size.label),
  }));

const writeOptionals = (context: WriteContext, item: MenuItem): NonNullable<ItemEntry['optionals']> =>
  liveBySort(context.details.optionals.get(item.id) ?? []).map((optional) => ({
    id: optional.id,
    name: nameOf(optional, context),
    ...ifPresent('size', optional.size_label),
    ...writePrices(context, optional.id),
  }));

const writeMeal = (context: WriteContext, item: MenuItem): ItemEntry['meal'] | null => {
  const combo = refer(context, item.meal_combo_id);
  const slot = refer(context, item.meal_slot_id);
  return combo === null || slot === null ? null : { combo, slot };
};

const liveReferences = (context: WriteContext, ids: readonly Uuid[]): string[] =>
  ids.filter((id) => context.isLive(id)).map((id) => context.refer(id));

const writeItem = (context: WriteContext, item: MenuItem): ItemEntry => {
  const { details } = context;
  const sizes = writeSizes(context, item);
  const listedAddons = byOrder(details.allowedAddons.get(item.id)).map((row) => row.addon_id);
  const isRestricted = listedAddons.length > 0 || !item.takes_addons;
  const allowed = liveReferences(context, listedAddons);
  const groups = byOrder(details.groups.get(item.id));
  return {
    ...writeCommon(context, item),
    ...writePrices(context, item.id),
    ...ifNotEmpty('sizes', sizes),
    ...ifNotEmpty('optionals', writeOptionals(context, item)),
    ...ifPresent('default_milk', refer(context, item.default_milk_addon_id)),
    ...ifPresent('default_coffee', refer(context, item.default_coffee_addon_id)),
    ...ifPresent('allowed_addons', isRestricted ? allowed : null),
    ...ifNotEmpty(
      'modifier_groups',
      liveReferences(
        context,
        groups.map((row) => row.group_id),
      ),
    ),
    ...ifPresent('meal', writeMeal(context, item)),
    ...writeAvailability(context, item.id),
    ...writeWindows(context, item.id),
  };
};

const writeChoices = (context: WriteContext, slotId: Uuid): Slot['choices'] =>
  byOrder(context.details.choices.get(slotId))
    .filter((choice) => context.isLive(choice.item_id))
    .map((choice) => {
      const extras = (context.details.extras.get(slotId) ?? [])
        .filter((row) => row.item_id === choice.item_id)
        .sort((a, b) => (a.size_label < b.size_label ? -1 : 1));
      return {
        item: context.refer(choice.item_id),
        ...unlessDefault('', 'included_size', choice.included_size_label),
        ...fieldsFrom('combo_choice', choice),
        ...ifNotEmpty(
          'size_extras',
          extras.map((row) => ({ size: row.size_label, ...fieldsFrom('combo_size_extra', row) })),
        ),
      };
    });

const writeCombo = (context: WriteContext, combo: MenuItem): ComboEntry => ({
  ...writeCommon(context, combo),
  ...writePrices(context, combo.id),
  ...writeSell(combo),
  slots: liveBySort(context.details.slots.get(combo.id) ?? []).map((slot) => ({
    id: slot.id,
    name: nameOf(slot, context),
    min: slot.min,
    max: slot.max,
    ...ifPresent('default', refer(context, slot.default_item_id)),
    ...ifPresent(
      'default_size',
      refer(context, slot.default_item_id) === null ? null : slot.default_size_label,
    ),
    choices: writeChoices(context, slot.id),
  })),
  ...writeAvailability(context, combo.id),
  ...writeWindows(context, combo.id),
});

const poolOf = (context: WriteContext, dealId: Uuid, role: 'pool' | 'reward'): DealEntry['pool'] =>
  writePool(
    context,
    (context.details.pools.get(dealId) ?? []).filter((row) => row.role === role),
  );

const writeDeal = (context: WriteContext, deal: Row<'deal'>): DealEntry =>
  inContractOrder('deal', {
    ...fieldsFrom('deal', deal),
    id: deal.id,
    name: nameOf(deal, context),
    kind: deal.kind === 'buy_get' ? 'buy_get' : 'n_for_price',
    ...ifPresent('price', deal.price),
    ...ifPresent('get_qty', deal.get_qty),
    ...ifPresent('get_percent', deal.get_percent),
    ...writeSell(deal),
    pool: poolOf(context, deal.id, 'pool'),
    ...ifNotEmpty('reward_pool', poolOf(context, deal.id, 'reward')),
    ...writeWindows(context, deal.id),
    ...ifNotEmpty(
      'branches',
      (context.details.dealBranches.get(deal.id) ?? [])
        .filter((row) => context.isLive(row.branch_id))
        .sort((a, b) => (a.branch_id < b.branch_id ? -1 : 1))
        .map((row) => ({ branch: context.refer(row.branch_id), ...fieldsFrom('deal_branch', row) })),
    ),
    created_at: isoInstant(deal.created_at),
    updated_at: isoInstant(deal.updated_at),
  });

const writeDiscount = (context: WriteContext, discount: Row<'discount'>): DiscountEntry => {
  const places = context.rows.channel_discount.filter(
    (row) => row.discount_id === discount.id && (row.branch_id === null || context.isLive(row.branch_id)),
  );
  return {
    id: discount.id,
    name: nameOf(discount, context),
    ...(discount.dtype === 'percentage'
      ? { percent: Math.round(Number(discount.rate) * 1_000_000) / 10_000 }
      : { amount: discount.amount }),
    ...fieldsFrom('discount', discount),
    on: DISCOUNT_PLACES.flatMap((channel) =>
      places
        .filter((row) => row.channel === channel)
        .sort((a, b) => ((a.branch_id ?? '') < (b.branch_id ?? '') ? -1 : 1))
        .map((row) => ({ channel, ...ifPresent('branch', refer(context, row.branch_id)) })),
    ),
  };
};

export const writeMenu = (context: WriteContext): MenuFile => {
  const { rows } = context;
  const items = liveBySort(rows.menu_item);
  return {
    ...ifNotEmpty('categories', writeCategories(context)),
    ...ifNotEmpty('addons', writeAddons(context)),
    ...ifNotEmpty('modifier_groups', writeGroups(context)),
    ...ifNotEmpty(
      'items',
      items.filter(({ kind }) => kind === 'item').map((item) => writeItem(context, item)),
    ),
    ...ifNotEmpty(
      'combos',
      items.filter(({ kind }) => kind === 'combo').map((combo) => writeCombo(context, combo)),
    ),
    ...ifNotEmpty(
      'deals',
      liveBySort(rows.deal).map((deal) => writeDeal(context, deal)),
    ),
    ...ifNotEmpty(
      'discounts',
      liveByName(rows.discount).map((discount) => writeDiscount(context, discount)),
    ),
  };
};
