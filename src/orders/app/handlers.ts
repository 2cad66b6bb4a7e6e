import type { EventAggregator } from '../../platform/app/event-aggregator.ts';
import type { App } from '../../platform/app/app.ts';
import type { LookupLimit } from '../../platform/app/limits/lookup-limit.ts';
import type { BudgetLeases } from '../../messaging/app/budget-leases.ts';
import type { PriceBooks } from '../../pricing/app/pricebooks.ts';
import { awardSale } from './award.ts';
import {
  cancelOrder,
  finalizeOrder,
  getOrder,
  listOrders,
  markPrinted,
  moveOrder,
  reopenOrder,
  setPrepTime,
} from './board.ts';
import { boardEvents, type BoardEvents } from './board-events.ts';
import { setOrderBrake } from './brake.ts';
import { placeOrder } from './checkout.ts';
import { getDevice, orderHistory, pastLocations } from './history.ts';
import { orderNow } from './order-now.ts';
import { pastOrders } from './past-orders.ts';
import { makeStreamToken, streamBoardEvents } from './stream-tokens.ts';
import { trackOrder } from './tracking.ts';

interface Parts {
  readonly app: App;
  readonly books: PriceBooks;
  readonly tally: EventAggregator;
  readonly leases: BudgetLeases;
  readonly boards: BoardEvents;
  readonly lookups: LookupLimit;
}

/** The use case behind each operation of the topic, by operation id. */
export const handlers = ({ app, boards, lookups, ...parts }: Parts) => ({
  placeOrder: placeOrder({ app, ...parts }),
  trackOrder: trackOrder(app),
  orderHistory: orderHistory(app),
  pastLocations: pastLocations(app),
  getDevice: getDevice(app),
  pastOrders: pastOrders(app),
  orderNow: orderNow(app, lookups),
  listOrders: listOrders(app),
  getOrder: getOrder(app),
  moveOrder: moveOrder(app),
  cancelOrder: cancelOrder(app),
  finalizeOrder: finalizeOrder(app),
  reopenOrder: reopenOrder(app),
  setPrepTime: setPrepTime(app),
  markPrinted: markPrinted(app),
  setOrderBrake: setOrderBrake(app),
  awardSale: awardSale(app),
  boardEvents: boardEvents(app, boards),
  makeStreamToken: makeStreamToken(app),
  streamBoardEvents: streamBoardEvents(app, boards),
});
