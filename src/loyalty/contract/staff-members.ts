/** Members as the staff see them: looked up, joined and adjusted at the till (Decisions 11, Staff). */
import Type, { type Static } from 'typebox';
import type { Words } from '../../kernel/refusal.ts';
import { PhoneInput } from '../../identity/contract/otp.ts';
import {
  endpoint,
  idempotencyHeaders,
  optional,
  required,
  restricted,
} from '../../platform/contract/endpoint.ts';
import {
  Flag,
  IdInput,
  Int32,
  integerScalar,
  nullable,
  Text,
  UuidText,
  uuidScalar,
  type Scalar,
} from '../../platform/contract/scalars.ts';
import { entryFields } from './card.ts';
import { memberName } from './join.ts';
import { exampleReward, ModeWord, programmeState, PublicReward } from './shapes.ts';

const strict = { additionalProperties: false } as const;

/** Without the token, the phone in full, and the rest of the name. */
export const LoyaltyMember = Type.Object({
  id: UuidText({ description: 'Of the card.' }),
  customer_id: UuidText({ description: 'Of its owner, for `mergeCustomers`.' }),
  first_name: Text(),
  phone_last_four: Text({ examples: ['4567'] }),
  balance: Int32({ minimum: 0 }),
  mode: ModeWord(),
  next_reward_cost: Int32({ minimum: 1 }),
  rewards_ready: Int32({ minimum: 0, description: 'Rewards that the balance pays for.' }),
  points_to_next_reward: Int32({ minimum: 1 }),
  ...programmeState,
  rewards: Type.Array(PublicReward, { description: "In the shop's order." }),
});

const JoinedMember = Type.Object({
  ...LoyaltyMember.properties,
  already_member: Flag({ description: 'True: the phone had a card, which was not changed.' }),
  card_link_sent: Flag({ description: 'The link of the card was sent to the phone.' }),
});

/** An entry as the staff see it. */
export const MemberEntry = Type.Object({
  ...entryFields,
  staff_id: nullable(UuidText({ description: 'Who adjusted it, or gave the sale its card.' })),
});

const textScalar = (maxLength: number, expected: Words, example: string): Scalar<string> => ({
  schema: Type.String({ minLength: 1, maxLength, examples: [example] }),
  read: (text) => (text.length > maxLength || text.trim() === '' ? null : text),
  expected,
});

const memberId = { id: { scalar: uuidScalar, description: "The member's `id`." } };

const common = { tag: 'Members', cache: 'no-store', limit: 'staff' } as const;

const BRANCH = '5b0c7a52-6d5e-5a3b-9a41-0b6d9d0f1c22';

const example: Static<typeof LoyaltyMember> = {
  ...{ id: '2f1d0c9b-7a3e-4846-9b1a-5c6d7e8f9a0b', customer_id: '9a7b6c5d-4e3f-4a2b-8c1d-0e9f8a7b6c5d' },
  ...{ first_name: 'منى', phone_last_four: '4567' },
  ...{ balance: 113, next_reward_cost: 100, rewards_ready: 1, points_to_next_reward: 87 },
  ...{ enabled: true, can_redeem: true, rewards: [exampleReward] },
  mode: 'points',
};

export const adjustLoyaltyMember = restricted(
  { by: 'staff', permission: 'loyalty.adjust' },
  endpoint({
    ...common,
    id: 'adjustLoyaltyMember',
    method: 'POST',
    path: '/staff/loyalty/members/{id}/adjust',
    summary: 'Adds to the balance of a member, or takes from it',
    description:
      'The balance never goes below 0. A `balance_cap` bounds what is earned and given, not what a person decides here. The guest reads the note on the card.',
    params: memberId,
    query: {},
    headers: idempotencyHeaders,
    body: Type.Object(
      {
        amount: Type.Integer({ minimum: -1_000_000, maximum: 1_000_000, description: 'Signed, not 0.' }),
        note: Type.String({ minLength: 1, maxLength: 500, description: 'Why.' }),
      },
      strict,
    ),
    repeatable: true,
    reply: LoyaltyMember,
    refusals: ['NOT_FOUND'],
    examples: { 'an apology': { body: { amount: 20, note: 'الطلب اتأخر' }, reply: example } },
  }),
);

export const findLoyaltyMember = restricted(
  { by: 'staff', permission: 'loyalty.read' },
  endpoint({
    ...common,
    id: 'findLoyaltyMember',
    method: 'GET',
    path: '/staff/loyalty/members',
    summary: 'The member of a scanned code or a phone',
    params: {},
    query: {
      branch_id: required(uuidScalar, "The branch's id."),
      code: optional(
        textScalar(64, { en: 'a member code', ar: 'كود بطاقة' }, '7K3Q9Z0B5X8M2C4V'),
        'The text of the QR code, in either case, with or without spaces. Either this or `phone`.',
      ),
      phone: optional(
        textScalar(32, { en: 'a mobile phone', ar: 'رقم موبايل' }, '01001234567'),
        "The guest's mobile.",
      ),
    },
    reply: LoyaltyMember,
    refusals: ['NOT_FOUND'],
    examples: { 'one reward ready': { reply: example } },
  }),
);

export const joinLoyaltyMember = restricted(
  { by: 'staff', permission: 'loyalty.join' },
  endpoint({
    ...common,
    id: 'joinLoyaltyMember',
    method: 'POST',
    path: '/staff/loyalty/members',
    summary: 'Joins a guest at the till',
    description:
      'The phone stays unproven. The link of a new card is sent to it where messages can be sent; the staff never see it. ' +
      'A phone that has a card is answered with 200 and its member.',
    params: {},
    query: {},
    headers: idempotencyHeaders,
    body: Type.Object(
      {
        branch_id: IdInput("The branch's id."),
        name: memberName,
        phone: PhoneInput("The guest's mobile."),
      },
      strict,
    ),
    status: 201,
    repeatable: true,
    reply: JoinedMember,
    refusals: ['NOT_FOUND', 'LOYALTY_OFF'],
    examples: {
      'a new member': {
        body: { branch_id: BRANCH, name: 'منى السيد', phone: '0100 123 4567' },
        reply: {
          ...{ ...example, balance: 0, rewards_ready: 0, points_to_next_reward: 100, can_redeem: false },
          ...{ already_member: false, card_link_sent: true },
        },
      },
    },
  }),
);

export const listMemberEntries = restricted(
  { by: 'staff', permission: 'loyalty.read' },
  endpoint({
    ...common,
    id: 'listMemberEntries',
    method: 'GET',
    path: '/staff/loyalty/members/{id}/ledger',
    summary: 'The ledger of a member, newest first',
    params: memberId,
    query: {
      limit: optional(integerScalar(1, 100), 'At most so many entries; 50 if not given.'),
      before: optional(uuidScalar, 'The last entry of the page before: only what is older.'),
    },
    reply: Type.Array(MemberEntry),
    refusals: ['NOT_FOUND'],
    examples: {
      'an apology': {
        reply: [
          {
            ...{ id: '1c5a0a2e-4b2f-4d6e-9b7c-2d3e4f5a6b02', at: '2026-12-04T17:00:00.000Z', amount: 20 },
            ...{ note: 'الطلب اتأخر', rewards: [], shortfall: 0, sale_id: null },
            staff_id: '6c1d0c9b-7a3e-4846-9b1a-5c6d7e8f9a0b',
            kind: 'adjust',
            mode: 'points',
            source: 'manual',
          },
        ],
      },
    },
  }),
);
