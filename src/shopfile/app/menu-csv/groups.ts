/** The lines of a menu table by the item that they speak of, and what is wrong with them on their own. */
import type { MenuColumn } from '../../domain/menu-csv/columns.ts';
import type { MenuLine, MenuTable } from '../../domain/menu-csv/menu-csv.ts';
import { MOST_SIZES } from '../../domain/limits.ts';
import { foldedForm } from '../../domain/text.ts';
import { sameForm } from '../identity.ts';

export type Language = 'ar' | 'en';
export const LANGUAGES: readonly Language[] = ['ar', 'en'];
export const otherThan = (language: Language): Language => (language === 'ar' ? 'en' : 'ar');

export type Field = 'name' | 'description' | 'size' | 'category';

export interface MergeFault {
  readonly row: number;
  readonly column: MenuColumn | null;
  readonly problem: string;
}

/** The rows of one item: one, or one for each of its sizes. */
export interface Group {
  readonly first: MenuLine;
  readonly lines: readonly MenuLine[];
}

/** What reading a table into a menu needs to know, and gathers on the way. */
export interface Merge {
  readonly main: Language;
  readonly menu: MenuTable;
  readonly faults: MergeFault[];
  /** What the person who imports is told besides, each sentence once. */
  readonly notes: Set<string>;
}

export const cell = ({ text }: MenuLine, field: Field, language: Language): string =>
  text[`${field}_${language}`];

export const mainName = (line: MenuLine, main: Language): string => foldedForm(cell(line, 'name', main));

/** The category that a line names, in the main language or, with `isTranslation`, in the other alone; null: none. */
export const categoryNamed = (
  line: MenuLine,
  main: Language,
): { readonly name: string; readonly isTranslation: boolean } | null => {
  const mainly = line.text.category === '' ? line.text[`category_${main}`] : line.text.category;
  const translated = line.text[`category_${otherThan(main)}`];
  if (mainly !== '') return { name: mainly, isTranslation: false };
  return translated === '' ? null : { name: translated, isTranslation: true };
};

const handleOf = (line: MenuLine, main: Language): string => {
  if (line.id !== null) return line.id;
  const name = mainName(line, main);
  if (name === '') return `row ${line.row}`;
  return `${foldedForm(categoryNamed(line, main)?.name ?? '')}\n${name}`;
};

/** Rows with the same id, or the same category and name in the main language, are one item. */
export const groupsOf = ({ menu, main }: Merge): Group[] => {
  const groups = new Map<string, { first: MenuLine; lines: MenuLine[] }>();
  for (const line of menu.lines) {
    const handle = handleOf(line, main);
    const group = groups.get(handle);
    if (group === undefined) groups.set(handle, { first: line, lines: [line] });
    else group.lines.push(line);
  }
  return [...groups.values()];
};

// ── Faults ──────────────────────────────────────────────────────────────────────────────────────

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

/** Whether all lines say what stands in their cells of a column: one at fault says nothing. */
export const isKnown = (menu: MenuTable, lines: readonly MenuLine[], column: MenuColumn): boolean =>
  lines.every(({ row }) => !menu.isAtFault(row, column));

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
  { faults, main }: Merge,
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

const checkName = ({ faults, main, menu }: Merge, { first }: Group): void => {
  const column = `name_${main}` as const;
  if (cell(first, 'name', main) !== '' || menu.isAtFault(first.row, column)) return;
  if (first.id !== null && !menu.columns.has(column)) return;
  faults.push({
    row: first.row,
    column,
    problem: 'is missing: the item needs a name in the shop’s main language',
  });
};

/** Reports what is wrong with the rows of one item, whatever the shop has; false: there is no use in looking further. */
export const checkGroup = (merge: Merge, group: Group): boolean => {
  const { faults, main, menu } = merge;
  const { first, lines } = group;
  checkName(merge, group);
  if (lines.length > MOST_SIZES) {
    const problem = `has ${lines.length} rows: an item has at most ${MOST_SIZES} sizes`;
    faults.push({ row: first.row, column: null, problem });
    return false;
  }
  const seen = new Map<string, number>();
  for (const line of lines) {
    for (const column of SHARED)
      if (valueIn(line, column) !== valueIn(first, column) && isKnown(menu, [line, first], column))
        faults.push({
          row: line.row,
          column,
          problem: `differs from row ${first.row}, which is the same item`,
        });
    if (isKnown(menu, [line], `size_${main}`)) checkSize(merge, line, lines, seen);
  }
  return true;
};

export const onlyTwoLanguages = (language: string): string =>
  `has columns for Arabic and English only; the shop’s main language is ${language}`;

/** What the first row lacks, or the table as a whole. */
export const headerFaults = (menu: MenuTable, language: string, main: Language): MergeFault[] => {
  const faults: MergeFault[] = [];
  const column = `name_${main}` as const;
  if (!menu.columns.has(column) && !menu.columns.has('id'))
    faults.push({ row: 1, column, problem: 'is a column that a menu needs, and is not there' });
  if (language !== main)
    faults.push({
      row: 1,
      column: null,
      problem: onlyTwoLanguages(language),
    });
  if (menu.lines.length === 0) faults.push({ row: 2, column: null, problem: 'holds no items' });
  return faults;
};
