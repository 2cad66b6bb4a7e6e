import type { Generated } from 'kysely';
import type { Uuid } from '../../../kernel/ids.ts';
import type { Translations } from '../../../kernel/names.ts';
import type { LocalDate } from '../../../kernel/time.ts';
import type {
  DefaultJson,
  Json,
  NullableTimestamp,
  Timestamp,
} from '../../../platform/store/schema/columns.ts';

/** One span of dated hours, in minutes after local midnight. */
export interface StoredRange {
  open: number;
  close: number;
}

interface LocatorTable {
  id: Uuid;
  org_id: Uuid;
  kind: string;
}

interface ShopTable {
  org_id: Uuid;
  slug: string;
  name: string;
  main_language: Generated<string>;
  name_translations: DefaultJson<Translations>;
  is_active: Generated<boolean>;
  custom_branding: Generated<boolean>;
  logo_is_mark: Generated<boolean>;
  logo_url: string | null;
  background_color: string;
  foreground_color: string;
  accent_color: string;
  card_image_url: string | null;
  cover_image_url: string | null;
  tagline_ar: string | null;
  tagline_en: string | null;
  show_branches: Generated<boolean>;
  digits: Generated<string>;
  is_demo: Generated<boolean>;
  payment_methods: Generated<string[]>;
  brake_open_orders: Generated<number | null>;
  brake_orders_per_day: Generated<number | null>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

interface ShopSlugTable {
  slug: string;
  org_id: Uuid;
}

interface LinksModuleTable {
  org_id: Uuid;
  kind: string;
  sort: number;
  visible: Generated<boolean>;
}

interface LinksCustomTable {
  org_id: Uuid;
  id: Uuid;
  sort: number;
  title_en: string | null;
  title_ar: string | null;
  href: string;
  visible: Generated<boolean>;
}

interface LinksSocialTable {
  org_id: Uuid;
  key: string;
  label: string;
  url: string;
  visible: Generated<boolean>;
}

interface LoyaltyProgramTable {
  org_id: Uuid;
  enabled: boolean;
  mode: string;
  program_name: string;
  program_name_ar: string | null;
  earn_piastres_per_point: Generated<number>;
  default_reward_cost: Generated<number>;
  earn_on_tax: Generated<boolean>;
  birthday_enabled: Generated<boolean>;
  birthday_reward_amount: number | null;
  terms: string | null;
  terms_ar: string | null;
}

interface LoyaltyRewardTable {
  org_id: Uuid;
  id: Uuid;
  name: string;
  name_translations: DefaultJson<Translations>;
  cost_amount: number;
  sort: number;
  archived_at: NullableTimestamp;
}

interface BranchTable {
  org_id: Uuid;
  id: Uuid;
  name: string;
  name_translations: DefaultJson<Translations>;
  code: string;
  address: string | null;
  address_translations: DefaultJson<Translations>;
  phone: string | null;
  map_url: string | null;
  lat: number | null;
  lng: number | null;
  time_zone: Generated<string>;
  day_starts_at: Generated<number>;
  is_active: Generated<boolean>;
  otp_required: Generated<boolean>;
  in_mall_require_location: Generated<boolean>;
  online_needs_open_till: Generated<boolean>;
  accepts_table_orders: Generated<boolean>;
  tax_rate: Generated<string>;
  tax_inclusive: Generated<boolean>;
  service_charge_rate: Generated<string>;
  service_charge_taxable: Generated<boolean>;
  delivery_fee_taxable: Generated<boolean>;
  base_prep_minutes: Generated<number>;
  auto_reject_minutes: number | null;
  road_factor: Generated<string>;
  archived_at: NullableTimestamp;
}

interface BranchChannelTable {
  org_id: Uuid;
  branch_id: Uuid;
  channel: string;
  enabled: Generated<boolean>;
  own_hours: Generated<boolean>;
  mode: Generated<string>;
  mode_until: NullableTimestamp;
  flat_fee: Generated<number>;
  max_distance_meters: number | null;
}

interface OpeningHoursTable {
  org_id: Uuid;
  branch_id: Uuid;
  service: string;
  dow: number;
  opens: number;
  closes: number;
}

interface DatedHoursTable {
  org_id: Uuid;
  branch_id: Uuid;
  service: string;
  sort: number;
  from_date: LocalDate;
  to_date: LocalDate;
  ranges: DefaultJson<StoredRange[]>;
  note: string | null;
}

interface DeliveryZoneTable {
  org_id: Uuid;
  id: Uuid;
  branch_id: Uuid;
  name: string;
  name_translations: DefaultJson<Translations>;
  kind: string;
  radius_meters: number | null;
  polygon: Json<unknown> | null;
  fee: number;
  archived_at: NullableTimestamp;
}

interface TillTable {
  org_id: Uuid;
  id: Uuid;
  branch_id: Uuid;
  status: Generated<string>;
  opened_at: Timestamp;
  closed_at: NullableTimestamp;
  staff_id: Uuid | null;
  device_id: Uuid | null;
}

declare module '../../../platform/store/schema.ts' {
  interface Database {
    locator: LocatorTable;
    shop: ShopTable;
    shop_slug: ShopSlugTable;
    links_module: LinksModuleTable;
    links_custom: LinksCustomTable;
    links_social: LinksSocialTable;
    loyalty_program: LoyaltyProgramTable;
    loyalty_reward: LoyaltyRewardTable;
    branch: BranchTable;
    branch_channel: BranchChannelTable;
    opening_hours: OpeningHoursTable;
    dated_hours: DatedHoursTable;
    delivery_zone: DeliveryZoneTable;
    till: TillTable;
  }
}
