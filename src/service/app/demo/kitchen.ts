/** What the kitchen has of the demo's orders. */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../../kernel/ids.ts';
import type { Instant } from '../../../kernel/time.ts';
import { followInKitchen } from '../../../orders/app/order-kitchen.ts';
import { orderById, stateOf } from '../../../orders/app/shared.ts';
import type { OrderStatus } from '../../../orders/domain/order.ts';
import type { App } from '../../../platform/app/app.ts';
import type { ChangeLog } from '../../../platform/app/commit.ts';
import type { Database } from '../../../platform/store/schema.ts';
import { dropDemoFirings } from '../../store/demo.ts';

type Order = NonNullable<Awaited<ReturnType<typeof orderById>>>;

/** The steps of an order that the kitchen hears of. */
const stepsOf = (order: Order): readonly { readonly status: OrderStatus; readonly at: Instant }[] =>
  (
    [
      ['confirmed', order.confirmed_at],
      ['ready', order.ready_at],
      ['cancelled', order.cancelled_at],
    ] as const
  ).flatMap(([status, at]) => (at === null ? [] : [{ status, at }]));

/** Fires the orders anew, at the times that they have since this start. */
export const fireDemoOrders = async (
  app: App,
  tx: Kysely<Database>,
  log: ChangeLog,
  orgId: Uuid,
  orderIds: readonly Uuid[],
): Promise<void> => {
  await dropDemoFirings(tx, orgId, orderIds);
  for (const id of orderIds) {
    const order = await orderById(tx, orgId, id);
    if (order?.confirmed_at == null) continue;
    let before: OrderStatus = 'received';
    for (const { status, at } of stepsOf(order)) {
      const change = { before: { ...stateOf(order), status: before }, row: { ...order, status }, by: null };
      await followInKitchen(app, tx, log, { ...change, isHandedOver: true }, at);
      before = status;
    }
  }
};
