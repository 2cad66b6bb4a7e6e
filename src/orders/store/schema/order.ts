import type { Generated } from 'kysely';
import type { Uuid } from '../../../kernel/ids.ts';
import type { StoredCart } from '../../domain/order.ts';
import type {
  DefaultJson,
  Json,
  NullableTimestamp,
  Timestamp,
} from '../../../platform/store/schema/columns.ts';

export interface DeliveryOrderTable {
  org_id: Uuid;
  id: Uuid;
  branch_id: Uuid;
  channel: string;
  status: Generated<string>;
  revision: Generated<number>;
  delivery_ref: string | null;
  customer_name: string;
  address_line: string | null;
  floor: string | null;
  unit_number: string | null;
  landmark: string | null;
  place_name: string | null;
  payment_method_hint: string | null;
  payment_method: string | null;
  cancel_reason: string | null;
  base_prep_minutes: number;
  extra_prep_minutes: Generated<number>;
  cart: Json<StoredCart>;
  subtotal: number;
  discount_amount: Generated<number>;
  service_charge_amount: Generated<number>;
  delivery_fee: Generated<number>;
  tax_rate_applied: string;
  tax_inclusive: boolean;
  tax_amount: number;
  total: number;
  created_at: Timestamp;
  updated_at: Timestamp;
  confirmed_at: NullableTimestamp;
  preparing_at: NullableTimestamp;
  ready_at: NullableTimestamp;
  out_for_delivery_at: NullableTimestamp;
  delivered_at: NullableTimestamp;
  cancelled_at: NullableTimestamp;
  rejected_at: NullableTimestamp;
  language: Generated<string>;
  order_id: Uuid | null;
  customer_id: Uuid | null;
  address_id: Uuid | null;
  delivery_zone_id: Uuid | null;
  customer_phone: string | null;
  delivery_notes: string | null;
  customer_lat: number | null;
  customer_lng: number | null;
  road_distance_meters: number | null;
  distance_source: string | null;
  discount_id: Uuid | null;
  discount_type: string | null;
  discount_rate: string | null;
  discount_value: number | null;
  service_charge_rate_applied: Generated<string>;
  otp_verified: Generated<boolean>;
  contact_override: Generated<boolean>;
  cancel_note: string | null;
  cancel_restocked: boolean | null;
  stock_taken: DefaultJson<readonly { readonly id: Uuid; readonly units: number }[]>;
  till_id: Uuid | null;
  receipt_printed_at: NullableTimestamp;
  erased_at: NullableTimestamp;
  notified: Generated<boolean>;
}

interface OrderBrakeLiftTable {
  org_id: Uuid;
  phone: string;
  until: Timestamp;
}

interface OrderNumberTable {
  org_id: Uuid;
  branch_code: string;
  date: string;
  last: number;
}

interface IdempotencyKeyTable {
  org_id: Uuid;
  operation: string;
  key: string;
  body_hash: Buffer;
  subject_id: Uuid;
  created_at: Timestamp;
}

interface RoadDistanceTable {
  org_id: Uuid;
  branch_id: Uuid;
  lat: string;
  lng: string;
  from_lat: number;
  from_lng: number;
  meters: number;
  source: string;
  measured_at: Timestamp;
}

interface ChangeCounterTable {
  org_id: Uuid;
  seq: number;
}

interface ChangeTable {
  org_id: Uuid;
  seq: number;
  scope: string;
  type: string;
  id: Uuid;
  op: string;
  at: Timestamp;
}

declare module '../../../platform/store/schema.ts' {
  interface Database {
    delivery_order: DeliveryOrderTable;
    order_brake_lift: OrderBrakeLiftTable;
    order_number: OrderNumberTable;
    idempotency_key: IdempotencyKeyTable;
    road_distance: RoadDistanceTable;
    change_counter: ChangeCounterTable;
    change: ChangeTable;
  }
}
