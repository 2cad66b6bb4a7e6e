import {
  bytea,
  double,
  integer,
  table,
  text,
  timestamptz,
  uuid,
  type KyselyTable,
  type KyselyTables,
} from '../../../platform/store/schema/columns.ts';

export const CUSTOMER_TABLES = {
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
  /** Issued by `loyalty`; an order reads it to find the customer of a member token. */
  loyalty_card: table({
    org_id: uuid,
    id: uuid,
    customer_id: uuid,
    generation: integer.default(1),
    token_hash: bytea,
    created_at: timestamptz,
  }),
};

export type CustomerTable = KyselyTable<typeof CUSTOMER_TABLES.customer>;
export type CustomerAddressTable = KyselyTable<typeof CUSTOMER_TABLES.customer_address>;

declare module '../../../platform/store/schema.ts' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- adds the tables above
  interface Database extends KyselyTables<typeof CUSTOMER_TABLES> {}
}
