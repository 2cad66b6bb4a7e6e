/**
 * Oracle for the best deals (Decisions 7.4): every combination of all applications, by dynamic programming on the units
 * that remain. It shares no code with the engine.
 */
import type { Uuid } from '../../../kernel/ids.ts';
import type { Deal, DealPoolEntry } from '../../../menu/domain/menubook.ts';
import type { BestDeals, DealUnits } from './types.ts';

/** All units of one item in one size, on whatever lines; of a ticket, those that were alike when they were fired. */
export interface UnitKind extends Pick<
  DealUnits,
  'itemId' | 'categoryId' | 'sizeLabel' | 'sizeOrder' | 'price' | 'offered'
> {
  readonly quantity: number;
}

const compareIds = (a: Uuid, b: Uuid): number => (a < b ? -1 : a > b ? 1 : 0);

/** By item id, then as the item lists its sizes: the order of 7.4. */
export const compareUnits = (
  a: Pick<DealUnits, 'itemId' | 'sizeOrder'>,
  b: Pick<DealUnits, 'itemId' | 'sizeOrder'>,
): number => compareIds(a.itemId, b.itemId) || a.sizeOrder - b.sizeOrder;

export const compareDeals = (a: Deal, b: Deal): number => a.sort - b.sort || compareIds(a.id, b.id);

/** In the order of 7.4. */
export const kindsOf = (units: readonly DealUnits[]): readonly UnitKind[] => {
  const kinds = new Map<string, UnitKind>();
  for (const { itemId, categoryId, sizeLabel, sizeOrder, price, offered, quantity } of units) {
    const unit = { itemId, categoryId, sizeLabel, sizeOrder, price, ...(offered && { offered }) };
    const roles =
      offered && [offered.paid, offered.rewarded].map((own) => [...own].map(({ id }) => id).sort());
    const key = JSON.stringify({ ...unit, offered: roles });
    const before = kinds.get(key)?.quantity ?? 0;
    kinds.set(key, { ...unit, quantity: before + quantity });
  }
  return [...kinds.values()].sort(compareUnits);
};

export const isIn = (
  pool: readonly DealPoolEntry[],
  unit: Pick<DealUnits, 'itemId' | 'categoryId' | 'sizeLabel'>,
): boolean =>
  pool.some(
    ({ categoryId, menuItemId, sizeLabel }) =>
      (menuItemId === null ? categoryId === unit.categoryId : menuItemId === unit.itemId) &&
      (sizeLabel === null || sizeLabel === unit.sizeLabel),
  );

export type Role = 'paid' | 'rewarded';

/** Whether a unit may have the role in the deal. Rewards without a list of their own come from the pool. */
export const countsIn = (
  deal: Deal,
  role: Role,
  unit: Pick<DealUnits, 'itemId' | 'categoryId' | 'sizeLabel' | 'offered'>,
): boolean => {
  const pool = role === 'paid' || deal.rewardPool.length === 0 ? deal.pool : deal.rewardPool;
  return (unit.offered?.[role].has(deal) ?? true) && isIn(pool, unit);
};

/** Discount of one rewarded unit: rounded, half away from zero. */
export const rewardOf = (price: number, percent: number): number =>
  Number((BigInt(price) * BigInt(percent) * 2n + 100n) / 200n);

export const sizeOf = ({ terms, qty }: Deal): number => (terms.kind === 'buy_get' ? qty + terms.getQty : qty);

export type ByKind = readonly number[];

const weigh = (by: ByKind, weights: ByKind): number =>
  by.reduce((sum, count, kind) => sum + count * (weights[kind] ?? 0), 0);

/** Every selection of `count` units, at most `have` of each kind; most of the earlier kinds first. */
export function* selectionsOf(count: number, have: ByKind, from = 0): Generator<ByKind, void> {
  const [most] = have.slice(from, from + 1);
  if (most === undefined) {
    if (count === 0) yield [];
    return;
  }
  const later = have.slice(from + 1).reduce((sum, more) => sum + more, 0);
  for (let taken = Math.min(most, count); taken >= Math.max(0, count - later); taken--)
    for (const rest of selectionsOf(count - taken, have, from + 1)) yield [taken, ...rest];
}

interface Application {
  /** Paid and rewarded units together. */
  readonly takes: ByKind;
  readonly saving: number;
}

const isCheaperOrEqual = (rewarded: ByKind, paid: ByKind, prices: ByKind): boolean => {
  const taken = (by: ByKind) => prices.filter((_, kind) => (by[kind] ?? 0) > 0);
  return Math.max(...taken(rewarded)) <= Math.min(...taken(paid));
};

const combinationsOf = (deal: Deal, kinds: readonly UnitKind[]): readonly Application[] => {
  const { terms, qty, rewardPool } = deal;
  const prices = kinds.map(({ price }) => price);
  const within = (role: Role, have: ByKind): ByKind =>
    kinds.map((kind, at) => (countsIn(deal, role, kind) ? (have[at] ?? 0) : 0));
  const all = kinds.map(({ quantity }) => quantity);
  const paidSelections = [...selectionsOf(qty, within('paid', all))];
  if (terms.kind === 'n_for_price')
    return paidSelections.map((takes) => ({ takes, saving: weigh(takes, prices) - terms.price }));

  const rewards = prices.map((price) => rewardOf(price, terms.getPercent));
  const isOwn = rewardPool.length === 0;
  return paidSelections.flatMap((paid) => {
    const rest = all.map((have, at) => have - (paid[at] ?? 0));
    return [...selectionsOf(terms.getQty, within('rewarded', rest))]
      .filter((rewarded) => !isOwn || isCheaperOrEqual(rewarded, paid, prices))
      .map((rewarded) => ({
        takes: paid.map((count, at) => count + (rewarded[at] ?? 0)),
        saving: weigh(rewarded, rewards),
      }));
  });
};

/** The applications that save something; of several with the same units, one that saves the most. */
export const applicationsOf = (deal: Deal, kinds: readonly UnitKind[]): readonly Application[] => {
  const best = new Map<string, Application>();
  for (const application of combinationsOf(deal, kinds)) {
    const key = application.takes.join(' ');
    if (application.saving > (best.get(key)?.saving ?? 0)) best.set(key, application);
  }
  return [...best.values()];
};

// ── Order of units ──────────────────────────────────────────────────────────────────────────────

type ComparedUnit = Omit<DealUnits, 'line' | 'quantity'>;

/** 0: equal units. */
export type UnitOrder = (a: ComparedUnit, b: ComparedUnit) => number;

/**
 * By item id, size and price. On a ticket equal units may count in different deals: then those come first that count in the
 * first deal that differs, of those that can save something on this ticket.
 */
export const orderOf = (units: readonly DealUnits[], deals: readonly Deal[]): UnitOrder => {
  // Of a quote, units of one item and size always count in the same deals.
  const isTicket = units.some(({ offered }) => offered !== undefined);
  const canSave = (deal: Deal): boolean => applicationsOf(deal, kindsOf(units)).length > 0;
  const saving = isTicket ? deals.filter(canSave).sort(compareDeals) : [];
  const rewarding = saving.filter(({ terms }) => terms.kind === 'buy_get');
  const rolesOfUnit = (unit: ComparedUnit): readonly boolean[] => [
    ...saving.map((deal) => countsIn(deal, 'paid', unit)),
    ...rewarding.map((deal) => countsIn(deal, 'rewarded', unit)),
  ];
  return (a, b) => {
    const [ofA, ofB] = [rolesOfUnit(a), rolesOfUnit(b)];
    const first = ofA.findIndex((counts, at) => counts !== ofB[at]);
    return compareUnits(a, b) || a.price - b.price || (first < 0 ? 0 : ofA[first] === true ? -1 : 1);
  };
};

// ── Every combination ───────────────────────────────────────────────────────────────────────────

export interface BestByForce {
  readonly saving: number;
  readonly applications: number;
  /** By deal, lower sort first, then lower id. */
  readonly times: readonly number[];
  /** By deal in that order, then by kind: units in its applications. */
  readonly units: readonly number[];
}

const firstDifference = (a: readonly number[], b: readonly number[]): number =>
  a.map((value, at) => value - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;

/**
 * "Ties: fewer applications, then the deals of lower `sort`, then of lower id, then units of lower item id and earlier
 * size" (7.4). As read here: with the deals in order of sort and id, the solution wins in which the first deal that
 * differs applies more often; then, deal by deal, the one in which it takes more of the first kind (item id, size) that
 * differs. Solutions that still tie save the same on the same units of the same deals.
 */
const isBetter = (a: BestByForce, b: BestByForce): boolean =>
  (a.saving - b.saving ||
    b.applications - a.applications ||
    firstDifference(a.times, b.times) ||
    firstDifference(a.units, b.units)) > 0;

const addAt = (values: readonly number[], from: number, more: ByKind): readonly number[] =>
  values.map((value, at) => value + (more[at - from] ?? 0));

const NO_CAP = -1;

/** Slow beyond a dozen units. */
export const bestByForce = (units: readonly DealUnits[], deals: readonly Deal[]): BestByForce => {
  const kinds = kindsOf(units);
  const inOrder = [...deals].sort(compareDeals);
  const none: BestByForce = {
    saving: 0,
    applications: 0,
    times: inOrder.map(() => 0),
    units: inOrder.flatMap(() => kinds.map(() => 0)),
  };

  // A multiset as one number whose digits are the units of each kind, so that removal is subtraction.
  const places = kinds.map((_, at) =>
    kinds.slice(0, at).reduce((place, kind) => place * (kind.quantity + 1), 1),
  );
  const applications = inOrder.map((deal) =>
    applicationsOf(deal, kinds).map((application) => ({
      ...application,
      code: weigh(application.takes, places),
      needs: application.takes.flatMap((count, kind) => (count > 0 ? [{ kind, count }] : [])),
    })),
  );
  const capOf = (at: number): number => inOrder[at]?.maxPerOrder ?? NO_CAP;

  const memo = new Map<string, BestByForce>();
  /** The optimum for the deals from `at` on, the first of them at most `left` times, with these units. */
  const best = (at: number, left: number, have: ByKind, code: number): BestByForce => {
    if (at === inOrder.length) return none;
    const key = `${at} ${left} ${code}`;
    const cached = memo.get(key);
    if (cached !== undefined) return cached;
    let found = best(at + 1, capOf(at + 1), have, code);
    for (const { takes, saving, needs, code: taken } of left === 0 ? [] : (applications[at] ?? [])) {
      if (needs.some(({ kind, count }) => (have[kind] ?? 0) < count)) continue;
      const remaining = have.map((count, kind) => count - (takes[kind] ?? 0));
      const rest = best(at, left === NO_CAP ? NO_CAP : left - 1, remaining, code - taken);
      if (rest.saving + saving < found.saving) continue;
      const candidate = {
        saving: rest.saving + saving,
        applications: rest.applications + 1,
        times: addAt(rest.times, at, [1]),
        units: addAt(rest.units, at * kinds.length, takes),
      };
      if (isBetter(candidate, found)) found = candidate;
    }
    memo.set(key, found);
    return found;
  };
  const all = kinds.map(({ quantity }) => quantity);
  return best(0, capOf(0), all, weigh(all, places));
};

// ── Comparison with the engine ──────────────────────────────────────────────────────────────────

/** Compares the saving, or the bound of an answer that is not optimal. */
export const savingDifferences = (
  force: BestByForce,
  { saving, optimal, bound }: BestDeals,
): readonly string[] =>
  bound < force.saving || (optimal && saving !== force.saving)
    ? [`saves ${saving}, at most ${bound}; the brute force saves ${force.saving}`]
    : [];

const differences = (
  what: string,
  engine: readonly number[],
  force: readonly number[],
): readonly string[] => {
  const [ours, theirs] = [engine.join(' '), force.join(' ')];
  return ours === theirs ? [] : [`${what}: the engine says ${ours}, the brute force ${theirs}`];
};

const appliedInOrder = (deals: readonly Deal[], { applied }: BestDeals) =>
  [...deals].sort(compareDeals).map(({ id }) => ({ id, use: applied.find(({ deal }) => deal.id === id) }));

/** Compares the times of each deal. */
export const timesDifferences = (
  force: BestByForce,
  deals: readonly Deal[],
  best: BestDeals,
): readonly string[] => {
  const inDealOrder = appliedInOrder(deals, best);
  const times = inDealOrder.map(({ use }) => use?.times ?? 0);
  return differences(`times of ${inDealOrder.map(({ id }) => id).join(' ')}`, times, force.times);
};

/** Compares the units of each deal; equal ones together. `inOrder`: as the brute force had them. */
export const unitDifferences = (
  force: BestByForce,
  inOrder: readonly DealUnits[],
  deals: readonly Deal[],
  best: BestDeals,
): readonly string[] => {
  const kinds = kindsOf(inOrder);
  const order = orderOf(inOrder, deals);
  const firsts = kinds.filter((kind, at) => kinds.findIndex((other) => order(other, kind) === 0) === at);
  return appliedInOrder(deals, best).flatMap(({ id, use }, at) => {
    const ofForce = force.units.slice(at * kinds.length, (at + 1) * kinds.length);
    const byForce = firsts.map((first) =>
      weigh(
        ofForce,
        kinds.map((kind) => Number(order(kind, first) === 0)),
      ),
    );
    const taken = firsts.map((first) => {
      const lines = inOrder.filter((unit) => order(unit, first) === 0).map(({ line }) => line);
      const shares = use?.lines.filter(({ line }) => lines.includes(line)) ?? [];
      return shares.reduce((sum, share) => sum + share.units, 0);
    });
    return differences(`units of ${id}`, taken, byForce);
  });
};
