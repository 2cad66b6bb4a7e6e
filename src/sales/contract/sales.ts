/** What was sold at a branch (Decisions 12, Sale). */
import Type, { type Static } from 'typebox';
import { endpoint, optional, required, restricted } from '../../platform/contract/endpoint.ts';
import { listLimit } from '../../platform/contract/lists.ts';
import {
  DateText,
  DateTime,
  dateScalar,
  Flag,
  Int32,
  Money,
  nullable,
  Rate,
  Text,
  uuidScalar,
  UuidText,
  Word,
} from '../../platform/contract/scalars.ts';
import { SALE_SOURCES } from '../domain/sale.ts';

export const Sale = Type.Object({
  id: UuidText({ description: 'Of an online order: the id of the order.' }),
  sale_ref: Text({ examples: ['ZML-261204-0007'] }),
  branch_id: UuidText(),
  source: Word(SALE_SOURCES),
  channel: Text({ examples: ['pickup'] }),
  business_date: DateText(),
  at: DateTime(),
  till_id: nullable(UuidText()),
  staff_id: nullable(UuidText({ description: 'Who sold it; null: the service itself.' })),
  staff_name: nullable(Text()),
  cart: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Lines, deals and rewards, as they were sold; shaped as the `cart` of a delivery order.',
  }),
  subtotal: Money({ description: 'All lines, before deals and rewards.' }),
  deal_discount: Money(),
  reward_discount: Money(),
  discount_amount: Money(),
  service_charge_amount: Money(),
  delivery_fee: Money(),
  tax_rate: Rate(),
  tax_inclusive: Flag({ description: 'True: the tax is inside `total`.' }),
  tax_amount: Money(),
  recorded_difference: Money({
    description:
      'What the total that a device recorded is more than the lines come to; 0 of a sale that the server made.',
  }),
  total: Money(),
  late: Flag({ description: 'True: its till was closed before; it is in no figures of the till.' }),
  customer_name: nullable(Text({ description: 'Of a counter sale of the last 24 hours.' })),
  covers: nullable(Int32({ minimum: 1, description: 'Guests at the table.' })),
  member_id: nullable(UuidText({ description: 'The loyalty card that it was made with.' })),
  staff_drinks: Int32({ minimum: 0, description: 'Units.' }),
  staff_drink_discount: Money({ description: 'What the drinks of the staff would have cost.' }),
  refunded: Money({ description: 'What went back of the total.' }),
  refunds: Type.Array(
    Type.Object({
      id: UuidText(),
      at: DateTime(),
      method: Text(),
      amount: Money(),
      tax_amount: Money({ description: 'Of the amount.' }),
      delivery_fee: Money({ description: 'Of the amount.' }),
      reason: Text(),
      note: nullable(Text()),
      restocked: Flag(),
      till_id: nullable(UuidText({ description: 'The till that the money came out of.' })),
      late: Flag({ description: 'True: that till was closed before.' }),
      staff_id: UuidText(),
      lines: Type.Array(
        Type.Object({ index: Int32({ minimum: 0 }), units: Int32({ minimum: 1 }), amount: Money() }),
      ),
    }),
  ),
  payments: Type.Array(
    Type.Object({
      method: Text(),
      amount: Money(),
      tip: Money(),
      tendered: nullable(Money({ description: 'What the guest handed over, of cash.' })),
      change: nullable(Money()),
      till_id: nullable(UuidText({ description: 'The till that took it.' })),
      beyond: Money({
        description: 'Of the amount: more than the total of the sale; below zero: what is missing of it.',
      }),
      late: Flag({ description: 'True: that till was closed before.' }),
    }),
  ),
});

const common = { tag: 'Sales', cache: 'no-store', limit: 'staff' } as const;

export const exampleSale: Static<typeof Sale> = {
  ...{ id: '0d4c3b2a-1908-4f7e-8d6c-5b4a39281706', sale_ref: 'ZML-261204-0007' },
  ...{ branch_id: '5b0c7a52-6d5e-5a3b-9a41-0b6d9d0f1c22', source: 'online', channel: 'pickup' },
  ...{ business_date: '2026-12-04', at: '2026-12-04T17:40:00.000Z', till_id: null },
  ...{ staff_id: '9a7b6c5d-4e3f-4a2b-8c1d-0e9f8a7b6c5d', staff_name: 'سارة' },
  cart: { lines: [], deals: [], rewards: [] },
  ...{ subtotal: 13_500, deal_discount: 0, reward_discount: 0, discount_amount: 0, service_charge_amount: 0 },
  ...{ delivery_fee: 0, tax_rate: 0.14, tax_inclusive: true, tax_amount: 1_658, total: 13_500 },
  ...{ recorded_difference: 0, late: false },
  ...{ customer_name: null, covers: null, member_id: null },
  ...{ staff_drinks: 0, staff_drink_discount: 0, refunded: 0, refunds: [] },
  payments: [
    {
      ...{ method: 'cash', amount: 13_500, tip: 0, tendered: 20_000, change: 6_500, till_id: null },
      ...{ beyond: 0, late: false },
    },
  ],
};

export const getSale = restricted(
  { by: 'staff', permission: 'sales.read' },
  endpoint({
    ...common,
    id: 'getSale',
    method: 'GET',
    path: '/staff/sales/{id}',
    summary: 'One sale',
    params: { id: { scalar: uuidScalar, description: "The sale's id." } },
    query: {},
    reply: Sale,
    refusals: ['NOT_FOUND'],
    examples: { 'an order that was picked up': { reply: exampleSale } },
  }),
);

export const listSales = restricted(
  { by: 'staff', permission: 'sales.read' },
  endpoint({
    ...common,
    id: 'listSales',
    method: 'GET',
    path: '/staff/sales',
    summary: 'The sales of a branch on a business date, the last one first',
    params: {},
    query: {
      branch_id: required(uuidScalar, "The branch's id."),
      date: optional(dateScalar, 'The business date; today when left out.'),
      limit: listLimit,
      after: optional(uuidScalar, 'The last sale of the page before.'),
    },
    reply: Type.Array(Sale),
    refusals: ['NOT_FOUND'],
    examples: { 'one of today': { reply: [exampleSale] } },
  }),
);
