import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assign, assignInOrder, type GroupedRole, type Role } from './assign.ts';
import { ended } from './simplex.test-support.ts';

/** Every way to give the roles their demand, slowly. */
const everyWay = (roles: readonly Role[], supply: readonly number[]): number[][][] => {
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
    everyWay(
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

const worst = (a: readonly number[], b: readonly number[]): number =>
  a.map((value, at) => value - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;

test('brings as much as the best of all ways, or finds that there is none', () => {
  fc.assert(
    fc.property(problem, ({ roles, supply }) => {
      const ways = everyWay(roles, supply);
      const { units, gain } = ended(assign(roles, supply));
      expect(units === null).toBe(ways.length === 0);
      if (units === null) return;
      expect(gain).toBe(Math.max(...ways.map((units) => gainOf(roles, units))));
      expect(gainOf(roles, units)).toBe(gain);
      expect(ways).toContainEqual(units);
    }),
    { numRuns: 2000 },
  );
});

/** Units of each kind by group, the first group's first. */
const byGroup = (roles: readonly GroupedRole[], units: readonly (readonly number[])[]): number[] =>
  [0, 1].flatMap((group) =>
    (roles[0]?.gains ?? []).map((_, kind) =>
      roles.reduce((sum, role, r) => (role.group === group ? sum + (units[r]?.[kind] ?? 0) : sum), 0),
    ),
  );

test('in order: of equally good ways the one that gives the first groups of roles most of the first kinds', () => {
  fc.assert(
    fc.property(problem, ({ roles: given, supply }) => {
      const roles = [...given].sort((a, b) => a.group - b.group);
      const ways = everyWay(roles, supply);
      const { units } = ended(assignInOrder(roles, supply));
      expect(units === null).toBe(ways.length === 0);
      if (units === null) return;
      const most = Math.max(...ways.map((units) => gainOf(roles, units)));
      const [first] = ways
        .filter((units) => gainOf(roles, units) === most)
        .map((units) => byGroup(roles, units))
        .sort((a, b) => worst(b, a));
      expect(byGroup(roles, units)).toEqual(first);
      expect(gainOf(roles, units)).toBe(most);
      expect(ways).toContainEqual(units);
    }),
    { numRuns: 2000 },
  );
});

test('thousands of units are given out as quickly as a few', () => {
  const roles = [
    { demand: 50_000, gains: [3, 2, null] },
    { demand: 40_000, gains: [5, null, 1] },
  ];
  expect(ended(assign(roles, [60_000, 30_000, 10_000]))).toMatchObject({
    units: [
      [20_000, 30_000, 0],
      [40_000, 0, 0],
    ],
    gain: 320_000,
  });
});
