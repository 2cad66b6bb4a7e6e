/** Reads all rows of a shop, and changes them in bulk, for imports and exports. */
import { CompiledQuery, sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { LOCK_EMAILS } from '../../platform/store/email-lock.ts';
import type { Database } from '../../platform/store/schema.ts';
import { at } from '../../platform/store/types.ts';
import { specOf, TABLE_NAMES, type AnyRow, type Row, type ShopRows, type TableName } from './tables.ts';

type Tx = Kysely<Database>;

/** Serialises the imports of a shop. */
export const lockForImport = async (tx: Tx, orgId: Uuid): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`import ${orgId}`}, 0))`.execute(tx);
};

const rowsOf = async <T extends TableName>(tx: Tx, table: T, orgId: Uuid): Promise<Row<T>[]> => {
  const { columns, key } = specOf(table);
  const named = sql.join(Object.keys(columns).map((column) => sql.ref(column)));
  // A stable order makes exports repeatable.
  const order = key.length === 0 ? sql`` : sql`order by ${sql.join(key.map((column) => sql.ref(column)))}`;
  const found = await sql<Row<T>>`
    select ${named} from ${sql.table(table)} where org_id = ${orgId} ${order}
  `.execute(tx);
  return found.rows;
};

/** All rows that a shop file describes, archived ones included; empty lists for an unknown shop. */
export const loadShop = async (tx: Tx, orgId: Uuid): Promise<ShopRows> => {
  const lists: [TableName, AnyRow[]][] = [];
  for (const table of TABLE_NAMES) lists.push([table, await rowsOf(tx, table, orgId)]);
  // Every table is in TABLE_NAMES.
  return Object.fromEntries(lists) as unknown as ShopRows;
};

export interface LocatorEntry {
  readonly id: Uuid;
  readonly org_id: Uuid;
  readonly kind: string;
}

/** Existing uses of the given ids, at any shop. */
export const located = async (tx: Tx, ids: readonly Uuid[]): Promise<LocatorEntry[]> => {
  if (ids.length === 0) return [];
  const found = await sql<LocatorEntry>`
    select id, org_id, kind from locator where id = any(${[...ids]}::uuid[])
  `.execute(tx);
  return found.rows;
};

/** Reserves ids for a shop. A concurrent import may win an id: check with `located`. */
export const locate = async (tx: Tx, entries: readonly LocatorEntry[]): Promise<void> => {
  if (entries.length === 0) return;
  await sql`
    insert into locator (id, org_id, kind)
    select id, org_id, kind from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as r(id uuid, org_id uuid, kind text)
    on conflict (id) do nothing
  `.execute(tx);
};

/** Gives back the ids of pictures that the shop no longer has. */
export const forgetPictures = async (tx: Tx, orgId: Uuid): Promise<void> => {
  const { rows } = await sql<{ id: Uuid }>`select id from picture where org_id = ${orgId}`.execute(tx);
  const kept = rows.map(({ id }) => id);
  await sql`
    delete from locator where org_id = ${orgId} and kind = 'picture' and id <> all(${kept}::uuid[])
  `.execute(tx);
};

export interface SlugOwner {
  readonly slug: string;
  readonly org_id: Uuid;
}

/** The shops with the given slugs, former slugs included. */
export const slugOwners = async (tx: Tx, slugs: readonly string[]): Promise<SlugOwner[]> => {
  const found = await sql<SlugOwner>`
    select slug, org_id from shop_slug where slug = any(${[...slugs]}::text[])
  `.execute(tx);
  return found.rows;
};

/** Reserves slugs for a shop. A concurrent import may win a slug: check with `slugOwners`. */
export const takeSlugs = async (tx: Tx, orgId: Uuid, slugs: readonly string[]): Promise<void> => {
  await sql`
    insert into shop_slug (slug, org_id) select unnest(${[...slugs]}::text[]), ${orgId} on conflict (slug) do nothing
  `.execute(tx);
};

/** Every slug of a shop, former ones included. */
export const slugsOf = async (tx: Tx, orgId: Uuid): Promise<string[]> => {
  const found = await sql<{ slug: string }>`select slug from shop_slug where org_id = ${orgId}`.execute(tx);
  return found.rows.map(({ slug }) => slug);
};

/** Of a shop that is there. */
export const presentSlugOf = async (tx: Tx, orgId: Uuid): Promise<string> => {
  const row = await tx
    .selectFrom('shop')
    .select('slug')
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow();
  return row.slug;
};

export const saveSlug = async (tx: Tx, orgId: Uuid, slug: string, now: Instant): Promise<void> => {
  await tx
    .updateTable('shop')
    .set({ slug, updated_at: at(now) })
    .where('org_id', '=', orgId)
    .execute();
};

export interface EmailOwner {
  readonly email: string;
  readonly org_id: Uuid;
}

/**
 * The shops of the given e-mail addresses, archived staff left out. Locks the addresses until the transaction ends.
 * `emails` are sorted, to avoid deadlocks between imports.
 */
export const emailOwners = async (tx: Tx, emails: readonly string[]): Promise<EmailOwner[]> => {
  if (emails.length === 0) return [];
  await tx.executeQuery(CompiledQuery.raw(LOCK_EMAILS, [[...emails]]));
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

const jsonParameter = (value: unknown, type: string): unknown => {
  if (type !== 'timestamptz' || typeof value !== 'number') return value;
  return value === Infinity ? 'infinity' : new Date(value).toISOString();
};

/** Rows as a SQL record set `r` of the given columns. */
const records = (table: TableName, columns: readonly string[], values: readonly AnyRow[]) => {
  const spec = specOf(table);
  const types = columns.map((column) => [column, spec.columns[column]?.type ?? 'text'] as const);
  const json = values.map((row) =>
    Object.fromEntries(types.map(([column, type]) => [column, jsonParameter(row[column], type)])),
  );
  const definitions = types.map(([column, type]) => sql`${sql.ref(column)} ${sql.raw(type)}`);
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
  // A table with one row per shop has no other key.
  if (specOf(table).key.length === 0 && rows.length > 0)
    await sql`delete from ${sql.table(table)} where org_id = ${orgId}`.execute(tx);
  else
    for (const chunk of inChunks(rows))
      await sql`
      delete from ${sql.table(table)} t using ${records(table, specOf(table).key, chunk)}
      where t.org_id = ${orgId} and ${sameKey(table)}
    `.execute(tx);
};

/** Clears e-mail addresses before an update, so that two people can swap theirs. */
export const releaseEmails = async (tx: Tx, orgId: Uuid, staffIds: readonly Uuid[]): Promise<void> => {
  if (staffIds.length === 0) return;
  await sql`
    update staff set email = null where org_id = ${orgId} and id = any(${[...staffIds]}::uuid[])
  `.execute(tx);
};

/** Replaces codes before an update, so that two branches can swap theirs. */
export const releaseBranchCodes = async (tx: Tx, orgId: Uuid, branchIds: readonly Uuid[]): Promise<void> => {
  if (branchIds.length === 0) return;
  await sql`
    update branch set code = id::text where org_id = ${orgId} and id = any(${[...branchIds]}::uuid[])
  `.execute(tx);
};
