/** What the pages of a menu share: the branch, its menu, and how they are drawn. */
import type { ComponentChildren } from 'preact';
import { combineAnswers, type Answer } from '../../../platform/app/answer.ts';
import type { ReplyOf } from '../../../platform/contract/endpoint.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { nameIn } from '../../../kernel/names.ts';
import { getBranchMenu } from '../../../menu/app/menu.ts';
import type { getBranchMenu as menuContract } from '../../../menu/contract/menu.ts';
import { activeBranches, getLinks } from '../../../shops/app/shop.ts';
import type { getLinks as linksContract } from '../../../shops/contract/shop.ts';
import type { Branch } from '../../../shops/domain/shop.ts';
import type { MenuItem } from '../components/deal-text.ts';
import { figure } from '../components/format.ts';
import { Frame } from '../components/frame.tsx';
import { Icon } from '../components/icon.tsx';
import { itemHref } from '../components/item-address.ts';
import {
  MenuSections,
  Offers,
  SearchButton,
  SectionLinks,
  sectionsOf,
  type MenuIslandProps,
} from '../components/menu-list.tsx';
import { useMessages, useReader } from '../components/reader.ts';
import { menu as messages } from '../messages/compiled/menu.ts';
import type { PageParts } from '../page.ts';
import { StructuredData } from '../data-block.tsx';
import { shopFrameOf } from '../shop-frame.ts';
import { sectionData } from '../structured-data.ts';

interface ShopBranches {
  readonly page: ReplyOf<typeof linksContract>;
  readonly branches: readonly Branch[];
}

export interface BranchMenu extends ShopBranches {
  readonly branch: Branch;
  readonly menu: ReplyOf<typeof menuContract>;
}

export const readBranches = async (
  { app }: PageParts,
  shop: { readonly slug: string } | { readonly org_id: string },
): Promise<Answer<ShopBranches>> => {
  const links = await getLinks(app)({ query: shop });
  const branches = await activeBranches(app)(links.body.brand.org_id);
  return combineAnswers({ page: links.body, branches: branches.body }, links, branches);
};

/** The eaten-in menu. */
export const readMenuOf = async (
  { app }: PageParts,
  shop: Answer<ShopBranches>,
  branch: Branch,
): Promise<Answer<BranchMenu>> => {
  const menu = await getBranchMenu(app)({ path: { id: branch.id }, query: {} });
  return combineAnswers({ ...shop.body, branch, menu: menu.body }, shop, menu);
};

/** Of the branch that is named, else the first by name. Throws NOT_FOUND where the shop has no such branch. */
export const readBranchMenu = async (
  parts: PageParts,
  at: { readonly slug: string } | { readonly org_id: string },
  branchId: string | undefined,
): Promise<Answer<BranchMenu>> => {
  const shop = await readBranches(parts, at);
  const { branches } = shop.body;
  const branch =
    branchId === undefined ? branches[0] : branches.find(({ id }) => id === branchId.toLowerCase());
  if (branch === undefined) throw new Refusal('NOT_FOUND');
  return readMenuOf(parts, shop, branch);
};

/** `?branch=…`, unless it is the first one. */
export const branchQuery = ({ branches, branch }: Pick<BranchMenu, 'branches' | 'branch'>): string =>
  branch === branches[0] ? '' : `?branch=${branch.id}`;

/** What the language link keeps of the address. */
export const keptQuery = (shown: BranchMenu): string => {
  const query = branchQuery(shown);
  return query === '' ? '' : `${query.slice(1)}&`;
};

export const itemAddress = (shown: BranchMenu, id: string): string =>
  itemHref(`/${shown.page.brand.slug ?? ''}/menu`, id, branchQuery(shown));

/** A choice of the branch, where there are several. */
export const BranchChoice = ({ branches, branch }: BranchMenu) => {
  const { language } = useReader();
  const t = useMessages(messages);
  if (branches.length < 2) return null;
  return (
    <details class="branch-choice">
      <summary>
        {t.branch({ branch: nameIn(language, branch) })}
        <Icon name="down" />
      </summary>
      <ul>
        {branches.map((each) => (
          <li key={each.id}>
            <a
              href={each === branches[0] ? '?' : `?branch=${each.id}`}
              {...(each === branch ? { 'aria-current': 'page' } : {})}
            >
              <bdi>{nameIn(language, each)}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
};

/** What comes on top of the prices. */
export const PriceNotes = ({ branch }: { readonly branch: Branch }) => {
  const reader = useReader();
  const t = useMessages(messages);
  const percent = (rate: number | string): string => figure(reader, Number(rate) * 100);
  return (
    <p class="muted small">
      {branch.taxInclusive ? t.taxIncluded : t.taxAdded({ percent: percent(branch.taxRate) })}{' '}
      {Number(branch.serviceChargeRate) > 0 && t.serviceAdded({ percent: percent(branch.serviceChargeRate) })}
    </p>
  );
};

const Empty = () => {
  const t = useMessages(messages);
  return (
    <section class="state">
      <Icon name="menu" />
      <h2>{t.empty}</h2>
      <p>{t.emptyHint}</p>
    </section>
  );
};

interface MenuViewProps {
  readonly shown: BranchMenu;
  /** Of a table; undefined: the branch can be chosen. */
  readonly table?: string;
  /** Below the heading. */
  readonly children?: ComponentChildren;
}

export const MenuView = ({ shown, table, children }: MenuViewProps) => {
  const t = useMessages(messages);
  const reader = useReader();
  const { language } = reader;
  const { page, branch, menu } = shown;
  const sections = sectionsOf(menu, reader);
  const shop = shopFrameOf(page.brand, language);
  const hrefOf = ({ id }: MenuItem): string => itemAddress(shown, id);
  return (
    <Frame shop={shop} query={table === undefined ? keptQuery(shown) : ''}>
      <div class="menu">
        <h1>{t.menu}</h1>
        {table === undefined ? (
          <BranchChoice {...shown} />
        ) : (
          <p class="muted">
            <bdi>{t.table({ table })}</bdi> · <bdi>{nameIn(language, branch)}</bdi>
          </p>
        )}
        {children}
        <p class="notice" id="offline" role="status" hidden>
          <Icon name="offline" />
          {t.offlineCopy}
        </p>
        {sections.length === 0 ? (
          <Empty />
        ) : (
          <>
            <div class="bar">
              <SectionLinks sections={sections} />
              <div id="island">
                <SearchButton />
              </div>
            </div>
            <Offers menu={menu} />
            <MenuSections
              {...{ menu, sections, hrefOf }}
              after={(section) => <StructuredData data={sectionData(section, reader)} />}
            />
            <PriceNotes branch={branch} />
          </>
        )}
      </div>
    </Frame>
  );
};

/** What the script of the page needs: the items themselves come from the API. */
export const menuIsland = (shown: BranchMenu, isAtTable: boolean) => {
  const slug = shown.page.brand.slug ?? '';
  const offersOrders = shown.page.items.some(({ kind }) => kind === 'order');
  return {
    name: 'menu',
    props: {
      branchId: shown.branch.id,
      menuPath: `/${slug}/menu`,
      query: branchQuery(shown),
      orderPath: offersOrders && !isAtTable ? `/${slug}/order` : null,
    } satisfies MenuIslandProps,
  };
};
