/** Reads categories, add-ons and modifier groups. */
import { entryPath, fieldPath } from '../../domain/json.ts';
import { columnsFrom } from '../fields.ts';
import { nameColumns } from '../localized.ts';
import { checkLanguage } from '../entity-index.ts';
import { entryIndex, resolveAll, type Entry, type MenuFile, type ReadContext } from './context.ts';
import { readAvailability, readPrices } from './sale.ts';

type AddonEntry = Entry<NonNullable<MenuFile['addons']>>;
type GroupEntry = Entry<NonNullable<MenuFile['modifier_groups']>>;
type AddonType = AddonEntry['type'];

export const readCategories = ({ file, main, rows, faults, entityIndex }: ReadContext): void => {
  for (const [sort, category] of (file.menu.categories ?? []).entries()) {
    const path = entryPath('menu.categories', sort);
    checkLanguage(category.name, path, 'name', main, faults);
    rows.category.push({
      id: entityIndex.idAt(path),
      ...nameColumns(category.name, main),
      ...columnsFrom('category', category),
      sort,
      archived_at: null,
    });
  }
};

export const readAddons = (context: ReadContext): void => {
  const { file, main, rows, faults, entityIndex } = context;
  for (const [sort, addon] of (file.menu.addons ?? []).entries()) {
    const path = entryPath('menu.addons', sort);
    const id = entityIndex.idAt(path);
    checkLanguage(addon.name, path, 'name', main, faults);
    rows.addon.push({
      id,
      ...nameColumns(addon.name, main),
      type: addon.type,
      sort,
      ...columnsFrom('addon', addon),
      archived_at: null,
    });
    readPrices(context, addon, path, id);
    readAvailability(context, addon.availability, path, id);
  }
};

const boundsOf = ({ selection, required, min, max }: GroupEntry) => ({
  least: min ?? (required === true ? 1 : 0),
  most: max ?? (selection === 'single' ? 1 : null),
});

/** An order line takes one add-on of each swap family (Decisions 7.1), and any number of extras. */
const mostPossible = (group: GroupEntry, types: readonly AddonType[]): number => {
  if (group.selection === 'single') return 1;
  return types.includes('extra') ? Number.POSITIVE_INFINITY : new Set(types).size;
};

const checkGroup = (
  context: ReadContext,
  group: GroupEntry,
  types: readonly AddonType[] | null,
  path: string,
): void => {
  const { faults, main } = context;
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

export const readGroups = (context: ReadContext): void => {
  const { file, main, rows, entityIndex } = context;
  for (const [index, group] of (file.menu.modifier_groups ?? []).entries()) {
    const path = entryPath('menu.modifier_groups', index);
    const id = entityIndex.idAt(path);
    const types = readOptions(context, group, path, id);
    checkGroup(context, group, types, path);
    const { least, most } = boundsOf(group);
    rows.modifier_group.push({
      id,
      ...nameColumns(group.name, main),
      selection_type: group.selection,
      min_selections: least,
      max_selections: most,
      ...columnsFrom('modifier_group', group),
      addon_type: group.addon_type ?? null,
      archived_at: null,
    });
  }
};

/** The types of the options; null if one is invalid. */
const readOptions = (
  context: ReadContext,
  group: GroupEntry,
  path: string,
  groupId: string,
): AddonType[] | null => {
  const { faults, entityIndex, rows } = context;
  const addons = resolveAll(context, 'addon', group.options, fieldPath(path, 'options'));
  for (const [sort, addon] of addons.entries()) {
    rows.modifier_option.push({ group_id: groupId, addon_id: addon.id, sort });
    const type = typeOfAddonAt(context, addon.path);
    const isKnown = !entityIndex.isInvalid(fieldPath(addon.path, 'type'));
    if (group.addon_type !== undefined && type !== group.addon_type && isKnown)
      faults.rule(path, 'addon_type', `is ${group.addon_type}, but ‘${addon.name}’ is of type ${type}`);
  }
  return addons.length === group.options.length
    ? addons.map(({ path: at }) => typeOfAddonAt(context, at))
    : null;
};

export const typeOfAddonAt = ({ file }: ReadContext, path: string): AddonType =>
  file.menu.addons?.[entryIndex(path)]?.type ?? 'extra';
