import { sql, type Kysely } from 'kysely';
import { rowsHeard } from '../../platform/store/nodes/everywhere.ts';
import type { Database } from '../../platform/store/schema.ts';
import { LIVE_STATUSES } from '../domain/order.ts';

/** Literals, not parameters: every plan can then use the partial index of orders under way. */
export const isOpenOrder = sql`status in (${sql.join(LIVE_STATUSES.map((status) => sql.lit(status)))})`;

/**
 * Of all shops whose nodes answer, at most `most`, by the partial index of orders under way. A status comes once from each
 * node that is asked by itself.
 */
export const countOpenOrders = async (
  db: Kysely<Database>,
  most: number,
): Promise<readonly { readonly status: string; readonly count: number }[]> => {
  return await rowsHeard(
    db,
    (ofShops) => sql<{ status: string; count: number }>`
    select status, count(*)::integer as count
    from (select status
          from delivery_order
          where ${isOpenOrder} and ${ofShops('org_id')}
          limit ${most}) as open_order
    group by status
  `,
  );
};
