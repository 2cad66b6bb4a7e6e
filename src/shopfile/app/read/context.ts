import type { ShopFile } from '../../contract/shopfile.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import { entryPath } from '../../domain/json.ts';
import type { Instant } from '../../../kernel/time.ts';
import type { ShopRows } from '../../store/tables.ts';
import type { Faults } from '../faults.ts';
import { KIND_LABELS, normalizedName, type EntityKind } from '../entity-ids.ts';
import type { EntityIndex, Entity } from '../entity-index.ts';

/** State shared by the readers of one file. */
export interface ReadContext {
  readonly file: ShopFile;
  readonly main: string;
  readonly entityIndex: EntityIndex;
  readonly faults: Faults;
  /** Default of creation times. */
  readonly now: Instant;
  /** Output of the readers. */
  readonly rows: ShopRows;
}

export type Entry<List> = List extends readonly (infer T)[] | undefined ? T : never;
export type MenuFile = ShopFile['menu'];
export type BranchEntry = ShopFile['branches'][number];
export type ItemEntry = Entry<NonNullable<MenuFile['items']>>;
export type ComboEntry = Entry<NonNullable<MenuFile['combos']>>;
export type DealEntry = Entry<NonNullable<MenuFile['deals']>>;
export type DiscountEntry = Entry<NonNullable<MenuFile['discounts']>>;

export const reportDuplicates = <T>(
  list: readonly T[],
  handleOf: (entry: T) => string,
  report: (index: number, first: number) => void,
): void => {
  const first = new Map<string, number>();
  for (const [index, entry] of list.entries()) {
    const handle = normalizedName(handleOf(entry));
    const earlier = first.get(handle);
    if (earlier === undefined) first.set(handle, index);
    else report(index, earlier);
  }
};

export const hasAtMostDecimals = (value: number, places: number): boolean =>
  Number(value.toFixed(places)) === value;

/** Reports and skips invalid and repeated references. */
export const resolveAll = (
  { entityIndex, faults }: ReadContext,
  kind: EntityKind,
  references: readonly string[],
  path: string,
  parent?: Uuid,
): Entity[] => {
  const found = new Map<Uuid, Entity>();
  for (const [index, reference] of references.entries()) {
    const at = entryPath(path, index);
    const entity = entityIndex.resolve(kind, reference, at, parent);
    if (entity === null) continue;
    if (found.has(entity.id)) faults.add(at, `names the same ${KIND_LABELS[kind]} as an entry before it`);
    found.set(entity.id, entity);
  }
  return [...found.values()];
};

/** The index at the end of a path: 3 for `menu.items[3]`. */
export const entryIndex = (path: string): number => Number(/\[([0-9]+)\]$/.exec(path)?.[1]);
