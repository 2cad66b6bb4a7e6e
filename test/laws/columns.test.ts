/** The table specifications of `store/schema` equal the migrated database and fit the contract of the shop file. */
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BOOKING_TABLES } from '../../src/bookings/store/schema/booking.ts';
import { DELIVERY_TABLES } from '../../src/delivery/store/schema/road-distance.ts';
import { IDENTITY_TABLES } from '../../src/identity/store/schema/otp.ts';
import { KITCHEN_TABLES } from '../../src/kitchen/store/schema/kitchen.ts';
import { LOYALTY_TABLES } from '../../src/loyalty/store/schema/loyalty.ts';
import { WALLET_TABLES } from '../../src/loyalty/store/schema/wallets.ts';
import { MENU_TABLES } from '../../src/menu/store/schema/menu.ts';
import { MESSAGING_TABLES } from '../../src/messaging/store/schema/outbox.ts';
import { CUSTOMER_TABLES } from '../../src/customers/store/schema/customer.ts';
import { ORDER_TABLES } from '../../src/orders/store/schema/order.ts';
import { PICTURE_TABLES } from '../../src/pictures/store/schema/picture.ts';
import { AUDIT_TABLES } from '../../src/platform/store/schema/audit.ts';
import { CHANGE_TABLES } from '../../src/platform/store/schema/change.ts';
import { IDEMPOTENCY_TABLES } from '../../src/platform/store/schema/idempotency.ts';
import { REQUEST_LIMIT_TABLES } from '../../src/platform/store/schema/request-limit.ts';
import type { ColumnSpec, Table } from '../../src/platform/store/schema/columns.ts';
import { SILENCE_TABLE } from '../../src/platform/store/sending.ts';
import { valueTypes } from '../../src/platform/store/types.ts';
import { shapesAt, type Shape } from '../../src/shopfile/contract/schema-path.ts';
import { TICKET_TABLES } from '../../src/floor/store/schema/ticket.ts';
import { SALE_TABLES } from '../../src/sales/store/schema/sale.ts';
import { specOf, TABLE_NAMES } from '../../src/shopfile/store/tables.ts';
import { DINING_TABLES } from '../../src/shops/store/schema/dining-table.ts';
import { SHOP_TABLES } from '../../src/shops/store/schema/shop.ts';
import { FEED_TABLES } from '../../src/sync/store/schema/feed.ts';
import { REPLAY_TABLES } from '../../src/sync/store/schema/replay.ts';
import { STAFF_TABLES } from '../../src/staff/store/schema/staff.ts';
import { freshDatabase, withAdmin, type TestDatabase } from '../support/database/test-database.ts';

const TABLES: Readonly<Record<string, Table>> = {
  ...AUDIT_TABLES,
  ...BOOKING_TABLES,
  ...CHANGE_TABLES,
  ...IDEMPOTENCY_TABLES,
  ...CUSTOMER_TABLES,
  ...DELIVERY_TABLES,
  ...DINING_TABLES,
  ...FEED_TABLES,
  ...IDENTITY_TABLES,
  ...KITCHEN_TABLES,
  ...LOYALTY_TABLES,
  ...WALLET_TABLES,
  ...MENU_TABLES,
  ...MESSAGING_TABLES,
  ...ORDER_TABLES,
  ...PICTURE_TABLES,
  ...REPLAY_TABLES,
  ...REQUEST_LIMIT_TABLES,
  ...SALE_TABLES,
  ...SHOP_TABLES,
  ...STAFF_TABLES,
  ...TICKET_TABLES,
};

/** The list of migrations and the silence; no topic queries them through Kysely's types. */
const UNSPECIFIED: readonly string[] = ['migration', SILENCE_TABLE];

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.release());

const query = <R extends pg.QueryResultRow>(text: string): Promise<R[]> =>
  withAdmin(
    { connection: database.owner },
    async (client) => (await client.query<R>({ text, types: valueTypes })).rows,
  );

interface StoredColumn {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly generated: boolean;
  readonly default: string | null;
}

const storedColumns = (): Promise<StoredColumn[]> =>
  query<StoredColumn>(`
    select
      c.relname as table, a.attname as column, not a.attnotnull as nullable,
      replace(format_type(a.atttypid, a.atttypmod), 'timestamp with time zone', 'timestamptz') as type,
      a.attidentity <> '' as generated, pg_get_expr(d.adbin, d.adrelid) as default
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    order by c.relname, a.attnum`);

const specified: readonly (readonly [string, string, ColumnSpec])[] = Object.entries(TABLES).flatMap(
  ([table, { columns }]) =>
    Object.entries(columns).map(([column, { spec }]) => [table, column, spec] as const),
);

test('every column of the database is specified with type, nullability and default', async () => {
  const stored = (await storedColumns()).filter(({ table }) => !UNSPECIFIED.includes(table));
  const inDatabase = stored.map(({ table, column, type, nullable, generated, default: expression }) => [
    `${table}.${column}`,
    type,
    nullable ? 'null' : 'not null',
    generated || expression !== null ? 'default' : 'no default',
  ]);
  const inSpecifications = specified.map(([table, column, spec]) => [
    `${table}.${column}`,
    spec.type,
    spec.isNullable ? 'null' : 'not null',
    spec.hasDefault ? 'default' : 'no default',
  ]);
  expect(inSpecifications.map((row) => row.join(' ')).sort()).toEqual(
    inDatabase.map((row) => row.join(' ')).sort(),
  );
});

test('a specified default is the value that the database inserts', async () => {
  const expressions = new Map(
    (await storedColumns()).map((column) => [`${column.table}.${column.column}`, column.default]),
  );
  const withValue = specified.filter(([, , spec]) => spec.defaultValue !== undefined);
  expect(withValue.length).toBeGreaterThan(50);
  const casts = withValue.map(
    ([table, column, { type }], index) =>
      `(${expressions.get(`${table}.${column}`) ?? 'null'})::${type} as d${index}`,
  );
  const [row] = await query(`select ${casts.join(', ')}`);
  const comparable = (value: unknown, { type }: ColumnSpec): unknown =>
    type.startsWith('numeric') ? Number(value) : value;
  for (const [index, [table, column, spec]] of withValue.entries())
    expect([table, column, comparable(row?.[`d${index}`], spec)]).toEqual([
      table,
      column,
      comparable(spec.defaultValue, spec),
    ]);
});

test('the tables of a shop file stand in the order of their foreign keys', async () => {
  const keys = await query<{ child: string; parent: string }>(`
    select c.relname as child, p.relname as parent
    from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class p on p.oid = f.confrelid
    where f.contype = 'f' and f.conrelid <> f.confrelid`);
  const names: readonly string[] = TABLE_NAMES;
  const wrong = keys
    .filter(({ child, parent }) => names.includes(child) && names.includes(parent))
    .filter(({ child, parent }) => names.indexOf(child) < names.indexOf(parent));
  expect(wrong).toEqual([]);
  expect(names).toHaveLength(38);
});

test('the key of a shop-file table is unique within a shop', async () => {
  const unique = await query<{ table: string; columns: string[] }>(`
    select c.relname as table, array_agg(a.attname::text order by a.attname) as columns
    from pg_index i
    join pg_class c on c.oid = i.indrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey::int2[])
    where i.indisunique and i.indpred is null
    group by i.indexrelid, c.relname`);
  const known = new Set(unique.map(({ table, columns }) => [table, ...columns].join(' ')));
  const wanted = TABLE_NAMES.map((table) => [table, ...['org_id', ...specOf(table).key].sort()].join(' '));
  expect(wanted.filter((key) => !known.has(key))).toEqual([]);
});

// ── The shop file ───────────────────────────────────────────────────────────────────────────────

const JSON_TYPES: Readonly<Record<string, string>> = {
  text: 'string',
  date: 'string',
  boolean: 'boolean',
  integer: 'integer',
  'double precision': 'number',
};

const namesIn = (type: Shape['type']): string[] => (type === undefined ? [] : [type].flat()).sort();

/** The type and optionality that a field needs to fit its column. */
const wantedOf = (spec: ColumnSpec) => ({
  type: [JSON_TYPES[spec.type] ?? '', ...(spec.isNullable && spec.hasDefault ? ['null'] : [])].sort(),
  isOptional: spec.isNullable || spec.hasDefault,
});

const places = TABLE_NAMES.flatMap((table) =>
  (specOf(table).in ?? []).flatMap((place) =>
    Object.values(specOf(table).columns).flatMap((spec) =>
      spec.path === null ? [] : [{ table, place, path: spec.path, spec }],
    ),
  ),
);

test('a column with a path belongs to a table with a place', () => {
  const lost = TABLE_NAMES.filter((table) => specOf(table).in === undefined).filter((table) =>
    Object.values(specOf(table).columns).some(({ path }) => path !== null),
  );
  expect(lost).toEqual([]);
  expect(places.length).toBeGreaterThan(70);
});

test.each(places)('$place $path has the type and default of its $table column', ({ place, path, spec }) => {
  const parts = path.split('.');
  const parents = shapesAt([place, ...parts.slice(0, -1)].filter((part) => part !== '').join('.'));
  const fields = shapesAt([place, path].filter((part) => part !== '').join('.'));
  expect(fields).not.toEqual([]);
  expect(fields).toHaveLength(parents.length);
  for (const field of fields) {
    expect(namesIn(field.type)).toEqual(wantedOf(spec).type);
    if (field.default !== undefined) expect(field.default).toEqual(spec.defaultValue);
  }
  for (const parent of parents)
    expect(parent.required?.includes(parts.at(-1) ?? '') ?? false).toBe(!wantedOf(spec).isOptional);
});
