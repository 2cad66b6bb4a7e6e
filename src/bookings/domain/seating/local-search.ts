/**
 * Looks for a set of tables for every guest, without telling tables of one class apart: guests of a stay overlap like
 * intervals, so a class has tables for them exactly if at no instant it gives more than it has.
 *
 * One guest after the other changes where a class gives too many tables. What each class lacks at an instant costs
 * more the longer it is lacking, so that the search leaves local minima (breakout local search, Morris); a guest that
 * has just changed stays for two steps.
 */
import type { Span } from '../../../kernel/time.ts';
import type { Classes } from './classes.ts';
import { isBusy, type Guest } from './floor.ts';
import { NOTHING, patternOf, patternsOn, type Pattern } from './patterns.ts';
import type { Assignment } from './search.ts';

/** Steps for which a guest that changed stays. Of 326 hard questions 4,000 steps solve 299; with 3 here 279. */
const STEPS_TO_STAY = 2;

/** After so many steps the surcharges halve. Without it 285 of the same questions are solved. */
const STEPS_TO_HALVE = 50;

export interface LocalSearch {
  /** Null: not found within these further steps. */
  readonly run: (steps: number) => Assignment | null;
}

interface State {
  readonly guests: readonly Guest[];
  readonly classCount: number;
  /** Of each guest's stay: the first instant, and the one after the last. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly patterns: readonly (readonly Pattern[])[];
  readonly chosen: Int32Array;
  readonly changedAt: Int32Array;
  /** By instant and class: tables given minus tables there. */
  readonly excess: Int32Array;
  readonly cost: Float64Array;
  /** Where the excess is positive, and the place of each in this list; −1: not in it. */
  readonly lacking: number[];
  readonly placeOf: Int32Array;
}

const shift = (
  { classCount, excess, from, to }: State,
  guest: number,
  { classes, counts }: Pattern,
  sign: 1 | -1,
): void => {
  const end = (to[guest] ?? 0) * classCount;
  for (let at = 0; at < classes.length; at++) {
    const change = sign * (counts[at] ?? 0);
    for (let cell = (from[guest] ?? 0) * classCount + (classes[at] ?? 0); cell < end; cell += classCount)
      excess[cell] = (excess[cell] ?? 0) + change;
  }
};

const chosenBy = ({ patterns, chosen }: State, guest: number): Pattern =>
  patterns[guest]?.[chosen[guest] ?? 0] ?? NOTHING;

/** Lists the cells of the pattern that lack tables now, and no longer those that do not. */
const list = (
  { classCount, excess, lacking, placeOf, from, to }: State,
  guest: number,
  { classes }: Pattern,
) => {
  for (const number of classes)
    for (let instant = from[guest] ?? 0; instant < (to[guest] ?? 0); instant++) {
      const cell = instant * classCount + number;
      const place = placeOf[cell] ?? -1;
      if ((excess[cell] ?? 0) > 0 === place >= 0) continue;
      if (place === -1) {
        placeOf[cell] = lacking.push(cell) - 1;
        continue;
      }
      const last = lacking.pop() ?? cell;
      if (last !== cell) lacking[place] = last;
      placeOf[last] = place;
      placeOf[cell] = -1;
    }
};

const choose = (state: State, guest: number, pattern: number): void => {
  const before = chosenBy(state, guest);
  shift(state, guest, before, -1);
  state.chosen[guest] = pattern;
  const after = chosenBy(state, guest);
  shift(state, guest, after, 1);
  list(state, guest, before);
  list(state, guest, after);
};

/** What the set costs while the guest has no other; beyond `most` the sum is not finished. */
const costOf = (state: State, guest: number, { classes, counts }: Pattern, most: number): number => {
  const { classCount, excess, cost } = state;
  const start = (state.from[guest] ?? 0) * classCount;
  const end = (state.to[guest] ?? 0) * classCount;
  let sum = 0;
  for (let at = 0; at < classes.length && sum <= most; at++) {
    const count = counts[at] ?? 0;
    for (let cell = start + (classes[at] ?? 0); cell < end; cell += classCount) {
      const lack = (excess[cell] ?? 0) + count;
      if (lack > 0) sum += (cost[cell] ?? 0) * (lack < count ? lack : count);
    }
  }
  return sum;
};

interface Change {
  readonly guest: number;
  readonly pattern: number;
  /** By how much the guest's tables cost more. */
  readonly more: number;
}

/** The best change of a guest that takes the lacking tables; of equal ones that of the guest that waited longest. */
const bestChange = (state: State, cell: number, step: number): Change | null => {
  const { guests, classCount, from, to, patterns, changedAt } = state;
  const instant = Math.floor(cell / classCount);
  const number = cell % classCount;
  let [best, bestPattern, least, oldest] = [-1, 0, Infinity, 0];
  for (let guest = 0; guest < guests.length; guest++) {
    const changed = changedAt[guest] ?? 0;
    if (instant < (from[guest] ?? 0) || instant >= (to[guest] ?? 0) || step - changed < STEPS_TO_STAY)
      continue;
    const current = chosenBy(state, guest);
    if (!current.classes.includes(number)) continue;
    shift(state, guest, current, -1);
    const before = costOf(state, guest, current, Infinity);
    const own = patterns[guest] ?? [];
    for (let at = 0; at < own.length; at++) {
      const other = own[at] ?? NOTHING;
      const more = other === current ? Infinity : costOf(state, guest, other, before + least) - before;
      if (more < least || (more === least && changed < oldest))
        [best, bestPattern, least, oldest] = [guest, at, more, changed];
    }
    shift(state, guest, current, 1);
  }
  return best === -1 ? null : { guest: best, pattern: bestPattern, more: least };
};

/** In order of start any free table of a class leaves enough of them; the guest's own is taken first. */
const tablesOf = ({ guests, patterns, chosen }: State, { all }: Classes): Assignment => {
  const until = new Map<number, number>();
  const rivals = (guest: Guest, table: number): number =>
    guests.filter(
      (other) => other.start > guest.start && other.start < guest.end && other.own.includes(table),
    ).length;
  const found: (readonly number[])[] = [];
  const inOrder = [...guests.keys()].sort((a, b) => (guests[a]?.start ?? 0) - (guests[b]?.start ?? 0));
  for (const number of inOrder) {
    const guest = guests[number];
    const pattern = patterns[number]?.[chosen[number] ?? 0];
    if (guest === undefined || pattern === undefined) continue;
    found[number] = pattern.classes.flatMap((each, at) =>
      (all[each]?.tables ?? [])
        .filter((table) => (until.get(table) ?? -Infinity) <= guest.start)
        .map((table) => ({ table, cost: guest.own.includes(table) ? -1 : rivals(guest, table) }))
        .sort((a, b) => a.cost - b.cost)
        .slice(0, pattern.counts[at])
        .map(({ table }) => table),
    );
    for (const table of found[number]) until.set(table, guest.end);
  }
  return found;
};

const isSame = (a: Pattern, b: Pattern): boolean =>
  a.classes.join() === b.classes.join() && a.counts.join() === b.counts.join();

const stateOf = (
  classes: Classes,
  guests: readonly Guest[],
  busy: readonly (readonly Span[])[],
): State | null => {
  const listOf = patternsOn(classes.all, classes.byGroup);
  const classOf: number[] = [];
  for (const [number, { tables }] of classes.all.entries())
    for (const table of tables) classOf[table] = number;
  const instants = [...new Set(guests.map(({ start }) => start))].sort((a, b) => a - b);
  const patterns: Pattern[][] = [];
  for (const guest of guests) {
    const listed = listOf(guest.size);
    if (listed === null) return null;
    const open = classes.all.map(({ tables }) => !isBusy(busy[tables[0] ?? 0], guest));
    const own = guest.own.length === 0 ? [] : [patternOf(guest.own, classOf)];
    const others = listed.filter((each) => !own.some((first) => isSame(first, each)));
    const given = [...own, ...others].filter((each) => each.classes.every((number) => open[number] === true));
    if (given.length === 0) return null;
    patterns.push(given);
  }
  const sizes = classes.all.map(({ tables }) => tables.length);
  const cells = instants.length * sizes.length;
  const state: State = {
    ...{ guests, patterns, classCount: sizes.length, lacking: [] },
    from: Int32Array.from(guests, ({ start }) => instants.indexOf(start)),
    to: Int32Array.from(guests, ({ end }) => instants.filter((instant) => instant < end).length),
    chosen: new Int32Array(guests.length),
    changedAt: new Int32Array(guests.length).fill(-STEPS_TO_STAY),
    excess: Int32Array.from({ length: cells }, (_, cell) => -(sizes[cell % sizes.length] ?? 0)),
    cost: new Float64Array(cells).fill(1),
    placeOf: new Int32Array(cells).fill(-1),
  };
  for (const guest of guests.keys()) shift(state, guest, chosenBy(state, guest), 1);
  for (const guest of guests.keys()) list(state, guest, chosenBy(state, guest));
  return state;
};

/** Begins with the current tables of the guests. Null: there are too many sets of tables, or a guest has none. */
export const localSearch = (
  classes: Classes,
  guests: readonly Guest[],
  busy: readonly (readonly Span[])[],
): LocalSearch | null => {
  const state = stateOf(classes, guests, busy);
  if (state === null) return null;
  let step = 0;
  const advance = (cell: number): void => {
    const best = bestChange(state, cell, step);
    if (best === null || best.more >= 0)
      for (const each of state.lacking) state.cost[each] = (state.cost[each] ?? 0) + 1;
    if (best !== null) {
      choose(state, best.guest, best.pattern);
      state.changedAt[best.guest] = step;
    }
    step++;
    if (step % STEPS_TO_HALVE === 0)
      for (let each = 0; each < state.cost.length; each++)
        state.cost[each] = 1 + ((state.cost[each] ?? 1) - 1) / 2;
  };
  return {
    run: (steps) => {
      for (const last = step + steps; step < last;) {
        if (state.lacking.length === 0) return tablesOf(state, classes);
        advance(state.lacking[step % state.lacking.length] ?? 0);
      }
      return null;
    },
  };
};
