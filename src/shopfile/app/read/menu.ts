/** The catalogue that items are made of: categories, add-ons, modifier groups. */
import { entryPath, fieldPath } from '../../domain/json.ts';
import { nameColumns } from '../localized.ts';
import { checkLanguage } from '../register.ts';
import { indexIn, resolveEach, type Entry, type MenuFile, type Reading } from './reading.ts';
import { readAvailability, readPrices } from './sale.ts';

type AddonEntry = Entry<NonNullable<MenuFile['addons']>>;
type GroupEntry = Entry<NonNullable<MenuFile['modifier_groups']>>;
type AddonType = AddonEntry['type'];

export const readCategories = ({ file, main, rows, faults, register }: Reading): void => {
  for (const [sort, category] of (file.menu.categories ?? []).entries()) {
    const path = entryPath('menu.categories', sort);
    checkLanguage(category.name, path, 'name', main, faults);
    rows.category.push({
      id: register.idAt(path),
      ...nameColumns(category.name, main),
      image_url: category.image_url ?? null,
      sort,
      archived_at: null,
    });
  }
};

export const readAddons = (reading: Reading): void => {
  const { file, main, rows, faults, register } = reading;
  for (const [sort, addon] of (file.menu.addons ?? []).entries()) {
    const path = entryPath('menu.addons', sort);
    const id = register.idAt(path);
    checkLanguage(addon.name, path, 'name', main, faults);
    rows.addon.push({
      id,
      ...nameColumns(addon.name, main),
      type: addon.type,
      sort,
      is_active: addon.active ?? true,
      archived_at: null,
    });
    readPrices(reading, addon, path, id);
    readAvailability(reading, addon.availability, path, id);
  }
};

/** How many a group asks for and allows, where the file leaves it open. */
const boundsOf = ({ selection, required, min, max }: GroupEntry) => ({
  least: min ?? (required === true ? 1 : 0),
  most: max ?? (selection === 'single' ? 1 : null),
});

/** A line takes one of each swap family, at quantity 1 (Decisions 7.1); of extras as many as it likes. */
const mostPossible = (group: GroupEntry, types: readonly AddonType[]): number => {
  if (group.selection === 'single') return 1;
  return types.includes('extra') ? Number.POSITIVE_INFINITY : new Set(types).size;
};

const checkGroup = (
  reading: Reading,
  group: GroupEntry,
  types: readonly AddonType[] | null,
  path: string,
): void => {
  const { faults, main } = reading;
  const { least, most } = boundsOf(group);
  checkLanguage(group.name, path, 'name', main, faults);
  if (group.required === true && least < 1)
    faults.rule(path, 'min', 'must be 1 or more: the group is required');
  if (most !== null && least > most)
    faults.rule(path, 'max', `is less than the least number of choices, ${least}`);
  if (types === null) return;
  const possible = mostPossible(group, types);
  const why = group.selection === 'single' ? 'the group is single' : 'a cup takes one of each swap family';
  if (most !== null && most > possible) faults.rule(path, 'max', `must be at most ${possible}: ${why}`);
  else if (least > possible) faults.rule(path, 'min', `must be at most ${possible}: ${why}`);
};

export const readGroups = (reading: Reading): void => {
  const { file, main, rows, register } = reading;
  for (const [index, group] of (file.menu.modifier_groups ?? []).entries()) {
    const path = entryPath('menu.modifier_groups', index);
    const id = register.idAt(path);
    const types = readOptions(reading, group, path, id);
    checkGroup(reading, group, types, path);
    const { least, most } = boundsOf(group);
    rows.modifier_group.push({
      id,
      ...nameColumns(group.name, main),
      selection_type: group.selection,
      min_selections: least,
      max_selections: most,
      is_required: group.required ?? false,
      addon_type: group.addon_type ?? null,
      archived_at: null,
    });
  }
};

/** The types of a group's options; null when one of them is at fault. */
const readOptions = (
  reading: Reading,
  group: GroupEntry,
  path: string,
  groupId: string,
): AddonType[] | null => {
  const { faults, register, rows } = reading;
  const addons = resolveEach(reading, 'addon', group.options, fieldPath(path, 'options'));
  for (const [sort, addon] of addons.entries()) {
    rows.modifier_option.push({ group_id: groupId, addon_id: addon.id, sort });
    const type = typeOfAddonAt(reading, addon.path);
    const isKnown = !register.isWrong(fieldPath(addon.path, 'type'));
    if (group.addon_type !== undefined && type !== group.addon_type && isKnown)
      faults.rule(path, 'addon_type', `is ${group.addon_type}, but ‘${addon.name}’ is of type ${type}`);
  }
  return addons.length === group.options.length
    ? addons.map(({ path: at }) => typeOfAddonAt(reading, at))
    : null;
};

/** The type of the add-on that stands at `path`. */
export const typeOfAddonAt = ({ file }: Reading, path: string): AddonType =>
  file.menu.addons?.[indexIn(path)]?.type ?? 'extra';
