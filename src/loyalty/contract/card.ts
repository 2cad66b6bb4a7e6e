/** A loyalty card, read by its token (Decisions 2, 11; Shapes, CardView, CardPreferences). */
import Type, { type Static } from 'typebox';
import { LANGUAGES } from '../../kernel/names.ts';
import { endpoint, fileAnswer, NoContent } from '../../platform/contract/endpoint.ts';
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
import { ENTRY_KINDS, ENTRY_SOURCES } from '../domain/ledger.ts';
import { byMemberToken } from './member-token.ts';
import {
  CardBrand,
  EXAMPLE_TOKEN,
  exampleBrand,
  exampleReward,
  ModeWord,
  NO_WALLETS_EXAMPLE,
  PassLinks,
  programmeState,
  PublicReward,
} from './shapes.ts';

const SpentReward = Type.Object({
  reward_id: UuidText(),
  name: Text(),
  name_translations: Type.Optional(TranslationsMap),
  units: Int32({ minimum: 1 }),
  cost: Int32({ description: 'Of all units.' }),
});

/** An entry as guests and staff read it (Decisions 11, Ledger). */
export const entryFields = {
  id: UuidText(),
  at: DateTime(),
  kind: Word(ENTRY_KINDS),
  source: Word(ENTRY_SOURCES),
  amount: Int32({ description: 'Signed.', examples: [13] }),
  shortfall: Int32({ minimum: 0, description: 'What a cap trimmed, or what a reversal could not take.' }),
  mode: ModeWord('Which balance it changed.'),
  sale_id: nullable(UuidText()),
  note: nullable(Text()),
  rewards: Type.Array(SpentReward, { description: 'What a redemption was spent on.' }),
};

/** One line of the ledger, with the sale it is about. */
export const CardEntry = Type.Object({
  ...entryFields,
  sale: nullable(
    Type.Object({
      id: UuidText(),
      reference: Text({ examples: ['D-ZML-261204-0007'] }),
      branch_name: Text(),
      total: Money(),
    }),
  ),
});

/**
 * Shapes, CardView; `enabled`, `offline_limit`, `member_code`, `locale`, `birthday`, `entries` and `has_older_entries` are
 * additive.
 */
export const CardView = Type.Object({
  name: Text(),
  balance: Int32({ minimum: 0 }),
  mode: ModeWord(),
  next_reward_cost: Int32({ minimum: 1 }),
  rewards_ready: Int32({
    minimum: 0,
    description: 'How many rewards of `next_reward_cost`, the cheapest, the balance pays for.',
  }),
  progress_to_next: Int32({ minimum: 0 }),
  points_to_next_reward: Int32({ minimum: 1 }),
  ...programmeState,
  offline_limit: nullable(
    Int32({ minimum: 1, description: 'What one voucher is good for at most; null: the shop gives none.' }),
  ),
  member_token: Text(),
  member_code: nullable(
    Text({ description: 'What a till scans: the text of `qr.svg`.', examples: ['7K3Q9Z0B5X8M2C4V'] }),
  ),
  rewards: Type.Array(PublicReward, { description: "In the shop's order." }),
  passes: PassLinks,
  brand: CardBrand,
  marketing_opt_out: Flag({ description: 'No birthday greeting and no win-back message.' }),
  locale: Word(LANGUAGES, { description: 'The language of messages about the card.' }),
  birthday: Flag({ description: 'Whether the guest gave month and day.' }),
  order_now_url: nullable(
    Text({
      description: 'Where the shop takes online orders.',
      examples: ['https://ahwa.example/beit-el-bunn/order'],
    }),
  ),
  entries: Type.Array(CardEntry, { description: 'The ledger, newest first, at most 100 lines.' }),
  has_older_entries: Flag({ description: 'Whether the ledger has more lines than these.' }),
});

/** Shapes, CardPreferences. Null or absent leaves a value. */
export const CardPreferences = Type.Object(
  {
    locale: optionalNullable(Word(['en', 'ar'], { description: 'The language of messages about the card.' })),
    marketing_opt_out: optionalNullable(
      Type.Boolean({ description: 'Stops birthday and win-back messages at once, also those waiting.' }),
    ),
  },
  { additionalProperties: false },
);

const common = { tag: 'Loyalty', params: byMemberToken, query: {}, refusals: ['NOT_FOUND'] } as const;

const exampleView: Static<typeof CardView> = {
  ...{ name: 'منى السيد', balance: 113, next_reward_cost: 100, rewards_ready: 1 },
  ...{ enabled: true, mode: 'points', locale: 'ar' },
  ...{ progress_to_next: 13, points_to_next_reward: 87, can_redeem: true, offline_limit: 200 },
  member_token: EXAMPLE_TOKEN,
  ...{ member_code: '7K3Q9Z0B5X8M2C4V', rewards: [exampleReward], passes: NO_WALLETS_EXAMPLE },
  ...{ brand: exampleBrand, marketing_opt_out: false, birthday: true },
  order_now_url: 'https://ahwa.example/beit-el-bunn/order',
  entries: [
    {
      ...{ id: '1c5a0a2e-4b2f-4d6e-9b7c-2d3e4f5a6b02', at: '2026-12-04T17:00:00.000Z' },
      ...{ amount: 13, shortfall: 0, note: null, rewards: [] },
      kind: 'earn',
      mode: 'points',
      source: 'sale',
      sale_id: '8f14e45f-ceea-467f-ab5d-24c1c0b8f3a7',
      sale: {
        ...{ id: '8f14e45f-ceea-467f-ab5d-24c1c0b8f3a7', reference: 'D-ZML-261204-0007' },
        ...{ branch_name: 'الزمالك', total: 13_500 },
      },
    },
  ],
  has_older_entries: false,
};

export const getCard = endpoint({
  ...common,
  id: 'getCard',
  method: 'GET',
  path: '/public/loyalty/card/{member_token}',
  summary: 'A loyalty card with its ledger, to whoever holds its token',
  reply: CardView,
  cache: 'no-store',
  limit: 'booking_and_loyalty_reads',
  examples: { 'one reward ready': { reply: exampleView } },
});

export const getCardQr = fileAnswer(
  { mediaType: 'image/svg+xml', filename: 'card.svg' },
  endpoint({
    ...common,
    id: 'getCardQr',
    method: 'GET',
    path: '/public/loyalty/card/{member_token}/qr.svg',
    summary: 'The member code of a card as a QR code',
    description: 'Dark on white with its quiet zone, whatever the colours of the page.',
    reply: Text(),
    cache: 'no-store',
    limit: 'booking_and_loyalty_reads',
    examples: {
      'a card': {
        reply:
          '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29" shape-rendering="crispEdges">…</svg>',
      },
    },
  }),
);

export const setCardPreferences = endpoint({
  ...common,
  id: 'setCardPreferences',
  method: 'POST',
  path: '/public/loyalty/card/{member_token}/preferences',
  summary: 'Sets the language of a card’s messages, and whether the shop may greet the guest',
  body: CardPreferences,
  status: 204,
  reply: NoContent,
  cache: 'no-store',
  limit: 'writes',
  examples: { 'no greetings': { body: { locale: null, marketing_opt_out: true }, reply: null } },
});
