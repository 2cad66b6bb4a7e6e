import type { Offer, Problem } from './problem.ts';

/** Kinds of one price that belong to the same pools. */
export interface UnitClass {
  readonly price: number;
  readonly count: number;
  /** Indices of its kinds. */
  readonly kinds: readonly number[];
}

/**
 * A one-pool offer has a variant for each price of its dearest rewarded unit; other offers have one variant. Within a
 * variant every choice from its units keeps the price order.
 */
export interface Variant {
  readonly offerIndex: number;
  readonly offer: Offer;
  /** Null: any. */
  readonly price: number | null;
}

export interface PresolvedProblem {
  /** The dearest first; so are all lists of class indices. */
  readonly classes: readonly UnitClass[];
  readonly offers: readonly Offer[];
  readonly variants: readonly Variant[];
  /** By offer, its variant with this price of the dearest rewarded unit. */
  readonly variantOf: (offer: number, price: number) => number;
}

export const variantsOf = (
  offers: readonly Offer[],
  classes: readonly Pick<UnitClass, 'price'>[],
): readonly Variant[] =>
  offers.flatMap((offer, offerIndex): Variant[] => {
    if (offer.form !== 'one-pool') return [{ offerIndex, offer, price: null }];
    const prices = new Set(offer.pool.map((c) => classes[c]?.price ?? 0));
    return [...prices].sort((a, b) => b - a).map((price) => ({ offerIndex, offer, price }));
  });

/** By kind, its price and the offers in which it counts, as text. */
const keysOf = ({ kinds, offers }: Problem): readonly string[] => {
  const keys = kinds.map(({ price }) => String(price));
  offers.forEach(({ pool, rewardPool }, offer) => {
    for (const kind of pool) keys[kind] = `${keys[kind] ?? ''} ${offer}`;
    if (pool !== rewardPool) for (const kind of rewardPool) keys[kind] = `${keys[kind] ?? ''} r${offer}`;
  });
  return keys;
};

/** Merges kinds that are interchangeable for every offer, and lists the variants. */
export const presolve = (problem: Problem): PresolvedProblem => {
  const { kinds, offers } = problem;
  const keys = keysOf(problem);
  const byKey = new Map<string, { price: number; count: number; kinds: number[] }>();
  kinds.forEach(({ price, count }, kind) => {
    const key = keys[kind] ?? '';
    const known = byKey.get(key) ?? { price, count: 0, kinds: [] };
    byKey.set(key, known);
    known.count += count;
    known.kinds.push(kind);
  });
  const classes = [...byKey.values()].sort((a, b) => b.price - a.price);
  const classOf = kinds.map(() => 0);
  classes.forEach((own, c) => {
    for (const kind of own.kinds) classOf[kind] = c;
  });
  const classesOf = (pool: readonly number[]): readonly number[] =>
    [...new Set(pool.map((kind) => classOf[kind] ?? 0))].sort((a, b) => a - b);
  const reduced = offers.map((offer) => {
    const pool = classesOf(offer.pool);
    return {
      ...offer,
      pool,
      rewardPool: offer.rewardPool === offer.pool ? pool : classesOf(offer.rewardPool),
    };
  });
  const variants = variantsOf(reduced, classes);
  const first: number[] = [];
  const byPrice = offers.map(() => new Map<number | null, number>());
  variants.forEach(({ offerIndex, price }, variant) => {
    first[offerIndex] ??= variant;
    byPrice[offerIndex]?.set(price, variant);
  });
  const variantOf = (offer: number, price: number): number => byPrice[offer]?.get(price) ?? first[offer] ?? 0;
  return { offers: reduced, classes, variants, variantOf };
};
