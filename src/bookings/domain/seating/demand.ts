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
export const weightsOf = ({ seatsMin, seatsMax }: Floor): readonly Weights[] => {
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

/** Demands by weights, computed once for every size. */
export const demandsBySize = (floor: Floor, all: readonly Weights[]) => {
  const known = new Map<number, readonly number[]>();
  return (size: number): readonly number[] => {
    const demands = known.get(size) ?? all.map((weights) => demandOf(floor, size, weights));
    known.set(size, demands);
    return demands;
  };
};

/** Guests who are present at once need more than the tables without a claim weigh. */
export const exceeds = (
  guests: readonly Guest[],
  all: readonly Weights[],
  demandsOf: (size: number) => readonly number[],
  isTaken: (table: number) => boolean,
): boolean =>
  all.some((weights, at) => {
    let spare = 0;
    for (const [table, weight] of weights.entries()) if (!isTaken(table)) spare += weight;
    for (const { size, own, keeps } of guests) {
      let demand = demandsOf(size)[at] ?? 0;
      if (keeps)
        demand = Math.min(
          demand,
          own.reduce((sum, table) => sum + (weights[table] ?? 0), 0),
        );
      spare -= demand;
    }
    return spare < 0;
  });
