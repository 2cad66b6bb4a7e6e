/**
 * The best deals (Decisions 7.4) as an integer program for HiGHS: the optimal saving of carts that are too large for
 * brute force. It counts units instead of applications. That is exact: the units can always be arranged into
 * applications, and one that saves nothing would only lower the value.
 */
import highs from 'highs';
import type { Deal } from '../../../menu/domain/menubook.ts';
import { isIn, kindsOf, rewardOf, type UnitKind } from './oracle.test-support.ts';
import type { DealUnits } from './types.ts';

interface Term {
  readonly coefficient: number;
  readonly name: string;
}

interface Program {
  readonly gains: Term[];
  /** `bound`: such as `<= 3`. */
  readonly rows: { readonly terms: readonly Term[]; readonly bound: string }[];
}

/** A variable: units of one kind that a deal takes in one role. */
interface Taken {
  readonly name: string;
  readonly kind: number;
  readonly price: number;
}

const termsOf = (taken: readonly Taken[], coefficient = 1): readonly Term[] =>
  taken.map(({ name }) => ({ coefficient, name }));

const takenFrom = (role: string, deal: number, pool: Deal['pool'], kinds: readonly UnitKind[]) =>
  kinds.flatMap((unit, kind): readonly Taken[] =>
    isIn(pool, unit) ? [{ name: `${role}_${deal}_${kind}`, kind, price: unit.price }] : [],
  );

/**
 * No rewarded unit is dearer than a paid unit of its application: for every price, the applications with a rewarded
 * unit above it (`above`) have only paid units above it.
 */
const addPriceOrder = (
  { rows }: Program,
  { qty }: Deal,
  getQty: number,
  at: number,
  paid: readonly Taken[],
  rewarded: readonly Taken[],
): void => {
  for (const level of new Set(paid.map(({ price }) => price))) {
    const dearer = (taken: readonly Taken[]) => taken.filter(({ price }) => price > level);
    const above = `above_${at}_${level}`;
    rows.push({
      terms: [...termsOf(dearer(rewarded)), { coefficient: -getQty, name: above }],
      bound: '<= 0',
    });
    rows.push({ terms: [{ coefficient: qty, name: above }, ...termsOf(dearer(paid), -1)], bound: '<= 0' });
  }
};

const addDeal = (program: Program, kinds: readonly UnitKind[], deal: Deal, at: number): readonly Taken[] => {
  const { terms, qty, pool, rewardPool, maxPerOrder } = deal;
  const { gains, rows } = program;
  const applied = `times_${at}`;
  const fill = (taken: readonly Taken[], count: number) =>
    rows.push({ terms: [...termsOf(taken), { coefficient: -count, name: applied }], bound: '= 0' });

  const paid = takenFrom('paid', at, pool, kinds);
  fill(paid, qty);
  if (maxPerOrder !== null)
    rows.push({ terms: [{ coefficient: 1, name: applied }], bound: `<= ${maxPerOrder}` });
  if (terms.kind === 'n_for_price') {
    gains.push(...paid.map(({ name, price }) => ({ coefficient: price, name })));
    gains.push({ coefficient: 0 - terms.price, name: applied });
    return paid;
  }
  const rewarded = takenFrom('free', at, rewardPool.length === 0 ? pool : rewardPool, kinds);
  fill(rewarded, terms.getQty);
  gains.push(
    ...rewarded.map(({ name, price }) => ({ coefficient: rewardOf(price, terms.getPercent), name })),
  );
  if (rewardPool.length === 0) addPriceOrder(program, deal, terms.getQty, at, paid, rewarded);
  return [...paid, ...rewarded];
};

// One term a line: the format limits the length of lines.
const textOfTerms = (terms: readonly Term[]): string =>
  terms
    .map(({ coefficient, name }) => `${coefficient < 0 ? '-' : '+'} ${Math.abs(coefficient)} ${name}`)
    .join('\n ');

const textOf = ({ gains, rows }: Program): string => {
  const names = new Set([...gains, ...rows.flatMap(({ terms }) => terms)].map(({ name }) => name));
  const lines = rows.map(({ terms, bound }, at) => ` row_${at}: ${textOfTerms(terms)} ${bound}`);
  return [
    'Maximize',
    ` saving: ${textOfTerms(gains)}`,
    'Subject To',
    ...lines,
    'General',
    ...[...names].map((name) => ` ${name}`),
    'End',
  ].join('\n');
};

// The package's types describe its CommonJS build, which nests the loader one level deeper than the module does.
const isLoader = (value: unknown): value is typeof highs.default => typeof value === 'function';

export type Model = (units: readonly DealUnits[], deals: readonly Deal[]) => number;

export const loadModel = async (): Promise<Model> => {
  const loader: unknown = highs;
  if (!isLoader(loader)) throw new TypeError('highs has no loader where its module build had it');
  const solver = await loader();
  return (units, deals) => {
    const kinds = kindsOf(units);
    const program: Program = { gains: [], rows: [] };
    const taken = deals.flatMap((deal, at) => addDeal(program, kinds, deal, at));
    kinds.forEach(({ quantity }, kind) => {
      const users = taken.filter((use) => use.kind === kind);
      if (users.length > 0) program.rows.push({ terms: termsOf(users), bound: `<= ${quantity}` });
    });
    if (taken.length === 0) return 0;
    // Savings are integers, so a gap of a half proves optimality.
    const options = { output_flag: false, mip_rel_gap: 0, mip_abs_gap: 0.5 };
    const solution = solver.solve(textOf(program), options);
    if (solution.Status !== 'Optimal') throw new Error(`HiGHS ended with "${solution.Status}"`);
    // Recomputed from rounded counts: the solver's objective has rounding errors.
    return program.gains.reduce(
      (sum, { coefficient, name }) => sum + coefficient * Math.round(solution.Columns[name]?.Primal ?? 0),
      0,
    );
  };
};
