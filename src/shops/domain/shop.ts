import { nextEdge, nextOpening, openAt, type OpeningHours } from '../../kernel/hours.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { byName, type Language, type Translations } from '../../kernel/names.ts';
import type { Instant, LocalDate, WallMinutes, ZoneId } from '../../kernel/time.ts';

/** The channels of online orders (Behaviour, Menu rule 2). */
export const ONLINE_CHANNELS = ['pickup', 'outside', 'in_mall', 'umbrella'] as const;
export type OnlineChannel = (typeof ONLINE_CHANNELS)[number];

/** Price lists of a menu. `dine_in` is also the channel of a table. */
export const CHANNELS = ['dine_in', ...ONLINE_CHANNELS] as const;
export type Channel = (typeof CHANNELS)[number];

/** In display order (Decisions 3, PublicSocialLink). */
export const SOCIAL_KEYS = [
  'instagram',
  'facebook',
  'tiktok',
  'x',
  'youtube',
  'whatsapp',
  'website',
] as const;
export type SocialKey = (typeof SOCIAL_KEYS)[number];

export const MODULE_KINDS = ['order', 'menu', 'rewards', 'book'] as const;
export type ModuleKind = (typeof MODULE_KINDS)[number];

export const NEEDS_TILL = ['cash', 'all', 'none'] as const;
/** Which sales of a branch need an open till: those with cash, all, or none (Decisions 12, Tills). */
export type NeedsTill = (typeof NEEDS_TILL)[number];

/** Such as `cash` or `instapay` (Decisions 4). */
export const PAYMENT_METHOD_PATTERN = '^[a-z0-9_]{1,40}$';
export const DEFAULT_PAYMENT_METHODS = ['cash', 'card'] as const;

/** Set by staff: `auto` follows the channel's hours; `open` and `closed` take precedence over them. */
export type ChannelMode = 'auto' | 'open' | 'closed';

export interface BranchChannel {
  readonly enabled: boolean;
  readonly mode: ChannelMode;
  /** End of `mode`; null: none. */
  readonly modeUntil: Instant | null;
  readonly hours: OpeningHours;
}

export interface BookingSettings {
  readonly enabled: boolean;
  readonly slotMinutes: number;
  readonly defaultDurationMinutes: number;
  readonly minParty: number;
  readonly maxParty: number;
  readonly leadTimeMinutes: number;
  readonly horizonDays: number;
  /** How long after its start a table is kept for guests who are late. */
  readonly holdMinutes: number;
  readonly requireOtp: boolean;
  readonly maxCoversPerSlot: number | null;
  /** Before the start; null: no reminder. */
  readonly reminderLeadMinutes: number | null;
  readonly blackoutDates: readonly LocalDate[];
  readonly hours: OpeningHours;
}

export interface Branch {
  readonly id: Uuid;
  readonly orgId: Uuid;
  readonly name: string;
  readonly nameTranslations: Translations;
  readonly code: string;
  readonly address: string | null;
  readonly addressTranslations: Translations;
  readonly phone: string | null;
  readonly mapUrl: string | null;
  readonly lat: number | null;
  readonly lng: number | null;
  readonly zone: ZoneId;
  readonly dayStartsAt: WallMinutes;
  readonly otpRequired: boolean;
  readonly inMallRequireLocation: boolean;
  readonly onlineNeedsOpenTill: boolean;
  readonly tillOpen: boolean;
  readonly acceptsTableOrders: boolean;
  /** Rounds of guests wait until staff accept them. */
  readonly confirmTableOrders: boolean;
  /** Of the whole branch; a channel may have its own. */
  readonly hours: OpeningHours;
  /** A fraction, as exact decimal text. */
  readonly taxRate: string;
  readonly taxInclusive: boolean;
  /** Service charge of a table's bill; a fraction, as exact decimal text. */
  readonly serviceChargeRate: string;
  readonly serviceChargeTaxable: boolean;
  readonly deliveryFeeTaxable: boolean;
  readonly basePrepMinutes: number;
  /** An online order is ready when the kitchen has made its last item. */
  readonly kitchenMovesOrders: boolean;
  readonly channels: Readonly<Partial<Record<OnlineChannel, BranchChannel>>>;
  readonly booking: BookingSettings;
}

export interface Brand {
  readonly orgId: Uuid;
  readonly name: string;
  readonly nameTranslations: Translations;
  readonly slug: string;
  readonly customBranding: boolean;
  readonly logoIsMark: boolean;
  /** Pictures as the shop file names them, with the stored picture under each name. */
  readonly logoUrl: string | null;
  readonly logoPictureId: Uuid | null;
  readonly backgroundColor: string;
  readonly foregroundColor: string;
  readonly accentColor: string;
  readonly cardImageUrl: string | null;
  readonly cardPictureId: Uuid | null;
  readonly mainLanguage: Language;
  /** Of figures in Arabic pages. */
  readonly digits: Digits;
}

/** As in Unicode's `nu` key: 0123456789 or ٠١٢٣٤٥٦٧٨٩. */
export const DIGITS = ['latn', 'arab'] as const;
export type Digits = (typeof DIGITS)[number];

export interface CustomLink {
  readonly titleEn: string | null;
  readonly titleAr: string | null;
  readonly href: string;
}

export interface SocialLink {
  readonly key: SocialKey;
  readonly label: string;
  readonly url: string;
}

export interface Links {
  /** Visible ones, in the shop's order. */
  readonly modules: readonly ModuleKind[];
  readonly custom: readonly CustomLink[];
  readonly socials: readonly SocialLink[];
  readonly showBranches: boolean;
  readonly coverImageUrl: string | null;
  readonly coverPictureId: Uuid | null;
  readonly taglineAr: string | null;
  readonly taglineEn: string | null;
  /** Null without a loyalty program. */
  readonly loyaltyMode: 'points' | 'visits' | null;
  readonly hasMenu: boolean;
}

/** `preview` does not change it (Decisions 2). */
export const isOffered = (branch: Branch, channel: OnlineChannel): boolean =>
  branch.channels[channel]?.enabled ?? false;

export const offersOnline = (branch: Branch): boolean =>
  ONLINE_CHANNELS.some((channel) => isOffered(branch, channel));

/** An expired mode counts as `auto`. */
const modeAt = (channel: BranchChannel, now: Instant): ChannelMode =>
  channel.modeUntil !== null && channel.modeUntil <= now ? 'auto' : channel.mode;

const tillAllows = (branch: Branch): boolean => !branch.onlineNeedsOpenTill || branch.tillOpen;

/**
 * Open now = enabled, mode `open` or mode `auto` inside its hours, and an open till if required
 * (Decisions 6).
 */
export const channelOpenAt = (branch: Branch, name: OnlineChannel, now: Instant): boolean => {
  const channel = branch.channels[name];
  if (channel === undefined || !channel.enabled || !tillAllows(branch)) return false;
  const mode = modeAt(channel, now);
  return mode === 'open' || (mode === 'auto' && openAt(channel.hours, branch.zone, now));
};

/** When a closed channel next opens by itself; null when unknown or never. */
export const channelOpensAt = (branch: Branch, name: OnlineChannel, now: Instant): Instant | null => {
  const channel = branch.channels[name];
  if (channel === undefined || !channel.enabled || !tillAllows(branch)) return null;
  if (modeAt(channel, now) !== 'closed') return nextOpening(channel.hours, branch.zone, now);
  return channel.modeUntil === null ? null : nextOpening(channel.hours, branch.zone, channel.modeUntil);
};

/** The next instant at which time alone may open or close the channel; null when never. */
export const channelNextEdge = (branch: Branch, name: OnlineChannel, now: Instant): Instant | null => {
  const channel = branch.channels[name];
  if (channel === undefined || !channel.enabled || !tillAllows(branch)) return null;
  return modeAt(channel, now) === 'auto' ? nextEdge(channel.hours, branch.zone, now) : channel.modeUntil;
};

const hasHours = ({ hours: { weekly, dated } }: Branch): boolean => weekly.length + dated.length > 0;

/** A branch without hours is not closed; it takes table orders with an open till where it asks for one. */
export const takesTableOrders = (branch: Branch, now: Instant): boolean =>
  branch.acceptsTableOrders &&
  tillAllows(branch) &&
  (!hasHours(branch) || openAt(branch.hours, branch.zone, now));

/** The next instant at which time alone may change that; null when never. */
export const tableOrdersNextEdge = (branch: Branch, now: Instant): Instant | null =>
  hasHours(branch) ? nextEdge(branch.hours, branch.zone, now) : null;

export const takesBookings = (branch: Branch): boolean => branch.booking.enabled;

/** The map link, else a search by coordinates, else by address (Shapes, PublicLinksBranch). */
export const directionsUrl = (branch: Branch): string | null => {
  if (branch.mapUrl !== null) return branch.mapUrl;
  const search = 'https://www.google.com/maps/search/?api=1&query=';
  if (branch.lat !== null && branch.lng !== null) return `${search}${branch.lat},${branch.lng}`;
  return branch.address === null ? null : search + encodeURIComponent(branch.address);
};

export interface ModuleReach {
  readonly branches: readonly Branch[];
  readonly hasTarget: boolean;
}

/**
 * Branches with the module, and whether its link has a target; a closed channel still counts
 * (Decisions 6, Links page).
 */
export const moduleReach = (kind: ModuleKind, links: Links, branches: readonly Branch[]): ModuleReach => {
  const where: Record<ModuleKind, readonly Branch[]> = {
    order: branches.filter(offersOnline),
    book: branches.filter(takesBookings),
    menu: [],
    rewards: [],
  };
  const targets: Record<ModuleKind, boolean> = {
    order: where.order.length > 0,
    book: where.book.length > 0,
    menu: links.hasMenu && branches.length > 0,
    rewards: links.loyaltyMode !== null,
  };
  return { branches: [...where[kind]].sort(byName), hasTarget: targets[kind] };
};
