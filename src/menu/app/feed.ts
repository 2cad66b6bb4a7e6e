/** What devices hold of a menu (Decisions 13). */
import type { Kysely } from 'kysely';
import { smallSource, type FeedPlace, type FeedSource } from '../../platform/app/feed.ts';
import type { FeedType } from '../../platform/domain/feed.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { MenuBook } from '../domain/menubook.ts';
import { archivedChoices, discountsAt } from '../store/feed.ts';
import { loadMenuBook } from '../store/menu.ts';
import { addonRow, categoryRow, dealRow, discountRow, groupRow, itemRow } from './feed-rows.ts';

type Tx = Kysely<Database>;
type MenuType = Extract<
  FeedType,
  'category' | 'addon' | 'modifier_group' | 'menu_item' | 'deal' | 'discount'
>;

type Rows = readonly { readonly id: string }[];

/** Of one pull, which reads the menu once. */
export const menuFeed = (): Readonly<Record<MenuType, FeedSource>> => {
  let book: Promise<MenuBook> | null = null;
  const fromBook =
    (rowsOf: (book: MenuBook, place: FeedPlace) => Rows) =>
    async (tx: Tx, place: FeedPlace): Promise<Rows> => {
      book ??= loadMenuBook(tx, place.orgId, place.branchId);
      return rowsOf(await book, place);
    };
  const items = fromBook((read) => read.items.map(itemRow));
  return {
    category: smallSource(
      ['category'],
      fromBook(({ categories }) => categories.map(categoryRow)),
    ),
    addon: smallSource(
      ['addon', 'availability'],
      fromBook(({ addons }) => addons.map(addonRow)),
    ),
    modifier_group: smallSource(
      ['modifier_group'],
      fromBook(({ groups }) => groups.map(groupRow)),
    ),
    menu_item: smallSource(['menu_item', 'availability'], async (tx, place) => {
      const archived = await archivedChoices(tx, place.orgId);
      return (await items(tx, place)).filter(({ id }) => !archived.has(id));
    }),
    deal: smallSource(
      ['deal'],
      fromBook(({ deals }, { branchId }) => deals.map((deal) => dealRow(deal, branchId))),
    ),
    discount: smallSource(['discount'], async (tx, { orgId, branchId }) =>
      (await discountsAt(tx, orgId, branchId)).map(discountRow),
    ),
  };
};
