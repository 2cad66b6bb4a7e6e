/** Sales whose orders were reopened. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { StoredSale } from './sale.ts';

type Db = Kysely<Database>;

/** Deletes a sale with its payments, and keeps that it was there. */
export const deleteSale = async (
  tx: Db,
  { orgId, id, branchId, reference }: Pick<StoredSale, 'orgId' | 'id' | 'branchId' | 'reference'>,
  now: Instant,
): Promise<void> => {
  await sql`delete from sale_payment where org_id = ${orgId} and sale_id = ${id}`.execute(tx);
  await sql`delete from sale where org_id = ${orgId} and id = ${id}`.execute(tx);
  await tx
    .insertInto('undone_sale')
    .values({ org_id: orgId, id, branch_id: branchId, sale_ref: reference, undone_at: at(now) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Those of these sales that the branch has no more. */
export const undoneSales = async (
  db: Db,
  { orgId, branchId }: Pick<StoredSale, 'orgId' | 'branchId'>,
  ids: readonly Uuid[],
): Promise<readonly Uuid[]> => {
  const { rows } = await sql<{ id: Uuid }>`
    select distinct u.id from undone_sale u
    where u.org_id = ${orgId} and u.id = any(${[...ids]}::uuid[]) and u.branch_id = ${branchId}
      and not exists (select from sale s where s.org_id = ${orgId} and s.id = u.id)
  `.execute(db);
  return rows.map(({ id }) => id);
};

/** Whether a delivery of it was ever undone. */
export const wasUndone = async (db: Db, orgId: Uuid, id: Uuid): Promise<boolean> => {
  const { rows } = await sql`
    select from undone_sale where org_id = ${orgId} and id = ${id} limit 1
  `.execute(db);
  return rows.length > 0;
};
