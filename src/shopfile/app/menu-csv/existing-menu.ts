/** Matches rows of a menu table to stored items and categories. */
import type { Uuid } from '../../../kernel/ids.ts';
import type { ShopFile } from '../../contract/shopfile.ts';
import type { MenuColumn } from '../../domain/menu-csv/columns.ts';
import { cellRoundTrip } from '../../domain/menu-csv/cells.ts';
import { caseFolded } from '../../../kernel/closest-word.ts';
import { excerpt } from '../../domain/text.ts';
import { normalizedName } from '../entity-ids.ts';
import { languagesOf, mainText, type LocalText } from '../localized.ts';
import type { Entry, ItemEntry, MenuFile } from '../read/context.ts';
import { sameFoldedText } from './sizes.ts';
import {
  categoryNamed,
  cell,
  otherThan,
  type Group,
  type Language,
  type MergeContext,
} from './row-groups.ts';

export type Category = Entry<NonNullable<MenuFile['categories']>>;

/** List indexes by name: an exact match first, else case-insensitive. */
class NameIndex {
  readonly #exact = new Map<string, number[]>();
  readonly #folded = new Map<string, number[]>();

  add(name: string, place: number): void {
    for (const [names, form] of [
      [this.#exact, normalizedName(cellRoundTrip(name))],
      [this.#folded, caseFolded(cellRoundTrip(name))],
    ] as const) {
      const places = names.get(form);
      if (places === undefined) names.set(form, [place]);
      else if (places.at(-1) !== place) places.push(place);
    }
  }

  find(name: string): readonly number[] {
    return this.#exact.get(normalizedName(name)) ?? this.#folded.get(caseFolded(name)) ?? [];
  }
}

export type Match =
  | { readonly by: 'id' | 'category and name' | 'name alone'; readonly index: number }
  | { readonly by: 'none' }
  | { readonly by: 'fault'; readonly column: MenuColumn; readonly problem: string };

const NONE: Match = { by: 'none' };

/** The stored menu by id and name, with the new categories of a table. */
export class ExistingMenu {
  readonly categories: Category[];
  readonly items: readonly ItemEntry[];
  readonly #main: Language;
  readonly #categoryNames = new NameIndex();
  readonly #categoryOfReference = new Map<string, number>();
  readonly #itemNames: Readonly<Record<Language, NameIndex>> = { ar: new NameIndex(), en: new NameIndex() };
  readonly #itemOfId = new Map<Uuid, number>();
  /** Combos and add-ons by id and name. */
  readonly #otherKinds = new Map<string, string>();

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
    if (id !== undefined) this.#otherKinds.set(id, kind);
    for (const text of Object.values(languagesOf(name, this.#main)))
      this.#otherKinds.set(caseFolded(cellRoundTrip(text)), kind);
  }

  addCategory(category: Category): void {
    const place = this.categories.length;
    this.categories.push(category);
    for (const text of Object.values(languagesOf(category.name, this.#main)))
      this.#categoryNames.add(text, place);
    for (const reference of [mainText(category.name, this.#main), category.id])
      if (reference !== undefined) this.#categoryOfReference.set(reference, place);
  }

  categoriesNamed(name: string): readonly number[] {
    return this.#categoryNames.find(name);
  }

  /** `reference`: as in an exported file. */
  categoryPlace(reference: string | undefined): number | null {
    return reference === undefined ? null : (this.#categoryOfReference.get(reference) ?? null);
  }

  /** By id, or by category and name in the main language, else in the other one. */
  match({ first }: Group): Match {
    const byId = first.id === null ? NONE : this.#byId(first.id);
    if (byId.by !== 'none') return byId;
    const category = categoryNamed(first, this.#main)?.name;
    const language = this.#languageOf(first);
    const inside = this.#inCategory(this.#namesakes(first, language), category);
    if (first.id !== null) return this.#unknownId(inside);
    if (category === undefined) return NONE;
    const [one, second] = inside;
    if (second !== undefined) return this.#ambiguous(inside, `name_${language}`);
    return one === undefined ? NONE : { by: 'category and name', index: one };
  }

  #languageOf(line: Group['first']): Language {
    return cell(line, 'name', this.#main) === '' ? otherThan(this.#main) : this.#main;
  }

  #inCategory(all: readonly number[], category: string | undefined): readonly number[] {
    if (category === undefined) return all;
    const places = new Set<number | null>(this.categoriesNamed(category));
    return all.filter((index) => places.has(this.categoryPlace(this.items[index]?.category)));
  }

  /** After `match`: the only item with the name, unless `taken` by other rows. */
  matchByName({ first }: Group, taken: ReadonlyMap<number, unknown>): Match {
    if (first.id !== null) return NONE;
    const category = categoryNamed(first, this.#main)?.name;
    const language = this.#languageOf(first);
    const all = this.#namesakes(first, language);
    const [one, second] = all;
    if (one === undefined) {
      const other = this.#otherKindNamed(first);
      return other.by === 'fault' ? other : this.#translationConflict(first, category, taken);
    }
    if (second === undefined && !(category !== undefined && taken.has(one)))
      return { by: 'name alone', index: one };
    // With a category, an item of the same name elsewhere is a different item.
    return category === undefined ? this.#ambiguous(all, `name_${language}`) : NONE;
  }

  /** Fault: a new main name with the other-language name of an unmatched item may be a rename. */
  #translationConflict(
    first: Group['first'],
    category: string | undefined,
    taken: ReadonlyMap<number, unknown>,
  ): Match {
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

  #byId(id: Uuid): Match {
    const index = this.#itemOfId.get(id);
    if (index !== undefined) return { by: 'id', index };
    const other = this.#otherKinds.get(id);
    if (other === undefined) return NONE;
    return {
      by: 'fault',
      column: 'id',
      problem: `is the id of ${other}, which a menu file does not change`,
    };
  }

  /** An unknown id creates an item, unless its name exists under another id. */
  #unknownId([namesake]: readonly number[]): Match {
    const item = this.items[namesake ?? -1];
    if (item === undefined) return NONE;
    const name = excerpt(mainText(item.name, this.#main));
    return {
      by: 'fault',
      column: 'id',
      problem: `is the id of nothing here, and there is ‘${name}’: leave the id out to change it, or give another name to make one`,
    };
  }

  #otherKindNamed(line: Group['first']): Match {
    const column = `name_${this.#main}` as const;
    const name = cell(line, 'name', this.#main);
    const other = name === '' ? undefined : this.#otherKinds.get(caseFolded(name));
    if (other === undefined) return NONE;
    return {
      by: 'fault',
      column,
      problem:
        `is the name of ${other}, which a menu file does not change (‘${excerpt(name)}’); ` +
        'an item of that name is made by giving it an id of its own',
    };
  }

  #ambiguous(places: readonly number[], column: MenuColumn): Match {
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

/** Adds a note if a row would rename its category, which other items share. */
const noteRetainedName = (
  { main, notes }: MergeContext,
  first: Group['first'],
  category: Category | undefined,
): void => {
  if (category === undefined || cell(first, 'category', main) + first.text.category === '') return;
  const other = otherThan(main);
  const wanted = cell(first, 'category', other);
  const own = languagesOf(category.name, main)[other] ?? '';
  if (wanted === '' || sameFoldedText(own, wanted)) return;
  const language = other === 'en' ? 'English' : 'Arabic';
  const retained = own === '' ? `stays without an ${language} name` : `keeps its ${language} name ‘${own}’`;
  notes.add(`the category ‘${mainText(category.name, main)}’ ${retained}: a menu file renames no category`);
};

/** A reference to the named category, created if missing; `before` if none is named. */
export const resolveCategory = (
  context: MergeContext,
  existing: ExistingMenu,
  { first }: Group,
  before: string | undefined,
): string | undefined => {
  const { main, faults } = context;
  const wanted = categoryNamed(first, main);
  if (wanted === null) return before;
  const places = existing.categoriesNamed(wanted.name);
  const own = existing.categoryPlace(before);
  if (own !== null && places.includes(own)) {
    noteRetainedName(context, first, existing.categories[own]);
    return before;
  }
  const [one, second] = places;
  if (second !== undefined) {
    const problem = `could be any of ${places.length} categories of that name (‘${excerpt(wanted.name)}’)`;
    faults.push({ row: first.row, column: 'category', problem });
  }
  const category = one === undefined ? undefined : existing.categories[one];
  noteRetainedName(context, first, category);
  if (category !== undefined) return category.id ?? mainText(category.name, main);
  if (wanted.isTranslation) {
    const problem = 'is a new category, which needs a name in the shop’s main language';
    faults.push({ row: first.row, column: `category_${otherThan(main)}`, problem });
    return wanted.name;
  }
  const translated = cell(first, 'category', otherThan(main));
  existing.addCategory({
    name: { [main]: wanted.name, ...(translated === '' ? {} : { [otherThan(main)]: translated }) },
  });
  return wanted.name;
};
