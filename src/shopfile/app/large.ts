/** The form of a large file, in the memory that a small one takes: of each entry the first fault alone. */
import type { ValidateFunction } from 'ajv';
import type { ShopFile } from '../contract/shopfile.ts';
import { fieldPath } from '../domain/json.ts';
import type { Faults } from './faults.ts';
import type { Schema } from './fitted.ts';
import { foundBy, isObject, schemaAndAjv, worthSaying, type Found, type Shape } from './shape.ts';

/** Values of a file whose every fault is looked for; some five thousand items have as many. */
export const LARGE = 200_000;

/** The lists of a file that may be long. */
const LONG_LISTS: readonly (readonly string[])[] = [
  ['branches'],
  ['staff'],
  ...['categories', 'addons', 'modifier_groups', 'items', 'combos', 'deals', 'discounts'].map((name) => [
    'menu',
    name,
  ]),
];

const MOST_FOUND = 1000;

/** What stands below the fields of these names. */
export const at = (value: unknown, steps: readonly string[]): unknown =>
  steps.reduce<unknown>(
    (inner, step) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, step) : undefined),
    value,
  );

/** The file without what its long lists hold. */
const withoutLists = (value: unknown): unknown => {
  const emptied = (inner: unknown, steps: readonly string[]): unknown => {
    if (steps.length === 0) return Array.isArray(inner) ? [] : inner;
    if (!isObject(inner)) return inner;
    const [first = '', ...rest] = steps;
    return Object.fromEntries(
      Object.entries(inner as object).map(([name, own]: [string, unknown]) => [
        name,
        name === first ? emptied(own, rest) : own,
      ]),
    );
  };
  return LONG_LISTS.reduce(emptied, value);
};

/** The first fault of each entry of the long lists, and of the rest: all faults of a large file would fill the memory. */
const firstFaults = (value: unknown, { fits: firsts, entries }: Checker): Found[] => {
  const found: Found[] = [];
  const rest = withoutLists(value);
  if (!firsts(rest)) found.push(...worthSaying(firsts.errors ?? []).map((error) => foundBy(value, error)));
  for (const [index, steps] of LONG_LISTS.entries()) {
    const list = at(value, steps);
    const entry = entries[index];
    if (!Array.isArray(list) || entry === undefined) continue;
    const { fits, most } = entry;
    const path = steps.reduce(fieldPath, '');
    if (list.length > most) found.push({ path, problem: `must have at most ${most} entries`, object: path });
    for (const [place, one] of list.entries()) {
      if (found.length >= MOST_FOUND) return found;
      if (fits(one)) continue;
      const pointer = `/${steps.join('/')}/${place}`;
      const told = worthSaying(fits.errors ?? []);
      found.push(
        ...told.map((error) => foundBy(value, { ...error, instancePath: `${pointer}${error.instancePath}` })),
      );
    }
  }
  return found;
};

interface Checker {
  readonly fits: ValidateFunction<ShopFile>;
  /** For one entry of each of LONG_LISTS, and the most that there may be. */
  readonly entries: readonly { readonly fits: ValidateFunction; readonly most: number }[];
}

const compiled = (): Checker => {
  const { schema, ajv } = schemaAndAjv(false);
  const entryOf = (steps: readonly string[]): Checker['entries'][number] => {
    const list = steps.reduce<Schema | undefined>((of, step) => of?.properties?.[step], schema);
    return { fits: ajv.compile(list?.items ?? {}), most: list?.maxItems ?? Infinity };
  };
  return { fits: ajv.compile<ShopFile>(schema), entries: LONG_LISTS.map(entryOf) };
};

let checker: Checker | null = null;

/** As `checkShape`; a file with faults is not looked on in. */
export const checkLargeShape = (value: unknown, faults: Faults): Shape | null => {
  checker ??= compiled();
  if (checker.fits(value)) return { file: value, wrong: new Set() };
  for (const { path, problem } of firstFaults(value, checker)) faults.add(path, problem);
  return null;
};
