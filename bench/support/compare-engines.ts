/** What one engine finds on many carts, and how another differs. All of it is counted, none of it timed. */
import { compareDeals, compareUnits, kindsOf } from '../../src/pricing/domain/deals/oracle.test-support.ts';
import type { AppliedDeal } from '../../src/pricing/domain/deals/types.ts';
import type { Cart } from './ablation-carts.ts';
import { valueIn, type Engine } from './engine-edits.ts';
import { median } from './figures.ts';

/** One search. */
export interface Found {
  readonly isProven: boolean;
  readonly saving: number;
  readonly bound: number;
  readonly work: number;
  /** Equal for equal deals on equal units. */
  readonly deals: string;
  /** Of two lists the tie rules prefer the one that is larger at the first difference. */
  readonly rank: () => readonly number[];
}

export type Search = (engine: Engine, cart: Cart) => readonly Found[];

/** Fewer applications, then the deals of lower sort and id more often, then, deal by deal, more of the first units. */
const rankOf = ({ units, deals }: Cart, applied: readonly AppliedDeal[]): readonly number[] => {
  const inOrder = deals.toSorted(compareDeals).map((deal) => applied.find((one) => one.deal.id === deal.id));
  const times = inOrder.map((one) => one?.times ?? 0);
  const kinds = kindsOf(units);
  const ofKinds = inOrder.flatMap((one) => {
    const taken = kinds.map(() => 0);
    for (const share of one?.lines ?? []) {
      const own = units.find(({ line }) => line === share.line);
      const kind = kinds.findIndex((each) => own !== undefined && compareUnits(own, each) === 0);
      taken[kind] = (taken[kind] ?? 0) + share.units;
    }
    return taken;
  });
  return [-times.reduce((sum, each) => sum + each, 0), ...times, ...ofKinds];
};

/** The best deals of a cart. */
export const searchCart: Search = (engine, cart) => {
  const { applied, saving, bound, work, optimal } = engine.bestDeals(cart.units, cart.deals);
  const deals = JSON.stringify(applied.map(({ deal, times, lines }) => [deal.id, times, lines]));
  return [{ isProven: optimal, saving, bound, work, deals, rank: () => rankOf(cart, applied) }];
};

/** Work for the deals of a request outside worker threads. */
const WORK_AT_ONCE = Number(
  valueIn({
    file: '../../app/deal-searches.ts',
    found: /^const WORK_AT_ONCE = \{ deals: (?<value>[\d_]+),/,
    by: '',
  }).replaceAll('_', ''),
);

/** Each problem of a cart within a request. One that is tried and not proven counts as all that a request may take. */
export const searchAtOnce: Search = (engine, { units, deals }) =>
  engine.problemsOf(units, engine.compiledDeals(deals)).map((problem) => {
    const presolved = engine.presolve(problem);
    const isTried = !engine.isLarge(presolved, engine.fitsDynamicProgram(presolved));
    const solved = isTried ? engine.solveWithin(problem, WORK_AT_ONCE) : null;
    const work = solved?.work ?? (isTried ? WORK_AT_ONCE : 0);
    return { isProven: solved !== null, saving: 0, bound: Infinity, work, deals: '', rank: () => [] };
  });

/** The carts that reach branch and bound. `withoutIt`: an engine that throws there. */
export const reachingBranchAndBound = (withoutIt: Engine, carts: readonly Cart[]): readonly Cart[] =>
  carts.filter(({ units, deals }) => {
    try {
      withoutIt.bestDeals(units, deals);
      return false;
    } catch {
      return true;
    }
  });

export const searchAll = (engine: Engine, carts: readonly Cart[], search: Search): readonly Found[] =>
  carts.flatMap((cart) => search(engine, cart));

export interface Difference {
  readonly unproven: number;
  /** Searches that save less, and more. */
  readonly less: number;
  readonly more: number;
  /** Proven by both and equal savings, but units or deals that the tie rules prefer less, or more. */
  readonly worseTies: number;
  readonly betterTies: number;
  /** A bound below what the other engine saves. */
  readonly wrong: number;
  /** Of the engine as it is. */
  readonly work: number;
  readonly medianWork: number;
}

const firstDifference = (a: readonly number[], b: readonly number[]): number =>
  a.map((value, at) => value - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;

const workOf = (all: readonly Found[]): number => all.reduce((sum, { work }) => sum + work, 0);

/** `found` beside what the engine as it is finds in the same searches. */
export const compareFound = (asIs: readonly Found[], found: readonly Found[]): Difference => {
  const pairs = found.map((own, at) => ({ own, known: asIs[at] ?? own }));
  const count = (is: (own: Found, known: Found) => boolean): number =>
    pairs.filter(({ own, known }) => is(own, known)).length;
  const tie = (own: Found, known: Found): number =>
    own.isProven && known.isProven && own.saving === known.saving && own.deals !== known.deals
      ? firstDifference(own.rank(), known.rank())
      : 0;
  const works = (all: readonly Found[]): readonly number[] => all.map(({ work }) => work);
  return {
    unproven: count(({ isProven }) => !isProven),
    less: count((own, known) => own.saving < known.saving),
    more: count((own, known) => own.saving > known.saving),
    worseTies: count((own, known) => tie(own, known) < 0),
    betterTies: count((own, known) => tie(own, known) > 0),
    wrong: count((own, known) => own.bound < known.saving || known.bound < own.saving),
    work: workOf(found) / workOf(asIs),
    medianWork: median(works(found)) / median(works(asIs)),
  };
};

/** A smaller difference of the work counts as none. */
const TOLERANCE = 1.02;

/** In what the engine is worse with the replacement; none: the engine as it is does not gain from the constant. */
export const reasonsFor = (
  { wrong, unproven, work, medianWork, less, more, worseTies, betterTies }: Difference,
  asIs: Pick<Difference, 'unproven'>,
): readonly string[] => [
  ...(wrong > 0 ? ['wrong bounds'] : []),
  ...(unproven > asIs.unproven ? ['fewer proven'] : []),
  ...(work > TOLERANCE ? ['more work'] : []),
  ...(medianWork > TOLERANCE ? ['more work at the median'] : []),
  ...(less > more ? ['saves less'] : []),
  ...(worseTies > betterTies ? ['worse ties'] : []),
];
