/**
 * Proofs that no assignment exists. Every class of tables has a price at every instant; each guest takes its cheapest
 * set of tables for its stay. If even so the guests pay more than all tables cost, they cannot all be seated
 * (Lagrangian relaxation; the prices of one instant are the weights of demand.ts).
 *
 * Prices rise where the guests' choices exceed the tables and fall elsewhere, with momentum, until they are a proof or
 * the steps are used up. The prices of one newcomer often prove the same for others, so they are kept.
 */
import type { Instant } from '../../../kernel/time.ts';
import { classesOf, type TableClass } from './classes.ts';
import { isBusy, type Floor, type Guest } from './floor.ts';
import { NOTHING, patternOf, patternsOn, type Pattern } from './patterns.ts';

/**
 * Of 271 questions that a linear program proves full, 257 take fewer than 800 steps; without momentum 230 take fewer
 * than 3,000.
 */
const MOMENTUM = 0.9;
const STEP = 0.2;
const STEPS_TO_SLOW = 20;

/** Proofs are checked in whole numbers, without rounding errors. */
const WHOLE = 1024;

/** How finely tables are told apart. */
interface View {
  readonly count: number;
  /** By table. */
  readonly classOf: readonly number[];
  readonly patternsFor: (guest: Guest) => readonly Pattern[] | null;
}

/** Guests with one stay and one list of sets. */
interface Demand {
  readonly from: number;
  readonly to: number;
  readonly guests: number;
  readonly patterns: readonly Pattern[];
}

interface Market {
  readonly view: View;
  readonly instants: readonly Instant[];
  /** Tables by instant and class. */
  readonly supply: Float64Array;
  readonly demands: readonly Demand[];
}

/** By instant and class. */
type Prices = Float64Array;

/** Row `n` of `sums`: the sum of the first `n` instants. */
const sumUp = (prices: Prices, count: number, sums: Float64Array): void => {
  for (let cell = 0; cell < prices.length; cell++)
    sums[cell + count] = (sums[cell] ?? 0) + (prices[cell] ?? 0);
};

/** Reused by every step. */
interface Space {
  readonly sums: Float64Array;
  /** What the cheapest choices take beyond the tables; one more row than instants. */
  readonly excess: Float64Array;
}

const spaceFor = ({ view, supply }: Market): Space => ({
  sums: new Float64Array(supply.length + view.count),
  excess: new Float64Array(supply.length + view.count),
});

const cheapest = (sums: Float64Array, count: number, { from, to, patterns }: Demand) => {
  let [best, least] = [0, Infinity];
  for (let at = 0; at < patterns.length; at++) {
    const { classes, counts } = patterns[at] ?? NOTHING;
    let price = 0;
    for (let each = 0; each < classes.length; each++) {
      const number = classes[each] ?? 0;
      price += (counts[each] ?? 0) * ((sums[to * count + number] ?? 0) - (sums[from * count + number] ?? 0));
    }
    if (price < least) [best, least] = [at, price];
  }
  return { best, least };
};

/** What the guests pay at least, minus what all tables cost. */
const surplusOf = ({ view, supply, demands }: Market, prices: Prices, { sums, excess }: Space): number => {
  const { count } = view;
  sumUp(prices, count, sums);
  excess.fill(0);
  let surplus = 0;
  for (const demand of demands) {
    const { best, least } = cheapest(sums, count, demand);
    surplus += demand.guests * least;
    const { classes, counts } = demand.patterns[best] ?? NOTHING;
    for (let each = 0; each < classes.length; each++) {
      const taken = demand.guests * (counts[each] ?? 0);
      const from = demand.from * count + (classes[each] ?? 0);
      const to = demand.to * count + (classes[each] ?? 0);
      excess[from] = (excess[from] ?? 0) + taken;
      excess[to] = (excess[to] ?? 0) - taken;
    }
  }
  for (let cell = 0; cell < supply.length; cell++) {
    const before = cell < count ? 0 : (excess[cell - count] ?? 0) + (supply[cell - count] ?? 0);
    excess[cell] = (excess[cell] ?? 0) + before - (supply[cell] ?? 0);
    surplus -= (prices[cell] ?? 0) * (supply[cell] ?? 0);
  }
  return surplus;
};

/** Changes `prices` until they are a proof. False: not within `steps`. */
const raise = (market: Market, prices: Prices, steps: number): boolean => {
  const space = spaceFor(market);
  const { excess } = space;
  const speed = new Float64Array(prices.length);
  for (let step = 0; step < steps; step++) {
    if (surplusOf(market, prices, space) > 0) {
      const whole = prices.map((price) => Math.round(price * WHOLE));
      if (surplusOf(market, whole, space) > 0) {
        prices.set(whole);
        return true;
      }
    }
    const rate = STEP / Math.sqrt(1 + step / STEPS_TO_SLOW);
    for (let cell = 0; cell < prices.length; cell++) {
      const next = MOMENTUM * (speed[cell] ?? 0) + (1 - MOMENTUM) * (excess[cell] ?? 0);
      speed[cell] = next;
      prices[cell] = Math.max(0, (prices[cell] ?? 0) + rate * next);
    }
  }
  return false;
};

const viewOf = (
  classes: readonly TableClass[],
  byGroup: readonly (readonly number[])[],
  keyOf: (each: TableClass, number: number) => string,
): View => {
  const listOf = patternsOn(classes, byGroup);
  const keys = classes.map(keyOf);
  const distinct = [...new Set(keys)];
  const viewed = keys.map((key) => distinct.indexOf(key));
  const classOf: number[] = [];
  for (const [number, { tables }] of classes.entries())
    for (const table of tables) classOf[table] = viewed[number] ?? 0;
  const merged = ({ classes: numbers, counts }: Pattern): Pattern =>
    patternOf(
      numbers.flatMap((number, at) => (classes[number]?.tables ?? []).slice(0, counts[at])),
      classOf,
    );
  const known = new Map<number, readonly Pattern[] | null>();
  const mergedOf = (size: number): readonly Pattern[] | null => {
    const patterns = listOf(size)?.map(merged) ?? null;
    return patterns === null
      ? null
      : [...new Map(patterns.map((each) => [JSON.stringify(each), each])).values()];
  };
  const ofSize = (size: number): readonly Pattern[] | null => {
    const patterns = known.get(size) ?? mergedOf(size);
    known.set(size, patterns);
    return patterns;
  };
  return {
    ...{ count: distinct.length, classOf },
    patternsFor: ({ size, own, keeps }) => {
      const listed = ofSize(size);
      return keeps && listed !== null ? [patternOf(own, classOf), ...listed] : listed;
    },
  };
};

/** Tables of the same seats are told apart only by whether they are in a group; then also by group. */
const viewsOf = (floor: Floor, guests: readonly Guest[]): readonly View[] => {
  const unclaimed = floor.ids.map(() => []);
  const { all, byGroup } = classesOf(floor, guests, unclaimed);
  return [
    viewOf(all, byGroup, ({ seatsMin, seatsMax, groups }) => `${seatsMin}-${seatsMax} ${groups.length > 0}`),
    viewOf(all, byGroup, (_, number) => `${number}`),
  ];
};

const instantsOf = ({ fixed }: Floor, guests: readonly Guest[]): readonly Instant[] => {
  const end = Math.max(...guests.map((guest) => guest.end));
  const start = Math.min(...guests.map((guest) => guest.start));
  const claimed = fixed.flat().map((span) => span.start);
  const inside = claimed.filter((instant) => start < instant && instant < end);
  return [...new Set([...guests.map((guest) => guest.start), ...inside])].sort((a, b) => a - b);
};

const stayOf = (instants: readonly Instant[], { start, end }: Guest): { from: number; to: number } => ({
  from: instants.filter((instant) => instant < start).length,
  to: instants.filter((instant) => instant < end).length,
});

const demandsOf = (view: View, instants: readonly Instant[], guests: readonly Guest[]): Demand[] | null => {
  const demands = new Map<string, Demand>();
  for (const guest of guests) {
    const patterns = view.patternsFor(guest);
    if (patterns === null || patterns.length === 0) return null;
    const { from, to } = stayOf(instants, guest);
    const key = `${from} ${to} ${guest.keeps ? guest.id : guest.size}`;
    demands.set(key, { from, to, patterns, guests: (demands.get(key)?.guests ?? 0) + 1 });
  }
  return [...demands.values()];
};

const supplyOf = (floor: Floor, { count, classOf }: View, instants: readonly Instant[]): Float64Array => {
  const supply = new Float64Array(instants.length * count);
  for (const [at, instant] of instants.entries())
    for (const [table, number] of classOf.entries()) {
      const cell = at * count + number;
      if (!isBusy(floor.fixed[table], { start: instant, end: instant + 1 }))
        supply[cell] = (supply[cell] ?? 0) + 1;
    }
  return supply;
};

interface Proof {
  readonly market: Market;
  readonly sums: Float64Array;
  /** What is left for a newcomer. */
  readonly spare: number;
}

export interface Proofs {
  /** Whether a proof is known that the newcomer has no place. */
  readonly isFull: (newcomer: Guest) => boolean;
  /** Searches for one, with `steps` at most. */
  readonly prove: (newcomer: Guest, steps: number) => boolean;
}

/** Proofs about `guests` and a newcomer. */
export const proofsFor = (floor: Floor, guests: readonly Guest[]): Proofs => {
  const views = viewsOf(floor, guests);
  const known: Proof[] = [];
  const isFullBy = ({ market: { view, instants }, sums, spare }: Proof, newcomer: Guest): boolean => {
    const patterns = view.patternsFor(newcomer) ?? [];
    if (patterns.length === 0) return false;
    return cheapest(sums, view.count, { ...stayOf(instants, newcomer), guests: 1, patterns }).least > spare;
  };
  const marketFor = (view: View, newcomer: Guest): Market | null => {
    const all = [...guests, newcomer];
    const instants = instantsOf(floor, all);
    const demands = demandsOf(view, instants, all);
    return demands && { view, instants, demands, supply: supplyOf(floor, view, instants) };
  };
  const remember = (market: Market, prices: Prices, newcomer: Guest): void => {
    const space = spaceFor(market);
    const surplus = surplusOf(market, prices, space);
    const patterns = market.view.patternsFor(newcomer) ?? [];
    const demand = { ...stayOf(market.instants, newcomer), guests: 1, patterns };
    const { least } = cheapest(space.sums, market.view.count, demand);
    known.push({ market, sums: space.sums, spare: least - surplus });
  };
  return {
    isFull: (newcomer) => known.some((proof) => isFullBy(proof, newcomer)),
    prove: (newcomer, steps) =>
      views.some((view) => {
        const market = marketFor(view, newcomer);
        if (market === null) return false;
        const prices = new Float64Array(market.supply.length).fill(1);
        const isProven = raise(market, prices, steps);
        if (isProven) remember(market, prices, newcomer);
        return isProven;
      }),
  };
};
