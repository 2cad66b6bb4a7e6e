/** Ordering again with a card: its past orders, and what fills in an order (Decisions 2, 11). */
import Type from 'typebox';
import { CustomerAddress } from '../../customers/contract/address.ts';
import { byMemberToken } from '../../loyalty/contract/member-token.ts';
import { endpoint } from '../../platform/contract/endpoint.ts';
import {
  DateTime,
  Flag,
  Int32,
  Money,
  nullable,
  optionalNullable,
  Text,
  TranslationsMap,
  UuidText,
  Word,
} from '../../platform/contract/scalars.ts';
import { ONLINE_CHANNELS } from '../../shops/domain/shop.ts';
import { ADDRESS_FAULTS, BRANCH_FAULTS } from '../domain/order-now.ts';
import { ORDER_STATUSES } from '../domain/order.ts';
import { proofHeader } from '../../identity/contract/device-token.ts';

const common = {
  tag: 'Loyalty',
  method: 'GET',
  params: byMemberToken,
  query: {},
  cache: 'no-store',
  limit: 'booking_and_loyalty_reads',
  refusals: ['NOT_FOUND'],
} as const;

const BRANCH = '9f6e1f5b-6a2b-5f2a-8a53-2f6d3c9b7e11';
const ORG = '5b0c7a52-6d5e-5a3b-9a41-0b6d9d0f1c22';

// ── Order-now ───────────────────────────────────────────────────────────────────────────────────

/** Shapes, OrderNowAddress. */
export const OrderNowAddress = Type.Object({
  ...CustomerAddress.properties,
  stale: Flag({ description: 'Cannot be ordered to now.' }),
  stale_reason: optionalNullable(Word(ADDRESS_FAULTS)),
});

/** Shapes, OrderNowBranch. */
export const OrderNowBranch = Type.Object({
  id: UuidText(),
  name: Text(),
  name_translations: Type.Optional(TranslationsMap),
  channel: Word(ONLINE_CHANNELS),
  stale: Flag({ description: 'Takes no order on this channel now.' }),
  stale_reason: optionalNullable(Word(BRANCH_FAULTS)),
});

/** Shapes, OrderNowFull. */
export const OrderNowFull = Type.Object({
  customer_id: UuidText(),
  name: Text(),
  phone: Text({ description: 'Digits with the country code.' }),
  locale: Text(),
  addresses: Type.Array(OrderNowAddress, { description: 'The most recent first, at most 8.' }),
  last_branch: optionalNullable(OrderNowBranch),
  last_payment_hint: optionalNullable(Word(['cash', 'card'])),
});

/** Shapes, OrderNowContext. */
export const OrderNowContext = Type.Object({
  verify_required: Flag({
    description: 'Prove the phone of the card and ask again with `X-Device-Token`: then there is `full`.',
  }),
  org_id: UuidText(),
  org_name: Text(),
  org_name_translations: Type.Optional(TranslationsMap),
  org_slug: Type.Optional(Text({ description: 'Additive.' })),
  first_name: Text(),
  phone_hint: Text({ description: 'The last four digits.', examples: ['•••• 4567'] }),
  full: optionalNullable(OrderNowFull),
  last_branch_name: optionalNullable(Text()),
  logo_url: optionalNullable(Text()),
});

const hint = {
  ...{ org_id: ORG, org_name: 'بيت البن', org_name_translations: { en: 'Beit el Bunn' } },
  ...{ org_slug: 'beit-el-bunn', first_name: 'منى', phone_hint: '•••• 4567' },
  ...{ last_branch_name: 'الزمالك', logo_url: null },
};

export const orderNow = endpoint({
  ...common,
  id: 'orderNow',
  path: '/public/order-now/{member_token}',
  summary: "What fills in an order of the card's owner: masked, or in full with proof of the phone",
  description:
    'Last branch, payment and addresses are of orders whose phone was proven. What cannot be ordered to now is `stale`, with its reason.',
  headers: proofHeader(
    "The `device_token` of POST /public/otp/verify for the card's phone. Without one that holds the answer is masked.",
  ),
  reply: OrderNowContext,
  examples: {
    masked: { reply: { verify_required: true, ...hint } },
    'in full': {
      reply: {
        ...{ verify_required: false, ...hint },
        full: {
          ...{ customer_id: '3c9d1c6e-0d55-4c61-9c83-0a6d3f1b2e47', name: 'منى السيد' },
          ...{ phone: '201001234567', locale: 'ar', last_payment_hint: 'cash' },
          last_branch: {
            ...{ id: BRANCH, name: 'الزمالك', name_translations: { en: 'Zamalek' }, channel: 'outside' },
            ...{ stale: false, stale_reason: null },
          },
          addresses: [
            {
              ...{ id: '0d8f6a7b-1c2d-4e3f-9a4b-5c6d7e8f9a01', channel: 'outside', use_count: 3 },
              customer_id: '3c9d1c6e-0d55-4c61-9c83-0a6d3f1b2e47',
              ...{ last_used_at: '2026-12-04T17:00:00.000Z', created_at: '2026-10-01T09:30:00.000Z' },
              ...{ address_line: '١٢ شارع البرازيل', branch_id: BRANCH, lat: 30.061, lng: 31.221 },
              ...{ stale: true, stale_reason: 'out_of_zone' },
            },
          ],
        },
      },
    },
  },
});

// ── Past orders ─────────────────────────────────────────────────────────────────────────────────

const makingFields = {
  size_label: nullable(Text()),
  optional_field_ids: Type.Array(UuidText()),
  addons: Type.Array(Type.Object({ addon_item_id: UuidText(), quantity: Int32({ minimum: 1 }) })),
};

/** What orders the line again; without the guest's notes. */
export const PastOrderLine = Type.Object({
  name: Text(),
  name_translations: TranslationsMap,
  menu_item_id: UuidText(),
  quantity: Int32({ minimum: 1 }),
  ...makingFields,
  combo: nullable(
    Type.Object({
      picks: Type.Array(
        Type.Object({
          slot_id: UuidText(),
          menu_item_id: UuidText(),
          quantity: Int32({ minimum: 1, description: 'Of one combo.' }),
          ...makingFields,
        }),
      ),
    }),
  ),
});

/** Shapes, PastOrders; what orders it again is additive. */
export const PastOrders = Type.Object({
  orders: Type.Array(
    Type.Object({
      id: UuidText(),
      placed_at: DateTime(),
      branch_name: Text(),
      total: Money(),
      items: Type.Array(Text({ examples: ['2 × لاتيه'] })),
      status: Word(ORDER_STATUSES),
      delivery_ref: nullable(Text()),
      branch_id: UuidText(),
      branch_name_translations: TranslationsMap,
      channel: Word(ONLINE_CHANNELS),
      lines: Type.Array(PastOrderLine, {
        description:
          'What orders it again: without `name` and `name_translations` each is a line of a cart. Notes are left out.',
      }),
    }),
  ),
});

export const pastOrders = endpoint({
  ...common,
  id: 'pastOrders',
  path: '/public/loyalty/card/{member_token}/orders',
  summary: "The orders of the card's owner, newest first, at most 50",
  description:
    'While the phone of the card is not proven, only orders that were placed with the card. Never an address, a phone or a note.',
  reply: PastOrders,
  examples: {
    'two lattes': {
      reply: {
        orders: [
          {
            ...{ id: '7d9f5a10-2c3d-4e5f-8a9b-0c1d2e3f4a03', placed_at: '2026-12-04T17:00:00.000Z' },
            ...{ branch_name: 'الزمالك', branch_name_translations: { en: 'Zamalek' }, branch_id: BRANCH },
            ...{ total: 13000, items: ['2 × لاتيه'], status: 'delivered', channel: 'pickup' },
            delivery_ref: 'D-ZML-261204-0007',
            lines: [
              {
                ...{ name: 'لاتيه', name_translations: { en: 'Latte' }, quantity: 2, size_label: 'كبير' },
                menu_item_id: '1c5a0a2e-4b2f-5d6e-9b7c-2d3e4f5a6b02',
                ...{ optional_field_ids: [], addons: [], combo: null },
              },
            ],
          },
        ],
      },
    },
  },
});
