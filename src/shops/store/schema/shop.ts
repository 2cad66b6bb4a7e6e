import type { Translations } from '../../../kernel/names.ts';
import { DEFAULT_PAYMENT_METHODS } from '../../domain/shop.ts';
import {
  archived,
  boolean,
  date,
  double,
  imported,
  integer,
  jsonb,
  named,
  numeric,
  smallint,
  table,
  text,
  texts,
  timestamptz,
  uuid,
  type KyselyTables,
} from '../../../platform/store/schema/columns.ts';

/** One span of dated hours, in minutes after local midnight. */
export interface StoredRange {
  open: number;
  close: number;
}

const translations = jsonb<Translations>().default({});

/** The shop, its links page and loyalty, its branches, in the order in which rows can be inserted. */
export const SHOP_TABLES = {
  locator: table({ id: uuid, org_id: uuid, kind: text }),
  shop: imported(
    { of: 'shop', key: [], in: [''] },
    {
      org_id: uuid,
      slug: text,
      name: text,
      name_translations: translations,
      main_language: text.default('ar'),
      is_active: boolean.default(true).file('active'),
      custom_branding: boolean.default(false),
      logo_url: text.nullable.file('brand.logo_url'),
      logo_is_mark: boolean.default(false).file('brand.logo_is_mark'),
      card_image_url: text.nullable.file('brand.card_image_url'),
      background_color: text,
      foreground_color: text,
      accent_color: text,
      show_branches: boolean.default(true).file('links.show_branches'),
      cover_image_url: text.nullable.file('links.cover_image_url'),
      tagline_ar: text.nullable.file('links.tagline.ar'),
      tagline_en: text.nullable.file('links.tagline.en'),
      digits: text.default('latn'),
      payment_methods: texts.default([...DEFAULT_PAYMENT_METHODS]),
      brake_open_orders: integer.nullable.default(5).file('order_brake.open_orders'),
      brake_orders_per_day: integer.nullable.default(20).file('order_brake.orders_per_day'),
      is_demo: boolean.default(false).imported('create'),
      created_at: timestamptz.imported('create'),
      updated_at: timestamptz.imported('create'),
    },
  ),
  shop_slug: table({ slug: text, org_id: uuid }),
  links_module: imported(
    { of: 'shop', key: ['kind'], in: ['links.modules[]'] },
    { org_id: uuid, kind: text, sort: integer, visible: boolean.default(true).file('visible') },
  ),
  links_custom: imported(
    { of: 'link', key: ['id'], in: ['links.custom[]'] },
    {
      org_id: uuid,
      id: uuid,
      sort: integer,
      title_en: text.nullable,
      title_ar: text.nullable,
      href: text.file('href'),
      visible: boolean.default(true).file('visible'),
    },
  ),
  links_social: imported(
    { of: 'shop', key: ['key'], in: ['links.socials[]'] },
    {
      org_id: uuid,
      key: text,
      label: text,
      url: text.file('url'),
      visible: boolean.default(true).file('visible'),
    },
  ),
  loyalty_program: imported(
    { of: 'shop', key: [], in: ['loyalty'] },
    {
      org_id: uuid,
      enabled: boolean.file('enabled'),
      mode: text,
      program_name: text,
      program_name_ar: text.nullable,
      earn_piastres_per_point: integer.default(1000).file('earn_piastres_per_point').alwaysExported,
      default_reward_cost: integer.default(100).file('default_reward_cost').alwaysExported,
      earn_on_tax: boolean.default(false).file('earn_on_tax'),
      balance_cap: integer.nullable.file('balance_cap'),
      max_rewards_per_order: integer.nullable.file('max_rewards_per_order'),
      require_otp: boolean.default(true).file('require_otp'),
      birthday_enabled: boolean.default(false),
      birthday_reward_amount: integer.nullable,
      birthday_message_ar: text.nullable.file('birthday.message.ar'),
      birthday_message_en: text.nullable.file('birthday.message.en'),
      win_back_enabled: boolean.default(false),
      win_back_after_days: integer.nullable.file('win_back.after_days'),
      win_back_amount: integer.nullable.file('win_back.amount'),
      win_back_message_ar: text.nullable.file('win_back.message.ar'),
      win_back_message_en: text.nullable.file('win_back.message.en'),
      terms_ar: text.nullable.file('terms.ar'),
      terms: text.nullable.file('terms.en'),
    },
  ),
  loyalty_reward: imported(
    { of: 'entity', key: ['id'], in: ['loyalty.rewards[]'] },
    { org_id: uuid, ...named, cost_amount: integer.file('cost'), sort: integer, ...archived },
  ),
  branch: imported(
    { of: 'entity', key: ['id'], in: ['branches[]'] },
    {
      org_id: uuid,
      ...named,
      code: text.file('code'),
      address: text.nullable,
      address_translations: translations,
      phone: text.nullable.file('phone'),
      map_url: text.nullable.file('map_url'),
      lat: double.nullable,
      lng: double.nullable,
      time_zone: text.default('Africa/Cairo').file('time_zone').alwaysExported,
      /** Minutes after local midnight. */
      day_starts_at: integer.default(300),
      is_active: boolean.default(true).file('active'),
      otp_required: boolean.default(true).file('otp_required'),
      in_mall_require_location: boolean.default(true).file('in_mall_require_location'),
      online_needs_open_till: boolean.default(false).file('online_needs_open_till'),
      accepts_table_orders: boolean.default(true).file('accepts_table_orders'),
      tax_rate: numeric(7, 6).default('0'),
      tax_inclusive: boolean.default(true),
      service_charge_rate: numeric(7, 6).default('0'),
      service_charge_taxable: boolean.default(false),
      delivery_fee_taxable: boolean.default(false).file('delivery_fee_taxable'),
      base_prep_minutes: integer.default(20).file('base_prep_minutes').alwaysExported,
      auto_reject_minutes: integer.nullable.file('auto_reject_minutes'),
      road_factor: numeric(4, 2).default('1.3'),
      ...archived,
    },
  ),
  branch_channel: imported(
    { of: 'branch_id', key: ['branch_id', 'channel'], in: ['branches[].channels.*'] },
    {
      org_id: uuid,
      branch_id: uuid,
      channel: text,
      enabled: boolean.default(true).file('enabled'),
      own_hours: boolean.default(false),
      mode: text.default('auto').imported('state'),
      mode_until: timestamptz.nullable.imported('state'),
      flat_fee: integer.default(0).file('fee'),
      max_distance_meters: integer.nullable.file('max_distance_meters'),
    },
  ),
  /** Minutes after local midnight. */
  opening_hours: imported(
    { of: 'branch_id', key: ['branch_id', 'service', 'dow', 'opens'] },
    { org_id: uuid, branch_id: uuid, service: text, dow: smallint, opens: smallint, closes: smallint },
  ),
  dated_hours: imported(
    { of: 'branch_id', key: ['branch_id', 'service', 'sort'] },
    {
      org_id: uuid,
      branch_id: uuid,
      service: text,
      sort: integer,
      from_date: date,
      to_date: date,
      ranges: jsonb<StoredRange[]>().default([]),
      note: text.nullable,
    },
  ),
  delivery_zone: imported(
    { of: 'entity', key: ['id'], in: ['branches[].delivery_zones[]'] },
    {
      org_id: uuid,
      ...named,
      branch_id: uuid,
      kind: text,
      fee: integer.file('fee'),
      radius_meters: integer.nullable.file('radius_meters'),
      polygon: jsonb<unknown>().nullable,
      ...archived,
    },
  ),
  till: table({
    org_id: uuid,
    id: uuid,
    branch_id: uuid,
    status: text.default('open'),
    opened_at: timestamptz,
    closed_at: timestamptz.nullable,
    staff_id: uuid.nullable,
    device_id: uuid.nullable,
    opening_float: integer.default(0),
    business_date: date.nullable,
    register_id: uuid.nullable,
    counted: jsonb<Readonly<Record<string, number>>>().nullable,
    close_note: text.nullable,
    closed_by: uuid.nullable,
    z_number: integer.nullable,
    z_figures: jsonb<unknown>().nullable,
  }),
};

declare module '../../../platform/store/schema.ts' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- adds the tables above
  interface Database extends KyselyTables<typeof SHOP_TABLES> {}
}
