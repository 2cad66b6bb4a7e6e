/** A first choice of deals, so that a search has something to beat: the best single application, again and again. */
import { applicationOf, Picks, type Application, type Repeated } from './application.ts';
import type { Simplified, UnitClass, Way } from './ways.ts';

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

/** The first `amount` units of these classes that are left beside others; null where there are not so many. */
const firstOf = (
  order: readonly number[],
  left: readonly number[],
  amount: number,
  others: Picks,
): Picks | null => {
  const chosen = new Picks();
  let wanted = amount;
  for (const c of order) {
    if (wanted === 0) break;
    const some = Math.min((left[c] ?? 0) - others.amountOf(c), wanted);
    if (some <= 0) continue;
    chosen.add(c, some);
    wanted -= some;
  }
  return wanted === 0 ? chosen : null;
};

/** The application in this way that saves most; null where none saves anything. */
const bestIn = (
  { way, rewards, pool }: Ordered,
  index: number,
  classes: readonly UnitClass[],
  left: readonly number[],
): Application | null => {
  const { form, qty, get, price, discountOn } = way.of;
  const priceOf = (c: number): number => classes[c]?.price ?? 0;
  const rewarded = firstOf(rewards, left, get, new Picks());
  const paid = rewarded === null ? null : firstOf(pool, left, qty, rewarded);
  if (paid === null || rewarded === null) return null;
  const saving =
    form === 'together' ? paid.sum(priceOf) - price : rewarded.sum((c) => discountOn(priceOf(c)));
  return saving > 0 ? applicationOf(index, paid, rewarded, saving) : null;
};

/** How often the very same units are there. */
const oftenThere = ({ classes, amounts }: Application, left: readonly number[]): number =>
  classes.reduce((least, c, k) => Math.min(least, Math.floor((left[c] ?? 0) / (amounts[k] ?? 1))), Infinity);

export const greedy = ({ offers, ways, classes }: Simplified): readonly Repeated[] => {
  const left = classes.map(({ count }) => count);
  const leftOf = offers.map(({ most }) => most);
  const chosen: Repeated[] = [];
  const orders = ways.map((way) => ordered(way, classes));
  const all = orders.map((own, index) => bestIn(own, index, classes, left));
  for (;;) {
    let application: Application | null = null;
    for (const one of all) if (one !== null && one.saving > (application?.saving ?? 0)) application = one;
    if (application === null) return chosen;
    const { offer } = ways[application.way] ?? { offer: 0 };
    const times = Math.min(oftenThere(application, left), leftOf[offer] ?? 0);
    chosen.push({ application, times });
    const { amounts } = application;
    application.classes.forEach((c, k) => {
      left[c] = (left[c] ?? 0) - times * (amounts[k] ?? 0);
    });
    leftOf[offer] = (leftOf[offer] ?? 0) - times;
    // Units only become fewer: what is still there is still a way's best.
    orders.forEach((order, index) => {
      const known = all[index] ?? null;
      if (known === null) return;
      if ((leftOf[order.way.offer] ?? 0) === 0) all[index] = null;
      else if (oftenThere(known, left) === 0) all[index] = bestIn(order, index, classes, left);
    });
  }
};
