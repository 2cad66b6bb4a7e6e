import {
  boolean,
  date,
  integer,
  jsonb,
  numeric,
  table,
  text,
  timestamptz,
  uuid,
  type KyselyTables,
} from '../../../platform/store/schema/columns.ts';

export const SALE_TABLES = {
  z_counter: table({
    org_id: uuid,
    branch_id: uuid,
    register_id: uuid,
    last: integer,
  }),
  till_cash: table({
    org_id: uuid,
    id: uuid,
    till_id: uuid,
    at: timestamptz,
    kind: text,
    amount: integer,
    reason: text,
    staff_id: uuid,
  }),
  sale: table({
    org_id: uuid,
    id: uuid,
    branch_id: uuid,
    sale_ref: text,
    source: text,
    channel: text,
    business_date: date,
    at: timestamptz,
    till_id: uuid.nullable,
    staff_id: uuid.nullable,
    card_id: uuid.nullable,
    covers: integer.nullable,
    customer_name: text.nullable,
    cart: jsonb<unknown>(),
    subtotal: integer,
    deal_discount: integer,
    reward_discount: integer,
    discount_amount: integer,
    service_charge_amount: integer,
    delivery_fee: integer,
    tax_rate: numeric(7, 6),
    tax_inclusive: boolean,
    tax_amount: integer,
    total: integer,
  }),
  sale_payment: table({
    org_id: uuid,
    sale_id: uuid,
    position: integer,
    method: text,
    amount: integer,
    tip: integer.default(0),
    tendered: integer.nullable,
  }),
  sale_number: table({
    org_id: uuid,
    branch_code: text,
    date,
    last: integer,
  }),
};

declare module '../../../platform/store/schema.ts' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- adds the tables above
  interface Database extends KyselyTables<typeof SALE_TABLES> {}
}
