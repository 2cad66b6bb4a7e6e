import type { Translations } from '../../../kernel/names.ts';
import {
  archived,
  boolean,
  date,
  imported,
  table,
  integer,
  jsonb,
  named,
  numeric,
  smallint,
  text,
  timestamptz,
  uuid,
  type KyselyTables,
} from '../../../platform/store/schema/columns.ts';

const translations = jsonb<Translations>().default({});
/** Where a combo or a deal is sold. */
const sold = {
  sell_pos: boolean.default(true),
  sell_qr: boolean.default(true),
  sell_online: boolean.default(true),
  sell_delivery: boolean.default(true),
};

/** The menu, its prices and what is on offer, in the order in which rows can be inserted. */
export const MENU_TABLES = {
  category: imported(
    { of: 'entity', key: ['id'], in: ['menu.categories[]'] },
    { org_id: uuid, ...named, image_url: text.nullable.file('image_url'), sort: integer, ...archived },
  ),
  addon: imported(
    { of: 'entity', key: ['id'], in: ['menu.addons[]'] },
    {
      org_id: uuid,
      ...named,
      type: text,
      sort: integer,
      is_active: boolean.default(true).file('active'),
      ...archived,
    },
  ),
  modifier_group: imported(
    { of: 'entity', key: ['id'], in: ['menu.modifier_groups[]'] },
    {
      org_id: uuid,
      ...named,
      selection_type: text,
      min_selections: integer.default(0),
      max_selections: integer.nullable,
      is_required: boolean.default(false).file('required'),
      addon_type: text.nullable,
      ...archived,
    },
  ),
  menu_item: imported(
    { of: 'entity', key: ['id'], in: ['menu.items[]', 'menu.combos[]'] },
    {
      org_id: uuid,
      ...named,
      kind: text.default('item'),
      category_id: uuid.nullable,
      description: text.nullable,
      description_translations: translations,
      image_url: text.nullable.file('image_url'),
      sort: integer,
      is_active: boolean.default(true).file('active'),
      default_milk_addon_id: uuid.nullable,
      default_coffee_addon_id: uuid.nullable,
      takes_addons: boolean.default(true),
      ...sold,
      meal_combo_id: uuid.nullable,
      meal_slot_id: uuid.nullable,
      ...archived,
    },
  ),
  item_size: imported(
    { of: 'item_id', key: ['item_id', 'label'] },
    { org_id: uuid, item_id: uuid, label: text, label_translations: translations, sort: integer },
  ),
  item_allowed_addon: imported(
    { of: 'item_id', key: ['item_id', 'addon_id'] },
    { org_id: uuid, item_id: uuid, addon_id: uuid, sort: integer },
  ),
  modifier_option: imported(
    { of: 'group_id', key: ['group_id', 'addon_id'] },
    { org_id: uuid, group_id: uuid, addon_id: uuid, sort: integer },
  ),
  item_modifier_group: imported(
    { of: 'item_id', key: ['item_id', 'group_id'] },
    { org_id: uuid, item_id: uuid, group_id: uuid, sort: integer },
  ),
  optional_field: imported(
    { of: 'entity', key: ['id'] },
    { org_id: uuid, ...named, item_id: uuid, size_label: text.nullable, sort: integer, ...archived },
  ),
  combo_slot: imported(
    { of: 'entity', key: ['id'] },
    {
      org_id: uuid,
      ...named,
      combo_id: uuid,
      sort: integer,
      min: integer.default(1),
      max: integer.default(1),
      default_item_id: uuid.nullable,
      default_size_label: text.nullable,
      ...archived,
    },
  ),
  combo_choice: imported(
    { of: 'slot_id', key: ['slot_id', 'item_id'], in: ['menu.combos[].slots[].choices[]'] },
    {
      org_id: uuid,
      slot_id: uuid,
      item_id: uuid,
      included_size_label: text.default(''),
      surcharge: integer.default(0).file('surcharge'),
      sort: integer,
    },
  ),
  combo_size_extra: imported(
    {
      of: 'slot_id',
      key: ['slot_id', 'item_id', 'size_label'],
      in: ['menu.combos[].slots[].choices[].size_extras[]'],
    },
    { org_id: uuid, slot_id: uuid, item_id: uuid, size_label: text, extra: integer.file('extra') },
  ),
  price: imported(
    { of: 'subject_id', key: ['subject_id', 'size_label', 'branch_id', 'channel'] },
    {
      org_id: uuid,
      subject_id: uuid,
      size_label: text.default(''),
      branch_id: uuid.nullable,
      channel: text.nullable,
      amount: integer,
    },
  ),
  known_price: table({ org_id: uuid, subject_id: uuid, size_label: text, amount: integer }),
  availability: imported(
    {
      of: 'subject_id',
      key: ['subject_id', 'branch_id', 'channel'],
      in: ['menu.items[].availability[]', 'menu.combos[].availability[]', 'menu.addons[].availability[]'],
    },
    {
      org_id: uuid,
      subject_id: uuid,
      branch_id: uuid.nullable,
      channel: text.nullable,
      is_on: boolean.default(true).file('on'),
      sold_out_until: timestamptz.nullable.imported('state'),
      stock: integer.nullable.file('stock').imported('state'),
    },
  ),
  deal: imported(
    { of: 'entity', key: ['id'], in: ['menu.deals[]'] },
    {
      org_id: uuid,
      ...named,
      kind: text,
      qty: integer.file('qty'),
      price: integer.nullable,
      get_qty: integer.nullable,
      get_percent: integer.nullable,
      max_per_order: integer.nullable.file('max_per_order'),
      sort: integer,
      is_active: boolean.default(true).file('active'),
      ...sold,
      created_at: timestamptz.imported('create'),
      updated_at: timestamptz.imported('create'),
      ...archived,
    },
  ),
  deal_pool: imported(
    { of: 'deal_id', key: ['deal_id', 'role', 'sort'] },
    {
      org_id: uuid,
      deal_id: uuid,
      role: text,
      sort: integer,
      category_id: uuid.nullable,
      menu_item_id: uuid.nullable,
      size_label: text.nullable,
    },
  ),
  deal_branch: imported(
    { of: 'deal_id', key: ['deal_id', 'branch_id'], in: ['menu.deals[].branches[]'] },
    { org_id: uuid, deal_id: uuid, branch_id: uuid, is_active: boolean.file('active') },
  ),
  sale_window: imported(
    {
      of: 'subject_id',
      key: ['subject_id', 'sort'],
      in: ['menu.items[].windows[]', 'menu.combos[].windows[]', 'menu.deals[].windows[]'],
    },
    {
      org_id: uuid,
      subject_id: uuid,
      sort: integer,
      branch_id: uuid.nullable,
      /** Bit 0 = Sunday … bit 6 = Saturday. */
      weekdays: smallint.default(127),
      starts_at: smallint.nullable,
      ends_at: smallint.nullable,
      valid_from: date.nullable.file('valid_from'),
      valid_to: date.nullable.file('valid_to'),
    },
  ),
  discount: imported(
    { of: 'entity', key: ['id'], in: ['menu.discounts[]'] },
    {
      org_id: uuid,
      ...named,
      dtype: text,
      rate: numeric(7, 6).default('0'),
      amount: integer.default(0),
      is_active: boolean.default(true).file('active'),
      valid_from: date.nullable.file('valid_from'),
      valid_to: date.nullable.file('valid_to'),
      ...archived,
    },
  ),
  channel_discount: imported(
    { of: 'discount_id', key: ['channel', 'branch_id', 'discount_id'], whole: true },
    { org_id: uuid, channel: text, branch_id: uuid.nullable, discount_id: uuid },
  ),
};

declare module '../../../platform/store/schema.ts' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- adds the tables above
  interface Database extends KyselyTables<typeof MENU_TABLES> {}
}
