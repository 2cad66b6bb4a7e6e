/**
 * Judges any answer of the deals engine by the sentences of Decisions 7.3 and 7.4, the best or not, without knowing how
 * it was found: whether these discounts of these lines can come from that many applications of that deal.
 */
import type { Deal, DealTerms } from '../../../menu/domain/menubook.ts';
import { compareDeals, compareUnits, isIn, rewardOf, sizeOf, waysToTake } from './oracle.test-support.ts';
import type { ByKind } from './oracle.test-support.ts';
import type { AppliedDeal, BestDeals, DealUnits } from './types.ts';

/** Units of a line that count in a deal's applications, and what the deal took of the line. */
interface Use {
  readonly of: DealUnits;
  readonly units: number;
  readonly discount: number;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
const say = (wrong: boolean, sentence: string): readonly string[] => (wrong ? [sentence] : []);

// ── n_for_price ─────────────────────────────────────────────────────────────────────────────────

const dividedRounded = (a: bigint, b: bigint): number => Number((2n * a + b) / (2n * b));

/** The splitter of 7.3 over one application's units by size price: what falls on each use; null when it saves nothing. */
const splitOver = (taken: ByKind, uses: readonly Use[], price: number): ByKind | null => {
  const weights = uses.map(({ of }, at) => of.price * (taken[at] ?? 0));
  const whole = sum(weights);
  if (whole <= price) return null;
  const givenUpTo = (at: number): number =>
    dividedRounded(BigInt(whole - price) * BigInt(sum(weights.slice(0, at))), BigInt(whole));
  return weights.map((_, at) => givenUpTo(at + 1) - givenUpTo(at));
};

const minus = (a: ByKind, b: ByKind): ByKind => a.map((value, at) => value - (b[at] ?? 0));

/** Arrangements looked at before the judge gives up: far more than a cart of a dozen units has. */
const PATIENCE = 2_000_000;

/**
 * Whether the units fall into groups of `qty` that each save something and together give every line exactly its
 * discount. Units are tried in their own order first, then every other way.
 */
const fallIntoGroups = (uses: readonly Use[], qty: number, price: number): boolean => {
  const dead = new Set<string>();
  let tried = 0;
  const fall = (left: ByKind, due: ByKind): boolean => {
    const first = left.findIndex((units) => units > 0);
    if (first < 0) return due.every((discount) => discount === 0);
    const key = `${left.join(' ')} | ${due.join(' ')}`;
    if (dead.has(key)) return false;
    for (const taken of waysToTake(qty, left)) {
      // The first unit is in one of the groups: let it be this one.
      if (taken[first] === 0) break;
      if (++tried > PATIENCE) throw new Error('too many arrangements to judge these discounts');
      const given = splitOver(taken, uses, price);
      if (given === null) continue;
      const rest = minus(due, given);
      if (rest.some((discount) => discount < 0)) continue;
      if (fall(minus(left, taken), rest)) return true;
    }
    dead.add(key);
    return false;
  };
  return fall(
    uses.map(({ units }) => units),
    uses.map(({ discount }) => discount),
  );
};

const faultsOfNForPrice = (
  deal: Deal,
  { price }: DealTerms & { kind: 'n_for_price' },
  times: number,
  uses: readonly Use[],
): readonly string[] => {
  const outside = uses.filter(({ of }) => !isIn(deal.pool, of));
  const saving = sum(uses.map(({ of, units }) => of.price * units)) - price * times;
  const taken = sum(uses.map(({ discount }) => discount));
  if (outside.length > 0) return outside.map(({ of }) => `line ${of.line} is not in the pool`);
  if (taken !== saving) return [`takes ${taken} off units that save ${saving}`];
  const inOrder = [...uses].sort((a, b) => compareUnits(a.of, b.of) || a.of.line - b.of.line);
  return say(
    !fallIntoGroups(inOrder, deal.qty, price),
    'no grouping of its units saves every time and splits so over the lines',
  );
};

// ── buy_get ─────────────────────────────────────────────────────────────────────────────────────

interface Roles extends Use {
  readonly rewarded: number;
  /** What one rewarded unit is let off. */
  readonly each: number;
}

const rewardsOf = ({ pool, rewardPool }: Deal) => (rewardPool.length > 0 ? rewardPool : pool);

/**
 * How many units of each line are rewarded: the discount says so, except where a unit is so cheap that its part is
 * rounded to nothing. Of those the cheapest are rewarded, which leaves the dearest to pay.
 */
const rolesOf = (
  deal: Deal,
  percent: number,
  rewardedInAll: number,
  uses: readonly Use[],
): readonly Roles[] => {
  const known = uses.map((use) => {
    const each = rewardOf(use.of.price, percent);
    const fewest = isIn(deal.pool, use.of) ? 0 : use.units;
    return { ...use, each, rewarded: each > 0 ? use.discount / each : fewest };
  });
  let missing = rewardedInAll - sum(known.map(({ rewarded }) => rewarded));
  return [...known]
    .sort((a, b) => a.of.price - b.of.price)
    .map((use) => {
      if (use.each > 0 || !isIn(rewardsOf(deal), use.of)) return use;
      const more = Math.max(0, Math.min(missing, use.units - use.rewarded));
      missing -= more;
      return { ...use, rewarded: use.rewarded + more };
    });
};

const repeated = (roles: readonly Roles[], count: (use: Roles) => number): readonly Roles[] =>
  roles.flatMap((use) => Array.from({ length: count(use) }, () => use));

/**
 * Whether paid and rewarded units fall into applications of which none rewards a unit dearer than one it charges, and
 * each lets something off. The cheapest paid units stand together, so that the cheapest of each group is as dear as
 * can be; groups are filled from the cheapest on. What fits one group fits all after it, so each takes one unit that
 * saves and otherwise those that don't, which leaves the most to choose from.
 */
const keepPriceOrder = (roles: readonly Roles[], times: number, qty: number, getQty: number): boolean => {
  const byPrice = [...roles].sort((a, b) => a.of.price - b.of.price);
  const paid = repeated(byPrice, ({ units, rewarded }) => units - rewarded);
  const waiting = [...repeated(byPrice, ({ rewarded }) => rewarded)];
  let saving = 0;
  let idle = 0;
  for (let group = 0; group < times; group++) {
    const cheapest = paid[group * qty]?.of.price ?? 0;
    const fits = waiting.findIndex(({ of }) => of.price > cheapest);
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

const faultsOfBuyGet = (
  deal: Deal,
  { getQty, getPercent }: DealTerms & { kind: 'buy_get' },
  times: number,
  uses: readonly Use[],
): readonly string[] => {
  const { qty, pool, rewardPool } = deal;
  const roles = rolesOf(deal, getPercent, times * getQty, uses);
  const lines = roles.flatMap(({ of, units, discount, each, rewarded }) => [
    ...say(
      !isCount(rewarded) || rewarded > units || (each === 0 && discount !== 0),
      `line ${of.line}: ${discount} is not ${each} for some of its ${units} units`,
    ),
    ...say(rewarded > 0 && !isIn(rewardsOf(deal), of), `line ${of.line} is rewarded from outside the pool`),
    ...say(rewarded < units && !isIn(pool, of), `line ${of.line} is not in the pool`),
  ]);
  if (lines.length > 0) return lines;
  const rewarded = sum(roles.map((use) => use.rewarded));
  if (rewarded !== times * getQty) return [`rewards ${rewarded} units in ${times} times`];
  const letting = sum(roles.filter(({ each }) => each > 0).map((use) => use.rewarded));
  if (letting < times) return ['applies where it saves nothing'];
  return say(
    rewardPool.length === 0 && !keepPriceOrder(roles, times, qty, getQty),
    'rewards units dearer than those it charges, or saves nothing in one application',
  );
};

// ── The whole answer ────────────────────────────────────────────────────────────────────────────

const usesOf = (units: readonly DealUnits[], { lines }: AppliedDeal): readonly Use[] =>
  lines.flatMap(({ line, units: used, discount }) =>
    units.filter((of) => of.line === line).map((of) => ({ of, units: used, discount })),
  );

const faultsOfApplied = (deal: Deal, applied: AppliedDeal, uses: readonly Use[]): readonly string[] => {
  const { times, discount, lines } = applied;
  const shape = [
    ...say(times < 1 || !isCount(times), `applies ${times} times`),
    ...say(times > (deal.maxPerOrder ?? Infinity), `applies ${times} times, more than it may`),
    ...say(uses.length !== lines.length, 'names lines that are not there'),
    ...say(
      lines.some(({ line }, at) => line <= (lines[at - 1]?.line ?? -1)),
      'has lines out of order',
    ),
    ...say(discount !== sum(lines.map((share) => share.discount)), 'is not the sum of its lines'),
    ...say(sum(lines.map((share) => share.units)) !== times * sizeOf(deal), 'has not the units of its times'),
    ...uses.flatMap(({ of, units, discount: off }) => [
      ...say(!isCount(units) || units < 1 || units > of.quantity, `line ${of.line} gives ${units} units`),
      ...say(!isCount(off) || off > of.price * units, `line ${of.line} has ${off} off ${units} units`),
    ]),
  ];
  if (shape.length > 0) return shape;
  return deal.terms.kind === 'n_for_price'
    ? faultsOfNForPrice(deal, deal.terms, times, uses)
    : faultsOfBuyGet(deal, deal.terms, times, uses);
};

const isSameUnit = (a: DealUnits, b: DealUnits): boolean =>
  a.itemId === b.itemId && a.sizeLabel === b.sizeLabel;

/** Each unit counts once; among equal units of several lines, those of earlier lines first. */
const faultsOfLines = (units: readonly DealUnits[], { applied }: BestDeals): readonly string[] => {
  const used = (of: DealUnits): number =>
    sum(applied.flatMap(({ lines }) => lines.filter(({ line }) => line === of.line).map((s) => s.units)));
  return units.flatMap((of) => {
    const earlier = units.filter((other) => other.line < of.line && isSameUnit(other, of));
    return [
      ...say(used(of) > of.quantity, `line ${of.line} gives more units than it has`),
      ...say(
        used(of) > 0 && earlier.some((other) => used(other) < other.quantity),
        `line ${of.line} gives units that an earlier line has as well`,
      ),
    ];
  });
};

/** Everything that is wrong with an answer of the engine, in words; empty when it can stand. */
export const faultsOf = (
  units: readonly DealUnits[],
  deals: readonly Deal[],
  best: BestDeals,
): readonly string[] => {
  const { applied, saving, optimal, bound, work } = best;
  const ofDeals = applied.flatMap((one, at) => {
    const deal = deals.find(({ id }) => id === one.deal.id);
    const before = applied[at - 1]?.deal;
    if (deal === undefined) return [`${one.deal.id} is not on offer`];
    return [
      ...say(before !== undefined && compareDeals(before, deal) >= 0, 'stands out of order'),
      ...faultsOfApplied(deal, one, usesOf(units, one)),
    ].map((fault) => `${deal.id}: ${fault}`);
  });
  return [
    ...ofDeals,
    ...faultsOfLines(units, best),
    ...say(saving !== sum(applied.map(({ discount }) => discount)), 'the saving is not the sum of the deals'),
    ...say(!isCount(bound) || bound < saving, `${bound} bounds a saving of ${saving}`),
    ...say(optimal !== (bound === saving), `optimal: ${optimal}, with ${bound} for ${saving}`),
    ...say(!isCount(work), `${work} is no count of work`),
  ];
};
