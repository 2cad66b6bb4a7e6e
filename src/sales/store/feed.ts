/** Tills and sales as devices of a branch hold them. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { earliestBusinessDate } from '../../kernel/business-date.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import type { Database } from '../../platform/store/schema.ts';
import { selectSales, type StoredSale } from './sale.ts';
import { selectTills, type StoredTill } from './till.ts';

type Db = Kysely<Database>;

interface Held {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  /** Of a sale, or of the close of a till. */
  readonly since: Instant;
}

interface Page {
  readonly after: Uuid | null;
  readonly limit: number;
}

/** A row that devices hold, or one that they hold no more. */
type Marked<T> = T & { readonly isHeld: boolean };

const isTillHeld = (since: Instant): RawBuilder<boolean> =>
  sql<boolean>`(t.status = 'open' or t.closed_at > ${at(since)})`;

const isSaleHeld = (orgId: Uuid, since: Instant): RawBuilder<boolean> => sql<boolean>`
  (s.at > ${at(since)}
   or exists (select from till t where t.org_id = ${orgId} and t.id = s.till_id and t.status = 'open'))`;

/** By two indexes. */
const heldSales = ({ orgId, branchId, since }: Held): RawBuilder<unknown> => sql`
  select id from sale
  where org_id = ${orgId} and branch_id = ${branchId} and business_date >= ${earliestBusinessDate(since)}::date and at > ${at(since)}
  union
  select o.id from sale o join till t on t.org_id = ${orgId} and t.id = o.till_id
  where o.org_id = ${orgId} and t.branch_id = ${branchId} and t.status = 'open'`;

const follows = (id: RawBuilder<unknown>, after: Uuid | null): RawBuilder<unknown> =>
  after === null ? sql`` : sql`and ${id} > ${after}`;

/** By id. */
export const heldTillsAfter = async (
  db: Db,
  { orgId, branchId, since }: Held,
  { after, limit }: Page,
): Promise<readonly StoredTill[]> => {
  const { rows } = await sql<StoredTill>`
    ${selectTills(
      orgId,
      sql`t.branch_id = ${branchId} and ${isTillHeld(since)}
                    ${follows(sql`t.id`, after)}`,
    )}
    order by t.id limit ${limit}
  `.execute(db);
  return rows;
};

export const tillsByIds = async (
  db: Db,
  { orgId, branchId, since }: Held,
  ids: readonly Uuid[],
): Promise<readonly Marked<StoredTill>[]> => {
  const { rows } = await sql<Marked<StoredTill>>`
    select own.*, ${isTillHeld(since)} as "isHeld"
    from (${selectTills(orgId, sql`t.branch_id = ${branchId} and t.id = any(${[...ids]}::uuid[])`)}) own
    join till t on t.org_id = ${orgId} and t.id = own.id
  `.execute(db);
  return rows;
};

/** By id. */
export const heldSalesAfter = async (
  db: Db,
  place: Held,
  { after, limit }: Page,
): Promise<readonly StoredSale[]> => {
  const { rows } = await sql<StoredSale>`
    ${selectSales(place.orgId, sql`s.id in (${heldSales(place)}) ${follows(sql`s.id`, after)}`)}
    order by s.id limit ${limit}
  `.execute(db);
  return rows;
};

export const salesByIds = async (
  db: Db,
  { orgId, branchId, since }: Held,
  ids: readonly Uuid[],
): Promise<readonly Marked<StoredSale>[]> => {
  const { rows } = await sql<Marked<StoredSale>>`
    select own.*, ${isSaleHeld(orgId, since)} as "isHeld"
    from (${selectSales(orgId, sql`s.branch_id = ${branchId} and s.id = any(${[...ids]}::uuid[])`)}) own
    join sale s on s.org_id = ${orgId} and s.id = own.id
  `.execute(db);
  return rows;
};

/** Until that moment. */
export const earlierSalesOfTill = async (
  db: Db,
  orgId: Uuid,
  tillId: Uuid,
  until: Instant,
): Promise<readonly Uuid[]> => {
  const { rows } = await sql<{ id: Uuid }>`
    select id from sale where org_id = ${orgId} and till_id = ${tillId} and at <= ${at(until)} order by id
  `.execute(db);
  return rows.map(({ id }) => id);
};
