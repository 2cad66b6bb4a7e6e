/** get_menu (Decisions 14). */
import { combineAnswers, type Answer } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import { getBranchMenu } from '../../menu/app/menu.ts';
import type { ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../../menu/contract/menu.ts';
import type { ShopMenu } from '../../menu/contract/tools.ts';
import type { ArgsOf, ToolOf } from '../../service/contract/tools.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { offersOnline, type Branch } from '../../shops/domain/shop.ts';
import { shopAndBranchOf } from './shop-and-branch.ts';
import { explained, Unanswerable } from './refuse.ts';
import {
  branchesWithIds,
  count,
  egp,
  isFirstLanguage,
  withTranslations,
  percent,
  plainNamed,
  plainText,
  plainTexts,
  pounds,
  shown,
} from './text.ts';
import { branchesOf, linksPage, type LinksPage } from './shop.ts';
import { fullestWithinLimit, MAX_CHARACTERS, type ToolAnswer } from './shorten.ts';

type MenuReply = ReplyOf<typeof contract.getBranchMenu>;
type ItemReply = MenuReply['items'][number];
type Category = ShopMenu['categories'][number];
type Item = Category['items'][number];
type Size = NonNullable<Item['sizes']>[number];

// ── Branch and refusals ─────────────────────────────────────────────────────────────────────────

const branchWords = ({ name, nameTranslations }: Branch): string => plainNamed(name, nameTranslations);

const shopWords = ({ brand }: LinksPage): string => plainNamed(brand.name, brand.name_translations);

const notItsBranch = (page: LinksPage, branches: readonly Branch[], id: Uuid): string =>
  [
    `${shopWords(page)} has no branch with the id ${shown(id)}.`,
    `Its branches, with their ids: ${branchesWithIds(branches, (more) => ` and ${more} more that get_shop lists`)}.`,
    'Call again with one of these ids, or leave branch_id out for the first branch.',
  ].join(' ');

/** The branch with this id, or the first by name, among the shop's active ones. */
const chooseBranch = (page: LinksPage, branches: readonly Branch[], id: Uuid | undefined): Branch => {
  const [first] = branches;
  if (first === undefined)
    throw new Unanswerable(
      `${shopWords(page)} has no branch at the moment, and so no menu. get_shop tells what else there is of it.`,
    );
  const branch = id === undefined ? first : branches.find((one) => one.id === id);
  if (branch === undefined) throw new Unanswerable(notItsBranch(page, branches, id ?? ''));
  return branch;
};

// ── Object ──────────────────────────────────────────────────────────────────────────────────────

const sizeOf = ({ label, label_translations, price }: ItemReply['sizes'][number]): Size => {
  const labels = plainTexts(label_translations);
  return {
    label: plainText(label),
    ...(labels === null ? {} : { label_translations: labels }),
    price_egp: pounds(price),
  };
};

const itemOf = (item: ItemReply): Item => {
  const names = plainTexts(item.name_translations);
  const description = plainText(item.description ?? '');
  return {
    name: plainText(item.name),
    ...(names === null ? {} : { name_translations: names }),
    ...(description === '' ? {} : { description }),
    price_egp: pounds(item.price),
    ...(item.kind === 'combo' ? { combo: true } : {}),
    ...(item.sizes.length === 0 ? {} : { sizes: item.sizes.map(sizeOf) }),
  };
};

const OTHER = { category: 'Other', category_translations: { ar: 'أخرى' } };

/** In menu order; items without a category are last, under `OTHER`. */
const categoriesOf = ({ categories, items }: MenuReply): Category[] => {
  const ids = new Set(categories.map(({ id }) => id));
  const inCategory = groupBy(items, ({ category_id: id }) => (ids.has(id ?? '') ? id : null));
  const itemsIn = (id: Uuid | null): Item[] => (inCategory.get(id) ?? []).map(itemOf);
  const ofTheMenu = categories.map(({ id, name, name_translations }): Category => {
    const names = plainTexts(name_translations);
    return {
      category: plainText(name),
      ...(names === null ? {} : { category_translations: names }),
      items: itemsIn(id),
    };
  });
  return [...ofTheMenu, { ...OTHER, items: itemsIn(null) }].filter(({ items: some }) => some.length > 0);
};

const menuOf = (app: App, slug: string, page: LinksPage, branch: Branch, menu: MenuReply): ShopMenu => {
  const order = page.items.find(({ kind }) => kind === 'order');
  const service = Number(branch.serviceChargeRate);
  return {
    shop: slug,
    branch_id: branch.id,
    ...shopAndBranchOf(
      { name: page.brand.name, translations: page.brand.name_translations },
      { name: branch.name, translations: branch.nameTranslations },
    ),
    currency: 'EGP',
    tax_inclusive: branch.taxInclusive,
    tax_rate: Number(branch.taxRate),
    ...(service === 0 ? {} : { service_charge_rate: service }),
    categories: categoriesOf(menu),
    menu_url: `${app.baseUrl}/${slug}/menu`,
    ...(order !== undefined && offersOnline(branch) ? { order_url: order.href } : {}),
  };
};

// ── Text ────────────────────────────────────────────────────────────────────────────────────────

const itemLine = ({ name, name_translations, description, price_egp, combo, sizes }: Item): string => {
  const prices = (sizes ?? []).map(
    ({ label, label_translations, price_egp: price }) =>
      `${withTranslations(label, label_translations)} ${egp(price)}`,
  );
  const price = prices.length === 0 ? egp(price_egp) : prices.join(', ');
  const label = `${withTranslations(name, name_translations)}${combo === true ? ', combo' : ''}`;
  return `- ${label}: ${price}${description === undefined ? '' : `. ${description}`}`;
};

const taxWords = ({ tax_rate: rate, tax_inclusive: inclusive }: ShopMenu): string => {
  if (rate === 0) return 'there is no tax';
  return inclusive ? `${percent(rate)} tax is included` : `${percent(rate)} tax comes on top`;
};

const serviceWords = ({ service_charge_rate: rate }: ShopMenu): string =>
  rate === undefined ? '' : `, and the bill adds ${percent(rate)} service`;

const itemsIn = (categories: readonly Category[]): number =>
  categories.reduce((sum, { items }) => sum + items.length, 0);

const headline = (menu: ShopMenu): string => {
  const shop = withTranslations(menu.shop_name, menu.shop_name_translations);
  const place = `${shop}, branch ${withTranslations(menu.branch_name, menu.branch_name_translations)}`;
  if (menu.categories.length === 0)
    return `${place}: nothing is on the menu now; everything is sold out, not sold at this hour, or not sold to eat in.`;
  const amount = count(itemsIn(menu.categories), 'item', 'items');
  const items = `${amount}${menu.truncated === true ? ' listed here' : ' on the menu'}`;
  return `${place}: ${items}. Prices are eaten-in; ${taxWords(menu)}${serviceWords(menu)}.`;
};

const textFor = (menu: ShopMenu): string =>
  [
    headline(menu),
    ...(menu.left_out === undefined ? [] : [menu.left_out]),
    ...menu.categories.flatMap(({ category, category_translations, items }) => [
      `Category ${withTranslations(category, category_translations)}:`,
      ...items.map(itemLine),
    ]),
    ...(menu.categories.length === 0 ? [] : ['What is sold out or not sold at this hour is not listed.']),
    'Items and prices are those of this branch; get_shop names the others, where there are any.',
    `The menu as a page: ${menu.menu_url}`,
    ...(menu.order_url === undefined
      ? []
      : [`To order online, at prices that may differ: ${menu.order_url}`]),
    `shop: ${menu.shop}, branch_id: ${menu.branch_id}`,
  ].join('\n');

// ── Shortened ───────────────────────────────────────────────────────────────────────────────────

const withoutDescription = (item: Item): Item => {
  const lean = { ...item };
  delete lean.description;
  return lean;
};
const withoutNames = (item: Item): Item => {
  const lean = { ...item };
  delete lean.name_translations;
  return lean;
};
const withoutLabels = (size: Size): Size => {
  const lean = { ...size };
  delete lean.label_translations;
  return lean;
};

/** Least important first. */
const DROPPABLE_PARTS: readonly {
  readonly of: 'descriptions' | 'sizes' | 'names';
  readonly part: string;
  readonly isIn: (item: Item) => boolean;
  readonly without: (item: Item) => Item;
}[] = [
  {
    of: 'descriptions',
    part: 'every description',
    isIn: ({ description }) => description !== undefined,
    without: withoutDescription,
  },
  {
    of: 'sizes',
    part: 'the sizes in other languages',
    isIn: ({ sizes = [] }) => sizes.some(({ label_translations: labels }) => labels !== undefined),
    without: (item) => (item.sizes === undefined ? item : { ...item, sizes: item.sizes.map(withoutLabels) }),
  },
  {
    of: 'names',
    part: "the items' names in languages other than Arabic and English",
    isIn: ({ name_translations: names = {} }) =>
      Object.keys(names).some((language) => !isFirstLanguage(language)),
    without: (item) => {
      const names = Object.entries(item.name_translations ?? {});
      const first = names.filter(([language]) => isFirstLanguage(language));
      if (first.length === 0) return withoutNames(item);
      return { ...item, name_translations: Object.fromEntries(first) };
    },
  },
  {
    of: 'names',
    part: "the items' names in other languages",
    isIn: ({ name_translations: names }) => names !== undefined,
    without: withoutNames,
  },
];

const withoutParts = (categories: readonly Category[], dropped: number): readonly Category[] =>
  categories.map((category) => ({
    ...category,
    items: category.items.map((item) =>
      DROPPABLE_PARTS.slice(0, dropped).reduce((lean, step) => step.without(lean), item),
    ),
  }));

const firstItems = (categories: readonly Category[], kept: number): Category[] => {
  let room = kept;
  const first: Category[] = [];
  for (const category of categories) {
    if (room === 0) break;
    const items = category.items.slice(0, room);
    first.push({ ...category, items });
    room -= items.length;
  }
  return first;
};

/** Characters after which further categories are only counted. */
const MAX_CATEGORY_CHARACTERS = 600;

/** Categories with missing items: `قهوة (Coffee) 12 of 30, عصائر (Juices) 8 of 8 and 3 more categories`. */
const missingWords = (whole: readonly Category[], kept: readonly Category[]): string => {
  const missing = whole.flatMap(({ category, category_translations, items }, index) => {
    const lacks = items.length - (kept[index]?.items.length ?? 0);
    return lacks === 0
      ? []
      : [`${withTranslations(category, category_translations)} ${lacks} of ${items.length}`];
  });
  let length = 0;
  const listed = missing.filter((words, index) => {
    length += words.length;
    return index === 0 || length <= MAX_CATEGORY_CHARACTERS;
  });
  const more = missing.length - listed.length;
  return `${listed.join(', ')}${more === 0 ? '' : ` and ${count(more, 'more category', 'more categories')}`}`;
};

const leftOut = (app: App, whole: ShopMenu, kept: readonly Category[], spared: number): string => {
  const [all, listed] = [itemsIn(whole.categories), itemsIn(kept)];
  const items = whole.categories.flatMap((category) => category.items);
  const steps = DROPPABLE_PARTS.slice(0, spared).filter(({ isIn }) => items.some(isIn));
  const missing = [
    ...(listed < all ? [`${all - listed} of ${all} items (${missingWords(whole.categories, kept)})`] : []),
    // A later step replaces the description of an earlier one for the same part.
    ...new Map(steps.map(({ of, part }) => [of, part])).values(),
  ];
  const json = `${app.baseUrl}/public/branches/${whole.branch_id}/menu`;
  return `Left out, to stay short: ${missing.join('; ')}. The whole menu: ${whole.menu_url} or, as JSON, ${json}`;
};

/** A name of control characters only becomes empty. */
const SHORTEST_ITEM: Item = { name: '', price_egp: 0 };
/** Upper bound of the items that fit, each with its comma; avoids writing larger menus. */
const MAX_ITEMS = Math.ceil(MAX_CHARACTERS / (JSON.stringify(SHORTEST_ITEM).length + 1));

/** Drops parts of items first, then items from the end of the menu. */
const shortened = (app: App, whole: ShopMenu): ToolAnswer<ShopMenu> => {
  const all = itemsIn(whole.categories);
  const render = (spared: number, kept: number): ToolAnswer<ShopMenu> => {
    const categories = firstItems(withoutParts(whole.categories, spared), kept);
    const left_out = leftOut(app, whole, categories, spared);
    const structured = { ...whole, categories, truncated: true, left_out };
    return { structured, text: textFor(structured) };
  };
  const untouched = { entries: 0, render: () => ({ structured: whole, text: textFor(whole) }) };
  const lean = DROPPABLE_PARTS.map((_, index) => ({ entries: 0, render: () => render(index + 1, all) }));
  return fullestWithinLimit(all > MAX_ITEMS ? [] : [untouched, ...lean], {
    entries: Math.min(all, MAX_ITEMS),
    render: (kept) => render(DROPPABLE_PARTS.length, kept),
  });
};

/** The given branch, or the shop's first by name. Refuses a branch of another shop. */
export const shopMenu =
  (app: App) =>
  async ({ shop, branch_id: id }: ArgsOf<ToolOf<'get_menu'>>): Promise<Answer<ToolAnswer<ShopMenu>>> => {
    const page = await linksPage(app)(shop);
    const slug = page.body.brand.slug ?? shop;
    const branches = await branchesOf(app)(shop, page.orgId);
    const branch = chooseBranch(page.body, branches.body, id);
    const menu = await explained(getBranchMenu(app)({ path: { id: branch.id }, query: {} }), {
      NOT_FOUND: () =>
        `${branchWords(branch)} was closed at this very moment. Call again without branch_id, or get_shop for the branches there are.`,
    });
    const answer = shortened(app, menuOf(app, slug, page.body, branch, menu.body));
    return combineAnswers(answer, page, branches, menu);
  };
