/** Conflicts of a file with the database: foreign ids and slugs, and renames that would create new entities. */
import { MAX_FORMER_SLUGS } from '../contract/shopfile.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { entryPath } from '../domain/json.ts';
import type { LocatorEntry, SlugOwner } from '../store/shopfile.ts';
import { specOf, TABLE_NAMES, type AnyRow, type ShopRows } from '../store/tables.ts';
import type { Faults } from './faults.ts';
import { KIND_LABELS, normalizedName, type EntityKind } from './entity-ids.ts';
import type { EntityIndex, Entity } from './entity-index.ts';
import type { CheckedPictures, PictureReference } from './pictures.ts';
import { canonical, textIn, entitiesIn, type StoredEntity } from './stored-entities.ts';

/** A file that satisfies the schema, with the rows that it describes. */
export interface ParsedFile {
  readonly name: string;
  readonly slugs: readonly string[];
  readonly entityIndex: EntityIndex;
  readonly rows: ShopRows;
  /** Without a staff list the stored staff stay. */
  readonly hasStaffList: boolean;
  readonly references: readonly PictureReference[];
  /** Null: the stored pictures stay, as with a menu CSV. */
  readonly pictures: CheckedPictures | null;
  readonly faults: Faults;
}

const isEntityKind = (kind: string): kind is EntityKind => Object.hasOwn(KIND_LABELS, kind);
const labelFor = (kind: string): string => (isEntityKind(kind) ? KIND_LABELS[kind] : kind);

export const checkIds = ({ entityIndex, faults }: ParsedFile, taken: readonly LocatorEntry[]): void => {
  const byId = new Map(taken.map((entry) => [entry.id, entry]));
  const owner = byId.get(entityIndex.shopId);
  if (owner !== undefined && (owner.org_id !== entityIndex.shopId || owner.kind !== 'shop'))
    faults.add('id', `is taken: it is that of something else (${labelFor(owner.kind)})`);
  for (const entity of entityIndex.entities) {
    const entry = byId.get(entity.id);
    if (entry === undefined) continue;
    const field = entity.hasExplicitId ? 'id' : '';
    if (entry.org_id !== entityIndex.shopId)
      faults.rule(entity.path, field, 'has an id that belongs to another shop');
    else if (entry.kind !== entity.kind)
      faults.rule(
        entity.path,
        field,
        `has an id that is taken by something else of the shop (${labelFor(entry.kind)})`,
      );
  }
};

const slugPath = (index: number): string => (index === 0 ? 'slug' : entryPath('former_slugs', index - 1));

/** The slug belongs to a shop whose id differs from the file's. */
export const namesAnotherShop = (
  { slugs, entityIndex }: ParsedFile,
  owners: readonly SlugOwner[],
): boolean => {
  const owner = owners.find(({ slug }) => slug === slugs[0])?.org_id;
  return owner !== undefined && owner !== entityIndex.shopId;
};

export const checkSlugOwners = (
  { slugs, entityIndex, faults }: ParsedFile,
  owners: readonly SlugOwner[],
): void => {
  for (const [index, slug] of slugs.entries()) {
    const owner = owners.find((entry) => entry.slug === slug)?.org_id;
    if (owner === undefined || owner === entityIndex.shopId) continue;
    faults.add(
      slugPath(index),
      `leads to another shop; if it is this one, give the file \`"id": "${owner}"\``,
    );
  }
};

/** Counts those of the file and of the shop together: an export with more could not be imported. */
export const checkFormerSlugs = ({ slugs, faults }: ParsedFile, stored: readonly string[]): void => {
  const count = new Set([...stored, ...slugs]).size - 1;
  if (count > MAX_FORMER_SLUGS && slugs.some((slug) => !stored.includes(slug)))
    faults.add(
      'former_slugs',
      `would be ${count} with those that the shop has had; a shop has at most ${MAX_FORMER_SLUGS}`,
    );
};

/** QR codes carry table ids, so a table cannot move to another branch. */
const checkTableMoves = (
  { entityIndex, faults }: ParsedFile,
  storedEntities: ReadonlyMap<Uuid, StoredEntity>,
): void => {
  for (const entity of entityIndex.entities) {
    const stored = storedEntities.get(entity.id);
    if (entity.kind === 'table' && stored !== undefined && stored.parent !== entity.parent)
      faults.rule(entity.path, 'id', 'is the id of a table of another branch; leave the id out');
  }
};

// ── Renames that would create one entity and archive another ────────────────────────────────────

/** Lookup keys of the name in each language. */
const namesOf = ({ texts }: Entity | StoredEntity): string[] =>
  Object.entries(texts).map(([language, text]) => `${language} ${normalizedName(text)}`);

/** Not part of a fingerprint. */
const IDENTITY_COLUMNS: ReadonlySet<string> = new Set([
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

const contentColumns = (row: AnyRow, ownerColumn: string): AnyRow =>
  Object.fromEntries(
    Object.entries(row).filter(([column]) => !IDENTITY_COLUMNS.has(column) && column !== ownerColumn),
  );

/** Content without names, but with `sort` and details. */
const fingerprint = (rows: ShopRows, row: AnyRow, id: Uuid): string => {
  const details = TABLE_NAMES.flatMap((table) => {
    const { of } = specOf(table);
    if (of === 'shop' || of === 'entity' || of === 'link' || table === 'availability') return [];
    const own = rows[table].filter((detail: AnyRow) => detail[of] === id);
    return own.map((detail: AnyRow) => canonical([table, contentColumns(detail, of)]));
  });
  return canonical([contentColumns(row, ''), details.sort()]);
};

/** Kinds without `sort`: equal content is evidence only for a single candidate. */
const UNORDERED: ReadonlySet<EntityKind> = new Set(['branch', 'zone', 'table', 'modifier_group', 'discount']);

interface RenameCandidates {
  readonly added: readonly Entity[];
  readonly missing: readonly StoredEntity[];
  readonly byName: ReadonlyMap<string, StoredEntity>;
}

const renameCandidates = (
  { entityIndex }: ParsedFile,
  storedEntities: readonly StoredEntity[],
): RenameCandidates[] => {
  const known = new Set(storedEntities.map(({ id }) => id));
  const present = new Set(entityIndex.entities.map(({ id }) => id));
  const groups = new Map<string, { added: Entity[]; missing: StoredEntity[] }>();
  const groupOf = ({ kind, parent }: Entity | StoredEntity) => {
    const group = groups.get(`${kind} ${parent}`) ?? { added: [], missing: [] };
    groups.set(`${kind} ${parent}`, group);
    return group;
  };
  for (const entity of entityIndex.entities)
    if (!entity.hasExplicitId && !known.has(entity.id)) groupOf(entity).added.push(entity);
  for (const stored of storedEntities)
    if (stored.isLive && !present.has(stored.id)) groupOf(stored).missing.push(stored);
  return [...groups.values()]
    .filter(({ added, missing }) => added.length > 0 && missing.length > 0)
    .map(({ added, missing }) => ({
      added,
      missing,
      byName: new Map(missing.flatMap((stored) => namesOf(stored).map((name) => [name, stored] as const))),
    }));
};

const likelyRename = (
  entity: Entity,
  { added, missing, byName }: RenameCandidates,
  before: ShopRows,
  after: { readonly rows: ShopRows; readonly byId: ReadonlyMap<Uuid, StoredEntity> },
): StoredEntity | undefined => {
  const row = after.byId.get(entity.id)?.row;
  const sameName = namesOf(entity).flatMap((name) => byName.get(name) ?? [])[0];
  if (sameName !== undefined || row === undefined) return sameName;
  if (entity.kind === 'branch') {
    const sameCode = missing.find((stored) => textIn(stored.row, 'code') === textIn(row, 'code'));
    if (sameCode !== undefined) return sameCode;
  }
  // Equal role and branches do not identify a person; an e-mail address does.
  if (entity.kind === 'staff')
    return missing.find((stored) => stored.row['email'] !== null && stored.row['email'] === row['email']);
  if (UNORDERED.has(entity.kind) && (added.length > 1 || missing.length > 1)) return undefined;
  const inPlace = missing.filter((stored) => stored.row['sort'] === row['sort']);
  const own = inPlace.length === 0 ? '' : fingerprint(after.rows, row, entity.id);
  return inPlace.find((stored) => fingerprint(before, stored.row, stored.id) === own);
};

const checkRenames = (file: ParsedFile, before: ShopRows, storedEntities: readonly StoredEntity[]): void => {
  const { entityIndex, faults, rows } = file;
  const byId = new Map(entitiesIn(rows, entityIndex.shopId).map((entity) => [entity.id, entity]));
  for (const group of renameCandidates(file, storedEntities)) {
    for (const entity of group.added) {
      if (entityIndex.isIncomplete(entity.kind)) continue;
      const stored = likelyRename(entity, group, before, { rows, byId });
      if (stored === undefined) continue;
      const label = KIND_LABELS[entity.kind];
      faults.rule(
        entity.path,
        '',
        `would be a new ${label}, and ‘${stored.name}’ would be archived: if it is the same ${label} under a new name, ` +
          `give it \`"id": "${stored.id}"\`; if it is another one, \`"id": "${entity.id}"\``,
      );
    }
  }
};

export const checkAgainstStored = (file: ParsedFile, before: ShopRows): void => {
  const storedEntities = entitiesIn(before, file.entityIndex.shopId);
  checkTableMoves(file, new Map(storedEntities.map((entity) => [entity.id, entity])));
  checkRenames(file, before, storedEntities);
};

/** The files of one import must not share a shop, id or slug. */
export const checkAcrossFiles = (files: readonly ParsedFile[]): void => {
  const ids = new Map<Uuid, string>();
  const slugs = new Map<string, string>();
  for (const { name, slugs: own, entityIndex, faults } of files) {
    const report = (path: string, other: string): void =>
      faults.add(path, `is in ${other} too, which was given with this file`);
    const sameShop = ids.get(entityIndex.shopId);
    ids.set(entityIndex.shopId, name);
    for (const [index, slug] of own.entries()) {
      const other = slugs.get(slug);
      if (other !== undefined && other !== name) report(slugPath(index), other);
      slugs.set(slug, name);
    }
    if (sameShop !== undefined) {
      report('id', sameShop);
      continue;
    }
    for (const { id, path, hasExplicitId } of entityIndex.entities) {
      const other = ids.get(id);
      if (other !== undefined && other !== name) report(hasExplicitId ? `${path}.id` : path, other);
      ids.set(id, name);
    }
  }
};
