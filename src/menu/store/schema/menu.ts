import type { Generated } from 'kysely';
import type { Uuid } from '../../../kernel/ids.ts';
import type { Translations } from '../../../kernel/names.ts';
import type { LocalDate } from '../../../kernel/time.ts';
import type { DefaultJson, NullableTimestamp, Timestamp } from '../../../platform/store/schema/columns.ts';

interface CategoryTable {
  org_id: Uuid;
  id: Uuid;
  name: string;
  name_translations: DefaultJson<Translations>;
  image_url: string | null;
  sort: number;
  archived_at: NullableTimestamp;
}

interface MenuItemTable {
  org_id: Uuid;
  id: Uuid;
  kind: Generated<string>;
  category_id: Uuid | null;
  name: string;
  name_translations: DefaultJson<Translations>;
  description: string | null;
  description_translations: DefaultJson<Translations>;
  image_url: string | null;
  sort: number;
  is_active: Generated<boolean>;
  default_milk_addon_id: Uuid | null;
  default_coffee_addon_id: Uuid | null;
  takes_addons: Generated<boolean>;
  sell_pos: Generated<boolean>;
  sell_qr: Generated<boolean>;
  sell_online: Generated<boolean>;
  sell_delivery: Generated<boolean>;
  meal_combo_id: Uuid | null;
  meal_slot_id: Uuid | null;
  archived_at: NullableTimestamp;
}

interface ItemSizeTable {
  org_id: Uuid;
  item_id: Uuid;
  label: string;
  label_translations: DefaultJson<Translations>;
  sort: number;
}

interface AddonTable {
  org_id: Uuid;
  id: Uuid;
  name: string;
  name_translations: DefaultJson<Translations>;
  type: string;
  sort: number;
  is_active: Generated<boolean>;
  archived_at: NullableTimestamp;
}

interface ItemAllowedAddonTable {
  org_id: Uuid;
  item_id: Uuid;
  addon_id: Uuid;
  sort: number;
}

interface ModifierGroupTable {
  org_id: Uuid;
  id: Uuid;
  name: string;
  name_translations: DefaultJson<Translations>;
  selection_type: string;
  min_selections: Generated<number>;
  max_selections: number | null;
  is_required: Generated<boolean>;
  addon_type: string | null;
  archived_at: NullableTimestamp;
}

interface ModifierOptionTable {
  org_id: Uuid;
  group_id: Uuid;
  addon_id: Uuid;
  sort: number;
}

interface ItemModifierGroupTable {
  org_id: Uuid;
  item_id: Uuid;
  group_id: Uuid;
  sort: number;
}

interface OptionalFieldTable {
  org_id: Uuid;
  id: Uuid;
  item_id: Uuid;
  name: string;
  name_translations: DefaultJson<Translations>;
  size_label: string | null;
  sort: number;
  archived_at: NullableTimestamp;
}

interface ComboSlotTable {
  org_id: Uuid;
  id: Uuid;
  combo_id: Uuid;
  name: string;
  name_translations: DefaultJson<Translations>;
  sort: number;
  min: Generated<number>;
  max: Generated<number>;
  default_item_id: Uuid | null;
  default_size_label: string | null;
  archived_at: NullableTimestamp;
}

interface ComboChoiceTable {
  org_id: Uuid;
  slot_id: Uuid;
  item_id: Uuid;
  included_size_label: Generated<string>;
  surcharge: Generated<number>;
  sort: number;
}

interface ComboSizeExtraTable {
  org_id: Uuid;
  slot_id: Uuid;
  item_id: Uuid;
  size_label: string;
  extra: number;
}

interface PriceTable {
  org_id: Uuid;
  subject_id: Uuid;
  size_label: Generated<string>;
  branch_id: Uuid | null;
  channel: string | null;
  amount: number;
}

interface AvailabilityTable {
  org_id: Uuid;
  subject_id: Uuid;
  branch_id: Uuid | null;
  channel: string | null;
  is_on: Generated<boolean>;
  sold_out_until: NullableTimestamp;
  stock: number | null;
}

interface DealTable {
  org_id: Uuid;
  id: Uuid;
  name: string;
  name_translations: DefaultJson<Translations>;
  kind: string;
  qty: number;
  price: number | null;
  get_qty: number | null;
  get_percent: number | null;
  max_per_order: number | null;
  sort: number;
  is_active: Generated<boolean>;
  sell_pos: Generated<boolean>;
  sell_qr: Generated<boolean>;
  sell_online: Generated<boolean>;
  sell_delivery: Generated<boolean>;
  created_at: Timestamp;
  updated_at: Timestamp;
  archived_at: NullableTimestamp;
}

interface DealPoolTable {
  org_id: Uuid;
  deal_id: Uuid;
  role: string;
  sort: number;
  category_id: Uuid | null;
  menu_item_id: Uuid | null;
  size_label: string | null;
}

interface DealBranchTable {
  org_id: Uuid;
  deal_id: Uuid;
  branch_id: Uuid;
  is_active: boolean;
}

interface SaleWindowTable {
  org_id: Uuid;
  subject_id: Uuid;
  sort: number;
  branch_id: Uuid | null;
  weekdays: Generated<number>;
  starts_at: number | null;
  ends_at: number | null;
  valid_from: LocalDate | null;
  valid_to: LocalDate | null;
}

interface DiscountTable {
  org_id: Uuid;
  id: Uuid;
  name: string;
  name_translations: DefaultJson<Translations>;
  dtype: string;
  rate: Generated<string>;
  amount: Generated<number>;
  is_active: Generated<boolean>;
  valid_from: LocalDate | null;
  valid_to: LocalDate | null;
  archived_at: NullableTimestamp;
}

interface ChannelDiscountTable {
  org_id: Uuid;
  channel: string;
  branch_id: Uuid | null;
  discount_id: Uuid;
}

declare module '../../../platform/store/schema.ts' {
  interface Database {
    category: CategoryTable;
    menu_item: MenuItemTable;
    item_size: ItemSizeTable;
    addon: AddonTable;
    item_allowed_addon: ItemAllowedAddonTable;
    modifier_group: ModifierGroupTable;
    modifier_option: ModifierOptionTable;
    item_modifier_group: ItemModifierGroupTable;
    optional_field: OptionalFieldTable;
    combo_slot: ComboSlotTable;
    combo_choice: ComboChoiceTable;
    combo_size_extra: ComboSizeExtraTable;
    price: PriceTable;
    availability: AvailabilityTable;
    deal: DealTable;
    deal_pool: DealPoolTable;
    deal_branch: DealBranchTable;
    sale_window: SaleWindowTable;
    discount: DiscountTable;
    channel_discount: ChannelDiscountTable;
  }
}
