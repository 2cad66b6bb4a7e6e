/** Schema check of large files: collects the first fault of each entry, since all faults would exhaust memory. */
import type { ValidateFunction } from 'ajv';
import type { ShopFile } from '../contract/shopfile.ts';
import { fieldPath } from '../domain/json.ts';
import type { Faults } from './faults.ts';
import type { Schema } from './schema-repair.ts';
import {
  schemaFaultOf,
  isObject,
  schemaAndAjv,
  relevantErrors,
  type SchemaFault,
  type CheckedFile,
} from './schema-check.ts';

/** Values of a file with about 5000 items. */
export const LARGE_FILE_VALUES = 200_000;

const LONG_LISTS: readonly (readonly string[])[] = [
  ['branches'],
  ['staff'],
  ...['categories', 'addons', 'modifier_groups', 'items', 'combos', 'deals', 'discounts'].map((name) => [
    'menu',
    name,
  ]),
];

const MAX_FAULTS = 1000;

export const valueAt = (value: unknown, steps: readonly string[]): unknown =>
  steps.reduce<unknown>(
    (inner, step) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, step) : undefined),
    value,
  );

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

const firstFaults = (value: unknown, { validate: validateFile, entries }: Checker): SchemaFault[] => {
  const found: SchemaFault[] = [];
  const rest = withoutLists(value);
  if (!validateFile(rest))
    found.push(...relevantErrors(validateFile.errors ?? []).map((error) => schemaFaultOf(value, error)));
  for (const [index, steps] of LONG_LISTS.entries()) {
    const list = valueAt(value, steps);
    const entry = entries[index];
    if (!Array.isArray(list) || entry === undefined) continue;
    const { validate, maxEntries } = entry;
    const path = steps.reduce(fieldPath, '');
    if (list.length > maxEntries)
      found.push({ path, problem: `must have at most ${maxEntries} entries`, object: path });
    for (const [position, one] of list.entries()) {
      if (found.length >= MAX_FAULTS) return found;
      if (validate(one)) continue;
      const pointer = `/${steps.join('/')}/${position}`;
      const errors = relevantErrors(validate.errors ?? []);
      found.push(
        ...errors.map((error) =>
          schemaFaultOf(value, { ...error, instancePath: `${pointer}${error.instancePath}` }),
        ),
      );
    }
  }
  return found;
};

interface Checker {
  readonly validate: ValidateFunction<ShopFile>;
  /** Parallel to LONG_LISTS. */
  readonly entries: readonly { readonly validate: ValidateFunction; readonly maxEntries: number }[];
}

const compile = (): Checker => {
  const { schema, ajv } = schemaAndAjv(false);
  const entryOf = (steps: readonly string[]): Checker['entries'][number] => {
    const list = steps.reduce<Schema | undefined>((of, step) => of?.properties?.[step], schema);
    return { validate: ajv.compile(list?.items ?? {}), maxEntries: list?.maxItems ?? Infinity };
  };
  return { validate: ajv.compile<ShopFile>(schema), entries: LONG_LISTS.map(entryOf) };
};

let checker: Checker | null = null;

/** As `checkSchema`, but null for any file with faults. */
export const checkLargeSchema = (value: unknown, faults: Faults): CheckedFile | null => {
  checker ??= compile();
  if (checker.validate(value)) return { file: value, invalidPaths: new Set() };
  for (const { path, problem } of firstFaults(value, checker)) faults.add(path, problem);
  return null;
};
