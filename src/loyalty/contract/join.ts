/** Joining a shop's programme (Decisions 2, 11; Shapes, JoinInfo, JoinInput, JoinResult). */
import Type, { type Static } from 'typebox';
import { endpoint, idempotencyHeaders, optional } from '../../platform/contract/endpoint.ts';
import { PhoneInput } from '../../identity/contract/otp.ts';
import {
  Flag,
  IdInput,
  Int32,
  nullable,
  optionalNullable,
  Text,
  uuidScalar,
  UuidText,
  Word,
} from '../../platform/contract/scalars.ts';
import {
  CardBrand,
  EXAMPLE_TOKEN,
  exampleBrand,
  exampleReward,
  ModeWord,
  NO_WALLETS_EXAMPLE,
  PassLinks,
  PublicReward,
} from './shapes.ts';

/** Shapes, JoinInfo; `visit_per_item` is additive. */
export const JoinInfo = Type.Object({
  brand: CardBrand,
  enabled: Flag({
    description: 'False: the shop has no programme at the moment, and the fields below are neutral.',
  }),
  require_otp: Flag({ description: 'Whether joining needs a `device_token`.' }),
  mode: ModeWord(),
  next_reward_cost: Int32({ minimum: 1, description: 'Points or visits of the cheapest reward.' }),
  earn_piastres_per_point: Int32({ minimum: 1, description: 'Where `mode` is `points`.' }),
  visit_per_item: Flag({
    description:
      'Where `mode` is `visits`: whether each paid unit of certain items counts one, not each purchase.',
  }),
  rewards: Type.Array(PublicReward, { description: "In the shop's order." }),
  birthday_enabled: Flag({ description: 'Whether the shop asks for birthdays.' }),
  birthday_reward_amount: nullable(Int32()),
  branch_id: nullable(UuidText()),
  branch_name: nullable(Text()),
  terms: nullable(Text()),
  terms_ar: nullable(Text()),
});

export const MAX_NAME = 80;
export const memberName = Type.String({ minLength: 1, maxLength: MAX_NAME, description: 'Of the guest.' });

/** Shapes, JoinInput. Unknown fields, such as a year of birth, are refused by name (Decisions 7). */
export const JoinInput = Type.Object(
  {
    name: memberName,
    phone: PhoneInput('Their mobile.'),
    org_id: optionalNullable(
      IdInput("The shop's id. One of the two is required; given both, they must agree."),
    ),
    branch_id: optionalNullable(IdInput('The id of one of its branches.')),
    device_token: optionalNullable(
      Type.String({ maxLength: 200, description: 'Proves the phone; needed where `require_otp` is true.' }),
    ),
    locale: optionalNullable(Word(['en', 'ar'], { description: 'The language of messages about the card.' })),
    birth_month: optionalNullable(
      Type.Integer({ minimum: 1, maximum: 12, description: 'Kept where the shop asks for birthdays.' }),
    ),
    birth_day: optionalNullable(
      Type.Integer({
        minimum: 1,
        maximum: 31,
        description: 'With `birth_month` a real day, 29 February too.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Shapes, JoinResult. */
export const JoinResult = Type.Object({
  name: Text({ description: "The card's, or the typed one while `verify_required`." }),
  balance: Int32({ minimum: 0, description: '0 while `verify_required`.' }),
  mode: ModeWord(),
  next_reward_cost: Int32({ minimum: 1 }),
  brand: CardBrand,
  already_member: Flag({ description: 'True: nothing was made. True while `verify_required`.' }),
  verify_required: Flag({
    description:
      'The shop knows the phone, and the device has not proved it: prove it and post again with the `device_token`.',
  }),
  card_link_sent: Flag({ description: 'A link to the card was sent to the phone: at most one a day.' }),
  member_token: optionalNullable(
    Text({ description: 'Whoever holds it holds the card. Absent while `verify_required`.' }),
  ),
  passes: optionalNullable(PassLinks),
});

const BRANCH = '5b0c7a52-6d5e-5a3b-9a41-0b6d9d0f1c22';
const ORG = '3f0a4d0e-58a4-5a55-9a0c-1f2f6f1d7b10';

export const getJoinInfo = endpoint({
  id: 'getJoinInfo',
  method: 'GET',
  path: '/public/loyalty/join-info',
  tag: 'Loyalty',
  summary: "A shop's loyalty programme, as one who joins it sees it",
  description: 'Also where there is none at the moment, with `enabled: false`.',
  params: {},
  query: {
    org_id: optional(uuidScalar, "The shop's id. One of the two is required; given both, they must agree."),
    branch_id: optional(uuidScalar, 'The id of one of its branches.'),
  },
  reply: JoinInfo,
  refusals: ['NOT_FOUND'],
  cache: 'no-cache',
  limit: 'booking_and_loyalty_reads',
  examples: {
    'a coffee chain': {
      reply: {
        ...{ brand: exampleBrand, enabled: true, require_otp: true },
        ...{ mode: 'points', visit_per_item: false },
        ...{ next_reward_cost: 100, earn_piastres_per_point: 1000, rewards: [exampleReward] },
        ...{ birthday_enabled: true, birthday_reward_amount: 20, branch_id: BRANCH, branch_name: 'الزمالك' },
        ...{ terms: 'Points have no cash value.', terms_ar: 'لا تُستبدل النقاط بنقود.' },
      },
    },
  },
});

const joined: Static<typeof JoinResult> = {
  mode: 'points',
  ...{ name: 'منى السيد', balance: 0, next_reward_cost: 100, brand: exampleBrand },
  ...{ already_member: false, verify_required: false, card_link_sent: false },
};

export const joinLoyalty = endpoint({
  id: 'joinLoyalty',
  method: 'POST',
  path: '/public/loyalty/join',
  tag: 'Loyalty',
  summary: 'Gives a guest a loyalty card, or their own again once their phone is proven',
  description:
    'A phone has one card at a shop, however often and in whatever way it is typed. The first proof of a phone gives its ' +
    'card a new `member_token`; one that was handed out before ends.',
  params: {},
  query: {},
  headers: idempotencyHeaders,
  body: JoinInput,
  repeatable: true,
  reply: JoinResult,
  refusals: ['NOT_FOUND', 'PHONE_NOT_VERIFIED', 'LOYALTY_OFF'],
  cache: 'no-store',
  limit: 'join',
  examples: {
    'with a proven phone': {
      body: {
        ...{ org_id: ORG, name: 'منى السيد', phone: '0100 123 4567', locale: 'ar' },
        ...{ birth_month: 2, birth_day: 29, device_token: 'dev_9yQx0H3mWn5b7VtK2cPzR4sD6fGjL8aE1uIoXqZwYTk' },
      },
      reply: { ...joined, member_token: EXAMPLE_TOKEN, passes: NO_WALLETS_EXAMPLE },
    },
    'a phone that the shop knows': {
      body: { branch_id: BRANCH, name: 'Mona', phone: '+20 100 123 4567' },
      reply: { ...joined, name: 'Mona', already_member: true, verify_required: true, card_link_sent: true },
    },
  },
});
