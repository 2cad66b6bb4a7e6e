/** What a shop's menu has under which name: the item that the rows of a table speak of. */
import type { Uuid } from '../../../kernel/ids.ts';
import type { ShopFile } from '../../contract/shopfile.ts';
import type { MenuColumn } from '../../domain/menu-csv/columns.ts';
import { asCell } from '../../domain/menu-csv/cells.ts';
import { excerpt, foldedForm } from '../../domain/text.ts';
import { sameForm } from '../identity.ts';
import { languagesOf, mainText, type LocalText } from '../localized.ts';
import type { Entry, ItemEntry, MenuFile } from '../read/reading.ts';
import { isFoundAs } from './sizes.ts';
import { categoryNamed, cell, otherThan, type Group, type Language, type Merge } from './groups.ts';

export type Category = Entry<NonNullable<MenuFile['categories']>>;

/** Places in a list by the names that stand there: as they are written, else without looking at capitals. */
class Names {
  readonly #exact = new Map<string, number[]>();
  readonly #folded = new Map<string, number[]>();

  add(name: string, place: number): void {
    for (const [names, form] of [
      [this.#exact, sameForm(asCell(name))],
      [this.#folded, foldedForm(asCell(name))],
    ] as const) {
      const places = names.get(form);
      if (places === undefined) names.set(form, [place]);
      else if (places.at(-1) !== place) places.push(place);
    }
  }

  find(name: string): readonly number[] {
    return this.#exact.get(sameForm(name)) ?? this.#folded.get(foldedForm(name)) ?? [];
  }
}

/** How the item of some rows was found. */
export type Found =
  | { readonly by: 'id' | 'category and name' | 'name alone'; readonly index: number }
  | { readonly by: 'none' }
  | { readonly by: 'fault'; readonly column: MenuColumn; readonly problem: string };

const NONE: Found = { by: 'none' };

/** The menu that a shop has, looked up by ids and names; categories are added to as a table names new ones. */
export class KnownMenu {
  readonly categories: Category[];
  readonly items: readonly ItemEntry[];
  readonly #main: Language;
  readonly #categoryNames = new Names();
  readonly #categoryOfReference = new Map<string, number>();
  readonly #itemNames: Readonly<Record<Language, Names>> = { ar: new Names(), en: new Names() };
  readonly #itemOfId = new Map<Uuid, number>();
  /** Combos and add-ons, by id and by every name. */
  readonly #others = new Map<string, string>();

  constructor({ menu }: ShopFile, main: Language) {
    this.#main = main;
    this.categories = [];
    this.items = menu.items ?? [];
    for (const category of menu.categories ?? []) this.addCategory(category);
    for (const [index, { id, name }] of this.items.entries()) {
      if (id !== undefined) this.#itemOfId.set(id, index);
      for (const language of ['ar', 'en'] as const) {
        const text = languagesOf(name, main)[language];
        if (text !== undefined) this.#itemNames[language].add(text, index);
      }
    }
    for (const combo of menu.combos ?? []) this.#addOther(combo, 'a combo');
    for (const addon of menu.addons ?? []) this.#addOther(addon, 'an add-on');
  }

  #addOther({ id, name }: { readonly id?: string; readonly name: LocalText }, kind: string): void {
    if (id !== undefined) this.#others.set(id, kind);
    for (const text of Object.values(languagesOf(name, this.#main)))
      this.#others.set(foldedForm(asCell(text)), kind);
  }

  addCategory(category: Category): void {
    const place = this.categories.length;
    this.categories.push(category);
    for (const text of Object.values(languagesOf(category.name, this.#main)))
      this.#categoryNames.add(text, place);
    for (const reference of [mainText(category.name, this.#main), category.id])
      if (reference !== undefined) this.#categoryOfReference.set(reference, place);
  }

  /** The places of the categories that bear a name, in either language. */
  categoriesNamed(name: string): readonly number[] {
    return this.#categoryNames.find(name);
  }

  /** The place of an item's category, as the shop's own file refers to it; null: it has none. */
  categoryPlace(reference: string | undefined): number | null {
    return reference === undefined ? null : (this.#categoryOfReference.get(reference) ?? null);
  }

  /**
   * The item of these rows by its id, or by its category and its name: in the other language only where the rows have none
   * in the main one.
   */
  find({ first }: Group): Found {
    const known = first.id === null ? NONE : this.#byId(first.id);
    if (known.by !== 'none') return known;
    const category = categoryNamed(first, this.#main)?.name;
    const language = this.#languageOf(first);
    const inside = this.#inCategory(this.#namesakes(first, language), category);
    if (first.id !== null) return this.#stranger(inside);
    if (category === undefined) return NONE;
    const [one, second] = inside;
    if (second !== undefined) return this.#several(inside, `name_${language}`);
    return one === undefined ? NONE : { by: 'category and name', index: one };
  }

  /** The language of the name that an item is looked for by. */
  #languageOf(line: Group['first']): Language {
    return cell(line, 'name', this.#main) === '' ? otherThan(this.#main) : this.#main;
  }

  /** Those in the categories of a name; all where none is named. */
  #inCategory(all: readonly number[], category: string | undefined): readonly number[] {
    if (category === undefined) return all;
    const places = new Set<number | null>(this.categoriesNamed(category));
    return all.filter((index) => places.has(this.categoryPlace(this.items[index]?.category)));
  }

  /** The item of rows that `find` found none for: the only one of that name, unless `taken` has rows of its own. */
  findByName({ first }: Group, taken: ReadonlyMap<number, unknown>): Found {
    if (first.id !== null) return NONE;
    const category = categoryNamed(first, this.#main)?.name;
    const language = this.#languageOf(first);
    const all = this.#namesakes(first, language);
    const [one, second] = all;
    if (one === undefined) {
      const other = this.#otherOfName(first);
      return other.by === 'fault' ? other : this.#translated(first, category, taken);
    }
    if (second === undefined && !(category !== undefined && taken.has(one)))
      return { by: 'name alone', index: one };
    // In a category that has none of that name it is another item.
    return category === undefined ? this.#several(all, `name_${language}`) : NONE;
  }

  /** Whether rows with a new name bear the other-language name of an item that no row speaks of: a new item, or a rename? */
  #translated(
    first: Group['first'],
    category: string | undefined,
    taken: ReadonlyMap<number, unknown>,
  ): Found {
    if (cell(first, 'name', this.#main) === '') return NONE;
    const other = otherThan(this.#main);
    const all = this.#namesakes(first, other);
    const inside = this.#inCategory(all, category);
    const item = this.items[inside.find((index) => !taken.has(index)) ?? -1];
    if (item === undefined) return NONE;
    const language = other === 'en' ? 'English' : 'Arabic';
    const name = excerpt(mainText(item.name, this.#main));
    return {
      by: 'fault',
      column: `name_${other}`,
      problem: `is the ${language} name of ‘${name}’: give its id to rename it, or another ${language} name`,
    };
  }

  #namesakes(line: Group['first'], language: Language): readonly number[] {
    const name = cell(line, 'name', language);
    return name === '' ? [] : this.#itemNames[language].find(name);
  }

  #byId(id: Uuid): Found {
    const index = this.#itemOfId.get(id);
    if (index !== undefined) return { by: 'id', index };
    const other = this.#others.get(id);
    if (other === undefined) return NONE;
    return {
      by: 'fault',
      column: 'id',
      problem: `is the id of ${other}, which a menu file does not change`,
    };
  }

  /** An id that the shop does not have makes a new item, but not one that it seems to have under another id. */
  #stranger([namesake]: readonly number[]): Found {
    const item = this.items[namesake ?? -1];
    if (item === undefined) return NONE;
    const name = excerpt(mainText(item.name, this.#main));
    return {
      by: 'fault',
      column: 'id',
      problem: `is the id of nothing here, and there is ‘${name}’: leave the id out to change it, or give another name to make one`,
    };
  }

  #otherOfName(line: Group['first']): Found {
    const column = `name_${this.#main}` as const;
    const name = cell(line, 'name', this.#main);
    const other = name === '' ? undefined : this.#others.get(foldedForm(name));
    if (other === undefined) return NONE;
    return {
      by: 'fault',
      column,
      problem:
        `is the name of ${other}, which a menu file does not change (‘${excerpt(name)}’); ` +
        'an item of that name is made by giving it an id of its own',
    };
  }

  #several(places: readonly number[], column: MenuColumn): Found {
    const where = new Set(places.map((index) => this.#categoryName(this.items[index])));
    return {
      by: 'fault',
      column,
      problem: `could be any of ${places.length} items (in ${[...where].join(', ')}): give its id${where.size > 1 ? ' or its category' : ''}`,
    };
  }

  #categoryName(item: ItemEntry | undefined): string {
    const category = this.categories[this.categoryPlace(item?.category) ?? -1];
    return category === undefined ? 'no category' : `‘${mainText(category.name, this.#main)}’`;
  }
}

/** Says that a category keeps its name in the other language, where the row has another: it is many items'. */
const noteKept = ({ main, notes }: Merge, first: Group['first'], category: Category | undefined): void => {
  if (category === undefined || cell(first, 'category', main) + first.text.category === '') return;
  const other = otherThan(main);
  const wanted = cell(first, 'category', other);
  const own = languagesOf(category.name, main)[other] ?? '';
  if (wanted === '' || isFoundAs(own, wanted)) return;
  const language = other === 'en' ? 'English' : 'Arabic';
  const keeps = own === '' ? `stays without an ${language} name` : `keeps its ${language} name ‘${own}’`;
  notes.add(`the category ‘${mainText(category.name, main)}’ ${keeps}: a menu file renames no category`);
};

/** The category that the rows of an item name, made when the shop has none of that name; undefined: they name none. */
export const categoryOf = (
  merge: Merge,
  known: KnownMenu,
  { first }: Group,
  before: string | undefined,
): string | undefined => {
  const { main, faults } = merge;
  const wanted = categoryNamed(first, main);
  if (wanted === null) return before;
  const places = known.categoriesNamed(wanted.name);
  const own = known.categoryPlace(before);
  if (own !== null && places.includes(own)) {
    noteKept(merge, first, known.categories[own]);
    return before;
  }
  const [one, second] = places;
  if (second !== undefined) {
    const problem = `could be any of ${places.length} categories of that name (‘${excerpt(wanted.name)}’)`;
    faults.push({ row: first.row, column: 'category', problem });
  }
  const category = one === undefined ? undefined : known.categories[one];
  noteKept(merge, first, category);
  if (category !== undefined) return category.id ?? mainText(category.name, main);
  if (wanted.isTranslation) {
    const problem = 'is a new category, which needs a name in the shop’s main language';
    faults.push({ row: first.row, column: `category_${otherThan(main)}`, problem });
    return wanted.name;
  }
  const translated = cell(first, 'category', otherThan(main));
  known.addCategory({
    name: { [main]: wanted.name, ...(translated === '' ? {} : { [otherThan(main)]: translated }) },
  });
  return wanted.name;
};
