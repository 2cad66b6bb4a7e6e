import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assign, type Role } from './assign.ts';

/** Every assignment that meets the demands, by brute force. */
const allAssignments = (roles: readonly Role[], supply: readonly number[]): number[][][] => {
  const [role, ...others] = roles;
  if (role === undefined) return [[]];
  const takes = (kind: number, left: number): number[][] => {
    if (kind === supply.length) return left === 0 ? [[]] : [];
    const most = role.gains[kind] === null ? 0 : Math.min(left, supply[kind] ?? 0);
    return Array.from({ length: most + 1 }, (_, units) => units).flatMap((units) =>
      takes(kind + 1, left - units).map((rest) => [units, ...rest]),
    );
  };
  return takes(0, role.demand).flatMap((own) =>
    allAssignments(
      others,
      supply.map((count, kind) => count - (own[kind] ?? 0)),
    ).map((rest) => [own, ...rest]),
  );
};

const gainOf = (roles: readonly Role[], units: readonly (readonly number[])[]): number =>
  roles.reduce(
    (sum, { gains }, r) =>
      sum + gains.reduce<number>((own, gain, k) => own + (gain ?? 0) * (units[r]?.[k] ?? 0), 0),
    0,
  );

const problem = fc.integer({ min: 1, max: 3 }).chain((kinds) =>
  fc.record({
    roles: fc.array(
      fc.record({
        group: fc.nat(1),
        demand: fc.nat(3),
        gains: fc.array(fc.option(fc.nat(4), { nil: null }), { minLength: kinds, maxLength: kinds }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    supply: fc.array(fc.nat(3), { minLength: kinds, maxLength: kinds }),
  }),
);

const firstDifference = (a: readonly number[], b: readonly number[]): number =>
  a.map((value, at) => value - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;

test('assign gains as much as the best of all assignments, or reports that none exists', () => {
  fc.assert(
    fc.property(problem, ({ roles, supply }) => {
      const all = allAssignments(roles, supply);
      const { units, gain } = assign(roles, supply, false);
      expect(units === null).toBe(all.length === 0);
      if (units === null) return;
      expect(gain).toBe(Math.max(...all.map((units) => gainOf(roles, units))));
      expect(gainOf(roles, units)).toBe(gain);
      expect(all).toContainEqual(units);
    }),
    { numRuns: 2000 },
  );
});

/** Units by group, then by kind. */
const byGroup = (roles: readonly Role[], units: readonly (readonly number[])[]): number[] =>
  [0, 1].flatMap((group) =>
    (roles[0]?.gains ?? []).map((_, kind) =>
      roles.reduce((sum, role, r) => (role.group === group ? sum + (units[r]?.[kind] ?? 0) : sum), 0),
    ),
  );

test('in order, returns the optimal assignment that gives the first groups most of the first kinds', () => {
  fc.assert(
    fc.property(problem, ({ roles: given, supply }) => {
      const roles = [...given].sort((a, b) => a.group - b.group);
      const all = allAssignments(roles, supply);
      const { units } = assign(roles, supply, true);
      expect(units === null).toBe(all.length === 0);
      if (units === null) return;
      const most = Math.max(...all.map((units) => gainOf(roles, units)));
      const [first] = all
        .filter((units) => gainOf(roles, units) === most)
        .map((units) => byGroup(roles, units))
        .sort((a, b) => firstDifference(b, a));
      expect(byGroup(roles, units)).toEqual(first);
      expect(gainOf(roles, units)).toBe(most);
      expect(all).toContainEqual(units);
    }),
    { numRuns: 2000 },
  );
});

test('assign solves a problem of 90,000 units', () => {
  const roles = [
    { group: 0, demand: 50_000, gains: [3, 2, null] },
    { group: 1, demand: 40_000, gains: [5, null, 1] },
  ];
  expect(assign(roles, [60_000, 30_000, 10_000], false)).toMatchObject({
    units: [
      [20_000, 30_000, 0],
      [40_000, 0, 0],
    ],
    gain: 320_000,
  });
});
