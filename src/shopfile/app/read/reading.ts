import type { ShopFile } from '../../contract/shopfile.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import { entryPath } from '../../domain/json.ts';
import type { Instant } from '../../../kernel/time.ts';
import type { ShopRows } from '../../store/tables.ts';
import type { Faults } from '../faults.ts';
import { KIND_WORDS, sameForm, type ThingKind } from '../identity.ts';
import type { Register, Thing } from '../register.ts';

/** A file on its way into rows. */
export interface Reading {
  readonly file: ShopFile;
  readonly main: string;
  readonly register: Register;
  readonly faults: Faults;
  /** When what is created was created, where the file does not say. */
  readonly now: Instant;
  /** Filled as the file is read. */
  readonly rows: ShopRows;
}

export type Entry<List> = List extends readonly (infer T)[] | undefined ? T : never;
export type MenuFile = ShopFile['menu'];
export type BranchEntry = ShopFile['branches'][number];
export type ItemEntry = Entry<NonNullable<MenuFile['items']>>;
export type ComboEntry = Entry<NonNullable<MenuFile['combos']>>;
export type DealEntry = Entry<NonNullable<MenuFile['deals']>>;
export type DiscountEntry = Entry<NonNullable<MenuFile['discounts']>>;

/** Reports every entry that says the same as an earlier one. */
export const reportRepeats = <T>(
  list: readonly T[],
  handleOf: (entry: T) => string,
  report: (index: number, first: number) => void,
): void => {
  const first = new Map<string, number>();
  for (const [index, entry] of list.entries()) {
    const handle = sameForm(handleOf(entry));
    const earlier = first.get(handle);
    if (earlier === undefined) first.set(handle, index);
    else report(index, earlier);
  }
};

/** Whether a number has no more than `places` decimals. */
export const hasDecimals = (value: number, places: number): boolean =>
  Number(value.toFixed(places)) === value;

/** What a list of references leads to, in order; one that is at fault or named twice is reported and left out. */
export const resolveEach = (
  { register, faults }: Reading,
  kind: ThingKind,
  references: readonly string[],
  path: string,
  parent?: Uuid,
): Thing[] => {
  const found = new Map<Uuid, Thing>();
  for (const [index, reference] of references.entries()) {
    const at = entryPath(path, index);
    const thing = register.resolve(kind, reference, at, parent);
    if (thing === null) continue;
    if (found.has(thing.id)) faults.add(at, `names the same ${KIND_WORDS[kind]} as an entry before it`);
    found.set(thing.id, thing);
  }
  return [...found.values()];
};

/** The number of the entry that a path ends with. */
export const indexIn = (path: string): number => Number(/\[([0-9]+)\]$/.exec(path)?.[1]);
