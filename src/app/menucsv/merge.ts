/** The lines of a menu table laid over the menu that a shop has. */
import type { ShopFile } from '../../contract/shopfile.ts';
import type { MenuColumn } from '../../domain/menucolumns.ts';
import { PRICE_COLUMNS, type MenuLine, type MenuTable } from '../../domain/menucsv.ts';
import { ONLINE_CHANNELS } from '../../domain/shop.ts';
import { sameForm } from '../shopfile/identity.ts';
import { languagesOf, mainText, type LocalText } from '../shopfile/localized.ts';
import type { Entry, ItemEntry, MenuFile } from '../shopfile/read/reading.ts';

interface MergeFault {
  readonly row: number;
  readonly column: MenuColumn | null;
  readonly problem: string;
}

export interface Merged {
  readonly file: ShopFile;
  readonly faults: readonly MergeFault[];
  /** The row and column that the value at a path of `file` came from; null where the shop had it before. */
  originOf(path: string): { readonly row: number; readonly column: MenuColumn | null } | null;
}

type Category = Entry<NonNullable<MenuFile['categories']>>;
type Priced = Pick<ItemEntry, 'price' | 'prices'>;
type Language = 'ar' | 'en';
type Field = 'name' | 'description' | 'size' | 'category';

/** The rows of one item: one, or one for each of its sizes. */
interface Group {
  readonly first: MenuLine;
  readonly lines: readonly MenuLine[];
}

interface Merge {
  readonly main: Language;
  readonly menu: MenuTable;
  readonly faults: MergeFault[];
  readonly categories: Category[];
}

const LANGUAGES: readonly Language[] = ['ar', 'en'];

const cell = ({ text }: MenuLine, field: Field, language: Language): string => text[`${field}_${language}`];

const mainName = (line: MenuLine, main: Language): string => sameForm(cell(line, 'name', main));

/** Rows with the same id, or the same name in the main language, are one item. */
const groupsOf = ({ menu, main }: Merge): Group[] => {
  const groups = new Map<string, MenuLine[]>();
  for (const line of menu.lines) {
    const name = mainName(line, main);
    const handle = line.id ?? (name === '' ? `row ${line.row}` : name);
    groups.set(handle, [...(groups.get(handle) ?? []), line]);
  }
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ first, lines: [first, ...others] }],
  );
};

/** What the rows of one item must agree on. */
const SHARED: readonly MenuColumn[] = [
  'name_ar',
  'name_en',
  'description_ar',
  'description_en',
  'category',
  'category_ar',
  'category_en',
  'active',
];

const valueIn = (line: MenuLine, column: MenuColumn): string =>
  column === 'active'
    ? String(line.active)
    : column in line.text
      ? (Reflect.get(line.text, column) as string)
      : '';

const PRICES: readonly MenuColumn[] = ['price_egp', ...Object.values(PRICE_COLUMNS)];

/** Whether all lines say what stands in their cells of a column: one at fault says nothing. */
const isKnown = (menu: MenuTable, lines: readonly MenuLine[], column: MenuColumn): boolean =>
  lines.every(({ row }) => !menu.isAtFault(row, column));

const checkGroup = ({ faults, main, menu }: Merge, { first, lines }: Group): void => {
  if (cell(first, 'name', main) === '' && !menu.isAtFault(first.row, `name_${main}`))
    faults.push({
      row: first.row,
      column: `name_${main}`,
      problem: 'is missing: the item needs a name in the shop’s main language',
    });
  const seen = new Map<string, number>();
  for (const line of lines) {
    for (const column of SHARED)
      if (valueIn(line, column) !== valueIn(first, column) && isKnown(menu, [line, first], column))
        faults.push({
          row: line.row,
          column,
          problem: `differs from row ${first.row}, which is the same item`,
        });
    if (isKnown(menu, [line], `size_${main}`)) checkSize({ faults, main }, line, lines, seen);
    const hasPrice = line.price !== null || Object.keys(line.channelPrices).length > 0;
    if (!hasPrice && PRICES.every((column) => isKnown(menu, [line], column)))
      faults.push({ row: line.row, column: 'price_egp', problem: 'is missing' });
  }
};

const ROWS_NAMED = 3;

/** `row 3 is`, `rows 3, 4 and 7 are`: the rows of an item besides one. */
const otherRows = (lines: readonly MenuLine[], line: MenuLine): string => {
  const rows = lines.filter((other) => other !== line).map(({ row }) => String(row));
  if (rows.length === 1) return `row ${rows.join('')} is`;
  const rest = rows.length - ROWS_NAMED;
  const last = rest > 0 ? `${rest} more` : (rows.at(-1) ?? '');
  return `rows ${rows.slice(0, Math.min(ROWS_NAMED, rows.length - 1)).join(', ')} and ${last} are`;
};

const checkSize = (
  { faults, main }: Pick<Merge, 'faults' | 'main'>,
  line: MenuLine,
  lines: readonly MenuLine[],
  seen: Map<string, number>,
): void => {
  const size = cell(line, 'size', main);
  const column = `size_${main}` as const;
  const hasOther = LANGUAGES.some((language) => cell(line, 'size', language) !== '');
  if (size === '' && hasOther)
    faults.push({
      row: line.row,
      column,
      problem: 'is missing: a size needs a name in the shop’s main language',
    });
  else if (size === '' && lines.length > 1)
    faults.push({
      row: line.row,
      column,
      problem: `is missing: ${otherRows(lines, line)} the same item, so each needs a size`,
    });
  const earlier = seen.get(sameForm(size));
  if (size !== '' && earlier !== undefined)
    faults.push({ row: line.row, column, problem: `is the same size as in row ${earlier}` });
  seen.set(sameForm(size), line.row);
};

/** A text with the languages of the table laid over those it had; undefined when nothing is left. */
const overlaid = (
  { menu, main }: Merge,
  line: MenuLine,
  field: Field,
  before: LocalText | undefined,
): Record<string, string> | undefined => {
  const texts = { ...(before === undefined ? {} : languagesOf(before, main)) };
  for (const language of LANGUAGES) {
    if (!menu.columns.has(`${field}_${language}`)) continue;
    const text = cell(line, field, language);
    if (text === '') Reflect.deleteProperty(texts, language);
    else texts[language] = text;
  }
  return Object.keys(texts).length === 0 ? undefined : texts;
};

const bears = (name: LocalText, main: string, text: string): boolean =>
  Object.values(languagesOf(name, main)).some((own) => sameForm(own) === sameForm(text));

/** The category that a line names, made when the shop has none of that name; null where the line names none. */
const categoryOf = (merge: Merge, line: MenuLine): string | null => {
  const { main, categories, faults } = merge;
  const other = main === 'ar' ? 'en' : 'ar';
  const mainly = line.text.category === '' ? line.text[`category_${main}`] : line.text.category;
  const translated = line.text[`category_${other}`];
  const wanted = mainly === '' ? translated : mainly;
  if (wanted === '') return null;
  const known = categories.find(({ name }) => bears(name, main, wanted));
  if (known !== undefined) return known.id ?? mainText(known.name, main);
  if (mainly === '')
    faults.push({
      row: line.row,
      column: `category_${other}`,
      problem: 'is a new category, which needs a name in the shop’s main language',
    });
  else
    categories.push({
      name: translated === '' ? { [main]: mainly } : { [main]: mainly, [other]: translated },
    });
  return wanted;
};

/** The line's prices; exceptions that no column of the table speaks of stay. */
const pricesOf = ({ menu }: Merge, line: MenuLine, before: Priced): Priced => {
  const isSpokenOf = (channel: (typeof ONLINE_CHANNELS)[number] | undefined): boolean =>
    channel !== undefined && menu.columns.has(PRICE_COLUMNS[channel]);
  const kept = (before.prices ?? []).filter(
    ({ branch, channel }) => branch !== undefined || !isSpokenOf(channel),
  );
  const own = ONLINE_CHANNELS.flatMap((channel) => {
    const price = line.channelPrices[channel];
    return price === undefined ? [] : [{ channel, price }];
  });
  const prices = [...own, ...kept];
  return {
    ...(line.price === null ? {} : { price: line.price }),
    ...(prices.length === 0 ? {} : { prices }),
  };
};

const sizesOf = (merge: Merge, { lines }: Group, before: ItemEntry | null): NonNullable<ItemEntry['sizes']> =>
  lines.flatMap((line) => {
    const label = cell(line, 'size', merge.main);
    if (label === '') return [];
    const old = before?.sizes?.find((size) => sameForm(mainText(size.label, merge.main)) === sameForm(label));
    const labels = overlaid(merge, line, 'size', old?.label) ?? {};
    return [{ label: { ...labels, [merge.main]: label }, ...pricesOf(merge, line, old ?? {}) }];
  });

/** What of an item a table can say is replaced; the rest of it stays. */
const mergedItem = (merge: Merge, group: Group, before: ItemEntry | null): ItemEntry => {
  const { menu, main } = merge;
  const { first } = group;
  const { prices, description, category, active, ...others }: ItemEntry = before ?? { name: '' };
  const rest = Object.fromEntries(
    Object.entries(others).filter(([field]) => field !== 'price' && field !== 'sizes'),
  );
  const texts = overlaid(merge, first, 'description', description);
  const newCategory = categoryOf(merge, first) ?? category;
  const sizes = sizesOf(merge, group, before);
  const isActive = menu.columns.has('active') ? (first.active ?? true) : (active ?? true);
  const priced = sizes.length > 0 ? {} : pricesOf(merge, first, prices === undefined ? {} : { prices });
  return {
    ...rest,
    ...(first.id === null ? {} : { id: first.id }),
    name: overlaid(merge, first, 'name', before?.name) ?? { [main]: '' },
    ...(newCategory === undefined ? {} : { category: newCategory }),
    ...(texts === undefined ? {} : { description: texts }),
    ...(isActive ? {} : { active: false }),
    ...(sizes.length > 0 ? { sizes } : priced),
  };
};

/** The item that a group's rows speak of: by id, else by name in the main language, else by the other name. */
const itemFor = (items: readonly ItemEntry[], { first }: Group, main: Language): number => {
  if (first.id !== null) return items.findIndex(({ id }) => id === first.id);
  const other = main === 'ar' ? 'en' : 'ar';
  const alike = (language: Language): number[] => {
    const name = sameForm(cell(first, 'name', language));
    if (name === '') return [];
    return items.flatMap((item, index) =>
      sameForm(languagesOf(item.name, main)[language] ?? '') === name ? [index] : [],
    );
  };
  const [byMain, second] = alike(main);
  if (byMain !== undefined && second === undefined) return byMain;
  const [byOther, another] = byMain === undefined ? alike(other) : [];
  return byOther !== undefined && another === undefined ? byOther : -1;
};

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

/** What is wrong when rows that are not one group lead to one item. */
const sameItem = ({ first }: Group, { first: earlier }: Group, main: Language): string =>
  mainName(first, main) === mainName(earlier, main)
    ? `is the same item as row ${earlier.row}: give both rows its id, or neither`
    : `is the same item as row ${earlier.row}, under another name`;

const mainLanguage = (shop: ShopFile): Language => (shop.main_language === 'en' ? 'en' : 'ar');

/** Lays `menu` over `shop`; items that the table does not name stay as they are. */
export const mergeMenu = (shop: ShopFile, menu: MenuTable): Merged => {
  const main = mainLanguage(shop);
  const items = [...(shop.menu.items ?? [])];
  const headers = headerFaults(shop, menu, main);
  // Rows say nothing that can be trusted while it is not known what their cells are.
  if (headers.length > 0) return { file: shop, faults: headers, originOf: () => null };
  const merge: Merge = {
    main,
    menu,
    faults: [],
    categories: [...(shop.menu.categories ?? [])],
  };
  const knownCategories = merge.categories.length;
  const groupAt = new Map<number, Group>();
  const categoryRows: number[] = [];
  for (const group of groupsOf(merge)) {
    checkGroup(merge, group);
    const found = itemFor(items, group, main);
    const index = found === -1 ? items.length : found;
    const taken = groupAt.get(index);
    if (taken !== undefined)
      merge.faults.push({
        row: group.first.row,
        column: null,
        problem: sameItem(group, taken, main),
      });
    items[index] = mergedItem(merge, group, items[index] ?? null);
    while (categoryRows.length < merge.categories.length - knownCategories)
      categoryRows.push(group.first.row);
    groupAt.set(index, group);
  }
  return {
    file: { ...shop, menu: { ...shop.menu, categories: merge.categories, items } },
    faults: merge.faults,
    originOf: (path) => {
      const category = CATEGORY_PATH.exec(path);
      const categoryRow = category === null ? undefined : categoryRows[Number(category[1]) - knownCategories];
      if (categoryRow !== undefined) return { row: categoryRow, column: 'category' };
      const [, index, rest = ''] = ITEM_PATH.exec(path) ?? [];
      const group = index === undefined ? undefined : groupAt.get(Number(index));
      if (group === undefined) return null;
      const size = /^\.sizes\[(\d+)\]/.exec(rest);
      const line = (size === null ? undefined : group.lines[Number(size[1])]) ?? group.first;
      return { row: line.row, column: COLUMN_OF.find(([part]) => part.test(rest))?.[1](main) ?? null };
    },
  };
};

const headerFaults = (shop: ShopFile, menu: MenuTable, main: Language): MergeFault[] => {
  const faults: MergeFault[] = [];
  const needed: readonly MenuColumn[] = [`name_${main}`, 'price_egp'];
  for (const column of needed)
    if (!menu.columns.has(column))
      faults.push({ row: 1, column, problem: 'is a column that a menu needs, and is not there' });
  if (shop.main_language !== undefined && shop.main_language !== main)
    faults.push({
      row: 1,
      column: null,
      problem: `has columns for Arabic and English only; the shop’s main language is ${shop.main_language}`,
    });
  if (menu.lines.length === 0) faults.push({ row: 2, column: null, problem: 'holds no items' });
  return faults;
};
