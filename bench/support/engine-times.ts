/**
 * Constants that change no result: what an operation counts as, and what only saves time. Times are of CPU, the lowest of
 * several, and the engines that are compared run each cart in turn.
 */
import { searchCart, type Found } from './compare-engines.ts';
import type { Cart } from './ablation-carts.ts';
import type { Engine } from './engine-edits.ts';
import { timed } from './engine.ts';

const ROUNDS = 3;
/** Below, what is not counted takes most of the time; beyond, one cart takes the time of a hundred. */
const COUNTED_WORK = { least: 20_000, most: 1_500_000 };

/** By engine and cart. */
export const lowestTimes = (
  engines: readonly Engine[],
  carts: readonly Cart[],
): readonly (readonly number[])[] => {
  const lowest = engines.map(() => carts.map(() => Infinity));
  for (let round = 0; round < ROUNDS; round++)
    carts.forEach(({ units, deals }, at) => {
      engines.forEach((engine, index) => {
        const own = lowest[index];
        if (own !== undefined)
          own[at] = Math.min(own[at] ?? Infinity, timed(() => engine.bestDeals(units, deals)).ms);
      });
    });
  return lowest;
};

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** CPU time of the second engine, as a multiple of that of the first. */
export const timeRatio = (asIs: Engine, other: Engine, carts: readonly Cart[]): number => {
  const [own = [], others = []] = lowestTimes([asIs, other], carts);
  return sumOf(others) / sumOf(own);
};

/** A cart with the time of its search. */
export interface TimedCart {
  readonly cart: Cart;
  readonly found: Found;
  readonly ms: number;
}

/** The carts whose search is neither short nor near the limit. */
export const timedCarts = (engine: Engine, carts: readonly Cart[]): readonly TimedCart[] => {
  const searched = carts.flatMap((cart) => searchCart(engine, cart).map((found) => ({ cart, found })));
  const chosen = searched.filter(
    ({ found: { isProven, work } }) => isProven && work >= COUNTED_WORK.least && work <= COUNTED_WORK.most,
  );
  const [times = []] = lowestTimes(
    [engine],
    chosen.map(({ cart }) => cart),
  );
  return chosen.map((each, at) => ({ ...each, ms: times[at] ?? 0 }));
};

/** The standard deviation of the logarithm of the time per operation, over the carts. */
const spreadOf = (ratios: readonly number[]): number => {
  const logarithms = ratios.map((ratio) => Math.log(ratio));
  const mean = sumOf(logarithms) / logarithms.length;
  return Math.sqrt(sumOf(logarithms.map((each) => (each - mean) ** 2)) / logarithms.length);
};

/** How much less alike the time per operation is over the carts when the other engine counts: the ratio of two spreads. */
export const spreadRatio = (timed: readonly TimedCart[], other: Engine): number => {
  const counted = timed.flatMap(({ cart, found, ms }) =>
    searchCart(other, cart)
      // With another deal the search took another way.
      .filter(({ isProven, deals }) => isProven && deals === found.deals)
      .map(({ work }) => ({ asIs: ms / found.work, other: ms / work })),
  );
  return spreadOf(counted.map((each) => each.other)) / spreadOf(counted.map(({ asIs }) => asIs));
};
