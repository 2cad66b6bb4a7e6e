/** What a branch has sold, for its owners: from its sales alone (Decisions 12). */
import Type from 'typebox';
import { endpoint, fileAnswer, required, restricted } from '../../platform/contract/endpoint.ts';
import {
  DateText,
  dateScalar,
  Flag,
  Int32,
  nullable,
  Text,
  TranslationsMap,
  uuidScalar,
  UuidText,
} from '../../platform/contract/scalars.ts';

const Sum = (description?: string) =>
  Type.Integer({ format: 'int64', ...(description === undefined ? {} : { description }) });

const figures = {
  sales_count: Int32({ minimum: 0 }),
  covers: Sum('Guests at tables, where it was said.'),
  subtotal: Sum('All lines, before deals and rewards.'),
  deal_discount: Sum(),
  reward_discount: Sum(),
  discount_amount: Sum(),
  service_charge_amount: Sum(),
  delivery_fee: Sum(),
  tax_amount: Sum(),
  recorded_difference: Sum('What totals that devices recorded are more than their lines come to.'),
  total: Sum(),
  beyond: Sum('Paid beyond the totals of sales: among the payments by method, and in no total.'),
  staff_drinks: Sum('Units.'),
  staff_drink_discount: Sum('What they would have cost.'),
  refunds_count: Int32({ minimum: 0 }),
  refunded: Sum('That went back on these dates; not taken off `total`.'),
  refunded_tax: Sum('Of `refunded`.'),
};

const DayReport = Type.Object({
  date: DateText({ description: 'The business date.' }),
  ...figures,
  methods: Type.Array(Type.Object({ method: Text(), amount: Sum(), tips: Sum(), refunds: Sum() })),
  channels: Type.Array(
    Type.Object({ source: Text(), channel: Text(), sales_count: Int32({ minimum: 0 }), total: Sum() }),
  ),
});

const ItemReport = Type.Object({
  menu_item_id: UuidText(),
  name: Text({ description: 'As it was sold last.' }),
  name_translations: TranslationsMap,
  size_label: nullable(Text()),
  quantity: Sum(),
  reward_units: Sum('Of the quantity, paid for by rewards.'),
  subtotal: Sum('Before deals, rewards and staff drinks.'),
  deal_discount: Sum(),
  reward_discount: Sum(),
  staff_drink_discount: Sum('What the staff drinks of the quantity would have cost.'),
  total: Sum('Before discounts, service and tax of the sales.'),
  refunded_units: Sum('That went back on these dates.'),
  refunded: Sum('With discount, service and tax, without delivery fees.'),
});

const HourReport = Type.Object({
  hour: Int32({ minimum: 0, maximum: 23, description: "On the branch's clock." }),
  sales_count: Int32({ minimum: 0 }),
  covers: Sum(),
  total: Sum(),
  refunded: Sum(),
});

const KitchenReport = Type.Object({
  hour: Int32({ minimum: 0, maximum: 23, description: "When they were fired, on the branch's clock." }),
  orders_count: Int32({ minimum: 1 }),
  late_count: Int32({ minimum: 0, description: 'That took longer than promised.' }),
  promised_minutes: Type.Number({ description: 'The mean, to a tenth.' }),
  actual_minutes: Type.Number({ description: 'The mean, to a tenth.' }),
});

const TillReport = Type.Object({
  till_id: nullable(UuidText({ description: 'Null: sales that no till took.' })),
  teller_name: nullable(Text()),
  device_label: nullable(Text()),
  z_number: nullable(Int32({ minimum: 1 })),
  late: Flag({
    description:
      'True: what came for the till after it was closed; the figures of its Z are a row of their own.',
  }),
  ...figures,
});

const common = {
  tag: 'Reports',
  cache: 'no-store',
  limit: 'staff',
  method: 'GET',
  params: {},
  query: {
    branch_id: required(uuidScalar, "The branch's id."),
    from: required(dateScalar, 'The first business date.'),
    to: required(dateScalar, 'The last business date; a year at most.'),
  },
  refusals: ['NOT_FOUND'],
} as const;

const CSV = { mediaType: 'text/csv; charset=utf-8' } as const;
const byOwner = { by: 'staff', permission: 'reports.read' } as const;
const AMOUNTS = 'Amounts are piastres.';

const exampleFigures = {
  ...{ sales_count: 2, covers: 2, subtotal: 22_500, deal_discount: 1_000, reward_discount: 0 },
  ...{ discount_amount: 0, service_charge_amount: 1_080, delivery_fee: 0, tax_amount: 2_773 },
  ...{ recorded_difference: 0, total: 22_580, beyond: 0 },
  ...{ staff_drinks: 1, staff_drink_discount: 0, refunds_count: 0, refunded: 0, refunded_tax: 0 },
};

export const reportDays = restricted(
  byOwner,
  endpoint({
    ...common,
    id: 'reportDays',
    path: '/staff/reports/day',
    summary: 'Sales by business date, with payment methods, channels, deals and voids',
    description: 'Days without sales are left out. `total` is of all days.',
    reply: Type.Object({
      total: Type.Object(figures),
      days: Type.Array(DayReport),
      deals: Type.Array(
        Type.Object({ deal_rule_id: UuidText(), name: Text(), times: Sum(), discount: Sum() }),
      ),
      voids: Type.Array(
        Type.Object({
          reason: Text(),
          units: Sum(),
          total: Sum('What the void lines would have cost, before deals.'),
        }),
      ),
    }),
    examples: {
      'one evening': {
        reply: {
          total: exampleFigures,
          days: [
            {
              ...{ date: '2026-12-04', ...exampleFigures },
              methods: [{ method: 'cash', amount: 22_580, tips: 500, refunds: 0 }],
              channels: [{ source: 'ticket', channel: 'dine_in', sales_count: 2, total: 22_580 }],
            },
          ],
          deals: [],
          voids: [{ reason: 'quality', units: 1, total: 4_500 }],
        },
      },
    },
  }),
);

export const reportDaysCsv = restricted(
  byOwner,
  fileAnswer(
    { ...CSV, filename: 'days.csv' },
    endpoint({
      ...common,
      id: 'reportDaysCsv',
      path: '/staff/reports/day.csv',
      summary: 'Sales by business date, as a table',
      description: AMOUNTS,
      reply: Text(),
      examples: { 'no sales': { reply: 'date,sales_count\r\n' } },
    }),
  ),
);

export const reportHours = restricted(
  byOwner,
  endpoint({
    ...common,
    id: 'reportHours',
    path: '/staff/reports/hours',
    summary: 'Sales by hour of the day',
    reply: Type.Array(HourReport),
    examples: {
      'the evening': { reply: [{ hour: 19, sales_count: 2, covers: 2, total: 22_580, refunded: 0 }] },
    },
  }),
);

export const reportHoursCsv = restricted(
  byOwner,
  fileAnswer(
    { ...CSV, filename: 'hours.csv' },
    endpoint({
      ...common,
      id: 'reportHoursCsv',
      path: '/staff/reports/hours.csv',
      summary: 'Sales by hour of the day, as a table',
      description: AMOUNTS,
      reply: Text(),
      examples: { 'no sales': { reply: 'hour,sales_count\r\n' } },
    }),
  ),
);

export const reportItems = restricted(
  byOwner,
  endpoint({
    ...common,
    id: 'reportItems',
    path: '/staff/reports/items',
    summary: 'What was sold, by item and size: what came to most first',
    reply: Type.Array(ItemReport),
    examples: {
      coffees: {
        reply: [
          {
            ...{ menu_item_id: '5d9e3f21-7a4b-5c6d-9e8f-0a1b2c3d4e05', name: 'قهوة تركي' },
            ...{
              name_translations: { en: 'Turkish coffee' },
              size_label: 'سنجل',
              quantity: 5,
              reward_units: 0,
            },
            ...{ subtotal: 22_500, deal_discount: 1_000, reward_discount: 0, staff_drink_discount: 0 },
            total: 21_500,
            ...{ refunded_units: 0, refunded: 0 },
          },
        ],
      },
    },
  }),
);

export const reportItemsCsv = restricted(
  byOwner,
  fileAnswer(
    { ...CSV, filename: 'items.csv' },
    endpoint({
      ...common,
      id: 'reportItemsCsv',
      path: '/staff/reports/items.csv',
      summary: 'What was sold, by item and size, as a table',
      description: AMOUNTS,
      reply: Text(),
      examples: { 'no sales': { reply: 'menu_item_id,name\r\n' } },
    }),
  ),
);

export const reportKitchen = restricted(
  byOwner,
  endpoint({
    ...common,
    id: 'reportKitchen',
    path: '/staff/reports/kitchen',
    summary: 'What the kitchen promised the guests of online orders, and what it took, by hour of the day',
    description: 'Of orders whose items are all made; minutes from when they were placed.',
    reply: Type.Array(KitchenReport),
    examples: {
      'the evening': {
        reply: [{ hour: 19, orders_count: 12, late_count: 3, promised_minutes: 20, actual_minutes: 18.4 }],
      },
    },
  }),
);

export const reportKitchenCsv = restricted(
  byOwner,
  fileAnswer(
    { ...CSV, filename: 'kitchen.csv' },
    endpoint({
      ...common,
      id: 'reportKitchenCsv',
      path: '/staff/reports/kitchen.csv',
      summary: 'Promised and actual minutes by hour of the day, as a table',
      description: 'Minutes from when the orders were placed.',
      reply: Text(),
      examples: { 'no orders': { reply: 'hour,orders_count\r\n' } },
    }),
  ),
);

export const reportTills = restricted(
  byOwner,
  endpoint({
    ...common,
    id: 'reportTills',
    path: '/staff/reports/tills',
    summary: 'Sales by the till that took them: they add up to those of the days',
    reply: Type.Array(TillReport),
    examples: {
      'one till': {
        reply: [
          {
            ...{ till_id: '0a1b2c3d-4e5f-4607-8829-3a4b5c6d7e8f', teller_name: 'سارة' },
            ...{ device_label: 'الكاشير', z_number: 3 },
            ...{ late: false, ...exampleFigures },
          },
        ],
      },
    },
  }),
);

export const reportTillsCsv = restricted(
  byOwner,
  fileAnswer(
    { ...CSV, filename: 'tills.csv' },
    endpoint({
      ...common,
      id: 'reportTillsCsv',
      path: '/staff/reports/tills.csv',
      summary: 'Sales by the till that took them, as a table',
      description: AMOUNTS,
      reply: Text(),
      examples: { 'no sales': { reply: 'till_id,teller_name\r\n' } },
    }),
  ),
);
