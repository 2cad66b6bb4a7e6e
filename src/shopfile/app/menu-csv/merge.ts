/** Merges a menu table into the shop's menu. */
import type { ShopFile } from '../../contract/shopfile.ts';
import type { MenuColumn } from '../../domain/menu-csv/columns.ts';
import type { MenuTable } from '../../domain/menu-csv/menu-csv.ts';
import { MAX_ITEMS, tooManyItems } from '../../domain/limits.ts';
import { derivedId } from '../entity-ids.ts';
import { mainText } from '../localized.ts';
import type { ItemEntry } from '../read/context.ts';
import {
  checkGroup,
  groupsOf,
  headerFaults,
  mainName,
  type Group,
  type Language,
  type MergeContext,
  type MergeFault,
} from './row-groups.ts';
import { resolveCategory, ExistingMenu, type Match } from './existing-menu.ts';
import { mergeNotes, type MergedGroup } from './notes.ts';
import { sameFoldedText, mergedText, mergeSizes, type MergedSizes } from './sizes.ts';

export interface MergeOptions {
  /** Remove an item's sizes that its rows do not name. */
  readonly removeMissingSizes?: boolean;
  readonly maxItems?: number;
}

interface Origin {
  readonly row: number;
  readonly column: MenuColumn | null;
}

export interface Merged {
  readonly file: ShopFile;
  readonly faults: readonly MergeFault[];
  /** For the report. */
  readonly notes: readonly string[];
  /** The cell that a value of `file` came from; null for stored values. */
  originOf(path: string): Origin | null;
}

/** Replaces the fields that have columns; the others stay. */
const mergedItem = (
  context: MergeContext,
  group: Group,
  before: ItemEntry | null,
  category: string | undefined,
  { priced }: MergedSizes,
): ItemEntry => {
  const { menu, main } = context;
  const { first } = group;
  const { description, active, ...others }: ItemEntry = before ?? { name: '' };
  const replaced = new Set(['price', 'prices', 'sizes', 'category']);
  const rest = Object.fromEntries(Object.entries(others).filter(([field]) => !replaced.has(field)));
  const texts = mergedText(context, first, 'description', description);
  const isActive = menu.columns.has('active') ? (first.active ?? true) : (active ?? true);
  const isSame = first.id === null ? sameFoldedText : undefined;
  return {
    ...rest,
    ...(first.id === null ? {} : { id: first.id }),
    name: mergedText(context, first, 'name', before?.name, isSame) ?? { [main]: '' },
    ...(category === undefined ? {} : { category }),
    ...(texts === undefined ? {} : { description: texts }),
    ...(isActive ? {} : { active: false }),
    ...priced,
  };
};

const sameItem = ({ first }: Group, { first: earlier }: Group, main: Language): string =>
  mainName(first, main) === mainName(earlier, main)
    ? `is the same item as row ${earlier.row}: give both rows its id, or neither`
    : `is the same item as row ${earlier.row}, under another name`;

// ── From rows to items ──────────────────────────────────────────────────────────────────────────

/** Matches by id or category take precedence over matches by name alone. */
const matchGroups = (
  context: MergeContext,
  existing: ExistingMenu,
  groups: readonly Group[],
): Map<Group, Match> => {
  const matches = new Map<Group, Match>();
  const taken = new Map<number, Group>();
  for (const group of groups) {
    const one = existing.match(group);
    matches.set(group, one);
    if ('index' in one) taken.set(one.index, group);
  }
  for (const group of groups)
    if (matches.get(group)?.by === 'none') matches.set(group, existing.matchByName(group, taken));
  for (const [{ first }, one] of matches)
    if (one.by === 'fault') context.faults.push({ row: first.row, column: one.column, problem: one.problem });
  return matches;
};

/** Includes the category in the derived id if the name or its id is in `used`. */
const withUniqueId = (
  shopId: string,
  item: ItemEntry,
  used: ReadonlySet<string>,
  main: Language,
): ItemEntry => {
  const name = mainText(item.name, main);
  const idBy = (text: string): string => derivedId(shopId, 'item', shopId, { name: text });
  if (item.id !== undefined || !(used.has(name) || used.has(idBy(name)))) return item;
  let text = `${item.category ?? ''}\n${name}`;
  while (used.has(idBy(text))) text += '\n';
  return { ...item, id: idBy(text) };
};

const unmerged = (shop: ShopFile, faults: readonly MergeFault[]): Merged => ({
  file: shop,
  faults,
  notes: [],
  originOf: () => null,
});

/** `shop` must have explicit ids. Items without rows stay unchanged. */
export const mergeMenu = (shop: ShopFile, menu: MenuTable, options: MergeOptions = {}): Merged => {
  const main: Language = shop.main_language === 'en' ? 'en' : 'ar';
  const headers = headerFaults(menu, shop.main_language ?? main, main);
  if (headers.length > 0) return unmerged(shop, headers);
  const context: MergeContext = { main, menu, faults: [], notes: new Set() };
  const existing = new ExistingMenu(shop, main);
  const removeMissing = options.removeMissingSizes ?? false;
  const items = [...existing.items];
  const used = new Set(
    items.flatMap(({ id, name }) => [mainText(name, main), ...(id === undefined ? [] : [id])]),
  );
  const mergedGroups: MergedGroup[] = [];
  const byIndex = new Map<number, MergedGroup>();
  const categoryRows: number[] = [];
  const knownCategories = existing.categories.length;
  const all = groupsOf(context);
  const firstTooMany = all[options.maxItems ?? MAX_ITEMS];
  if (firstTooMany !== undefined) {
    const problem = tooManyItems(all.length, options.maxItems ?? MAX_ITEMS);
    return unmerged(shop, [{ row: firstTooMany.first.row, column: null, problem }]);
  }
  const groups = all.filter((group) => checkGroup(context, group));
  for (const [group, match] of matchGroups(context, existing, groups)) {
    if (match.by === 'fault') continue;
    const index = 'index' in match ? match.index : items.length;
    const taken = byIndex.get(index);
    if (taken !== undefined) {
      const problem = sameItem(group, taken.group, main);
      context.faults.push({ row: group.first.row, column: null, problem });
      continue;
    }
    const before = items[index] ?? null;
    const sized = mergeSizes(context, group, before, removeMissing);
    const category = resolveCategory(context, existing, group, before?.category);
    while (categoryRows.length < existing.categories.length - knownCategories)
      categoryRows.push(group.first.row);
    const item = mergedItem(context, group, before, category, sized);
    const made = before === null ? withUniqueId(shop.id ?? '', item, used, main) : item;
    items[index] = made;
    used.add(mainText(made.name, main));
    if (made.id !== undefined) used.add(made.id);
    const one = { group, match, sized, name: mainText(item.name, main) };
    mergedGroups.push(one);
    byIndex.set(index, one);
  }
  return {
    file: { ...shop, menu: { ...shop.menu, categories: existing.categories, items } },
    faults: context.faults,
    notes: [...mergeNotes(mergedGroups, existing.items.length, removeMissing), ...context.notes],
    originOf: originLookup(byIndex, categoryRows, knownCategories, main),
  };
};

// ── From the merged file back to rows ───────────────────────────────────────────────────────────

const COLUMN_OF: readonly (readonly [RegExp, (main: Language) => MenuColumn])[] = [
  [/^\.name/, (main) => `name_${main}`],
  [/^\.description/, (main) => `description_${main}`],
  [/^\.category/, () => 'category'],
  [/^\.id/, () => 'id'],
  [/^\.sizes\[\d+\]\.label/, (main) => `size_${main}`],
  [/^(\.sizes\[\d+\])?\.price/, () => 'price_egp'],
];

const ITEM_PATH = /^menu\.items\[(\d+)\](.*)$/;
const CATEGORY_PATH = /^menu\.categories\[(\d+)\]/;

const originLookup =
  (
    byIndex: ReadonlyMap<number, MergedGroup>,
    categoryRows: readonly number[],
    knownCategories: number,
    main: Language,
  ): Merged['originOf'] =>
  (path) => {
    const category = CATEGORY_PATH.exec(path);
    const categoryRow = category === null ? undefined : categoryRows[Number(category[1]) - knownCategories];
    if (categoryRow !== undefined) return { row: categoryRow, column: 'category' };
    const [, index, rest = ''] = ITEM_PATH.exec(path) ?? [];
    const merged = index === undefined ? undefined : byIndex.get(Number(index));
    if (merged === undefined) return null;
    const size = /^\.sizes\[(\d+)\]/.exec(rest);
    const line = (size === null ? null : merged.sized.lineOfSize[Number(size[1])]) ?? merged.group.first;
    return { row: line.row, column: COLUMN_OF.find(([part]) => part.test(rest))?.[1](main) ?? null };
  };
