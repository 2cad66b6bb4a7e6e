/** Groups the rows of a menu table by item, and checks each group. */
import type { MenuColumn } from '../../domain/menu-csv/columns.ts';
import type { MenuLine, MenuTable } from '../../domain/menu-csv/menu-csv.ts';
import { MAX_SIZES } from '../../domain/limits.ts';
import { caseFolded } from '../../../kernel/closest-word.ts';
import { normalizedName } from '../entity-ids.ts';

export type Language = 'ar' | 'en';
export const LANGUAGES: readonly Language[] = ['ar', 'en'];
export const otherThan = (language: Language): Language => (language === 'ar' ? 'en' : 'ar');

export type Field = 'name' | 'description' | 'size' | 'category';

export interface MergeFault {
  readonly row: number;
  readonly column: MenuColumn | null;
  readonly problem: string;
}

/** The rows of one item, one per size. */
export interface Group {
  readonly first: MenuLine;
  readonly lines: readonly MenuLine[];
}

export interface MergeContext {
  readonly main: Language;
  readonly menu: MenuTable;
  readonly faults: MergeFault[];
  /** Distinct sentences for the report. */
  readonly notes: Set<string>;
}

export const cell = ({ text }: MenuLine, field: Field, language: Language): string =>
  text[`${field}_${language}`];

export const mainName = (line: MenuLine, main: Language): string => caseFolded(cell(line, 'name', main));

/** `isTranslation`: the line names the category only in the other language. */
export const categoryNamed = (
  line: MenuLine,
  main: Language,
): { readonly name: string; readonly isTranslation: boolean } | null => {
  const inMain = line.text.category === '' ? line.text[`category_${main}`] : line.text.category;
  const translated = line.text[`category_${otherThan(main)}`];
  if (inMain !== '') return { name: inMain, isTranslation: false };
  return translated === '' ? null : { name: translated, isTranslation: true };
};

const groupKey = (line: MenuLine, main: Language): string => {
  if (line.id !== null) return line.id;
  const name = mainName(line, main);
  if (name === '') return `row ${line.row}`;
  return `${caseFolded(categoryNamed(line, main)?.name ?? '')}\n${name}`;
};

/** By id, else by category and main name. */
export const groupsOf = ({ menu, main }: MergeContext): Group[] => {
  const groups = new Map<string, { first: MenuLine; lines: MenuLine[] }>();
  for (const line of menu.lines) {
    const handle = groupKey(line, main);
    const group = groups.get(handle);
    if (group === undefined) groups.set(handle, { first: line, lines: [line] });
    else group.lines.push(line);
  }
  return [...groups.values()];
};

// ── Faults ──────────────────────────────────────────────────────────────────────────────────────

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

/** No line has a fault in the column. */
export const isReadable = (menu: MenuTable, lines: readonly MenuLine[], column: MenuColumn): boolean =>
  lines.every(({ row }) => !menu.isAtFault(row, column));

const MAX_ROWS_LISTED = 3;

/** `row 3 is`, `rows 3, 4 and 7 are`: all lines except `line`. */
const otherRows = (lines: readonly MenuLine[], line: MenuLine): string => {
  const rows = lines.filter((other) => other !== line).map(({ row }) => String(row));
  if (rows.length === 1) return `row ${rows.join('')} is`;
  const rest = rows.length - MAX_ROWS_LISTED;
  const last = rest > 0 ? `${rest} more` : (rows.at(-1) ?? '');
  return `rows ${rows.slice(0, Math.min(MAX_ROWS_LISTED, rows.length - 1)).join(', ')} and ${last} are`;
};

const checkSize = (
  { faults, main }: MergeContext,
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
  const earlier = seen.get(normalizedName(size));
  if (size !== '' && earlier !== undefined)
    faults.push({ row: line.row, column, problem: `is the same size as in row ${earlier}` });
  seen.set(normalizedName(size), line.row);
};

const checkName = ({ faults, main, menu }: MergeContext, { first }: Group): void => {
  const column = `name_${main}` as const;
  if (cell(first, 'name', main) !== '' || menu.isAtFault(first.row, column)) return;
  if (first.id !== null && !menu.columns.has(column)) return;
  faults.push({
    row: first.row,
    column,
    problem: 'is missing: the item needs a name in the shop’s main language',
  });
};

/** False if the group must not be merged. */
export const checkGroup = (context: MergeContext, group: Group): boolean => {
  const { faults, main, menu } = context;
  const { first, lines } = group;
  checkName(context, group);
  if (lines.length > MAX_SIZES) {
    const problem = `has ${lines.length} rows: an item has at most ${MAX_SIZES} sizes`;
    faults.push({ row: first.row, column: null, problem });
    return false;
  }
  const seen = new Map<string, number>();
  for (const line of lines) {
    for (const column of SHARED)
      if (valueIn(line, column) !== valueIn(first, column) && isReadable(menu, [line, first], column))
        faults.push({
          row: line.row,
          column,
          problem: `differs from row ${first.row}, which is the same item`,
        });
    if (isReadable(menu, [line], `size_${main}`)) checkSize(context, line, lines, seen);
  }
  return true;
};

export const unsupportedLanguage = (language: string): string =>
  `has columns for Arabic and English only; the shop’s main language is ${language}`;

export const headerFaults = (menu: MenuTable, language: string, main: Language): MergeFault[] => {
  const faults: MergeFault[] = [];
  const column = `name_${main}` as const;
  if (!menu.columns.has(column) && !menu.columns.has('id'))
    faults.push({ row: 1, column, problem: 'is a column that a menu needs, and is not there' });
  if (language !== main)
    faults.push({
      row: 1,
      column: null,
      problem: unsupportedLanguage(language),
    });
  if (menu.lines.length === 0) faults.push({ row: 2, column: null, problem: 'holds no items' });
  return faults;
};
