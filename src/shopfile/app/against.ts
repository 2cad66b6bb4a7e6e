/** A file beside what is stored: ids and address names of other shops, and names that would silently change an id. */
import type { Uuid } from '../../kernel/ids.ts';
import { entryPath } from '../domain/json.ts';
import type { LocatorEntry, SlugOwner } from '../store/shopfile.ts';
import { specOf, TABLE_NAMES, type AnyRow, type ShopRows } from '../store/tables.ts';
import type { Faults } from './faults.ts';
import { KIND_WORDS, sameForm, type ThingKind } from './identity.ts';
import type { Register, Thing } from './register.ts';
import { canonical, textIn, thingsIn, type StoredThing } from './stored.ts';

/** A file whose form has been read, beside the rows it describes. */
export interface Described {
  readonly name: string;
  readonly slugs: readonly string[];
  readonly register: Register;
  readonly rows: ShopRows;
  /** Whether the file has a list of staff; without one they stay as they are. */
  readonly speaksOfStaff: boolean;
  readonly faults: Faults;
}

const isThingKind = (kind: string): kind is ThingKind => Object.hasOwn(KIND_WORDS, kind);
const wordFor = (kind: string): string => (isThingKind(kind) ? KIND_WORDS[kind] : kind);

/** An id leads to one thing of one shop, for ever. */
export const checkIds = ({ register, faults }: Described, taken: readonly LocatorEntry[]): void => {
  const byId = new Map(taken.map((entry) => [entry.id, entry]));
  const owner = byId.get(register.shopId);
  if (owner !== undefined && (owner.org_id !== register.shopId || owner.kind !== 'shop'))
    faults.add('id', `is taken: it is that of something else (${wordFor(owner.kind)})`);
  for (const thing of register.things) {
    const entry = byId.get(thing.id);
    if (entry === undefined) continue;
    const field = thing.given ? 'id' : '';
    if (entry.org_id !== register.shopId)
      faults.rule(thing.path, field, 'has an id that belongs to another shop');
    else if (entry.kind !== thing.kind)
      faults.rule(
        thing.path,
        field,
        `has an id that is taken by something else of the shop (${wordFor(entry.kind)})`,
      );
  }
};

/** Where the present address name stands, and the former ones. */
const slugPath = (index: number): string => (index === 0 ? 'slug' : entryPath('former_slugs', index - 1));

/** Whether the present address name of a file leads to another shop than the file's id, given or derived. */
export const isMistaken = ({ slugs, register }: Described, owners: readonly SlugOwner[]): boolean => {
  const owner = owners.find(({ slug }) => slug === slugs[0])?.org_id;
  return owner !== undefined && owner !== register.shopId;
};

/** An address name leads to one shop, for ever. */
export const checkSlugOwners = (
  { slugs, register, faults }: Described,
  owners: readonly SlugOwner[],
): void => {
  for (const [index, slug] of slugs.entries()) {
    const owner = owners.find((entry) => entry.slug === slug)?.org_id;
    if (owner === undefined || owner === register.shopId) continue;
    faults.add(
      slugPath(index),
      `leads to another shop; if it is this one, give the file \`"id": "${owner}"\``,
    );
  }
};

/** Guests hold a table's id in their hands, on its QR code, and it must go on meaning that branch. */
const checkMoves = ({ register, faults }: Described, stored: ReadonlyMap<Uuid, StoredThing>): void => {
  for (const thing of register.things) {
    const old = stored.get(thing.id);
    if (thing.kind === 'table' && old !== undefined && old.parent !== thing.parent)
      faults.rule(thing.path, 'id', 'is the id of a table of another branch; leave the id out');
  }
};

// ── Renames that would be a new thing and an archived one ───────────────────────────────────────

/** What a thing is called in each language, each as one text to look up. */
const namesOf = ({ texts }: Thing | StoredThing): string[] =>
  Object.entries(texts).map(([language, text]) => `${language} ${sameForm(text)}`);

/** Columns that tell a thing's name, or when it was made. */
const APART: ReadonlySet<string> = new Set([
  'id',
  'name',
  'name_translations',
  'label',
  'title_ar',
  'title_en',
  'description',
  'description_translations',
  'created_at',
  'updated_at',
  'archived_at',
]);

const plainColumns = (row: AnyRow, besides: string): AnyRow =>
  Object.fromEntries(Object.entries(row).filter(([column]) => !APART.has(column) && column !== besides));

/** Everything about a thing but its name, with its details; place in its list included where it has one. */
const fingerprint = (rows: ShopRows, row: AnyRow, id: Uuid): string => {
  const details = TABLE_NAMES.flatMap((table) => {
    const { of } = specOf(table);
    if (of === 'shop' || of === 'thing' || of === 'link' || table === 'availability') return [];
    const own = rows[table].filter((detail: AnyRow) => detail[of] === id);
    return own.map((detail: AnyRow) => canonical([table, plainColumns(detail, of)]));
  });
  return canonical([plainColumns(row, ''), details.sort()]);
};

/** Kinds that have no place of their own in a list: alike means little there unless nothing else is. */
const UNPLACED: ReadonlySet<ThingKind> = new Set(['branch', 'zone', 'table', 'modifier_group', 'discount']);

interface Suspects {
  readonly added: readonly Thing[];
  readonly dropped: readonly StoredThing[];
  /** Vanishing things by each of their names. */
  readonly byName: ReadonlyMap<string, StoredThing>;
}

/** New things and vanishing ones, by kind and by what they are part of. */
const suspects = ({ register }: Described, stored: readonly StoredThing[]): Suspects[] => {
  const known = new Set(stored.map(({ id }) => id));
  const present = new Set(register.things.map(({ id }) => id));
  const groups = new Map<string, { added: Thing[]; dropped: StoredThing[] }>();
  const groupOf = ({ kind, parent }: Thing | StoredThing) => {
    const group = groups.get(`${kind} ${parent}`) ?? { added: [], dropped: [] };
    groups.set(`${kind} ${parent}`, group);
    return group;
  };
  for (const thing of register.things)
    if (!thing.given && !known.has(thing.id)) groupOf(thing).added.push(thing);
  for (const old of stored) if (old.isLive && !present.has(old.id)) groupOf(old).dropped.push(old);
  return [...groups.values()]
    .filter(({ added, dropped }) => added.length > 0 && dropped.length > 0)
    .map(({ added, dropped }) => ({
      added,
      dropped,
      byName: new Map(dropped.flatMap((old) => namesOf(old).map((name) => [name, old] as const))),
    }));
};

const looksLike = (
  thing: Thing,
  { added, dropped, byName }: Suspects,
  before: ShopRows,
  after: { readonly rows: ShopRows; readonly byId: ReadonlyMap<Uuid, StoredThing> },
): StoredThing | undefined => {
  const row = after.byId.get(thing.id)?.row;
  const named = namesOf(thing).flatMap((name) => byName.get(name) ?? [])[0];
  if (named !== undefined || row === undefined) return named;
  if (thing.kind === 'branch') {
    const coded = dropped.find((old) => textIn(old.row, 'code') === textIn(row, 'code'));
    if (coded !== undefined) return coded;
  }
  // People come and go, and whoever does the same work is not the same person; an e-mail address is one person's.
  if (thing.kind === 'staff')
    return dropped.find((old) => old.row['email'] !== null && old.row['email'] === row['email']);
  if (UNPLACED.has(thing.kind) && (added.length > 1 || dropped.length > 1)) return undefined;
  const inPlace = dropped.filter((old) => old.row['sort'] === row['sort']);
  const own = inPlace.length === 0 ? '' : fingerprint(after.rows, row, thing.id);
  return inPlace.find((old) => fingerprint(before, old.row, old.id) === own);
};

const checkRenames = (described: Described, before: ShopRows, stored: readonly StoredThing[]): void => {
  const { register, faults, rows } = described;
  const byId = new Map(thingsIn(rows, register.shopId).map((thing) => [thing.id, thing]));
  for (const group of suspects(described, stored)) {
    for (const thing of group.added) {
      if (register.isIncomplete(thing.kind)) continue;
      const old = looksLike(thing, group, before, { rows, byId });
      if (old === undefined) continue;
      const word = KIND_WORDS[thing.kind];
      faults.rule(
        thing.path,
        '',
        `would be a new ${word}, and ‘${old.name}’ would be archived: if it is the same ${word} under a new name, ` +
          `give it \`"id": "${old.id}"\`; if it is another one, \`"id": "${thing.id}"\``,
      );
    }
  }
};

/** Reports what the file would do to what is stored of its shop without saying so. */
export const checkAgainstStored = (described: Described, before: ShopRows): void => {
  const stored = thingsIn(before, described.register.shopId);
  checkMoves(described, new Map(stored.map((thing) => [thing.id, thing])));
  checkRenames(described, before, stored);
};

/** Files given together must not speak of the same shop, id or address name. */
export const checkTogether = (files: readonly Described[]): void => {
  const ids = new Map<Uuid, string>();
  const slugs = new Map<string, string>();
  for (const { name, slugs: own, register, faults } of files) {
    const report = (path: string, other: string): void =>
      faults.add(path, `is in ${other} too, which was given with this file`);
    const sameShop = ids.get(register.shopId);
    ids.set(register.shopId, name);
    for (const [index, slug] of own.entries()) {
      const other = slugs.get(slug);
      if (other !== undefined && other !== name) report(slugPath(index), other);
      slugs.set(slug, name);
    }
    if (sameShop !== undefined) {
      report('id', sameShop);
      continue;
    }
    for (const { id, path, given } of register.things) {
      const other = ids.get(id);
      if (other !== undefined && other !== name) report(given ? `${path}.id` : path, other);
      ids.set(id, name);
    }
  }
};
