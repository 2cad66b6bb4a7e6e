/** Deals that save nothing on any cart, at the prices of every branch and channel where they are on. */
import { mostSaved } from '../../../pricing/domain/deals/worth.ts';
import { grouped } from '../../../kernel/grouped.ts';
import type { Deal } from '../../../menu/domain/menubook.ts';
import { inPounds, type Piastres } from '../../../kernel/money.ts';
import { CHANNELS } from '../../../shops/domain/shop.ts';
import type { Row, ShopRows } from '../../store/tables.ts';
import { isLiveRow } from '../write/writing.ts';
import { dearestOf, salePoints, type DearestOf, type SalePoints } from './dearest.ts';
import type { Slip } from './slip.ts';

type DealRow = Row<'deal'>;
type DealTerms = Pick<Deal, 'terms' | 'qty' | 'pool' | 'rewardPool'>;

/** The places in the list of points where a deal is on: at a table and the till, and online on every channel that a branch has. */
const placesOf = (
  rows: ShopRows,
  points: SalePoints,
  deal: DealRow,
  overrides: readonly Row<'deal_branch'>[],
): number[] => {
  const isOn = new Map(overrides.map((row) => [row.branch_id, row.is_active]));
  const found = rows.branch
    .filter((branch) => isLiveRow(branch) && branch.is_active && (isOn.get(branch.id) ?? deal.is_active))
    .flatMap(({ id }) =>
      CHANNELS.filter((channel) =>
        channel === 'dine_in' ? deal.sell_qr || deal.sell_pos : deal.sell_online,
      ).flatMap((channel) => points.placeOf(id, channel) ?? []),
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
  /** The most that one application saves. */
  readonly saved: Piastres;
  /** The dearest unit that it counts. */
  readonly highest: Piastres;
}

/** Over all places where the deal is on; null: it can be had at none of them. */
const worthOf = (deal: DealTerms, places: readonly number[], dearest: DearestOf): Worth | null => {
  const paid = dearest(deal.pool);
  const rewarded = deal.rewardPool.length === 0 ? paid : dearest(deal.rewardPool);
  const all = places.flatMap((place): Worth[] => {
    const sold = { paid: paid(place), rewarded: rewarded(place) };
    const saved = mostSaved(deal, sold);
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

/** Stock, snoozes, switches and windows are left out of account: whatever is sold again, the deal saves nothing. */
export const dealSlips = (rows: ShopRows): Slip[] => {
  const deals = rows.deal.filter(isLiveRow);
  if (deals.length === 0) return [];
  const points = salePoints(rows);
  const dearest = dearestOf(rows, points);
  const overrides = grouped(rows.deal_branch, (row) => row.deal_id);
  const pools = grouped(rows.deal_pool, (row) => row.deal_id);
  return deals.flatMap((deal) => {
    const terms = termsOf(deal, pools.get(deal.id) ?? []);
    const places = placesOf(rows, points, deal, overrides.get(deal.id) ?? []);
    if (places.length === 0) return [];
    const worth = worthOf(terms, places, dearest);
    if (worth !== null && worth.saved > 0) return [];
    const text = `the deal ‘${deal.name}’ saves nothing on any cart: ${reasonOf(terms, worth?.highest ?? null)}`;
    return [{ key: `deal ${deal.id}`, text }];
  });
};
