/** A cart and its deals as a problem in whole numbers: kinds of units, and what each deal wants of them. */
import { grouped } from '../../../kernel/grouped.ts';
import { compareIds, type Uuid } from '../../../kernel/ids.ts';
import type { Deal, DealPoolEntry } from '../../../menu/domain/menubook.ts';
import type { Piastres } from '../../../kernel/money.ts';
import type { DealUnits } from './types.ts';

/** All units of one item in one size: alike to every deal, whatever lines they stand on. */
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
 * `together`: any `qty` units of the pool for one price. `apart`: the rewarded come from a pool of their own. `within`:
 * they come from the pool of the paid, and none is dearer than any paid one of the same application.
 */
export type Form = 'together' | 'apart' | 'within';

/** A deal that may save something on this cart. Kinds are named by their places in the list of kinds. */
export interface Offer {
  readonly deal: Deal;
  readonly form: Form;
  /** Units of the pool in one application; those paid for, where some are rewarded. */
  readonly qty: number;
  /** Units rewarded in one application; 0 for `together`. */
  readonly get: number;
  /** Most applications that max_per_order and the units at hand allow. */
  readonly most: number;
  readonly pool: readonly number[];
  /** Kinds that can be rewarded. */
  readonly rewards: readonly number[];
  /** What the units of one application cost together; 0 where some are rewarded. */
  readonly price: Piastres;
  /** What is taken off a rewarded unit of this price: percent, halves away from zero. */
  readonly discountOn: (price: Piastres) => Piastres;
}

/** Kinds and offers that have to do with each other, and with no others. */
export interface Problem {
  /** By item id, then as the item lists its sizes. */
  readonly kinds: readonly UnitKind[];
  /** By the deals' sort, then id. */
  readonly offers: readonly Offer[];
}

const byItemAndSize = (a: UnitKind, b: UnitKind): number =>
  compareIds(a.itemId, b.itemId) || a.sizeOrder - b.sizeOrder || a.price - b.price;

export const bySortAndId = (a: Deal, b: Deal): number => a.sort - b.sort || compareIds(a.id, b.id);

const kindsOf = (units: readonly DealUnits[]): readonly UnitKind[] => {
  const alike = grouped(
    units.filter(({ quantity }) => quantity > 0),
    ({ itemId, sizeLabel, price }) => JSON.stringify([itemId, sizeLabel, price]),
  );
  return [...alike.values()]
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

/** Whether a unit counts towards a pool (Shapes, DealPoolEntry). */
export const countsTowards = (
  kind: Pick<UnitKind, 'itemId' | 'categoryId' | 'sizeLabel'>,
  entries: readonly DealPoolEntry[],
): boolean =>
  entries.some(
    ({ categoryId, menuItemId, sizeLabel }) =>
      (categoryId === null ? menuItemId === kind.itemId : categoryId === kind.categoryId) &&
      (sizeLabel === null || sizeLabel === kind.sizeLabel),
  );

const unitsIn = (kinds: readonly UnitKind[], places: readonly number[]): number =>
  places.reduce((sum, place) => sum + (kinds[place]?.count ?? 0), 0);

/** The dearest `amount` units together. */
const dearest = (kinds: readonly UnitKind[], places: readonly number[], amount: number): Piastres => {
  let left = amount;
  let sum = 0;
  for (const { price, count } of places
    .flatMap((place) => kinds[place] ?? [])
    .sort((a, b) => b.price - a.price)) {
    const taken = Math.min(left, count);
    sum += taken * price;
    left -= taken;
  }
  return sum;
};

/** What is taken off a rewarded unit, halves away from zero. */
export const discountOf = (price: Piastres, percent: number): Piastres =>
  Math.floor((2 * price * percent + 100) / 200);

const offerOf = (deal: Deal, kinds: readonly UnitKind[]): Offer => {
  const places = (entries: readonly DealPoolEntry[]): readonly number[] =>
    kinds.flatMap((kind, place) => (countsTowards(kind, entries) ? [place] : []));
  const { terms, qty, maxPerOrder } = deal;
  const pool = places(deal.pool);
  const asOften = (units: number, each: number): number =>
    Math.min(maxPerOrder ?? Infinity, Math.floor(units / each));
  if (terms.kind === 'n_for_price') {
    const most = asOften(unitsIn(kinds, pool), qty);
    const discountOn = () => 0;
    return { deal, form: 'together', qty, get: 0, most, pool, rewards: [], price: terms.price, discountOn };
  }
  const { getQty: get, getPercent } = terms;
  const form = deal.rewardPool.length === 0 ? 'within' : 'apart';
  const rewards = form === 'within' ? pool : places(deal.rewardPool);
  const most =
    form === 'within'
      ? asOften(unitsIn(kinds, pool), qty + get)
      : Math.min(asOften(unitsIn(kinds, pool), qty), asOften(unitsIn(kinds, rewards), get));
  const discountOn = (price: Piastres): Piastres => discountOf(price, getPercent);
  return { deal, form, qty, get, most, pool, rewards, price: 0, discountOn };
};

const canSave = (
  { form, qty, most, pool, rewards, price, discountOn }: Offer,
  kinds: readonly UnitKind[],
): boolean =>
  most > 0 &&
  (form === 'together'
    ? dearest(kinds, pool, qty) > price
    : rewards.some((place) => discountOn(kinds[place]?.price ?? 0) > 0));

/** Sets of offers that share kinds, each with the kinds they speak of. */
const apart = (kinds: readonly UnitKind[], offers: readonly Offer[]): readonly Problem[] => {
  const rootOf = offers.map((_, index) => index);
  const find = (index: number): number => {
    const root = rootOf[index] ?? index;
    return root === index ? index : find(root);
  };
  const speaksOf = offers.map(({ pool, rewards }) => new Set([...pool, ...rewards]));
  speaksOf.forEach((places, index) =>
    speaksOf.slice(0, index).forEach((others, before) => {
      if ([...places].some((place) => others.has(place))) rootOf[find(index)] = find(before);
    }),
  );
  const together = grouped(
    offers.map((offer, index) => ({ offer, root: find(index) })),
    ({ root }) => root,
  );
  return [...together.values()].map((members) => {
    const places = [...new Set(members.flatMap(({ offer }) => [...offer.pool, ...offer.rewards]))].sort(
      (a, b) => a - b,
    );
    const placeOf = new Map(places.map((place, index) => [place, index]));
    const renamed = (list: readonly number[]) => list.map((place) => placeOf.get(place) ?? 0);
    return {
      kinds: places.flatMap((place) => kinds[place] ?? []),
      offers: members.map(({ offer }) => ({
        ...offer,
        pool: renamed(offer.pool),
        rewards: renamed(offer.rewards),
      })),
    };
  });
};

/** The problems that a cart falls into: a deal that cannot save and a unit that no deal wants are in none. */
export const problemsOf = (units: readonly DealUnits[], deals: readonly Deal[]): readonly Problem[] => {
  const kinds = kindsOf(units);
  const offers = [...deals]
    .sort(bySortAndId)
    .map((deal) => offerOf(deal, kinds))
    .filter((offer) => canSave(offer, kinds));
  return apart(kinds, offers);
};
