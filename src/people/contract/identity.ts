/** The phone of a card: replaced, or combined with the customer who has the new one (Decisions 11, Order-now). */
import Type from 'typebox';
import { PhoneInput } from '../../identity/contract/otp.ts';
import { byMemberToken } from '../../loyalty/contract/member-token.ts';
import { endpoint } from '../../platform/contract/endpoint.ts';
import { Flag, nullable, optionalNullable, Text, UuidText } from '../../platform/contract/scalars.ts';

const deviceToken = (description: string) => Type.String({ maxLength: 200, description });

export const IdentityInput = Type.Object(
  {
    device_token: deviceToken("Proves the card's phone as it is now."),
    new_phone: PhoneInput('The mobile that is to be the card’s.'),
    new_phone_device_token: deviceToken('Proves the new phone.'),
    name: optionalNullable(
      Type.String({ maxLength: 80, description: 'Corrects the name; null or absent leaves it.' }),
    ),
  },
  { additionalProperties: false },
);

export const IdentityResult = Type.Object({
  customer_id: UuidText(),
  phone_hint: Text({ description: 'The last four digits.', examples: ['•••• 4567'] }),
  first_name: Text(),
  combined: Flag({ description: 'The card has what both had.' }),
  member_token: nullable(
    Text({
      description:
        'Of the card from now on: the older of two cards survives, and a token from before the first proof ends. Additive.',
    }),
  ),
});

const common = {
  tag: 'Loyalty',
  method: 'POST',
  params: byMemberToken,
  query: {},
  body: IdentityInput,
  reply: IdentityResult,
  cache: 'no-store',
  limit: 'writes',
} as const;

const BODY = {
  device_token: 'dev_9yQx0H3mWn5b7VtK2cPzR4sD6fGjL8aE1uIoXqZwYTk',
  new_phone: '0111 234 5678',
  new_phone_device_token: 'dev_2cPzR4sD6fGjL8aE1uIoXqZwYTk9yQx0H3mWn5b7VtK',
};

const REPLY = {
  ...{ customer_id: '3c9d1c6e-0d55-4c61-9c83-0a6d3f1b2e47', phone_hint: '•••• 5678', first_name: 'منى' },
  member_token: 'M3kT0qV9xYbZ2mN8pR5sLwA',
};

export const combineCards = endpoint({
  ...common,
  id: 'combineCards',
  path: '/public/order-now/{member_token}/combine',
  summary: 'Combines the card with the customer of another phone, once both phones are proven',
  description:
    'The older card survives with both balances, orders and addresses, under the new phone; the other token leads to it for 90 days. ' +
    'Repeated, it answers the same.',
  refusals: ['NOT_FOUND', 'PHONE_NOT_VERIFIED', 'NOTHING_TO_COMBINE', 'IDENTITY_LOCKED_AFTER_MERGE'],
  examples: { 'two phones of one guest': { body: BODY, reply: { ...REPLY, combined: true } } },
});

export const replaceIdentity = endpoint({
  ...common,
  id: 'replaceIdentity',
  path: '/public/order-now/{member_token}/replace-identity',
  summary: 'Gives the card another phone, once both phones are proven',
  description:
    'At most twice in 30 days. A phone that the card has already changes the name alone, so that the request can be repeated.',
  refusals: [
    'NOT_FOUND',
    'PHONE_NOT_VERIFIED',
    'PHONE_BELONGS_TO_ANOTHER',
    'PHONE_COMBINED_LATELY',
    'IDENTITY_LOCKED_AFTER_MERGE',
    'IDENTITY_REPLACE_LIMIT',
  ],
  examples: { 'a new phone': { body: BODY, reply: { ...REPLY, combined: false } } },
});
