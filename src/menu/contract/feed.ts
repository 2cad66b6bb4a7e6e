/** Rows of the sync feed that make up a menu (Decisions 13): what is stored, for every channel and time. */
import Type from 'typebox';
import {
  DateText,
  DateTime,
  Flag,
  Int32,
  Money,
  nullable,
  Rate,
  Text,
  TranslationsMap,
  UuidText,
  Word,
} from '../../platform/contract/scalars.ts';
import { CHANNELS, ONLINE_CHANNELS } from '../../shops/domain/shop.ts';
import { DISCOUNT_PLACES } from '../domain/menubook.ts';
import { ADDON_TYPES, DealRule, MealLink, SaleWindowShape } from './menu.ts';

const named = { name: Text(), name_translations: TranslationsMap };
const sort = Int32({ description: 'Rows are shown by `sort`, then by `id`.' });

const branchId = nullable(UuidText({ description: 'Null: every branch.' }));

/** Decisions 6: the price of branch and channel, else of the channel, else of the branch, else the catalogue's. */
const Price = Type.Object({
  size_label: nullable(Text({ description: 'Null: without a size.' })),
  branch_id: branchId,
  channel: nullable(
    Word(ONLINE_CHANNELS, { description: 'Null: every channel. Tills and tables have no channel.' }),
  ),
  amount: Money(),
});
const prices = Type.Array(Price, {
  description: 'Of this branch and of every branch; the most particular counts.',
});

const Availability = Type.Object({
  branch_id: branchId,
  channel: nullable(Word(CHANNELS)),
  is_on: Flag(),
  sold_out: Flag(),
  back_at: nullable(DateTime({ description: 'When `sold_out` ends by itself; null: not by itself.' })),
  out_of_stock: Flag({ description: 'Counted, and none is left.' }),
});
const availability = Type.Array(Availability, {
  description: 'On sale where no entry that applies says otherwise.',
});

const ChannelTogglesShape = Type.Object({
  pos: Flag({ description: 'At tills.' }),
  qr: Flag({ description: "By a table's QR code." }),
  online: Flag(),
  delivery: Flag(),
});

export const FeedCategory = Type.Object({ id: UuidText(), ...named, sort });

export const FeedAddon = Type.Object({
  ...{ id: UuidText(), ...named, sort, type: Word(ADDON_TYPES) },
  is_live: Flag({ description: 'False: not offered, but it may still set the price of a swap.' }),
  ...{ prices, availability },
});

export const FeedModifierGroup = Type.Object({
  ...{ id: UuidText(), ...named, selection_type: Word(['single', 'multi']) },
  ...{ min_selections: Int32({ minimum: 0 }), max_selections: nullable(Int32({ minimum: 0 })) },
  ...{ is_required: Flag(), addon_type: nullable(Word(ADDON_TYPES)) },
  addon_ids: Type.Array(UuidText(), { description: 'Its options, in their order.' }),
});

const Size = Type.Object({ label: Text(), label_translations: TranslationsMap });

const Optional = Type.Object({
  ...{
    id: UuidText(),
    ...named,
    size_label: nullable(Text({ description: 'Null: for every size.' })),
    prices,
  },
});

const Choice = Type.Object({
  menu_item_id: UuidText(),
  included_size_label: Text({ description: "'': an item without sizes, or the cheapest size." }),
  surcharge: Money({ description: 'Piastres per picked unit.' }),
  size_extras: Type.Record(Type.String(), Money(), {
    description: 'Size to piastres; another size costs its price above the included one.',
  }),
});

const Slot = Type.Object({
  ...{ id: UuidText(), ...named, sort: Int32(), min: Int32({ minimum: 0 }), max: Int32({ minimum: 0 }) },
  ...{ default_item_id: nullable(UuidText()), default_size_label: nullable(Text()) },
  choices: Type.Array(Choice),
});

const itemFields = {
  ...{ id: UuidText(), ...named, sort, category_id: nullable(UuidText()) },
  ...{ description: nullable(Text()), description_translations: TranslationsMap },
  is_live: Flag({ description: 'False: switched off for the whole shop.' }),
  ...{ prices, availability, windows: Type.Array(SaleWindowShape) },
};

const FeedPlainItem = Type.Object({
  ...{ kind: Type.Literal('item'), ...itemFields, sizes: Type.Array(Size), optionals: Type.Array(Optional) },
  allowed_addon_ids: nullable(
    Type.Array(UuidText(), {
      description: 'Null: any add-on; empty: none. It says nothing where the item has groups.',
    }),
  ),
  modifier_group_ids: Type.Array(UuidText()),
  ...{ default_milk_addon_id: nullable(UuidText()), default_coffee_addon_id: nullable(UuidText()) },
  meal: nullable(MealLink),
});

const FeedCombo = Type.Object({
  ...{ kind: Type.Literal('combo'), ...itemFields, sell: ChannelTogglesShape, slots: Type.Array(Slot) },
});

export const FeedMenuItem = Type.Union([FeedPlainItem, FeedCombo]);

/** Shapes, DealRule: `is_active` of this branch, and `sell` filled. */
export const FeedDeal = Type.Object({ ...DealRule.properties, sell: ChannelTogglesShape });

export const FeedDiscount = Type.Object({
  ...{ id: UuidText(), ...named, dtype: Word(['percentage', 'fixed']) },
  rate: Rate({ description: 'Of a percentage; else 0.' }),
  amount: Money({ description: 'Of a fixed one; else 0.' }),
  is_active: Flag(),
  ...{ valid_from: nullable(DateText()), valid_to: nullable(DateText()) },
  on: Type.Array(Word(DISCOUNT_PLACES), {
    description: 'At this branch: on a channel, which takes it by itself, or at `till`, where staff give it.',
  }),
});
