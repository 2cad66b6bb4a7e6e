import Type from 'typebox';
import { DISTANCE_SOURCES } from '../domain/delivery.ts';
import { ONLINE_CHANNELS } from '../../shops/domain/shop.ts';
import { endpoint, optional, required } from '../../platform/contract/endpoint.ts';
import {
  decimalScalar,
  Int32,
  Money,
  nullable,
  Text,
  TranslationsMap,
  uuidScalar,
  UuidText,
  Word,
  wordScalar,
} from '../../platform/contract/scalars.ts';
import { OnlineTaxPolicy } from '../../shops/contract/shop.ts';

const meters = (description: string) => nullable(Int32({ minimum: 0, description, examples: [3200] }));

const quotedDelivery = {
  status: Word(['ok', 'out_of_range', 'unavailable'], {
    description:
      '`unavailable`: the fee goes by distance, and the branch has no coordinates to measure it from; no order is ' +
      'taken there.',
  }),
  zone_id: nullable(UuidText({ description: 'The zone that sets the fee; null for a flat fee.' })),
  distance_meters: meters(
    'As measured, also out of range; null where nothing was: on every channel but `outside`.',
  ),
  fee: nullable(Money({ description: 'Piastres; null unless `status` is `ok`.' })),
} as const;

/** Decisions 3: the same in a cart quote. */
export const QuotedDelivery = Type.Object(quotedDelivery, {
  description:
    'How the cart would be brought; null at a table, and for `outside` where the body says no `delivery`.',
});

/** Decisions 3, DeliveryQuote; `zone_name_translations`, `tested_meters` and `max_meters` are additive. */
export const DeliveryQuote = Type.Object({
  status: quotedDelivery.status,
  zone_id: quotedDelivery.zone_id,
  zone_name: nullable(Text()),
  zone_name_translations: Type.Optional(TranslationsMap),
  distance_meters: quotedDelivery.distance_meters,
  distance_source: nullable(
    Word(DISTANCE_SOURCES, { description: '`osrm`: along roads; `haversine`: the great circle.' }),
  ),
  fee: quotedDelivery.fee,
  tested_meters: meters(
    'Out of range: what was held against the bounds, which for a great circle is longer than `distance_meters` by ' +
      "the branch's road factor. Null otherwise.",
  ),
  max_meters: meters(
    'Out of range: how far the branch delivers. Null otherwise, and where areas drawn on the map decide.',
  ),
  tax_policy: OnlineTaxPolicy,
});

const ZONE = '6b2e0c1d-3f4a-5b6c-8d7e-9f0a1b2c3d04';
const tax_policy = { tax_rate: 0.14, tax_inclusive: true, delivery_fee_taxable: false };

export const quoteDelivery = endpoint({
  id: 'quoteDelivery',
  method: 'GET',
  path: '/public/branches/{id}/delivery-quote',
  tag: 'Orders',
  summary: 'Whether a branch delivers to a place on a channel, and for what fee',
  description:
    'Asked before checkout; an order for the same place within 24 hours has the same distance and, while the ' +
    "shop's zones stay as they are, the same fee. `outside` goes by place and distance; the other channels have a " +
    'flat fee wherever the guest is. The channel need not be open. Changes nothing.',
  params: { id: { scalar: uuidScalar, description: "The branch's id." } },
  query: {
    channel: required(wordScalar(ONLINE_CHANNELS), 'How the order is to reach the guest.'),
    lat: optional(
      decimalScalar(-90, 90, 30.0626),
      'Latitude in degrees; required for `outside`, and with `lng`.',
    ),
    lng: optional(
      decimalScalar(-180, 180, 31.2197),
      'Longitude in degrees; required for `outside`, and with `lat`.',
    ),
  },
  reply: DeliveryQuote,
  refusals: ['NOT_FOUND', 'CHANNEL_NOT_OFFERED'],
  cache: 'no-store',
  limit: 'delivery_quote',
  examples: {
    'a place in a zone': {
      reply: {
        ...{ status: 'ok', zone_id: ZONE, zone_name: 'الزمالك', zone_name_translations: { en: 'Zamalek' } },
        ...{ distance_meters: 1840, distance_source: 'osrm', fee: 2500 },
        ...{ tested_meters: null, max_meters: null, tax_policy },
      },
    },
    'a place too far': {
      reply: {
        ...{ status: 'out_of_range', zone_id: null, zone_name: null },
        ...{ distance_meters: 9200, distance_source: 'haversine', fee: null },
        ...{ tested_meters: 11960, max_meters: 8000, tax_policy },
      },
    },
  },
});
