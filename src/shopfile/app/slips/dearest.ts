/** The dearest unit that a pool counts at each place of sale: each price is looked at once, however many deals there are. */
import { grouped } from '../../../kernel/grouped.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import type { Deal } from '../../../menu/domain/menubook.ts';
import type { Piastres } from '../../../kernel/money.ts';
import { CHANNELS, type Channel } from '../../../shops/domain/shop.ts';
import type { Row, ShopRows } from '../../store/tables.ts';
import { isLiveRow } from '../write/writing.ts';

type PriceRow = Row<'price'>;

/** Branches that sell at one another's prices are one. */
export interface SalePoints {
  readonly count: number;
  /** The place in the list of points; null: the branch does not sell there. */
  placeOf(branchId: Uuid, channel: Channel): number | null;
  /** The places that a price speaks of. */
  reachOf(price: Pick<PriceRow, 'branch_id' | 'channel'>): readonly number[];
}

const EVERY = '';

/** Every channel of each branch with prices of its own, and of all others together. */
export const salePoints = (rows: ShopRows): SalePoints => {
  const offered = new Set(
    rows.branch_channel.filter(({ enabled }) => enabled).map((row) => `${row.branch_id} ${row.channel}`),
  );
  const apart = new Set(rows.price.flatMap(({ branch_id: branchId }) => branchId ?? []));
  const points = [EVERY, ...apart].flatMap((branchId) => CHANNELS.map((channel) => ({ branchId, channel })));
  const places = new Map(points.map(({ branchId, channel }, place) => [`${branchId} ${channel}`, place]));
  const reaches = new Map<string, number[]>();
  for (const [place, { branchId, channel }] of points.entries())
    for (const branch of new Set([EVERY, branchId]))
      for (const key of [`${branch} ${channel}`, `${branch} `]) {
        const reach = reaches.get(key);
        if (reach === undefined) reaches.set(key, [place]);
        else reach.push(place);
      }
  return {
    count: points.length,
    placeOf: (branchId, channel) => {
      if (channel !== 'dine_in' && !offered.has(`${branchId} ${channel}`)) return null;
      return places.get(`${apart.has(branchId) ? branchId : EVERY} ${channel}`) ?? null;
    },
    reachOf: ({ branch_id: branchId, channel }) => reaches.get(`${branchId ?? EVERY} ${channel ?? ''}`) ?? [],
  };
};

/** An item in one of its sizes, with its prices, a more special one after those that it stands above (Decisions 6). */
interface Sellable {
  readonly sizeLabel: string;
  readonly prices: readonly PriceRow[];
}

const rungOf = ({ branch_id: branchId, channel }: PriceRow): number =>
  (channel === null ? 0 : 2) + (branchId === null ? 0 : 1);

const NOT_SOLD = -1;

/** Sellables by the id of their item and by that of its category. */
const sellablesIn = (rows: ShopRows): ReadonlyMap<Uuid, readonly Sellable[]> => {
  const sizes = grouped(rows.item_size, (row) => row.item_id);
  const prices = grouped(rows.price, (row) => row.subject_id);
  const found = new Map<Uuid, Sellable[]>();
  for (const item of rows.menu_item) {
    if (!isLiveRow(item) || item.kind !== 'item') continue;
    const entries = (prices.get(item.id) ?? []).toSorted((one, other) => rungOf(one) - rungOf(other));
    const bySize = grouped(entries, (row) => row.size_label);
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

/** Gives, for a pool, the dearest unit at the place of a point; null: none of them is sold there. */
export type DearestOf = (pool: Deal['pool']) => (place: number) => Piastres | null;

export const dearestOf = (rows: ShopRows, points: SalePoints): DearestOf => {
  const sellables = sellablesIn(rows);
  const known = new Map<string, Float64Array>();
  const ofEntry = ({ categoryId, menuItemId, sizeLabel }: Deal['pool'][number]): Float64Array => {
    const id = categoryId ?? menuItemId;
    const key = `${id}\n${sizeLabel ?? '\n'}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const most = new Float64Array(points.count).fill(NOT_SOLD);
    const own = new Float64Array(points.count);
    for (const sellable of sellables.get(id) ?? []) {
      if (sizeLabel !== null && sizeLabel !== sellable.sizeLabel) continue;
      own.fill(NOT_SOLD);
      for (const price of sellable.prices)
        for (const place of points.reachOf(price)) own[place] = price.amount;
      for (const [place, amount] of own.entries()) most[place] = Math.max(amount, most.at(place) ?? NOT_SOLD);
    }
    known.set(key, most);
    return most;
  };
  return (pool) => {
    const entries = pool.map(ofEntry);
    return (place) => {
      const most = entries.reduce((dearest, of) => Math.max(dearest, of.at(place) ?? NOT_SOLD), NOT_SOLD);
      return most === NOT_SOLD ? null : most;
    };
  };
};
