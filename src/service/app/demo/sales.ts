/** The sales of the demo's delivered orders. */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../../kernel/ids.ts';
import { deliveredSale } from '../../../orders/app/order-sale.ts';
import { orderById } from '../../../orders/app/shared.ts';
import type { ChangeLog } from '../../../platform/app/commit.ts';
import type { Database } from '../../../platform/store/schema.ts';
import { bookSale } from '../../../sales/app/shared.ts';
import { dropDemoSales } from '../../store/demo.ts';

/** Books the orders anew, at the times and amounts that they have since this start; what was refunded stays. */
export const bookDemoSales = async (
  tx: Kysely<Database>,
  log: ChangeLog,
  orgId: Uuid,
  orderIds: readonly Uuid[],
): Promise<void> => {
  const kept = await dropDemoSales(tx, orgId, orderIds);
  for (const id of orderIds) {
    if (kept.has(id)) continue;
    const order = await orderById(tx, orgId, id);
    const { payment_method: paymentMethod = null, delivered_at: deliveredAt = null } = order ?? {};
    if (order === null || paymentMethod === null || deliveredAt === null) continue;
    const delivery = { at: deliveredAt, tillId: null, staffId: null, paymentMethod };
    await bookSale(tx, log, deliveredSale(order, delivery));
  }
};
