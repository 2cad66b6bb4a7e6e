import Type from 'typebox';
import { endpoint, optional } from '../../platform/contract/endpoint.ts';
import {
  booleanScalar,
  DateText,
  DateTime,
  Flag,
  Int32,
  optionalNullable,
  Money,
  nullable,
  Rate,
  Text,
  TranslationsMap,
  uuidScalar,
  UuidText,
  Word,
  wordScalar,
} from '../../platform/contract/scalars.ts';
import { CHANNELS } from '../../shops/domain/shop.ts';

/** Shapes, DeliveryMenuCategory. */
export const DeliveryMenuCategory = Type.Object({
  id: UuidText(),
  name: Text(),
  name_translations: TranslationsMap,
  image_url: optionalNullable(Text()),
});

/** Shapes, DeliveryOptionalField. */
export const DeliveryOptionalField = Type.Object({
  id: UuidText(),
  name: Text(),
  name_translations: TranslationsMap,
  price: Money(),
  size_label: optionalNullable(Text({ description: 'Set when it applies to one size.' })),
});

/** Shapes, DeliveryAddonOption. */
export const ADDON_TYPES = ['milk_type', 'coffee_type', 'extra'] as const;
export const DeliveryAddonOption = Type.Object({
  addon_item_id: UuidText(),
  name: Text(),
  name_translations: TranslationsMap,
  type: Word(ADDON_TYPES),
  price: Money({ description: 'Piastres on this channel; the full price of a swap option.' }),
  is_available: Flag({ description: 'False: sold out for now.' }),
});

/** Shapes, DeliveryModifierOption; `charge` and `is_available` are additive (Decisions 6). */
export const DeliveryModifierOption = Type.Object({
  option_id: UuidText({ description: 'The add-on id, accepted unchanged in `addons[].addon_item_id`.' }),
  name: Text(),
  name_translations: TranslationsMap,
  price: Money(),
  charge: Type.Optional(Money({ description: 'Piastres that choosing it adds to this item.' })),
  is_available: Type.Optional(Flag({ description: 'False: sold out for now. Absent means available.' })),
});

/** Shapes, DeliveryModifierGroup. */
export const DeliveryModifierGroup = Type.Object({
  group_id: UuidText(),
  name: Text(),
  name_translations: TranslationsMap,
  selection_type: Word(['single', 'multi']),
  min_selections: Int32({ minimum: 0 }),
  max_selections: optionalNullable(Int32({ minimum: 0 })),
  is_required: Flag(),
  addon_type: optionalNullable(Word(ADDON_TYPES)),
  options: Type.Array(DeliveryModifierOption),
});

/** Shapes, Combos. */
export const PublicComboSize = Type.Object({
  label: Text(),
  label_translations: Type.Optional(TranslationsMap),
  price: Money({ description: 'Piastres on this channel outside the combo.' }),
  extra: Money({ description: 'Piastres that picking it adds inside the combo; 0 for the included size.' }),
});
export const PublicComboChoice = Type.Object({
  menu_item_id: UuidText(),
  name: Text(),
  name_translations: TranslationsMap,
  base_price: Money({ description: "The included size's price on this channel." }),
  included_size_label: Text({ description: "'' for an item without sizes." }),
  sizes: Type.Array(PublicComboSize),
  surcharge: Money({ description: 'Piastres per picked unit.' }),
  available: Type.Optional(
    Flag({ description: 'False: not sold now, and has no sizes. Absent means available.' }),
  ),
  image_url: optionalNullable(Text()),
});
export const PublicComboSlot = Type.Object({
  id: UuidText(),
  name: Text(),
  name_translations: TranslationsMap,
  sort: Int32(),
  min: Int32({ minimum: 0 }),
  max: Int32({ minimum: 0 }),
  choices: Type.Array(PublicComboChoice),
  default_item_id: optionalNullable(UuidText()),
  default_size_label: optionalNullable(Text()),
});
export const PublicCombo = Type.Object({
  is_fixed: Flag({
    description: 'True: each slot has one choice, taken a fixed number of times; it may have sizes.',
  }),
  slots: Type.Array(PublicComboSlot),
});

/** Shapes, MealLink: the combo that contains this item, and the item's slot. */
export const MealLink = Type.Object({ combo_id: UuidText(), slot_id: UuidText() });

/**
 * Shapes, DeliveryMenuItem; `takes_addons`, `default_coffee_addon_id` and `addon_charges` are additive (Decisions 3,
 * 6).
 */
export const DeliveryMenuItem = Type.Object({
  id: UuidText(),
  name: Text(),
  name_translations: TranslationsMap,
  price: Money({ description: 'Piastres on this channel; of the cheapest size where the item has sizes.' }),
  sizes: Type.Array(
    Type.Object({ label: Text(), label_translations: Type.Optional(TranslationsMap), price: Money() }),
  ),
  optionals: Type.Array(DeliveryOptionalField),
  allowed_addon_ids: Type.Array(UuidText(), {
    description: 'Empty: no restriction, unless `takes_addons` is false. Otherwise an explicit allowlist.',
  }),
  takes_addons: Type.Optional(
    Flag({ description: 'False: nothing may be added to this item. Left out everywhere else.' }),
  ),
  addon_charges: Type.Optional(
    Type.Record(Type.String(), Money(), {
      description: 'For an item without groups: add-on id to the piastres it adds to this item.',
    }),
  ),
  modifier_groups: Type.Array(DeliveryModifierGroup, {
    description: 'Not empty: add-ons are set by these groups only. Empty: `addons` and `allowed_addon_ids`.',
  }),
  kind: Word(['item', 'combo']),
  category_id: optionalNullable(UuidText()),
  description: optionalNullable(Text()),
  description_translations: Type.Optional(TranslationsMap),
  image_url: optionalNullable(Text()),
  default_milk_addon_id: optionalNullable(UuidText()),
  default_coffee_addon_id: optionalNullable(UuidText()),
  combo: Type.Optional(PublicCombo),
  meal: Type.Optional(MealLink),
});

/** Decisions 3, SaleWindow. */
export const SaleWindowShape = Type.Object({
  branch_id: nullable(UuidText()),
  weekdays: Int32({
    minimum: 1,
    maximum: 127,
    description: 'Bit 0 is Sunday … bit 6 Saturday; 127 is every day.',
  }),
  starts_at: nullable(Text({ examples: ['17:00'] })),
  ends_at: nullable(Text({ examples: ['20:00'] })),
  valid_from: nullable(DateText()),
  valid_to: nullable(DateText()),
});

export const DealPoolEntry = Type.Object({
  category_id: optionalNullable(UuidText()),
  menu_item_id: optionalNullable(UuidText()),
  size_label: optionalNullable(Text({ description: 'Null: any size.' })),
});

/** Shapes, DealRule, without the till's toggles. */
export const DealRule = Type.Object({
  id: UuidText(),
  name: Text(),
  name_translations: TranslationsMap,
  kind: Word(['n_for_price', 'buy_get']),
  qty: Int32({ minimum: 1, description: 'Units bought or counted.' }),
  sort: Int32(),
  is_active: Flag(),
  pool: Type.Array(DealPoolEntry),
  reward_pool: Type.Array(DealPoolEntry, {
    description: 'buy_get only; empty: rewarded units come from `pool`.',
  }),
  windows: Type.Array(SaleWindowShape),
  branch_overrides: Type.Array(Type.Object({ branch_id: UuidText(), is_active: Flag() })),
  created_at: DateTime(),
  updated_at: DateTime(),
  price: optionalNullable(Money({ description: 'n_for_price: piastres of `qty` units.' })),
  get_qty: optionalNullable(Int32({ minimum: 1 })),
  get_percent: optionalNullable(
    Int32({ minimum: 1, maximum: 100, description: 'Percent off; 100 is free.' }),
  ),
  max_per_order: optionalNullable(Int32({ minimum: 1 })),
});

/** Shapes, DeliveryMenuDiscount. */
export const DeliveryMenuDiscount = Type.Object({
  id: UuidText(),
  name: Text(),
  name_translations: TranslationsMap,
  dtype: Word(['percentage', 'fixed']),
  value: Type.Integer({
    format: 'int64',
    minimum: 0,
    description: 'Whole percent, or piastres.',
    examples: [10],
  }),
  value_rate: Rate({ description: 'The stored fraction; 0 for a fixed discount.' }),
});

/** An item or combo that cannot be ordered now. */
export const SoldOutItem = Type.Object({
  id: UuidText(),
  kind: Word(['item', 'combo']),
  name: Text(),
  name_translations: TranslationsMap,
  category_id: nullable(UuidText()),
  description: nullable(Text()),
  description_translations: TranslationsMap,
  image_url: nullable(Text()),
  price: Money({ description: 'Piastres on this channel; of the cheapest size where the item has sizes.' }),
  sizes: Type.Array(Type.Object({ label: Text(), label_translations: TranslationsMap, price: Money() })),
  back_at: nullable(DateTime({ description: 'Null: when staff say so, or when what it needs is back.' })),
});

/** Shapes, DeliveryMenu; `sold_out` is additive. */
export const DeliveryMenu = Type.Object({
  categories: Type.Array(DeliveryMenuCategory),
  items: Type.Array(DeliveryMenuItem),
  sold_out: Type.Optional(
    Type.Array(SoldOutItem, {
      description:
        'With `include_unavailable=true`: what would be on this menu if nothing were sold out. In the order of the menu.',
    }),
  ),
  addons: Type.Array(DeliveryAddonOption),
  deals: Type.Array(DealRule),
  discount: Type.Optional(
    Type.Unsafe<Type.Static<typeof DeliveryMenuDiscount> | null>({
      anyOf: [DeliveryMenuDiscount, { type: 'null' }],
    }),
  ),
});

const includeUnavailable = optional(booleanScalar, '`true`: what is sold out is listed too, in `sold_out`.');

const categoryId = '0a7c2f7e-9d2b-5c51-8a55-6f1f0c9f7a01';
const itemId = '1c5a0a2e-4b2f-5d6e-9b7c-2d3e4f5a6b02';

const exampleMenu: Type.Static<typeof DeliveryMenu> = {
  categories: [{ id: categoryId, name: 'قهوة', name_translations: { en: 'Coffee' }, image_url: null }],
  items: [
    {
      id: itemId,
      name: 'قهوة تركي',
      name_translations: { en: 'Turkish coffee' },
      price: 4500,
      sizes: [
        { label: 'سنجل', label_translations: { en: 'Single' }, price: 4500 },
        { label: 'دوبل', label_translations: { en: 'Double' }, price: 6000 },
      ],
      optionals: [],
      allowed_addon_ids: [],
      addon_charges: {},
      modifier_groups: [],
      kind: 'item',
      category_id: categoryId,
      description: null,
      image_url: null,
      default_milk_addon_id: null,
    },
  ],
  addons: [],
  deals: [],
  discount: null,
};

export const getBranchMenu = endpoint({
  id: 'getBranchMenu',
  method: 'GET',
  path: '/public/branches/{id}/menu',
  tag: 'Menu',
  summary: "A branch's menu with the prices of one channel",
  description:
    'Without `channel`, or with `dine_in`: the read-only menu at branch prices. An ordering channel answers only ' +
    'while it is open, unless `preview=true`.',
  params: { id: { scalar: uuidScalar, description: "The branch's id." } },
  query: {
    channel: optional(wordScalar(CHANNELS), 'Whose prices; `dine_in` when left out.'),
    preview: optional(booleanScalar, '`true`: also while the channel is closed.'),
    include_unavailable: includeUnavailable,
  },
  reply: DeliveryMenu,
  refusals: ['NOT_FOUND', 'CHANNEL_NOT_OFFERED', 'CHANNEL_CLOSED'],
  cache: { maxAge: 30 },
  limit: 'ordering_reads',
  examples: { 'one coffee': { reply: exampleMenu } },
});

export const getTableMenu = endpoint({
  id: 'getTableMenu',
  method: 'GET',
  path: '/public/tables/{id}/menu',
  tag: 'Tables',
  summary: "The menu a table orders from, at the branch's prices",
  params: { id: { scalar: uuidScalar, description: "The table's id, as in its QR code." } },
  query: { include_unavailable: includeUnavailable },
  reply: DeliveryMenu,
  refusals: ['NOT_FOUND'],
  cache: { maxAge: 30 },
  limit: 'ordering_reads',
  examples: { 'one coffee': { reply: exampleMenu } },
});
