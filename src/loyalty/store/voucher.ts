/** What sales of devices spent on vouchers (Decisions 13). */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import type { Database } from '../../platform/store/schema.ts';
import { deleteBatch } from '../../platform/store/sweep.ts';

type Db = Kysely<Database>;

export interface VoucherUse {
  readonly orgId: Uuid;
  readonly voucherId: Uuid;
  readonly saleId: Uuid;
  /** Points or visits. */
  readonly cost: number;
}

/** What all sales that came so far spent on the voucher, and their card has paid. */
export const spentOn = async (db: Db, orgId: Uuid, voucherId: Uuid): Promise<number> => {
  const { rows } = await sql<{ spent: number }>`
    select coalesce(sum(cost), 0)::int as spent from loyalty_voucher_use
    where org_id = ${orgId} and voucher_id = ${voucherId}
  `.execute(db);
  return rows[0]?.spent ?? 0;
};

/** Counts what the sale spent, once; returns what all sales spent on the voucher. Its card is locked. */
export const addVoucherUse = async (
  tx: Db,
  { orgId, voucherId, saleId, cost }: VoucherUse,
  now: Instant,
): Promise<number> => {
  await sql`
    insert into loyalty_voucher_use (org_id, voucher_id, sale_id, cost, recorded_at)
    values (${orgId}, ${voucherId}, ${saleId}, ${cost}, ${at(now)})
    on conflict do nothing
  `.execute(tx);
  return spentOn(tx, orgId, voucherId);
};

/** The number of rows. */
export const deleteVoucherUses = (db: Db, before: Instant, most: number): Promise<number> =>
  deleteBatch(db, 'loyalty_voucher_use', sql`recorded_at < ${at(before)}`, most);
