/**
 * The highest unit price of a deal pool at each sale point. Cached per pool entry: each price is read once for all
 * deals.
 */
import { groupBy } from '../../../kernel/group-by.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import type { Deal } from '../../../menu/domain/menubook.ts';
import type { Piastres } from '../../../kernel/money.ts';
import { CHANNELS, type Channel } from '../../../shops/domain/shop.ts';
import type { Row, ShopRows } from '../../store/tables.ts';
import { isLiveRow } from '../write/context.ts';

type PriceRow = Row<'price'>;

/** A sale point is a branch and a channel; branches without own prices share their points. */
export interface SalePoints {
  readonly count: number;
  /** Null if the branch does not sell on the channel. */
  indexOf(branchId: Uuid, channel: Channel): number | null;
  /** Indexes of the points where a price applies. */
  pointsOf(price: Pick<PriceRow, 'branch_id' | 'channel'>): readonly number[];
}

const ANY_BRANCH = '';

export const salePoints = (rows: ShopRows): SalePoints => {
  const offered = new Set(
    rows.branch_channel.filter(({ enabled }) => enabled).map((row) => `${row.branch_id} ${row.channel}`),
  );
  const ownPriced = new Set(rows.price.flatMap(({ branch_id: branchId }) => branchId ?? []));
  const points = [ANY_BRANCH, ...ownPriced].flatMap((branchId) =>
    CHANNELS.map((channel) => ({ branchId, channel })),
  );
  const pointIndexes = new Map(
    points.map(({ branchId, channel }, pointIndex) => [`${branchId} ${channel}`, pointIndex]),
  );
  const indexesByScope = new Map<string, number[]>();
  for (const [pointIndex, { branchId, channel }] of points.entries())
    for (const branch of new Set([ANY_BRANCH, branchId]))
      for (const key of [`${branch} ${channel}`, `${branch} `]) {
        const indexes = indexesByScope.get(key);
        if (indexes === undefined) indexesByScope.set(key, [pointIndex]);
        else indexes.push(pointIndex);
      }
  return {
    count: points.length,
    indexOf: (branchId, channel) => {
      if (channel !== 'dine_in' && !offered.has(`${branchId} ${channel}`)) return null;
      return pointIndexes.get(`${ownPriced.has(branchId) ? branchId : ANY_BRANCH} ${channel}`) ?? null;
    },
    pointsOf: ({ branch_id: branchId, channel }) =>
      indexesByScope.get(`${branchId ?? ANY_BRANCH} ${channel ?? ''}`) ?? [],
  };
};

/** An item in one size; its prices are ordered from general to specific (Decisions 6). */
interface Sellable {
  readonly sizeLabel: string;
  readonly prices: readonly PriceRow[];
}

const specificity = ({ branch_id: branchId, channel }: PriceRow): number =>
  (channel === null ? 0 : 2) + (branchId === null ? 0 : 1);

const NOT_SOLD = -1;

/** By item id and by category id. */
const sellablesIn = (rows: ShopRows): ReadonlyMap<Uuid, readonly Sellable[]> => {
  const sizes = groupBy(rows.item_size, (row) => row.item_id);
  const prices = groupBy(rows.price, (row) => row.subject_id);
  const found = new Map<Uuid, Sellable[]>();
  for (const item of rows.menu_item) {
    if (!isLiveRow(item) || item.kind !== 'item') continue;
    const entries = (prices.get(item.id) ?? []).toSorted(
      (one, other) => specificity(one) - specificity(other),
    );
    const bySize = groupBy(entries, (row) => row.size_label);
    const labels = sizes.get(item.id)?.map(({ label }) => label) ?? [''];
    const all = labels.map((sizeLabel) => ({ sizeLabel, prices: bySize.get(sizeLabel) ?? [] }));
    found.set(item.id, all);
    if (item.category_id === null) continue;
    const category = found.get(item.category_id);
    if (category === undefined) found.set(item.category_id, [...all]);
    else category.push(...all);
  }
  return found;
};

/** Null if no item of the pool is sold at the point. */
export type HighestPriceOf = (pool: Deal['pool']) => (pointIndex: number) => Piastres | null;

export const highestPriceOf = (rows: ShopRows, points: SalePoints): HighestPriceOf => {
  const sellables = sellablesIn(rows);
  const known = new Map<string, Float64Array>();
  const ofEntry = ({ categoryId, menuItemId, sizeLabel }: Deal['pool'][number]): Float64Array => {
    const id = categoryId ?? menuItemId;
    const key = `${id}\n${sizeLabel ?? '\n'}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const highest = new Float64Array(points.count).fill(NOT_SOLD);
    const own = new Float64Array(points.count);
    for (const sellable of sellables.get(id) ?? []) {
      if (sizeLabel !== null && sizeLabel !== sellable.sizeLabel) continue;
      own.fill(NOT_SOLD);
      for (const price of sellable.prices)
        for (const pointIndex of points.pointsOf(price)) own[pointIndex] = price.amount;
      for (const [pointIndex, amount] of own.entries())
        highest[pointIndex] = Math.max(amount, highest.at(pointIndex) ?? NOT_SOLD);
    }
    known.set(key, highest);
    return highest;
  };
  return (pool) => {
    const entries = pool.map(ofEntry);
    return (pointIndex) => {
      const highest = entries.reduce(
        (highest, of) => Math.max(highest, of.at(pointIndex) ?? NOT_SOLD),
        NOT_SOLD,
      );
      return highest === NOT_SOLD ? null : highest;
    };
  };
};
