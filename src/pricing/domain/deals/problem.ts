import { compareIds, type Uuid } from '../../../kernel/ids.ts';
import type { Piastres } from '../../../kernel/money.ts';
import type { CompiledDeals, UnitRoles } from './compiled-deals.ts';
import type { DealRule, DealUnits } from './types.ts';

/** All units of one item in one size that count in the same deals, on any line. */
export interface UnitKind {
  readonly itemId: Uuid;
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

/**
 * A deal that may save something on this cart. Pools hold indices of kinds; after presolve, of classes. Plain data, which a
 * worker thread can be given.
 */
export interface Offer {
  readonly form: Form;
  /** Units of the bundle, or paid units, of one application. */
  readonly qty: number;
  /** Units rewarded in one application; 0 for a bundle. */
  readonly getQty: number;
  /** Most applications that max_per_order and the units of the cart allow. */
  readonly maxTimes: number;
  /** Whether the units of the cart allow more applications than max_per_order. */
  readonly isCapped: boolean;
  readonly pool: readonly number[];
  /** Of the units that can be rewarded. */
  readonly rewardPool: readonly number[];
  /** Price of the bundle; 0 for other forms. */
  readonly price: Piastres;
  /** Of the price of a rewarded unit (see `discountOf`); 0 for a bundle. */
  readonly percent: number;
}

/** A connected component of kinds and offers. */
export interface Problem {
  /** By item id, then in the item's order of sizes. */
  readonly kinds: readonly UnitKind[];
  /** By the deals' sort, then id. */
  readonly offers: readonly Offer[];
}

export interface CartProblem<D extends DealRule> extends Problem {
  /** The deal of each offer. */
  readonly deals: readonly D[];
}

interface KindInDeals {
  readonly kind: UnitKind & {
    sizeOrder: number;
    count: number;
    readonly lines: { line: number; quantity: number }[];
  };
  readonly roles: UnitRoles;
}

/** Ascending lists of deals: first the one with the first deal that is not in both. */
const byFirstDeal = (a: readonly number[], b: readonly number[]): number => {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? Number.MAX_SAFE_INTEGER) - (b[at] ?? Number.MAX_SAFE_INTEGER);
    if (difference !== 0) return difference;
  }
  return 0;
};

const byItemAndSize = (a: KindInDeals, b: KindInDeals): number =>
  compareIds(a.kind.itemId, b.kind.itemId) ||
  a.kind.sizeOrder - b.kind.sizeOrder ||
  a.kind.price - b.kind.price ||
  byFirstDeal(a.roles.paid, b.roles.paid) ||
  byFirstDeal(a.roles.rewarded, b.roles.rewarded);

/** On a ticket, units of one item may have been fired while other deals were on offer, or in another category. */
const isSameKind = ({ kind, roles }: KindInDeals, unit: DealUnits, ofUnit: UnitRoles): boolean =>
  kind.itemId === unit.itemId &&
  kind.sizeLabel === unit.sizeLabel &&
  kind.price === unit.price &&
  roles === ofUnit;

const kindsOf = (units: readonly DealUnits[], compiled: CompiledDeals<DealRule>): readonly KindInDeals[] => {
  const kinds: KindInDeals[] = [];
  for (const one of units.toSorted((a, b) => a.line - b.line)) {
    const { itemId, sizeLabel, sizeOrder, price, line, quantity } = one;
    if (quantity === 0) continue;
    const roles = compiled.rolesOf(one);
    const known = kinds.find((each) => isSameKind(each, one, roles))?.kind;
    if (known === undefined) {
      const kind = { itemId, sizeLabel, sizeOrder, price, count: quantity, lines: [{ line, quantity }] };
      kinds.push({ kind, roles });
    } else {
      // Sizes may have been reordered between the rounds of a ticket: lines in another order have the same deals.
      known.sizeOrder = Math.min(known.sizeOrder, sizeOrder);
      known.count += quantity;
      known.lines.push({ line, quantity });
    }
  }
  return kinds.sort(byItemAndSize);
};

const unitsIn = (kinds: readonly UnitKind[], pool: readonly number[]): number =>
  pool.reduce((sum, kind) => sum + (kinds[kind]?.count ?? 0), 0);

const dearestFirst = (kinds: readonly UnitKind[], pool: readonly number[]): readonly UnitKind[] =>
  pool.flatMap((kind) => kinds[kind] ?? []).sort((a, b) => b.price - a.price);

/** Sum of the `amount` highest prices. */
const dearestUnits = (kinds: readonly UnitKind[], pool: readonly number[], amount: number): Piastres => {
  let left = amount;
  let sum = 0;
  for (const { price, count } of dearestFirst(kinds, pool)) {
    const taken = Math.min(left, count);
    sum += taken * price;
    left -= taken;
  }
  return sum;
};

/** Price of the dearest unit after `skipped` dearer ones; 0 where there is none. */
const nextDearest = (kinds: readonly UnitKind[], pool: readonly number[], skipped: number): Piastres => {
  let before = 0;
  const next = dearestFirst(kinds, pool).find(({ count }) => (before += count) > skipped);
  return next?.price ?? 0;
};

/** Discount of a rewarded unit, halves away from zero. */
export const discountOf = (price: Piastres, percent: number): Piastres =>
  Math.floor((2 * price * percent + 100) / 200);

interface Pools {
  readonly pool: number[];
  readonly rewardPool: number[];
}

/** How often the units of the pools allow the deal, without a cap. */
const timesOf = (deal: DealRule, { pool, rewardPool }: Pools, kinds: readonly UnitKind[]): number => {
  const available = unitsIn(kinds, pool);
  if (deal.terms.kind === 'n_for_price') return Math.floor(available / deal.qty);
  const { getQty } = deal.terms;
  if (deal.rewardPool.length === 0) return Math.floor(available / (deal.qty + getQty));
  const ofEither = unitsIn(kinds, [...new Set([...pool, ...rewardPool])]);
  return Math.min(
    Math.floor(available / deal.qty),
    Math.floor(unitsIn(kinds, rewardPool) / getQty),
    Math.floor(ofEither / (deal.qty + getQty)),
  );
};

const offerOf = (deal: DealRule, pools: Pools, kinds: readonly UnitKind[]): Offer => {
  const { terms, qty, maxPerOrder } = deal;
  const times = timesOf(deal, pools, kinds);
  const isReward = terms.kind === 'buy_get';
  const isOnePool = isReward && deal.rewardPool.length === 0;
  return {
    form: isReward ? (isOnePool ? 'one-pool' : 'reward-pool') : 'bundle',
    qty,
    getQty: isReward ? terms.getQty : 0,
    maxTimes: Math.min(maxPerOrder ?? Infinity, times),
    isCapped: maxPerOrder !== null && maxPerOrder < times,
    pool: pools.pool,
    rewardPool: isOnePool ? pools.pool : pools.rewardPool,
    price: isReward ? 0 : terms.price,
    percent: isReward ? terms.getPercent : 0,
  };
};

interface DealOffer<D extends DealRule> {
  readonly deal: D;
  readonly offer: Offer;
}

/** The deals in which units of the cart count, in order. */
const offersOf = <D extends DealRule>(
  all: readonly KindInDeals[],
  compiled: CompiledDeals<D>,
): readonly DealOffer<D>[] => {
  const kinds = all.map(({ kind }) => kind);
  const pools = new Map<number, Pools>();
  const poolsOf = (deal: number): Pools => {
    const own = pools.get(deal) ?? { pool: [], rewardPool: [] };
    pools.set(deal, own);
    return own;
  };
  all.forEach(({ roles: { paid, rewarded } }, index) => {
    for (const deal of paid) poolsOf(deal).pool.push(index);
    for (const deal of rewarded) poolsOf(deal).rewardPool.push(index);
  });
  return [...pools]
    .sort(([a], [b]) => a - b)
    .flatMap(([index, own]) => {
      const deal = compiled.deals[index];
      return deal === undefined ? [] : [{ deal, offer: offerOf(deal, own, kinds) }];
    });
};

/** Whether one application saves anything. */
const canSave = (
  { form, qty, maxTimes, pool, rewardPool, price, percent }: Offer,
  kinds: readonly UnitKind[],
): boolean => {
  if (maxTimes === 0) return false;
  if (form === 'bundle') return dearestUnits(kinds, pool, qty) > price;
  // A paid unit of the same pool is no cheaper.
  if (form === 'one-pool') return discountOf(nextDearest(kinds, pool, qty), percent) > 0;
  const paid = unitsIn(kinds, pool);
  return rewardPool.some(
    (kind) => discountOf(kinds[kind]?.price ?? 0, percent) > 0 && paid - (pool.includes(kind) ? 1 : 0) >= qty,
  );
};

/** By offer, the first offer of its component: offers are connected when they share a kind. */
const componentsOf = (offers: readonly DealOffer<DealRule>[]): readonly number[] => {
  const rootOf = offers.map((_, index) => index);
  const find = (index: number): number => {
    const root = rootOf[index] ?? index;
    return root === index ? index : find(root);
  };
  const firstOf = new Map<number, number>();
  offers.forEach(({ offer: { pool, rewardPool } }, index) => {
    for (const kinds of [pool, rewardPool])
      for (const kind of kinds) {
        const first = firstOf.get(kind);
        if (first === undefined) firstOf.set(kind, index);
        else rootOf[Math.max(find(index), find(first))] = Math.min(find(index), find(first));
      }
  });
  return offers.map((_, index) => find(index));
};

const componentProblem = <D extends DealRule>(
  kinds: readonly UnitKind[],
  own: readonly DealOffer<D>[],
): CartProblem<D> => {
  const deals = own.map(({ deal }) => deal);
  const offers = own.map(({ offer }) => offer);
  const isUsed = kinds.map(() => false);
  for (const { pool, rewardPool } of offers) for (const kind of [...pool, ...rewardPool]) isUsed[kind] = true;
  if (!isUsed.includes(false)) return { kinds, offers, deals };
  let next = 0;
  const indexOf = isUsed.map((used) => (used ? next++ : 0));
  const reindexed = (pool: readonly number[]) => pool.map((kind) => indexOf[kind] ?? 0);
  return {
    kinds: kinds.filter((_, kind) => isUsed[kind]),
    offers: offers.map((offer) => {
      const pool = reindexed(offer.pool);
      return {
        ...offer,
        pool,
        rewardPool: offer.rewardPool === offer.pool ? pool : reindexed(offer.rewardPool),
      };
    }),
    deals,
  };
};

const sizeOf = ({ kinds, offers }: Problem): number =>
  offers.length * kinds.reduce((sum, { count }) => sum + count, 0);

/** Whether units of one item, size and price are of several kinds, as they may be on a ticket. */
const hasEqualUnits = (kinds: readonly UnitKind[]): boolean =>
  new Set(kinds.map(({ itemId, price, sizeLabel }) => `${itemId} ${price} ${sizeLabel}`)).size < kinds.length;

const offeredOnly = (units: readonly DealUnits[], deals: readonly DealRule[]): readonly DealUnits[] =>
  units.map(({ offered, ...unit }) => ({
    ...unit,
    offered: {
      paid: new Set(deals.filter((deal) => offered?.paid.has(deal) ?? true)),
      rewarded: new Set(deals.filter((deal) => offered?.rewarded.has(deal) ?? true)),
    },
  }));

/** Leaves out deals that cannot save and units that no deal takes. Small problems first: a long one leaves them no work. */
export const problemsOf = <D extends DealRule>(
  units: readonly DealUnits[],
  deals: CompiledDeals<D>,
): readonly CartProblem<D>[] => {
  const all = kindsOf(units, deals);
  const kinds = all.map(({ kind }) => kind);
  const possible = offersOf(all, deals);
  const offers = possible.filter(({ offer }) => canSave(offer, kinds));
  // Units that differ only in deals that cannot save are equal: earlier lines first.
  if (offers.length < possible.length && hasEqualUnits(kinds)) {
    const saving = offers.map(({ deal }) => deal);
    return problemsOf(offeredOnly(units, saving), deals);
  }
  const components = componentsOf(offers);
  return [...new Set(components)]
    .map((component) =>
      componentProblem(
        kinds,
        offers.filter((_, index) => components[index] === component),
      ),
    )
    .sort((a, b) => sizeOf(a) - sizeOf(b));
};
