/** The application of one way that is worth most more than its units cost (see relaxation.ts). */
import type { UnitClass, Way } from './ways.ts';

/** The units of one part of an application, by class. */
type Part = Map<number, number>;

/** What a unit of a class is worth in a part. */
type Worth = (c: number) => number;

export interface Application {
  readonly way: number;
  /** Units by class. */
  readonly units: ReadonlyMap<number, number>;
  readonly saving: number;
}

/** The class of most worth among those that have a unit left beside these parts; −1 where none has. */
const bestLeft = (
  places: readonly number[],
  worth: Worth,
  classes: readonly UnitClass[],
  own: Part,
  other: Part | null,
): number => {
  let best = -1;
  let most = -Infinity;
  for (const c of places) {
    const value = worth(c);
    if (value <= most || (own.get(c) ?? 0) + (other?.get(c) ?? 0) >= (classes[c]?.count ?? 0)) continue;
    best = c;
    most = value;
  }
  return best;
};

/** The `size` units of most worth; null where there are not so many. */
const bestPart = (
  places: readonly number[],
  size: number,
  worth: Worth,
  classes: readonly UnitClass[],
): Part | null => {
  const part: Part = new Map();
  let left = size;
  while (left > 0) {
    const c = bestLeft(places, worth, classes, part, null);
    if (c < 0) return null;
    const some = Math.min(left, classes[c]?.count ?? 0);
    part.set(c, some);
    left -= some;
  }
  return part;
};

interface Wanted {
  readonly part: Part;
  readonly places: readonly number[];
  readonly worth: Worth;
}

/**
 * Sees to it that no class gives more units to both parts together than it has: where it would, the part gives way that
 * loses less by it. False when neither can.
 */
const untangle = (paid: Wanted, rewarded: Wanted, classes: readonly UnitClass[]): boolean => {
  for (;;) {
    const tangled = [...paid.part.keys()].find(
      (c) => (paid.part.get(c) ?? 0) + (rewarded.part.get(c) ?? 0) > (classes[c]?.count ?? 0),
    );
    if (tangled === undefined) return true;
    const options = [
      { from: paid, next: bestLeft(paid.places, paid.worth, classes, paid.part, rewarded.part) },
      { from: rewarded, next: bestLeft(rewarded.places, rewarded.worth, classes, rewarded.part, paid.part) },
    ].filter(({ next }) => next >= 0);
    const [first, second] = options;
    if (first === undefined) return false;
    const lossOf = ({ from, next }: typeof first): number => from.worth(tangled) - from.worth(next);
    const { from, next } = second !== undefined && lossOf(second) < lossOf(first) ? second : first;
    const left = (from.part.get(tangled) ?? 0) - 1;
    if (left === 0) from.part.delete(tangled);
    else from.part.set(tangled, left);
    from.part.set(next, (from.part.get(next) ?? 0) + 1);
  }
};

const sumOf = (units: ReadonlyMap<number, number>, each: Worth): number => {
  let sum = 0;
  for (const [c, amount] of units) sum += each(c) * amount;
  return sum;
};

/** With what it gains: saving × `weight`, less what its units cost. `costs` are by class. Null where units are missing. */
export const bestApplication = (
  { of, pool, rewards }: Way,
  way: number,
  classes: readonly UnitClass[],
  weight: number,
  costs: Float64Array,
): { readonly application: Application; readonly gain: number } | null => {
  const priceOf: Worth = (c) => classes[c]?.price ?? 0;
  const costOf: Worth = (c) => costs[c] ?? 0;
  if (of.form === 'together') {
    const units = bestPart(pool, of.qty, (c) => weight * priceOf(c) - costOf(c), classes);
    if (units === null) return null;
    const saving = sumOf(units, priceOf) - of.price;
    return { application: { way, units, saving }, gain: weight * saving - sumOf(units, costOf) };
  }
  const cheap: Worth = (c) => -costOf(c);
  const dear: Worth = (c) => weight * of.discountOn(priceOf(c)) - costOf(c);
  const [paid, rewarded] = [bestPart(pool, of.qty, cheap, classes), bestPart(rewards, of.get, dear, classes)];
  if (paid === null || rewarded === null) return null;
  const isFree = untangle(
    { part: paid, places: pool, worth: cheap },
    { part: rewarded, places: rewards, worth: dear },
    classes,
  );
  if (!isFree) return null;
  const units: Part = new Map(paid);
  for (const [c, amount] of rewarded) units.set(c, (units.get(c) ?? 0) + amount);
  const saving = sumOf(rewarded, (c) => of.discountOn(priceOf(c)));
  return { application: { way, units, saving }, gain: weight * saving - sumOf(units, costOf) };
};
