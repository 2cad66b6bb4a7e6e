/** Reads menu items with sizes, optionals, add-ons and modifier groups. */
import type { Uuid } from '../../../kernel/ids.ts';
import { entryPath, fieldPath } from '../../domain/json.ts';
import { columnsFrom } from '../fields.ts';
import { mainText, nameColumns, otherTexts } from '../localized.ts';
import { checkLanguage, type Entity } from '../entity-index.ts';
import { typeOfAddonAt } from './menu.ts';
import {
  entryIndex,
  reportDuplicates,
  resolveAll,
  type ComboEntry,
  type ItemEntry,
  type ReadContext,
} from './context.ts';
import { readAvailability, readPrices, readWindows, sellColumns } from './sale.ts';
import { resolveSize, sizeLabels } from './sizes.ts';

/** Columns common to items and combos. */
export const itemColumns = (context: ReadContext, entry: ItemEntry | ComboEntry, path: string) => {
  const { main, entityIndex, faults } = context;
  const { category, description } = entry;
  checkLanguage(entry.name, path, 'name', main, faults);
  checkLanguage(description, path, 'description', main, faults);
  const found =
    category === undefined ? null : entityIndex.resolve('category', category, fieldPath(path, 'category'));
  return {
    id: entityIndex.idAt(path),
    ...nameColumns(entry.name, main),
    category_id: found?.id ?? null,
    description: description === undefined ? null : mainText(description, main),
    description_translations: description === undefined ? {} : otherTexts(description, main),
    ...columnsFrom('menu_item', entry),
    archived_at: null,
  };
};

export const readItems = (context: ReadContext): void => {
  for (const [sort, item] of (context.file.menu.items ?? []).entries()) {
    const path = entryPath('menu.items', sort);
    readItem(context, item, path, sort);
  }
};

const readItem = (context: ReadContext, item: ItemEntry, path: string, sort: number): void => {
  const columns = itemColumns(context, item, path);
  const { id } = columns;
  const meal = item.meal === undefined ? null : mealOf(context, item.meal, path, id);
  context.rows.menu_item.push({
    ...columns,
    kind: 'item',
    sort,
    default_milk_addon_id: defaultAddon(context, item.default_milk, path, 'default_milk', 'milk_type'),
    default_coffee_addon_id: defaultAddon(
      context,
      item.default_coffee,
      path,
      'default_coffee',
      'coffee_type',
    ),
    // An empty list allows no add-on; without a list all are allowed (Decisions 3).
    takes_addons: item.allowed_addons?.length !== 0,
    ...sellColumns(undefined),
    meal_combo_id: meal?.combo ?? null,
    meal_slot_id: meal?.slot ?? null,
  });
  readSizes(context, item, path, id);
  readOptionals(context, item, path, id);
  readAdditions(context, item, path, id);
  readAvailability(context, item.availability, path, id);
  readWindows(context, item.windows, path, id);
};

/** The base of a swap family (Decisions 7.1). */
const defaultAddon = (
  context: ReadContext,
  reference: string | undefined,
  path: string,
  field: 'default_milk' | 'default_coffee',
  type: 'milk_type' | 'coffee_type',
): Uuid | null => {
  if (reference === undefined) return null;
  const addon = context.entityIndex.resolve('addon', reference, fieldPath(path, field));
  if (addon === null) return null;
  const actual = typeOfAddonAt(context, addon.path);
  if (actual !== type && !context.entityIndex.isInvalid(fieldPath(addon.path, 'type')))
    context.faults.add(
      fieldPath(path, field),
      `must be an add-on of type ${type}; ‘${reference}’ is of type ${actual}`,
    );
  return addon.id;
};

/** Prices belong to the sizes, or to the item if it has none. */
const readSizes = (context: ReadContext, item: ItemEntry, path: string, id: Uuid): void => {
  const { faults, rows, main } = context;
  const sizes = item.sizes ?? [];
  if (sizes.length === 0) readPrices(context, item, path, id);
  for (const field of ['price', 'prices'] as const)
    if (sizes.length > 0 && item[field] !== undefined)
      faults.rule(path, field, 'must be left out: the item has sizes, and each has its own');
  const seen = new Set<string>();
  for (const [sort, size] of sizes.entries()) {
    const at = entryPath(fieldPath(path, 'sizes'), sort);
    const label = mainText(size.label, main);
    checkLanguage(size.label, at, 'label', main, faults);
    if (!seen.has(label)) {
      rows.item_size.push({ item_id: id, label, label_translations: otherTexts(size.label, main), sort });
      readPrices(context, size, at, id, label);
    }
    seen.add(label);
  }
  reportDuplicates(
    sizeLabels(context, item),
    (label) => label,
    (index, first) => {
      const list = fieldPath(path, 'sizes');
      faults.rule(entryPath(list, index), 'label', `is also the label of ${entryPath(list, first)}`);
    },
  );
};

const readOptionals = (context: ReadContext, item: ItemEntry, path: string, itemId: Uuid): void => {
  const { rows, main, entityIndex, faults } = context;
  for (const [sort, optional] of (item.optionals ?? []).entries()) {
    const at = entryPath(fieldPath(path, 'optionals'), sort);
    const id = entityIndex.idAt(at);
    checkLanguage(optional.name, at, 'name', main, faults);
    const label =
      optional.size === undefined
        ? null
        : resolveSize(context, { entry: item, path }, optional.size, fieldPath(at, 'size'));
    rows.optional_field.push({
      id,
      item_id: itemId,
      ...nameColumns(optional.name, main),
      size_label: label,
      sort,
      archived_at: null,
    });
    readPrices(context, optional, at, id);
  }
};

const readAdditions = (context: ReadContext, item: ItemEntry, path: string, itemId: Uuid): void => {
  const { rows } = context;
  const addons = resolveAll(context, 'addon', item.allowed_addons ?? [], fieldPath(path, 'allowed_addons'));
  for (const [sort, addon] of addons.entries())
    rows.item_allowed_addon.push({ item_id: itemId, addon_id: addon.id, sort });
  const list = fieldPath(path, 'modifier_groups');
  for (const [sort, group] of resolveAll(
    context,
    'modifier_group',
    item.modifier_groups ?? [],
    list,
  ).entries())
    rows.item_modifier_group.push({ item_id: itemId, group_id: group.id, sort });
};

/** The slot must offer the item (Decisions 6). */
const mealOf = (
  context: ReadContext,
  meal: NonNullable<ItemEntry['meal']>,
  path: string,
  itemId: Uuid,
): { readonly combo: Uuid; readonly slot: Uuid } | null => {
  const { entityIndex, faults } = context;
  const at = fieldPath(path, 'meal');
  const combo = entityIndex.resolve('combo', meal.combo, fieldPath(at, 'combo'));
  if (combo === null) return null;
  const slot = entityIndex.resolve('slot', meal.slot, fieldPath(at, 'slot'), combo.id);
  if (slot === null) return null;
  if (!slotOffers(context, combo, slot, itemId))
    faults.rule(at, 'slot', `is a slot that does not offer this item: ‘${meal.slot}’`);
  return { combo: combo.id, slot: slot.id };
};

const slotOffers = (
  { file, entityIndex }: ReadContext,
  combo: Entity,
  slot: Entity,
  itemId: Uuid,
): boolean => {
  const choices = file.menu.combos?.[entryIndex(combo.path)]?.slots[entryIndex(slot.path)]?.choices ?? [];
  const path = fieldPath(slot.path, 'choices');
  return choices.some(
    (choice, index) =>
      entityIndex.isInvalid(fieldPath(entryPath(path, index), 'item')) ||
      entityIndex.resolve('item', choice.item, `${entryPath(path, index)}.item`)?.id === itemId,
  );
};
