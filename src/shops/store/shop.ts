import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { OpeningHours } from '../../kernel/hours.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Language, Translations } from '../../kernel/names.ts';
import {
  SOCIAL_KEYS,
  type BookingSettings,
  type Branch,
  type BranchChannel,
  type Brand,
  type ChannelMode,
  type Links,
  type ModuleKind,
  type OnlineChannel,
  type SocialKey,
} from '../domain/shop.ts';
import { apart, apartForGood, type ColumnTypes } from '../../platform/store/nodes/apart.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { StoredRange } from './schema/shop.ts';
import type { OfShops } from '../../platform/store/nodes/everywhere.ts';
import { instantOf } from '../../platform/store/types.ts';

type Reader = Kysely<Database>;

/** A row that leads to a shop. */
interface Lead {
  readonly org_id: Uuid;
}

const LEAD_TYPES: ColumnTypes<Lead> = { org_id: 'uuid' };

type Located = 'branch' | 'order' | 'picture' | 'table';

/** Where shops have what has an id in the locator. Null: an order of an older build, which the locator alone leads to. */
const LOCATED: Readonly<Record<Located, RawBuilder<unknown> | null>> = {
  branch: sql`branch where id`,
  order: null,
  picture: sql`picture where id`,
  table: sql`dining_table where coalesce(public_id, id)`,
};

/** The shop of an id, active or not, as a part of a statement of `db`. */
export const shopOfId = (db: Reader, id: Uuid, kind: Located): Promise<RawBuilder<Lead>> => {
  const query = sql<Lead>`select org_id from locator where id = ${id} and kind = ${kind}`;
  const located = LOCATED[kind];
  const beside = (ofShops: OfShops) => sql<Lead>`
    select org_id from ${located} = ${id} and ${ofShops('org_id')}`;
  const name = `${kind} ${id}`;
  return apartForGood(db, { query, types: LEAD_TYPES }, name, located === null ? null : beside);
};

const activeShop = async (db: Reader, lead: RawBuilder<Lead>): Promise<Uuid | null> => {
  const { rows } = await sql<Lead>`
    select s.org_id from (${lead}) l join shop s on s.org_id = l.org_id and s.is_active
  `.execute(db);
  return rows[0]?.org_id ?? null;
};

/** Current or former slug; null when there is no active shop. */
export const shopBySlug = async (db: Reader, slug: string): Promise<Uuid | null> => {
  const query = sql<Lead>`select org_id from shop_slug where slug = ${slug}`;
  return await activeShop(db, await apart(db, { query, types: LEAD_TYPES }));
};

export const isActiveShop = async (db: Reader, orgId: Uuid): Promise<boolean> => {
  const row = await db
    .selectFrom('shop')
    .select('org_id')
    .where('org_id', '=', orgId)
    .where('is_active', '=', true)
    .executeTakeFirst();
  return row !== undefined;
};

/** Of the two languages of messages, that of the shop. */
export const messageLanguageOf = async (db: Reader, orgId: Uuid): Promise<Language> => {
  const row = await db
    .selectFrom('shop')
    .select('main_language')
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  return row?.main_language === 'en' ? 'en' : 'ar';
};

export const isLiveBranch = async (db: Reader, orgId: Uuid, branchId: Uuid): Promise<boolean> => {
  const row = await db
    .selectFrom('branch')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', branchId)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
};

/** Null when no active shop has it. */
export const shopOf = async (db: Reader, id: Uuid, kind: Located): Promise<Uuid | null> =>
  activeShop(db, await shopOfId(db, id, kind));

/** Null when the shop is not active. */
export const brandOf = async (db: Reader, orgId: Uuid): Promise<Brand | null> => {
  const row = await db
    .selectFrom('shop')
    .leftJoin('picture as logo', (join) =>
      join.on('logo.org_id', '=', orgId).onRef('logo.source', '=', 'shop.logo_url'),
    )
    .leftJoin('picture as card', (join) =>
      join.on('card.org_id', '=', orgId).onRef('card.source', '=', 'shop.card_image_url'),
    )
    .selectAll('shop')
    .select(['logo.id as logo_picture_id', 'card.id as card_picture_id'])
    .where('shop.org_id', '=', orgId)
    .where('shop.is_active', '=', true)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    orgId: row.org_id,
    name: row.name,
    nameTranslations: row.name_translations,
    slug: row.slug,
    customBranding: row.custom_branding,
    logoIsMark: row.logo_is_mark,
    logoUrl: row.logo_url,
    logoPictureId: row.logo_picture_id,
    backgroundColor: row.background_color,
    foregroundColor: row.foreground_color,
    accentColor: row.accent_color,
    cardImageUrl: row.card_image_url,
    cardPictureId: row.card_picture_id,
    mainLanguage: row.main_language === 'en' ? 'en' : 'ar',
    digits: row.digits === 'arab' ? 'arab' : 'latn',
  };
};

interface LinksRow {
  show_branches: boolean;
  cover_image_url: string | null;
  cover_picture_id: Uuid | null;
  tagline_ar: string | null;
  tagline_en: string | null;
  loyalty_mode: 'points' | 'visits' | null;
  has_menu: boolean;
  modules: ModuleKind[];
  custom: { title_en: string | null; title_ar: string | null; href: string }[];
  socials: { key: SocialKey; label: string; url: string }[];
}

/** Visible entries only. */
export const linksOf = async (db: Reader, orgId: Uuid): Promise<Links | null> => {
  const { rows } = await sql<LinksRow>`
    select s.show_branches, s.cover_image_url, cover.id as cover_picture_id, s.tagline_ar, s.tagline_en,
           (select mode from loyalty_program p where p.org_id = ${orgId} and p.enabled) as loyalty_mode,
           exists (select from menu_item i where i.org_id = ${orgId} and i.archived_at is null and i.is_active) as has_menu,
           coalesce((select json_agg(kind order by sort, kind)
                     from links_module m where m.org_id = ${orgId} and m.visible), '[]') as modules,
           coalesce((select json_agg(json_build_object('title_en', title_en, 'title_ar', title_ar, 'href', href) order by sort, id)
                     from links_custom c where c.org_id = ${orgId} and c.visible), '[]') as custom,
           coalesce((select json_agg(json_build_object('key', key, 'label', label, 'url', url))
                     from links_social l where l.org_id = ${orgId} and l.visible), '[]') as socials
    from shop s
    left join picture cover on cover.org_id = ${orgId} and cover.source = s.cover_image_url
    where s.org_id = ${orgId}
  `.execute(db);
  const row = rows[0];
  if (row === undefined) return null;
  return {
    modules: row.modules,
    custom: row.custom.map((link) => ({
      titleEn: link.title_en,
      titleAr: link.title_ar,
      href: link.href,
    })),
    socials: row.socials.sort((a, b) => SOCIAL_KEYS.indexOf(a.key) - SOCIAL_KEYS.indexOf(b.key)),
    showBranches: row.show_branches,
    coverImageUrl: row.cover_image_url,
    coverPictureId: row.cover_picture_id,
    taglineAr: row.tagline_ar,
    taglineEn: row.tagline_en,
    loyaltyMode: row.loyalty_mode,
    hasMenu: row.has_menu,
  };
};

interface BranchRow {
  id: Uuid;
  org_id: Uuid;
  name: string;
  name_translations: Translations;
  code: string;
  address: string | null;
  address_translations: Translations;
  phone: string | null;
  map_url: string | null;
  lat: number | null;
  lng: number | null;
  time_zone: string;
  day_starts_at: number;
  otp_required: boolean;
  in_mall_require_location: boolean;
  online_needs_open_till: boolean;
  till_open: boolean;
  accepts_table_orders: boolean;
  tax_rate: string;
  tax_inclusive: boolean;
  service_charge_rate: string;
  service_charge_taxable: boolean;
  delivery_fee_taxable: boolean;
  base_prep_minutes: number;
  kitchen_moves_orders: boolean;
  confirm_table_orders: boolean;
  channels: ChannelRow[];
  hours: HoursRow[];
  dated: DatedRow[];
  booking: BookingRow | null;
}

interface ChannelRow {
  channel: OnlineChannel;
  enabled: boolean;
  own_hours: boolean;
  mode: ChannelMode;
  /** ISO text, from a JSON aggregate. */
  mode_until: string | null;
}

interface HoursRow {
  service: string;
  dow: 0 | 1 | 2 | 3 | 4 | 5 | 6;
  opens: number;
  closes: number;
}

interface DatedRow {
  service: string;
  from_date: string;
  to_date: string;
  ranges: StoredRange[];
}

interface BookingRow {
  enabled: boolean;
  slot_minutes: number;
  default_duration_minutes: number;
  min_party: number;
  max_party: number;
  lead_time_minutes: number;
  horizon_days: number;
  hold_minutes: number;
  require_otp: boolean;
  max_covers_per_slot: number | null;
  reminder_lead_minutes: number | null;
  blackout_dates: string[];
}

const selectBranches = (orgId: Uuid, condition: ReturnType<typeof sql>) => sql<BranchRow>`
  select b.id, b.org_id, b.name, b.name_translations, b.code, b.address, b.address_translations, b.phone, b.map_url,
         b.lat, b.lng, b.time_zone, b.day_starts_at, b.otp_required, b.in_mall_require_location,
         b.online_needs_open_till, b.accepts_table_orders, b.tax_rate, b.tax_inclusive, b.service_charge_rate,
         b.service_charge_taxable, b.delivery_fee_taxable,
         case when b.learns_prep_minutes then coalesce(b.learned_prep_minutes, b.base_prep_minutes)
              else b.base_prep_minutes end as base_prep_minutes, b.kitchen_moves_orders, b.confirm_table_orders,
         exists (select from till t where t.org_id = ${orgId} and t.branch_id = b.id and t.status = 'open') as till_open,
         coalesce((select json_agg(json_build_object('channel', channel, 'enabled', enabled, 'own_hours', own_hours,
                                                     'mode', mode, 'mode_until', mode_until))
                   from branch_channel c where c.org_id = ${orgId} and c.branch_id = b.id), '[]') as channels,
         coalesce((select json_agg(json_build_object('service', service, 'dow', dow, 'opens', opens, 'closes', closes)
                                   order by service, dow, opens)
                   from opening_hours h where h.org_id = ${orgId} and h.branch_id = b.id), '[]') as hours,
         coalesce((select json_agg(json_build_object('service', service, 'from_date', from_date, 'to_date', to_date, 'ranges', ranges)
                                   order by service, sort)
                   from dated_hours d where d.org_id = ${orgId} and d.branch_id = b.id), '[]') as dated,
         (select row_to_json(s) from booking_settings s where s.org_id = ${orgId} and s.branch_id = b.id) as booking
  from branch b
  where b.org_id = ${orgId} and ${condition}
  order by b.id
`;

const IS_LIVE = sql`b.is_active and b.archived_at is null`;

const hoursFor = (row: BranchRow, service: string): OpeningHours => ({
  weekly: row.hours
    .filter((range) => range.service === service)
    .map((range) => ({ dow: range.dow, open: range.opens, close: range.closes })),
  dated: row.dated
    .filter((dated) => dated.service === service)
    .map((dated) => ({ from: dated.from_date, to: dated.to_date, ranges: dated.ranges })),
});

const channelsOf = (row: BranchRow): Branch['channels'] =>
  Object.fromEntries(
    row.channels.map((channel): [OnlineChannel, BranchChannel] => [
      channel.channel,
      {
        enabled: channel.enabled,
        mode: channel.mode,
        modeUntil: channel.mode_until === null ? null : instantOf(channel.mode_until),
        hours: hoursFor(row, channel.own_hours ? channel.channel : 'online'),
      },
    ]),
  );

/** Defaults of Decisions 9, Settings and defaults. */
const bookingOf = (row: BranchRow): BookingSettings => ({
  enabled: row.booking?.enabled ?? false,
  slotMinutes: row.booking?.slot_minutes ?? 30,
  defaultDurationMinutes: row.booking?.default_duration_minutes ?? 90,
  minParty: row.booking?.min_party ?? 1,
  maxParty: row.booking?.max_party ?? 12,
  leadTimeMinutes: row.booking?.lead_time_minutes ?? 60,
  horizonDays: row.booking?.horizon_days ?? 30,
  holdMinutes: row.booking?.hold_minutes ?? 15,
  requireOtp: row.booking?.require_otp ?? true,
  maxCoversPerSlot: row.booking?.max_covers_per_slot ?? null,
  reminderLeadMinutes: row.booking === null ? 120 : row.booking.reminder_lead_minutes,
  blackoutDates: row.booking?.blackout_dates ?? [],
  hours: hoursFor(row, 'booking'),
});

const asBranch = (row: BranchRow): Branch => ({
  id: row.id,
  orgId: row.org_id,
  name: row.name,
  nameTranslations: row.name_translations,
  code: row.code,
  address: row.address,
  addressTranslations: row.address_translations,
  phone: row.phone,
  mapUrl: row.map_url,
  lat: row.lat,
  lng: row.lng,
  zone: row.time_zone,
  dayStartsAt: row.day_starts_at,
  otpRequired: row.otp_required,
  inMallRequireLocation: row.in_mall_require_location,
  onlineNeedsOpenTill: row.online_needs_open_till,
  tillOpen: row.till_open,
  acceptsTableOrders: row.accepts_table_orders,
  confirmTableOrders: row.confirm_table_orders,
  hours: hoursFor(row, 'online'),
  taxRate: row.tax_rate,
  taxInclusive: row.tax_inclusive,
  serviceChargeRate: row.service_charge_rate,
  serviceChargeTaxable: row.service_charge_taxable,
  deliveryFeeTaxable: row.delivery_fee_taxable,
  basePrepMinutes: row.base_prep_minutes,
  kitchenMovesOrders: row.kitchen_moves_orders,
  channels: channelsOf(row),
  booking: bookingOf(row),
});

/** Active branches, unordered. */
export const branchesOf = async (db: Reader, orgId: Uuid): Promise<Branch[]> => {
  const { rows } = await selectBranches(orgId, IS_LIVE).execute(db);
  return rows.map(asBranch);
};

/** An active branch of an active shop, or null. Two statements: the locator gives the shop. */
export const branchById = async (db: Reader, branchId: Uuid): Promise<Branch | null> => {
  const orgId = await shopOf(db, branchId, 'branch');
  if (orgId === null) return null;
  const { rows } = await selectBranches(orgId, sql`${IS_LIVE} and b.id = ${branchId}`).execute(db);
  return rows[0] === undefined ? null : asBranch(rows[0]);
};

/** Also a branch that is switched off or archived, of a shop that is switched off. */
export const branchInAnyState = async (db: Reader, orgId: Uuid, branchId: Uuid): Promise<Branch | null> => {
  const { rows } = await selectBranches(orgId, sql`b.id = ${branchId}`).execute(db);
  return rows[0] === undefined ? null : asBranch(rows[0]);
};

/** Current or former slug, active or not. */
export const orgIdBySlug = async (db: Kysely<Database>, slug: string): Promise<Uuid | null> => {
  const row = await db.selectFrom('shop_slug').select('org_id').where('slug', '=', slug).executeTakeFirst();
  return row?.org_id ?? null;
};
