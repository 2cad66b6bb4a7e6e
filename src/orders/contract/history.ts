/** Earlier orders and addresses of a proven phone (Decisions 2), and its owner. */
import Type from 'typebox';
import { ORDER_STATUSES } from '../domain/order.ts';
import { ONLINE_CHANNELS } from '../../shops/domain/shop.ts';
import { proofHeader } from '../../identity/contract/device-token.ts';
import { PastOrderLine } from './order-again.ts';
import { endpoint, required } from '../../platform/contract/endpoint.ts';
import {
  DateTime,
  Flag,
  optionalNullable,
  Money,
  nullable,
  Text,
  TranslationsMap,
  UuidText,
  uuidScalar,
  Word,
} from '../../platform/contract/scalars.ts';

const proof = proofHeader(
  'The `device_token` of POST /public/otp/verify: whose history it is. Without one that holds: `PHONE_NOT_VERIFIED`.',
);

/** Shapes, OrderHistorySummary; of its items all but name and quantity is additive. */
export const OrderHistorySummary = Type.Object({
  id: UuidText(),
  branch_id: UuidText(),
  branch_name: Text(),
  branch_name_translations: Type.Optional(TranslationsMap),
  status: Word(ORDER_STATUSES),
  channel: Word(ONLINE_CHANNELS),
  customer_name: Text(),
  created_at: DateTime(),
  subtotal: Money(),
  delivery_fee: Money(),
  discount_amount: Money(),
  tax_amount: Money(),
  total: Money(),
  tax_inclusive: Flag(),
  items: Type.Array(PastOrderLine, {
    description:
      'What orders it again, too: without `name` and `name_translations` each is a line of a cart. Notes are left out.',
  }),
  address_line: optionalNullable(Text()),
  place_name: optionalNullable(Text()),
  delivery_ref: optionalNullable(Text()),
  customer_lat: optionalNullable(Type.Number({ format: 'double' })),
  customer_lng: optionalNullable(Type.Number({ format: 'double' })),
});

/** Shapes, GuestSavedLocation. */
export const GuestSavedLocation = Type.Object({
  branch_id: UuidText(),
  channel: Word(ONLINE_CHANNELS),
  last_used_at: DateTime(),
  address_line: optionalNullable(Text()),
  floor: optionalNullable(Text()),
  landmark: optionalNullable(Text()),
  place_name: optionalNullable(Text()),
  unit_number: optionalNullable(Text()),
  customer_lat: optionalNullable(Type.Number({ format: 'double' })),
  customer_lng: optionalNullable(Type.Number({ format: 'double' })),
});

const common = {
  tag: 'Orders',
  method: 'GET',
  params: {},
  cache: 'no-store',
  limit: 'ordering_reads',
} as const;
const shop = required(uuidScalar, "The shop's id.");
/** `phone` and `name` are those of the device's owner, who has proven them. */
export const DeviceOwner = Type.Object({
  phone: Text({ description: 'Digits with the country code.', examples: ['201001234567'] }),
  name: nullable(Text({ description: "Of the phone's customer at the shop; null where there is none yet." })),
});

export const getDevice = endpoint({
  ...common,
  id: 'getDevice',
  path: '/public/otp/device',
  tag: 'Codes',
  summary: 'The phone that a device token proves, and the name of its owner at a shop',
  description: 'So that a returning guest types neither. Only who has proven the phone is shown a name.',
  query: { org_id: shop },
  headers: proof,
  reply: DeviceOwner,
  refusals: ['NOT_FOUND', 'PHONE_NOT_VERIFIED'],
  examples: { 'a known guest': { reply: { phone: '201001234567', name: 'منى السيد' } } },
});

const BRANCH = '9f6e1f5b-6a2b-5f2a-8a53-2f6d3c9b7e11';

export const orderHistory = endpoint({
  ...common,
  id: 'orderHistory',
  path: '/public/delivery-orders/history',
  summary: 'Every order of the proven phone at a shop, newest first, at most 50',
  query: { org_id: shop },
  headers: proof,
  reply: Type.Array(OrderHistorySummary),
  refusals: ['NOT_FOUND', 'PHONE_NOT_VERIFIED'],
  examples: {
    'one coffee': {
      reply: [
        {
          ...{ id: '7d9f5a10-2c3d-4e5f-8a9b-0c1d2e3f4a03', branch_id: BRANCH, branch_name: 'الزمالك' },
          ...{ status: 'delivered', channel: 'pickup', customer_name: 'منى السيد' },
          ...{ created_at: '2026-12-04T17:00:00.000Z', subtotal: 4500, delivery_fee: 0, discount_amount: 0 },
          ...{ tax_amount: 553, total: 4500, tax_inclusive: true, delivery_ref: 'D-ZML-261204-0007' },
          items: [
            {
              ...{ name: 'قهوة تركي', name_translations: { en: 'Turkish coffee' }, quantity: 1 },
              ...{ menu_item_id: '1c5a0a2e-4b2f-5d6e-9b7c-2d3e4f5a6b01', size_label: 'سنجل' },
              ...{ optional_field_ids: [], addons: [], combo: null },
            },
          ],
        },
      ],
    },
  },
});

export const pastLocations = endpoint({
  ...common,
  id: 'pastLocations',
  path: '/public/delivery-orders/past-locations',
  summary: 'The saved addresses of the proven phone at a branch, newest first, at most 50',
  query: { org_id: shop, branch_id: required(uuidScalar, "The branch's id.") },
  headers: proof,
  reply: Type.Array(GuestSavedLocation),
  refusals: ['NOT_FOUND', 'PHONE_NOT_VERIFIED'],
  examples: {
    'an umbrella': {
      reply: [
        {
          ...{ branch_id: BRANCH, channel: 'umbrella', last_used_at: '2026-12-04T17:00:00.000Z' },
          place_name: 'شمسية ٤٢',
        },
      ],
    },
  },
});
