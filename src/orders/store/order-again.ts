/** Orders of a card's owner. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Translations } from '../../kernel/names.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { OnlineChannel } from '../../shops/domain/shop.ts';
import type { FrozenCart } from '../../pricing/domain/frozen-cart.ts';
import type { OrderStatus } from '../domain/order.ts';

type Db = Kysely<Database>;

interface OrderBranch {
  readonly branchId: Uuid;
  readonly branchName: string;
  readonly branchNameTranslations: Translations;
  readonly channel: OnlineChannel;
}

export interface OrderOfCard extends OrderBranch {
  readonly id: Uuid;
  readonly placedAt: Instant;
  readonly status: OrderStatus;
  readonly deliveryRef: string | null;
  readonly total: number;
  readonly cart: FrozenCart;
}

const branchColumns = sql`
  d.branch_id as "branchId", b.name as "branchName", b.name_translations as "branchNameTranslations", d.channel`;

export interface CardOrders {
  readonly orgId: Uuid;
  readonly customerId: Uuid;
  /** Only orders that were placed with this card, or with one combined with it; null: every order of the customer. */
  readonly placedWith: Uuid | null;
  readonly limit: number;
}

const isPlacedWith = (orgId: Uuid, cardId: Uuid) => sql`
  d.card_id in (select id from loyalty_card where org_id = ${orgId} and (id = ${cardId} or merged_into = ${cardId}))`;

/** Newest first. */
export const ordersOfCard = async (
  db: Db,
  { orgId, customerId, placedWith, limit }: CardOrders,
): Promise<OrderOfCard[]> => {
  const { rows } = await sql<OrderOfCard>`
    select d.id, d.created_at as "placedAt", d.status, d.delivery_ref as "deliveryRef", d.total, d.cart, ${branchColumns}
    from delivery_order d
    join branch b on b.org_id = ${orgId} and b.id = d.branch_id
    where d.org_id = ${orgId} and d.customer_id = ${customerId}
      and ${placedWith === null ? sql`true` : isPlacedWith(orgId, placedWith)}
    order by d.created_at desc, d.id desc
    limit ${limit}
  `.execute(db);
  return rows;
};

export interface LastOrder extends OrderBranch {
  readonly paymentHint: string | null;
}

/** The last one whose phone was proven (Decisions 8); null: none. */
export const lastProvenOrder = async (db: Db, orgId: Uuid, customerId: Uuid): Promise<LastOrder | null> => {
  const { rows } = await sql<LastOrder>`
    select ${branchColumns}, d.payment_method_hint as "paymentHint"
    from delivery_order d
    join branch b on b.org_id = ${orgId} and b.id = d.branch_id
    where d.org_id = ${orgId} and d.customer_id = ${customerId} and d.otp_verified
    order by d.created_at desc, d.id desc
    limit 1
  `.execute(db);
  return rows[0] ?? null;
};
