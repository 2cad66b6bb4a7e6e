/** Columns of a menu CSV and their accepted names in Arabic and English. */
import { closestTo } from '../../../kernel/closest-word.ts';
import { normalizedArabic } from '../text.ts';

interface ColumnEntry {
  /** Text of docs/menu-csv.md. */
  readonly doc: string;
  /** Accepted alternatives. */
  readonly names: readonly string[];
}

export const MENU_COLUMNS = {
  id: {
    doc: 'The id of an existing item. With an id, the name can change.',
    names: ['item id', 'uuid', 'المعرف', 'رقم الصنف', 'كود الصنف'],
  },
  category: {
    doc: 'The category, by its name in either language. An unknown category is created. A blank cell leaves the item in its category.',
    names: [
      'category name',
      'section',
      'القسم',
      'اسم القسم',
      'الفئة',
      'التصنيف',
      'تصنيف الصنف',
      'المجموعة',
      'النوع',
    ],
  },
  category_ar: {
    doc: 'The Arabic name of the category.',
    names: ['category arabic', 'arabic category', 'القسم بالعربي', 'الفئة بالعربية', 'التصنيف بالعربية'],
  },
  category_en: {
    doc: 'The English name of the category.',
    names: [
      'category english',
      'english category',
      'القسم بالإنجليزي',
      'الفئة بالإنجليزية',
      'التصنيف بالإنجليزية',
    ],
  },
  name_ar: {
    doc: 'The Arabic name of the item.',
    names: [
      'arabic name',
      'name arabic',
      'name in arabic',
      'item ar',
      'الاسم',
      'الاسم بالعربية',
      'الاسم باللغة العربية',
      'الصنف',
      'الصنف بالعربية',
      'اسم الصنف',
      'اسم الصنف بالعربية',
      'اسم المنتج',
    ],
  },
  name_en: {
    doc: 'The English name of the item.',
    names: [
      'english name',
      'name english',
      'name in english',
      'item en',
      'الاسم بالإنجليزية',
      'الاسم باللغة الإنجليزية',
      'الصنف بالإنجليزية',
      'اسم الصنف بالإنجليزية',
      'اسم المنتج بالإنجليزية',
    ],
  },
  description_ar: {
    doc: 'The Arabic description of the item. Only descriptions can have several lines.',
    names: ['arabic description', 'description arabic', 'الوصف', 'الوصف بالعربية', 'وصف الصنف', 'المكونات'],
  },
  description_en: {
    doc: 'The English description of the item.',
    names: ['english description', 'description english', 'الوصف بالإنجليزية', 'وصف الصنف بالإنجليزية'],
  },
  size_ar: {
    doc: 'The Arabic name of a size. An item with sizes has a row for each of them.',
    names: ['arabic size', 'size arabic', 'الحجم', 'الحجم بالعربية', 'المقاس', 'المقاس بالعربية'],
  },
  size_en: {
    doc: 'The English name of a size.',
    names: ['english size', 'size english', 'الحجم بالإنجليزية', 'المقاس بالإنجليزية'],
  },
  price_egp: {
    doc: 'The price in pounds: `65`, `65.50`, `1,250`, `٦٥٫٥٠`, `65 ج.م`.',
    names: [
      'price',
      'price in egp',
      'السعر',
      'السعر بالجنيه',
      'السعر بالجنيه المصري',
      'السعر جنيه',
      'سعر الصنف',
      'سعر البيع',
      'الثمن',
    ],
  },
  price_pickup_egp: {
    doc: 'The price for pickup, if it differs.',
    names: ['pickup price', 'price pickup', 'سعر الاستلام', 'سعر التيك أواي'],
  },
  price_outside_egp: {
    doc: 'The price for delivery outside, if it differs.',
    names: [
      'delivery price',
      'price delivery',
      'outside price',
      'سعر التوصيل',
      'سعر الدليفري',
      'سعر الديليفري',
    ],
  },
  price_in_mall_egp: {
    doc: 'The price for delivery inside the mall, if it differs.',
    names: ['in mall price', 'price in mall', 'سعر المول', 'السعر داخل المول'],
  },
  price_umbrella_egp: {
    doc: 'The price at an umbrella on the beach, if it differs.',
    names: ['umbrella price', 'beach price', 'سعر الشمسية', 'سعر الشاطئ'],
  },
  active: {
    doc: 'Whether the item is on sale: `yes` or `no`, `نعم` or `لا`. A blank cell means yes.',
    names: ['available', 'on sale', 'enabled', 'متاح', 'متوفر', 'مفعل', 'نشط', 'فعال'],
  },
} as const satisfies Record<string, ColumnEntry>;

export type MenuColumn = keyof typeof MENU_COLUMNS;
export const COLUMN_NAMES = Object.keys(MENU_COLUMNS).filter(
  (name): name is MenuColumn => name in MENU_COLUMNS,
);

/** Zero-width and direction marks. */
export const INVISIBLE = /[\u200b-\u200f\u061c\u2060\ufeff]/g;

/** Without article and feminine ending: العربية and بالعربي are equal. */
const stem = (word: string): string => word.replace(/^[بل]?ال(?=..)/, '').replace(/(?<=...)ه$/, '');

/** For comparison: without case, punctuation, spaces, marks and Arabic spelling variants. */
const normalizedHeader = (text: string): string =>
  normalizedArabic(text.normalize('NFKC').replace(INVISIBLE, '').toLowerCase())
    .replaceAll('ئ', 'ي')
    .replaceAll('ؤ', 'و')
    .replaceAll('ء', '')
    .replaceAll('نكليز', 'نجليز')
    .split(/[^\p{L}\p{N}]+/u)
    .map(stem)
    .join('');

interface KnownName {
  readonly column: MenuColumn;
  readonly spelled: string;
}

/** By normalized header; the first spelling wins. */
const KNOWN_NAMES: ReadonlyMap<string, KnownName> = new Map(
  COLUMN_NAMES.flatMap((column) =>
    [column, ...MENU_COLUMNS[column].names].map(
      (spelled) => [normalizedHeader(spelled), { column, spelled }] as const,
    ),
  ).reverse(),
);

export const columnNamed = (name: string): MenuColumn | null =>
  KNOWN_NAMES.get(normalizedHeader(name))?.column ?? null;

/** Generated from this table. */
const PAGE = 'docs/menu-csv.md';

/** The problem of an unknown header, with a suggestion. */
export const unknownColumn = (name: string): string => {
  const form = normalizedHeader(name);
  const forms = [...KNOWN_NAMES.keys()].reverse();
  // `name` is the prefix of names with a language, such as `name_ar`.
  const longer = form.length < 3 ? undefined : forms.find((known) => known.startsWith(form));
  const nearest = KNOWN_NAMES.get(closestTo(form, forms) ?? longer ?? '');
  const hint = nearest === undefined ? '; ' : ` — did you mean ‘${nearest.spelled}’? `;
  return `is not a column of a menu${hint}${PAGE} lists every name that is accepted`;
};
