import {
  boolean,
  bytea,
  date,
  integer,
  table,
  text,
  timestamptz,
  tstzrange,
  uuid,
  type KyselyTables,
} from '../../../platform/store/schema/columns.ts';

export const BOOKING_TABLES = {
  booking: table({
    org_id: uuid,
    id: uuid,
    branch_id: uuid,
    service_date: date,
    status: text.default('confirmed'),
    party_size: integer,
    starts_at: timestamptz,
    ends_at: timestamptz,
    guest_name: text,
    notes: text.nullable,
    created_at: timestamptz,
    guest_phone: text.nullable,
    phone_proven: boolean.default(false),
    language: text.default('ar'),
    source: text.default('guest'),
    manage_hash: bytea.nullable,
    revision: integer.default(1),
    seated_at: timestamptz.nullable,
    ended_at: timestamptz.nullable,
    cancelled_by: text.nullable,
    updated_at: timestamptz.nullable,
  }),
  booking_table: table({
    org_id: uuid,
    booking_id: uuid,
    table_id: uuid,
    branch_id: uuid,
    during: tstzrange,
  }),
  booking_day: table({ org_id: uuid, branch_id: uuid, service_date: date }),
};

declare module '../../../platform/store/schema.ts' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- adds the tables above
  interface Database extends KyselyTables<typeof BOOKING_TABLES> {}
}
