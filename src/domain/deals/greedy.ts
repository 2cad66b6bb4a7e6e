/** A first choice of deals, so that a search has something to beat: the best single application, again and again. */
import type { Found } from './found.ts';
import type { Simplified, UnitClass, Way } from './ways.ts';

interface Taken {
  readonly saving: number;
  /** Units by class, those of both parts together, and those of each. */
  readonly units: ReadonlyMap<number, number>;
  readonly paid: readonly number[];
  readonly rewarded: readonly number[];
}

/** A way with its classes in the order in which they are taken. */
interface Ordered {
  readonly way: Way;
  /** The dearest first. */
  readonly rewards: readonly number[];
  /** The dearest first where units count together, the cheapest where they are paid. */
  readonly pool: readonly number[];
}

const ordered = (way: Way, classes: readonly UnitClass[]): Ordered => {
  const dearestFirst = (places: readonly number[]): number[] =>
    [...places].sort((a, b) => (classes[b]?.price ?? 0) - (classes[a]?.price ?? 0) || a - b);
  const pool = dearestFirst(way.pool);
  if (way.of.form === 'together') return { way, rewards: [], pool };
  return { way, rewards: dearestFirst(way.rewards), pool: pool.reverse() };
};

/** The first `amount` units of these classes that are left; null where there are not so many. */
const firstOf = (
  order: readonly number[],
  left: readonly number[],
  amount: number,
  taken: Map<number, number>,
): readonly number[] | null => {
  const chosen: number[] = [];
  for (const c of order) {
    if (chosen.length === amount) break;
    const free = (left[c] ?? 0) - (taken.get(c) ?? 0);
    const some = Math.min(free, amount - chosen.length);
    if (some <= 0) continue;
    taken.set(c, (taken.get(c) ?? 0) + some);
    for (let unit = 0; unit < some; unit++) chosen.push(c);
  }
  return chosen.length === amount ? chosen : null;
};

/** The application in this way that saves most; null where none saves anything. */
const bestIn = (
  { way, rewards, pool }: Ordered,
  classes: readonly UnitClass[],
  left: readonly number[],
): Taken | null => {
  const { form, qty, get, price, discountOn } = way.of;
  const priceOf = (c: number): number => classes[c]?.price ?? 0;
  const units = new Map<number, number>();
  const rewarded = firstOf(rewards, left, get, units);
  const paid = firstOf(pool, left, qty, units);
  if (paid === null || rewarded === null) return null;
  const saving =
    form === 'together'
      ? paid.reduce((sum, c) => sum + priceOf(c), 0) - price
      : rewarded.reduce((sum, c) => sum + discountOn(priceOf(c)), 0);
  return saving > 0 ? { saving, units, paid, rewarded } : null;
};

const isThere = ({ units }: Taken, left: readonly number[]): boolean => {
  for (const [c, amount] of units) if ((left[c] ?? 0) < amount) return false;
  return true;
};

export const greedy = ({ offers, ways, classes }: Simplified): Found => {
  const left = classes.map(({ count }) => count);
  const leftOf = offers.map(({ most }) => most);
  const times = ways.map(() => 0);
  const taken = offers.map(() => ({ paid: classes.map(() => 0), rewarded: classes.map(() => 0) }));
  const orders = ways.map((way) => ordered(way, classes));
  const all = orders.map((own) => bestIn(own, classes, left));
  for (;;) {
    const savings = all.map((one) => one?.saving ?? 0);
    const chosen = savings.indexOf(savings.reduce((most, saving) => Math.max(most, saving), 0));
    const [way, one] = [ways[chosen], all[chosen] ?? null];
    if (way === undefined || one === null) break;
    // As often as the very same units are there.
    const often = [...one.units].reduce(
      (least, [c, amount]) => Math.min(least, Math.floor((left[c] ?? 0) / amount)),
      leftOf[way.offer] ?? 0,
    );
    for (const [c, amount] of one.units) left[c] = (left[c] ?? 0) - amount * often;
    const own = taken[way.offer];
    for (const c of one.paid) if (own !== undefined) own.paid[c] = (own.paid[c] ?? 0) + often;
    for (const c of one.rewarded) if (own !== undefined) own.rewarded[c] = (own.rewarded[c] ?? 0) + often;
    times[chosen] = (times[chosen] ?? 0) + often;
    leftOf[way.offer] = (leftOf[way.offer] ?? 0) - often;
    // Units only become fewer: what is still there is still a way's best.
    orders.forEach((order, w) => {
      const known = all[w] ?? null;
      if (known === null) return;
      if ((leftOf[order.way.offer] ?? 0) === 0) all[w] = null;
      else if (!isThere(known, left)) all[w] = bestIn(order, classes, left);
    });
  }
  const paidFor = ways.reduce((sum, { of }, w) => sum + of.price * (times[w] ?? 0), 0);
  const gain = offers.reduce((sum, { form, discountOn }, o) => {
    const { paid, rewarded } = taken[o] ?? { paid: [], rewarded: [] };
    const units = form === 'together' ? paid : rewarded;
    const each = (c: number): number =>
      form === 'together' ? (classes[c]?.price ?? 0) : discountOn(classes[c]?.price ?? 0);
    return units.reduce((own, amount, c) => own + amount * each(c), sum);
  }, 0);
  const applications = times.reduce((sum, amount) => sum + amount, 0);
  return { times, saving: gain - paidFor, applications, taken: () => taken };
};
