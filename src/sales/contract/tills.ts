/** Tills: opened with a float, counted and closed (Decisions 4, 12). */
import Type, { type Static } from 'typebox';
import {
  endpoint,
  idempotencyHeaders,
  optional,
  required,
  restricted,
} from '../../platform/contract/endpoint.ts';
import { listLimit } from '../../platform/contract/lists.ts';
import {
  DateText,
  DateTime,
  Flag,
  IdInput,
  Int32,
  Money,
  nullable,
  Rate,
  Text,
  uuidScalar,
  UuidText,
  Word,
} from '../../platform/contract/scalars.ts';
import { HIGHEST_PRICE, HIGHEST_TOTAL } from '../../kernel/money.ts';
import { PAYMENT_METHOD_PATTERN } from '../../shops/domain/shop.ts';
import { CASH_KINDS, NOTES_AND_COINS, TILL_STATUSES } from '../domain/till.ts';

const strict = { additionalProperties: false } as const;

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
  total: Sum(),
  covers: Sum('Guests at tables, where it was said.'),
  staff_drinks: Int32({ minimum: 0, description: 'Units.' }),
  staff_drink_discount: Sum('What they would have cost.'),
  part_payments: Sum(
    'For bills that are not settled yet: among the payments by method, and in no total. Less what went back out of this till ' +
      'of those that a closed one took.',
  ),
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
});

const common = { tag: 'Tills', cache: 'no-store', limit: 'staff' } as const;
const tillId = { id: { scalar: uuidScalar, description: "The till's id." } };

const exampleTill: Static<typeof Till> = {
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

const exampleMovement: Static<typeof CashMovement> = {
  ...{ id: '3c2b1a09-8f7e-4d6c-9b5a-4a3b2c1d0e9f', at: '2026-12-04T12:00:00.000Z', kind: 'drop' },
  ...{ amount: 100_000, reason: 'إلى الخزنة', staff_name: 'سارة' },
};

const exampleReport: Static<typeof TillReport> = {
  ...exampleTill,
  ...{ kind: 'X', note: null, cash_movements: [exampleMovement], figures: null },
};

const closedReport: Static<typeof TillReport> = {
  ...exampleReport,
  ...{ kind: 'Z', status: 'closed', closed_at: '2026-12-04T22:00:00.000Z', z_number: 12, note: null },
  figures: {
    ...{ sales_count: 41, subtotal: 310_000, deal_discount: 9_000, reward_discount: 0 },
    ...{
      discount_amount: 1_000,
      service_charge_amount: 0,
      delivery_fee: 0,
      tax_amount: 36_842,
      total: 300_000,
    },
    ...{
      covers: 52,
      staff_drinks: 2,
      staff_drink_discount: 0,
      part_payments: 0,
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

const MAX_PIECES = 100_000;

const Counted = Type.Unsafe<number | Record<string, number>>({
  // Of a sum.
  ...{ type: ['integer', 'object'], minimum: 0, maximum: HIGHEST_TOTAL },
  // Of notes and coins.
  ...{ minProperties: 1, propertyNames: { enum: NOTES_AND_COINS.map(String) } },
  additionalProperties: { type: 'integer', minimum: 0, maximum: MAX_PIECES },
  description: `A sum, or how many pieces of each note and coin, by its piastres: ${NOTES_AND_COINS.join(', ')}.`,
});

const reasonText = (description: string) => Type.String({ minLength: 1, maxLength: 500, description });

export const closeTill = restricted(
  { by: 'staff', permission: 'tills.use' },
  endpoint({
    ...common,
    id: 'closeTill',
    method: 'POST',
    path: '/staff/tills/{id}/close',
    summary: 'Closes a till with what was counted in it',
    description:
      'Cash is always counted; a payment method that is left out was not counted. A till that is closed already is ' +
      'answered as it was closed. That of another person needs `tills.manage`.',
    params: tillId,
    query: {},
    body: Type.Object(
      {
        counted: Type.Record(Type.String({ pattern: PAYMENT_METHOD_PATTERN }), Counted, {
          ...strict,
          description:
            'By payment method of the shop, and of what the till took before the shop gave one up.',
        }),
        note: Type.Optional(nullable(reasonText('What a manager should know.'))),
      },
      strict,
    ),
    reply: TillReport,
    refusals: ['NOT_FOUND', 'NOT_PERMITTED'],
    examples: {
      'by notes': {
        body: { counted: { cash: { 20_000: 6, 1_000: 11, 500: 1 }, card: 120_000 } },
        reply: closedReport,
      },
    },
  }),
);

export const forceCloseTill = restricted(
  { by: 'staff', permission: 'tills.manage' },
  endpoint({
    ...common,
    id: 'forceCloseTill',
    method: 'POST',
    path: '/staff/tills/{id}/force-close',
    summary: 'Closes a till that nobody counts, such as that of somebody who has left',
    description: 'A till that is closed already is answered as it was closed.',
    params: tillId,
    query: {},
    body: Type.Object({ note: reasonText('Why.') }, strict),
    reply: TillReport,
    refusals: ['NOT_FOUND'],
    examples: {
      'somebody went home': {
        body: { note: 'نسي إغلاقها' },
        reply: { ...closedReport, status: 'force_closed', note: 'نسي إغلاقها' },
      },
    },
  }),
);

export const getTillReport = restricted(
  { by: 'staff', permission: 'tills.read' },
  endpoint({
    ...common,
    id: 'getTillReport',
    method: 'GET',
    path: '/staff/tills/{id}/report',
    summary: 'The report of a till: X while it is open, Z once it is closed',
    description: 'That of another person needs `tills.manage`.',
    params: tillId,
    query: {},
    reply: TillReport,
    refusals: ['NOT_FOUND', 'NOT_PERMITTED'],
    examples: { 'that of a teller, whose till is open': { reply: exampleReport } },
  }),
);

export const listTills = restricted(
  { by: 'staff', permission: 'tills.read' },
  endpoint({
    ...common,
    id: 'listTills',
    method: 'GET',
    path: '/staff/tills',
    summary: 'The tills of a branch, the one that was opened last first',
    params: {},
    query: {
      branch_id: required(uuidScalar, "The branch's id."),
      limit: listLimit,
      after: optional(uuidScalar, 'The last till of the page before.'),
    },
    reply: Type.Array(Till),
    refusals: ['NOT_FOUND'],
    examples: { 'one that is open': { reply: [exampleTill] } },
  }),
);

export const moveCash = restricted(
  { by: 'staff', permission: 'tills.use' },
  endpoint({
    ...common,
    id: 'moveCash',
    method: 'POST',
    path: '/staff/tills/{id}/cash',
    summary: 'Records cash that goes into a till or out of it without a sale',
    description: 'In the till of another person it needs `tills.manage`.',
    params: tillId,
    query: {},
    headers: idempotencyHeaders,
    body: Type.Object(
      {
        kind: Word(CASH_KINDS, { description: '`drop`: into the safe.' }),
        amount: Type.Integer({ minimum: 1, maximum: HIGHEST_PRICE, description: 'Piastres.' }),
        reason: reasonText('What it is for.'),
      },
      strict,
    ),
    repeatable: true,
    status: 201,
    reply: CashMovement,
    refusals: ['NOT_FOUND', 'NOT_PERMITTED', 'TILL_CLOSED'],
    examples: {
      'into the safe': {
        body: { kind: 'drop', amount: 100_000, reason: 'إلى الخزنة' },
        reply: exampleMovement,
      },
    },
  }),
);

export const openTill = restricted(
  { by: 'staff', permission: 'tills.use' },
  endpoint({
    ...common,
    id: 'openTill',
    method: 'POST',
    path: '/staff/tills',
    summary: 'Opens a till, or goes on with the one that the person has open on this device',
    description: 'A person has one open till. The one of this device and branch is answered with 200.',
    params: {},
    query: {},
    headers: idempotencyHeaders,
    body: Type.Object(
      {
        branch_id: IdInput("The branch's id."),
        opening_float: Type.Integer({
          minimum: 0,
          maximum: HIGHEST_PRICE,
          description: 'The cash that is in it, in piastres.',
        }),
      },
      strict,
    ),
    repeatable: true,
    status: 201,
    reply: Till,
    refusals: ['NOT_FOUND', 'TILL_OPEN_ELSEWHERE', 'TILL_OPEN_AT_OTHER_BRANCH'],
    examples: {
      'in the morning': {
        body: { branch_id: '5b0c7a52-6d5e-5a3b-9a41-0b6d9d0f1c22', opening_float: 50_000 },
        reply: exampleTill,
      },
    },
  }),
);
