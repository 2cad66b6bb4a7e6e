/** Choices of deals that have been found: how often each way of an offer is taken, and the units that go with it. */
import type { Repeated } from './application.ts';
import { assign, type Assignment, type GroupedRole } from './assign.ts';
import type { TakenUnits } from './spread.ts';
import type { Simplified, Way } from './ways.ts';

/** A choice of deals that can be made. */
export interface Found {
  /** Applications by way. */
  readonly times: readonly number[];
  readonly saving: number;
  readonly applications: number;
  /** By offer, the units it takes of each class. */
  readonly taken: () => readonly TakenUnits[];
}

/** What is maximised: a piastre saved outweighs any number of applications. */
export const worthOf = ({ saving, applications }: Found, weight: number): number =>
  saving * weight - applications;

/** The choice of these applications. */
export const foundOf = (simple: Simplified, all: readonly Repeated[]): Found => {
  const times = simple.ways.map(() => 0);
  let saving = 0;
  let applications = 0;
  for (const { application, times: often } of all) {
    times[application.way] = (times[application.way] ?? 0) + often;
    saving += application.saving * often;
    applications += often;
  }
  return { times, saving, applications, taken: () => takenIn(simple, all) };
};

const takenIn = ({ offers, ways, classes }: Simplified, all: readonly Repeated[]): readonly TakenUnits[] => {
  const taken = offers.map(() => ({ paid: classes.map(() => 0), rewarded: classes.map(() => 0) }));
  for (const { application, times } of all) {
    const own = taken[ways[application.way]?.offer ?? 0];
    if (own === undefined) continue;
    const { classes: all, amounts, rewarded } = application;
    all.forEach((c, k) => {
      own.paid[c] = (own.paid[c] ?? 0) + times * (amounts[k] ?? 0);
    });
    rewarded.classes.forEach((c, k) => {
      const amount = times * (rewarded.amounts[k] ?? 0);
      own.paid[c] = (own.paid[c] ?? 0) - amount;
      own.rewarded[c] = (own.rewarded[c] ?? 0) + amount;
    });
  }
  return taken;
};

/** The parts that units play where each way is taken so often: those rewarded, and those paid or counted together. */
export const rolesOf = (
  ways: readonly Way[],
  prices: readonly number[],
  times: readonly number[],
): readonly (GroupedRole & { readonly isRewarded: boolean })[] =>
  ways.flatMap(({ offer, of, pool, rewards }, w) => {
    const amount = times[w] ?? 0;
    if (amount === 0) return [];
    const gains = (among: readonly number[], gain: (price: number) => number): (number | null)[] => {
      const all = prices.map((): number | null => null);
      for (const place of among) all[place] = gain(prices[place] ?? 0);
      return all;
    };
    const paid = { group: offer, isRewarded: false, demand: of.qty * amount };
    if (of.form === 'together') return [{ ...paid, gains: gains(pool, (price) => price) }];
    return [
      { group: offer, isRewarded: true, demand: of.get * amount, gains: gains(rewards, of.discountOn) },
      { ...paid, gains: gains(pool, () => 0) },
    ];
  });

/** What the roles of each offer take. */
export const takenBy = (
  offers: number,
  roles: readonly (GroupedRole & { readonly isRewarded: boolean })[],
  units: Assignment,
  kinds: number,
): readonly TakenUnits[] => {
  const taken = Array.from({ length: offers }, () => ({
    paid: Array.from({ length: kinds }, () => 0),
    rewarded: Array.from({ length: kinds }, () => 0),
  }));
  roles.forEach(({ group, isRewarded }, r) => {
    const own = taken[group]?.[isRewarded ? 'rewarded' : 'paid'];
    units[r]?.forEach((amount, kind) => {
      if (own !== undefined) own[kind] = (own[kind] ?? 0) + amount;
    });
  });
  return taken;
};

/** The best choice that takes each way so often; null where there is none, or not for so little work. */
export function* settledBy(
  { offers, ways, classes }: Simplified,
  times: readonly number[],
  workLimit: number,
): Generator<void, { readonly found: Found | null; readonly work: number }> {
  const prices = classes.map(({ price }) => price);
  const roles = rolesOf(ways, prices, times);
  const supply = classes.map(({ count }) => count);
  const { units, gain, work } = yield* assign(roles, supply, workLimit);
  if (units === null) return { found: null, work };
  const found: Found = {
    times,
    saving: gain - ways.reduce((sum, { of }, w) => sum + of.price * (times[w] ?? 0), 0),
    applications: times.reduce((sum, each) => sum + each, 0),
    taken: () => takenBy(offers.length, roles, units, classes.length),
  };
  return { found, work };
}
