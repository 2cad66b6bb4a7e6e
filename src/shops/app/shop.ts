import type { Static } from 'typebox';
import type * as contract from '../contract/shop.ts';
import type { QueryOf } from '../../platform/contract/endpoint.ts';
import type {
  OnlineTaxPolicy,
  PublicBranch,
  PublicBrand,
  PublicLinksItem,
  PublicLinksPage,
} from '../contract/shop.ts';
import { branchScope, shopScope } from '../../kernel/change.ts';
import { isSlug, type Uuid } from '../../kernel/ids.ts';
import { businessDate, businessDayEnd } from '../../kernel/business-date.ts';
import { dayHours, spansOn, type OpeningHours } from '../../kernel/hours.ts';
import { byName } from '../../kernel/names.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import {
  channelNextEdge,
  channelOpenAt,
  channelOpensAt,
  directionsUrl,
  isOffered,
  moduleReach,
  offersOnline,
  ONLINE_CHANNELS,
  type Branch,
  type Brand,
  type Links,
  type ModuleKind,
  type OnlineChannel,
} from '../domain/shop.ts';
import { addDays, earliest, isoInstant, type Instant, type LocalDate } from '../../kernel/time.ts';
import { branchesOf, brandOf, isActiveShop, linksOf, shopBySlug } from '../store/shop.ts';
import { versionOf } from '../../platform/store/change-log.ts';
import { pictureAddress } from '../../pictures/domain/picture.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/store/schema.ts';
import type { Answer } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';

type ShopQuery = QueryOf<typeof contract.getBrand>;

/** A query without shop is INVALID_INPUT, even when the shop does not exist (Decisions 2). */
const assertNamesShop = ({ slug, org_id: orgId }: ShopQuery): void => {
  if (slug === undefined && orgId === undefined)
    throw invalidInput({ path: 'slug', problem: 'or `org_id` is required', arabic: 'اكتب slug أو org_id' });
};

const OTHER_SHOP = {
  problem: 'is not the shop that `slug` names',
  arabic: 'ليس المحل المذكور في slug',
} as const;

/**
 * The shop of `slug` or `org_id` (Decisions 2). Throws INVALID_INPUT when they disagree, NOT_FOUND when the
 * shop is unknown or not active.
 */
const namedShop = async (db: Kysely<Database>, { slug, org_id: orgId }: ShopQuery): Promise<Uuid> => {
  if (slug === undefined) {
    if (orgId !== undefined && (await isActiveShop(db, orgId))) return orgId;
    throw new Refusal('NOT_FOUND');
  }
  const bySlug = isSlug(slug) ? await shopBySlug(db, slug) : null;
  if (bySlug === null) throw new Refusal('NOT_FOUND');
  if (orgId !== undefined && orgId !== bySlug) throw invalidInput({ path: 'org_id', ...OTHER_SHOP });
  return bySlug;
};

const brandReply = ({ baseUrl }: App, brand: Brand): Static<typeof PublicBrand> => ({
  org_id: brand.orgId,
  name: brand.name,
  name_translations: brand.nameTranslations,
  slug: brand.slug,
  custom_branding: brand.customBranding,
  logo_is_mark: brand.logoIsMark,
  logo_url: pictureAddress(baseUrl, brand.logoUrl, brand.logoPictureId),
  background_color: brand.backgroundColor,
  foreground_color: brand.foregroundColor,
  accent_color: brand.accentColor,
  card_image_url: pictureAddress(baseUrl, brand.cardImageUrl, brand.cardPictureId),
  main_language: brand.mainLanguage,
  digits: brand.digits,
});

/** GET /public/orgs/brand. */
export const getBrand =
  (app: App) =>
  async ({
    query,
  }: {
    query: QueryOf<typeof contract.getBrand>;
  }): Promise<Answer<Static<typeof PublicBrand>>> => {
    assertNamesShop(query);
    return app.db.snapshot(async (tx) => {
      const orgId = await namedShop(tx, query);
      const version = await versionOf(tx, orgId);
      const brand = await brandOf(tx, orgId);
      if (brand === null) throw new Refusal('NOT_FOUND');
      return { body: brandReply(app, brand), orgId, scopes: [shopScope], version, validUntil: null };
    });
  };

/** Paths on a shop's own host (Decisions 2, Paths of the customer pages). */
const MODULE_PATHS: Record<ModuleKind, string> = {
  order: '/order',
  menu: '/menu',
  rewards: '/join',
  book: '/book',
};

/** Channel names of the links page (Decisions 6, Links page). */
const LINK_CHANNELS = {
  pickup: 'pickup',
  outside: 'delivery',
  in_mall: 'in_mall',
  umbrella: 'umbrella',
} as const satisfies Record<OnlineChannel, string>;

type LinksItem = Static<typeof PublicLinksItem>;

const moduleItems = (app: App, slug: string, links: Links, branches: readonly Branch[]): LinksItem[] =>
  links.modules.flatMap((kind) => {
    const reach = moduleReach(kind, links, branches);
    if (!reach.hasTarget) return [];
    const channels = ONLINE_CHANNELS.filter((channel) =>
      branches.some((branch) => isOffered(branch, channel)),
    );
    return {
      kind,
      href: `${app.baseUrl}/${slug}${MODULE_PATHS[kind]}`,
      branch_names: reach.branches.map((branch) => branch.name),
      channels: kind === 'order' ? channels.map((channel) => LINK_CHANNELS[channel]) : [],
      path: MODULE_PATHS[kind],
    };
  });

const customItems = (links: Links): LinksItem[] =>
  links.custom.map((link) => ({
    kind: 'custom',
    href: link.href,
    branch_names: [],
    channels: [],
    path: null,
    title_en: link.titleEn,
    title_ar: link.titleAr,
  }));

const linksBranch = (branch: Branch): Static<typeof PublicLinksPage>['branches'][number] => ({
  id: branch.id,
  name: branch.name,
  name_translations: branch.nameTranslations,
  address: branch.address,
  address_translations: branch.addressTranslations,
  phone: branch.phone,
  directions_url: directionsUrl(branch),
});

const linksReply = (
  app: App,
  brand: Brand,
  links: Links,
  branches: readonly Branch[],
): Static<typeof PublicLinksPage> => {
  const items = [...moduleItems(app, brand.slug, links, branches), ...customItems(links)];
  const showsRewards = items.some((item) => item.kind === 'rewards');
  return {
    brand: brandReply(app, brand),
    items,
    socials: [...links.socials],
    branches: links.showBranches ? [...branches].sort(byName).map(linksBranch) : [],
    cover_image_url: pictureAddress(app.baseUrl, links.coverImageUrl, links.coverPictureId),
    loyalty_mode: showsRewards ? links.loyaltyMode : null,
    tagline_ar: links.taglineAr,
    tagline_en: links.taglineEn,
  };
};

/** GET /public/orgs/links. */
export const getLinks =
  (app: App) =>
  async ({
    query,
  }: {
    query: QueryOf<typeof contract.getLinks>;
  }): Promise<Answer<Static<typeof PublicLinksPage>>> => {
    assertNamesShop(query);
    return app.db.snapshot(async (tx) => {
      const orgId = await namedShop(tx, query);
      const version = await versionOf(tx, orgId);
      const [brand, links, branches] = [
        await brandOf(tx, orgId),
        await linksOf(tx, orgId),
        await branchesOf(tx, orgId),
      ];
      if (brand === null || links === null) throw new Refusal('NOT_FOUND');
      return {
        body: linksReply(app, brand, links, branches),
        orgId,
        scopes: [shopScope, ...branches.map((branch) => branchScope(branch.id))],
        version,
        validUntil: null,
      };
    });
  };

/** (Shapes, OnlineTaxPolicy) */
export const taxPolicyReply = ({
  taxRate,
  taxInclusive,
  deliveryFeeTaxable,
}: Pick<Branch, 'taxRate' | 'taxInclusive' | 'deliveryFeeTaxable'>): Static<typeof OnlineTaxPolicy> => ({
  tax_rate: Number(taxRate),
  tax_inclusive: taxInclusive,
  delivery_fee_taxable: deliveryFeeTaxable,
});

const DAYS_AHEAD = 7;

/** The date before the business date, and until when its hours go on; `until` is null when they are over. */
const nightBefore = (
  { zone, dayStartsAt }: Branch,
  hours: OpeningHours,
  now: Instant,
): { readonly date: LocalDate; readonly until: Instant | null } => {
  const date = addDays(businessDate(zone, now, dayStartsAt), -1);
  const ends = spansOn(hours, zone, date).flatMap(({ start, end }) =>
    start <= now && now < end ? [end] : [],
  );
  return { date, until: earliest(ends) };
};

/** A night that goes on after the business day has begun is still the first of the days. */
const hoursReply = (branch: Branch, now: Instant): Static<typeof PublicBranch>['hours'] => {
  const { zone } = branch;
  const first = (hours: OpeningHours): LocalDate => {
    const { date, until } = nightBefore(branch, hours, now);
    return until === null ? addDays(date, 1) : date;
  };
  const days = (hours: OpeningHours) =>
    dayHours(hours, zone, first(hours), DAYS_AHEAD).map(({ date, isDated, spans }) => ({
      ...{ date, is_changed: isDated },
      ranges: spans.map(({ start, end }) => ({ opens_at: isoInstant(start), closes_at: isoInstant(end) })),
    }));
  return Object.fromEntries(
    ONLINE_CHANNELS.flatMap((name) => {
      const channel = branch.channels[name];
      return channel?.enabled === true ? [[name, days(channel.hours)]] : [];
    }),
  );
};

const branchReply = (branch: Branch, now: Instant): Static<typeof PublicBranch> => {
  const open = (channel: OnlineChannel) => channelOpenAt(branch, channel, now);
  const opensAt = (channel: OnlineChannel): string | null => {
    const opening = open(channel) ? null : channelOpensAt(branch, channel, now);
    return opening === null ? null : isoInstant(opening);
  };
  return {
    id: branch.id,
    name: branch.name,
    name_translations: branch.nameTranslations,
    code: branch.code,
    in_mall_enabled: isOffered(branch, 'in_mall'),
    outside_enabled: isOffered(branch, 'outside'),
    umbrella_enabled: isOffered(branch, 'umbrella'),
    pickup_enabled: isOffered(branch, 'pickup'),
    in_mall_open_now: open('in_mall'),
    outside_open_now: open('outside'),
    umbrella_open_now: open('umbrella'),
    pickup_open_now: open('pickup'),
    in_mall_opens_at: opensAt('in_mall'),
    outside_opens_at: opensAt('outside'),
    umbrella_opens_at: opensAt('umbrella'),
    pickup_opens_at: opensAt('pickup'),
    hours: hoursReply(branch, now),
    timezone: branch.zone,
    otp_required: branch.otpRequired,
    in_mall_require_location: branch.inMallRequireLocation,
    tax_policy: taxPolicyReply(branch),
    service_charge_rate: Number(branch.serviceChargeRate),
  };
};

/** By name. Throws NOT_FOUND when the shop is unknown or not active. */
const readBranches = async (db: Kysely<Database>, orgId: Uuid): Promise<Answer<readonly Branch[]>> => {
  if (!(await isActiveShop(db, orgId))) throw new Refusal('NOT_FOUND');
  const version = await versionOf(db, orgId);
  const branches = (await branchesOf(db, orgId)).sort(byName);
  const scopes = [shopScope, ...branches.map((branch) => branchScope(branch.id))];
  return { body: branches, orgId, scopes, version, validUntil: null };
};

/** By name, without opening state; therefore never expires by itself. */
export const activeBranches =
  (app: App) =>
  (orgId: Uuid): Promise<Answer<readonly Branch[]>> =>
    app.db.snapshot((tx) => readBranches(tx, orgId));

/** GET /public/branches. */
export const listBranches =
  (app: App) =>
  ({
    query,
  }: {
    query: QueryOf<typeof contract.listBranches>;
  }): Promise<Answer<Static<typeof PublicBranch>[]>> =>
    app.db.snapshot(async (tx) => {
      const branches = await readBranches(tx, query.org_id);
      const now = app.clock.now();
      const listed = branches.body.filter((branch) => query.browse === true || offersOnline(branch));
      const edges = listed.flatMap((branch) => [
        businessDayEnd(branch.zone, now, branch.dayStartsAt),
        ...ONLINE_CHANNELS.map((channel) => channelNextEdge(branch, channel, now)),
        ...Object.values(branch.channels).map(({ hours }) => nightBefore(branch, hours, now).until),
      ]);
      return {
        ...branches,
        body: listed.map((branch) => branchReply(branch, now)),
        validUntil: earliest(edges),
      };
    });
