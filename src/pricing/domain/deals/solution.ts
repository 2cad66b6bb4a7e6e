import type { TakenUnits } from './allocation.ts';
import type { RepeatedApplication } from './application.ts';
import { assign, type Role } from './assign.ts';
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

/** By offer, no unit of any kind or class. */
const noUnits = (offers: number, kinds: number) =>
  Array.from({ length: offers }, () => ({
    paid: new Array<number>(kinds).fill(0),
    rewarded: new Array<number>(kinds).fill(0),
  }));

const addTo = (units: number[] | undefined, kind: number, amount: number): void => {
  if (units !== undefined) units[kind] = (units[kind] ?? 0) + amount;
};

const unitsOf = (
  { offers, classes }: PresolvedProblem,
  all: readonly RepeatedApplication[],
): readonly TakenUnits[] => {
  const taken = noUnits(offers.length, classes.length);
  for (const { application, times } of all)
    application.classes.forEach((c, k) => {
      const own = taken[application.offer];
      const rewarded = times * (application.rewarded[k] ?? 0);
      addTo(own?.paid, c, times * (application.amounts[k] ?? 0) - rewarded);
      addTo(own?.rewarded, c, rewarded);
    });
  return taken;
};

/** The roles of units when each variant applies `times` times; the group of a role is its offer. */
const rolesOf = (
  variants: readonly Variant[],
  prices: readonly number[],
  times: readonly number[],
): readonly (Role & { readonly isRewarded: boolean })[] =>
  variants.flatMap(({ offerIndex, offer, price: level }, v) => {
    const { form, qty, getQty, pool, rewardPool, percent } = offer;
    const repeats = times[v] ?? 0;
    if (repeats === 0) return [];
    const gainsOf = (members: readonly number[], gainOf: (price: number) => number | null) => {
      const gains = prices.map((): number | null => null);
      for (const member of members) gains[member] = gainOf(prices[member] ?? 0);
      return gains;
    };
    const ofPaid = (price: number) =>
      form === 'bundle' ? price : level === null || price >= level ? 0 : null;
    const ofRewarded = (price: number) =>
      level === null || (getQty === 1 ? price === level : price <= level) ? discountOf(price, percent) : null;
    const paid = {
      group: offerIndex,
      isRewarded: false,
      demand: qty * repeats,
      gains: gainsOf(pool, ofPaid),
    };
    if (form === 'bundle') return [paid];
    const demand = getQty * repeats;
    return [{ group: offerIndex, isRewarded: true, demand, gains: gainsOf(rewardPool, ofRewarded) }, paid];
  });

/** Units of kinds, or of classes, for a number of applications of each variant. */
export interface AssignedUnits {
  /** By offer; null when there are no such units, or at the work limit. */
  readonly taken: readonly TakenUnits[] | null;
  /** Piastres. */
  readonly saving: number;
  readonly work: number;
}

/** Which units are wanted: of these kinds, or classes, for so many applications of each variant. */
interface Applications {
  readonly variants: readonly Variant[];
  readonly offers: readonly unknown[];
  readonly kinds: readonly { readonly price: number; readonly count: number }[];
  /** By variant. */
  readonly times: readonly number[];
}

/**
 * The units of largest saving, by offer. `isOrdered`: of several, those by which the first offers take most of the first
 * kinds.
 */
export const assignUnits = (
  { variants, offers, kinds, times }: Applications,
  { isOrdered, workLimit }: { readonly isOrdered: boolean; readonly workLimit: number },
): AssignedUnits => {
  const roles = rolesOf(
    variants,
    kinds.map(({ price }) => price),
    times,
  );
  const supply = kinds.map(({ count }) => count);
  const { units, gain, work } = assign(roles, supply, isOrdered, workLimit);
  if (units === null) return { taken: null, saving: 0, work };
  const taken = noUnits(offers.length, kinds.length);
  roles.forEach(({ group, isRewarded }, r) => {
    const own = taken[group]?.[isRewarded ? 'rewarded' : 'paid'];
    units[r]?.forEach((amount, kind) => {
      addTo(own, kind, amount);
    });
  });
  const paid = variants.reduce((sum, { offer }, v) => sum + offer.price * (times[v] ?? 0), 0);
  return { taken, saving: gain - paid, work };
};
