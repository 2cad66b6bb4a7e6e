/** Warnings about deals that lower the price of no cart, at every branch and channel where they are active. */
import { largestSaving } from '../../../pricing/domain/deals/largest-saving.ts';
import { groupBy } from '../../../kernel/group-by.ts';
import type { Deal } from '../../../menu/domain/menubook.ts';
import { inPounds, type Piastres } from '../../../kernel/money.ts';
import { CHANNELS } from '../../../shops/domain/shop.ts';
import type { Row, ShopRows } from '../../store/tables.ts';
import { isLiveRow } from '../write/context.ts';
import { highestPriceOf, salePoints, type HighestPriceOf, type SalePoints } from './highest-prices.ts';
import type { Warning } from './warning.ts';

type DealRow = Row<'deal'>;
type DealTerms = Pick<Deal, 'terms' | 'qty' | 'pool' | 'rewardPool'>;

/** Indexes of the sale points where the deal is active. */
const activePoints = (
  rows: ShopRows,
  salePointIndex: SalePoints,
  deal: DealRow,
  overrides: readonly Row<'deal_branch'>[],
): number[] => {
  const isOn = new Map(overrides.map((row) => [row.branch_id, row.is_active]));
  const found = rows.branch
    .filter((branch) => isLiveRow(branch) && branch.is_active && (isOn.get(branch.id) ?? deal.is_active))
    .flatMap(({ id }) =>
      CHANNELS.filter((channel) =>
        channel === 'dine_in' ? deal.sell_qr || deal.sell_pos : deal.sell_online,
      ).flatMap((channel) => salePointIndex.indexOf(id, channel) ?? []),
    );
  return [...new Set(found)];
};

const poolOf = (rows: readonly Row<'deal_pool'>[], role: string): Deal['pool'] =>
  rows
    .filter((row) => row.role === role)
    .flatMap(({ category_id: categoryId, menu_item_id: menuItemId, size_label: sizeLabel }): Deal['pool'] => {
      if (categoryId !== null) return [{ categoryId, menuItemId: null, sizeLabel }];
      return menuItemId === null ? [] : [{ categoryId: null, menuItemId, sizeLabel }];
    });

const termsOf = (deal: DealRow, pools: readonly Row<'deal_pool'>[]): DealTerms => ({
  qty: deal.qty,
  terms:
    deal.kind === 'buy_get'
      ? { kind: 'buy_get', getQty: deal.get_qty ?? 1, getPercent: deal.get_percent ?? 100 }
      : { kind: 'n_for_price', price: deal.price ?? 0 },
  pool: poolOf(pools, 'pool'),
  rewardPool: poolOf(pools, 'reward'),
});

const reasonOf = ({ terms, qty }: DealTerms, highest: number | null): string => {
  if (highest === null) return 'where it is on, nothing is sold that it counts';
  if (terms.kind === 'n_for_price')
    return `it is ${qty} for ${inPounds(terms.price)}, and the dearest ${qty} that it counts cost ${inPounds(qty * highest)}`;
  return `${terms.getPercent} % of what it rewards is less than a piastre`;
};

interface Worth {
  /** The largest saving of one application. */
  readonly saved: Piastres;
  /** The highest unit price in the pool. */
  readonly highest: Piastres;
}

/** The maximum over the sale points; null if the deal applies at none of them. */
const worthOf = (deal: DealTerms, points: readonly number[], highestPrice: HighestPriceOf): Worth | null => {
  const paid = highestPrice(deal.pool);
  const rewarded = deal.rewardPool.length === 0 ? paid : highestPrice(deal.rewardPool);
  const all = points.flatMap((point): Worth[] => {
    const sold = { paid: paid(point), rewarded: rewarded(point) };
    const saved = largestSaving(deal, sold);
    return saved === null ? [] : [{ saved, highest: sold.paid ?? 0 }];
  });
  return all.reduce<Worth | null>(
    (most, one) => ({
      saved: Math.max(most?.saved ?? 0, one.saved),
      highest: Math.max(most?.highest ?? 0, one.highest),
    }),
    null,
  );
};

/** Ignores stock, snoozes, switches and sale windows, which change without an import. */
export const dealWarnings = (rows: ShopRows): Warning[] => {
  const deals = rows.deal.filter(isLiveRow);
  if (deals.length === 0) return [];
  const salePointIndex = salePoints(rows);
  const highestPrice = highestPriceOf(rows, salePointIndex);
  const overrides = groupBy(rows.deal_branch, (row) => row.deal_id);
  const pools = groupBy(rows.deal_pool, (row) => row.deal_id);
  return deals.flatMap((deal) => {
    const terms = termsOf(deal, pools.get(deal.id) ?? []);
    const points = activePoints(rows, salePointIndex, deal, overrides.get(deal.id) ?? []);
    if (points.length === 0) return [];
    const worth = worthOf(terms, points, highestPrice);
    if (worth !== null && worth.saved > 0) return [];
    const text = `the deal ‘${deal.name}’ saves nothing on any cart: ${reasonOf(terms, worth?.highest ?? null)}`;
    return [{ key: `deal ${deal.id}`, text }];
  });
};
