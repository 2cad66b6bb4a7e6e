import {
  bytea,
  double,
  integer,
  smallint,
  table,
  text,
  timestamps,
  timestamptz,
  uuid,
  type KyselyTable,
  type KyselyTables,
} from '../../../platform/store/schema/columns.ts';

export const PEOPLE_TABLES = {
  otp_phone: table({
    phone: text,
    code_hash: bytea.nullable,
    code_expires_at: timestamptz.nullable,
    tries: smallint.default(0),
    sending_id: uuid.nullable,
    sending_at: timestamptz.nullable,
    codes: timestamps.default([]),
    failures: timestamps.default([]),
    updated_at: timestamptz,
  }),
  guest_phone: table({
    phone: text,
    known_at: timestamptz.nullable,
    told_at: timestamps.default([]),
    updated_at: timestamptz,
  }),
  device_token: table({
    token_hash: bytea,
    phone: text,
    issued_at: timestamptz,
    expires_at: timestamptz,
  }),
  customer: table({
    org_id: uuid,
    id: uuid,
    phone: text.nullable,
    name: text,
    language: text.default('ar'),
    phone_proven_at: timestamptz.nullable,
    created_at: timestamptz,
    updated_at: timestamptz,
    erased_at: timestamptz.nullable,
  }),
  customer_address: table({
    org_id: uuid,
    id: uuid,
    customer_id: uuid,
    channel: text,
    branch_id: uuid.nullable,
    delivery_zone_id: uuid.nullable,
    address_key: text,
    label: text.nullable,
    address_line: text.nullable,
    floor: text.nullable,
    unit_number: text.nullable,
    landmark: text.nullable,
    place_name: text.nullable,
    delivery_notes: text.nullable,
    lat: double.nullable,
    lng: double.nullable,
    use_count: integer.default(1),
    last_used_at: timestamptz,
    created_at: timestamptz,
  }),
  loyalty_card: table({
    org_id: uuid,
    id: uuid,
    customer_id: uuid,
    generation: integer.default(1),
    token_hash: bytea,
    created_at: timestamptz,
  }),
};

export type CustomerTable = KyselyTable<typeof PEOPLE_TABLES.customer>;
export type CustomerAddressTable = KyselyTable<typeof PEOPLE_TABLES.customer_address>;

declare module '../../../platform/store/schema.ts' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- adds the tables above
  interface Database extends KyselyTables<typeof PEOPLE_TABLES> {}
}
