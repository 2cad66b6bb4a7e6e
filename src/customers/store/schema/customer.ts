import {
  boolean,
  double,
  integer,
  smallint,
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
    birth_month: smallint.nullable,
    birth_day: smallint.nullable,
    marketing_opt_out: boolean.default(false),
    merged_into: uuid.nullable,
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
  /** Times at which a phone was replaced or two customers were combined. */
  identity_change: table({
    org_id: uuid,
    id: uuid,
    customer_id: uuid,
    kind: text,
    at: timestamptz,
  }),
};

export type CustomerTable = KyselyTable<typeof CUSTOMER_TABLES.customer>;
export type CustomerAddressTable = KyselyTable<typeof CUSTOMER_TABLES.customer_address>;

declare module '../../../platform/store/schema.ts' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- adds the tables above
  interface Database extends KyselyTables<typeof CUSTOMER_TABLES> {}
}
