/** The tables of the shop file, from the specifications of their topics. */
import { KITCHEN_TABLES } from '../../kitchen/store/schema/kitchen.ts';
import { LOYALTY_TABLES } from '../../loyalty/store/schema/loyalty.ts';
import { MENU_TABLES } from '../../menu/store/schema/menu.ts';
import type { ColumnSpec, ImportSpec, Table, TypesOf } from '../../platform/store/schema/columns.ts';
import { DINING_TABLES } from '../../shops/store/schema/dining-table.ts';
import { SHOP_TABLES } from '../../shops/store/schema/shop.ts';
import { STAFF_TABLES } from '../../staff/store/schema/staff.ts';

/** In the order of foreign keys. */
const TABLES = {
  ...SHOP_TABLES,
  ...DINING_TABLES,
  ...STAFF_TABLES,
  ...MENU_TABLES,
  ...LOYALTY_TABLES,
  ...KITCHEN_TABLES,
};
type Tables = typeof TABLES;

export type TableName = {
  [T in keyof Tables]: Tables[T]['import'] extends null ? never : T;
}[keyof Tables];
export type Columns<T extends TableName> = Tables[T]['columns'];

type ReadOnly<V> = V extends readonly (infer E)[] ? readonly E[] : V;
/** Imported columns, without the shop's id. */
export type Row<T extends TableName> = {
  readonly [
    C in keyof Columns<T> as C extends 'org_id'
      ? never
      : TypesOf<Columns<T>[C]>['import'] extends 'never'
        ? never
        : C
  ]: ReadOnly<TypesOf<Columns<T>[C]>['select']>;
};
/** A row of any table: column name to value. */
export type AnyRow = Readonly<Record<string, unknown>>;
/** All rows of one shop, from the file or from the database. */
export type ShopRows = { readonly [T in TableName]: Row<T>[] };

export interface TableSpec extends ImportSpec {
  /** Imported columns, without the shop's id. */
  readonly columns: Readonly<Record<string, ColumnSpec>>;
  /** Columns written with a new row only. */
  readonly onCreate: readonly string[];
  /** Columns of running state. */
  readonly state: readonly string[];
}

const specsOf = (tables: Readonly<Record<string, Table>>): [string, TableSpec][] =>
  Object.entries(tables).flatMap(([name, { columns, import: spec }]): [string, TableSpec][] => {
    if (spec === null) return [];
    const imported = Object.entries(columns)
      .map(([column, { spec: own }]) => [column, own] as const)
      .filter(([column, own]) => column !== 'org_id' && own.import !== 'never');
    const inMode = (mode: ColumnSpec['import']) =>
      imported.filter(([, own]) => own.import === mode).map(([column]) => column);
    const lists = { onCreate: inMode('create'), state: inMode('state') };
    return [[name, { ...spec, columns: Object.fromEntries(imported), ...lists }]];
  });

const SPECS: ReadonlyMap<string, TableSpec> = new Map(specsOf(TABLES));

const isTableName = (name: string): name is TableName => SPECS.has(name);
/** In the order in which rows can be inserted. */
export const TABLE_NAMES: readonly TableName[] = [...SPECS.keys()].filter(isTableName);

export const specOf = (table: TableName): TableSpec => {
  const spec = SPECS.get(table);
  if (spec === undefined) throw new RangeError(`The table ${table} is not in the shop file.`);
  return spec;
};

/** No row of any table. */
export const noRows = (): ShopRows => {
  const lists: Partial<Record<TableName, never[]>> = {};
  for (const table of TABLE_NAMES) lists[table] = [];
  // Every table is in TABLE_NAMES.
  return lists as ShopRows;
};
