/** get_shop (Decisions 14). */
import { combineAnswers, type Answer } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import { activeBranches, getLinks } from '../../shops/app/shop.ts';
import type { ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../../shops/contract/shop.ts';
import type { ShopDetails } from '../../shops/contract/tools.ts';
import type { ArgsOf, ToolOf } from '../../service/contract/tools.ts';
import { isSlug, type Uuid } from '../../kernel/ids.ts';
import type { Translations } from '../../kernel/names.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Branch as ShopBranch } from '../../shops/domain/shop.ts';
import { explained } from './refuse.ts';
import { count, withTranslations, plainText, plainTexts, quoted, shown } from './text.ts';
import { fullestWithinLimit, type ToolAnswer } from './shorten.ts';

export type LinksPage = ReplyOf<typeof contract.getLinks>;

type Link = ShopDetails['links'][number];
type Branch = ShopDetails['branches'][number];

const isCustom = ({ kind }: Link): boolean => kind === 'custom';

// ── Reads and refusals ──────────────────────────────────────────────────────────────────────────

/** The slug that a link or a name with spaces probably contains; null when `given` itself is one. */
const slugWithin = ({ baseUrl }: App, given: string): string | null => {
  const own = `${baseUrl.toLowerCase()}/`;
  // The service's own URL may have a path, which is no shop.
  const link = given.startsWith(own) ? `/${given.slice(own.length)}` : given;
  const [first = '', second = ''] = link.replace(/^https?:\/\//, '').split(/[/?#]/, 2);
  const isHost = first === '' || /[.:]/.test(first) || given.includes('://');
  const name = (isHost ? second : first)
    .replace(/^@/, '')
    .trim()
    .replace(/[\s_]+/g, '-');
  return name !== given && isSlug(name) ? name : null;
};

/** An inactive shop counts as missing (Decisions 1). */
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
  const within = slugWithin(app, given);
  const meant = within !== null && (await isShop(app, within)) ? within : null;
  return [
    `There is no shop with the address name ${shown(given)}.`,
    ...(meant === null ? [] : [`Perhaps ${shown(meant)} is meant.`]),
    `An address name is what follows ${baseUrl}/ in the address of the shop's page: lower-case letters a to z, digits and hyphens.`,
    'There is no list of shops and no search: ask the person for the link of the shop, and call again with the name in it.',
  ].join(' ');
};

/** A current or former slug. Throws Unanswerable for an unknown shop. */
export const linksPage =
  (app: App) =>
  (slug: string): Promise<Answer<LinksPage>> =>
    explained(getLinks(app)({ query: { slug } }), { NOT_FOUND: () => noSuchShop(app, slug) });

/** By name. */
export const branchesOf =
  (app: App) =>
  (slug: string, orgId: Uuid): Promise<Answer<readonly ShopBranch[]>> =>
    explained(activeBranches(app)(orgId), { NOT_FOUND: () => noSuchShop(app, slug) });

// ── Object ──────────────────────────────────────────────────────────────────────────────────────

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

// ── Text ────────────────────────────────────────────────────────────────────────────────────────

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

/** `at "الزمالك", "المعادي"; between them pickup, delivery`; `branches` is the number of all branches. */
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
  const own = withTranslations(link.title_ar ?? '', { en: link.title_en ?? '' });
  const reach = reachWords(link, branches);
  // Quoted, so that no shop-written title can pass for one of ours.
  const custom = `Link of the shop's own${own === '' ? '' : `, ${quoted(own)}`}`;
  const title = link.kind === 'custom' ? custom : LINK_WORDS[link.kind];
  return `${title}${reach === '' ? '' : ` (${reach})`}: ${link.href}`;
};

/** Shop-written texts are quoted, so that none can pass for an id, a phone or a link. */
const branchLine = (branch: Branch): string => {
  const address = withTranslations(branch.address ?? '', branch.address_translations);
  const place = [
    ...(address === '' ? [] : [quoted(address)]),
    ...(branch.phone === undefined ? [] : [`phone ${quoted(branch.phone)}`]),
    ...(branch.directions_url === undefined ? [] : [`directions ${branch.directions_url}`]),
  ];
  const name = `${quoted(withTranslations(branch.name, branch.name_translations))}, branch_id ${branch.id}`;
  return `- ${name}${place.length === 0 ? '' : `: ${place.join('; ')}`}`;
};

const headline = (shop: ShopDetails): string => {
  const tagline = withTranslations(shop.tagline_ar ?? '', { en: shop.tagline_en ?? '' });
  const listed = `${count(shop.branches.length, 'branch', 'branches')}${shop.truncated === true ? ' listed here' : ''}`;
  const branches = shop.branches.length === 0 ? 'no branch at the moment' : listed;
  return `${withTranslations(shop.name, shop.name_translations)}: ${branches}.${tagline === '' ? '' : ` ${tagline}`}`;
};

const textFor = (shop: ShopDetails): string =>
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

interface Extent {
  readonly custom: number;
  readonly reach: boolean;
  /** Number of branches with details; the others have id and name only. */
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

interface Elsewhere {
  readonly page: string;
  /** Whether the page lists the branches. */
  readonly showsBranches: boolean;
  readonly branches: string;
}

/** Null when no part is missing. */
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

/** Drops custom links first and branches last, because next calls need branch ids. */
const shortened = (whole: ShopDetails, elsewhere: Elsewhere): ToolAnswer<ShopDetails> => {
  const branches = whole.branches.length;
  const all: Extent = { custom: whole.links.length, reach: true, detailed: branches, branches };
  const render = (less: Partial<Extent>): ToolAnswer<ShopDetails> => {
    const cut = cutTo(whole, { ...all, ...less });
    const left_out = leftOut(whole, cut, elsewhere);
    const structured = left_out === null ? whole : { ...cut, truncated: true, left_out };
    return { structured, text: textFor(structured) };
  };
  return fullestWithinLimit(
    [
      { entries: whole.links.filter(isCustom).length, render: (custom) => render({ custom }) },
      { entries: branches, render: (detailed) => render({ custom: 0, reach: false, detailed }) },
    ],
    { entries: branches, render: (kept) => render({ custom: 0, reach: false, detailed: 0, branches: kept }) },
  );
};

/** By id and name only when the links page hides the branches. */
export const shopDetails =
  (app: App) =>
  async ({ shop }: ArgsOf<ToolOf<'get_shop'>>): Promise<Answer<ToolAnswer<ShopDetails>>> => {
    const page = await linksPage(app)(shop);
    const { brand, branches } = page.body;
    const render = (shown: readonly Branch[]): ToolAnswer<ShopDetails> => {
      const whole = detailsOf(shop, page.body, shown);
      return shortened(whole, {
        page: `${app.baseUrl}/${whole.shop}`,
        showsBranches: branches.length > 0,
        branches: `${app.baseUrl}/public/branches?org_id=${brand.org_id}&browse=true`,
      });
    };
    if (branches.length > 0) return combineAnswers(render(branches.map(branchOf)), page);
    const hidden = await branchesOf(app)(shop, brand.org_id);
    const names = hidden.body.map(({ id, name, nameTranslations }) => nameOf(id, name, nameTranslations));
    return combineAnswers(render(names), page, hidden);
  };
