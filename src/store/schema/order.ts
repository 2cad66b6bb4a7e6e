import type { Generated } from 'kysely';
import type { Uuid } from '../../domain/ids.ts';
import type { StoredCart } from '../../domain/order.ts';
import type { Json, NullableTimestamp, Timestamp } from './columns.ts';

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
}

export interface ChangeCounterTable {
  org_id: Uuid;
  seq: number;
}

export interface ChangeTable {
  org_id: Uuid;
  seq: number;
  scope: string;
  type: string;
  id: Uuid;
  op: string;
  at: Timestamp;
}
