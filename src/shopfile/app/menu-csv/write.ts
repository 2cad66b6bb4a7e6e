/** Writes menus as CSV: a template, and the menu of a shop. */
import type { ShopFile } from '../../contract/shopfile.ts';
import { escapeCell } from '../../domain/menu-csv/cells.ts';
import type { MenuColumn } from '../../domain/menu-csv/columns.ts';
import { PRICE_COLUMNS } from '../../domain/menu-csv/menu-csv.ts';
import { inPounds } from '../../../kernel/money.ts';
import { ONLINE_CHANNELS } from '../../../shops/domain/shop.ts';
import { languagesOf, type LocalText } from '../localized.ts';
import type { ItemEntry } from '../read/context.ts';
import { LANGUAGES, unsupportedLanguage, type Field, type Language } from './row-groups.ts';
import { ExistingMenu } from './existing-menu.ts';

/** Quotes a cell that contains a delimiter of any spreadsheet program. */
const quoted = (text: string): string =>
  /[",;\t\r\n،]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Excel needs the byte order mark to recognise UTF-8. */
const csvOf = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((row) => `${row.map((text) => quoted(escapeCell(text))).join(',')}\r\n`).join('')}`;

const TEMPLATE: readonly (readonly string[])[] = [
  [
    'category',
    'name_ar',
    'name_en',
    'description_ar',
    'description_en',
    'size_ar',
    'size_en',
    'price_egp',
    'price_pickup_egp',
    'price_outside_egp',
    'active',
  ],
  [
    'قهوة',
    'قهوة تركي',
    'Turkish coffee',
    'بن محوج على الرمل',
    'Spiced, made on sand',
    'سنجل',
    'Single',
    '45',
    '',
    '',
    'yes',
  ],
  [
    'قهوة',
    'قهوة تركي',
    'Turkish coffee',
    'بن محوج على الرمل',
    'Spiced, made on sand',
    'دوبل',
    'Double',
    '60',
    '',
    '',
    'yes',
  ],
  ['قهوة', 'لاتيه', 'Latte', '', '', '', '', '85.50', '80', '95', 'yes'],
  ['عصائر', 'عصير ليمون بالنعناع', 'Lemon and mint', '', '', '', '', '55', '', '', 'yes'],
  ['عصائر', 'عصير مانجو', 'Mango juice', 'في الموسم فقط', 'In season only', '', '', '٧٠', '', '', 'no'],
];

export const menuCsvTemplate = (): string => csvOf(TEMPLATE);

/** The message is for people. */
export class UnwritableMenu extends Error {
  override readonly name = 'UnwritableMenu';
}

// ── The menu of a shop ──────────────────────────────────────────────────────────────────────────

const COLUMNS = [
  'id',
  'category_ar',
  'category_en',
  'name_ar',
  'name_en',
  'description_ar',
  'description_en',
  'size_ar',
  'size_en',
  'price_egp',
  'price_pickup_egp',
  'price_outside_egp',
  'price_in_mall_egp',
  'price_umbrella_egp',
  'active',
] as const satisfies readonly MenuColumn[];

type Row = Partial<Record<MenuColumn, string>>;
type Size = NonNullable<ItemEntry['sizes']>[number];

const textCells = (field: Field, text: LocalText | undefined, main: Language): Row =>
  Object.fromEntries(
    LANGUAGES.map((language) => [
      `${field}_${language}`,
      text === undefined ? '' : (languagesOf(text, main)[language] ?? ''),
    ]),
  );

/** Branch prices have no column. */
const priceCells = ({ price, prices }: Pick<ItemEntry, 'price' | 'prices'>): Row => ({
  price_egp: price === undefined ? '' : inPounds(price),
  ...Object.fromEntries(
    ONLINE_CHANNELS.map((channel) => {
      const own = prices?.find((entry) => entry.channel === channel && entry.branch === undefined);
      return [PRICE_COLUMNS[channel], own === undefined ? '' : inPounds(own.price)];
    }),
  ),
});

const rowsOf = (item: ItemEntry, category: LocalText | undefined, main: Language): Row[] => {
  const shared: Row = {
    id: item.id ?? '',
    ...textCells('category', category, main),
    ...textCells('name', item.name, main),
    ...textCells('description', item.description, main),
    active: item.active === false ? 'no' : 'yes',
  };
  const rowOf = (size: Size): Row => ({
    ...shared,
    ...textCells('size', size.label, main),
    ...priceCells(size),
  });
  return item.sizes === undefined ? [{ ...shared, ...priceCells(item) }] : item.sizes.map(rowOf);
};

/** `shop` must have explicit ids. Throws UnwritableMenu. */
export const menuAsCsv = (shop: ShopFile): string => {
  const main: Language = shop.main_language === 'en' ? 'en' : 'ar';
  const language = shop.main_language ?? main;
  if (language !== main) throw new UnwritableMenu(`The menu of this shop ${unsupportedLanguage(language)}.`);
  const existing = new ExistingMenu(shop, main);
  const rows = existing.items.flatMap((item) =>
    rowsOf(item, existing.categories[existing.categoryPlace(item.category) ?? -1]?.name, main),
  );
  return csvOf([COLUMNS, ...rows.map((row) => COLUMNS.map((column) => row[column] ?? ''))]);
};
