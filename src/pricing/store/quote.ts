import { sql, type Kysely, type RawBuilder } from 'kysely';
import { branchScope } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/store/schema.ts';

/** What of a branch's sale may have changed since somebody last looked. */
export interface SaleStanding {
  /** The number of the newest change that concerns it: of the shop's scope, or the branch's; 0 when there is none. */
  readonly version: number;
  /** Counted units left at the branch, by id; what is not counted is not there. */
  readonly stock: ReadonlyMap<Uuid, number>;
}

/** The columns of `saleStandingColumns`, as they arrive. */
export interface SaleStandingRow {
  readonly version: number;
  readonly stock: Readonly<Record<Uuid, number>>;
}

/**
 * How a branch's sale stands, in three index look-ups, as columns of a statement. Neither other branches' changes nor
 * orders and bookings move the version. The conditions on `scope` are those of the index `change_of_sale`.
 */
export const saleStandingColumns = (
  orgId: Uuid,
  branchId: Uuid,
  ids: readonly Uuid[],
): RawBuilder<SaleStandingRow> => sql`
  greatest(
    (select max(seq) from change where org_id = ${orgId} and scope = 'shop'),
    (select max(seq) from change
     where org_id = ${orgId} and scope = ${branchScope(branchId)} and scope like 'branch:%'),
    0) as version,
  coalesce((select json_object_agg(subject_id, stock)
            from availability
            where org_id = ${orgId} and subject_id = any(${ids}::uuid[]) and branch_id = ${branchId}
              and channel is null and stock is not null), '{}') as stock`;

export const saleStandingOf = ({ version, stock }: SaleStandingRow): SaleStanding => ({
  version,
  stock: new Map(Object.entries(stock)),
});

export const saleStanding = async (
  db: Kysely<Database>,
  orgId: Uuid,
  branchId: Uuid,
  ids: readonly Uuid[],
): Promise<SaleStanding> => {
  const { rows } = await sql<SaleStandingRow>`
    select ${saleStandingColumns(orgId, branchId, ids)}
  `.execute(db);
  return saleStandingOf(rows[0] ?? { version: 0, stock: {} });
};

/** The tables of a branch that are in use. */
export const liveTables = async (
  db: Kysely<Database>,
  orgId: Uuid,
  branchId: Uuid,
): Promise<ReadonlySet<Uuid>> => {
  const rows = await db
    .selectFrom('dining_table')
    .select('id')
    .where('org_id', '=', orgId)
    .where('branch_id', '=', branchId)
    .where('archived_at', 'is', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
};
