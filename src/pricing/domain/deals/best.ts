/**
 * The best deals of a cart: the largest saving over every way to form applications (Decisions 7.4).
 *
 * The cart falls into problems that have nothing to do with each other; in each, units that are alike to every deal are
 * one class, and branch and bound settles how often each deal applies. The search is bounded by work counted, never by a
 * clock, and sees the multiset of units alone.
 */
import type { Deal } from '../../../menu/domain/menubook.ts';
import { assignInOrder } from './assign.ts';
import { bySortAndId, problemsOf, type Problem } from './problem.ts';
import { rolesOf, takenBy, type Found } from './found.ts';
import { search } from './search.ts';
import { spread, type TakenUnits } from './spread.ts';
import type { AppliedDeal, BestDeals, DealUnits } from './types.ts';
import { simplified, waysOf, type Simplified } from './ways.ts';

/** Elementary operations that the deals of one cart may cost; some 30 ms. */
export const WORK_LIMIT = 4_000_000;

/** Whether the first deal that differs takes more of the first kind that does. */
const comesFirst = (a: readonly TakenUnits[], b: readonly TakenUnits[]): boolean => {
  for (const [offer, { paid, rewarded }] of a.entries())
    for (let kind = 0; kind < paid.length; kind++) {
      const other = b[offer];
      const more =
        (paid[kind] ?? 0) + (rewarded[kind] ?? 0) - (other?.paid[kind] ?? 0) - (other?.rewarded[kind] ?? 0);
      if (more !== 0) return more > 0;
    }
  return false;
};

/** Which units each deal takes of equally good ones: those of lower item id and earlier size, if there is work left for it. */
function* firstTaken(
  { kinds, offers }: Problem,
  splits: readonly (readonly number[])[],
  workLimit: number,
): Generator<void, { readonly taken: readonly TakenUnits[] | null; readonly work: number }> {
  const ways = waysOf(offers, kinds);
  const prices = kinds.map(({ price }) => price);
  const supply = kinds.map(({ count }) => count);
  let first: readonly TakenUnits[] | null = null;
  let work = 0;
  for (const times of splits) {
    const roles = rolesOf(ways, prices, times);
    const assigned = yield* assignInOrder(roles, supply, workLimit - work);
    work += assigned.work;
    if (assigned.units === null) break;
    const taken = takenBy(offers.length, roles, assigned.units, kinds.length);
    if (first === null || comesFirst(taken, first)) first = taken;
  }
  return { taken: first, work };
}

/** The units of classes as those of their kinds, the first of each class first. */
const ofKinds = ({ kinds }: Problem, { classes }: Simplified, found: Found): readonly TakenUnits[] => {
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
  return found.taken().map(({ paid, rewarded }) => ({ rewarded: handOut(rewarded), paid: handOut(paid) }));
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
    const searched = yield* search(simple, workLimit - work);
    const { best, splits } = searched;
    const left = workLimit - work - searched.work;
    const first = splits === null ? { taken: null, work: 0 } : yield* firstTaken(problem, splits, left);
    const own = spread(problem, first.taken ?? ofKinds(problem, simple, best));
    applied.push(...own);
    const saved = own.reduce((sum, { discount }) => sum + discount, 0);
    saving += saved;
    bound += Math.max(searched.bound, saved);
    work += Math.ceil(searched.work + first.work);
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
