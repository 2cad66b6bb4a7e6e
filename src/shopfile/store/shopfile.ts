/** What an import and an export of a whole shop ask of the database: all rows of a shop, and bulk changes to them. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/store/schema.ts';
import {
  specOf,
  TABLE_NAMES,
  type AnyRow,
  type Column,
  type Row,
  type ShopRows,
  type TableName,
} from './tables.ts';

type Tx = Kysely<Database>;

/** One import of a shop at a time; a second one waits until the first has ended. */
export const lockForImport = async (tx: Tx, orgId: Uuid): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`import ${orgId}`}, 0))`.execute(tx);
};

const rowsOf = async <T extends TableName>(tx: Tx, table: T, orgId: Uuid): Promise<Row<T>[]> => {
  const { columns, key } = specOf(table);
  const named = sql.join(Object.keys(columns).map((column) => sql.ref(column)));
  // Always in one order: what has no order of its own is written to a file the same way each time.
  const order = key.length === 0 ? sql`` : sql`order by ${sql.join(key.map((column) => sql.ref(column)))}`;
  const found = await sql<Row<T>>`
    select ${named} from ${sql.table(table)} where org_id = ${orgId} ${order}
  `.execute(tx);
  return found.rows;
};

/** Everything a shop file can say about a shop, archived things included; all lists empty for no shop. */
export const loadShop = async (tx: Tx, orgId: Uuid): Promise<ShopRows> => {
  const lists: [TableName, AnyRow[]][] = [];
  for (const table of TABLE_NAMES) lists.push([table, await rowsOf(tx, table, orgId)]);
  // Every table is among TABLE_NAMES, each with its own rows.
  return Object.fromEntries(lists) as unknown as ShopRows;
};

export interface LocatorEntry {
  readonly id: Uuid;
  readonly org_id: Uuid;
  readonly kind: string;
}

/** What the given ids are already used for, at any shop. */
export const located = async (tx: Tx, ids: readonly Uuid[]): Promise<LocatorEntry[]> => {
  if (ids.length === 0) return [];
  const found = await sql<LocatorEntry>`
    select id, org_id, kind from locator where id = any(${[...ids]}::uuid[])
  `.execute(tx);
  return found.rows;
};

/** Takes ids for a shop. One that another import takes at the same moment is left to it: look with `located`. */
export const locate = async (tx: Tx, entries: readonly LocatorEntry[]): Promise<void> => {
  if (entries.length === 0) return;
  await sql`
    insert into locator (id, org_id, kind)
    select id, org_id, kind from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as r(id uuid, org_id uuid, kind text)
    on conflict (id) do nothing
  `.execute(tx);
};

export interface SlugOwner {
  readonly slug: string;
  readonly org_id: Uuid;
}

/** Which shops the given address names lead to, now or since a rename. */
export const slugOwners = async (tx: Tx, slugs: readonly string[]): Promise<SlugOwner[]> => {
  const found = await sql<SlugOwner>`
    select slug, org_id from shop_slug where slug = any(${[...slugs]}::text[])
  `.execute(tx);
  return found.rows;
};

/** Gives a shop address names. One that another import takes at the same moment is left to it. */
export const takeSlugs = async (tx: Tx, orgId: Uuid, slugs: readonly string[]): Promise<void> => {
  await sql`
    insert into shop_slug (slug, org_id) select unnest(${[...slugs]}::text[]), ${orgId} on conflict (slug) do nothing
  `.execute(tx);
};

/** Every address name of a shop. */
export const slugsOf = async (tx: Tx, orgId: Uuid): Promise<string[]> => {
  const found = await sql<{ slug: string }>`select slug from shop_slug where org_id = ${orgId}`.execute(tx);
  return found.rows.map(({ slug }) => slug);
};

/** The shop that an address name leads to, switched off or not; null when there is none. */
export const shopNamed = async (tx: Tx, slug: string): Promise<Uuid | null> =>
  (await slugOwners(tx, [slug]))[0]?.org_id ?? null;

export interface EmailOwner {
  readonly email: string;
  readonly org_id: Uuid;
}

/**
 * Whose the given e-mail addresses are, at any shop; archived people have none. No other import can take one of them
 * until the transaction ends. `emails` stand in one order, so that two imports cannot wait for each other.
 */
export const emailOwners = async (tx: Tx, emails: readonly string[]): Promise<EmailOwner[]> => {
  if (emails.length === 0) return [];
  await sql`
    select pg_advisory_xact_lock(hashtextextended('e-mail ' || email, 0)) from unnest(${[...emails]}::text[]) as email
  `.execute(tx);
  const found = await sql<EmailOwner>`
    select lower(email) as email, org_id from staff
    where lower(email) = any(${[...emails]}::text[]) and email is not null and archived_at is null
  `.execute(tx);
  return found.rows;
};

// ── Bulk changes ────────────────────────────────────────────────────────────────────────────────

/** Rows per statement. */
const CHUNK = 2_000;

const inChunks = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / CHUNK) }, (_, index) =>
    list.slice(index * CHUNK, (index + 1) * CHUNK),
  );

const typeOf = (column: Column): string => column.replace('?', '');

/** A value as it travels inside a JSON parameter. */
const travelling = (value: unknown, column: Column): unknown => {
  if (typeOf(column) !== 'timestamptz' || typeof value !== 'number') return value;
  return value === Infinity ? 'infinity' : new Date(value).toISOString();
};

/** `values` as a set of records with the given columns of a table. */
const records = (table: TableName, columns: readonly string[], values: readonly AnyRow[]) => {
  const spec = specOf(table);
  const types = columns.map((column) => [column, spec.columns[column] ?? 'text'] as const);
  const json = values.map((row) =>
    Object.fromEntries(types.map(([column, type]) => [column, travelling(row[column], type)])),
  );
  const definitions = types.map(([column, type]) => sql`${sql.ref(column)} ${sql.raw(typeOf(type))}`);
  return sql`jsonb_to_recordset(${JSON.stringify(json)}::jsonb) as r(${sql.join(definitions)})`;
};

/** Rows whose key columns are those of the record `r`; keys may hold null. */
const sameKey = (table: TableName) => {
  const conditions = specOf(table).key.map(
    (column) => sql`t.${sql.ref(column)} is not distinct from r.${sql.ref(column)}`,
  );
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
};

export const insertRows = async (
  tx: Tx,
  orgId: Uuid,
  table: TableName,
  rows: readonly AnyRow[],
): Promise<void> => {
  const columns = Object.keys(specOf(table).columns);
  const names = sql.join(columns.map((column) => sql.ref(column)));
  for (const chunk of inChunks(rows))
    await sql`
      insert into ${sql.table(table)} (org_id, ${names})
      select ${orgId}, ${names} from ${records(table, columns, chunk)}
    `.execute(tx);
};

/** Writes the given columns of rows that exist. */
export const updateRows = async (
  tx: Tx,
  orgId: Uuid,
  table: TableName,
  columns: readonly string[],
  rows: readonly AnyRow[],
): Promise<void> => {
  const sets = sql.join(columns.map((column) => sql`${sql.ref(column)} = r.${sql.ref(column)}`));
  const all = [...new Set([...specOf(table).key, ...columns])];
  for (const chunk of inChunks(rows))
    await sql`
      update ${sql.table(table)} t set ${sets} from ${records(table, all, chunk)}
      where t.org_id = ${orgId} and ${sameKey(table)}
    `.execute(tx);
};

export const deleteRows = async (
  tx: Tx,
  orgId: Uuid,
  table: TableName,
  rows: readonly AnyRow[],
): Promise<void> => {
  // A table with one row per shop has no key besides it.
  if (specOf(table).key.length === 0 && rows.length > 0)
    await sql`delete from ${sql.table(table)} where org_id = ${orgId}`.execute(tx);
  else
    for (const chunk of inChunks(rows))
      await sql`
      delete from ${sql.table(table)} t using ${records(table, specOf(table).key, chunk)}
      where t.org_id = ${orgId} and ${sameKey(table)}
    `.execute(tx);
};

/** Lets people trade their e-mail addresses: none is anybody's until the update that follows. */
export const releaseEmails = async (tx: Tx, orgId: Uuid, staffIds: readonly Uuid[]): Promise<void> => {
  if (staffIds.length === 0) return;
  await sql`
    update staff set email = null where org_id = ${orgId} and id = any(${[...staffIds]}::uuid[])
  `.execute(tx);
};

/** Lets branches trade their codes: none is anybody's until the update that follows. */
export const releaseBranchCodes = async (tx: Tx, orgId: Uuid, branchIds: readonly Uuid[]): Promise<void> => {
  if (branchIds.length === 0) return;
  await sql`
    update branch set code = id::text where org_id = ${orgId} and id = any(${[...branchIds]}::uuid[])
  `.execute(tx);
};
