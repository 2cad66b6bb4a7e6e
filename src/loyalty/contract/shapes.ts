/** What join page, card, quote and order say of a programme (Shapes, Loyalty and card shapes). */
import Type, { type Static } from 'typebox';
import { LANGUAGES } from '../../kernel/names.ts';
import {
  Color,
  Flag,
  Int32,
  nullable,
  optionalNullable,
  Text,
  TranslationsMap,
  UuidText,
  Word,
} from '../../platform/contract/scalars.ts';
import { PublicSocialLink } from '../../shops/contract/shop.ts';
import { DIGITS } from '../../shops/domain/shop.ts';
import { MODES } from '../domain/programme.ts';

export const ModeWord = (description = 'What the card counts.') => Word(MODES, { description });

/** What the holder of a card can do now (Shapes, CardView); `enabled` is additive. */
export const programmeState = {
  enabled: Flag({
    description: 'The programme is on. While it is off the balance stays, and nothing is earned or spent.',
  }),
  can_redeem: Flag({ description: 'The balance pays for a reward: `rewards_ready` is not 0.' }),
} as const;

/** Shapes, CardBrand; the last four fields are additive. */
export const CardBrand = Type.Object({
  org_name: Text({ examples: ['بيت البن'] }),
  program_name: Text({
    description: "The shop's name where the programme has none.",
    examples: ['نادي البن'],
  }),
  program_name_ar: optionalNullable(Text()),
  logo_is_mark: Flag({ description: 'True when the logo is a shape on transparency and may be repainted.' }),
  social_links: Type.Array(PublicSocialLink),
  background_color: nullable(Color()),
  foreground_color: nullable(Color()),
  label_color: nullable(Color()),
  logo_url: nullable(Text()),
  card_image_url: nullable(Text()),
  org_name_translations: Type.Optional(TranslationsMap),
  slug: Text({ examples: ['beit-el-bunn'] }),
  main_language: Word(LANGUAGES, { description: "The language of the shop's own names." }),
  digits: Word(DIGITS, { description: 'Of figures in Arabic text: 012 or ٠١٢.' }),
});

/** Shapes, PublicReward; `id` and `name_translations` are additive. */
export const PublicReward = Type.Object({
  id: UuidText(),
  name: Text({ examples: ['قهوة تركي'] }),
  name_translations: Type.Optional(TranslationsMap),
  cost_currency: ModeWord(),
  cost_amount: Int32({ minimum: 1, examples: [100] }),
});

/** Shapes, PassLinks. */
export const PassLinks = Type.Object({
  any: Flag({ description: 'False when no wallet is configured.' }),
  wallet_one_url: nullable(Text({ description: 'Apple Wallet: a site-relative download address.' })),
  wallet_two_url: nullable(Text({ description: 'Google Wallet: a save link.' })),
});

export const exampleBrand: Static<typeof CardBrand> = {
  ...{ org_name: 'بيت البن', program_name: 'نادي البن', program_name_ar: 'نادي البن' },
  ...{
    logo_is_mark: false,
    background_color: '#F6EFE6',
    foreground_color: '#3B2417',
    label_color: '#B4622D',
  },
  social_links: [{ key: 'instagram', label: 'Instagram', url: 'https://instagram.com/beit.el.bunn' }],
  ...{ logo_url: null, card_image_url: null, org_name_translations: { en: 'Beit El Bunn' } },
  slug: 'beit-el-bunn',
  main_language: 'ar',
  digits: 'latn',
};

export const exampleReward: Static<typeof PublicReward> = {
  ...{ id: '9b0d2c4e-5f6a-5b7c-8d9e-0f1a2b3c4d5e', name: 'قهوة تركي' },
  name_translations: { en: 'Turkish coffee' },
  cost_currency: 'points',
  cost_amount: 100,
};

export const NO_WALLETS_EXAMPLE = { any: false, wallet_one_url: null, wallet_two_url: null } as const;

export const EXAMPLE_TOKEN = 'MqQ0Zb1x7yTn3K5wVd8LhRg';
