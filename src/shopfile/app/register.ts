/** The things of a file, each with its id, and what its references lead to. */
import type { ShopFile } from '../contract/shopfile.ts';
import { parseUuid, type Uuid } from '../../kernel/ids.ts';
import type { Translations } from '../../kernel/names.ts';
import { entryPath, fieldPath } from '../domain/json.ts';
import { didYouMean } from '../domain/text.ts';
import type { Faults } from './faults.ts';
import { derivedId, KIND_WORDS, sameForm, shopIdOf, type ThingKind } from './identity.ts';
import { languagesOf, type LocalText } from './localized.ts';

export interface Thing {
  readonly kind: ThingKind;
  readonly id: Uuid;
  /** Whether the file gives the id. */
  readonly given: boolean;
  readonly path: string;
  /** The shop, or the thing it is part of. */
  readonly parent: Uuid;
  readonly key: string | null;
  /** In the main language. */
  readonly name: string;
  /** Every language of the name. */
  readonly texts: Translations;
}

interface Declared {
  readonly kind: ThingKind;
  readonly path: string;
  readonly parent: Uuid;
  readonly entry: { readonly id?: string; readonly key?: string };
  readonly texts: Translations;
  /** What else tells namesakes apart. */
  readonly besides?: string;
}

export interface Register {
  readonly shopId: Uuid;
  readonly main: string;
  /** In the order of the file. */
  readonly things: readonly Thing[];
  /** The id of the thing that stands at `path`. */
  idAt(path: string): Uuid;
  /** Whether `path`, or what it stands in, is at fault in its form. */
  isWrong(path: string): boolean;
  /** Whether things of a kind may be missing from the register because their entries are at fault. */
  isIncomplete(kind: ThingKind): boolean;
  /** Whether `reference` leads to anything of a kind. */
  knows(kind: ThingKind, reference: string): boolean;
  /** What `reference` at `path` leads to; null, and a fault, when that is nothing or more than one. */
  resolve(kind: ThingKind, reference: string, path: string, parent?: Uuid): Thing | null;
}

/** Where the entries of each kind stand, without their numbers. */
const LISTS: Readonly<Record<ThingKind, string>> = {
  branch: 'branches',
  zone: 'branches[].delivery_zones',
  table: 'branches[].tables',
  category: 'menu.categories',
  addon: 'menu.addons',
  modifier_group: 'menu.modifier_groups',
  item: 'menu.items',
  optional: 'menu.items[].optionals',
  combo: 'menu.combos',
  slot: 'menu.combos[].slots',
  deal: 'menu.deals',
  discount: 'menu.discounts',
  reward: 'loyalty.rewards',
  link: 'links.custom',
  staff: 'staff',
};

const concerns = (kind: ThingKind, wrongPath: string): boolean => {
  const list = LISTS[kind];
  const path = wrongPath.replaceAll(/\[[0-9]+\]/g, '[]');
  const isAbove = `${list}[]`.startsWith(path) && /^($|[.[])/.test(`${list}[]`.slice(path.length));
  return (
    isAbove || (/^\[\]\.(id|key|name|label|title)\b/.test(path.slice(list.length)) && path.startsWith(list))
  );
};

/** Every path with the paths it stands in. */
const pathAndAbove = (path: string): string[] => [
  path,
  ...[...path.matchAll(/[.[]/g)].map((match) => path.slice(0, match.index)),
];

type Entries<T> = readonly (T & { readonly id?: string; readonly key?: string })[] | undefined;

/** The things of one list, in order. */
const listed = <T>(
  list: Entries<T>,
  at: string,
  kind: ThingKind,
  parent: Uuid,
  main: string,
  nameOf: (entry: T) => LocalText,
  besidesOf?: (entry: T) => string | undefined,
): Declared[] =>
  (list ?? []).map((entry, index) => {
    const besides = besidesOf?.(entry);
    return {
      kind,
      path: entryPath(at, index),
      parent,
      entry,
      texts: languagesOf(nameOf(entry), main),
      ...(besides === undefined ? {} : { besides }),
    };
  });

interface OptionalEntry {
  readonly name: LocalText;
  readonly size?: string;
}

const nameIn = ({ name }: { readonly name: LocalText }): LocalText => name;

const titleIn =
  (main: string) =>
  ({ title }: { readonly title: { en?: string; ar?: string } }): LocalText => {
    const known = Object.entries(title);
    const texts: Record<string, string> = Object.fromEntries(known);
    return { ...texts, [main]: texts[main] ?? title.ar ?? title.en ?? '' };
  };

const topLevel = (file: ShopFile, shopId: Uuid, main: string): Declared[] => {
  const { menu } = file;
  return [
    ...listed(file.branches, LISTS.branch, 'branch', shopId, main, nameIn),
    ...listed(menu.categories, LISTS.category, 'category', shopId, main, nameIn),
    ...listed(menu.addons, LISTS.addon, 'addon', shopId, main, nameIn),
    ...listed(menu.modifier_groups, LISTS.modifier_group, 'modifier_group', shopId, main, nameIn),
    ...listed(menu.items, LISTS.item, 'item', shopId, main, nameIn),
    ...listed(menu.combos, LISTS.combo, 'combo', shopId, main, nameIn),
    ...listed(menu.deals, LISTS.deal, 'deal', shopId, main, nameIn),
    ...listed(menu.discounts, LISTS.discount, 'discount', shopId, main, nameIn),
    ...listed(file.loyalty?.rewards, LISTS.reward, 'reward', shopId, main, nameIn),
    ...listed(file.links?.custom, LISTS.link, 'link', shopId, main, titleIn(main)),
    ...listed(file.staff, LISTS.staff, 'staff', shopId, main, nameIn),
  ];
};

/** Parts of branches, items and combos, whose ids are known by now. */
const parts = (file: ShopFile, main: string, idAt: (path: string) => Uuid): Declared[] => [
  ...file.branches.flatMap((branch, index) => {
    const path = entryPath(LISTS.branch, index);
    const id = idAt(path);
    return [
      ...listed(branch.delivery_zones, `${path}.delivery_zones`, 'zone', id, main, nameIn),
      ...listed(branch.tables, `${path}.tables`, 'table', id, main, ({ label }) => label),
    ];
  }),
  ...(file.menu.items ?? []).flatMap((item, index) => {
    const path = entryPath(LISTS.item, index);
    const sizeOf = ({ size }: OptionalEntry) => size;
    return listed<OptionalEntry>(
      item.optionals,
      `${path}.optionals`,
      'optional',
      idAt(path),
      main,
      nameIn,
      sizeOf,
    );
  }),
  ...(file.menu.combos ?? []).flatMap((combo, index) => {
    const path = entryPath(LISTS.combo, index);
    return listed(combo.slots, `${path}.slots`, 'slot', idAt(path), main, nameIn);
  }),
];

const asThing = (declared: Declared, shopId: Uuid, main: string): Thing => {
  const { kind, path, parent, entry, texts, besides } = declared;
  const name = texts[main] ?? '';
  const key = entry.key ?? null;
  const given = entry.id === undefined ? null : parseUuid(entry.id);
  // Optionals of one name for several sizes are several things.
  const handle = key === null ? { name: besides === undefined ? name : `${name}\n${besides}` } : { key };
  return {
    kind,
    id: given ?? derivedId(shopId, kind, parent, handle),
    given: given !== null,
    path,
    parent,
    key,
    name,
    texts,
  };
};

const doubleProblem = (thing: Thing, first: Thing | null): { field: string; problem: string } => {
  if (first === null) return { field: 'id', problem: 'is the id of the shop itself' };
  if (thing.given) return { field: 'id', problem: `is also the id of ${first.path}` };
  if (first.given)
    return {
      field: '',
      problem: `would get the id that ${first.path} has; give it an \`id\` or a \`key\` of its own`,
    };
  if (thing.key !== null) return { field: 'key', problem: `is also the key of ${first.path}` };
  const field = thing.kind === 'table' ? 'label' : thing.kind === 'link' ? 'title' : 'name';
  return { field, problem: `is also the name of ${first.path}; give one of them a \`key\`` };
};

const LANGUAGE_FIELD: Readonly<Partial<Record<ThingKind, string>>> = { table: 'label', link: 'title' };

/** Names of one list, key or name to the things that bear it. */
type Handles = Map<string, Thing[]>;

const handlesOf = (things: readonly Thing[]): Map<string, Handles> => {
  const lists = new Map<string, Handles>();
  for (const thing of things) {
    for (const list of [`${thing.kind}\n`, `${thing.kind}\n${thing.parent}`]) {
      const handles = lists.get(list) ?? new Map<string, Thing[]>();
      lists.set(list, handles);
      for (const handle of new Set([thing.id, thing.key, sameForm(thing.name)])) {
        if (handle === null) continue;
        const namesakes = handles.get(handle);
        if (namesakes === undefined) handles.set(handle, [thing]);
        else namesakes.push(thing);
      }
    }
  }
  return lists;
};

type Lists = ReadonlyMap<string, Handles>;

const listOf = (lists: Lists, kind: ThingKind, parent: Uuid | undefined): Handles | undefined =>
  lists.get(`${kind}\n${parent ?? ''}`);

/** An id goes before a key or name that looks like one. */
const namesakes = (lists: Lists, kind: ThingKind, reference: string, parent?: Uuid): readonly Thing[] => {
  const handles = listOf(lists, kind, parent);
  const id = parseUuid(reference);
  return (id === null ? undefined : handles?.get(id)) ?? handles?.get(sameForm(reference)) ?? [];
};

/** Names and keys that could have been meant. */
const handlesIn = (lists: Lists, kind: ThingKind, parent: Uuid | undefined): string[] => {
  const things = new Set([...(listOf(lists, kind, parent)?.values() ?? [])].flat());
  return [...things].flatMap(({ name, key }) => (key === null ? [name] : [name, key]));
};

const PLACES_TOLD = 5;
/** Faults with a hint: each looks through all names. */
const HINTS_TOLD = 100;

/** Gives every thing of the file its id, and reports those that cannot be told apart. */
export const registerThings = (file: ShopFile, wrong: ReadonlySet<string>, faults: Faults): Register => {
  const main = file.main_language ?? 'ar';
  const shopId = (file.id === undefined ? null : parseUuid(file.id)) ?? shopIdOf(file.slug);
  const byPath = new Map<string, Thing>();
  const byId = new Map<Uuid, Thing | null>([[shopId, null]]);
  const idAt = (path: string): Uuid => byPath.get(path)?.id ?? shopId;
  const enter = (declared: Declared): void => {
    const thing = asThing(declared, shopId, main);
    byPath.set(thing.path, thing);
    const first = byId.get(thing.id);
    if (first === undefined) byId.set(thing.id, thing);
    else {
      const { field, problem } = doubleProblem(thing, first);
      faults.rule(thing.path, field, problem);
    }
    if (thing.name === '' && !isWrong(thing.path))
      faults.rule(
        thing.path,
        LANGUAGE_FIELD[thing.kind] ?? 'name',
        `has no text in the shop’s main language, ${main}`,
      );
    if (declared.entry.id !== undefined && !thing.given) faults.rule(thing.path, 'id', 'must be a UUID');
  };
  const isWrong = (path: string): boolean =>
    wrong.has('') || (wrong.size > 0 && pathAndAbove(path).some((above) => wrong.has(above)));
  topLevel(file, shopId, main).forEach(enter);
  parts(file, main, idAt).forEach(enter);
  const things = [...byPath.values()];
  const lists = handlesOf(things);
  const incomplete = new Set(
    (Object.keys(LISTS) as ThingKind[]).filter((kind) => [...wrong].some((path) => concerns(kind, path))),
  );
  return {
    shopId,
    main,
    things,
    idAt,
    isWrong,
    isIncomplete: (kind) => incomplete.has(kind),
    knows: (kind, reference) => namesakes(lists, kind, reference).length > 0,
    resolve: (kind, reference, path, parent) => {
      if (isWrong(path)) return null;
      const found = namesakes(lists, kind, reference, parent);
      const [one] = found;
      // Several with one id are a fault that is told already.
      if (one !== undefined && found.every(({ id }) => id === one.id)) return one;
      const word = KIND_WORDS[kind];
      if (one !== undefined) {
        const places = found.slice(0, PLACES_TOLD).map((thing) => thing.path);
        const all = found.length > PLACES_TOLD ? [...places, '…'] : places;
        faults.add(path, `could mean more than one ${word} (${all.join(', ')}); use the id or a key`);
      } else if (!incomplete.has(kind)) {
        const hint = faults.size() < HINTS_TOLD ? didYouMean(reference, handlesIn(lists, kind, parent)) : '';
        faults.add(path, `names no ${word} of this file: ‘${reference}’${hint}`);
      }
      return null;
    },
  };
};

/** Reports a text that lacks the shop's main language. */
export const checkLanguage = (
  text: LocalText | undefined,
  object: string,
  field: string,
  main: string,
  faults: Faults,
): void => {
  if (text === undefined || Object.hasOwn(languagesOf(text, main), main)) return;
  faults.add(fieldPath(object, field), `has no text in the shop’s main language, ${main}`);
};
