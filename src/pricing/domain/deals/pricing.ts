/** The application of one way that is worth most more than its units and itself cost. */
import { applicationOf, Picks, type Market, type Priced } from './application.ts';
import type { Way } from './ways.ts';

/** The class of most worth among those that have a unit left beside these parts; −1 where none has. */
const bestLeft = (
  { classes }: Market,
  places: readonly number[],
  worths: Float64Array,
  own: Picks,
  other: Picks | null,
): number => {
  let best = -1;
  let most = -Infinity;
  for (const c of places) {
    const worth = worths[c] ?? 0;
    if (worth <= most) continue;
    if (own.amountOf(c) + (other?.amountOf(c) ?? 0) >= (classes[c]?.count ?? 0)) continue;
    best = c;
    most = worth;
  }
  return best;
};

/** The `size` units of most worth; null where there are not so many. */
const bestPart = (
  market: Market,
  places: readonly number[],
  size: number,
  worths: Float64Array,
): Picks | null => {
  const part = new Picks();
  for (let left = size; left > 0;) {
    const c = bestLeft(market, places, worths, part, null);
    if (c < 0) return null;
    const some = Math.min(left, market.classes[c]?.count ?? 0);
    part.add(c, some);
    left -= some;
  }
  return part;
};

interface Part {
  readonly picks: Picks;
  readonly places: readonly number[];
  readonly worths: Float64Array;
}

/**
 * Sees to it that no class gives more units to both parts together than it has, giving way where that costs least. It
 * may come to less than the best there is: what it misses, `near` finds. Gives how often that was, or null when it
 * cannot be done.
 */
const untangle = (market: Market, paid: Part, rewarded: Part): number | null => {
  const countOf = (c: number): number => market.classes[c]?.count ?? 0;
  const inBoth = (c: number): number => paid.picks.amountOf(c) + rewarded.picks.amountOf(c);
  for (let moves = 0; ; moves++) {
    const tangled = paid.picks.classes.find((c) => inBoth(c) > countOf(c));
    if (tangled === undefined) return moves;
    const options = [
      { from: paid, next: bestLeft(market, paid.places, paid.worths, paid.picks, rewarded.picks) },
      {
        from: rewarded,
        next: bestLeft(market, rewarded.places, rewarded.worths, rewarded.picks, paid.picks),
      },
    ].filter(({ next }) => next >= 0);
    const [first, second] = options;
    if (first === undefined) return null;
    const lossOf = ({ from, next }: typeof first): number =>
      (from.worths[tangled] ?? 0) - (from.worths[next] ?? 0);
    const { from, next } = second !== undefined && lossOf(second) < lossOf(first) ? second : first;
    const amount = Math.min(
      inBoth(tangled) - countOf(tangled),
      countOf(next) - inBoth(next),
      from.picks.amountOf(tangled),
    );
    from.picks.remove(tangled, amount);
    from.picks.add(next, amount);
  }
};

const highest = (places: readonly number[], worths: Float64Array): number => {
  let most = -Infinity;
  for (const c of places) most = Math.max(most, worths[c] ?? 0);
  return most;
};

/** What was found of one way, and what no application of it gains more than. */
interface Looked {
  readonly priced: Priced | null;
  readonly most: number;
  /** Elementary operations. */
  readonly work: number;
}

/** What gains most in this way, as far as is seen at once; null where that is not more than `beyond`. */
export const bestApplication = (market: Market, way: Way, index: number, beyond: number): Looked => {
  const { of, offer, pool, rewards } = way;
  const asked = market.offers[offer];
  let work = pool.length + rewards.length;
  if (asked === undefined) return { priced: null, most: 0, work };
  const { gained, fee } = asked;
  const worths = of.form === 'together' ? gained : market.paid;
  const rough = of.qty * highest(pool, worths) + (of.get === 0 ? 0 : of.get * highest(rewards, gained)) - fee;
  if (rough <= beyond) return { priced: null, most: beyond, work };
  const takenOff = (c: number): number => asked.takenOff[c] ?? 0;
  const rewarded = bestPart(market, rewards, of.get, gained);
  const paid = rewarded === null ? null : bestPart(market, pool, of.qty, worths);
  if (paid === null || rewarded === null) return { priced: null, most: 0, work: 2 * work };
  const picks = paid.classes.length + rewarded.classes.length;
  work *= 2 + picks;
  const gainNow = (): number => rewarded.sum((c) => gained[c] ?? 0) + paid.sum((c) => worths[c] ?? 0) - fee;
  const most = gainNow();
  if (most <= beyond) return { priced: null, most, work };
  const moves =
    of.form === 'together'
      ? 0
      : untangle(
          market,
          { picks: paid, places: pool, worths },
          { picks: rewarded, places: rewards, worths: gained },
        );
  const gain = gainNow();
  work += (moves ?? 0) * (pool.length + rewards.length) * (2 + picks);
  if (moves === null || gain <= beyond) return { priced: null, most, work };
  const saving = of.form === 'together' ? paid.sum(takenOff) - of.price : rewarded.sum(takenOff);
  return { priced: { application: applicationOf(index, paid, rewarded, saving), gain }, most, work };
};
