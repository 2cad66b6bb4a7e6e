import { ONLINE_CHANNELS, type OnlineChannel } from '../../shops/domain/shop.ts';
import { ORDER_STATUSES, type OrderStatus } from '../domain/order.ts';

interface OrderCount {
  readonly channel: OnlineChannel;
  readonly status: OrderStatus;
  count: number;
}

/** Orders that reached a status, of every shop, since the start of the process; placed ones reach `received`. */
export class OrderCounts {
  readonly #counts = new Map<string, OrderCount>(
    ONLINE_CHANNELS.flatMap((channel) =>
      ORDER_STATUSES.map((status): [string, OrderCount] => [
        `${channel} ${status}`,
        { channel, status, count: 0 },
      ]),
    ),
  );

  /** Call it after the commit. */
  reached(channel: OnlineChannel, status: OrderStatus): void {
    const counted = this.#counts.get(`${channel} ${status}`);
    if (counted !== undefined) counted.count += 1;
  }

  all(): readonly Readonly<OrderCount>[] {
    return [...this.#counts.values()];
  }
}

declare module '../../platform/app/app.ts' {
  interface App {
    readonly orderCounts: OrderCounts;
  }
}
