import { fitsAlone, type Floor, type Guest } from './floor.ts';

/**
 * A weight for every table. If every set of tables that seats a party weighs at least the party's demand, parties
 * present at once whose demands exceed the weight of all tables cannot be seated.
 */
type Weights = readonly number[];

const distinct = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);

/**
 * Tables; seats; for each size of table, twice the tables of this size and once the smaller ones (a party of this size
 * takes one of the first or two of any); for each least party, the tables that take it or a smaller one.
 */
const weightsOf = ({ seatsMin, seatsMax }: Floor): readonly Weights[] => {
  const given = seatsMax.map((seats) => (seats > 0 ? 1 : 0));
  const forEach = (values: readonly number[], weigh: (table: number, value: number) => number) =>
    distinct(values).map((value) => given.map((one, table) => one * weigh(table, value)));
  return [
    given,
    seatsMax,
    ...forEach(seatsMax, (table, seats) => ((seatsMax[table] ?? 0) >= seats ? 2 : 1)),
    ...forEach(seatsMin, (table, least) => ((seatsMin[table] ?? 0) <= least ? 1 : 0)),
  ];
};

/** The least weight of a join in `group`: by one or two and more tables, and by seats up to the size. */
const lightestJoin = (floor: Floor, group: readonly number[], size: number, weights: Weights): number => {
  const width = size + 1;
  const least = new Array<number>(3 * width).fill(Infinity);
  least[0] = 0;
  for (const table of group)
    for (let count = 2; count >= 0; count--)
      for (let seats = size; seats >= 0; seats--) {
        const weight = (least[count * width + seats] ?? Infinity) + (weights[table] ?? 0);
        const to =
          Math.min(2, count + 1) * width + Math.min(size, seats + Math.max(0, floor.seatsMax[table] ?? 0));
        if (weight < (least[to] ?? Infinity)) least[to] = weight;
      }
  return least[2 * width + size] ?? Infinity;
};

/** Infinity: no set of tables seats the size. */
const demandOf = (floor: Floor, size: number, weights: Weights): number => {
  let least = Infinity;
  for (const table of floor.ids.keys())
    if (fitsAlone(floor, table, size)) least = Math.min(least, weights[table] ?? 0);
  for (const group of floor.groups) least = Math.min(least, lightestJoin(floor, group, size, weights));
  return least;
};

export interface Demands {
  readonly weights: readonly Weights[];
  readonly byTable: readonly (readonly number[])[];
  /** By weights. */
  readonly of: (guest: Guest) => readonly number[];
}

export const demandsOn = (floor: Floor): Demands => {
  const weights = weightsOf(floor);
  const bySize = new Map<number, readonly number[]>();
  const ofSize = (size: number): readonly number[] => {
    const demands = bySize.get(size) ?? weights.map((each) => demandOf(floor, size, each));
    bySize.set(size, demands);
    return demands;
  };
  const ofKept = (own: readonly number[], each: Weights): number =>
    own.reduce((sum, table) => sum + (each[table] ?? 0), 0);
  return {
    weights,
    byTable: floor.ids.map((_, table) => weights.map((each) => each[table] ?? 0)),
    of: ({ size, own, keeps }) =>
      keeps
        ? ofSize(size).map((demand, at) => Math.min(demand, ofKept(own, weights[at] ?? [])))
        : ofSize(size),
  };
};

/** Whether guests who are present at once need more than the free tables weigh. */
export const exceeds = (
  { byTable, weights }: Demands,
  demands: readonly (readonly number[])[],
  isFree: (table: number) => boolean,
): boolean => {
  const spare = new Float64Array(weights.length);
  for (let table = 0; table < byTable.length; table++) {
    const each = byTable[table];
    if (each === undefined || !isFree(table)) continue;
    for (let at = 0; at < spare.length; at++) spare[at] = (spare[at] ?? 0) + (each[at] ?? 0);
  }
  for (const demand of demands)
    for (let at = 0; at < spare.length; at++) spare[at] = (spare[at] ?? 0) - (demand[at] ?? 0);
  return spare.some((each) => each < 0);
};
