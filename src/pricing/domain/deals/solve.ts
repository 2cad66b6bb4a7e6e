/**
 * The best deals of one problem: the largest saving over every way to form applications (Decisions 7.4). The search is
 * limited by counted work, never by a clock. Input and results are plain data.
 */
import { allocateDiscounts, type OfferDiscounts, type TakenUnits } from './allocation.ts';
import { branchAndBound } from './branch-and-bound.ts';
import { DynamicProgram, fitsDynamicProgram, roughWork } from './dynamic-program.ts';
import { greedy } from './greedy.ts';
import type { Piastres } from '../../../kernel/money.ts';
import { presolve, variantsOf, type PresolvedProblem } from './presolve.ts';
import type { Problem } from './problem.ts';
import { assignUnits } from './solution.ts';

/** Whether `a` takes more at the first difference. */
const precedes = (a: readonly TakenUnits[], b: readonly TakenUnits[]): boolean => {
  for (const [offer, { paid, rewarded }] of a.entries())
    for (let kind = 0; kind < paid.length; kind++) {
      const other = b[offer];
      const more =
        (paid[kind] ?? 0) + (rewarded[kind] ?? 0) - (other?.paid[kind] ?? 0) - (other?.rewarded[kind] ?? 0);
      if (more !== 0) return more > 0;
    }
  return false;
};

/** Of tied solutions, the units of lower item id and earlier size; null at the work limit. */
const firstUnits = (
  { kinds, offers }: Problem,
  ties: readonly (readonly number[])[],
  workLimit: number,
): { readonly taken: readonly TakenUnits[] | null; readonly work: number } => {
  const variants = variantsOf(offers, kinds);
  let first: readonly TakenUnits[] | null = null;
  let work = 0;
  for (const times of ties) {
    const assigned = assignUnits(variants, offers.length, kinds, times, true, workLimit - work);
    work += assigned.work;
    if (assigned.taken === null) break;
    if (first === null || precedes(assigned.taken, first)) first = assigned.taken;
  }
  return { taken: first, work };
};

/** Takes the first kinds of each class. */
const unitsOfKinds = (
  { kinds }: Problem,
  { classes }: PresolvedProblem,
  ofClasses: readonly TakenUnits[],
): readonly TakenUnits[] => {
  const left = kinds.map(({ count }) => count);
  const ofKinds = (amounts: readonly number[]): readonly number[] => {
    const taken = kinds.map(() => 0);
    amounts.forEach((amount, c) => {
      if (amount === 0) return;
      let missing = amount;
      for (const kind of classes[c]?.kinds ?? []) {
        const some = Math.min(missing, left[kind] ?? 0);
        taken[kind] = some;
        left[kind] = (left[kind] ?? 0) - some;
        missing -= some;
      }
    });
    return taken;
  };
  return ofClasses.map(({ paid, rewarded }) => ({ rewarded: ofKinds(rewarded), paid: ofKinds(paid) }));
};

/** The solution of a problem. */
export interface Solved {
  /** By offer, of each kind. */
  readonly taken: readonly TakenUnits[];
  /** Of the offers that apply. */
  readonly discounts: readonly OfferDiscounts[];
  /** Piastres. */
  readonly saving: number;
  /** No solution saves more; equals `saving` where that is proven. */
  readonly bound: number;
  readonly work: number;
}

/** The solution that takes these units. */
export const solvedBy = (
  problem: Problem,
  taken: readonly TakenUnits[],
  { bound, work }: Pick<Solved, 'bound' | 'work'>,
): Solved => {
  const discounts = allocateDiscounts(problem, taken);
  const saving = discounts.reduce((sum, { discount }) => sum + discount, 0);
  return { taken, discounts, saving, bound, work: Math.ceil(work) };
};

type Start = ReturnType<typeof greedy>;

/** What branch and bound found. */
interface Branched {
  readonly solved: Solved;
  /** Whether the tie rules prefer it to all others that save as much. */
  readonly isPreferred: boolean;
}

const solveByBranching = (
  problem: Problem,
  presolved: PresolvedProblem,
  workLimit: number,
  start: Start = greedy(presolved, workLimit),
): Branched => {
  const { ties, incumbent, bound, work } = branchAndBound(presolved, workLimit, start);
  const first = ties === null ? { taken: null, work: 0 } : firstUnits(problem, ties, workLimit - work);
  const taken = first.taken ?? unitsOfKinds(problem, presolved, incumbent.taken());
  const solved = solvedBy(problem, taken, { bound, work: work + first.work });
  return { solved, isPreferred: first.taken !== null };
};

/**
 * The part of the work limit that the dynamic program may take before branch and bound tries. Of the 564 carts of the
 * bench `ablations` 5 stay unproven; with 0.5 7, at 1 % more work; with 1 7, and 7 save less.
 */
const PROGRAM_SHARE = 0.75;

/** Whether a larger limit could lead to another result: no step of so small a part of it depends on the limit. */
export const isLimited = (work: number, workLimit: number): boolean => work > PROGRAM_SHARE * workLimit;

/** What a dynamic program found. */
interface Tried {
  readonly isProven: boolean;
  /** The solution that the tie rules prefer; null without a proof, at the work limit, and where no units are needed. */
  readonly preferred: Solved | null;
  /** Any of the best, where ties took too much work to compare. */
  readonly tied: Solved | null;
  readonly bound: number;
  readonly work: number;
  /** For branch and bound: a solution whose work is counted here. */
  readonly start: Start;
}

const tryProgram = (
  problem: Problem,
  presolved: PresolvedProblem,
  workLimit: number,
  needsUnits = true,
): Tried => {
  const { chosen, work: earlier } = greedy(presolved, workLimit);
  const left = workLimit - earlier;
  const program = new DynamicProgram(problem, presolved, chosen);
  const isProven = left > 0 && program.prove(PROGRAM_SHARE * left);
  const solutions = isProven && needsUnits ? program.solutions() : null;
  const preferred = solutions?.preferred(left) ?? null;
  const tied = preferred === null ? (solutions?.any() ?? null) : null;
  program.end();
  const found = { bound: program.bound, work: earlier + program.work };
  const solvedFor = (taken: readonly TakenUnits[] | null): Solved | null =>
    taken === null ? null : solvedBy(problem, unitsOfKinds(problem, presolved, taken), found);
  const start = { chosen, work: 0 };
  return { ...found, isProven, preferred: solvedFor(preferred), tied: solvedFor(tied), start };
};

/** By branch and bound, with what is left after a dynamic program that did not decide; null: there was none. */
const solveAfter = (
  problem: Problem,
  presolved: PresolvedProblem,
  workLimit: number,
  tried: Tried | null,
): Solved => {
  const { bound = Infinity, work = 0, start, tied = null } = tried ?? {};
  const other = solveByBranching(problem, presolved, workLimit - work, start);
  const solved = other.isPreferred ? other.solved : (tied ?? other.solved);
  return { ...solved, bound: Math.min(bound, solved.bound), work: Math.ceil(work + other.solved.work) };
};

/** The best solution that is found within the work limit. */
export const solve = (problem: Problem, workLimit: number): Solved => {
  const presolved = presolve(problem);
  const tried = fitsDynamicProgram(presolved) ? tryProgram(problem, presolved, workLimit) : null;
  return tried?.preferred ?? solveAfter(problem, presolved, workLimit, tried);
};

/**
 * Problems that are hardly ever solved with 200,000 operations: with half of these columns (classes of all variants) for
 * branch and bound one in nine is. Plans of so much work alone take as long as all else at once; so does presolve with so
 * many kinds in the pools of all offers.
 */
const LARGE = { pools: 4000, columns: 400, plans: 100_000 };

const kindsInPools = ({ offers }: Problem): number =>
  offers.reduce((sum, { pool, rewardPool }) => sum + pool.length + rewardPool.length, 0);

const isLarge = (presolved: PresolvedProblem, fitsProgram: boolean): boolean =>
  fitsProgram
    ? roughWork(presolved) > LARGE.plans
    : presolved.variants.length * presolved.classes.length > LARGE.columns;

/** What `solve` finds with any larger limit; null where that may depend on the limit. */
export const solveWithin = (problem: Problem, workLimit: number): Solved | null => {
  if (kindsInPools(problem) > LARGE.pools) return null;
  const presolved = presolve(problem);
  const fitsProgram = fitsDynamicProgram(presolved);
  if (isLarge(presolved, fitsProgram)) return null;
  const solved = fitsProgram
    ? tryProgram(problem, presolved, workLimit).preferred
    : solveByBranching(problem, presolved, workLimit).solved;
  return solved === null || isLimited(solved.work, workLimit) ? null : solved;
};

/** A proven saving, or null at the work limit. */
export interface ProvenSaving {
  readonly saving: Piastres | null;
  readonly work: number;
}

/** As `solve`, without the units of a dynamic program: they are half of the time of a small cart. */
export const proveSaving = (problem: Problem, workLimit: number): ProvenSaving => {
  const presolved = presolve(problem);
  const tried = fitsDynamicProgram(presolved) ? tryProgram(problem, presolved, workLimit, false) : null;
  if (tried?.isProven) return { saving: tried.bound, work: Math.ceil(tried.work) };
  const { saving, bound, work } = solveAfter(problem, presolved, workLimit, tried);
  return { saving: saving === bound ? saving : null, work };
};
