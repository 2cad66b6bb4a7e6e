import { ONLINE_CHANNELS, type OnlineChannel } from '../../shops/domain/shop.ts';
import { ORDER_STATUSES, type OrderStatus } from '../domain/order.ts';

/** An undone delivery counts as `reopened`, and not as the step that it leads to. */
const COUNTED = [...ORDER_STATUSES, 'reopened'] as const;
type Counted = OrderStatus | 'reopened';

interface OrderCount {
  readonly channel: OnlineChannel;
  readonly status: Counted;
  count: number;
}

/** Orders that reached a status, of every shop, since the start of the process; placed ones reach `received`. */
export class OrderCounts {
  readonly #counts = new Map<string, OrderCount>(
    ONLINE_CHANNELS.flatMap((channel) =>
      COUNTED.map((status): [string, OrderCount] => [`${channel} ${status}`, { channel, status, count: 0 }]),
    ),
  );

  /** Call it after the commit. */
  reached(channel: OnlineChannel, status: Counted): void {
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
