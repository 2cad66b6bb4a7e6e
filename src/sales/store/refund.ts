/** Refunds of sales. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { LocalDate } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { UnitSpan } from '../domain/refund.ts';
import type { Refund } from '../domain/sale.ts';

type Db = Kysely<Database>;

export interface NewRefund extends Omit<Refund, 'lines' | 'isLate'> {
  readonly orgId: Uuid;
  readonly saleId: Uuid;
  readonly branchId: Uuid;
  readonly businessDate: LocalDate;
  /** Not when left out. */
  readonly isLate?: boolean;
  readonly lines: readonly (UnitSpan & { readonly amount: number })[];
}

export const hasRefund = async (db: Db, orgId: Uuid, id: Uuid): Promise<boolean> => {
  const { rows } = await sql`select from sale_refund where org_id = ${orgId} and id = ${id}`.execute(db);
  return rows.length > 0;
};

/** Of a locked sale. */
export const insertRefund = async (tx: Db, refund: NewRefund): Promise<void> => {
  const { orgId, id, saleId } = refund;
  await sql`update sale set refunded = refunded + ${refund.amount} where org_id = ${orgId} and id = ${saleId}`.execute(
    tx,
  );
  await tx
    .insertInto('sale_refund')
    .values({
      ...{ org_id: orgId, id, sale_id: saleId, branch_id: refund.branchId, at: at(refund.at) },
      ...{ business_date: refund.businessDate, till_id: refund.tillId, staff_id: refund.staffId },
      ...{ method: refund.method, amount: refund.amount, tax_amount: refund.tax },
      ...{ delivery_fee: refund.deliveryFee, reason: refund.reason, note: refund.note },
      ...{ restocked: refund.isRestocked, late: refund.isLate ?? false },
    })
    .execute();
  if (refund.lines.length === 0) return;
  await tx
    .insertInto('sale_refund_line')
    .values(
      refund.lines.map(({ index, from, units, amount }) => ({
        ...{
          org_id: orgId,
          sale_id: saleId,
          line_index: index,
          first_unit: from,
          units,
          refund_id: id,
          amount,
        },
      })),
    )
    .execute();
};
