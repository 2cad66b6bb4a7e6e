/** A first choice of deals, so that a search has something to beat: the best single application, again and again. */
import { Pace } from '../../../kernel/pace.ts';
import { applicationOf, Picks, type Application, type Repeated } from './application.ts';
import type { Simplified, UnitClass, Way } from './ways.ts';

/** The first `amount` units that are left beside others, from the front or from the back; null where there are not so many. */
const firstOf = (
  places: readonly number[],
  isFromBack: boolean,
  left: readonly number[],
  amount: number,
  others: Picks,
): Picks | null => {
  const chosen = new Picks();
  let wanted = amount;
  for (let k = 0; k < places.length && wanted > 0; k++) {
    const c = places[isFromBack ? places.length - 1 - k : k] ?? 0;
    const some = Math.min((left[c] ?? 0) - others.amountOf(c), wanted);
    if (some <= 0) continue;
    chosen.add(c, some);
    wanted -= some;
  }
  return wanted === 0 ? chosen : null;
};

/** The application in this way that saves most; null where none saves anything. */
const bestIn = (
  { of, pool, rewards }: Way,
  index: number,
  classes: readonly UnitClass[],
  left: readonly number[],
): Application | null => {
  const { form, qty, get, price, discountOn } = of;
  const priceOf = (c: number): number => classes[c]?.price ?? 0;
  // Classes go from the dearest down: those are rewarded, or count together, and the cheapest are paid.
  const rewarded = firstOf(rewards, false, left, get, new Picks());
  const paid = rewarded === null ? null : firstOf(pool, form !== 'together', left, qty, rewarded);
  if (paid === null || rewarded === null) return null;
  const saving =
    form === 'together' ? paid.sum(priceOf) - price : rewarded.sum((c) => discountOn(priceOf(c)));
  return saving > 0 ? applicationOf(index, paid, rewarded, saving) : null;
};

/** How often the very same units are there. */
const oftenThere = ({ classes, amounts }: Application, left: readonly number[]): number =>
  classes.reduce((least, c, k) => Math.min(least, Math.floor((left[c] ?? 0) / (amounts[k] ?? 1))), Infinity);

/** Applications, as far as the limit of work allows; with the work. Pauses now and then. */
export function* greedy(
  { offers, ways, classes }: Simplified,
  workLimit: number,
): Generator<void, { readonly chosen: readonly Repeated[]; readonly work: number }> {
  const left = classes.map(({ count }) => count);
  const leftOf = offers.map(({ most }) => most);
  const chosen: Repeated[] = [];
  let work = 0;
  const bestNow = (way: Way, index: number): Application | null => {
    if (work > workLimit) return null;
    work += 50 + way.pool.length + way.rewards.length;
    return bestIn(way, index, classes, left);
  };
  const all: (Application | null)[] = [];
  const pace = new Pace();
  while (all.length < ways.length) {
    const way = ways[all.length];
    all.push(way === undefined ? null : bestNow(way, all.length));
    if (pace.isDueAt(work)) yield;
  }
  for (;;) {
    let application: Application | null = null;
    for (const one of all) if (one !== null && one.saving > (application?.saving ?? 0)) application = one;
    if (application === null) return { chosen, work };
    const { offer } = ways[application.way] ?? { offer: 0 };
    const times = Math.min(oftenThere(application, left), leftOf[offer] ?? 0);
    chosen.push({ application, times });
    const { amounts } = application;
    application.classes.forEach((c, k) => {
      left[c] = (left[c] ?? 0) - times * (amounts[k] ?? 0);
    });
    leftOf[offer] = (leftOf[offer] ?? 0) - times;
    work += 10 * ways.length;
    if (pace.isDueAt(work)) yield;
    // Units only become fewer: what is still there is still a way's best.
    ways.forEach((way, index) => {
      const known = all[index] ?? null;
      if (known === null) return;
      if ((leftOf[way.offer] ?? 0) === 0) all[index] = null;
      else if (oftenThere(known, left) === 0) all[index] = bestNow(way, index);
    });
  }
}
