import { sql, type Kysely } from 'kysely';
import type { Database } from '../../platform/store/schema.ts';
import { LIVE_STATUSES } from '../domain/order.ts';

/** Literals, not parameters: every plan can then use the partial index of orders under way. */
export const isOpenOrder = sql`status in (${sql.join(LIVE_STATUSES.map((status) => sql.lit(status)))})`;

/** Of all shops, at most `most`, by the partial index of orders under way. */
export const countOpenOrders = async (
  db: Kysely<Database>,
  most: number,
): Promise<readonly { readonly status: string; readonly count: number }[]> => {
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*)::integer as count
    from (select status
          from delivery_order
          where ${isOpenOrder}
          limit ${most}) as open_order
    group by status
  `.execute(db);
  return rows;
};
