/** Shapes, DeliveryOrder, for guests and staff. */
import Type, { type Static } from 'typebox';
import { DISTANCE_SOURCES } from '../../delivery/domain/delivery.ts';
import { CANCEL_REASONS, ORDER_STATUSES, type CancelReason } from '../domain/order.ts';
import { MOVE_TARGETS } from '../domain/transitions.ts';
import { ONLINE_CHANNELS } from '../../shops/domain/shop.ts';
import { LoyaltyForecast, QuotedDeal, QuotedReward } from '../../pricing/contract/quote.ts';
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
  UuidText,
  Word,
} from '../../platform/contract/scalars.ts';

const step = optionalNullable(DateTime({ description: 'Null until the step happens.' }));
const CANCEL_REASON_NAMES = Object.keys(CANCEL_REASONS) as readonly CancelReason[];

export const FrozenAddon = Type.Object({
  addon_item_id: UuidText(),
  name: Text(),
  name_translations: TranslationsMap,
  quantity: Int32({ minimum: 1, description: 'Per unit of what it is added to.' }),
  unit_price: Money(),
});

export const FrozenOptional = Type.Object({
  optional_field_id: UuidText(),
  name: Text(),
  name_translations: TranslationsMap,
  price: Money(),
});

const making = {
  size_label: nullable(Text()),
  size_translations: TranslationsMap,
  addons: Type.Array(FrozenAddon),
  optionals: Type.Array(FrozenOptional),
  notes: nullable(Text()),
};

export const FrozenPart = Type.Object({
  slot_id: UuidText(),
  slot_name: Text(),
  slot_name_translations: TranslationsMap,
  menu_item_id: UuidText(),
  name: Text(),
  name_translations: TranslationsMap,
  ...making,
  quantity: Int32({ minimum: 1, description: 'For the whole line, like its sums.' }),
  unit_price: Money({ description: 'Piastres that one of it costs singly.' }),
  combo_share: Money(),
  combo_surcharge: Money(),
  addons_total: Money(),
  line_total: Money({ description: 'Piastres: share and surcharge; add-ons are apart.' }),
});

export const FrozenCombo = Type.Object({
  price: Money(),
  unit_total: Money({ description: 'Piastres with surcharges and size extras, without add-ons.' }),
  saving_unit: Money({ description: 'Piastres less than its parts would cost singly; may be negative.' }),
  parts: Type.Array(FrozenPart),
});

/** Frozen when the order is placed (Decisions 3, cart). */
export const FrozenLine = Type.Object({
  menu_item_id: UuidText(),
  name: Text(),
  name_translations: TranslationsMap,
  ...making,
  quantity: Int32({ minimum: 1 }),
  unit_price: Money({ description: 'Piastres of one in its size; 0 for a combo.' }),
  addons_total: Money({ description: 'Piastres of the add-ons and optionals of one unit.' }),
  deal_discount: Money({ description: 'Piastres that deals took off the line.' }),
  line_total: Money({
    description: 'Piastres of the whole line, after deals, without the units that rewards pay for.',
  }),
  reward_units: Type.Optional(
    Int32({ minimum: 0, description: 'Of `quantity`: units that rewards pay for.' }),
  ),
  reward_discount: Type.Optional(
    Money({ description: 'Piastres that these units would cost with their add-ons and optionals.' }),
  ),
  combo: nullable(FrozenCombo),
});

/** What an order with a card earns on delivery, as foreseen when it was placed (Decisions 11). */
const OrderEarning = Type.Pick(LoyaltyForecast, ['mode', 'earns', 'points_to_next_reward', 'next_reward']);

export const FrozenCart = Type.Object({
  lines: Type.Array(FrozenLine),
  deals: Type.Array(QuotedDeal),
  rewards: Type.Optional(Type.Array(QuotedReward)),
  loyalty: Type.Optional(OrderEarning),
});

/** Shapes, DeliveryOrder; `revision` and `estimated_prep_minutes` are additive. */
const orderFields = {
  id: UuidText({ description: 'Also the capability of the tracking link: keep it between shop and guest.' }),
  org_id: UuidText(),
  branch_id: UuidText(),
  channel: Word(ONLINE_CHANNELS),
  status: Word(ORDER_STATUSES),
  revision: Int32({ minimum: 1, description: 'Counts the changes.' }),
  customer_name: Text(),
  customer_phone: Text({ description: 'Digits with the country code; empty once the person was erased.' }),
  subtotal: Money({ description: 'Piastres of the items, after deals.' }),
  delivery_fee: Money(),
  total: Money({ description: 'Piastres that the guest pays.' }),
  extra_prep_minutes: Int32({ minimum: 0, description: 'A multiple of 5.' }),
  estimated_prep_minutes: Int32({ minimum: 0, description: "The branch's base and the addition." }),
  cart: FrozenCart,
  otp_verified: Flag({
    description:
      "Whether a device proved the customer's phone: the card's of an order with one, else the one that was typed.",
  }),
  notified: Flag({
    description:
      'Whether the guest is told of its steps by message. False where nothing is sent to the phone: call instead. Decided once, when it is taken.',
  }),
  created_at: DateTime(),
  updated_at: DateTime(),
  order_id: optionalNullable(UuidText({ description: 'The sale that it became.' })),
  customer_id: optionalNullable(UuidText()),
  address_id: optionalNullable(UuidText()),
  delivery_zone_id: optionalNullable(UuidText()),
  address_line: optionalNullable(Text()),
  floor: optionalNullable(Text()),
  unit_number: optionalNullable(Text()),
  landmark: optionalNullable(Text()),
  place_name: optionalNullable(Text()),
  delivery_notes: optionalNullable(Text()),
  delivery_ref: optionalNullable(
    Text({ description: 'What people call it by.', examples: ['D-ZML-261204-0007'] }),
  ),
  payment_method: optionalNullable(
    Text({ description: 'How it was paid; there exactly when it is delivered.' }),
  ),
  payment_method_hint: optionalNullable(Text({ description: 'How the guest means to pay on receipt.' })),
  discount_type: optionalNullable(Word(['percentage', 'fixed'])),
  distance_source: optionalNullable(
    Word(DISTANCE_SOURCES, { description: '`osrm`: along roads; `haversine`: the great circle.' }),
  ),
  customer_lat: optionalNullable(Type.Number({ format: 'double' })),
  customer_lng: optionalNullable(Type.Number({ format: 'double' })),
  road_distance_meters: optionalNullable(Int32({ minimum: 0 })),
  cancel_restocked: optionalNullable(
    Flag({ description: 'Whether its counted units went back on the shelf.' }),
  ),
  discount_id: optionalNullable(UuidText()),
  confirmed_at: step,
  preparing_at: step,
  ready_at: step,
  out_for_delivery_at: step,
  delivered_at: step,
  cancelled_at: step,
  rejected_at: step,
  receipt_printed_at: step,
  reward_cost: Int32({
    minimum: 0,
    description: 'Points or visits that its rewards cost; they come back if it ends undelivered.',
  }),
  contact_override: Flag({ description: 'Whether it carries another contact than its customer’s.' }),
  discount_amount: Money(),
  discount_rate: Rate({ description: 'The stored fraction; 0 for a fixed discount.' }),
  discount_value: Type.Integer({ format: 'int64', minimum: 0, description: 'Whole percent, or piastres.' }),
  service_charge_amount: Money({ description: 'Always 0.' }),
  service_charge_rate_applied: Rate(),
  tax_amount: Money(),
  tax_inclusive: Flag({ description: 'True: the tax is inside `total`; otherwise it is added to it.' }),
  tax_rate_applied: Rate(),
};

export const DeliveryOrder = Type.Object({
  ...orderFields,
  cancel_reason: optionalNullable(
    Text({ description: "In Arabic where that is the shop's language, else in English." }),
  ),
  cancel_reason_translations: Type.Optional(TranslationsMap),
  member_token: Type.Optional(
    Text({
      description:
        'Where the order is the first proof of the phone of a customer with a card: its token from now on, since the ' +
        'one before has ended. A repeated request has it too, where its device token proves that phone. Additive.',
    }),
  ),
});

/** With staff-only fields. */
export const StaffOrder = Type.Object({
  ...orderFields,
  cancel_reason: optionalNullable(Word(CANCEL_REASON_NAMES)),
  language: Word(['ar', 'en'], { description: 'Of the messages to the guest.' }),
  cancel_note: optionalNullable(Text({ description: "The staff's own words; no guest sees them." })),
  moves: Type.Array(Word(MOVE_TARGETS), { description: 'Where the order can be moved now.' }),
});

export const EXAMPLE_ITEM = '5d9e3f21-7a4b-5c6d-9e8f-0a1b2c3d4e05';

export const exampleOrder: Static<typeof DeliveryOrder> = {
  id: '7d9f5a10-2c3d-4e5f-8a9b-0c1d2e3f4a03',
  org_id: '3f0a4d0e-58a4-5a55-9a0c-1f2f6f1d7b10',
  branch_id: '9f6e1f5b-6a2b-5f2a-8a53-2f6d3c9b7e11',
  channel: 'pickup',
  status: 'received',
  revision: 1,
  customer_name: 'منى السيد',
  customer_phone: '201001234567',
  subtotal: 4500,
  delivery_fee: 0,
  total: 4500,
  extra_prep_minutes: 0,
  estimated_prep_minutes: 20,
  cart: {
    lines: [
      {
        menu_item_id: EXAMPLE_ITEM,
        name: 'قهوة تركي',
        name_translations: { en: 'Turkish coffee' },
        size_label: 'سنجل',
        size_translations: { en: 'Single' },
        addons: [],
        optionals: [],
        notes: null,
        quantity: 1,
        unit_price: 4500,
        addons_total: 0,
        combo: null,
        deal_discount: 0,
        line_total: 4500,
        reward_units: 0,
        reward_discount: 0,
      },
    ],
    deals: [],
    rewards: [],
  },
  reward_cost: 0,
  otp_verified: true,
  notified: true,
  created_at: '2026-12-04T17:00:00.000Z',
  updated_at: '2026-12-04T17:00:00.000Z',
  delivery_ref: 'D-ZML-261204-0007',
  payment_method_hint: 'cash',
  contact_override: false,
  discount_amount: 0,
  discount_rate: 0,
  discount_value: 0,
  service_charge_amount: 0,
  service_charge_rate_applied: 0,
  tax_amount: 553,
  tax_inclusive: true,
  tax_rate_applied: 0.14,
};
