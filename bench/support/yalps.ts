/**
 * The best deals of a cart as an integer program for yalps, the solver beside which the engine is measured. Variables:
 * units per deal, part and class of units with equal price and deals. It computes the saving only, not the engine's
 * choice among equal ones.
 */
import { solve, type Coefficients, type Constraint } from 'yalps';
import { isIn, rewardOf } from '../../src/pricing/domain/deals/oracle.test-support.ts';
import type { DealUnits } from '../../src/pricing/domain/deals/types.ts';
import type { Deal } from '../../src/menu/domain/menubook.ts';

/** Units with equal price and equal deals. */
interface Alike {
  readonly unit: DealUnits;
  readonly count: number;
}

const alikeIn = (units: readonly DealUnits[], deals: readonly Deal[]): readonly Alike[] => {
  const alike = new Map<string, Alike>();
  for (const unit of units) {
    const counts = deals.map((deal) => `${isIn(deal.pool, unit)} ${isIn(deal.rewardPool, unit)}`);
    const key = `${unit.price} ${counts.join(' ')}`;
    alike.set(key, { unit, count: (alike.get(key)?.count ?? 0) + unit.quantity });
  }
  return [...alike.values()];
};

const SAVING = 'saving';

interface Program {
  readonly constraints: Map<string, Constraint>;
  /** Coefficients, by variable and constraint. */
  readonly variables: Map<string, Map<string, number>>;
}

interface Part {
  readonly name: string;
  readonly price: number;
}

/** Constrains the units of a part: `count` per application. */
const addPart = (
  { constraints, variables }: Program,
  kinds: readonly Alike[],
  deal: string,
  part: { readonly name: string; readonly count: number; readonly pool: Deal['pool'] },
  gainOf: (price: number) => number,
): readonly Part[] => {
  const full = `${part.name} of ${deal}`;
  constraints.set(full, { equal: 0 });
  variables.get(deal)?.set(full, -part.count);
  return kinds.flatMap(({ unit }, kind): readonly Part[] => {
    if (!isIn(part.pool, unit)) return [];
    const name = `${full}: ${kind}`;
    const coefficients: readonly (readonly [string, number])[] = [
      [SAVING, gainOf(unit.price)],
      [full, 1],
      [`kind ${kind}`, 1],
    ];
    variables.set(name, new Map(coefficients));
    return [{ name, price: unit.price }];
  });
};

/** No rewarded unit is dearer than a paid unit of its application, as one constraint per price. */
const addPriceOrder = (
  { constraints, variables }: Program,
  deal: string,
  { qty, getQty }: { readonly qty: number; readonly getQty: number },
  paid: readonly Part[],
  rewarded: readonly Part[],
): void => {
  for (const level of new Set(paid.map(({ price }) => price))) {
    const above = `${deal} above ${level}`;
    const [dear, covered] = [`${above}, rewarded`, `${above}, paid`];
    constraints.set(dear, { max: 0 });
    constraints.set(covered, { max: 0 });
    variables.set(
      above,
      new Map([
        [dear, -getQty],
        [covered, qty],
      ]),
    );
    for (const { name, price } of rewarded) if (price > level) variables.get(name)?.set(dear, 1);
    for (const { name, price } of paid) if (price > level) variables.get(name)?.set(covered, -1);
  }
};

const addDeal = (program: Program, kinds: readonly Alike[], deal: Deal): void => {
  const { id, terms, qty, pool, rewardPool, maxPerOrder } = deal;
  const { constraints, variables } = program;
  variables.set(id, new Map([[SAVING, terms.kind === 'n_for_price' ? 0 - terms.price : 0]]));
  if (maxPerOrder !== null) {
    constraints.set(`cap of ${id}`, { max: maxPerOrder });
    variables.get(id)?.set(`cap of ${id}`, 1);
  }
  if (terms.kind === 'n_for_price') {
    addPart(program, kinds, id, { name: 'units', count: qty, pool }, (price) => price);
    return;
  }
  const { getQty, getPercent } = terms;
  const isOwn = rewardPool.length === 0;
  const paid = addPart(program, kinds, id, { name: 'paid', count: qty, pool }, () => 0);
  const from = { name: 'rewarded', count: getQty, pool: isOwn ? pool : rewardPool };
  const rewarded = addPart(program, kinds, id, from, (price) => rewardOf(price, getPercent));
  if (isOwn) addPriceOrder(program, id, { qty, getQty }, paid, rewarded);
};

/** The largest saving, or null when the solver exceeds its time limit. */
export const savingByYalps = (
  units: readonly DealUnits[],
  deals: readonly Deal[],
  timeout: number,
): number | null => {
  const kinds = alikeIn(units, deals);
  const program: Program = { constraints: new Map(), variables: new Map() };
  kinds.forEach(({ count }, kind) => program.constraints.set(`kind ${kind}`, { max: count }));
  for (const deal of deals) addDeal(program, kinds, deal);
  const variables = new Map<string, Coefficients>(program.variables);
  const { status, result } = solve(
    {
      direction: 'maximize',
      objective: SAVING,
      constraints: program.constraints,
      variables,
      integers: true,
    },
    { timeout, maxIterations: Infinity },
  );
  return status === 'optimal' ? Math.round(result) : null;
};
