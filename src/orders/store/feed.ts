/** Online orders as devices of a branch hold them. */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/store/schema.ts';
import { LIVE_STATUSES } from '../domain/order.ts';
import type { StoredOrder } from './delivery-order.ts';

type Db = Kysely<Database>;

const ordersAt = (db: Db, orgId: Uuid, branchId: Uuid) =>
  db.selectFrom('delivery_order').selectAll().where('org_id', '=', orgId).where('branch_id', '=', branchId);

/** Those that have not ended, by id. */
export const liveOrdersAfter = async (
  db: Db,
  orgId: Uuid,
  branchId: Uuid,
  { after, limit }: { readonly after: Uuid | null; readonly limit: number },
): Promise<readonly StoredOrder[]> =>
  ordersAt(db, orgId, branchId)
    .where('status', 'in', [...LIVE_STATUSES])
    .$if(after !== null, (query) => query.where('id', '>', after))
    .orderBy('id')
    .limit(limit)
    .execute();

/** Of these, those of the branch, ended or not. */
export const ordersAtByIds = async (
  db: Db,
  orgId: Uuid,
  branchId: Uuid,
  ids: readonly Uuid[],
): Promise<readonly StoredOrder[]> =>
  ids.length === 0
    ? []
    : ordersAt(db, orgId, branchId)
        .where('id', 'in', [...ids])
        .execute();
