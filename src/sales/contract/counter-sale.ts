/** Sales over the counter: priced, paid and booked in one step (Decisions 12, Sale). */
import Type from 'typebox';
import { endpoint, idempotencyHeaders, restricted } from '../../platform/contract/endpoint.ts';
import { IdInput, nullable } from '../../platform/contract/scalars.ts';
import { CartItems, cartRewards } from '../../pricing/contract/cart.ts';
import { CART_REFUSALS, CartQuote, exampleQuote, REWARD_REFUSALS } from '../../pricing/contract/quote.ts';
import { PaymentInputs } from './payments.ts';
import { exampleSale, Sale } from './sales.ts';

const strict = { additionalProperties: false } as const;
const common = { tag: 'Sales', cache: 'no-store', limit: 'staff', method: 'POST' } as const;

const cart = {
  branch_id: IdInput("The branch's id."),
  items: CartItems,
  rewards: cartRewards('Loyalty rewards to spend from the card of `member_id`.'),
  member_id: Type.Optional(
    nullable(IdInput('The loyalty card of a guest who is there; needed with `rewards`.')),
  ),
};

const exampleCart = {
  branch_id: exampleSale.branch_id,
  items: [{ menu_item_id: '5d9e3f21-7a4b-5c6d-9e8f-0a1b2c3d4e05', quantity: 2, size_label: 'سنجل' }],
};

export const quoteCounterSale = restricted(
  { by: 'staff', permission: 'sales.sell' },
  endpoint({
    ...common,
    id: 'quoteCounterSale',
    path: '/staff/cart-quote',
    summary: 'What a cart costs at the till of a branch, the best deals applied',
    description: 'Priced as the counter sale will be: at dine-in prices, without service. Changes nothing.',
    params: {},
    query: {},
    body: Type.Object(cart, strict),
    reply: CartQuote,
    refusals: [...CART_REFUSALS, ...REWARD_REFUSALS],
    examples: { 'two coffees in a deal': { body: exampleCart, reply: exampleQuote } },
  }),
);

export const sellOverCounter = restricted(
  { by: 'staff', permission: 'sales.sell' },
  endpoint({
    ...common,
    id: 'sellOverCounter',
    path: '/staff/sales',
    summary: 'Sells over the counter',
    description: 'The payments add up to the `total` of `POST /staff/cart-quote` exactly.',
    params: {},
    query: {},
    headers: idempotencyHeaders,
    body: Type.Object(
      {
        ...cart,
        payments: PaymentInputs,
        customer_name: Type.Optional(
          nullable(Type.String({ maxLength: 100, description: 'To call out; forgotten a day later.' })),
        ),
      },
      strict,
    ),
    repeatable: true,
    status: 201,
    reply: Sale,
    refusals: [
      ...CART_REFUSALS,
      ...REWARD_REFUSALS,
      'PAYMENT_MISMATCH',
      'TILL_REQUIRED',
      'STAFF_DRINK_ALLOWANCE',
    ],
    examples: {
      'in cash': {
        body: { ...exampleCart, payments: [{ method: 'cash', amount: 8_000, tendered: 10_000 }] },
        reply: { ...exampleSale, source: 'counter', channel: 'dine_in' },
      },
    },
  }),
);
