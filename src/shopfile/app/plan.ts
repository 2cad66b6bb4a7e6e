/** Computes the changes that make a shop match its file. */
import { branchScope, shopScope, staffScope, type Change } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { specOf, TABLE_NAMES, type AnyRow, type ShopRows, type TableName } from '../store/tables.ts';
import { aspectsOf } from './change-aspects.ts';
import { detailsOf, type EntityChange, type EntityDetails } from './change-details.ts';
import type { EntityKind } from './entity-ids.ts';
import { NO_PICTURE_CHANGES, type PictureChanges } from './pictures.ts';
import { newWarnings } from './warnings/index.ts';
import { withRunningState } from './running-state.ts';
import { canonical, textIn, entitiesIn, type StoredEntity } from './stored-entities.ts';

interface TablePlan {
  readonly table: TableName;
  readonly insert: readonly AnyRow[];
  readonly update: readonly AnyRow[];
  readonly remove: readonly AnyRow[];
}

export interface Plan {
  readonly shopId: Uuid;
  /** Parent tables first. */
  readonly tables: readonly TablePlan[];
  readonly entities: readonly EntityChange[];
  readonly details: ReadonlyMap<Uuid, EntityDetails>;
  readonly warnings: readonly string[];
  readonly unchanged: number;
  readonly changes: readonly Change[];
  readonly ignoredStates: number;
  readonly pictures: PictureChanges;
}

interface PlanOptions {
  /** Overwrite existing running state (Decisions 16). */
  readonly state: boolean;
  /** False: the stored staff stay. */
  readonly staff: boolean;
  readonly now: Instant;
}

const keyOf = (table: TableName, row: AnyRow): string =>
  JSON.stringify(specOf(table).key.map((column) => row[column]));

const withRetainedColumns = (table: TableName, before: AnyRow, after: AnyRow): AnyRow => {
  const kept = specOf(table).onCreate;
  return { ...after, ...Object.fromEntries(kept.map((column) => [column, before[column]])) };
};

/** Details of archived entities stay, except in tables marked `whole`. */
const isRemovable = (table: TableName, row: AnyRow, live: ReadonlySet<Uuid>): boolean => {
  const { of, whole } = specOf(table);
  return of === 'shop' || of === 'link' || whole === true || live.has(textIn(row, of));
};

const planTable = (
  table: TableName,
  before: readonly AnyRow[],
  after: readonly AnyRow[],
  live: ReadonlySet<Uuid>,
  now: Instant,
): TablePlan => {
  const current = new Map(before.map((row) => [keyOf(table, row), row]));
  const insert: AnyRow[] = [];
  const update: AnyRow[] = [];
  for (const row of after) {
    const old = current.get(keyOf(table, row));
    current.delete(keyOf(table, row));
    if (old === undefined) insert.push(row);
    else {
      const next = withRetainedColumns(table, old, row);
      if (canonical(next) !== canonical(old)) update.push(next);
    }
  }
  const left = [...current.values()];
  if (specOf(table).of !== 'entity') {
    return { table, insert, update, remove: left.filter((row) => isRemovable(table, row, live)) };
  }
  const archived = left
    .filter((row) => row['archived_at'] === null)
    .map((row) => ({ ...row, archived_at: now }));
  return { table, insert, update: [...update, ...archived], remove: [] };
};

type ChangedAspects = ReadonlyMap<Uuid, ReadonlySet<string>>;

/** A changed row counts for its entity, a detail for its parent, any other row for the shop. */
const changedAspects = (plans: readonly TablePlan[], before: ShopRows, shopId: Uuid): ChangedAspects => {
  const changed = new Map<Uuid, Set<string>>();
  for (const { table, insert, update, remove } of plans) {
    const { of } = specOf(table);
    const column = of === 'entity' || of === 'link' ? 'id' : of;
    const current = new Map(before[table].map((row) => [keyOf(table, row), row]));
    for (const row of [...insert, ...update, ...remove]) {
      const id = of === 'shop' ? shopId : textIn(row, column);
      const aspects = changed.get(id) ?? new Set();
      for (const aspect of aspectsOf(table, current.get(keyOf(table, row)) ?? null, row)) aspects.add(aspect);
      changed.set(id, aspects);
    }
  }
  return changed;
};

/** Sets `updated_at` of the shop and of deals that changed. */
const withUpdatedAt = (
  plans: readonly TablePlan[],
  before: ShopRows,
  changed: ChangedAspects,
  now: Instant,
): TablePlan[] =>
  plans.map((plan) => {
    if (plan.table === 'shop')
      return { ...plan, update: plan.update.map((row) => ({ ...row, updated_at: now })) };
    if (plan.table !== 'deal') return plan;
    const written = new Map(plan.update.map((row) => [textIn(row, 'id'), row]));
    for (const deal of before.deal)
      if (changed.has(deal.id) && !written.has(deal.id)) written.set(deal.id, deal);
    return { ...plan, update: [...written.values()].map((row) => ({ ...row, updated_at: now })) };
  });

const entityChanges = (
  before: readonly StoredEntity[],
  after: readonly StoredEntity[],
  changed: ChangedAspects,
): EntityChange[] => {
  const known = new Map(before.map(({ id, name }) => [id, name]));
  const present = new Set(after.map(({ id }) => id));
  const changeOf = (op: EntityChange['op'], { kind, id, name }: StoredEntity): EntityChange => {
    const former = known.get(id) ?? name;
    return {
      ...{ op, kind, id, name },
      ...(former === name ? {} : { renamedFrom: former }),
      aspects: op === 'updated' ? [...(changed.get(id) ?? [])].sort() : [],
    };
  };
  return [
    ...after.filter(({ id }) => !known.has(id)).map((entity) => changeOf('created', entity)),
    ...after
      .filter(({ id }) => known.has(id) && changed.has(id))
      .map((entity) => changeOf('updated', entity)),
    ...before
      .filter(({ id, isLive }) => isLive && !present.has(id))
      .map((entity) => changeOf('archived', entity)),
  ];
};

const shopEntityChange = (
  shopId: Uuid,
  before: ShopRows,
  after: ShopRows,
  changed: ChangedAspects,
): EntityChange[] => {
  const aspects = changed.get(shopId);
  if (aspects === undefined) return [];
  const op = before.shop.length === 0 ? 'created' : 'updated';
  const name = after.shop[0]?.name ?? '';
  return [{ op, kind: 'shop', id: shopId, name, aspects: op === 'created' ? [] : [...aspects].sort() }];
};

/** Change types of Decisions 13; null: reported as a change of the parent. */
const CHANGE_TYPES: Readonly<Record<EntityKind, string | null>> = {
  branch: 'branch_settings',
  zone: null,
  table: 'table',
  station: null,
  category: 'category',
  addon: 'addon',
  modifier_group: 'modifier_group',
  item: 'menu_item',
  combo: 'menu_item',
  optional: null,
  slot: null,
  deal: 'deal',
  discount: 'discount',
  reward: null,
  link: null,
  staff: 'staff',
};

export const shopChange = (shopId: Uuid): Change => ({
  scope: shopScope,
  type: 'shop',
  id: shopId,
  op: 'upsert',
});

/** Shop responses contain branches, so a branch change is also a shop change. */
const changesOf = (
  entity: StoredEntity,
  byId: ReadonlyMap<Uuid, StoredEntity>,
  shopId: Uuid,
  isGone: boolean,
): Change[] => {
  const type = CHANGE_TYPES[entity.kind];
  if (type === null) {
    const whole = byId.get(entity.parent);
    return whole === undefined ? [shopChange(shopId)] : changesOf(whole, byId, shopId, false);
  }
  const op = isGone ? 'delete' : 'upsert';
  if (entity.kind === 'branch')
    return [shopChange(shopId), { scope: branchScope(entity.id), type, id: entity.id, op }];
  // No public response depends on staff.
  if (entity.kind === 'staff') return [{ scope: staffScope, type, id: entity.id, op }];
  const scope = entity.kind === 'table' ? branchScope(entity.parent) : shopScope;
  return [{ scope, type, id: entity.id, op }];
};

const allChanges = (
  entities: readonly EntityChange[],
  changed: ChangedAspects,
  byId: ReadonlyMap<Uuid, StoredEntity>,
  shopId: Uuid,
): Change[] => {
  const gone = new Set(entities.filter(({ op }) => op === 'archived').map(({ id }) => id));
  const found = [...changed.keys()].flatMap((id) => {
    const entity = byId.get(id);
    return entity === undefined ? [shopChange(shopId)] : changesOf(entity, byId, shopId, gone.has(id));
  });
  const byTarget = new Map<string, Change>();
  for (const change of found) {
    const target = `${change.scope}\n${change.type}\n${change.id}`;
    // A delete wins over the update of a part.
    if (change.op === 'delete' || !byTarget.has(target)) byTarget.set(target, change);
  }
  return [...byTarget.values()];
};

export const planImport = (shopId: Uuid, before: ShopRows, file: ShopRows, options: PlanOptions): Plan => {
  const staff = options.staff ? file.staff : before.staff.filter((person) => person.archived_at === null);
  const { rows, ignored } = withRunningState(before, { ...file, staff }, options.state);
  const stored = entitiesIn(before, shopId);
  const wanted = entitiesIn(rows, shopId);
  const live = new Set(wanted.map(({ id }) => id));
  const plans = TABLE_NAMES.map((table) => planTable(table, before[table], rows[table], live, options.now));
  const changed = changedAspects(plans, before, shopId);
  const entities = entityChanges(stored, wanted, changed);
  entities.unshift(...shopEntityChange(shopId, before, rows, changed));
  const byId = new Map([...stored, ...wanted].map((entity) => [entity.id, entity]));
  return {
    shopId,
    tables: withUpdatedAt(plans, before, changed, options.now),
    entities,
    details: detailsOf(before, rows, entities),
    warnings: entities.length === 0 ? [] : newWarnings(before, rows),
    unchanged: wanted.length + 1 - entities.filter(({ op }) => op !== 'archived').length,
    changes: allChanges(entities, changed, byId, shopId),
    ignoredStates: ignored,
    pictures: NO_PICTURE_CHANGES,
  };
};

/** Answers with a picture have its address, which follows from its bytes: they change with it. */
export const withPictures = (plan: Plan, pictures: PictureChanges): Plan => {
  const { shopId, changes } = plan;
  const isChanged = pictures.stored.length > 0 || pictures.removed.length > 0;
  const isTold = changes.some(({ scope, id }) => scope === shopScope && id === shopId);
  return { ...plan, pictures, changes: isChanged && !isTold ? [...changes, shopChange(shopId)] : changes };
};

export const writtenColumns = (table: TableName, withState: boolean): string[] => {
  const { key, columns, state } = specOf(table);
  const untouched = new Set([...key, ...(withState ? [] : state)]);
  return Object.keys(columns).filter((column) => !untouched.has(column));
};
