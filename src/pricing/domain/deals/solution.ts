import type { TakenUnits } from './allocation.ts';
import type { RepeatedApplication } from './application.ts';
import { assign, type Assignment, type GroupedRole } from './assign.ts';
import type { PresolvedProblem, Variant } from './presolve.ts';
import { discountOf } from './problem.ts';

/** A feasible choice of applications. */
export interface Solution {
  /** Applications by variant. */
  readonly times: readonly number[];
  /** Piastres. */
  readonly saving: number;
  readonly applications: number;
  /** By offer, the units it takes of each class. */
  readonly taken: () => readonly TakenUnits[];
}

/** The objective: `weight` makes one piastre outweigh any number of applications. */
export const objectiveOf = ({ saving, applications }: Solution, weight: number): number =>
  saving * weight - applications;

export const solutionOf = (problem: PresolvedProblem, all: readonly RepeatedApplication[]): Solution => {
  const times = problem.variants.map(() => 0);
  let saving = 0;
  let applications = 0;
  for (const { application, times: repeats } of all) {
    times[application.variant] = (times[application.variant] ?? 0) + repeats;
    saving += application.saving * repeats;
    applications += repeats;
  }
  return { times, saving, applications, taken: () => unitsOf(problem, all) };
};

const unitsOf = (
  { offers, variants, classes }: PresolvedProblem,
  all: readonly RepeatedApplication[],
): readonly TakenUnits[] => {
  const taken = offers.map(() => ({ paid: classes.map(() => 0), rewarded: classes.map(() => 0) }));
  for (const { application, times } of all) {
    const own = taken[variants[application.variant]?.offerIndex ?? 0];
    if (own === undefined) continue;
    application.classes.forEach((c, k) => {
      own.paid[c] = (own.paid[c] ?? 0) + times * (application.amounts[k] ?? 0);
    });
    const { rewarded } = application;
    rewarded.classes.forEach((c, k) => {
      const amount = times * (rewarded.amounts[k] ?? 0);
      own.paid[c] = (own.paid[c] ?? 0) - amount;
      own.rewarded[c] = (own.rewarded[c] ?? 0) + amount;
    });
  }
  return taken;
};

type OfferRole = GroupedRole & { readonly isRewarded: boolean };

/** The roles of units when each variant applies `times` times; the group of a role is its offer. */
export const rolesOf = (
  variants: readonly Variant[],
  prices: readonly number[],
  times: readonly number[],
): readonly OfferRole[] =>
  variants.flatMap(({ offerIndex, offer, pool, rewardPool }, v): OfferRole[] => {
    const repeats = times[v] ?? 0;
    if (repeats === 0) return [];
    const gains = (members: readonly number[], gainOf: (price: number) => number): (number | null)[] => {
      const all = prices.map((): number | null => null);
      for (const member of members) all[member] = gainOf(prices[member] ?? 0);
      return all;
    };
    const paid = { group: offerIndex, isRewarded: false, demand: offer.qty * repeats };
    if (offer.form === 'bundle') return [{ ...paid, gains: gains(pool, (price) => price) }];
    const rewarded = { group: offerIndex, isRewarded: true, demand: offer.getQty * repeats };
    return [
      { ...rewarded, gains: gains(rewardPool, (price) => discountOf(price, offer.percent)) },
      { ...paid, gains: gains(pool, () => 0) },
    ];
  });

/** Adds up an assignment by offer. */
export const unitsByOffer = (
  offers: number,
  roles: readonly OfferRole[],
  assignment: Assignment,
  kinds: number,
): readonly TakenUnits[] => {
  const taken = Array.from({ length: offers }, () => ({
    paid: Array.from({ length: kinds }, () => 0),
    rewarded: Array.from({ length: kinds }, () => 0),
  }));
  roles.forEach(({ group, isRewarded }, r) => {
    const own = taken[group]?.[isRewarded ? 'rewarded' : 'paid'];
    assignment[r]?.forEach((amount, kind) => {
      if (own !== undefined) own[kind] = (own[kind] ?? 0) + amount;
    });
  });
  return taken;
};

/** The best solution with these times by variant; null when there is none, or the work limit was reached. */
export const bestAssignment = (
  { offers, variants, classes }: PresolvedProblem,
  times: readonly number[],
  workLimit: number,
): { readonly solution: Solution | null; readonly work: number } => {
  const prices = classes.map(({ price }) => price);
  const roles = rolesOf(variants, prices, times);
  const supply = classes.map(({ count }) => count);
  const { units, gain, work } = assign(roles, supply, workLimit);
  if (units === null) return { solution: null, work };
  const solution: Solution = {
    times,
    saving: gain - variants.reduce((sum, { offer }, v) => sum + offer.price * (times[v] ?? 0), 0),
    applications: times.reduce((sum, each) => sum + each, 0),
    taken: () => unitsByOffer(offers.length, roles, units, classes.length),
  };
  return { solution, work };
};
