import Type from 'typebox';
import { endpoint } from '../../platform/contract/endpoint.ts';
import {
  DateTime,
  Flag,
  Int32,
  optionalNullable,
  Money,
  nullable,
  Rate,
  Text,
  TranslationsMap,
  uuidScalar,
  UuidText,
  Word,
} from '../../platform/contract/scalars.ts';
import { MODES } from '../../loyalty/domain/programme.ts';
import { ORDER_STATUSES } from '../domain/order.ts';
import { ONLINE_CHANNELS } from '../../shops/domain/shop.ts';

const step = optionalNullable(DateTime({ description: 'Null until the step happens.' }));

const extra = Type.Object({
  name: Text(),
  name_translations: TranslationsMap,
  quantity: Int32({ minimum: 1, description: 'Per unit of what it is added to.' }),
});
const extras = Type.Array(extra, { description: 'Add-ons and optionals.' });

/** What was chosen for a slot of a combo. */
export const TrackedPart = Type.Object({
  name: Text(),
  name_translations: TranslationsMap,
  size_label: nullable(Text()),
  size_translations: TranslationsMap,
  quantity: Int32({ minimum: 1, description: 'For the whole line.' }),
  extras,
});

/** Figures of this order alone: whoever has the link sees no balance (Decisions 11). */
export const TrackedEarning = Type.Object({
  mode: Word(MODES),
  earns: Int32({ minimum: 0, description: 'Points or visits on delivery, as foreseen.' }),
  earned: nullable(Int32({ minimum: 0, description: 'What it earned; null before.' })),
});

/**
 * Shapes, DeliveryTracking; `items` (Decisions 3), `timezone`, `org_slug`, `org_name`, `branch_id` and the translations
 * are additive.
 */
export const DeliveryTracking = Type.Object({
  id: UuidText(),
  org_id: UuidText(),
  org_slug: Text({ description: "The shop's address name.", examples: ['beit-el-bunn'] }),
  org_name: Text({ description: "The shop's own name.", examples: ['بيت البن'] }),
  org_name_translations: Type.Optional(TranslationsMap),
  branch_id: UuidText(),
  branch_name: Text(),
  branch_name_translations: Type.Optional(TranslationsMap),
  timezone: Text({ description: "The branch's IANA time zone.", examples: ['Africa/Cairo'] }),
  channel: Word(ONLINE_CHANNELS),
  status: Word(ORDER_STATUSES),
  created_at: DateTime(),
  estimated_prep_minutes: Int32({ minimum: 0, description: "The branch's base and the teller's addition." }),
  subtotal: Money(),
  delivery_fee: Money(),
  discount_amount: Money(),
  tax_amount: Money(),
  tax_rate_applied: Rate(),
  tax_inclusive: Flag({ description: 'True: the tax is inside `total`; otherwise it is added to it.' }),
  total: Money(),
  customer_name: Text(),
  address_line: optionalNullable(Text()),
  floor: optionalNullable(Text()),
  unit_number: optionalNullable(Text()),
  place_name: optionalNullable(Text()),
  delivery_ref: optionalNullable(Text({ examples: ['D-ZML-261204-0007'] })),
  payment_method_hint: optionalNullable(Text({ examples: ['cash'] })),
  cancel_reason: optionalNullable(
    Text({ description: "In Arabic where that is the shop's language, else in English." }),
  ),
  cancel_reason_translations: Type.Optional(TranslationsMap),
  confirmed_at: step,
  preparing_at: step,
  ready_at: step,
  out_for_delivery_at: step,
  delivered_at: step,
  cancelled_at: step,
  rejected_at: step,
  rewards: Type.Optional(
    Type.Array(
      Type.Object({
        name: Text(),
        name_translations: TranslationsMap,
        units: Int32({ minimum: 1 }),
        cost: Int32({ minimum: 0, description: 'Points or visits of all units.' }),
      }),
    ),
  ),
  loyalty: optionalNullable(TrackedEarning),
  items: Type.Optional(
    Type.Array(
      Type.Object({
        name: Text(),
        name_translations: Type.Optional(TranslationsMap),
        size_label: nullable(Text()),
        size_translations: Type.Optional(TranslationsMap),
        quantity: Int32({ minimum: 1 }),
        line_total: Money({
          description: 'Piastres of the whole line, after deals, without the units that rewards pay for.',
        }),
        reward_units: Type.Optional(
          Int32({ minimum: 0, description: 'Of `quantity`: units that rewards pay for.' }),
        ),
        extras: Type.Optional(extras),
        parts: Type.Optional(Type.Array(TrackedPart, { description: 'Of a combo.' })),
      }),
    ),
  ),
});

export const trackOrder = endpoint({
  id: 'trackOrder',
  method: 'GET',
  path: '/public/delivery-orders/{id}/track',
  tag: 'Orders',
  summary: "An online order's status and steps, safe to show to whoever holds the link",
  params: { id: { scalar: uuidScalar, description: 'The order id from the tracking link.' } },
  query: {},
  reply: DeliveryTracking,
  refusals: ['NOT_FOUND'],
  cache: 'private, no-cache',
  limit: 'ordering_reads',
  examples: {
    'being prepared': {
      reply: {
        id: '7d9f5a10-2c3d-4e5f-8a9b-0c1d2e3f4a03',
        org_id: '3f0a4d0e-58a4-5a55-9a0c-1f2f6f1d7b10',
        org_slug: 'beit-el-bunn',
        org_name: 'بيت البن',
        org_name_translations: { en: 'Beit El Bunn' },
        branch_id: '9f6e1f5b-6a2b-5f2a-8a53-2f6d3c9b7e11',
        branch_name: 'الزمالك',
        branch_name_translations: { en: 'Zamalek' },
        timezone: 'Africa/Cairo',
        channel: 'pickup',
        status: 'preparing',
        created_at: '2026-12-04T17:00:00.000Z',
        estimated_prep_minutes: 20,
        subtotal: 10500,
        delivery_fee: 0,
        discount_amount: 0,
        tax_amount: 1289,
        tax_rate_applied: 0.14,
        tax_inclusive: true,
        total: 10500,
        customer_name: 'منى',
        delivery_ref: 'D-ZML-261204-0007',
        payment_method_hint: 'cash',
        confirmed_at: '2026-12-04T17:02:00.000Z',
        preparing_at: '2026-12-04T17:04:00.000Z',
        items: [
          {
            name: 'قهوة تركي',
            name_translations: { en: 'Turkish coffee' },
            size_label: 'سنجل',
            size_translations: { en: 'Single' },
            quantity: 1,
            line_total: 4500,
          },
        ],
      },
    },
  },
});
