/** Menu items with their sizes, optionals and what may be added to them. */
import type { Uuid } from '../../../kernel/ids.ts';
import { entryPath, fieldPath } from '../../domain/json.ts';
import { mainText, nameColumns, otherTexts } from '../localized.ts';
import { checkLanguage, type Thing } from '../register.ts';
import { typeOfAddonAt } from './menu.ts';
import {
  indexIn,
  reportRepeats,
  resolveEach,
  type ComboEntry,
  type ItemEntry,
  type Reading,
} from './reading.ts';
import { readAvailability, readPrices, readWindows, sellColumns } from './sale.ts';
import { resolveSize, sizeLabels } from './sizes.ts';

/** The columns of an item and a combo alike. */
export const itemColumns = (reading: Reading, entry: ItemEntry | ComboEntry, path: string) => {
  const { main, register, faults } = reading;
  const { category, description } = entry;
  checkLanguage(entry.name, path, 'name', main, faults);
  checkLanguage(description, path, 'description', main, faults);
  const found =
    category === undefined ? null : register.resolve('category', category, fieldPath(path, 'category'));
  return {
    id: register.idAt(path),
    ...nameColumns(entry.name, main),
    category_id: found?.id ?? null,
    description: description === undefined ? null : mainText(description, main),
    description_translations: description === undefined ? {} : otherTexts(description, main),
    image_url: entry.image_url ?? null,
    is_active: entry.active ?? true,
    archived_at: null,
  };
};

export const readItems = (reading: Reading): void => {
  for (const [sort, item] of (reading.file.menu.items ?? []).entries()) {
    const path = entryPath('menu.items', sort);
    readItem(reading, item, path, sort);
  }
};

const readItem = (reading: Reading, item: ItemEntry, path: string, sort: number): void => {
  const columns = itemColumns(reading, item, path);
  const { id } = columns;
  const meal = item.meal === undefined ? null : mealOf(reading, item.meal, path, id);
  reading.rows.menu_item.push({
    ...columns,
    kind: 'item',
    sort,
    default_milk_addon_id: defaultAddon(reading, item.default_milk, path, 'default_milk', 'milk_type'),
    default_coffee_addon_id: defaultAddon(
      reading,
      item.default_coffee,
      path,
      'default_coffee',
      'coffee_type',
    ),
    // An empty list takes nothing, and no list everything (Decisions 3).
    takes_addons: item.allowed_addons?.length !== 0,
    ...sellColumns(undefined),
    meal_combo_id: meal?.combo ?? null,
    meal_slot_id: meal?.slot ?? null,
  });
  readSizes(reading, item, path, id);
  readOptionals(reading, item, path, id);
  readAdditions(reading, item, path, id);
  readAvailability(reading, item.availability, path, id);
  readWindows(reading, item.windows, path, id);
};

/** The base of a swap family (Decisions 7.1). */
const defaultAddon = (
  reading: Reading,
  reference: string | undefined,
  path: string,
  field: 'default_milk' | 'default_coffee',
  type: 'milk_type' | 'coffee_type',
): Uuid | null => {
  if (reference === undefined) return null;
  const addon = reading.register.resolve('addon', reference, fieldPath(path, field));
  if (addon === null) return null;
  const actual = typeOfAddonAt(reading, addon.path);
  if (actual !== type && !reading.register.isWrong(fieldPath(addon.path, 'type')))
    reading.faults.add(
      fieldPath(path, field),
      `must be an add-on of type ${type}; ‘${reference}’ is of type ${actual}`,
    );
  return addon.id;
};

/** An item with sizes has its prices there, any other its own. */
const readSizes = (reading: Reading, item: ItemEntry, path: string, id: Uuid): void => {
  const { faults, rows, main } = reading;
  const sizes = item.sizes ?? [];
  if (sizes.length === 0) readPrices(reading, item, path, id);
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
      readPrices(reading, size, at, id, label);
    }
    seen.add(label);
  }
  reportRepeats(
    sizeLabels(reading, item),
    (label) => label,
    (index, first) => {
      const list = fieldPath(path, 'sizes');
      faults.rule(entryPath(list, index), 'label', `is also the label of ${entryPath(list, first)}`);
    },
  );
};

const readOptionals = (reading: Reading, item: ItemEntry, path: string, itemId: Uuid): void => {
  const { rows, main, register, faults } = reading;
  for (const [sort, optional] of (item.optionals ?? []).entries()) {
    const at = entryPath(fieldPath(path, 'optionals'), sort);
    const id = register.idAt(at);
    checkLanguage(optional.name, at, 'name', main, faults);
    const label =
      optional.size === undefined
        ? null
        : resolveSize(reading, { entry: item, path }, optional.size, fieldPath(at, 'size'));
    rows.optional_field.push({
      id,
      item_id: itemId,
      ...nameColumns(optional.name, main),
      size_label: label,
      sort,
      archived_at: null,
    });
    readPrices(reading, optional, at, id);
  }
};

const readAdditions = (reading: Reading, item: ItemEntry, path: string, itemId: Uuid): void => {
  const { rows } = reading;
  const addons = resolveEach(reading, 'addon', item.allowed_addons ?? [], fieldPath(path, 'allowed_addons'));
  for (const [sort, addon] of addons.entries())
    rows.item_allowed_addon.push({ item_id: itemId, addon_id: addon.id, sort });
  const list = fieldPath(path, 'modifier_groups');
  for (const [sort, group] of resolveEach(
    reading,
    'modifier_group',
    item.modifier_groups ?? [],
    list,
  ).entries())
    rows.item_modifier_group.push({ item_id: itemId, group_id: group.id, sort });
};

/** The meal's slot must be one that the item can fill (Decisions 6). */
const mealOf = (
  reading: Reading,
  meal: NonNullable<ItemEntry['meal']>,
  path: string,
  itemId: Uuid,
): { readonly combo: Uuid; readonly slot: Uuid } | null => {
  const { register, faults } = reading;
  const at = fieldPath(path, 'meal');
  const combo = register.resolve('combo', meal.combo, fieldPath(at, 'combo'));
  if (combo === null) return null;
  const slot = register.resolve('slot', meal.slot, fieldPath(at, 'slot'), combo.id);
  if (slot === null) return null;
  if (!slotOffers(reading, combo, slot, itemId))
    faults.rule(at, 'slot', `is a slot that does not offer this item: ‘${meal.slot}’`);
  return { combo: combo.id, slot: slot.id };
};

const slotOffers = ({ file, register }: Reading, combo: Thing, slot: Thing, itemId: Uuid): boolean => {
  const choices = file.menu.combos?.[indexIn(combo.path)]?.slots[indexIn(slot.path)]?.choices ?? [];
  const path = fieldPath(slot.path, 'choices');
  return choices.some(
    (choice, index) =>
      register.isWrong(fieldPath(entryPath(path, index), 'item')) ||
      register.resolve('item', choice.item, `${entryPath(path, index)}.item`)?.id === itemId,
  );
};
