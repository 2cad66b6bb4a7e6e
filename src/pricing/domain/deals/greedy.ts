/** The first incumbent: repeatedly the application of largest saving. */
import { applicationOf, Selection, type Application, type RepeatedApplication } from './application.ts';
import type { PresolvedProblem, UnitClass, Variant } from './presolve.ts';
import { discountOf } from './problem.ts';

/** The first `amount` units of the pool, from either end, that `other` leaves; null when there are fewer. */
const firstUnits = (
  pool: readonly number[],
  isFromEnd: boolean,
  left: readonly number[],
  amount: number,
  other: Selection,
): Selection | null => {
  const selection = new Selection();
  let missing = amount;
  for (let k = 0; k < pool.length && missing > 0; k++) {
    const c = pool[isFromEnd ? pool.length - 1 - k : k] ?? 0;
    const taken = Math.min((left[c] ?? 0) - other.amountOf(c), missing);
    if (taken <= 0) continue;
    selection.add(c, taken);
    missing -= taken;
  }
  return missing === 0 ? selection : null;
};

/** Bundles and rewards take the dearest units, payment takes the cheapest; null when that saves no money. */
const greedyApplication = (
  { offer, pool, rewardPool }: Variant,
  index: number,
  classes: readonly UnitClass[],
  left: readonly number[],
): Application | null => {
  const { form, qty, getQty, price, percent } = offer;
  const priceOf = (c: number): number => classes[c]?.price ?? 0;
  const rewarded = firstUnits(rewardPool, false, left, getQty, new Selection());
  const paid = rewarded === null ? null : firstUnits(pool, form !== 'bundle', left, qty, rewarded);
  if (paid === null || rewarded === null) return null;
  const saving =
    form === 'bundle' ? paid.sum(priceOf) - price : rewarded.sum((c) => discountOf(priceOf(c), percent));
  return saving > 0 ? applicationOf(index, paid, rewarded, saving) : null;
};

/** How often the units that are left allow the application. */
const repeatsOf = ({ classes, amounts }: Application, left: readonly number[]): number =>
  classes.reduce((least, c, k) => Math.min(least, Math.floor((left[c] ?? 0) / (amounts[k] ?? 1))), Infinity);

const largestSavingIn = (candidates: readonly (Application | null)[]): Application | null => {
  let best: Application | null = null;
  for (const candidate of candidates)
    if (candidate !== null && candidate.saving > (best?.saving ?? 0)) best = candidate;
  return best;
};

/** Beyond the work limit the remaining variants have no candidate. */
export const greedy = (
  { offers, variants, classes }: PresolvedProblem,
  workLimit: number,
): { readonly chosen: readonly RepeatedApplication[]; readonly work: number } => {
  const left = classes.map(({ count }) => count);
  const timesLeft = offers.map(({ maxTimes }) => maxTimes);
  const chosen: RepeatedApplication[] = [];
  let work = 0;
  const candidateOf = (variant: Variant, index: number): Application | null => {
    if (work > workLimit) return null;
    work += 50 + variant.pool.length + variant.rewardPool.length;
    return greedyApplication(variant, index, classes, left);
  };
  const candidates: (Application | null)[] = [];
  for (const [index, variant] of variants.entries()) {
    candidates.push(candidateOf(variant, index));
  }
  for (;;) {
    const application = largestSavingIn(candidates);
    if (application === null) return { chosen, work };
    const { offerIndex } = variants[application.variant] ?? { offerIndex: 0 };
    const times = Math.min(repeatsOf(application, left), timesLeft[offerIndex] ?? 0);
    chosen.push({ application, times });
    application.classes.forEach((c, k) => {
      left[c] = (left[c] ?? 0) - times * (application.amounts[k] ?? 0);
    });
    timesLeft[offerIndex] = (timesLeft[offerIndex] ?? 0) - times;
    work += 10 * variants.length;
    // Units only become fewer, so a candidate that is still possible is still the variant's best.
    variants.forEach((variant, index) => {
      const candidate = candidates[index] ?? null;
      if (candidate === null) return;
      if ((timesLeft[variant.offerIndex] ?? 0) === 0) candidates[index] = null;
      else if (repeatsOf(candidate, left) === 0) candidates[index] = candidateOf(variant, index);
    });
  }
};
