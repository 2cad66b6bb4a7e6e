import type { App } from '../../platform/app/app.ts';
import { LIVE_STATUSES } from '../domain/order.ts';
import { countOpenOrders } from '../store/open-orders.ts';

/** Orders that a reading counts at most, so that its cost has a bound. */
const MOST = 10_000;

/** By status, of all shops together. */
export const openOrders = async ({ db }: Pick<App, 'db'>): Promise<Readonly<Record<string, number>>> => {
  const counted = new Map(
    (await countOpenOrders(db.kysely, MOST)).map(({ status, count }) => [status, count]),
  );
  return Object.fromEntries(LIVE_STATUSES.map((status) => [status, counted.get(status) ?? 0]));
};
