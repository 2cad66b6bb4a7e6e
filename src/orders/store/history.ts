/** Earlier orders and saved addresses of a phone. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Translations } from '../../kernel/names.ts';
import type { FrozenCart } from '../../pricing/domain/frozen-cart.ts';
import type { OrderStatus, StepTimes } from '../domain/order.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { SavedChannel } from '../../customers/domain/address.ts';
import type { OnlineChannel } from '../../shops/domain/shop.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';

type Db = Kysely<Database>;

export interface PastOrder {
  readonly id: Uuid;
  readonly branchId: Uuid;
  readonly branchName: string;
  readonly branchNameTranslations: Translations;
  readonly status: OrderStatus;
  readonly channel: OnlineChannel;
  /** The order was placed by this phone's proven owner, not only for it. */
  readonly isOwn: boolean;
  readonly deliveryRef: string | null;
  readonly customerName: string;
  readonly addressLine: string | null;
  readonly placeName: string | null;
  readonly lat: number | null;
  readonly lng: number | null;
  readonly createdAt: Instant;
  readonly ends: Pick<StepTimes, 'delivered' | 'cancelled' | 'rejected'>;
  readonly subtotal: number;
  readonly deliveryFee: number;
  readonly discountAmount: number;
  readonly taxAmount: number;
  readonly total: number;
  readonly taxInclusive: boolean;
  readonly cart: FrozenCart;
}

type PastOrderRow = Omit<PastOrder, 'ends'> & PastOrder['ends'];

/** Newest first: orders with the phone as contact, and those of the customer who has it. */
export const ordersOfPhone = async (
  db: Db,
  orgId: Uuid,
  phone: Phone,
  limit: number,
): Promise<PastOrder[]> => {
  const { rows } = await sql<PastOrderRow>`
    select d.id, d.branch_id as "branchId", b.name as "branchName", b.name_translations as "branchNameTranslations",
           d.status, d.channel, d.delivery_ref as "deliveryRef",
           d.otp_verified and (not d.contact_override or c.phone is not distinct from ${phone}) as "isOwn",
           d.customer_name as "customerName", d.address_line as "addressLine", d.place_name as "placeName",
           d.customer_lat as lat, d.customer_lng as lng, d.created_at as "createdAt",
           d.delivered_at as delivered, d.cancelled_at as cancelled, d.rejected_at as rejected, d.subtotal,
           d.delivery_fee as "deliveryFee", d.discount_amount as "discountAmount", d.tax_amount as "taxAmount", d.total,
           d.tax_inclusive as "taxInclusive", d.cart
    from delivery_order d
    join branch b on b.org_id = ${orgId} and b.id = d.branch_id
    left join customer c on c.org_id = ${orgId} and c.id = d.customer_id
    where d.org_id = ${orgId} and d.id in (
      (select id from delivery_order
       where org_id = ${orgId} and customer_phone = ${phone}
       order by created_at desc, id desc limit ${limit})
      union
      (select id from delivery_order
       where org_id = ${orgId} and customer_id = (select id from customer where org_id = ${orgId} and phone = ${phone})
       order by created_at desc, id desc limit ${limit}))
    order by d.created_at desc, d.id desc
    limit ${limit}
  `.execute(db);
  return rows.map(({ delivered, cancelled, rejected, ...order }) => ({
    ...order,
    ends: { delivered, cancelled, rejected },
  }));
};

export interface PastLocation {
  readonly branchId: Uuid;
  readonly channel: SavedChannel;
  readonly lastUsedAt: Instant;
  readonly addressLine: string | null;
  readonly floor: string | null;
  readonly unitNumber: string | null;
  readonly landmark: string | null;
  readonly placeName: string | null;
  readonly lat: number | null;
  readonly lng: number | null;
}

/**
 * Newest first: `outside` addresses of every branch; others of this branch only, because the name of a
 * mall floor or an umbrella is valid at one branch only.
 */
export const locationsOfPhone = async (
  db: Db,
  orgId: Uuid,
  phone: Phone,
  branchId: Uuid,
  limit: number,
): Promise<PastLocation[]> => {
  const { rows } = await sql<PastLocation>`
    select a.branch_id as "branchId", a.channel, a.last_used_at as "lastUsedAt", a.address_line as "addressLine", a.floor,
           a.unit_number as "unitNumber", a.landmark, a.place_name as "placeName", a.lat, a.lng
    from customer c
    join customer_address a on a.org_id = ${orgId} and a.customer_id = c.id
    where c.org_id = ${orgId} and c.phone = ${phone} and a.branch_id is not null
      and (a.channel = 'outside' or a.branch_id = ${branchId})
    order by a.last_used_at desc, a.id desc
    limit ${limit}
  `.execute(db);
  return rows;
};
