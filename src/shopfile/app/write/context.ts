import type { Uuid } from '../../../kernel/ids.ts';
import { groupBy } from '../../../kernel/group-by.ts';
import { byName } from '../../../kernel/names.ts';
import type { ShopRows } from '../../store/tables.ts';
import { normalizedName, type EntityKind } from '../entity-ids.ts';
import { entitiesIn, type StoredEntity } from '../stored-entities.ts';
import { parseUuid } from '../../../kernel/ids.ts';

/** State shared by the writers of one file. */
export interface WriteContext {
  readonly main: string;
  readonly rows: ShopRows;
  /** Detail rows by their parent. */
  readonly details: Details;
  /** The entity exists and is not archived. */
  isLive(id: Uuid): boolean;
  /** A reference for the file: the name if it is unambiguous, else the id. */
  refer(id: Uuid): string;
}

const bySubject = <R extends { readonly subject_id: Uuid }>(rows: readonly R[]) =>
  groupBy(rows, (row) => row.subject_id);
const byItem = <R extends { readonly item_id: Uuid }>(rows: readonly R[]) =>
  groupBy(rows, (row) => row.item_id);
const bySlot = <R extends { readonly slot_id: Uuid }>(rows: readonly R[]) =>
  groupBy(rows, (row) => row.slot_id);
const byDeal = <R extends { readonly deal_id: Uuid }>(rows: readonly R[]) =>
  groupBy(rows, (row) => row.deal_id);

const detailsOf = (rows: ShopRows) => ({
  prices: bySubject(rows.price),
  availability: bySubject(rows.availability),
  windows: bySubject(rows.sale_window),
  sizes: byItem(rows.item_size),
  optionals: byItem(rows.optional_field),
  allowedAddons: byItem(rows.item_allowed_addon),
  groups: byItem(rows.item_modifier_group),
  options: groupBy(rows.modifier_option, (row) => row.group_id),
  slots: groupBy(rows.combo_slot, (row) => row.combo_id),
  choices: bySlot(rows.combo_choice),
  extras: bySlot(rows.combo_size_extra),
  pools: byDeal(rows.deal_pool),
  rewardItems: groupBy(rows.loyalty_reward_item, (row) => row.reward_id),
  dealBranches: byDeal(rows.deal_branch),
});

type Details = ReturnType<typeof detailsOf>;

/** Indexes entities that are not archived. */
export const writeContextOf = (rows: ShopRows, shopId: Uuid): WriteContext => {
  const entities = entitiesIn(rows, shopId).filter(({ isLive }) => isLive);
  const byId = new Map(entities.map((entity) => [entity.id, entity]));
  const namesakes = new Map<string, number>();
  const handle = ({ kind, parent, name }: Pick<StoredEntity, 'kind' | 'parent' | 'name'>): string =>
    [kind, PARENT_SCOPED.has(kind) ? parent : '', normalizedName(name)].join('\n');
  for (const entity of entities) namesakes.set(handle(entity), (namesakes.get(handle(entity)) ?? 0) + 1);
  return {
    main: rows.shop[0]?.main_language ?? 'ar',
    rows,
    details: detailsOf(rows),
    isLive: (id) => byId.has(id),
    refer: (id) => {
      const entity = byId.get(id);
      const isPlain =
        entity !== undefined && namesakes.get(handle(entity)) === 1 && parseUuid(entity.name) === null;
      return isPlain ? entity.name : id;
    },
  };
};

/** Kinds that are referenced within their parent. */
const PARENT_SCOPED: ReadonlySet<EntityKind> = new Set(['table', 'slot']);

/** The field, unless the value is null or undefined. */
export const ifPresent = <K extends string, V>(
  field: K,
  value: V | null | undefined,
): Partial<Record<K, NonNullable<V>>> => {
  const fields: Partial<Record<K, NonNullable<V>>> = {};
  if (value !== null && value !== undefined) fields[field] = value;
  return fields;
};

/** The field, unless the value is the default. */
export const unlessDefault = <K extends string, V>(
  fallback: V,
  field: K,
  value: V,
): Partial<Record<K, NonNullable<V>>> => ifPresent(field, value === fallback ? null : value);

/** The list, unless it is empty. */
export const ifNotEmpty = <K extends string, V>(field: K, list: readonly V[]): Partial<Record<K, V[]>> =>
  ifPresent(field, list.length === 0 ? null : [...list]);

export const byOrder = <R extends { readonly sort: number }>(rows: readonly R[] = []): R[] =>
  [...rows].sort((a, b) => a.sort - b.sort);

/** A reference to a live entity; null: none. */
export const refer = (context: WriteContext, id: Uuid | null): string | null =>
  id === null || !context.isLive(id) ? null : context.refer(id);

/** Live rows by `sort`. */
export const liveBySort = <
  R extends { readonly sort: number; readonly id: Uuid; readonly archived_at?: unknown },
>(
  rows: readonly R[],
): R[] => rows.filter(isLiveRow).sort((a, b) => a.sort - b.sort || (a.id < b.id ? -1 : 1));

/** Live rows by name. */
export const liveByName = <
  R extends { readonly name: string; readonly id: Uuid; readonly archived_at: unknown },
>(
  rows: readonly R[],
): R[] => rows.filter(isLiveRow).sort(byName);

export const isLiveRow = ({ archived_at }: { readonly archived_at?: unknown }): boolean =>
  (archived_at ?? null) === null;
