import type { App } from '../../platform/app/app.ts';
import { LIVE_STATUSES } from '../domain/order.ts';
import { countOpenOrders } from '../store/open-orders.ts';

/** Orders that a reading counts at most, so that its cost has a bound. */
const MOST = 10_000;

/** By status, of all shops together. */
export const openOrders = async ({ db }: Pick<App, 'db'>): Promise<Readonly<Record<string, number>>> => {
  const counts = await countOpenOrders(db.kysely, MOST);
  const countOf = (status: string): number =>
    counts.filter((row) => row.status === status).reduce((all, { count }) => all + count, 0);
  return Object.fromEntries(LIVE_STATUSES.map((status) => [status, countOf(status)]));
};
