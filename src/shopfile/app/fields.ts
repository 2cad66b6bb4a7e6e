/** Direct fields of the shop file: each holds the value of one column, whose specification has the field's path. */
import { shapesAt } from '../contract/schema-path.ts';
import type { TypesOf } from '../../platform/store/schema/columns.ts';
import { specOf, TABLE_NAMES, type AnyRow, type Columns, type Row, type TableName } from '../store/tables.ts';

type Types<T extends TableName, C extends keyof Columns<T>> = TypesOf<Columns<T>[C]>;
type FieldColumn<T extends TableName> = {
  [C in keyof Columns<T>]: Types<T, C>['path'] extends string ? C : never;
}[keyof Columns<T>] &
  keyof Row<T>;

/** `V` at a dotted path. */
type At<P, V, IsOptional> = P extends `${infer Head}.${infer Rest}`
  ? At<Head, At<Rest, V, IsOptional>, IsOptional>
  : P extends string
    ? IsOptional extends true
      ? { readonly [F in P]?: V }
      : { readonly [F in P]: V }
    : never;
type Intersection<U> = (U extends unknown ? (each: U) => void : never) extends (whole: infer I) => void
  ? I
  : never;

/** A nullable column with a default writes null to the file, because an absent field means the default. */
type FieldValue<T extends TableName, C extends FieldColumn<T>> = Types<T, C>['hasDefault'] extends true
  ? Row<T>[C]
  : NonNullable<Row<T>[C]>;
type IsOptional<T extends TableName, C extends FieldColumn<T>> = undefined extends Types<T, C>['insert']
  ? true
  : false;
type IsOmitted<T extends TableName, C extends FieldColumn<T>> = Types<T, C>['isAlwaysExported'] extends true
  ? false
  : IsOptional<T, C>;

type Entry<T extends TableName> = Intersection<
  { [C in FieldColumn<T>]: At<Types<T, C>['path'], FieldValue<T, C>, IsOptional<T, C>> }[FieldColumn<T>]
>;
type Fields<T extends TableName> = Intersection<
  { [C in FieldColumn<T>]: At<Types<T, C>['path'], FieldValue<T, C>, IsOmitted<T, C>> }[FieldColumn<T>]
>;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const valueAt = (entry: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), entry);

const put = (
  fields: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): void => {
  if (rest.length === 0) {
    fields[name] = value;
    return;
  }
  const inner = fields[name];
  const next = isRecord(inner) ? inner : {};
  fields[name] = next;
  put(next, rest, value);
};

const directFields = (table: TableName) =>
  Object.entries(specOf(table).columns).flatMap(([column, spec]) =>
    spec.path === null ? [] : [{ column, ...spec, path: spec.path.split('.') }],
  );
const FIELDS = new Map(TABLE_NAMES.map((table) => [table, directFields(table)]));
const fieldsOf = (table: TableName) => FIELDS.get(table) ?? [];

/** The contract's properties of a table's entries, each with its position. */
const ranks = (table: TableName): ReadonlyMap<string, number> => {
  const [place] = specOf(table).in ?? [];
  const [shape] = place === undefined ? [] : shapesAt(place);
  return new Map(Object.keys(shape?.properties ?? {}).map((name, rank) => [name, rank]));
};
const RANKS = new Map(TABLE_NAMES.map((table) => [table, ranks(table)]));

/** The columns of an entry's direct fields. An absent field gives the column's default, or null. */
export const columnsFrom = <T extends TableName>(table: T, entry: Entry<T>): Pick<Row<T>, FieldColumn<T>> => {
  const columns = fieldsOf(table).map(({ column, path, defaultValue }) => {
    const value = valueAt(entry, path);
    return [column, value === undefined ? (defaultValue ?? null) : value] as const;
  });
  // Entry<T> has the type of each column at the column's path.
  return Object.fromEntries(columns) as Pick<Row<T>, FieldColumn<T>>;
};

/** The direct fields of a row, in column order. A default is omitted, and so is null in a column without a default. */
export const fieldsFrom = <T extends TableName>(table: T, row: Pick<Row<T>, FieldColumn<T>>): Fields<T> => {
  const fields: Record<string, unknown> = {};
  const values: AnyRow = row;
  for (const { column, path, isAlwaysExported, hasDefault, defaultValue } of fieldsOf(table)) {
    const value = values[column];
    const isLeftOut = hasDefault ? value === defaultValue : value === null;
    if (isAlwaysExported || !isLeftOut) put(fields, path, value);
  }
  // Row<T> has the type of each field in the field's column.
  return fields as Fields<T>;
};

/** The fields of an entry, in the order of the contract. */
export const inContractOrder = <F extends object>(table: TableName, fields: F): F => {
  const rankOf = ([name]: [string, unknown]): number => RANKS.get(table)?.get(name) ?? 0;
  return Object.fromEntries(Object.entries(fields).sort((a, b) => rankOf(a) - rankOf(b))) as F;
};
