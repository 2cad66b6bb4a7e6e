import type { Deal } from '../../../menu/domain/menubook.ts';
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
import type { FrozenLine, StockTaken } from '../../../pricing/domain/frozen-cart.ts';
import type { DealUnits } from '../../../pricing/domain/deals/types.ts';
import type { PaidBill } from '../../domain/ticket.ts';

export type UnitInDeals = Omit<DealUnits, 'line' | 'quantity'>;

export const TICKET_TABLES = {
  ticket_check: table({ org_id: uuid, id: uuid, branch_id: uuid }),
  ticket_number: table({ org_id: uuid, branch_id: uuid, date, last: integer }),
  ticket: table({
    org_id: uuid,
    id: uuid,
    branch_id: uuid,
    check_id: uuid,
    table_id: uuid.nullable,
    ticket_ref: text,
    status: text.default('open'),
    revision: integer.default(1),
    split_of: uuid.nullable,
    merged_into: uuid.nullable,
    opened_at: timestamptz,
    opened_by: uuid,
    opened_via: text,
    guest_count: integer.nullable,
    customer_name: text.nullable,
    notes: text.nullable,
    booking_id: uuid.nullable,
    card_id: uuid.nullable,
    discount_id: uuid.nullable,
    discount_share: uuid.nullable,
    discount_name: text.nullable,
    discount_type: text.nullable,
    discount_rate: numeric(7, 6).nullable,
    discount_amount: integer.nullable,
    service_rate: numeric(7, 6),
    service_taxable: boolean,
    tax_rate: numeric(7, 6),
    tax_inclusive: boolean,
    rounds: integer.default(0),
    parts: integer.nullable,
    paid: jsonb<PaidBill>().nullable,
    settled_at: timestamptz.nullable,
    voided_at: timestamptz.nullable,
    void_reason: text.nullable,
    void_note: text.nullable,
    forgotten_at: timestamptz.nullable,
  }),
  table_occupancy: table({ org_id: uuid, table_id: uuid, check_id: uuid }),
  ticket_round: table({
    org_id: uuid,
    id: uuid,
    ticket_id: uuid,
    number: integer,
    fired_at: timestamptz,
    fired_by: uuid,
    via: text,
    offers: jsonb<readonly Deal[]>(),
  }),
  ticket_item: table({
    org_id: uuid,
    id: uuid,
    ticket_id: uuid,
    round_id: uuid,
    round_number: integer,
    fired_at: timestamptz,
    place: integer,
    origin_id: uuid,
    quantity: integer,
    line: jsonb<FrozenLine>(),
    input: jsonb<unknown>(),
    units: jsonb<UnitInDeals>().nullable,
    stock: jsonb<readonly StockTaken[]>().default([]),
    line_total: integer,
    voided_at: timestamptz.nullable,
    voided_by: uuid.nullable,
    void_reason: text.nullable,
    void_note: text.nullable,
  }),
};

declare module '../../../platform/store/schema.ts' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- adds the tables above
  interface Database extends KyselyTables<typeof TICKET_TABLES> {}
}
