/** Ids of the entities of a file, and resolution of references. */
import type { ShopFile } from '../contract/shopfile.ts';
import { parseUuid, type Uuid } from '../../kernel/ids.ts';
import type { Translations } from '../../kernel/names.ts';
import { entryPath, fieldPath } from '../domain/json.ts';
import { didYouMean } from '../domain/text.ts';
import type { Faults } from './faults.ts';
import { derivedId, KIND_LABELS, normalizedName, shopIdOf, type EntityKind } from './entity-ids.ts';
import { languagesOf, type LocalText } from './localized.ts';

export interface Entity {
  readonly kind: EntityKind;
  readonly id: Uuid;
  /** The id is from the file, not derived. */
  readonly hasExplicitId: boolean;
  readonly path: string;
  /** The shop or the containing entity. */
  readonly parent: Uuid;
  readonly key: string | null;
  /** In the main language. */
  readonly name: string;
  readonly texts: Translations;
}

interface Declaration {
  readonly kind: EntityKind;
  readonly path: string;
  readonly parent: Uuid;
  readonly entry: { readonly id?: string; readonly key?: string };
  readonly texts: Translations;
  /** Distinguishes equal names, such as an optional's size. */
  readonly qualifier?: string;
}

export interface EntityIndex {
  readonly shopId: Uuid;
  readonly main: string;
  readonly entities: readonly Entity[];
  idAt(path: string): Uuid;
  /** `path` or an ancestor has a schema or text fault. */
  isInvalid(path: string): boolean;
  /** Entities of this kind may be missing, because of invalid entries. */
  isIncomplete(kind: EntityKind): boolean;
  has(kind: EntityKind, reference: string): boolean;
  /** Null, with a fault at `path`, if `reference` matches no entity or several. */
  resolve(kind: EntityKind, reference: string, path: string, parent?: Uuid): Entity | null;
}

/** Without indexes. */
const LIST_PATHS: Readonly<Record<EntityKind, string>> = {
  branch: 'branches',
  zone: 'branches[].delivery_zones',
  table: 'branches[].tables',
  station: 'branches[].stations',
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

const mayHideEntity = (kind: EntityKind, wrongPath: string): boolean => {
  const list = LIST_PATHS[kind];
  const path = wrongPath.replaceAll(/\[[0-9]+\]/g, '[]');
  const isAbove = `${list}[]`.startsWith(path) && /^($|[.[])/.test(`${list}[]`.slice(path.length));
  return (
    isAbove || (/^\[\]\.(id|key|name|label|title)\b/.test(path.slice(list.length)) && path.startsWith(list))
  );
};

const pathAndAncestors = (path: string): string[] => [
  path,
  ...[...path.matchAll(/[.[]/g)].map((match) => path.slice(0, match.index)),
];

type Entries<T> = readonly (T & { readonly id?: string; readonly key?: string })[] | undefined;

const declarations = <T>(
  list: Entries<T>,
  at: string,
  kind: EntityKind,
  parent: Uuid,
  main: string,
  nameOf: (entry: T) => LocalText,
  qualifierOf?: (entry: T) => string | undefined,
): Declaration[] =>
  (list ?? []).map((entry, index) => {
    const qualifier = qualifierOf?.(entry);
    return {
      kind,
      path: entryPath(at, index),
      parent,
      entry,
      texts: languagesOf(nameOf(entry), main),
      ...(qualifier === undefined ? {} : { qualifier }),
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

const topLevelDeclarations = (file: ShopFile, shopId: Uuid, main: string): Declaration[] => {
  const { menu } = file;
  return [
    ...declarations(file.branches, LIST_PATHS.branch, 'branch', shopId, main, nameIn),
    ...declarations(menu.categories, LIST_PATHS.category, 'category', shopId, main, nameIn),
    ...declarations(menu.addons, LIST_PATHS.addon, 'addon', shopId, main, nameIn),
    ...declarations(menu.modifier_groups, LIST_PATHS.modifier_group, 'modifier_group', shopId, main, nameIn),
    ...declarations(menu.items, LIST_PATHS.item, 'item', shopId, main, nameIn),
    ...declarations(menu.combos, LIST_PATHS.combo, 'combo', shopId, main, nameIn),
    ...declarations(menu.deals, LIST_PATHS.deal, 'deal', shopId, main, nameIn),
    ...declarations(menu.discounts, LIST_PATHS.discount, 'discount', shopId, main, nameIn),
    ...declarations(file.loyalty?.rewards, LIST_PATHS.reward, 'reward', shopId, main, nameIn),
    ...declarations(file.links?.custom, LIST_PATHS.link, 'link', shopId, main, titleIn(main)),
    ...declarations(file.staff, LIST_PATHS.staff, 'staff', shopId, main, nameIn),
  ];
};

/** `idAt` must already know branches, items and combos. */
const partDeclarations = (file: ShopFile, main: string, idAt: (path: string) => Uuid): Declaration[] => [
  ...file.branches.flatMap((branch, index) => {
    const path = entryPath(LIST_PATHS.branch, index);
    const id = idAt(path);
    return [
      ...declarations(branch.delivery_zones, `${path}.delivery_zones`, 'zone', id, main, nameIn),
      ...declarations(branch.stations, `${path}.stations`, 'station', id, main, nameIn),
      ...declarations(branch.tables, `${path}.tables`, 'table', id, main, ({ label }) => label),
    ];
  }),
  ...(file.menu.items ?? []).flatMap((item, index) => {
    const path = entryPath(LIST_PATHS.item, index);
    const sizeOf = ({ size }: OptionalEntry) => size;
    return declarations<OptionalEntry>(
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
    const path = entryPath(LIST_PATHS.combo, index);
    return declarations(combo.slots, `${path}.slots`, 'slot', idAt(path), main, nameIn);
  }),
];

const toEntity = (declaration: Declaration, shopId: Uuid, main: string): Entity => {
  const { kind, path, parent, entry, texts, qualifier } = declaration;
  const name = texts[main] ?? '';
  const key = entry.key ?? null;
  const explicitId = entry.id === undefined ? null : parseUuid(entry.id);
  // Optionals with the same name but different sizes are distinct entities.
  const handle = key === null ? { name: qualifier === undefined ? name : `${name}\n${qualifier}` } : { key };
  return {
    kind,
    id: explicitId ?? derivedId(shopId, kind, parent, handle),
    hasExplicitId: explicitId !== null,
    path,
    parent,
    key,
    name,
    texts,
  };
};

const duplicateProblem = (entity: Entity, first: Entity | null): { field: string; problem: string } => {
  if (first === null) return { field: 'id', problem: 'is the id of the shop itself' };
  if (entity.hasExplicitId) return { field: 'id', problem: `is also the id of ${first.path}` };
  if (first.hasExplicitId)
    return {
      field: '',
      problem: `would get the id that ${first.path} has; give it an \`id\` or a \`key\` of its own`,
    };
  if (entity.key !== null) return { field: 'key', problem: `is also the key of ${first.path}` };
  const field = entity.kind === 'table' ? 'label' : entity.kind === 'link' ? 'title' : 'name';
  return { field, problem: `is also the name of ${first.path}; give one of them a \`key\`` };
};

const LANGUAGE_FIELD: Readonly<Partial<Record<EntityKind, string>>> = { table: 'label', link: 'title' };

type EntitiesByHandle = Map<string, Entity[]>;

const handlesOf = (entities: readonly Entity[]): Map<string, EntitiesByHandle> => {
  const lists = new Map<string, EntitiesByHandle>();
  for (const entity of entities) {
    for (const list of [`${entity.kind}\n`, `${entity.kind}\n${entity.parent}`]) {
      const handles = lists.get(list) ?? new Map<string, Entity[]>();
      lists.set(list, handles);
      for (const handle of new Set([entity.id, entity.key, normalizedName(entity.name)])) {
        if (handle === null) continue;
        const namesakes = handles.get(handle);
        if (namesakes === undefined) handles.set(handle, [entity]);
        else namesakes.push(entity);
      }
    }
  }
  return lists;
};

type HandlesByList = ReadonlyMap<string, EntitiesByHandle>;

const listOf = (
  lists: HandlesByList,
  kind: EntityKind,
  parent: Uuid | undefined,
): EntitiesByHandle | undefined => lists.get(`${kind}\n${parent ?? ''}`);

/** A match by id wins over a key or name that looks like an id. */
const namesakes = (
  lists: HandlesByList,
  kind: EntityKind,
  reference: string,
  parent?: Uuid,
): readonly Entity[] => {
  const handles = listOf(lists, kind, parent);
  const id = parseUuid(reference);
  return (id === null ? undefined : handles?.get(id)) ?? handles?.get(normalizedName(reference)) ?? [];
};

const handlesIn = (lists: HandlesByList, kind: EntityKind, parent: Uuid | undefined): string[] => {
  const entities = new Set([...(listOf(lists, kind, parent)?.values() ?? [])].flat());
  return [...entities].flatMap(({ name, key }) => (key === null ? [name] : [name, key]));
};

const MAX_PLACES_LISTED = 5;
/** Each hint compares a reference with every name. */
const MAX_SPELLING_HINTS = 100;

/** Reports duplicate ids, keys and names. */
export const indexEntities = (
  file: ShopFile,
  invalidPaths: ReadonlySet<string>,
  faults: Faults,
): EntityIndex => {
  const main = file.main_language ?? 'ar';
  const shopId = (file.id === undefined ? null : parseUuid(file.id)) ?? shopIdOf(file.slug);
  const byPath = new Map<string, Entity>();
  const byId = new Map<Uuid, Entity | null>([[shopId, null]]);
  const idAt = (path: string): Uuid => byPath.get(path)?.id ?? shopId;
  const add = (declaration: Declaration): void => {
    const entity = toEntity(declaration, shopId, main);
    byPath.set(entity.path, entity);
    const first = byId.get(entity.id);
    if (first === undefined) byId.set(entity.id, entity);
    else {
      const { field, problem } = duplicateProblem(entity, first);
      faults.rule(entity.path, field, problem);
    }
    if (entity.name === '' && !isInvalid(entity.path))
      faults.rule(
        entity.path,
        LANGUAGE_FIELD[entity.kind] ?? 'name',
        `has no text in the shop’s main language, ${main}`,
      );
    if (declaration.entry.id !== undefined && !entity.hasExplicitId)
      faults.rule(entity.path, 'id', 'must be a UUID');
  };
  const isInvalid = (path: string): boolean =>
    invalidPaths.has('') ||
    (invalidPaths.size > 0 && pathAndAncestors(path).some((ancestor) => invalidPaths.has(ancestor)));
  topLevelDeclarations(file, shopId, main).forEach(add);
  partDeclarations(file, main, idAt).forEach(add);
  const entities = [...byPath.values()];
  const lists = handlesOf(entities);
  const incomplete = new Set(
    (Object.keys(LIST_PATHS) as EntityKind[]).filter((kind) =>
      [...invalidPaths].some((path) => mayHideEntity(kind, path)),
    ),
  );
  return {
    shopId,
    main,
    entities,
    idAt,
    isInvalid,
    isIncomplete: (kind) => incomplete.has(kind),
    has: (kind, reference) => namesakes(lists, kind, reference).length > 0,
    resolve: (kind, reference, path, parent) => {
      if (isInvalid(path)) return null;
      const found = namesakes(lists, kind, reference, parent);
      const [one] = found;
      // Several entities with one id were reported as duplicates.
      if (one !== undefined && found.every(({ id }) => id === one.id)) return one;
      const word = KIND_LABELS[kind];
      if (one !== undefined) {
        const places = found.slice(0, MAX_PLACES_LISTED).map((entity) => entity.path);
        const all = found.length > MAX_PLACES_LISTED ? [...places, '…'] : places;
        faults.add(path, `could mean more than one ${word} (${all.join(', ')}); use the id or a key`);
      } else if (!incomplete.has(kind)) {
        const hint =
          faults.size() < MAX_SPELLING_HINTS ? didYouMean(reference, handlesIn(lists, kind, parent)) : '';
        faults.add(path, `names no ${word} of this file: ‘${reference}’${hint}`);
      }
      return null;
    },
  };
};

/** Reports a text without the shop's main language. */
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
