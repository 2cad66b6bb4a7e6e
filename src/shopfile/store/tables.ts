/**
 * The tables a shop file fills, in the order in which rows may be inserted: columns with their types, what names a
 * row within its shop, and whose detail it is. `org_id` leads every one of them and is left out here.
 */
import type { Column, TableSpec, ValueOf } from './columns.ts';
import { MENU_TABLES } from './menu-tables.ts';
import { SHOP_TABLES } from './shop-tables.ts';

export type { Column, TableSpec } from './columns.ts';

export const TABLES = { ...SHOP_TABLES, ...MENU_TABLES } as const;

export type TableName = keyof typeof TABLES;
export type Row<T extends TableName> = {
  readonly [C in keyof (typeof TABLES)[T]['columns']]: ValueOf<
    Extract<(typeof TABLES)[T]['columns'][C], Column>
  >;
};
/** A row of any table: column name to value. */
export type AnyRow = Readonly<Record<string, unknown>>;
/** All rows of one shop, as the file describes them or as they stand. */
export type ShopRows = { readonly [T in TableName]: Row<T>[] };
/** Parents first. */
export const TABLE_NAMES = Object.keys(TABLES).filter((name): name is TableName => name in TABLES);
export const specOf = (table: TableName): TableSpec => TABLES[table];

export const noRows = (): ShopRows => ({
  shop: [],
  links_module: [],
  links_custom: [],
  links_social: [],
  loyalty_program: [],
  loyalty_reward: [],
  branch: [],
  branch_channel: [],
  opening_hours: [],
  dated_hours: [],
  delivery_zone: [],
  dining_table: [],
  table_join: [],
  booking_settings: [],
  staff: [],
  category: [],
  addon: [],
  modifier_group: [],
  menu_item: [],
  item_size: [],
  item_allowed_addon: [],
  modifier_option: [],
  item_modifier_group: [],
  optional_field: [],
  combo_slot: [],
  combo_choice: [],
  combo_size_extra: [],
  price: [],
  availability: [],
  deal: [],
  deal_pool: [],
  deal_branch: [],
  sale_window: [],
  discount: [],
  channel_discount: [],
});
