/** Deals that save nothing on any cart, at the prices of every branch and channel where they are on. */
import { mostSaved, type DealTermsOf, type SoldUnit } from '../../../domain/deals/worth.ts';
import { countsTowards } from '../../../domain/deals/problem.ts';
import { grouped } from '../../../domain/grouped.ts';
import type { Uuid } from '../../../domain/ids.ts';
import type { Deal } from '../../../domain/menubook.ts';
import { inPounds } from '../../../domain/money.ts';
import { priceAt, type PriceEntry, type SalePoint } from '../../../domain/price.ts';
import { CHANNELS, ONLINE_CHANNELS, type OnlineChannel } from '../../../domain/shop.ts';
import type { Row, ShopRows } from '../../../store/shopfile/tables.ts';
import { isLiveRow } from '../write/writing.ts';
import type { Slip } from './slip.ts';

type Point = Pick<SalePoint, 'branchId' | 'channel' | 'zone'>;
type DealRow = Row<'deal'>;

const isOnline = (channel: string | null): channel is OnlineChannel =>
  ONLINE_CHANNELS.some((known) => known === channel);

/** Where a deal is on: at a table and the till at the prices of a table, online on every channel that the branch has. */
const pointsOf = (rows: ShopRows, deal: DealRow): Point[] => {
  const overrides = new Map(
    rows.deal_branch.filter(({ deal_id: id }) => id === deal.id).map((row) => [row.branch_id, row.is_active]),
  );
  const offered = new Set(
    rows.branch_channel.filter(({ enabled }) => enabled).map((row) => `${row.branch_id} ${row.channel}`),
  );
  const sellsOn = (branchId: Uuid, channel: (typeof CHANNELS)[number]): boolean =>
    channel === 'dine_in'
      ? deal.sell_qr || deal.sell_pos
      : deal.sell_online && offered.has(`${branchId} ${channel}`);
  const points = rows.branch
    .filter((branch) => isLiveRow(branch) && branch.is_active && (overrides.get(branch.id) ?? deal.is_active))
    .flatMap(({ id: branchId, time_zone: zone }) =>
      CHANNELS.filter((channel) => sellsOn(branchId, channel)).map((channel) => ({
        branchId,
        zone,
        channel,
      })),
    );
  // Branches without prices of their own sell alike.
  const apart = new Set(rows.price.map((row) => row.branch_id));
  const alike = new Map(points.map((point) => [apart.has(point.branchId) ? point : point.channel, point]));
  return [...alike.values()];
};

/** An item in one of its sizes, with every price of it. */
interface Sellable extends Omit<SoldUnit, 'price'> {
  readonly prices: readonly PriceEntry[];
}

const sellables = (rows: ShopRows): Sellable[] => {
  const sizes = grouped(rows.item_size, (row) => row.item_id);
  const prices = grouped(rows.price, (row) => row.subject_id);
  return rows.menu_item
    .filter((item) => isLiveRow(item) && item.kind === 'item')
    .flatMap((item) => {
      const entries = (prices.get(item.id) ?? []).map(
        ({ size_label: sizeLabel, branch_id: branchId, channel, amount }): PriceEntry => ({
          sizeLabel,
          branchId,
          channel: isOnline(channel) ? channel : null,
          amount,
        }),
      );
      const labels = sizes.get(item.id)?.map(({ label }) => label) ?? [''];
      return labels.map((sizeLabel) => ({
        itemId: item.id,
        categoryId: item.category_id,
        sizeLabel,
        prices: entries,
      }));
    });
};

const poolOf = (rows: ShopRows, dealId: Uuid, role: string): Deal['pool'] =>
  rows.deal_pool
    .filter((row) => row.deal_id === dealId && row.role === role)
    .flatMap(({ category_id: categoryId, menu_item_id: menuItemId, size_label: sizeLabel }): Deal['pool'] => {
      if (categoryId !== null) return [{ categoryId, menuItemId: null, sizeLabel }];
      return menuItemId === null ? [] : [{ categoryId: null, menuItemId, sizeLabel }];
    });

const termsOf = (rows: ShopRows, deal: DealRow): DealTermsOf => ({
  qty: deal.qty,
  terms:
    deal.kind === 'buy_get'
      ? { kind: 'buy_get', getQty: deal.get_qty ?? 1, getPercent: deal.get_percent ?? 100 }
      : { kind: 'n_for_price', price: deal.price ?? 0 },
  pool: poolOf(rows, deal.id, 'pool'),
  rewardPool: poolOf(rows, deal.id, 'reward'),
});

const soldAt = (all: readonly Sellable[], point: Point): SoldUnit[] =>
  all.flatMap(({ prices, ...unit }) => {
    const price = priceAt(prices, point, unit.sizeLabel);
    return price === null ? [] : [{ ...unit, price }];
  });

const dearest = (sold: readonly SoldUnit[]): number =>
  sold.reduce((most, { price }) => Math.max(most, price), 0);

const reasonOf = ({ terms, qty }: DealTermsOf, highest: number | null): string => {
  if (highest === null) return 'where it is on, nothing is sold that it counts';
  if (terms.kind === 'n_for_price')
    return `it is ${qty} for ${inPounds(terms.price)}, and the dearest ${qty} that it counts cost ${inPounds(qty * highest)}`;
  return `${terms.getPercent} % of what it rewards is less than a piastre`;
};

/** Stock, snoozes, switches and windows are left out of account: whatever is sold again, the deal saves nothing. */
export const dealSlips = (rows: ShopRows): Slip[] => {
  const all = sellables(rows);
  return rows.deal.filter(isLiveRow).flatMap((deal) => {
    const terms = termsOf(rows, deal);
    const points = pointsOf(rows, deal);
    const counted = all.filter((unit) => countsTowards(unit, [...terms.pool, ...terms.rewardPool]));
    let highest: number | null = null;
    for (const point of points) {
      const sold = soldAt(counted, point);
      const saved = mostSaved(terms, sold);
      if (saved !== null && saved > 0) return [];
      if (saved !== null) highest = Math.max(highest ?? 0, dearest(sold));
    }
    if (points.length === 0) return [];
    const text = `the deal ‘${deal.name}’ saves nothing on any cart: ${reasonOf(terms, highest)}`;
    return [{ key: `deal ${deal.id}`, text }];
  });
};
