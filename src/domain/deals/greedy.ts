/** A first choice of deals, so that a search has something to beat: the best single application, again and again. */
import type { Found } from './search.ts';
import type { Simplified, UnitClass, Way } from './ways.ts';

interface Taken {
  readonly saving: number;
  /** Units by class. */
  readonly units: ReadonlyMap<number, number>;
}

/** The first `amount` units of these classes that are left; null where there are not so many. */
const firstOf = (
  order: readonly number[],
  left: readonly number[],
  amount: number,
  taken: Map<number, number>,
): readonly number[] | null => {
  const chosen: number[] = [];
  for (const c of order) {
    const free = (left[c] ?? 0) - (taken.get(c) ?? 0);
    const some = Math.min(free, amount - chosen.length);
    if (some <= 0) continue;
    taken.set(c, (taken.get(c) ?? 0) + some);
    for (let unit = 0; unit < some; unit++) chosen.push(c);
  }
  return chosen.length === amount ? chosen : null;
};

/** The application in this way that saves most: the dearest units counted or rewarded, the cheapest paid. */
const bestIn = (
  { of, pool, rewards }: Way,
  classes: readonly UnitClass[],
  left: readonly number[],
): Taken | null => {
  const { form, qty, get, price, discountOn } = of;
  const priceOf = (c: number): number => classes[c]?.price ?? 0;
  const dearestFirst = (places: readonly number[]): number[] =>
    [...places].sort((a, b) => priceOf(b) - priceOf(a) || a - b);
  const units = new Map<number, number>();
  const rewarded = firstOf(dearestFirst(rewards), left, form === 'together' ? 0 : get, units);
  const order = dearestFirst(pool);
  const paid = firstOf(form === 'together' ? order : order.reverse(), left, qty, units);
  if (paid === null || rewarded === null) return null;
  const saving =
    form === 'together'
      ? paid.reduce((sum, c) => sum + priceOf(c), 0) - price
      : rewarded.reduce((sum, c) => sum + discountOn(priceOf(c)), 0);
  return saving > 0 ? { saving, units } : null;
};

export const greedy = ({ offers, ways, classes }: Simplified): Found => {
  const left = classes.map(({ count }) => count);
  const times = ways.map(() => 0);
  const leftOf = offers.map(({ most }) => most);
  let saving = 0;
  for (;;) {
    const all = ways.map((way) => ((leftOf[way.offer] ?? 0) > 0 ? bestIn(way, classes, left) : null));
    const savings = all.map((taken) => taken?.saving ?? 0);
    const chosen = savings.indexOf(Math.max(...savings));
    const [way, taken] = [ways[chosen], all[chosen] ?? null];
    if (way === undefined || taken === null) break;
    // As often as the very same units are there.
    const often = [...taken.units].reduce(
      (least, [c, amount]) => Math.min(least, Math.floor((left[c] ?? 0) / amount)),
      leftOf[way.offer] ?? 0,
    );
    for (const [c, amount] of taken.units) left[c] = (left[c] ?? 0) - amount * often;
    times[chosen] = (times[chosen] ?? 0) + often;
    leftOf[way.offer] = (leftOf[way.offer] ?? 0) - often;
    saving += taken.saving * often;
  }
  return { times, saving, applications: times.reduce((sum, amount) => sum + amount, 0) };
};
