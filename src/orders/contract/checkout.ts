/** Shapes, DeliveryOrderInput; Decisions 8. */
import Type from 'typebox';
import { IDENTITY_CHANGES } from '../domain/customer.ts';
import { ONLINE_CHANNELS } from '../../shops/domain/shop.ts';
import { CART_BODY_LIMIT } from '../../platform/contract/body-limits.ts';
import { CartItems, CartRewards, TokenInput } from '../../pricing/contract/cart.ts';
import { DeliveryOrder, EXAMPLE_ITEM, exampleOrder } from './delivery-order.ts';
import { endpoint, idempotencyHeaders } from '../../platform/contract/endpoint.ts';
import { PhoneInput } from '../../identity/contract/otp.ts';
import { CART_REFUSALS, REWARD_REFUSALS } from '../../pricing/contract/quote.ts';
import { Degrees, Flag, IdInput, Int32, optionalNullable, Word } from '../../platform/contract/scalars.ts';

/** Unknown fields are refused by name (Decisions 7). */
const strict = { additionalProperties: false } as const;

/** Lengths: Decisions 8, Limits. */
const text = (maxLength: number, description: string) => Type.String({ maxLength, description });
const short = (description: string) => optionalNullable(text(120, description));

/** Shapes, DeliveryOrderInput; `quoted_total`, `quoted_reward_cost` and `locale` are additive. */
export const DeliveryOrderInput = Type.Object(
  {
    branch_id: IdInput("The branch's id."),
    channel: Word(ONLINE_CHANNELS, { description: 'How the order is to reach the guest.' }),
    customer_name: Type.String({ minLength: 1, maxLength: 120, description: 'Who it is for.' }),
    customer_phone: PhoneInput('The mobile to reach them on.'),
    payment_method_hint: Word(['cash', 'card'], { description: 'How they mean to pay on receipt.' }),
    device_token: TokenInput('Proves the phone; needed where the branch asks for codes (`otp_required`).'),
    items: CartItems,
    address_line: optionalNullable(text(500, 'Needed for `outside`.')),
    floor: short('Needed for `in_mall`.'),
    unit_number: short('Needed for `in_mall`.'),
    landmark: short('What to look for nearby.'),
    place_name: short(
      'The shop or office in the mall, or the umbrella; needed for `in_mall` and `umbrella`.',
    ),
    delivery_notes: optionalNullable(text(1000, 'For whoever brings it.')),
    customer_lat: optionalNullable(
      Degrees(90, 'Needed for `outside`, and for `in_mall` unless the branch needs no location.'),
    ),
    customer_lng: optionalNullable(Degrees(180, 'As `customer_lat`.')),
    contact_device_token: TokenInput(
      "Proves the typed phone of a one-time order to another phone than the card's, where the branch asks for codes.",
    ),
    member_token: TokenInput(
      "A loyalty card's token: the order belongs to its customer, whatever contact is typed.",
    ),
    rewards: CartRewards,
    identity_change: optionalNullable(
      Word(IDENTITY_CHANGES, {
        description:
          'With a `member_token`: `one_time` keeps the profile as it is, `update_name` corrects the stored name.',
      }),
    ),
    save_address: optionalNullable(
      Flag({
        description: 'Whether the address is kept for next time: yes, but for orders for someone else.',
      }),
    ),
    quoted_total: optionalNullable(
      Int32({
        minimum: 0,
        description:
          "The order's `total` as last shown, `order_total` of its quote; another price is then refused with " +
          '`QUOTE_CHANGED`.',
      }),
    ),
    quoted_reward_cost: optionalNullable(
      Int32({
        minimum: 0,
        description:
          'What `rewards` cost on the card as last shown, `reward_cost` of the quote; another cost is then refused ' +
          'with `QUOTE_CHANGED`.',
      }),
    ),
    locale: optionalNullable(
      Word(['ar', 'en'], { description: 'The language of messages about the order.' }),
    ),
  },
  strict,
);

export const placeOrder = endpoint({
  id: 'placeOrder',
  method: 'POST',
  path: '/public/delivery-orders',
  tag: 'Orders',
  summary: 'Takes an order on an online channel',
  description:
    'Priced as `cart-quote` does, in one transaction: the order, its stock, the customer and the message to the guest, ' +
    'or nothing. With an `Idempotency-Key` it can be repeated safely: the same key and body make one order. The id is ' +
    `the capability of its tracking link. The body has ${CART_BODY_LIMIT / 1024} KiB at most.`,
  params: {},
  query: {},
  headers: idempotencyHeaders,
  body: DeliveryOrderInput,
  bodyLimit: CART_BODY_LIMIT,
  status: 201,
  repeatable: true,
  reply: DeliveryOrder,
  refusals: [
    ...CART_REFUSALS,
    ...REWARD_REFUSALS,
    'CHANNEL_NOT_OFFERED',
    'CHANNEL_CLOSED',
    'LOCATION_REQUIRED',
    'OUT_OF_RANGE',
    'PHONE_NOT_VERIFIED',
    'CONTACT_VERIFICATION_REQUIRED',
    'IDENTITY_CHOICE_REQUIRED',
    'QUOTE_CHANGED',
    'TOO_MANY_ORDERS',
  ],
  cache: 'no-store',
  limit: 'writes',
  examples: {
    'a coffee to pick up': {
      body: {
        branch_id: exampleOrder.branch_id,
        channel: 'pickup',
        customer_name: 'منى السيد',
        customer_phone: '0100 123 4567',
        payment_method_hint: 'cash',
        device_token: 'dev_9yQx0H3mWn5b7VtK2cPzR4sD6fGjL8aE1uIoXqZwYTk',
        items: [{ menu_item_id: EXAMPLE_ITEM, quantity: 1, size_label: 'سنجل' }],
      },
      reply: exampleOrder,
    },
  },
});
