/** A deal or a discount in a few words. */
import type { Reply } from '../../../client/client.ts';
import { menu } from '../messages/compiled/menu.ts';
import { figure, money, percentage } from './format.ts';
import type { Reader } from './reader.ts';

export type Menu = Reply<'getBranchMenu'>;
export type MenuItem = Menu['items'][number];
export type Deal = Menu['deals'][number];

export const dealText = (reader: Reader, deal: Deal): string => {
  const t = menu[reader.language];
  const n = figure(reader, deal.qty);
  if (deal.kind === 'n_for_price') return t.nForPrice({ n, price: money(reader, deal.price ?? 0) });
  const m = figure(reader, deal.get_qty ?? 1);
  const percent = deal.get_percent ?? 100;
  return percent === 100
    ? t.buyGetFree({ n, m })
    : t.buyGetPercent({ n, m, percent: figure(reader, percent) });
};

export const discountText = (reader: Reader, discount: NonNullable<Menu['discount']>): string => {
  const t = menu[reader.language];
  return discount.dtype === 'percentage'
    ? t.discountPercent({ percent: percentage(reader, discount.value_rate) })
    : t.discountAmount({ amount: money(reader, discount.value) });
};

/** Whether a pool entry covers the item; `size` undefined: some size of it. */
const covers = (entry: Deal['pool'][number], item: MenuItem, size: string | undefined): boolean =>
  item.kind === 'item' &&
  (entry.menu_item_id === item.id ||
    (entry.menu_item_id == null && entry.category_id === item.category_id)) &&
  (entry.size_label == null || size === undefined || entry.size_label === size);

/** The deals that a unit of the item may count in. */
export const dealsOf = ({ deals }: Menu, item: MenuItem, size?: string): readonly Deal[] =>
  deals.filter((deal) => [...deal.pool, ...deal.reward_pool].some((entry) => covers(entry, item, size)));

/** The price of one unit by a deal on single units, where it is lower than `price`. */
export const singlePrice = (
  menuOnSale: Menu,
  item: MenuItem,
  price: number,
  size?: string,
): number | null => {
  const prices = dealsOf(menuOnSale, item, size)
    .filter(({ kind, qty }) => kind === 'n_for_price' && qty === 1)
    .map((deal) => deal.price ?? price);
  const lowest = Math.min(price, ...prices);
  return lowest < price ? lowest : null;
};
