import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { AvailabilityEntry } from '../domain/availability.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type {
  AddonType,
  Category,
  ChannelToggles,
  ComboChoice,
  ComboSlot,
  ItemSize,
  ModifierGroup,
  OptionalField,
} from '../domain/menubook.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { Named, Translations } from '../../kernel/names.ts';
import type { PriceEntry } from '../domain/price.ts';
import type { OnlineChannel } from '../../shops/domain/shop.ts';
import type { LocalDate } from '../../kernel/time.ts';
import type { SaleWindow } from '../../kernel/sale-windows.ts';
import type { Database } from '../../platform/store/schema.ts';

// Rows use the domain's field names. They come from JSON aggregates, so instants are ISO text.

type Of<Key extends string, T> = T & Readonly<Record<Key, Uuid>>;

export interface ItemRow extends Named {
  readonly id: Uuid;
  readonly sort: number;
  readonly kind: 'item' | 'combo';
  readonly categoryId: Uuid | null;
  readonly description: string | null;
  readonly descriptionTranslations: Translations;
  readonly imageUrl: string | null;
  readonly pictureId: Uuid | null;
  readonly isLive: boolean;
  readonly milkId: Uuid | null;
  readonly coffeeId: Uuid | null;
  readonly takesAddons: boolean;
  readonly mealComboId: Uuid | null;
  readonly mealSlotId: Uuid | null;
  readonly sell: ChannelToggles;
}

export interface AddonRow extends Named {
  readonly id: Uuid;
  readonly sort: number;
  readonly type: AddonType;
  readonly isLive: boolean;
}

export interface DealRow extends Named {
  readonly id: Uuid;
  readonly kind: 'n_for_price' | 'buy_get';
  readonly qty: number;
  readonly price: Piastres | null;
  readonly getQty: number | null;
  readonly getPercent: number | null;
  readonly maxPerOrder: number | null;
  readonly sort: number;
  readonly isActive: boolean;
  readonly sell: ChannelToggles;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface PoolRow {
  readonly dealId: Uuid;
  readonly role: 'pool' | 'reward';
  readonly categoryId: Uuid | null;
  readonly menuItemId: Uuid | null;
  readonly sizeLabel: string | null;
}

export interface DiscountRow extends Named {
  readonly id: Uuid;
  readonly branchId: Uuid | null;
  readonly channel: OnlineChannel;
  readonly dtype: 'percentage' | 'fixed';
  /** Decimal text. */
  readonly rate: string;
  readonly amount: Piastres;
  readonly isActive: boolean;
  readonly validFrom: LocalDate | null;
  readonly validTo: LocalDate | null;
}

export type AvailabilityRow = Of<
  'subjectId',
  Omit<AvailabilityEntry, 'soldOutUntil'> & { readonly soldOutUntil: string | null }
>;

/** Lists are in display order. */
export interface MenuRows {
  readonly categories: readonly Category[];
  readonly items: readonly ItemRow[];
  readonly sizes: readonly Of<'itemId', ItemSize>[];
  readonly optionals: readonly Of<'itemId', Omit<OptionalField, 'prices'>>[];
  readonly allowed: readonly Of<'itemId' | 'addonId', unknown>[];
  readonly addons: readonly AddonRow[];
  readonly groups: readonly Omit<ModifierGroup, 'addonIds'>[];
  readonly options: readonly Of<'groupId' | 'addonId', unknown>[];
  readonly itemGroups: readonly Of<'itemId' | 'groupId', unknown>[];
  readonly slots: readonly Of<'comboId', Omit<ComboSlot, 'choices'>>[];
  readonly choices: readonly Of<'slotId', Omit<ComboChoice, 'sizeExtras'>>[];
  readonly sizeExtras: readonly Of<
    'slotId' | 'itemId',
    { readonly sizeLabel: string; readonly extra: Piastres }
  >[];
  readonly prices: readonly Of<'subjectId', PriceEntry>[];
  readonly availability: readonly AvailabilityRow[];
  readonly windows: readonly Of<'subjectId', SaleWindow>[];
  readonly deals: readonly DealRow[];
  readonly pools: readonly PoolRow[];
  readonly overrides: readonly Of<'dealId' | 'branchId', { readonly isActive: boolean }>[];
  readonly discounts: readonly DiscountRow[];
}

const list = (query: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`coalesce((select json_agg(t) from (${query}) t), '[]')`;

const named = sql`name, name_translations as "nameTranslations"`;
const toggles = sql`json_build_object('pos', sell_pos, 'qr', sell_qr, 'online', sell_online, 'delivery', sell_delivery) as sell`;

/** Joins `"pictureId"`, null without a stored picture. */
const storedPicture = (orgId: Uuid) => sql`
  left join (select source, id as "pictureId" from picture where org_id = ${orgId}) p on p.source = image_url`;

const itemLists = (orgId: Uuid) => sql`
  ${list(sql`
    select id, sort, ${named}, image_url as "imageUrl", "pictureId"
    from category ${storedPicture(orgId)} where org_id = ${orgId} and archived_at is null order by sort, id`)} as categories,
  ${list(sql`
    select id, sort, kind, category_id as "categoryId", ${named}, description,
           description_translations as "descriptionTranslations", image_url as "imageUrl", "pictureId",
           is_active and archived_at is null as "isLive",
           default_milk_addon_id as "milkId", default_coffee_addon_id as "coffeeId", takes_addons as "takesAddons",
           meal_combo_id as "mealComboId", meal_slot_id as "mealSlotId", ${toggles}
    from menu_item i ${storedPicture(orgId)}
    where org_id = ${orgId}
      and (archived_at is null or exists (select from combo_choice c where c.org_id = ${orgId} and c.item_id = i.id))
    order by sort, id`)} as items,
  ${list(sql`
    select item_id as "itemId", label, label_translations as "labelTranslations"
    from item_size where org_id = ${orgId} order by sort, label collate "C"`)} as sizes,
  ${list(sql`
    select id, item_id as "itemId", ${named}, size_label as "sizeLabel"
    from optional_field where org_id = ${orgId} and archived_at is null order by sort, id`)} as optionals,
  ${list(sql`
    select item_id as "itemId", addon_id as "addonId"
    from item_allowed_addon where org_id = ${orgId} order by sort, addon_id`)} as allowed,
  ${list(sql`
    select id, sort, ${named}, type, is_active and archived_at is null as "isLive"
    from addon where org_id = ${orgId} order by sort, id`)} as addons,
  ${list(sql`
    select id, ${named}, selection_type as "selectionType", min_selections as "minSelections",
           max_selections as "maxSelections", is_required as "isRequired", addon_type as "addonType"
    from modifier_group where org_id = ${orgId} and archived_at is null`)} as groups,
  ${list(sql`
    select group_id as "groupId", addon_id as "addonId"
    from modifier_option where org_id = ${orgId} order by sort, addon_id`)} as options,
  ${list(sql`
    select item_id as "itemId", group_id as "groupId"
    from item_modifier_group where org_id = ${orgId} order by sort, group_id`)} as "itemGroups"
`;

const comboLists = (orgId: Uuid) => sql`
  ${list(sql`
    select id, combo_id as "comboId", ${named}, sort, min, max, default_item_id as "defaultItemId",
           default_size_label as "defaultSizeLabel"
    from combo_slot where org_id = ${orgId} and archived_at is null order by sort, id`)} as slots,
  ${list(sql`
    select slot_id as "slotId", item_id as "itemId", included_size_label as "includedSizeLabel", surcharge
    from combo_choice where org_id = ${orgId} order by sort, item_id`)} as choices,
  ${list(sql`
    select slot_id as "slotId", item_id as "itemId", size_label as "sizeLabel", extra
    from combo_size_extra where org_id = ${orgId}`)} as "sizeExtras"
`;

/** Entries of this branch and of all branches. */
const saleLists = (orgId: Uuid, branchId: Uuid) => sql`
  ${list(sql`
    select subject_id as "subjectId", size_label as "sizeLabel", branch_id as "branchId", channel, amount
    from price where org_id = ${orgId} and (branch_id is null or branch_id = ${branchId})`)} as prices,
  ${list(sql`
    select subject_id as "subjectId", branch_id as "branchId", channel, is_on as "isOn",
           sold_out_until as "soldOutUntil", stock
    from availability where org_id = ${orgId} and (branch_id is null or branch_id = ${branchId})`)} as availability,
  ${list(sql`
    select subject_id as "subjectId", branch_id as "branchId", weekdays, starts_at as "startsAt",
           ends_at as "endsAt", valid_from as "validFrom", valid_to as "validTo"
    from sale_window where org_id = ${orgId} and (branch_id is null or branch_id = ${branchId})
    order by sort`)} as windows
`;

const offerLists = (orgId: Uuid, branchId: Uuid) => sql`
  ${list(sql`
    select id, ${named}, kind, qty, price, get_qty as "getQty", get_percent as "getPercent",
           max_per_order as "maxPerOrder", sort, is_active as "isActive", ${toggles},
           created_at as "createdAt", updated_at as "updatedAt"
    from deal where org_id = ${orgId} and archived_at is null order by sort, id`)} as deals,
  ${list(sql`
    select deal_id as "dealId", role, category_id as "categoryId", menu_item_id as "menuItemId",
           size_label as "sizeLabel"
    from deal_pool where org_id = ${orgId} order by role, sort`)} as pools,
  ${list(sql`
    select deal_id as "dealId", branch_id as "branchId", is_active as "isActive"
    from deal_branch where org_id = ${orgId} and branch_id = ${branchId}`)} as overrides,
  ${list(sql`
    select d.id, ${named}, c.branch_id as "branchId", c.channel, dtype, rate::text as rate, amount,
           is_active as "isActive", valid_from as "validFrom", valid_to as "validTo"
    from channel_discount c join discount d on d.org_id = ${orgId} and d.id = c.discount_id
    where c.org_id = ${orgId} and (c.branch_id is null or c.branch_id = ${branchId})
      and c.channel <> 'till' and d.archived_at is null`)} as discounts
`;

/** One statement. */
export const selectMenu = async (db: Kysely<Database>, orgId: Uuid, branchId: Uuid): Promise<MenuRows> => {
  const { rows } = await sql<MenuRows>`
    select ${itemLists(orgId)}, ${comboLists(orgId)}, ${saleLists(orgId, branchId)}, ${offerLists(orgId, branchId)}
  `.execute(db);
  const row = rows[0];
  if (row === undefined) throw new Error('A select without a from clause gave no row.');
  return row;
};
