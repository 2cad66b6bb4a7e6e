/** The lines of a menu table laid over the menu that a shop has. */
import type { ShopFile } from '../../contract/shopfile.ts';
import type { MenuColumn } from '../../domain/menu-csv/columns.ts';
import type { MenuTable } from '../../domain/menu-csv/menu-csv.ts';
import { MOST_ITEMS, tooManyItems } from '../../domain/limits.ts';
import { derivedId } from '../identity.ts';
import { mainText } from '../localized.ts';
import type { ItemEntry } from '../read/reading.ts';
import {
  checkGroup,
  groupsOf,
  headerFaults,
  mainName,
  type Group,
  type Language,
  type Merge,
  type MergeFault,
} from './groups.ts';
import { categoryOf, KnownMenu, type Found } from './known.ts';
import { mergeNotes, type Merging } from './notes.ts';
import { isFoundAs, overlaid, sizesAndPrices, type Merged as Sized } from './sizes.ts';

export interface MergeOptions {
  /** Sizes that the rows of an item do not name are taken out of it. */
  readonly removeMissingSizes?: boolean;
  /** Items of the table; more are refused. */
  readonly maxItems?: number;
}

/** Where a value of the merged file came from. */
interface Origin {
  readonly row: number;
  readonly column: MenuColumn | null;
}

export interface Merged {
  readonly file: ShopFile;
  readonly faults: readonly MergeFault[];
  /** What the person who imports is told besides: how items were found, which sizes stay. */
  readonly notes: readonly string[];
  /** The row and column that the value at a path of `file` came from; null where the shop had it before. */
  originOf(path: string): Origin | null;
}

/** What of an item a table can say is replaced; the rest of it stays. */
const mergedItem = (
  merge: Merge,
  group: Group,
  before: ItemEntry | null,
  category: string | undefined,
  { priced }: Sized,
): ItemEntry => {
  const { menu, main } = merge;
  const { first } = group;
  const { description, active, ...others }: ItemEntry = before ?? { name: '' };
  const replaced = new Set(['price', 'prices', 'sizes', 'category']);
  const rest = Object.fromEntries(Object.entries(others).filter(([field]) => !replaced.has(field)));
  const texts = overlaid(merge, first, 'description', description);
  const isActive = menu.columns.has('active') ? (first.active ?? true) : (active ?? true);
  const isSame = first.id === null ? isFoundAs : undefined;
  return {
    ...rest,
    ...(first.id === null ? {} : { id: first.id }),
    name: overlaid(merge, first, 'name', before?.name, isSame) ?? { [main]: '' },
    ...(category === undefined ? {} : { category }),
    ...(texts === undefined ? {} : { description: texts }),
    ...(isActive ? {} : { active: false }),
    ...priced,
  };
};

/** What is wrong when rows that are not one group lead to one item. */
const sameItem = ({ first }: Group, { first: earlier }: Group, main: Language): string =>
  mainName(first, main) === mainName(earlier, main)
    ? `is the same item as row ${earlier.row}: give both rows its id, or neither`
    : `is the same item as row ${earlier.row}, under another name`;

// ── From rows to items ──────────────────────────────────────────────────────────────────────────

/** The item of each group, found by what tells it best first, so that a name alone never takes another row's item. */
const findAll = (merge: Merge, known: KnownMenu, groups: readonly Group[]): Map<Group, Found> => {
  const found = new Map<Group, Found>();
  const taken = new Map<number, Group>();
  for (const group of groups) {
    const one = known.find(group);
    found.set(group, one);
    if ('index' in one) taken.set(one.index, group);
  }
  for (const group of groups)
    if (found.get(group)?.by === 'none') found.set(group, known.findByName(group, taken));
  for (const [{ first }, one] of found)
    if (one.by === 'fault') merge.faults.push({ row: first.row, column: one.column, problem: one.problem });
  return found;
};

/**
 * A new item has its id by its name, and by its category too where another has that name, or had it when it was made. `used`
 * are names and ids.
 */
const withOwnId = (shopId: string, item: ItemEntry, used: ReadonlySet<string>, main: Language): ItemEntry => {
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

/** Lays `menu` over `shop`, whose ids are all given; items that the table does not name stay as they are. */
export const mergeMenu = (shop: ShopFile, menu: MenuTable, options: MergeOptions = {}): Merged => {
  const main: Language = shop.main_language === 'en' ? 'en' : 'ar';
  const headers = headerFaults(menu, shop.main_language ?? main, main);
  // Rows say nothing that can be trusted while it is not known what their cells are.
  if (headers.length > 0) return unmerged(shop, headers);
  const merge: Merge = { main, menu, faults: [], notes: new Set() };
  const known = new KnownMenu(shop, main);
  const removeMissing = options.removeMissingSizes ?? false;
  const items = [...known.items];
  const used = new Set(
    items.flatMap(({ id, name }) => [mainText(name, main), ...(id === undefined ? [] : [id])]),
  );
  const merging: Merging[] = [];
  const byIndex = new Map<number, Merging>();
  const categoryRows: number[] = [];
  const knownCategories = known.categories.length;
  const all = groupsOf(merge);
  const beyond = all[options.maxItems ?? MOST_ITEMS];
  if (beyond !== undefined) {
    const problem = tooManyItems(all.length, options.maxItems ?? MOST_ITEMS);
    return unmerged(shop, [{ row: beyond.first.row, column: null, problem }]);
  }
  const groups = all.filter((group) => checkGroup(merge, group));
  for (const [group, found] of findAll(merge, known, groups)) {
    if (found.by === 'fault') continue;
    const index = 'index' in found ? found.index : items.length;
    const taken = byIndex.get(index);
    if (taken !== undefined) {
      const problem = sameItem(group, taken.group, main);
      merge.faults.push({ row: group.first.row, column: null, problem });
      continue;
    }
    const before = items[index] ?? null;
    const sized = sizesAndPrices(merge, group, before, removeMissing);
    const category = categoryOf(merge, known, group, before?.category);
    while (categoryRows.length < known.categories.length - knownCategories)
      categoryRows.push(group.first.row);
    const item = mergedItem(merge, group, before, category, sized);
    const made = before === null ? withOwnId(shop.id ?? '', item, used, main) : item;
    items[index] = made;
    used.add(mainText(made.name, main));
    if (made.id !== undefined) used.add(made.id);
    const one = { group, found, sized, name: mainText(item.name, main) };
    merging.push(one);
    byIndex.set(index, one);
  }
  return {
    file: { ...shop, menu: { ...shop.menu, categories: known.categories, items } },
    faults: merge.faults,
    notes: [...mergeNotes(merging, known.items.length, removeMissing), ...merge.notes],
    originOf: originIn(byIndex, categoryRows, knownCategories, main),
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

const originIn =
  (
    byIndex: ReadonlyMap<number, Merging>,
    categoryRows: readonly number[],
    knownCategories: number,
    main: Language,
  ): Merged['originOf'] =>
  (path) => {
    const category = CATEGORY_PATH.exec(path);
    const categoryRow = category === null ? undefined : categoryRows[Number(category[1]) - knownCategories];
    if (categoryRow !== undefined) return { row: categoryRow, column: 'category' };
    const [, index, rest = ''] = ITEM_PATH.exec(path) ?? [];
    const merging = index === undefined ? undefined : byIndex.get(Number(index));
    if (merging === undefined) return null;
    const size = /^\.sizes\[(\d+)\]/.exec(rest);
    const line = (size === null ? null : merging.sized.lineOfSize[Number(size[1])]) ?? merging.group.first;
    return { row: line.row, column: COLUMN_OF.find(([part]) => part.test(rest))?.[1](main) ?? null };
  };
