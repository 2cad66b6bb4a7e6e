import type { TableClass } from './classes.ts';

/** A set of tables, as how many of each class. */
export interface Pattern {
  readonly classes: readonly number[];
  readonly counts: readonly number[];
}

export const NOTHING: Pattern = { classes: [], counts: [] };

/** Beyond, a size has no list: a room of 30 tables in groups of five has at most 60. */
const MOST_PATTERNS = 400;

/** Null: too many. */
type PatternsOf = (size: number) => readonly Pattern[] | null;

export const isAloneEnough = ({ seatsMin, seatsMax }: TableClass, size: number): boolean =>
  size >= seatsMin && size <= seatsMax;

const inOrder = (counts: readonly (readonly [number, number])[]): Pattern => {
  const sorted = [...counts].sort(([a], [b]) => a - b);
  return { classes: sorted.map(([number]) => number), counts: sorted.map(([, count]) => count) };
};

/**
 * Adds the joins within a group from which no table can be left out, by class. A join with a table that fits alone is
 * never needed. False: too many.
 */
const addJoins = (
  classes: readonly TableClass[],
  group: readonly number[],
  size: number,
  found: Pattern[],
): boolean => {
  const seatsOf = (number: number): number => classes[number]?.seatsMax ?? 0;
  const countOf = (number: number): number => classes[number]?.tables.length ?? 0;
  const usable = group
    .filter((number) => {
      const each = classes[number];
      return each !== undefined && each.seatsMax > 0 && !isAloneEnough(each, size);
    })
    .sort((a, b) => seatsOf(b) - seatsOf(a) || a - b);
  const seatsFrom = usable.map(() => 0);
  for (let at = usable.length - 1, sum = 0; at >= 0; at--)
    seatsFrom[at] = sum += seatsOf(usable[at] ?? 0) * countOf(usable[at] ?? 0);
  const grow = (at: number, used: readonly number[], tables: number, seats: number): boolean => {
    if (tables >= 2 && seats >= size) {
      const taken = usable.filter((_, index) => (used[index] ?? 0) > 0);
      const counts = used.filter((count) => count > 0);
      found.push(inOrder(taken.map((number, index) => [number, counts[index] ?? 0])));
      return found.length <= MOST_PATTERNS;
    }
    const number = usable[at];
    if (number === undefined) return true;
    const own = used[at] ?? 0;
    if (seats + (seatsFrom[at] ?? 0) - own * seatsOf(number) < size) return true;
    if (
      own < countOf(number) &&
      !grow(at, [...used.slice(0, at), own + 1], tables + 1, seats + seatsOf(number))
    )
      return false;
    return grow(at + 1, [...used.slice(0, at), own, 0], tables, seats);
  };
  return grow(0, [0], 0, 0);
};

/** The sets of tables that the rules give to a size, without those that contain another; null: too many. */
export const patternsOn = (
  classes: readonly TableClass[],
  byGroup: readonly (readonly number[])[],
): PatternsOf => {
  const known = new Map<number, readonly Pattern[] | null>();
  const list = (size: number): readonly Pattern[] | null => {
    const found: Pattern[] = [];
    for (const [number, each] of classes.entries())
      if (isAloneEnough(each, size)) found.push({ classes: [number], counts: [1] });
    return byGroup.every((group) => addJoins(classes, group, size, found)) ? found : null;
  };
  return (size) => {
    const patterns = known.has(size) ? (known.get(size) ?? null) : list(size);
    known.set(size, patterns);
    return patterns;
  };
};

/** The tables as a pattern. `classOf`: by table. */
export const patternOf = (tables: readonly number[], classOf: readonly number[]): Pattern => {
  const counts = new Map<number, number>();
  for (const table of tables) counts.set(classOf[table] ?? -1, (counts.get(classOf[table] ?? -1) ?? 0) + 1);
  return inOrder([...counts]);
};
