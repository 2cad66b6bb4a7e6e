import type { Uuid } from '../../../kernel/ids.ts';
import { grouped } from '../../../kernel/grouped.ts';
import { byName } from '../../../kernel/names.ts';
import type { ShopRows } from '../../store/tables.ts';
import { sameForm, type ThingKind } from '../identity.ts';
import { thingsIn, type StoredThing } from '../stored.ts';
import { parseUuid } from '../../../kernel/ids.ts';

/** A shop's rows on their way into a file. */
export interface Writing {
  readonly main: string;
  readonly rows: ShopRows;
  /** Details of items, combos, deals and their like, by what they belong to. */
  readonly details: Details;
  /** Whether an id is of a thing that stands in the file. */
  isLive(id: Uuid): boolean;
  /** How the file refers to a thing: by its name where that says enough, else by its id. */
  refer(id: Uuid): string;
}

const bySubject = <R extends { readonly subject_id: Uuid }>(rows: readonly R[]) =>
  grouped(rows, (row) => row.subject_id);
const byItem = <R extends { readonly item_id: Uuid }>(rows: readonly R[]) =>
  grouped(rows, (row) => row.item_id);
const bySlot = <R extends { readonly slot_id: Uuid }>(rows: readonly R[]) =>
  grouped(rows, (row) => row.slot_id);
const byDeal = <R extends { readonly deal_id: Uuid }>(rows: readonly R[]) =>
  grouped(rows, (row) => row.deal_id);

const detailsOf = (rows: ShopRows) => ({
  prices: bySubject(rows.price),
  availability: bySubject(rows.availability),
  windows: bySubject(rows.sale_window),
  sizes: byItem(rows.item_size),
  optionals: byItem(rows.optional_field),
  allowedAddons: byItem(rows.item_allowed_addon),
  groups: byItem(rows.item_modifier_group),
  options: grouped(rows.modifier_option, (row) => row.group_id),
  slots: grouped(rows.combo_slot, (row) => row.combo_id),
  choices: bySlot(rows.combo_choice),
  extras: bySlot(rows.combo_size_extra),
  pools: byDeal(rows.deal_pool),
  dealBranches: byDeal(rows.deal_branch),
});

type Details = ReturnType<typeof detailsOf>;

/** Live things alone: what is archived, and the details of it, are no part of the file. */
export const writingOf = (rows: ShopRows, shopId: Uuid): Writing => {
  const things = thingsIn(rows, shopId).filter(({ isLive }) => isLive);
  const byId = new Map(things.map((thing) => [thing.id, thing]));
  const namesakes = new Map<string, number>();
  const handle = ({ kind, parent, name }: Pick<StoredThing, 'kind' | 'parent' | 'name'>): string =>
    [kind, WITHIN.has(kind) ? parent : '', sameForm(name)].join('\n');
  for (const thing of things) namesakes.set(handle(thing), (namesakes.get(handle(thing)) ?? 0) + 1);
  return {
    main: rows.shop[0]?.main_language ?? 'ar',
    rows,
    details: detailsOf(rows),
    isLive: (id) => byId.has(id),
    refer: (id) => {
      const thing = byId.get(id);
      const isPlain =
        thing !== undefined && namesakes.get(handle(thing)) === 1 && parseUuid(thing.name) === null;
      return isPlain ? thing.name : id;
    },
  };
};

/** Referred to within what they are part of. */
const WITHIN: ReadonlySet<ThingKind> = new Set(['table', 'slot']);

/** A field that is there only where it says something. */
export const given = <K extends string, V>(
  field: K,
  value: V | null | undefined,
): Partial<Record<K, NonNullable<V>>> => {
  const fields: Partial<Record<K, NonNullable<V>>> = {};
  if (value !== null && value !== undefined) fields[field] = value;
  return fields;
};

/** A field that is left out where the file's own default says the same. */
export const unless = <K extends string, V>(
  standard: V,
  field: K,
  value: V,
): Partial<Record<K, NonNullable<V>>> => given(field, value === standard ? null : value);

/** A list that is left out when it is empty. */
export const listed = <K extends string, V>(field: K, list: readonly V[]): Partial<Record<K, V[]>> =>
  given(field, list.length === 0 ? null : [...list]);

/** Live rows in their list's order. */
export const bySort = <
  R extends { readonly sort: number; readonly id: Uuid; readonly archived_at?: unknown },
>(
  rows: readonly R[],
): R[] => rows.filter(isLiveRow).sort((a, b) => a.sort - b.sort || (a.id < b.id ? -1 : 1));

/** Live rows of a list without an order of its own. */
export const named = <R extends { readonly name: string; readonly id: Uuid; readonly archived_at: unknown }>(
  rows: readonly R[],
): R[] => rows.filter(isLiveRow).sort(byName);

export const isLiveRow = ({ archived_at }: { readonly archived_at?: unknown }): boolean =>
  (archived_at ?? null) === null;
