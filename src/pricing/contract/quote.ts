import Type, { type Static } from 'typebox';
import { CART_BODY_LIMIT } from '../../platform/contract/body-limits.ts';
import { CartItems, CartRewards, TokenInput } from './cart.ts';
import { QuotedDelivery } from '../../delivery/contract/delivery.ts';
import { proofHeader } from '../../identity/contract/device-token.ts';
import { endpoint } from '../../platform/contract/endpoint.ts';
import {
  Degrees,
  Flag,
  Int32,
  optionalNullable,
  Money,
  nullable,
  Text,
  TranslationsMap,
  uuidScalar,
  UuidText,
  Word,
} from '../../platform/contract/scalars.ts';
import { MODES } from '../../loyalty/domain/programme.ts';
import { ONLINE_CHANNELS } from '../../shops/domain/shop.ts';

const strict = { additionalProperties: false } as const;
const hints = Type.Optional(
  Flag({
    description: 'Whether to name the cheapest single additions that lower the total or unlock a deal.',
  }),
);

/** Decisions 3. */
export const CartDestination = Type.Object(
  { lat: Degrees(90, 'Latitude in degrees.'), lng: Degrees(180, 'Longitude in degrees.') },
  {
    ...strict,
    description:
      "Where the guest is, for `outside`: the order's `customer_lat` and `customer_lng`. The other channels have a " +
      'flat fee wherever the guest is.',
  },
);

/** Shapes, PublicCartQuoteRequest; `delivery` and `hints` are additive (Decisions 3, 7.8). */
export const PublicCartQuoteRequest = Type.Object(
  {
    items: CartItems,
    channel: optionalNullable(
      Word(ONLINE_CHANNELS, { description: 'Whose prices; `pickup` when left out.' }),
    ),
    delivery: Type.Optional(CartDestination),
    hints,
    member_token: TokenInput("A loyalty card's token: the quote then says what the order earns."),
    rewards: CartRewards,
  },
  strict,
);

export const TableCartQuoteRequest = Type.Object(
  {
    items: CartItems,
    channel: optionalNullable(
      Type.String({ maxLength: 120, description: "Ignored: a table has the branch's prices." }),
    ),
    hints,
  },
  strict,
);

/** Decisions 3, QuotedCombo. */
export const QuotedComboPart = Type.Object({
  slot_id: UuidText(),
  menu_item_id: UuidText(),
  size_label: nullable(Text()),
  quantity: Int32({ minimum: 1, description: 'Units in the whole line.' }),
  unit_price: Money({ description: 'What one of it in its size costs singly.' }),
  combo_share: Money({ description: "Its share of the combo's price, for the whole line." }),
  combo_surcharge: Money({
    description: 'Surcharges of the choice and extras of the size, for the whole line.',
  }),
  line_total: Money({ description: '`combo_share` and `combo_surcharge`.' }),
  addons_total: Money({ description: 'Its add-ons and optionals, for the whole line.' }),
});
export const QuotedCombo = Type.Object({
  price: Money({ description: "One combo's price." }),
  unit_total: Money({
    description: 'The price of one with surcharges and extras of sizes, without add-ons.',
  }),
  saving_unit: Money({
    description: 'What the picks of one would cost singly, less `unit_total`; may be zero or negative.',
  }),
  parts: Type.Array(QuotedComboPart),
});

/** Decisions 3, QuotedLine; `name_translations` is additive. */
export const QuotedLine = Type.Object({
  index: Int32({ minimum: 0, description: 'Its place in `items`, from 0.' }),
  quantity: Int32({ minimum: 1 }),
  unit_price: Money({ description: 'The size price of one unit; 0 for a combo.' }),
  addons_total: Money({ description: 'Add-ons and optionals of one unit.' }),
  line_total: Money({
    description: 'The whole line with add-ons, before deals, without the units that rewards pay for.',
  }),
  deal_discount: Money({ description: 'What deals took off this line.' }),
  reward_units: Int32({ minimum: 0, description: 'Units that rewards pay for; they count in no deal.' }),
  reward_discount: Money({ description: 'What these units would cost with their add-ons and optionals.' }),
  staff_drink_discount: Type.Optional(
    Money({ description: 'Of a drink of the staff: what it would cost; its `line_total` is 0.' }),
  ),
  name: Text(),
  name_translations: TranslationsMap,
  size_label: nullable(Text({ description: 'The size that is sold; null for an item without sizes.' })),
  combo: Type.Optional(QuotedCombo),
});

/** Decisions 3, QuotedDeal. */
export const QuotedDealLine = Type.Object({
  line_index: Int32({ minimum: 0 }),
  units: Int32({ minimum: 1, description: 'Units of the line that count in the deal, paid or rewarded.' }),
  discount: Money(),
});
export const QuotedDeal = Type.Object({
  deal_rule_id: UuidText(),
  name: Text(),
  name_translations: TranslationsMap,
  times: Int32({ minimum: 1 }),
  discount: Money({ description: 'What it takes off, all its applications together.' }),
  lines: Type.Array(QuotedDealLine),
});

/** Decisions 7.8. */
export const QuoteHint = Type.Object({
  menu_item_id: UuidText(),
  size_label: nullable(Text()),
  name: Text(),
  name_translations: TranslationsMap,
  line_index: nullable(
    Int32({
      minimum: 0,
      description: 'The line that gets the unit, with its options; null: a unit without options.',
    }),
  ),
  price: Money({ description: 'What one unit of it costs, before deals.' }),
  saving: Money({ description: 'How much more the deals take off with it.' }),
  total_change: Money({ description: 'How `total` changes with it; negative: the cart gets cheaper.' }),
});

/** Decisions 11: rewards in a cart. */
export const QuotedReward = Type.Object({
  reward_id: UuidText(),
  name: Text(),
  name_translations: TranslationsMap,
  line_index: Int32({ minimum: 0 }),
  units: Int32({ minimum: 1 }),
  discount: Money({ description: 'What the units would cost with their add-ons and optionals.' }),
  cost: Int32({ minimum: 0, description: 'Points or visits of the units.' }),
});

export const RewardHint = Type.Object({
  reward_id: UuidText(),
  line_index: Int32({ minimum: 0 }),
  cost: Int32({ minimum: 0, description: 'Points or visits of one unit.' }),
  saving: Money({ description: 'How much lower `total` is with the reward on one more unit of the line.' }),
});

export const NextReward = Type.Object({
  name: Text(),
  name_translations: TranslationsMap,
  cost: Int32({ minimum: 1 }),
});

/** What the order will change on the card. */
export const LoyaltyForecast = Type.Object({
  mode: Word(MODES),
  balance: Int32({ minimum: 0 }),
  earns: Int32({ minimum: 0, description: 'Points or visits that the order earns on delivery.' }),
  balance_after_delivery: Int32({
    minimum: 0,
    description: 'After the rewards of the cart and what it earns.',
  }),
  points_to_next_reward: Int32({
    minimum: 0,
    description: 'Points or visits that are then missing for the next reward.',
  }),
  next_reward: nullable(NextReward),
});

/** Shapes, CartQuote; the fields after `total_after_deals` are additive (Decisions 3). */
export const CartQuote = Type.Object({
  lines: Type.Array(QuotedLine),
  items_total: Money({ description: 'The sum of the line totals, before deals.' }),
  deals: Type.Array(QuotedDeal),
  deal_discount: Money({ description: 'The sum of what the deals take off.' }),
  total_after_deals: Money({
    description: '`items_total` less `deal_discount`: before the channel discount, tax and fees.',
  }),
  discount_amount: Money({ description: "The channel's discount." }),
  service_charge_amount: Money({ description: 'At a table, where the branch charges for service; else 0.' }),
  tax_amount: Money({ description: 'The tax of `total`, without that on the delivery fee.' }),
  tax_inclusive: Flag({ description: 'True: the tax is inside `total`; otherwise it is added to it.' }),
  total: Money({ description: 'What the order comes to, before the delivery fee.' }),
  delivery: nullable(QuotedDelivery),
  order_total: nullable(
    Money({
      description:
        'Exactly what the order comes to, the delivery fee and the tax on it included: its `total`, and the ' +
        '`quoted_total` to send with it. Null where the fee is not known: for `outside` without `delivery`, out of ' +
        'range, or where nothing can be measured. At a table, `total`.',
    }),
  ),
  order_tax_amount: nullable(
    Money({
      description:
        'The tax of `order_total`, with that on the delivery fee; null where it is null. Additive.',
    }),
  ),
  optimal: Flag({ description: 'True when no combination of deals saves more: proven.' }),
  bound: Money({ description: 'No combination of deals saves more than this.' }),
  hints: Type.Optional(
    Type.Array(QuoteHint, { description: 'Where `hints` was true: at most three, the best first.' }),
  ),
  rewards: Type.Array(QuotedReward, { description: 'In the order of the body.' }),
  reward_cost: Int32({ minimum: 0, description: 'Points or visits of all rewards.' }),
  balance_after: nullable(
    Int32({ minimum: 0, description: 'Of the card, after the rewards; null without a card.' }),
  ),
  rewards_need_proof: Type.Optional(
    Flag({
      description:
        'True: the rewards are left out, because no `member_token` came, or no `X-Device-Token` that proves the phone ' +
        'of the card.',
    }),
  ),
  reward_hints: Type.Optional(
    Type.Array(RewardHint, {
      description:
        'Where `hints` was true and the phone of the card is proven: where a reward saves most, at most three, the best first.',
    }),
  ),
  loyalty: nullable(LoyaltyForecast),
});

const COFFEE = '1c5a0a2e-4b2f-5d6e-9b7c-2d3e4f5a6b02';
const ZONE = '6b2e0c1d-3f4a-5b6c-8d7e-9f0a1b2c3d04';
const DEAL = '4e1f7a3c-8d2b-5e90-a1c4-7b6f5d3e2a05';
const lines = [
  {
    ...{ index: 0, quantity: 2, unit_price: 4500, addons_total: 0, line_total: 9000, deal_discount: 1000 },
    ...{ name: 'قهوة تركي', name_translations: { en: 'Turkish coffee' }, size_label: 'سنجل' },
    ...{ reward_units: 0, reward_discount: 0 },
  },
];
const deals = [
  {
    ...{
      deal_rule_id: DEAL,
      name: 'اتنين بـ ٨٠',
      name_translations: { en: 'Two for 80' },
      times: 1,
      discount: 1000,
    },
    lines: [{ line_index: 0, units: 2, discount: 1000 }],
  },
];
const totals = {
  items_total: 9000,
  deal_discount: 1000,
  total_after_deals: 8000,
  optimal: true,
  bound: 1000,
  ...{ rewards: [], reward_cost: 0, balance_after: null, loyalty: null },
};

export const exampleQuote: Static<typeof CartQuote> = {
  ...{ lines, deals, ...totals, discount_amount: 0, service_charge_amount: 0, delivery: null },
  ...{ tax_amount: 982, tax_inclusive: true, total: 8000, order_total: 8000, order_tax_amount: 982 },
};

/** The refusals of a cart, at a branch and at a table. */
export const CART_REFUSALS = [
  'NOT_FOUND',
  'COMBO_PICKS_REQUIRED',
  'COMBO_SLOT_TOO_FEW',
  'COMBO_SLOT_TOO_MANY',
  'COMBO_CHOICE_NOT_ALLOWED',
  'COMBO_NESTED',
  'MODIFIER_TOO_FEW',
  'MODIFIER_TOO_MANY',
  'NOT_PERMITTED',
  'ITEM_NOT_FOUND',
  'ITEM_UNAVAILABLE',
  'ADDON_UNAVAILABLE',
  'COMBO_UNAVAILABLE',
  'COMBO_ITEM_UNAVAILABLE',
] as const;

/** Of an order and of a quote with a card. */
export const REWARD_REFUSALS = [
  'REWARD_UNAVAILABLE',
  'REWARD_GONE',
  'REWARD_IN_COMBO',
  'LOYALTY_OFF',
] as const;

const ABOUT_BODY = `The body has ${CART_BODY_LIMIT / 1024} KiB at most.`;

export const quoteCart = endpoint({
  id: 'quoteCart',
  method: 'POST',
  path: '/public/branches/{id}/cart-quote',
  tag: 'Carts',
  summary: 'What a cart costs on a channel of a branch, the best deals applied',
  description:
    'Priced by the server exactly as the order will be; prices in the body are ignored. The channel need not be open. ' +
    `Changes nothing. ${ABOUT_BODY} For \`outside\`, \`delivery\` says where to: a place that nobody asked about within ` +
    '24 hours counts as a delivery quote of the client besides, and beyond their number is refused with ' +
    '`RATE_LIMITED`.',
  params: { id: { scalar: uuidScalar, description: "The branch's id." } },
  query: {},
  headers: proofHeader(
    'The `device_token` of POST /public/otp/verify: proves the phone of the card, whose points the rewards spend.',
  ),
  body: PublicCartQuoteRequest,
  bodyLimit: CART_BODY_LIMIT,
  reply: CartQuote,
  refusals: [...CART_REFUSALS, ...REWARD_REFUSALS, 'CHANNEL_NOT_OFFERED'],
  cache: 'no-store',
  limit: 'ordering_reads',
  examples: {
    'two coffees in a deal': {
      body: { items: [{ menu_item_id: COFFEE, quantity: 2, size_label: 'سنجل' }], channel: 'pickup' },
      reply: { ...exampleQuote, delivery: { status: 'ok', zone_id: null, distance_meters: null, fee: 0 } },
    },
    'the same brought, the fee taxed': {
      body: {
        items: [{ menu_item_id: COFFEE, quantity: 2, size_label: 'سنجل' }],
        ...{ channel: 'outside', delivery: { lat: 29.9602, lng: 31.2569 } },
      },
      reply: {
        ...{ lines, deals, ...totals, discount_amount: 0, service_charge_amount: 0 },
        ...{
          tax_amount: 1120,
          tax_inclusive: false,
          total: 9120,
          order_total: 11400,
          order_tax_amount: 1400,
        },
        delivery: { status: 'ok', zone_id: ZONE, distance_meters: 1840, fee: 2000 },
      },
    },
  },
});

export const quoteTableCart = endpoint({
  id: 'quoteTableCart',
  method: 'POST',
  path: '/public/tables/{id}/cart-quote',
  tag: 'Tables',
  summary: "What a cart costs at a table, at the branch's prices, the best deals applied",
  description:
    'Priced by the server exactly as the order will be; prices in the body are ignored. `channel` is ignored. ' +
    `Changes nothing. ${ABOUT_BODY}`,
  params: { id: { scalar: uuidScalar, description: "The table's id, as in its QR code." } },
  query: {},
  body: TableCartQuoteRequest,
  bodyLimit: CART_BODY_LIMIT,
  reply: CartQuote,
  refusals: CART_REFUSALS,
  cache: 'no-store',
  limit: 'ordering_reads',
  examples: {
    'two coffees in a deal, with 12 % service': {
      body: { items: [{ menu_item_id: COFFEE, quantity: 2, size_label: 'سنجل' }] },
      reply: {
        ...{ lines, deals, ...totals, discount_amount: 0, service_charge_amount: 960 },
        ...{
          tax_amount: 1120,
          tax_inclusive: false,
          total: 10080,
          delivery: null,
          order_total: 10080,
          order_tax_amount: 1120,
        },
      },
    },
  },
});
