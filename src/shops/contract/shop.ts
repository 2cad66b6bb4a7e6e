import Type from 'typebox';
import { LANGUAGES } from '../../kernel/names.ts';
import { DIGITS, SOCIAL_KEYS } from '../domain/shop.ts';
import { endpoint, optional, required } from '../../platform/contract/endpoint.ts';
import {
  booleanScalar,
  Color,
  DateText,
  DateTime,
  Flag,
  optionalNullable,
  Rate,
  slugScalar,
  Text,
  TranslationsMap,
  uuidScalar,
  UuidText,
  Word,
} from '../../platform/contract/scalars.ts';

/** Shapes, PublicBrand. */
export const PublicBrand = Type.Object({
  org_id: UuidText(),
  name: Text({ description: "Always the shop's own name.", examples: ['بيت البن'] }),
  name_translations: Type.Optional(TranslationsMap),
  slug: optionalNullable(
    Text({ description: 'Null when the shop has no address name of its own.', examples: ['beit-el-bunn'] }),
  ),
  custom_branding: Flag({ description: "Whether the colours below are the shop's own or defaults." }),
  logo_is_mark: Flag({ description: 'True when the logo is a shape on transparency and may be repainted.' }),
  logo_url: optionalNullable(Text()),
  background_color: Color(),
  foreground_color: Color(),
  accent_color: Color(),
  card_image_url: optionalNullable(Text()),
  main_language: Word(LANGUAGES, { description: "The language of the shop's own names." }),
  digits: Word(DIGITS, { description: 'Of figures in Arabic text: 012 or ٠١٢.' }),
});

/** Shapes, PublicLinksItem. */
export const PublicLinksItem = Type.Object({
  kind: Word(['order', 'menu', 'rewards', 'book', 'custom']),
  href: Text({ description: 'Absolute address.', examples: ['https://ahwa.example/beit-el-bunn/order'] }),
  branch_names: Type.Array(Text(), { description: 'For order and book: the branches where it is on.' }),
  channels: Type.Array(Word(['pickup', 'delivery', 'in_mall', 'umbrella']), {
    description: 'For order: the channels on anywhere.',
  }),
  path: optionalNullable(
    Text({
      description: "Modules only: the same place as a path on the shop's own host.",
      examples: ['/order'],
    }),
  ),
  title_en: optionalNullable(Text({ description: 'Custom links only.' })),
  title_ar: optionalNullable(Text({ description: 'Custom links only.' })),
});

/** Decisions 3: exactly key, label, url, in this order. */
export const PublicSocialLink = Type.Object({
  key: Word(SOCIAL_KEYS),
  label: Text({ examples: ['Instagram'] }),
  url: Text({ description: 'https only.', examples: ['https://instagram.com/beit.el.bunn'] }),
});

/** Shapes, PublicLinksBranch. */
export const PublicLinksBranch = Type.Object({
  id: UuidText(),
  name: Text(),
  name_translations: Type.Optional(TranslationsMap),
  address: optionalNullable(Text()),
  address_translations: Type.Optional(TranslationsMap),
  phone: optionalNullable(Text()),
  directions_url: optionalNullable(
    Text({
      description: 'A map link, else a search on coordinates, else on the address; null when none exist.',
    }),
  ),
});

/** Shapes, PublicLinksPage. */
export const PublicLinksPage = Type.Object({
  brand: PublicBrand,
  items: Type.Array(PublicLinksItem, { description: "Visible, available buttons in the shop's order." }),
  socials: Type.Array(PublicSocialLink),
  branches: Type.Array(PublicLinksBranch, { description: 'Empty when the visit-us option is off.' }),
  cover_image_url: optionalNullable(Text()),
  loyalty_mode: optionalNullable(
    Word(['points', 'visits'], { description: 'When the rewards button is shown.' }),
  ),
  tagline_ar: optionalNullable(Text()),
  tagline_en: optionalNullable(Text()),
});

/** Shapes, OnlineTaxPolicy; `delivery_fee_taxable` is additive (Decisions 3). */
export const OnlineTaxPolicy = Type.Object({
  tax_rate: Rate({ description: 'A fraction: 0.14 is 14 %.' }),
  tax_inclusive: Flag({ description: 'True: menu prices already contain the tax.' }),
  delivery_fee_taxable: Flag({ description: 'True: the tax is on the delivery fee too.' }),
});

const enabled = Flag({ description: 'The branch offers this channel.' });
const openNow = Flag({ description: 'Offered and taking orders at this moment.' });

const opensAt = optionalNullable(
  DateTime({ description: 'When a closed channel opens next; null when it is open, off, or not known.' }),
);

/** What starts on a date, by the channel's hours alone: a pause of the staff shows in `open_now`. */
const OpenDay = Type.Object({
  date: DateText({ description: "On the branch's clock; a night belongs to the date it begins on." }),
  is_changed: Flag({ description: 'Other hours than those of its weekday: a feast, Ramadan, a closed day.' }),
  ranges: Type.Array(Type.Object({ opens_at: DateTime(), closes_at: DateTime() }), {
    description: 'By time; empty: closed all day.',
  }),
});

const openDays = Type.Optional(
  Type.Array(OpenDay, {
    description: 'Seven days; the first is the one that is being served, in the small hours yesterday.',
  }),
);

/** Shapes, PublicBranch; `timezone`, `hours` and the `opens_at` of each channel are additive. */
export const PublicBranch = Type.Object({
  id: UuidText(),
  name: Text(),
  name_translations: Type.Optional(TranslationsMap),
  code: Text({ description: "The branch's short code, as in order references.", examples: ['ZML'] }),
  in_mall_enabled: enabled,
  outside_enabled: enabled,
  umbrella_enabled: enabled,
  pickup_enabled: enabled,
  in_mall_open_now: openNow,
  outside_open_now: openNow,
  umbrella_open_now: openNow,
  pickup_open_now: openNow,
  in_mall_opens_at: opensAt,
  outside_opens_at: opensAt,
  umbrella_opens_at: opensAt,
  pickup_opens_at: opensAt,
  hours: Type.Object(
    { in_mall: openDays, outside: openDays, umbrella: openDays, pickup: openDays },
    { description: 'Of each channel that the branch offers.' },
  ),
  timezone: Text({ description: "The branch's IANA time zone.", examples: ['Africa/Cairo'] }),
  otp_required: Flag({ description: 'False: public checkout skips the one-time code at this branch.' }),
  in_mall_require_location: Flag({ description: 'False: in-mall ordering needs no device location.' }),
  tax_policy: OnlineTaxPolicy,
  service_charge_rate: Rate({
    description: "What a table's bill adds for service; online orders have none. Additive.",
    examples: [0.12],
  }),
});

const shopQuery = {
  slug: optional(slugScalar, "The shop's address name; trimmed and lower-cased."),
  org_id: optional(uuidScalar, "The shop's id. One of the two is required; given both, they must agree."),
};

const exampleBrand = {
  org_id: '3f0a4d0e-58a4-5a55-9a0c-1f2f6f1d7b10',
  name: 'بيت البن',
  name_translations: { en: 'Beit El Bunn' },
  slug: 'beit-el-bunn',
  custom_branding: true,
  logo_is_mark: false,
  logo_url: null,
  background_color: '#F6EFE6',
  foreground_color: '#3B2417',
  accent_color: '#B4622D',
  card_image_url: null,
  main_language: 'ar' as const,
  digits: 'latn' as const,
};

export const getBrand = endpoint({
  id: 'getBrand',
  method: 'GET',
  path: '/public/orgs/brand',
  tag: 'Shop',
  summary: "A shop's brand: name, logo and colours",
  params: {},
  query: shopQuery,
  reply: PublicBrand,
  refusals: ['NOT_FOUND'],
  cache: { maxAge: 60 },
  limit: 'general',
  examples: { 'a coffee chain': { reply: exampleBrand } },
});

export const getLinks = endpoint({
  id: 'getLinks',
  method: 'GET',
  path: '/public/orgs/links',
  tag: 'Shop',
  summary: "A shop's links page: buttons, socials and branches",
  params: {},
  query: shopQuery,
  reply: PublicLinksPage,
  refusals: ['NOT_FOUND'],
  cache: { maxAge: 60 },
  limit: 'general',
  examples: {
    'a coffee chain': {
      reply: {
        brand: exampleBrand,
        items: [
          {
            kind: 'order',
            href: 'https://ahwa.example/beit-el-bunn/order',
            branch_names: ['الزمالك'],
            channels: ['pickup', 'delivery'],
            path: '/order',
          },
          {
            kind: 'menu',
            href: 'https://ahwa.example/beit-el-bunn/menu',
            branch_names: [],
            channels: [],
            path: '/menu',
          },
        ],
        socials: [{ key: 'instagram', label: 'Instagram', url: 'https://instagram.com/beit.el.bunn' }],
        branches: [
          {
            id: '5b0c7a52-6d5e-5a3b-9a41-0b6d9d0f1c22',
            name: 'الزمالك',
            name_translations: { en: 'Zamalek' },
            address: '١٢ شارع البرازيل، الزمالك',
            phone: '+20227350000',
            directions_url: 'https://www.google.com/maps/search/?api=1&query=30.0626,31.2197',
          },
        ],
        cover_image_url: null,
        loyalty_mode: null,
        tagline_ar: 'بن محمص كل صباح',
        tagline_en: 'Roasted every morning',
      },
    },
  },
});

export const listBranches = endpoint({
  id: 'listBranches',
  method: 'GET',
  path: '/public/branches',
  tag: 'Shop',
  summary: "A shop's branches and what they offer now",
  description: 'By name. Without `browse=true` only branches with at least one online channel enabled.',
  params: {},
  query: {
    org_id: required(uuidScalar, "The shop's id."),
    browse: optional(booleanScalar, '`true` to include every active branch.'),
  },
  reply: Type.Array(PublicBranch),
  refusals: ['NOT_FOUND'],
  cache: 'no-cache',
  limit: 'ordering_reads',
  examples: {
    'one street branch': {
      reply: [
        {
          id: '5b0c7a52-6d5e-5a3b-9a41-0b6d9d0f1c22',
          name: 'الزمالك',
          name_translations: { en: 'Zamalek' },
          code: 'ZML',
          in_mall_enabled: false,
          outside_enabled: true,
          umbrella_enabled: false,
          pickup_enabled: true,
          in_mall_open_now: false,
          outside_open_now: true,
          umbrella_open_now: false,
          pickup_open_now: true,
          in_mall_opens_at: null,
          outside_opens_at: null,
          umbrella_opens_at: null,
          pickup_opens_at: null,
          hours: {
            pickup: [
              {
                ...{ date: '2026-12-04', is_changed: false },
                ranges: [{ opens_at: '2026-12-04T07:00:00.000Z', closes_at: '2026-12-05T00:00:00.000Z' }],
              },
              { date: '2026-12-05', is_changed: true, ranges: [] },
            ],
          },
          timezone: 'Africa/Cairo',
          otp_required: true,
          in_mall_require_location: true,
          tax_policy: { tax_rate: 0.14, tax_inclusive: true, delivery_fee_taxable: false },
          service_charge_rate: 0.12,
        },
      ],
    },
  },
});
