/** A till and its report: their shapes, and examples (Decisions 12). */
import Type, { type Static } from 'typebox';
import {
  DateText,
  DateTime,
  Flag,
  Int32,
  Money,
  nullable,
  Rate,
  Text,
  UuidText,
  Word,
} from '../../platform/contract/scalars.ts';
import { CASH_KINDS, LATE_TYPES, TILL_STATUSES } from '../domain/till.ts';

export const Till = Type.Object({
  id: UuidText(),
  branch_id: UuidText(),
  branch_name: Text(),
  teller_id: UuidText(),
  teller_name: Text(),
  status: Word(TILL_STATUSES),
  opened_at: DateTime(),
  closed_at: nullable(DateTime()),
  device_id: nullable(UuidText()),
  device_label: nullable(Text()),
  business_date: DateText({ description: 'On which it was opened.' }),
  opening_float: Money(),
  z_number: nullable(
    Int32({
      minimum: 1,
      description: 'Of the device, else of the person at the branch, without gaps; null while it is open.',
    }),
  ),
});

export const CashMovement = Type.Object({
  id: UuidText(),
  at: DateTime(),
  kind: Word(CASH_KINDS, { description: '`drop`: into the safe.' }),
  amount: Money(),
  reason: Text(),
  staff_name: Text(),
});

const UNCOUNTED_IS_NULL = 'Null where it was not counted.';

/** Of all sales of a till. */
const Sum = (description?: string) =>
  Type.Integer({ format: 'int64', ...(description === undefined ? {} : { description }) });

const TillFigures = Type.Object({
  sales_count: Int32({ minimum: 0 }),
  subtotal: Sum('All lines, before deals and rewards.'),
  deal_discount: Sum(),
  reward_discount: Sum(),
  discount_amount: Sum(),
  service_charge_amount: Sum(),
  delivery_fee: Sum(),
  tax_amount: Sum(),
  recorded_difference: Sum('What totals that devices recorded are more than their lines come to.'),
  total: Sum(),
  covers: Sum('Guests at tables, where it was said.'),
  staff_drinks: Int32({ minimum: 0, description: 'Units.' }),
  staff_drink_discount: Sum('What they would have cost.'),
  part_payments: Sum(
    'For bills that are not settled yet: among the payments by method, and in no total. Less what went back out of this till ' +
      'of those that a closed one took.',
  ),
  beyond: Sum('Paid beyond the totals of sales: among the payments by method, and in no total.'),
  refunds_count: Int32({ minimum: 0 }),
  refunded: Sum('That went back out of this till; not taken off `total`.'),
  refunded_tax: Sum('Of `refunded`.'),
  voids: Type.Object(
    { units: Sum(), total: Sum() },
    { description: 'Lines of tickets that the person of the till voided while it was open.' },
  ),
  taxes: Type.Array(
    Type.Object({
      tax_rate: Rate(),
      tax_inclusive: Flag({ description: 'True: the tax is inside `total`.' }),
      total: Sum('Of the sales at this rate.'),
      tax_amount: Sum(),
    }),
  ),
  methods: Type.Array(
    Type.Object({
      method: Text(),
      sales: Sum('That this till took, whoever settled the sale.'),
      tips: Sum(),
      refunds: Sum('That went back out of this till, whichever till had taken them.'),
      expected: Sum('Sales and tips less refunds; of cash with the float and the movements.'),
      counted: nullable(Sum(UNCOUNTED_IS_NULL)),
      difference: nullable(Sum('Counted less expected.')),
    }),
  ),
});

const LateEntry = Type.Object({
  type: Word(LATE_TYPES, {
    description: '`payment`: for a sale that is in other figures; `cash`: moved without a sale.',
  }),
  id: UuidText({
    description:
      'Of the sale, the refund or the movement; of a payment, that of its sale, or of its bill while that is open.',
  }),
  at: DateTime(),
  sale_ref: nullable(Text({ description: 'Null of moved cash, and of a payment of an open bill.' })),
  amount: Money({ description: 'Of a sale: its total.' }),
  method: nullable(Text({ description: 'Null of a sale: it has `payments`.' })),
  tip: Money(),
  kind: nullable(Word(CASH_KINDS, { description: 'Of moved cash.' })),
  reason: nullable(Text({ description: 'Of moved cash and of refunds.' })),
  payments: Type.Array(Type.Object({ method: Text(), amount: Money(), tip: Money() }), {
    description: 'Of a sale: what this till took for it.',
  }),
});

export const TillReport = Type.Object({
  ...Till.properties,
  kind: Word(['X', 'Z'], { description: '`Z` once the till is closed: its figures never change.' }),
  note: nullable(Text()),
  cash_movements: Type.Array(CashMovement),
  figures: nullable(
    Type.Object(TillFigures.properties, {
      description:
        'Null while the till is open, without the permission `tills.read_expected`: it is counted blind.',
    }),
  ),
  late: Type.Array(LateEntry, {
    description: 'What devices told of after the close: in none of the figures, and counted in the day.',
  }),
});

export const exampleTill: Static<typeof Till> = {
  ...{ id: '7c1e5d3a-2b4f-4d6e-8a9b-0c1d2e3f4a5b', branch_id: '5b0c7a52-6d5e-5a3b-9a41-0b6d9d0f1c22' },
  ...{ branch_name: 'الزمالك', teller_id: '9a7b6c5d-4e3f-4a2b-8c1d-0e9f8a7b6c5d', teller_name: 'سارة' },
  ...{ status: 'open', opened_at: '2026-12-04T07:00:00.000Z', closed_at: null },
  ...{
    device_id: null,
    device_label: null,
    business_date: '2026-12-04',
    opening_float: 50_000,
    z_number: null,
  },
};

export const exampleMovement: Static<typeof CashMovement> = {
  ...{ id: '3c2b1a09-8f7e-4d6c-9b5a-4a3b2c1d0e9f', at: '2026-12-04T12:00:00.000Z', kind: 'drop' },
  ...{ amount: 100_000, reason: 'إلى الخزنة', staff_name: 'سارة' },
};

export const exampleReport: Static<typeof TillReport> = {
  ...exampleTill,
  ...{ kind: 'X', note: null, cash_movements: [exampleMovement], figures: null, late: [] },
};

export const closedReport: Static<typeof TillReport> = {
  ...exampleReport,
  ...{ kind: 'Z', status: 'closed', closed_at: '2026-12-04T22:00:00.000Z', z_number: 12, note: null },
  figures: {
    ...{ sales_count: 41, subtotal: 310_000, deal_discount: 9_000, reward_discount: 0 },
    ...{
      discount_amount: 1_000,
      service_charge_amount: 0,
      delivery_fee: 0,
      tax_amount: 36_842,
      recorded_difference: 0,
      total: 300_000,
    },
    ...{
      covers: 52,
      staff_drinks: 2,
      staff_drink_discount: 0,
      part_payments: 0,
      beyond: 0,
      refunds_count: 0,
      refunded: 0,
      refunded_tax: 0,
    },
    voids: { units: 1, total: 4_500 },
    taxes: [{ tax_rate: 0.14, tax_inclusive: true, total: 300_000, tax_amount: 36_842 }],
    methods: [
      {
        ...{ method: 'cash', sales: 180_000, tips: 2_000, refunds: 0, expected: 132_000 },
        ...{ counted: 131_500, difference: -500 },
      },
      {
        method: 'card',
        sales: 120_000,
        tips: 0,
        refunds: 0,
        expected: 120_000,
        counted: 120_000,
        difference: 0,
      },
    ],
  },
};

export const exampleLate: Static<typeof LateEntry> = {
  ...{ type: 'sale', id: '0d4c3b2a-1908-4f7e-8d6c-5b4a39281706', at: '2026-12-04T21:40:00.000Z' },
  ...{ sale_ref: 'ZML-261204-0042', amount: 9_000, method: null, tip: 500, kind: null, reason: null },
  payments: [{ method: 'cash', amount: 9_000, tip: 500 }],
};
