import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Translations } from '../../kernel/names.ts';
import type { OrderStatus, StoredCart } from '../domain/order.ts';
import { cancelReasonText } from '../domain/order.ts';
import type { OnlineChannel } from '../../shops/domain/shop.ts';
import type { Instant } from '../../kernel/time.ts';
import { orderEarning, type TrackedOrder } from '../domain/tracking.ts';
import type { Mode } from '../../loyalty/domain/programme.ts';
import type { Database } from '../../platform/store/schema.ts';

interface TrackingRow {
  id: Uuid;
  org_id: Uuid;
  slug: string;
  shop_name: string;
  shop_name_translations: Translations;
  branch_id: Uuid;
  branch_name: string;
  branch_name_translations: Translations;
  time_zone: string;
  main_language: string;
  channel: OnlineChannel;
  status: OrderStatus;
  created_at: Instant;
  confirmed_at: Instant | null;
  preparing_at: Instant | null;
  ready_at: Instant | null;
  out_for_delivery_at: Instant | null;
  delivered_at: Instant | null;
  cancelled_at: Instant | null;
  rejected_at: Instant | null;
  base_prep_minutes: number;
  extra_prep_minutes: number;
  subtotal: number;
  delivery_fee: number;
  discount_amount: number;
  tax_amount: number;
  tax_rate_applied: string;
  tax_inclusive: boolean;
  total: number;
  customer_name: string;
  address_line: string | null;
  floor: string | null;
  unit_number: string | null;
  place_name: string | null;
  delivery_ref: string | null;
  payment_method_hint: string | null;
  cancel_reason: string | null;
  cart: StoredCart;
  earned: { mode: Mode; amount: number } | null;
}

const asTracked = (row: TrackingRow): TrackedOrder => ({
  id: row.id,
  orgId: row.org_id,
  slug: row.slug,
  shopName: row.shop_name,
  shopNameTranslations: row.shop_name_translations,
  branchId: row.branch_id,
  branchName: row.branch_name,
  branchNameTranslations: row.branch_name_translations,
  zone: row.time_zone,
  channel: row.channel,
  status: row.status,
  createdAt: row.created_at,
  stepTimes: {
    confirmed: row.confirmed_at,
    preparing: row.preparing_at,
    ready: row.ready_at,
    out_for_delivery: row.out_for_delivery_at,
    delivered: row.delivered_at,
    cancelled: row.cancelled_at,
    rejected: row.rejected_at,
  },
  basePrepMinutes: row.base_prep_minutes,
  extraPrepMinutes: row.extra_prep_minutes,
  subtotal: row.subtotal,
  deliveryFee: row.delivery_fee,
  discountAmount: row.discount_amount,
  taxAmount: row.tax_amount,
  taxRate: row.tax_rate_applied,
  taxInclusive: row.tax_inclusive,
  total: row.total,
  customerName: row.customer_name,
  address: {
    addressLine: row.address_line,
    floor: row.floor,
    unitNumber: row.unit_number,
    placeName: row.place_name,
  },
  deliveryRef: row.delivery_ref,
  paymentMethodHint: row.payment_method_hint,
  cancelReason: row.cancel_reason === null ? null : cancelReasonText(row.cancel_reason, row.main_language),
  lines: row.cart.lines,
  rewards: row.cart.rewards ?? [],
  loyalty: orderEarning(row.status, row.cart.loyalty ?? null, row.earned),
});

/** Null: unknown, or the shop is switched off. */
export const trackedOrder = async (
  db: Kysely<Database>,
  orgId: Uuid,
  orderId: Uuid,
): Promise<TrackedOrder | null> => {
  const { rows } = await sql<TrackingRow>`
    select d.id, d.org_id, s.slug, s.name as shop_name, s.name_translations as shop_name_translations, d.branch_id, b.name as branch_name,
           b.name_translations as branch_name_translations, b.time_zone, s.main_language,
           d.channel, d.status, d.created_at, d.confirmed_at, d.preparing_at, d.ready_at,
           d.out_for_delivery_at, d.delivered_at, d.cancelled_at, d.rejected_at,
           d.base_prep_minutes, d.extra_prep_minutes, d.subtotal, d.delivery_fee, d.discount_amount, d.tax_amount,
           d.tax_rate_applied, d.tax_inclusive, d.total, d.customer_name, d.address_line, d.floor, d.unit_number,
           d.place_name, d.delivery_ref, d.payment_method_hint, d.cancel_reason, d.cart,
           (select json_build_object('mode', e.mode, 'amount', e.amount) from loyalty_entry e
            where e.org_id = ${orgId} and e.sale_id = d.id and e.kind = 'earn') as earned
    from delivery_order d
    join branch b on b.org_id = ${orgId} and b.id = d.branch_id
    join shop s on s.org_id = ${orgId}
    where d.org_id = ${orgId} and d.id = ${orderId} and s.is_active
  `.execute(db);
  return rows[0] === undefined ? null : asTracked(rows[0]);
};
