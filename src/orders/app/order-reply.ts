/** Shapes, DeliveryOrder. */
import type { Static } from 'typebox';
import type { DeliveryOrder, StaffOrder } from '../contract/delivery-order.ts';
import type { DistanceSource } from '../../delivery/domain/delivery.ts';
import type { FrozenCart } from '../../pricing/domain/frozen-cart.ts';
import { cancelReasonText } from '../domain/order.ts';
import { possibleMoves } from '../domain/transitions.ts';
import { isoInstant, type Instant } from '../../kernel/time.ts';
import { stateOf, type StoredOrder } from '../store/delivery-order.ts';

type GuestReply = Static<typeof DeliveryOrder>;
type StaffReply = Static<typeof StaffOrder>;

const isoOrNull = (instant: Instant | null): string | null => (instant === null ? null : isoInstant(instant));

/** Casts to literal types rely on check constraints of the table. */
const moneyOf = (row: StoredOrder) => ({
  subtotal: row.subtotal,
  discount_amount: row.discount_amount,
  discount_id: row.discount_id,
  discount_type: row.discount_type as 'percentage' | 'fixed' | null,
  discount_rate: Number(row.discount_rate ?? 0),
  discount_value: row.discount_value ?? 0,
  delivery_fee: row.delivery_fee,
  service_charge_amount: row.service_charge_amount,
  service_charge_rate_applied: Number(row.service_charge_rate_applied),
  tax_amount: row.tax_amount,
  tax_inclusive: row.tax_inclusive,
  tax_rate_applied: Number(row.tax_rate_applied),
  total: row.total,
});

const placeOf = (row: StoredOrder) => ({
  address_line: row.address_line,
  floor: row.floor,
  unit_number: row.unit_number,
  landmark: row.landmark,
  place_name: row.place_name,
  delivery_notes: row.delivery_notes,
  customer_lat: row.customer_lat,
  customer_lng: row.customer_lng,
  delivery_zone_id: row.delivery_zone_id,
  road_distance_meters: row.road_distance_meters,
  distance_source: row.distance_source as DistanceSource | null,
});

const stepsOf = (row: StoredOrder) => ({
  confirmed_at: isoOrNull(row.confirmed_at),
  preparing_at: isoOrNull(row.preparing_at),
  ready_at: isoOrNull(row.ready_at),
  out_for_delivery_at: isoOrNull(row.out_for_delivery_at),
  delivered_at: isoOrNull(row.delivered_at),
  cancelled_at: isoOrNull(row.cancelled_at),
  rejected_at: isoOrNull(row.rejected_at),
  receipt_printed_at: isoOrNull(row.receipt_printed_at),
});

const orderReply = (row: StoredOrder) => {
  const { channel, status } = stateOf(row);
  return {
    id: row.id,
    org_id: row.org_id,
    branch_id: row.branch_id,
    channel,
    status,
    revision: row.revision,
    delivery_ref: row.delivery_ref,
    customer_id: row.customer_id,
    address_id: row.address_id,
    customer_name: row.customer_name,
    customer_phone: row.customer_phone ?? '',
    contact_override: row.contact_override,
    otp_verified: row.otp_verified,
    notified: row.notified,
    ...placeOf(row),
    // Written by `frozenCart` only.
    cart: row.cart as FrozenCart as GuestReply['cart'],
    ...moneyOf(row),
    reward_cost: row.reward_cost,
    payment_method_hint: row.payment_method_hint,
    payment_method: row.payment_method,
    order_id: row.order_id,
    extra_prep_minutes: row.extra_prep_minutes,
    estimated_prep_minutes: row.base_prep_minutes + row.extra_prep_minutes,
    cancel_restocked: row.cancel_restocked,
    created_at: isoInstant(row.created_at),
    updated_at: isoInstant(row.updated_at),
    ...stepsOf(row),
  };
};

/** Hides the customer unless a device proved the phone (Decisions 8). `language`: the shop's. */
export const guestOrderReply = (row: StoredOrder, language: string): GuestReply => {
  const reason = row.cancel_reason === null ? null : cancelReasonText(row.cancel_reason, language);
  return {
    ...orderReply(row),
    ...(row.otp_verified ? {} : { customer_id: null, address_id: null }),
    cancel_reason: reason?.text ?? null,
    cancel_reason_translations: reason?.translations ?? {},
  };
};

export const staffOrderReply = (row: StoredOrder): StaffReply => {
  const state = stateOf(row);
  return {
    ...orderReply(row),
    language: row.language === 'en' ? 'en' : 'ar',
    cancel_reason: state.cancelReason,
    cancel_note: row.cancel_note,
    moves: [...possibleMoves(state)],
  };
};
