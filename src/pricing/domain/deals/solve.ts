/**
 * The best deals of one problem: the largest saving over every way to form applications (Decisions 7.4). The search is
 * limited by counted work, never by a clock. Input and results are plain data.
 */
import { allocateDiscounts, type OfferDiscounts, type TakenUnits } from './allocation.ts';
import type { RepeatedApplication } from './application.ts';
import { BranchAndBound } from './branch-and-bound.ts';
import { canRunProgram, DynamicProgram, fitsDynamicProgram, roughWork } from './dynamic-program.ts';
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
const preferredUnits = (
  { kinds, offers }: Problem,
  ties: readonly (readonly number[])[],
  workLimit: number,
): { readonly taken: readonly TakenUnits[] | null; readonly work: number } => {
  const variants = variantsOf(offers, kinds);
  let preferred: readonly TakenUnits[] | null = null;
  let work = 0;
  for (const times of ties) {
    const left = { isOrdered: true, workLimit: workLimit - work };
    const assigned = assignUnits({ variants, offers, kinds, times }, left);
    work += assigned.work;
    if (assigned.taken === null) return { taken: null, work };
    if (preferred === null || precedes(assigned.taken, preferred)) preferred = assigned.taken;
  }
  return { taken: preferred, work };
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
  /** Whether a larger work limit could lead to another result. */
  readonly isLimited: boolean;
}

/** The solution that takes these units. */
export const solvedBy = (
  problem: Problem,
  taken: readonly TakenUnits[],
  { bound, work, isLimited }: Pick<Solved, 'bound' | 'work' | 'isLimited'>,
): Solved => {
  const discounts = allocateDiscounts(problem, taken);
  const saving = discounts.reduce((sum, { discount }) => sum + discount, 0);
  return { taken, discounts, saving, bound, work: Math.ceil(work), isLimited };
};

// ── The two methods ─────────────────────────────────────────────────────────────────────────────

/** What one method found. */
interface Attempt {
  /** By offer, of each kind, of the best solution found; null: none was found, or no units are needed. */
  readonly taken: readonly TakenUnits[] | null;
  /** Piastres; no solution saves more. */
  readonly bound: number;
  /** Whether a solution that saves the bound was found. */
  readonly isProven: boolean;
  /** Whether the tie rules prefer the units to those of all other best solutions. */
  readonly isPreferred: boolean;
  readonly work: number;
  /** Whether ties would be compared with a larger work limit. */
  readonly isLimited: boolean;
}

interface Task {
  readonly problem: Problem;
  readonly presolved: PresolvedProblem;
  /** A solution to begin with. */
  readonly known: readonly RepeatedApplication[];
  readonly needsUnits: boolean;
}

type Method = (task: Task, workLimit: number) => Attempt;

/**
 * The part of the work limit that the dynamic program may take before branch and bound tries. Of the 564 carts of the
 * bench `ablations` 5 stay unproven; with 0.5 7, at 1 % more work; with 1 7, and 7 save less.
 */
const PROGRAM_SHARE = 0.75;
/**
 * Of it, at most so much compares ties. On 2,322 carts of many ties a program without this limit takes 13 % more work,
 * where branch and bound decides sooner; with 300,000 one of the 564 carts has other ties.
 */
const TIE_WORK = 1_000_000;

const byProgram: Method = ({ problem, presolved, known, needsUnits }, workLimit) => {
  const program = new DynamicProgram(problem, presolved, known);
  const isProven = workLimit > 0 && program.prove(PROGRAM_SHARE * workLimit);
  const solutions = isProven && needsUnits ? program.solutions() : null;
  const tieLimit = program.work + TIE_WORK;
  const preferred = solutions?.preferred(Math.min(tieLimit, workLimit)) ?? null;
  const ofClasses = preferred ?? solutions?.any() ?? null;
  program.end();
  return {
    taken: ofClasses === null ? null : unitsOfKinds(problem, presolved, ofClasses),
    ...{ bound: program.bound, isProven, work: program.work },
    isPreferred: preferred !== null,
    isLimited: solutions !== null && preferred === null && tieLimit > workLimit,
  };
};

const byBranching: Method = ({ problem, presolved, known, needsUnits }, workLimit) => {
  const search = new BranchAndBound(presolved, workLimit, known);
  const isProven = search.prove();
  const ties = isProven && needsUnits ? search.ties() : null;
  const { bound, incumbent, work } = search;
  const preferred = ties === null ? null : preferredUnits(problem, ties, workLimit - work);
  return {
    taken: preferred?.taken ?? unitsOfKinds(problem, presolved, incumbent.taken()),
    ...{ bound, isProven, work: work + (preferred?.work ?? 0) },
    isPreferred: (preferred?.taken ?? null) !== null,
    isLimited: false,
  };
};

/** The one that proves more of such problems comes first; the other one follows where the first does not decide. */
const methodsFor = (presolved: PresolvedProblem): readonly [Method, ...Method[]] => {
  if (!canRunProgram(presolved)) return [byBranching];
  return fitsDynamicProgram(presolved) ? [byProgram, byBranching] : [byBranching, byProgram];
};

// ── A problem ───────────────────────────────────────────────────────────────────────────────────

/** Whether work of this amount may depend on the limit: no step of so small a part of it does. */
export const isLimited = (work: number, workLimit: number): boolean => work > PROGRAM_SHARE * workLimit;

const begin = (
  problem: Problem,
  presolved: PresolvedProblem,
  workLimit: number,
  needsUnits: boolean,
): { readonly task: Task; readonly work: number } => {
  const { chosen, work } = greedy(presolved, workLimit);
  return { task: { problem, presolved, known: chosen, needsUnits }, work };
};

/** The best solution that is found within the work limit. */
export const solve = (problem: Problem, workLimit: number): Solved => {
  const presolved = presolve(problem);
  const begun = begin(problem, presolved, workLimit, true);
  let { work } = begun;
  let [bound, isAnyLimited] = [Infinity, false];
  let best: Solved | null = null;
  for (const method of methodsFor(presolved)) {
    const found = method(begun.task, workLimit - work);
    work += found.work;
    bound = Math.min(bound, found.bound);
    isAnyLimited ||= found.isLimited;
    const solved = found.taken === null ? null : solvedBy(problem, found.taken, found);
    if (solved !== null && (found.isPreferred || solved.saving > (best?.saving ?? -1))) best = solved;
    if (found.isPreferred) break;
  }
  if (best === null) throw new RangeError('branch and bound finds a solution of every problem');
  return { ...best, bound, work: Math.ceil(work), isLimited: isAnyLimited || isLimited(work, workLimit) };
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
  if (isLarge(presolved, fitsDynamicProgram(presolved))) return null;
  const { task, work: earlier } = begin(problem, presolved, workLimit, true);
  const [method] = methodsFor(presolved);
  const { taken, bound, isPreferred, work } = method(task, workLimit - earlier);
  if (!isPreferred || taken === null || isLimited(earlier + work, workLimit)) return null;
  return solvedBy(problem, taken, { bound, work: earlier + work, isLimited: false });
};

/** A proven saving, or null at the work limit. */
export interface ProvenSaving {
  readonly saving: Piastres | null;
  readonly work: number;
}

/** As `solve`, without the units: they are half of the time of a small cart. */
export const proveSaving = (problem: Problem, workLimit: number): ProvenSaving => {
  const presolved = presolve(problem);
  const begun = begin(problem, presolved, workLimit, false);
  let { work } = begun;
  for (const method of methodsFor(presolved)) {
    const { bound, isProven, work: own } = method(begun.task, workLimit - work);
    work += own;
    if (isProven) return { saving: bound, work: Math.ceil(work) };
  }
  return { saving: null, work: Math.ceil(work) };
};
