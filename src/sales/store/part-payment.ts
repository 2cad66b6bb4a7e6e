/** Payments of bills that are not settled yet. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { SalePayment } from '../domain/sale.ts';

type Db = Kysely<Database>;

export interface PartPayment extends Omit<SalePayment, 'beyond'> {
  readonly id: Uuid;
  readonly billId: Uuid;
  readonly at: Instant;
  readonly staffId: Uuid;
}

/** Those that were not given back, the first one first. */
export const partPaymentsOf = async (
  db: Db,
  orgId: Uuid,
  billIds: readonly Uuid[],
): Promise<readonly PartPayment[]> => {
  if (billIds.length === 0) return [];
  const { rows } = await sql<PartPayment>`
    select id, bill_id as "billId", at, till_id as "tillId", staff_id as "staffId", method, amount, tip, tendered,
           tendered - amount - tip as change, late as "isLate"
    from part_payment
    where org_id = ${orgId} and bill_id = any(${[...billIds]}::uuid[]) and given_back_at is null
    order by at, id
  `.execute(db);
  return rows;
};

export const insertPartPayment = async (
  tx: Db,
  orgId: Uuid,
  branchId: Uuid,
  { at: moment, ...payment }: Omit<PartPayment, 'change'>,
): Promise<void> => {
  const { id, billId, tillId, staffId, method, amount, tip, tendered, isLate } = payment;
  await tx
    .insertInto('part_payment')
    .values({
      ...{ org_id: orgId, id, bill_id: billId, branch_id: branchId, at: at(moment), till_id: tillId },
      ...{ staff_id: staffId, method, amount, tip, tendered, late: isLate },
    })
    .execute();
};

export const deletePartPayments = async (tx: Db, orgId: Uuid, ids: readonly Uuid[]): Promise<void> => {
  if (ids.length === 0) return;
  await tx
    .deleteFrom('part_payment')
    .where('org_id', '=', orgId)
    .where('id', 'in', [...ids])
    .execute();
};

interface GivenBack {
  readonly id: Uuid;
  /** That it went out of; null: the branch needs none for it. */
  readonly tillId: Uuid | null;
  readonly now: Instant;
}

/** The till that took it keeps it among its payments. */
export const markGivenBack = async (tx: Db, orgId: Uuid, { id, tillId, now }: GivenBack): Promise<void> => {
  await tx
    .updateTable('part_payment')
    .set({ given_back_at: at(now), given_back_till_id: tillId })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
};

/** The payments of one bill are those of another: the two are merged. */
export const movePartPayments = async (tx: Db, orgId: Uuid, from: Uuid, to: Uuid): Promise<void> => {
  await tx
    .updateTable('part_payment')
    .set({ bill_id: to })
    .where('org_id', '=', orgId)
    .where('bill_id', '=', from)
    .execute();
};
