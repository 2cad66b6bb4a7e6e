/** get_shop: who a shop is, where its links lead and where its branches are, as an object and in words (Decisions 14). */
import { madeOf, type Answer } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import { activeBranches, getLinks } from '../../shops/app/shop.ts';
import type { ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../../shops/contract/shop.ts';
import type { ArgsOf, ShopDetails, ToolOf } from '../../service/contract/tools.ts';
import { isSlug, type Uuid } from '../../kernel/ids.ts';
import type { Translations } from '../../kernel/names.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Branch as ShopBranch } from '../../shops/domain/shop.ts';
import { explained } from './refuse.ts';
import { count, named, plainText, plainTexts, quoted, shown } from './say.ts';
import { fullestWithinLimit, type Told } from './shorten.ts';

export type LinksPage = ReplyOf<typeof contract.getLinks>;

type Link = ShopDetails['links'][number];
type Branch = ShopDetails['branches'][number];

const isCustom = ({ kind }: Link): boolean => kind === 'custom';

// ── What the app knows, and refusals ────────────────────────────────────────────────────────────

/** The address name that a link or a name with spaces probably holds, where it is not one itself. */
const nameWithin = ({ baseUrl }: App, given: string): string | null => {
  const own = `${baseUrl.toLowerCase()}/`;
  // The service's own address may have a path, which is no shop.
  const link = given.startsWith(own) ? `/${given.slice(own.length)}` : given;
  const [first = '', second = ''] = link.replace(/^https?:\/\//, '').split(/[/?#]/, 2);
  const isHost = first === '' || /[.:]/.test(first) || given.includes('://');
  const name = (isHost ? second : first)
    .replace(/^@/, '')
    .trim()
    .replace(/[\s_]+/g, '-');
  return name !== given && isSlug(name) ? name : null;
};

/** Whether an address name leads to a shop; one that is switched off is the same as none (Decisions 1). */
const isShop = (app: App, slug: string): Promise<boolean> =>
  getLinks(app)({ query: { slug } }).then(
    () => true,
    (thrown: unknown) => {
      if (thrown instanceof Refusal && thrown.refusal === 'NOT_FOUND') return false;
      throw thrown;
    },
  );

const noSuchShop = async (app: App, given: string): Promise<string> => {
  const { baseUrl } = app;
  const within = nameWithin(app, given);
  const meant = within !== null && (await isShop(app, within)) ? within : null;
  return [
    `There is no shop with the address name ${shown(given)}.`,
    ...(meant === null ? [] : [`Perhaps ${shown(meant)} is meant.`]),
    `An address name is what follows ${baseUrl}/ in the address of the shop's page: lower-case letters a to z, digits and hyphens.`,
    'There is no list of shops and no search: ask the person for the link of the shop, and call again with the name in it.',
  ].join(' ');
};

/** The links page of the shop of this address name, present or former; refused in words when there is none. */
export const linksPage =
  (app: App) =>
  (slug: string): Promise<Answer<LinksPage>> =>
    explained(getLinks(app)({ query: { slug } }), { NOT_FOUND: () => noSuchShop(app, slug) });

/** Every active branch of that shop, by name. */
export const branchesOf =
  (app: App) =>
  (slug: string, orgId: Uuid): Promise<Answer<readonly ShopBranch[]>> =>
    explained(activeBranches(app)(orgId), { NOT_FOUND: () => noSuchShop(app, slug) });

// ── As an object ────────────────────────────────────────────────────────────────────────────────

const linkOf = (item: LinksPage['items'][number]): Link => {
  const [ar, en] = [plainText(item.title_ar ?? ''), plainText(item.title_en ?? '')];
  return {
    kind: item.kind,
    href: plainText(item.href),
    ...(ar === '' ? {} : { title_ar: ar }),
    ...(en === '' ? {} : { title_en: en }),
    ...(item.branch_names.length === 0 ? {} : { branch_names: item.branch_names.map(plainText) }),
    ...(item.channels.length === 0 ? {} : { channels: [...item.channels] }),
  };
};

/** A branch by id and name alone. */
const nameOf = (id: Uuid, name: string, translations: Translations | undefined): Branch => {
  const names = plainTexts(translations);
  return { id, name: plainText(name), ...(names === null ? {} : { name_translations: names }) };
};

const branchOf = (branch: LinksPage['branches'][number]): Branch => {
  const [address, phone] = [plainText(branch.address ?? ''), plainText(branch.phone ?? '')];
  const addresses = plainTexts(branch.address_translations);
  const directions = plainText(branch.directions_url ?? '');
  return {
    ...nameOf(branch.id, branch.name, branch.name_translations),
    ...(address === '' ? {} : { address }),
    ...(addresses === null ? {} : { address_translations: addresses }),
    ...(phone === '' ? {} : { phone }),
    ...(directions === '' ? {} : { directions_url: directions }),
  };
};

const detailsOf = (slug: string, page: LinksPage, branches: readonly Branch[]): ShopDetails => {
  const names = plainTexts(page.brand.name_translations);
  const [ar, en] = [plainText(page.tagline_ar ?? ''), plainText(page.tagline_en ?? '')];
  return {
    shop: page.brand.slug ?? slug,
    name: plainText(page.brand.name),
    ...(names === null ? {} : { name_translations: names }),
    ...(ar === '' ? {} : { tagline_ar: ar }),
    ...(en === '' ? {} : { tagline_en: en }),
    links: page.items.map(linkOf),
    socials: page.socials.map(({ label, url }) => ({ label: plainText(label), url: plainText(url) })),
    branches: [...branches],
  };
};

// ── In words ────────────────────────────────────────────────────────────────────────────────────

const LINK_WORDS: Readonly<Record<Exclude<Link['kind'], 'custom'>, string>> = {
  order: 'Order online',
  menu: 'Menu',
  rewards: 'Rewards',
  book: 'Book a table',
};

const CHANNEL_WORDS: Readonly<Record<NonNullable<Link['channels']>[number], string>> = {
  pickup: 'pickup',
  delivery: 'delivery',
  in_mall: 'delivery in the mall',
  umbrella: 'service at the umbrella',
};

/** `at "الزمالك", "المعادي"; between them pickup, delivery`: where a link leads, of so many branches. */
const reachWords = ({ branch_names: names = [], channels = [] }: Link, branches: number): string => {
  const ways = channels.map((channel) => CHANNEL_WORDS[channel]).join(', ');
  const isOneForAll = names.length === 0 || branches === 1;
  const places = names.length === branches ? 'at every branch' : `at ${names.map(quoted).join(', ')}`;
  return [
    ...(isOneForAll ? [] : [places]),
    ...(ways === '' ? [] : [names.length > 1 ? `between them ${ways}` : ways]),
  ].join('; ');
};

const linkLine = (link: Link, branches: number): string => {
  const own = named(link.title_ar ?? '', { en: link.title_en ?? '' });
  const reach = reachWords(link, branches);
  // What the shop wrote is marked as its own, so that no title can pass for one of ours.
  const custom = `Link of the shop's own${own === '' ? '' : `, ${quoted(own)}`}`;
  const title = link.kind === 'custom' ? custom : LINK_WORDS[link.kind];
  return `${title}${reach === '' ? '' : ` (${reach})`}: ${link.href}`;
};

/** Each text of the shop's between marks of ours, so that none can pass for an id, a phone or a link. */
const branchLine = (branch: Branch): string => {
  const address = named(branch.address ?? '', branch.address_translations);
  const place = [
    ...(address === '' ? [] : [quoted(address)]),
    ...(branch.phone === undefined ? [] : [`phone ${quoted(branch.phone)}`]),
    ...(branch.directions_url === undefined ? [] : [`directions ${branch.directions_url}`]),
  ];
  const name = `${quoted(named(branch.name, branch.name_translations))}, branch_id ${branch.id}`;
  return `- ${name}${place.length === 0 ? '' : `: ${place.join('; ')}`}`;
};

const headline = (shop: ShopDetails): string => {
  const tagline = named(shop.tagline_ar ?? '', { en: shop.tagline_en ?? '' });
  const listed = `${count(shop.branches.length, 'branch', 'branches')}${shop.truncated === true ? ' listed here' : ''}`;
  const branches = shop.branches.length === 0 ? 'no branch at the moment' : listed;
  return `${named(shop.name, shop.name_translations)}: ${branches}.${tagline === '' ? '' : ` ${tagline}`}`;
};

const say = (shop: ShopDetails): string =>
  [
    headline(shop),
    ...(shop.left_out === undefined ? [] : [shop.left_out]),
    ...(shop.links.every(isCustom)
      ? ['Its page leads to no online ordering, table booking, menu or rewards.']
      : []),
    ...shop.links.map((link) => linkLine(link, shop.branches.length)),
    ...shop.socials.map(({ label, url }) => `Social, ${quoted(label)}: ${url}`),
    ...(shop.branches.length === 0 ? [] : ['Branches:']),
    ...shop.branches.map(branchLine),
    `shop: ${shop.shop}`,
  ].join('\n');

// ── Shortened ───────────────────────────────────────────────────────────────────────────────────

/** How much of a shop is told. */
interface Extent {
  /** The first so many of its own links. */
  readonly custom: number;
  /** Whether links name their branches. */
  readonly reach: boolean;
  /** The first so many branches with all that is known, the others by id and name. */
  readonly detailed: number;
  readonly branches: number;
}

const withoutReach = (link: Link): Link => {
  const anywhere = { ...link };
  delete anywhere.branch_names;
  return anywhere;
};
const withoutDetails = ({ id, name, name_translations }: Branch): Branch => ({
  id,
  name,
  ...(name_translations === undefined ? {} : { name_translations }),
});

const isDetailed = ({ address, phone, directions_url }: Branch): boolean =>
  (address ?? phone ?? directions_url) !== undefined;

const share = ({ missing, all }: { readonly missing: number; readonly all: number }, what: string): string =>
  `${missing === all ? 'all' : `${missing} of`} ${all} ${what}`;

/** Where a shop is told whole. */
interface Elsewhere {
  readonly page: string;
  /** Whether that page names the branches. */
  readonly showsBranches: boolean;
  /** Every active branch as JSON, whatever the page shows. */
  readonly branches: string;
}

/** What `cut` lacks of `whole`, in words, and where it is; null when it lacks nothing. */
const leftOut = (whole: ShopDetails, cut: ShopDetails, elsewhere: Elsewhere): string | null => {
  const counts = (list: (shop: ShopDetails) => readonly unknown[]) => {
    const all = list(whole).length;
    return { all, missing: all - list(cut).length };
  };
  const branches = counts((shop) => shop.branches);
  const detailed = counts((shop) => shop.branches.filter(isDetailed));
  const reach = counts((shop) => shop.links.filter((link) => link.branch_names !== undefined));
  const customs = counts((shop) => shop.links.filter(isCustom));
  const missing = [
    ...(branches.missing > 0 ? [share(branches, 'branches')] : []),
    ...(detailed.missing > 0 ? [`address, phone and directions of ${share(detailed, 'branches')}`] : []),
    ...(reach.missing > 0 ? ['the branches that each link is for'] : []),
    ...(customs.missing > 0 ? [share(customs, "links of the shop's own")] : []),
  ];
  const isOnPage = elsewhere.showsBranches || reach.missing + customs.missing > 0;
  const places = [
    ...(isOnPage ? [`the shop's page: ${elsewhere.page}`] : []),
    ...(branches.missing > 0 ? [`every branch as JSON: ${elsewhere.branches}`] : []),
  ];
  return missing.length === 0
    ? null
    : `Left out, to stay short: ${missing.join('; ')}. See ${places.join(' and ')}`;
};

const cutTo = (whole: ShopDetails, { custom, reach, detailed, branches }: Extent): ShopDetails => {
  const modules = whole.links.filter((link) => !isCustom(link));
  return {
    ...whole,
    links: [
      ...(reach ? modules : modules.map(withoutReach)),
      ...whole.links.filter(isCustom).slice(0, custom),
    ],
    branches: whole.branches
      .slice(0, branches)
      .map((branch, index) => (index < detailed ? branch : withoutDetails(branch))),
  };
};

/** Branch ids are what next calls need, so names and ids of branches go last, links of the shop's own first. */
const shortened = (whole: ShopDetails, elsewhere: Elsewhere): Told<ShopDetails> => {
  const branches = whole.branches.length;
  const all: Extent = { custom: whole.links.length, reach: true, detailed: branches, branches };
  const tell = (less: Partial<Extent>): Told<ShopDetails> => {
    const cut = cutTo(whole, { ...all, ...less });
    const left_out = leftOut(whole, cut, elsewhere);
    const structured = left_out === null ? whole : { ...cut, truncated: true, left_out };
    return { structured, text: say(structured) };
  };
  return fullestWithinLimit(
    [
      { entries: whole.links.filter(isCustom).length, tell: (custom) => tell({ custom }) },
      { entries: branches, tell: (detailed) => tell({ custom: 0, reach: false, detailed }) },
    ],
    { entries: branches, tell: (kept) => tell({ custom: 0, reach: false, detailed: 0, branches: kept }) },
  );
};

/** get_shop. Every active branch is there, by id and name alone where the links page hides them. */
export const shopDetails =
  (app: App) =>
  async ({ shop }: ArgsOf<ToolOf<'get_shop'>>): Promise<Answer<Told<ShopDetails>>> => {
    const page = await linksPage(app)(shop);
    const { brand, branches } = page.body;
    const tell = (shown: readonly Branch[]): Told<ShopDetails> => {
      const whole = detailsOf(shop, page.body, shown);
      return shortened(whole, {
        page: `${app.baseUrl}/${whole.shop}`,
        showsBranches: branches.length > 0,
        branches: `${app.baseUrl}/public/branches?org_id=${brand.org_id}&browse=true`,
      });
    };
    if (branches.length > 0) return madeOf(tell(branches.map(branchOf)), page);
    const hidden = await branchesOf(app)(shop, brand.org_id);
    const names = hidden.body.map(({ id, name, nameTranslations }) => nameOf(id, name, nameTranslations));
    return madeOf(tell(names), page, hidden);
  };
