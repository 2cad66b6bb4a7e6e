import type { Generated } from 'kysely';
import type { Uuid } from '../../../kernel/ids.ts';
import type { NullableTimestamp, Timestamp } from '../../../platform/store/schema/columns.ts';

interface OtpPhoneTable {
  phone: string;
  code_hash: Buffer | null;
  code_expires_at: NullableTimestamp;
  tries: Generated<number>;
  sending_id: Uuid | null;
  sending_at: NullableTimestamp;
  codes: Generated<number[]>;
  failures: Generated<number[]>;
  updated_at: Timestamp;
}

interface GuestPhoneTable {
  phone: string;
  known_at: NullableTimestamp;
  told_at: Generated<number[]>;
  updated_at: Timestamp;
}

interface DeviceTokenTable {
  token_hash: Buffer;
  phone: string;
  issued_at: Timestamp;
  expires_at: Timestamp;
}

export interface CustomerTable {
  org_id: Uuid;
  id: Uuid;
  phone: string | null;
  name: string;
  language: Generated<string>;
  phone_proven_at: NullableTimestamp;
  created_at: Timestamp;
  updated_at: Timestamp;
  erased_at: NullableTimestamp;
}

export interface CustomerAddressTable {
  org_id: Uuid;
  id: Uuid;
  customer_id: Uuid;
  channel: string;
  branch_id: Uuid | null;
  delivery_zone_id: Uuid | null;
  address_key: string;
  label: string | null;
  address_line: string | null;
  floor: string | null;
  unit_number: string | null;
  landmark: string | null;
  place_name: string | null;
  delivery_notes: string | null;
  lat: number | null;
  lng: number | null;
  use_count: Generated<number>;
  last_used_at: Timestamp;
  created_at: Timestamp;
}

interface LoyaltyCardTable {
  org_id: Uuid;
  id: Uuid;
  customer_id: Uuid;
  generation: Generated<number>;
  token_hash: Buffer;
  created_at: Timestamp;
}

declare module '../../../platform/store/schema.ts' {
  interface Database {
    otp_phone: OtpPhoneTable;
    guest_phone: GuestPhoneTable;
    device_token: DeviceTokenTable;
    customer: CustomerTable;
    customer_address: CustomerAddressTable;
    loyalty_card: LoyaltyCardTable;
  }
}
