/**
 * The best deals (Decisions 7.4) as an integer program for the HiGHS solver: its value alone, of carts too large to
 * try every combination. It counts units instead of applications, which is exact: units that were counted out can
 * always be arranged into applications, and one that saves nothing would only lower the value.
 */
import highs from 'highs';
import type { Deal } from '../../../menu/domain/menubook.ts';
import { isIn, kindsOf, rewardOf, type UnitKind } from './oracle.test-support.ts';
import type { DealUnits } from './types.ts';

interface Term {
  readonly times: number;
  readonly name: string;
}

interface Program {
  readonly gains: Term[];
  /** Sums of terms with what they are compared to, such as `<= 3`. */
  readonly rows: { readonly terms: readonly Term[]; readonly than: string }[];
}

/** Units of each kind that a deal takes in one role, by price. */
interface Taken {
  readonly name: string;
  readonly kind: number;
  readonly price: number;
}

const each = (taken: readonly Taken[], times = 1): readonly Term[] =>
  taken.map(({ name }) => ({ times, name }));

/** Counts of the kinds that a pool holds, under names that no other role has. */
const takenFrom = (role: string, deal: number, pool: Deal['pool'], kinds: readonly UnitKind[]) =>
  kinds.flatMap((unit, kind): readonly Taken[] =>
    isIn(pool, unit) ? [{ name: `${role}_${deal}_${kind}`, kind, price: unit.price }] : [],
  );

/**
 * None rewarded dearer than a paid unit of its application: for every price, the applications with a rewarded unit
 * dearer than it (`above`) have dearer paid units only.
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
    rows.push({ terms: [...each(dearer(rewarded)), { times: -getQty, name: above }], than: '<= 0' });
    rows.push({ terms: [{ times: qty, name: above }, ...each(dearer(paid), -1)], than: '<= 0' });
  }
};

/** Adds a deal; gives back what it takes of each kind. */
const addDeal = (program: Program, kinds: readonly UnitKind[], deal: Deal, at: number): readonly Taken[] => {
  const { terms, qty, pool, rewardPool, maxPerOrder } = deal;
  const { gains, rows } = program;
  const applied = `times_${at}`;
  const fill = (taken: readonly Taken[], count: number) =>
    rows.push({ terms: [...each(taken), { times: -count, name: applied }], than: '= 0' });

  const paid = takenFrom('paid', at, pool, kinds);
  fill(paid, qty);
  if (maxPerOrder !== null) rows.push({ terms: [{ times: 1, name: applied }], than: `<= ${maxPerOrder}` });
  if (terms.kind === 'n_for_price') {
    gains.push(...paid.map(({ name, price }) => ({ times: price, name })));
    gains.push({ times: 0 - terms.price, name: applied });
    return paid;
  }
  const rewarded = takenFrom('free', at, rewardPool.length === 0 ? pool : rewardPool, kinds);
  fill(rewarded, terms.getQty);
  gains.push(...rewarded.map(({ name, price }) => ({ times: rewardOf(price, terms.getPercent), name })));
  if (rewardPool.length === 0) addPriceOrder(program, deal, terms.getQty, at, paid, rewarded);
  return [...paid, ...rewarded];
};

// One term a line: the format has bounds on the length of lines.
const written = (terms: readonly Term[]): string =>
  terms.map(({ times, name }) => `${times < 0 ? '-' : '+'} ${Math.abs(times)} ${name}`).join('\n ');

const textOf = ({ gains, rows }: Program): string => {
  const names = new Set([...gains, ...rows.flatMap(({ terms }) => terms)].map(({ name }) => name));
  const lines = rows.map(({ terms, than }, at) => ` row_${at}: ${written(terms)} ${than}`);
  return [
    'Maximize',
    ` saving: ${written(gains)}`,
    'Subject To',
    ...lines,
    'General',
    ...[...names].map((name) => ` ${name}`),
    'End',
  ].join('\n');
};

// The package's types are those of its CommonJS build, which has the loader a step deeper than the module has.
const isLoader = (value: unknown): value is typeof highs.default => typeof value === 'function';

/** The largest saving of a cart. */
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
      if (users.length > 0) program.rows.push({ terms: each(users), than: `<= ${quantity}` });
    });
    if (taken.length === 0) return 0;
    // Savings are whole, so one that is proven to within a half is proven.
    const options = { output_flag: false, mip_rel_gap: 0, mip_abs_gap: 0.5 };
    const solution = solver.solve(textOf(program), options);
    if (solution.Status !== 'Optimal') throw new Error(`HiGHS ended with "${solution.Status}"`);
    // From whole counts, not from the solver's own sum of fractions.
    return program.gains.reduce(
      (sum, { times, name }) => sum + times * Math.round(solution.Columns[name]?.Primal ?? 0),
      0,
    );
  };
};
