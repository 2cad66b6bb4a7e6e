/**
 * Checks any answer of the deals engine, optimal or not, against Decisions 7.3 and 7.4: whether the discounts of the
 * lines can come from that many applications of each deal. It shares no code with the engine.
 */
import type { Deal, DealTerms } from '../../../menu/domain/menubook.ts';
import { compareDeals, countsIn, orderOf, rewardOf, selectionsOf, sizeOf } from './oracle.test-support.ts';
import type { ByKind, UnitOrder } from './oracle.test-support.ts';
import type { AppliedDeal, BestDeals, DealUnits } from './types.ts';

interface Use {
  readonly line: DealUnits;
  readonly units: number;
  readonly discount: number;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
const faultIf = (isFault: boolean, message: string): readonly string[] => (isFault ? [message] : []);

// ── n_for_price ─────────────────────────────────────────────────────────────────────────────────

const dividedRounded = (a: bigint, b: bigint): number => Number((2n * a + b) / (2n * b));

/** By size price (7.3); null when it saves nothing. */
const splitOver = (taken: ByKind, uses: readonly Use[], price: number): ByKind | null => {
  const weights = uses.map(({ line }, at) => line.price * (taken[at] ?? 0));
  const whole = sum(weights);
  if (whole <= price) return null;
  const allocatedUpTo = (at: number): number =>
    dividedRounded(BigInt(whole - price) * BigInt(sum(weights.slice(0, at))), BigInt(whole));
  return weights.map((_, at) => allocatedUpTo(at + 1) - allocatedUpTo(at));
};

const minus = (a: ByKind, b: ByKind): ByKind => a.map((value, at) => value - (b[at] ?? 0));

/** Far more arrangements than a cart of a dozen units has. */
const MAX_ARRANGEMENTS = 2_000_000;

/**
 * Whether the units can be grouped by `qty` so that each group saves something and the lines get exactly their
 * discounts. Tries the order of the units first.
 */
const canBeGrouped = (uses: readonly Use[], qty: number, price: number): boolean => {
  const impossible = new Set<string>();
  let tried = 0;
  const search = (left: ByKind, due: ByKind): boolean => {
    const first = left.findIndex((units) => units > 0);
    if (first < 0) return due.every((discount) => discount === 0);
    const key = `${left.join(' ')} | ${due.join(' ')}`;
    if (impossible.has(key)) return false;
    for (const taken of selectionsOf(qty, left)) {
      // Some group has the first unit; without loss of generality this one.
      if (taken[first] === 0) break;
      if (++tried > MAX_ARRANGEMENTS) throw new Error('too many arrangements to judge these discounts');
      const discounts = splitOver(taken, uses, price);
      if (discounts === null) continue;
      const rest = minus(due, discounts);
      if (rest.some((discount) => discount < 0)) continue;
      if (search(minus(left, taken), rest)) return true;
    }
    impossible.add(key);
    return false;
  };
  return search(
    uses.map(({ units }) => units),
    uses.map(({ discount }) => discount),
  );
};

const faultsOfNForPrice = (
  deal: Deal,
  { price }: DealTerms & { kind: 'n_for_price' },
  times: number,
  uses: readonly Use[],
  order: UnitOrder,
): readonly string[] => {
  const outside = uses.filter(({ line }) => !countsIn(deal, 'paid', line));
  const saving = sum(uses.map(({ line, units }) => line.price * units)) - price * times;
  const taken = sum(uses.map(({ discount }) => discount));
  if (outside.length > 0) return outside.map(({ line }) => `line ${line.line} is not in the pool`);
  if (taken !== saving) return [`takes ${taken} off units that save ${saving}`];
  const inOrder = [...uses].sort((a, b) => order(a.line, b.line) || a.line.line - b.line.line);
  return faultIf(
    !canBeGrouped(inOrder, deal.qty, price),
    'no grouping of its units saves every time and splits so over the lines',
  );
};

// ── buy_get ─────────────────────────────────────────────────────────────────────────────────────

interface Roles extends Use {
  readonly rewarded: number;
  /** Discount of one rewarded unit. */
  readonly each: number;
}

/**
 * The rewarded units of each line, from its discount. Where the discount of a unit rounds to 0, the cheapest units are
 * the rewarded ones, which leaves the dearest as paid.
 */
const rolesOf = (
  deal: Deal,
  percent: number,
  rewardedInAll: number,
  uses: readonly Use[],
): readonly Roles[] => {
  const known = uses.map((use) => {
    const each = rewardOf(use.line.price, percent);
    const fewest = countsIn(deal, 'paid', use.line) ? 0 : use.units;
    return { ...use, each, rewarded: each > 0 ? use.discount / each : fewest };
  });
  let missing = rewardedInAll - sum(known.map(({ rewarded }) => rewarded));
  return [...known]
    .sort((a, b) => a.line.price - b.line.price)
    .map((use) => {
      if (use.each > 0 || !countsIn(deal, 'rewarded', use.line)) return use;
      const more = Math.max(0, Math.min(missing, use.units - use.rewarded));
      missing -= more;
      return { ...use, rewarded: use.rewarded + more };
    });
};

const repeated = (roles: readonly Roles[], count: (use: Roles) => number): readonly Roles[] =>
  roles.flatMap((use) => Array.from({ length: count(use) }, () => use));

/**
 * Whether the units can form applications that each save something and reward no unit dearer than one they charge.
 * Paid units are grouped in order of price, which makes the cheapest of each group as dear as possible. A rewarded unit
 * that fits one group fits all later ones, so each group takes one unit with a discount and otherwise units without.
 */
const canKeepPriceOrder = (roles: readonly Roles[], times: number, qty: number, getQty: number): boolean => {
  const byPrice = [...roles].sort((a, b) => a.line.price - b.line.price);
  const paid = repeated(byPrice, ({ units, rewarded }) => units - rewarded);
  const waiting = [...repeated(byPrice, ({ rewarded }) => rewarded)];
  let saving = 0;
  let idle = 0;
  for (let group = 0; group < times; group++) {
    const cheapest = paid[group * qty]?.line.price ?? 0;
    const fits = waiting.findIndex(({ line }) => line.price > cheapest);
    for (const { each } of waiting.splice(0, fits < 0 ? waiting.length : fits))
      if (each > 0) saving += 1;
      else idle += 1;
    const idleHere = Math.min(idle, getQty - 1);
    idle -= idleHere;
    saving -= getQty - idleHere;
    if (saving < 0) return false;
  }
  return true;
};

/** Of units of one price that can have both roles, the lower item id, then the earlier size, then the earlier line. */
const isFirstRewarded = (deal: Deal, roles: readonly Roles[], order: UnitOrder): boolean => {
  const free = roles
    .filter(({ line, each }) => each > 0 && countsIn(deal, 'paid', line))
    .filter(({ line }) => countsIn(deal, 'rewarded', line))
    .sort((a, b) => order(a.line, b.line) || a.line.line - b.line.line);
  return free.every(
    ({ line, rewarded }, at) =>
      rewarded === 0 ||
      free.slice(0, at).every((other) => other.line.price !== line.price || other.rewarded === other.units),
  );
};

const faultsOfBuyGet = (
  deal: Deal,
  { getQty, getPercent }: DealTerms & { kind: 'buy_get' },
  times: number,
  uses: readonly Use[],
  order: UnitOrder,
): readonly string[] => {
  const { qty, rewardPool } = deal;
  const roles = rolesOf(deal, getPercent, times * getQty, uses);
  const lines = roles.flatMap(({ line, units, discount, each, rewarded }) => [
    ...faultIf(
      !isCount(rewarded) || rewarded > units || (each === 0 && discount !== 0),
      `line ${line.line}: ${discount} is not ${each} for some of its ${units} units`,
    ),
    ...faultIf(
      rewarded > 0 && !countsIn(deal, 'rewarded', line),
      `line ${line.line} is rewarded from outside the pool`,
    ),
    ...faultIf(rewarded < units && !countsIn(deal, 'paid', line), `line ${line.line} is not in the pool`),
  ]);
  if (lines.length > 0) return lines;
  const rewarded = sum(roles.map((use) => use.rewarded));
  if (rewarded !== times * getQty) return [`rewards ${rewarded} units in ${times} times`];
  const letting = sum(roles.filter(({ each }) => each > 0).map((use) => use.rewarded));
  if (letting < times) return ['applies where it saves nothing'];
  if (!isFirstRewarded(deal, roles, order)) return ['rewards a later unit than another of the same price'];
  return faultIf(
    rewardPool.length === 0 && !canKeepPriceOrder(roles, times, qty, getQty),
    'rewards units dearer than those it charges, or saves nothing in one application',
  );
};

// ── The answer ──────────────────────────────────────────────────────────────────────────────────

const usesOf = (units: readonly DealUnits[], { lines }: AppliedDeal): readonly Use[] =>
  lines.flatMap(({ line, units: used, discount }) =>
    units.filter((unit) => unit.line === line).map((unit) => ({ line: unit, units: used, discount })),
  );

const faultsOfApplied = (
  deal: Deal,
  applied: AppliedDeal,
  uses: readonly Use[],
  order: UnitOrder,
): readonly string[] => {
  const { times, discount, lines } = applied;
  const shape = [
    ...faultIf(times < 1 || !isCount(times), `applies ${times} times`),
    ...faultIf(times > (deal.maxPerOrder ?? Infinity), `applies ${times} times, more than it may`),
    ...faultIf(uses.length !== lines.length, 'names lines that are not there'),
    ...faultIf(
      lines.some(({ line }, at) => line <= (lines[at - 1]?.line ?? -1)),
      'has lines out of order',
    ),
    ...faultIf(discount !== sum(lines.map((share) => share.discount)), 'is not the sum of its lines'),
    ...faultIf(
      sum(lines.map((share) => share.units)) !== times * sizeOf(deal),
      'has not the units of its times',
    ),
    ...uses.flatMap(({ line, units, discount: off }) => [
      ...faultIf(
        !isCount(units) || units < 1 || units > line.quantity,
        `line ${line.line} gives ${units} units`,
      ),
      ...faultIf(
        !isCount(off) || off > line.price * units,
        `line ${line.line} has ${off} off ${units} units`,
      ),
    ]),
  ];
  if (shape.length > 0) return shape;
  return deal.terms.kind === 'n_for_price'
    ? faultsOfNForPrice(deal, deal.terms, times, uses, order)
    : faultsOfBuyGet(deal, deal.terms, times, uses, order);
};

/** Each unit counts once; among equal units of several lines, those of earlier lines first. */
const faultsOfLines = (
  units: readonly DealUnits[],
  { applied }: BestDeals,
  order: UnitOrder,
): readonly string[] => {
  const used = (unit: DealUnits): number =>
    sum(applied.flatMap(({ lines }) => lines.filter(({ line }) => line === unit.line).map((s) => s.units)));
  return units.flatMap((unit) => {
    const earlier = units.filter((other) => other.line < unit.line && order(other, unit) === 0);
    return [
      ...faultIf(used(unit) > unit.quantity, `line ${unit.line} gives more units than it has`),
      ...faultIf(
        used(unit) > 0 && earlier.some((other) => used(other) < other.quantity),
        `line ${unit.line} gives units that an earlier line has as well`,
      ),
    ];
  });
};

/** The faults of an answer; empty when it is valid. */
export const faultsOf = (
  units: readonly DealUnits[],
  deals: readonly Deal[],
  best: BestDeals,
): readonly string[] => {
  const { applied, saving, optimal, bound, work } = best;
  const order = orderOf(units, deals);
  const ofDeals = applied.flatMap((one, at) => {
    const deal = deals.find(({ id }) => id === one.deal.id);
    const before = applied[at - 1]?.deal;
    if (deal === undefined) return [`${one.deal.id} is not on offer`];
    return [
      ...faultIf(before !== undefined && compareDeals(before, deal) >= 0, 'stands out of order'),
      ...faultsOfApplied(deal, one, usesOf(units, one), order),
    ].map((fault) => `${deal.id}: ${fault}`);
  });
  return [
    ...ofDeals,
    ...faultsOfLines(units, best, order),
    ...faultIf(
      saving !== sum(applied.map(({ discount }) => discount)),
      'the saving is not the sum of the deals',
    ),
    ...faultIf(!isCount(bound) || bound < saving, `${bound} bounds a saving of ${saving}`),
    ...faultIf(optimal !== (bound === saving), `optimal: ${optimal}, with ${bound} for ${saving}`),
    ...faultIf(!isCount(work), `${work} is no count of work`),
  ];
};
