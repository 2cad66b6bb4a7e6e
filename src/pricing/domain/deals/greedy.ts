/** Solutions by taking applications one after another: the first incumbent, and roundings of the relaxation. */
import { applicationOf, Selection, type Application, type RepeatedApplication } from './application.ts';
import type { PresolvedProblem } from './presolve.ts';
import { discountOf, type Offer } from './problem.ts';

/** Units of a pool in its order, or from its end, after `skipped` ones; null when there are fewer. */
const unitsOf = (
  pool: readonly number[],
  isFromEnd: boolean,
  amount: number,
  skipped: number,
  leftOf: (c: number) => number,
): Selection | null => {
  const selection = new Selection();
  let [missing, skip] = [amount, skipped];
  for (let k = 0; k < pool.length && missing > 0; k++) {
    const c = pool[isFromEnd ? pool.length - 1 - k : k] ?? 0;
    const left = leftOf(c);
    const taken = Math.min(left - skip, missing);
    skip = Math.max(0, skip - left);
    if (taken <= 0) continue;
    selection.add(c, taken);
    missing -= taken;
  }
  return missing === 0 ? selection : null;
};

/** Bundles and rewards take the dearest units, payment takes the cheapest; null when that saves no money. */
const largestApplication = (
  { classes, variantOf }: PresolvedProblem,
  offer: Offer,
  index: number,
  left: readonly number[],
): Application | null => {
  const { form, qty, getQty, rewardPool, price, percent } = offer;
  const priceOf = (c: number): number => classes[c]?.price ?? 0;
  const leftOf = (c: number): number => left[c] ?? 0;
  // Of one pool the dearest units are paid, so that rewards are no dearer.
  const rewarded = unitsOf(rewardPool, false, getQty, form === 'one-pool' ? qty : 0, leftOf);
  if (rewarded === null) return null;
  const dearest = priceOf(rewarded.classes[0] ?? 0);
  const pool = form === 'one-pool' ? offer.pool.filter((c) => priceOf(c) >= dearest) : offer.pool;
  const paid = unitsOf(pool, form !== 'bundle', qty, 0, (c) => leftOf(c) - rewarded.amountOf(c));
  if (paid === null) return null;
  const saving =
    form === 'bundle' ? paid.sum(priceOf) - price : rewarded.sum((c) => discountOf(priceOf(c), percent));
  if (saving <= 0) return null;
  const variant = variantOf(index, dearest);
  return applicationOf({ offer: index, variant, saving }, paid, rewarded);
};

/** How often the units that are left allow the application. */
const repeatsOf = ({ classes, amounts }: Application, left: readonly number[]): number =>
  classes.reduce((least, c, k) => Math.min(least, Math.floor((left[c] ?? 0) / (amounts[k] ?? 1))), Infinity);

/** What a solution takes, and what it leaves. */
class Choice {
  readonly chosen: RepeatedApplication[] = [];
  readonly left: number[];
  readonly timesLeft: number[];

  constructor({ offers, classes }: PresolvedProblem) {
    this.left = classes.map(({ count }) => count);
    this.timesLeft = offers.map(({ maxTimes }) => maxTimes);
  }

  /** Adds the application as often as possible. */
  add(application: Application, most: number): void {
    const { offer, classes, amounts } = application;
    const times = Math.min(most, this.timesLeft[offer] ?? 0, repeatsOf(application, this.left));
    if (times <= 0) return;
    this.chosen.push({ application, times });
    this.timesLeft[offer] = (this.timesLeft[offer] ?? 0) - times;
    classes.forEach((c, k) => {
      this.left[c] = (this.left[c] ?? 0) - times * (amounts[k] ?? 0);
    });
  }
}

/** Takes what is wanted, so far as it can be; then repeatedly the application of largest saving. */
export const greedy = (
  problem: PresolvedProblem,
  workLimit: number,
  wanted: readonly RepeatedApplication[] = [],
): { readonly chosen: readonly RepeatedApplication[]; readonly work: number } => {
  const choice = new Choice(problem);
  for (const { application, times } of wanted) choice.add(application, times);
  let work = 10 * wanted.length;
  const candidateOf = (offer: Offer, index: number): Application | null => {
    if (work > workLimit || choice.timesLeft[index] === 0) return null;
    work += 50 + offer.pool.length + offer.rewardPool.length;
    return largestApplication(problem, offer, index, choice.left);
  };
  const candidates = problem.offers.map(candidateOf);
  for (;;) {
    let best: Application | null = null;
    for (const candidate of candidates)
      if (candidate !== null && candidate.saving > (best?.saving ?? 0)) best = candidate;
    if (best === null) return { chosen: choice.chosen, work };
    choice.add(best, Infinity);
    work += 10 * candidates.length;
    // Units only become fewer, so a candidate that is still possible is still the offer's best.
    problem.offers.forEach((offer, index) => {
      const candidate = candidates[index] ?? null;
      if (candidate === null) return;
      if (choice.timesLeft[index] === 0 || repeatsOf(candidate, choice.left) === 0)
        candidates[index] = candidateOf(offer, index);
    });
  }
};
