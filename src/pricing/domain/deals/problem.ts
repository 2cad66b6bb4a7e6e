import { groupBy } from '../../../kernel/group-by.ts';
import { compareIds, type Uuid } from '../../../kernel/ids.ts';
import type { Deal, DealPoolEntry } from '../../../menu/domain/menubook.ts';
import { countsTowards } from '../../../menu/domain/pool.ts';
import type { Piastres } from '../../../kernel/money.ts';
import type { DealUnits } from './types.ts';

/** All units of one item in one size, on any line. */
export interface UnitKind {
  readonly itemId: Uuid;
  readonly categoryId: Uuid | null;
  readonly sizeLabel: string;
  readonly sizeOrder: number;
  readonly price: Piastres;
  readonly count: number;
  /** By line. */
  readonly lines: readonly { readonly line: number; readonly quantity: number }[];
}

/**
 * `bundle`: `qty` units of the pool for one price. `reward-pool`: the rewarded units come from a second pool.
 * `one-pool`: they come from the same pool, and none is dearer than a paid unit of its application.
 */
export type Form = 'bundle' | 'reward-pool' | 'one-pool';

/** A deal that may save something on this cart. Pools hold indices of kinds; after presolve, of classes. */
export interface Offer {
  readonly deal: Deal;
  readonly form: Form;
  /** Units of the bundle, or paid units, of one application. */
  readonly qty: number;
  /** Units rewarded in one application; 0 for a bundle. */
  readonly getQty: number;
  /** Most applications that max_per_order and the units of the cart allow. */
  readonly maxTimes: number;
  readonly pool: readonly number[];
  /** Of the units that can be rewarded. */
  readonly rewardPool: readonly number[];
  /** Price of the bundle; 0 for other forms. */
  readonly price: Piastres;
  /** Discount of a rewarded unit of this price: percent, halves away from zero. */
  readonly discountOn: (price: Piastres) => Piastres;
}

/** A connected component of kinds and offers. */
export interface Problem {
  /** By item id, then in the item's order of sizes. */
  readonly kinds: readonly UnitKind[];
  /** By the deals' sort, then id. */
  readonly offers: readonly Offer[];
}

const byItemAndSize = (a: UnitKind, b: UnitKind): number =>
  compareIds(a.itemId, b.itemId) || a.sizeOrder - b.sizeOrder || a.price - b.price;

export const bySortAndId = (a: Deal, b: Deal): number => a.sort - b.sort || compareIds(a.id, b.id);

const kindsOf = (units: readonly DealUnits[]): readonly UnitKind[] => {
  const byKind = groupBy(
    units.filter(({ quantity }) => quantity > 0),
    ({ itemId, sizeLabel, price }) => JSON.stringify([itemId, sizeLabel, price]),
  );
  return [...byKind.values()]
    .flatMap((all): UnitKind[] => {
      const [first] = all;
      if (first === undefined) return [];
      const { itemId, categoryId, sizeLabel, sizeOrder, price } = first;
      const lines = all.map(({ line, quantity }) => ({ line, quantity })).sort((a, b) => a.line - b.line);
      const count = lines.reduce((sum, { quantity }) => sum + quantity, 0);
      return [{ itemId, categoryId, sizeLabel, sizeOrder, price, count, lines }];
    })
    .sort(byItemAndSize);
};

const unitsIn = (kinds: readonly UnitKind[], pool: readonly number[]): number =>
  pool.reduce((sum, kind) => sum + (kinds[kind]?.count ?? 0), 0);

/** Sum of the `amount` highest prices. */
const dearestUnits = (kinds: readonly UnitKind[], pool: readonly number[], amount: number): Piastres => {
  let left = amount;
  let sum = 0;
  const byPrice = pool.flatMap((kind) => kinds[kind] ?? []).sort((a, b) => b.price - a.price);
  for (const { price, count } of byPrice) {
    const taken = Math.min(left, count);
    sum += taken * price;
    left -= taken;
  }
  return sum;
};

/** Discount of a rewarded unit, halves away from zero. */
export const discountOf = (price: Piastres, percent: number): Piastres =>
  Math.floor((2 * price * percent + 100) / 200);

const offerOf = (deal: Deal, kinds: readonly UnitKind[]): Offer => {
  const kindsIn = (entries: readonly DealPoolEntry[]): readonly number[] =>
    kinds.flatMap((kind, index) => (countsTowards(kind, entries) ? [index] : []));
  const { terms, qty, maxPerOrder } = deal;
  const pool = kindsIn(deal.pool);
  const timesFrom = (units: number, each: number): number =>
    Math.min(maxPerOrder ?? Infinity, Math.floor(units / each));
  const available = unitsIn(kinds, pool);
  if (terms.kind === 'n_for_price') {
    const maxTimes = timesFrom(available, qty);
    const bundle = { rewardPool: [], price: terms.price, discountOn: () => 0 };
    return { deal, form: 'bundle', qty, getQty: 0, maxTimes, pool, ...bundle };
  }
  const { getQty, getPercent } = terms;
  const discountOn = (price: Piastres): Piastres => discountOf(price, getPercent);
  const common = { deal, qty, getQty, pool, price: 0, discountOn };
  if (deal.rewardPool.length === 0)
    return { ...common, form: 'one-pool', maxTimes: timesFrom(available, qty + getQty), rewardPool: pool };
  const rewardPool = kindsIn(deal.rewardPool);
  const maxTimes = Math.min(timesFrom(available, qty), timesFrom(unitsIn(kinds, rewardPool), getQty));
  return { ...common, form: 'reward-pool', maxTimes, rewardPool };
};

const canSave = (
  { form, qty, maxTimes, pool, rewardPool, price, discountOn }: Offer,
  kinds: readonly UnitKind[],
): boolean =>
  maxTimes > 0 &&
  (form === 'bundle'
    ? dearestUnits(kinds, pool, qty) > price
    : rewardPool.some((kind) => discountOn(kinds[kind]?.price ?? 0) > 0));

/** By offer; offers are connected when they share a kind. */
const componentsOf = (offers: readonly Offer[]): readonly number[] => {
  const rootOf = offers.map((_, index) => index);
  const find = (index: number): number => {
    const root = rootOf[index] ?? index;
    return root === index ? index : find(root);
  };
  const kindsOfOffer = offers.map(({ pool, rewardPool }) => new Set([...pool, ...rewardPool]));
  kindsOfOffer.forEach((own, index) =>
    kindsOfOffer.slice(0, index).forEach((others, before) => {
      if ([...own].some((kind) => others.has(kind))) rootOf[find(index)] = find(before);
    }),
  );
  return offers.map((_, index) => find(index));
};

const decomposed = (kinds: readonly UnitKind[], offers: readonly Offer[]): readonly Problem[] => {
  const components = componentsOf(offers);
  const byComponent = groupBy(
    offers.map((offer, index) => ({ offer, component: components[index] })),
    ({ component }) => component,
  );
  return [...byComponent.values()].map((members) => {
    const used = [...new Set(members.flatMap(({ offer }) => [...offer.pool, ...offer.rewardPool]))].sort(
      (a, b) => a - b,
    );
    const indexOf = new Map(used.map((kind, index) => [kind, index]));
    const reindexed = (pool: readonly number[]) => pool.map((kind) => indexOf.get(kind) ?? 0);
    return {
      kinds: used.flatMap((kind) => kinds[kind] ?? []),
      offers: members.map(({ offer }) => ({
        ...offer,
        pool: reindexed(offer.pool),
        rewardPool: reindexed(offer.rewardPool),
      })),
    };
  });
};

/** Leaves out deals that cannot save and units that no deal takes. */
export const problemsOf = (units: readonly DealUnits[], deals: readonly Deal[]): readonly Problem[] => {
  const kinds = kindsOf(units);
  const offers = [...deals]
    .sort(bySortAndId)
    .map((deal) => offerOf(deal, kinds))
    .filter((offer) => canSave(offer, kinds));
  return decomposed(kinds, offers);
};
