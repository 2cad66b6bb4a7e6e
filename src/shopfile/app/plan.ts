/** What has to change so that a shop is as its file says: the difference between two sets of rows. */
import { branchScope, shopScope, staffScope, type Change } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { specOf, TABLE_NAMES, type AnyRow, type ShopRows, type TableName } from '../store/tables.ts';
import { aspectsOf } from './aspects.ts';
import { detailsOf, type ThingChange, type ThingDetails } from './details.ts';
import type { ThingKind } from './identity.ts';
import { newSlips } from './slips/index.ts';
import { withRunningState } from './state.ts';
import { canonical, textIn, thingsIn, type StoredThing } from './stored.ts';

interface TablePlan {
  readonly table: TableName;
  readonly insert: readonly AnyRow[];
  readonly update: readonly AnyRow[];
  readonly remove: readonly AnyRow[];
}

export interface Plan {
  readonly shopId: Uuid;
  /** Parents first. */
  readonly tables: readonly TablePlan[];
  readonly things: readonly ThingChange[];
  readonly details: ReadonlyMap<Uuid, ThingDetails>;
  /** What looks like a slip, in sentences. */
  readonly slips: readonly string[];
  readonly unchanged: number;
  /** For the change log. */
  readonly changes: readonly Change[];
  /** Entries of the file whose running state was left as the shop has it. */
  readonly stateKept: number;
}

interface PlanOptions {
  /** Whether the file's running state replaces the shop's (Decisions 16). */
  readonly state: boolean;
  /** Whether the file governs who works in the shop; else they stay. */
  readonly staff: boolean;
  readonly now: Instant;
}

const keyOf = (table: TableName, row: AnyRow): string =>
  JSON.stringify(specOf(table).key.map((column) => row[column]));

/** A row's values for the columns that an import keeps as they are. */
const carried = (table: TableName, before: AnyRow, after: AnyRow): AnyRow => {
  const kept = specOf(table).kept ?? [];
  return { ...after, ...Object.fromEntries(kept.map((column) => [column, before[column]])) };
};

/** Whether a row that the file does not have is the file's to take away. */
const isGovernedBy = (table: TableName, row: AnyRow, live: ReadonlySet<Uuid>): boolean => {
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
      const next = carried(table, old, row);
      if (canonical(next) !== canonical(old)) update.push(next);
    }
  }
  const left = [...current.values()];
  if (specOf(table).of !== 'thing') {
    return { table, insert, update, remove: left.filter((row) => isGovernedBy(table, row, live)) };
  }
  const archived = left
    .filter((row) => row['archived_at'] === null)
    .map((row) => ({ ...row, archived_at: now }));
  return { table, insert, update: [...update, ...archived], remove: [] };
};

/** Ids of the things that change, each with what of it does. */
type Touched = ReadonlyMap<Uuid, ReadonlySet<string>>;

/** The thing that each changed row is, or is a detail of; the shop's own id for the rest. */
const touchedBy = (plans: readonly TablePlan[], before: ShopRows, shopId: Uuid): Touched => {
  const touched = new Map<Uuid, Set<string>>();
  for (const { table, insert, update, remove } of plans) {
    const { of } = specOf(table);
    const column = of === 'thing' || of === 'link' ? 'id' : of;
    const current = new Map(before[table].map((row) => [keyOf(table, row), row]));
    for (const row of [...insert, ...update, ...remove]) {
      const id = of === 'shop' ? shopId : textIn(row, column);
      const aspects = touched.get(id) ?? new Set();
      for (const aspect of aspectsOf(table, current.get(keyOf(table, row)) ?? null, row)) aspects.add(aspect);
      touched.set(id, aspects);
    }
  }
  return touched;
};

/** Moves `updated_at` of what has changed, and only of that. */
const stamped = (
  plans: readonly TablePlan[],
  before: ShopRows,
  touched: Touched,
  now: Instant,
): TablePlan[] =>
  plans.map((plan) => {
    if (plan.table === 'shop')
      return { ...plan, update: plan.update.map((row) => ({ ...row, updated_at: now })) };
    if (plan.table !== 'deal') return plan;
    const written = new Map(plan.update.map((row) => [textIn(row, 'id'), row]));
    for (const deal of before.deal)
      if (touched.has(deal.id) && !written.has(deal.id)) written.set(deal.id, deal);
    return { ...plan, update: [...written.values()].map((row) => ({ ...row, updated_at: now })) };
  });

const thingChanges = (
  before: readonly StoredThing[],
  after: readonly StoredThing[],
  touched: Touched,
): ThingChange[] => {
  const known = new Map(before.map(({ id, name }) => [id, name]));
  const present = new Set(after.map(({ id }) => id));
  const said = (op: ThingChange['op'], { kind, id, name }: StoredThing): ThingChange => {
    const former = known.get(id) ?? name;
    return {
      ...{ op, kind, id, name },
      ...(former === name ? {} : { renamedFrom: former }),
      aspects: op === 'updated' ? [...(touched.get(id) ?? [])].sort() : [],
    };
  };
  return [
    ...after.filter(({ id }) => !known.has(id)).map((thing) => said('created', thing)),
    ...after.filter(({ id }) => known.has(id) && touched.has(id)).map((thing) => said('updated', thing)),
    ...before.filter(({ id, isLive }) => isLive && !present.has(id)).map((thing) => said('archived', thing)),
  ];
};

/** The shop is a thing like its parts, and comes first. */
const shopItself = (shopId: Uuid, before: ShopRows, after: ShopRows, touched: Touched): ThingChange[] => {
  const aspects = touched.get(shopId);
  if (aspects === undefined) return [];
  const op = before.shop.length === 0 ? 'created' : 'updated';
  const name = after.shop[0]?.name ?? '';
  return [{ op, kind: 'shop', id: shopId, name, aspects: op === 'created' ? [] : [...aspects].sort() }];
};

/** The words of Decisions 13 for each kind of thing; null: told as a change of what it is part of. */
const CHANGE_TYPES: Readonly<Record<ThingKind, string | null>> = {
  branch: 'branch_settings',
  zone: null,
  table: 'table',
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

const shopChange = (shopId: Uuid): Change => ({ scope: shopScope, type: 'shop', id: shopId, op: 'upsert' });

/** What others learn of a changed thing. A branch shows in the shop's own answers too, so the shop changes with it. */
const changesOf = (
  thing: StoredThing,
  byId: ReadonlyMap<Uuid, StoredThing>,
  shopId: Uuid,
  isGone: boolean,
): Change[] => {
  const type = CHANGE_TYPES[thing.kind];
  if (type === null) {
    const whole = byId.get(thing.parent);
    return whole === undefined ? [shopChange(shopId)] : changesOf(whole, byId, shopId, false);
  }
  const op = isGone ? 'delete' : 'upsert';
  if (thing.kind === 'branch')
    return [shopChange(shopId), { scope: branchScope(thing.id), type, id: thing.id, op }];
  // No answer to the public depends on who works in a shop.
  if (thing.kind === 'staff') return [{ scope: staffScope, type, id: thing.id, op }];
  const scope = thing.kind === 'table' ? branchScope(thing.parent) : shopScope;
  return [{ scope, type, id: thing.id, op }];
};

const allChanges = (
  things: readonly ThingChange[],
  touched: Touched,
  byId: ReadonlyMap<Uuid, StoredThing>,
  shopId: Uuid,
): Change[] => {
  const gone = new Set(things.filter(({ op }) => op === 'archived').map(({ id }) => id));
  const found = [...touched.keys()].flatMap((id) => {
    const thing = byId.get(id);
    return thing === undefined ? [shopChange(shopId)] : changesOf(thing, byId, shopId, gone.has(id));
  });
  const byTarget = new Map<string, Change>();
  for (const change of found) {
    const target = `${change.scope}\n${change.type}\n${change.id}`;
    // What is gone is gone, also where one of its parts changed.
    if (change.op === 'delete' || !byTarget.has(target)) byTarget.set(target, change);
  }
  return [...byTarget.values()];
};

/** The plan that turns `before` into `file`; both hold rows of the same shop. */
export const planImport = (shopId: Uuid, before: ShopRows, file: ShopRows, options: PlanOptions): Plan => {
  const staff = options.staff ? file.staff : before.staff.filter((person) => person.archived_at === null);
  const { rows, kept } = withRunningState(before, { ...file, staff }, options.state);
  const stored = thingsIn(before, shopId);
  const wanted = thingsIn(rows, shopId);
  const live = new Set(wanted.map(({ id }) => id));
  const plans = TABLE_NAMES.map((table) => planTable(table, before[table], rows[table], live, options.now));
  const touched = touchedBy(plans, before, shopId);
  const things = thingChanges(stored, wanted, touched);
  things.unshift(...shopItself(shopId, before, rows, touched));
  const byId = new Map([...stored, ...wanted].map((thing) => [thing.id, thing]));
  return {
    shopId,
    tables: stamped(plans, before, touched, options.now),
    things,
    details: detailsOf(before, rows, things),
    slips: things.length === 0 ? [] : newSlips(before, rows),
    unchanged: wanted.length + 1 - things.filter(({ op }) => op !== 'archived').length,
    changes: allChanges(things, touched, byId, shopId),
    stateKept: kept,
  };
};

/** The columns that an update of `table` writes. */
export const writtenColumns = (table: TableName, withState: boolean): string[] => {
  const { key, columns, state } = specOf(table);
  const untouched = new Set([...key, ...(withState ? [] : (state ?? []))]);
  return Object.keys(columns).filter((column) => !untouched.has(column));
};
