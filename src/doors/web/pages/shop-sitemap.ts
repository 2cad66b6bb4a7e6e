/** `/{slug}/sitemap.xml`: the pages that the shop's links page leads to, and the items of its menus. */
import { combineAnswers, type Answer } from '../../../platform/app/answer.ts';
import { getLinks } from '../../../shops/app/shop.ts';
import { FILE_HEADERS } from '../headers.ts';
import { fileEndpoint, type Page, type PageParts } from '../page.ts';
import { slugIn } from '../shop-frame.ts';
import { SITEMAP_TYPE, sitemapOf } from '../sitemap.ts';
import { branchQuery, itemAddress, readBranches, readMenuOf, type BranchMenu } from './menu-page.tsx';

export const shopSitemapAddress = (slug: string): string => `/${slug}/sitemap.xml`;

/** The menu of each branch, one after another: a crawler may not take every connection to the database. */
const menusOf = async (parts: PageParts, slug: string): Promise<readonly Answer<BranchMenu>[]> => {
  const shop = await readBranches(parts, { slug });
  const menus: Answer<BranchMenu>[] = [];
  for (const branch of shop.body.branches) menus.push(await readMenuOf(parts, shop, branch));
  return menus;
};

/** An item of several branches is listed once, at the first of them. */
const menuPaths = (menus: readonly BranchMenu[]): readonly string[] => {
  const byItem = new Map<string, string>();
  for (const shown of menus)
    for (const { id } of shown.menu.items) if (!byItem.has(id)) byItem.set(id, itemAddress(shown, id));
  const pages = menus.map((shown) => `/${shown.page.brand.slug ?? ''}/menu${branchQuery(shown)}`);
  return [...pages, ...byItem.values()];
};

export const shopSitemap: Page = {
  endpoint: fileEndpoint('shopSitemap', '/{slug}/sitemap.xml', { limit: 'ordering_reads' }),
  handler: (parts) => async (input) => {
    const links = await getLinks(parts.app)({ query: { slug: slugIn(input) } });
    const { brand, items } = links.body;
    const slug = brand.slug ?? '';
    const hasMenu = items.some(({ kind }) => kind === 'menu');
    const menus = hasMenu ? await menusOf(parts, slug) : [];
    const modules = items
      .filter(({ kind }) => kind !== 'menu')
      .flatMap(({ path }) => (path == null ? [] : [`/${slug}${path}`]));
    const paths = [`/${slug}`, ...modules, ...menuPaths(menus.map(({ body }) => body))];
    const body = sitemapOf(paths.map((path) => `${parts.baseUrl}${path}`));
    return combineAnswers({ type: SITEMAP_TYPE, body, headers: FILE_HEADERS }, links, ...menus);
  },
};
