import { sql, type Kysely, type RawBuilder } from 'kysely';
import { branchScope } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/store/schema.ts';

/** The parts of a branch's sale that change: the version of its prices, and stock. */
export interface SaleState {
  /** The newest change number in the shop's scope or the branch's; 0 without any. */
  readonly version: number;
  /** Counted units left at the branch, by id; uncounted things are absent. */
  readonly stock: ReadonlyMap<Uuid, number>;
}

export interface SaleStateRow {
  readonly version: number;
  readonly stock: Readonly<Record<Uuid, number>>;
}

/**
 * Columns of a statement: three index look-ups. Other branches' changes, orders and bookings leave the version alone.
 * The conditions on `scope` match the index `change_of_sale`.
 */
export const saleStateColumns = (
  orgId: Uuid,
  branchId: Uuid,
  ids: readonly Uuid[],
): RawBuilder<SaleStateRow> => sql`
  greatest(
    (select max(seq) from change where org_id = ${orgId} and scope = 'shop'),
    (select max(seq) from change
     where org_id = ${orgId} and scope = ${branchScope(branchId)} and scope like 'branch:%'),
    0) as version,
  coalesce((select json_object_agg(subject_id, greatest(stock, 0))
            from availability
            where org_id = ${orgId} and subject_id = any(${ids}::uuid[]) and branch_id = ${branchId}
              and channel is null and stock is not null), '{}') as stock`;

export const saleStateOf = ({ version, stock }: SaleStateRow): SaleState => ({
  version,
  stock: new Map(Object.entries(stock)),
});

export const loadSaleState = async (
  db: Kysely<Database>,
  orgId: Uuid,
  branchId: Uuid,
  ids: readonly Uuid[],
): Promise<SaleState> => {
  const { rows } = await sql<SaleStateRow>`
    select ${saleStateColumns(orgId, branchId, ids)}
  `.execute(db);
  return saleStateOf(rows[0] ?? { version: 0, stock: {} });
};

/** The tables in use at a branch, by the ids of their QR codes. */
export const liveTables = async (
  db: Kysely<Database>,
  orgId: Uuid,
  branchId: Uuid,
): Promise<ReadonlySet<Uuid>> => {
  const { rows } = await sql<{ id: Uuid }>`
    select coalesce(public_id, id) as id from dining_table
    where org_id = ${orgId} and branch_id = ${branchId} and archived_at is null
  `.execute(db);
  return new Set(rows.map(({ id }) => id));
};
