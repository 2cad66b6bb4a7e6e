/**
 * The best deals of a cart: the largest saving over every way to form applications (Decisions 7.4).
 *
 * The cart falls into problems that have nothing to do with each other; in each, units that are alike to every deal are
 * one class, and branch and bound settles how often each deal applies. The search is bounded by work counted, never by a
 * clock, and sees the multiset of units alone.
 */
import type { Deal } from '../menubook.ts';
import { assignInOrder } from './assign.ts';
import { greedy } from './greedy.ts';
import { bySortAndId, problemsOf, type Problem } from './problem.ts';
import { rolesOf, Search, takenBy, type Found } from './search.ts';
import { spread, type TakenUnits } from './spread.ts';
import type { AppliedDeal, BestDeals, DealUnits } from './types.ts';
import { simplified, waysOf, type Simplified } from './ways.ts';

/** Elementary operations that the deals of one cart may cost; some 30 ms. */
export const WORK_LIMIT = 5_000_000;

/** Which units each deal takes of equally good ones: those of lower item id and earlier size. */
const firstTaken = (
  { kinds, offers }: Problem,
  { times }: Found,
): { taken: readonly TakenUnits[]; work: number } => {
  const roles = rolesOf(
    waysOf(offers, kinds),
    kinds.map(({ price }) => price),
    times,
  );
  const assigned = assignInOrder(
    roles,
    kinds.map(({ count }) => count),
  );
  if (assigned === null) throw new RangeError('A choice of deals that was found is none.');
  return { taken: takenBy(offers.length, roles, assigned.units, kinds.length), work: assigned.work };
};

/** The units of classes as those of their kinds, the first of each class first. */
const ofKinds = ({ kinds }: Problem, { classes }: Simplified, { taken }: Found): readonly TakenUnits[] => {
  const left = kinds.map(({ count }) => count);
  const handOut = (amounts: readonly number[]): readonly number[] => {
    const given = kinds.map(() => 0);
    amounts.forEach((amount, c) => {
      let wanted = amount;
      for (const kind of classes[c]?.kinds ?? []) {
        const some = Math.min(wanted, left[kind] ?? 0);
        given[kind] = some;
        left[kind] = (left[kind] ?? 0) - some;
        wanted -= some;
      }
    });
    return given;
  };
  return taken.map(({ paid, rewarded }) => ({ rewarded: handOut(rewarded), paid: handOut(paid) }));
};

/** As `bestDeals`, pausing now and then so that others can be served meanwhile. */
export function* searchBestDeals(
  units: readonly DealUnits[],
  deals: readonly Deal[],
  workLimit = WORK_LIMIT,
): Generator<void, BestDeals> {
  const applied: AppliedDeal[] = [];
  let [saving, bound, work] = [0, 0, 0];
  for (const problem of problemsOf(units, deals)) {
    const simple = simplified(problem);
    const searched = yield* new Search(simple, greedy(simple), workLimit - work).run();
    const { taken, work: last } = searched.isSettled
      ? firstTaken(problem, searched.best)
      : { taken: ofKinds(problem, simple, searched.best), work: 0 };
    const own = spread(problem, taken);
    applied.push(...own);
    const saved = own.reduce((sum, { discount }) => sum + discount, 0);
    saving += saved;
    bound += Math.max(searched.bound, saved);
    work += searched.work + last;
  }
  applied.sort((a, b) => bySortAndId(a.deal, b.deal));
  return { applied, saving, optimal: bound === saving, bound, work };
}

/**
 * The best deals of these units. Decisions 7.4 gives the rules and the order among equals; `workLimit` bounds the search,
 * and where it is reached `optimal` is false and `bound` says how much better it could be.
 */
export const bestDeals = (
  units: readonly DealUnits[],
  deals: readonly Deal[],
  workLimit = WORK_LIMIT,
): BestDeals => {
  const search = searchBestDeals(units, deals, workLimit);
  for (;;) {
    const step = search.next();
    if (step.done === true) return step.value;
  }
};
