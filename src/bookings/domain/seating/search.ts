import type { Instant, Span } from '../../../kernel/time.ts';
import { exceeds, type Demands } from './demand.ts';
import { classesOf, type Classes, type TableClass } from './classes.ts';
import { isBusy, type Floor, type Guest } from './floor.ts';
import { isAloneEnough } from './patterns.ts';

/** Counts steps, so that a decision does not depend on the machine. */
export interface Work {
  left: number;
}

/** Tables by number, for every guest in the given order. */
export type Assignment = readonly (readonly number[])[];

interface Option {
  readonly tables: readonly number[];
  /** Tables that a later guest holds at present. */
  readonly rivals: number;
  readonly seats: number;
}

/** Ends are numbered from 1 in ascending order. A table is free for a guest if its end is at most `freed`. */
interface SearchedGuest {
  readonly guest: Guest;
  readonly freed: number;
  readonly end: number;
  /** Classes without a claim during the stay. */
  readonly open: readonly boolean[];
  readonly ownOpen: boolean;
  /** Rivals by table: see Option. */
  readonly rivals: Uint8Array;
  readonly demand: readonly number[];
  /** By table: no claim at the start. */
  readonly openAtStart: readonly boolean[];
}

/** What a search is about. */
export interface Puzzle {
  readonly floor: Floor;
  readonly demands: Demands;
  /** In order of start. */
  readonly guests: readonly Guest[];
  /** Claims by table that stay. */
  readonly busy: readonly (readonly Span[])[];
  /** Set: all guests are present at this instant, in any order; only this matters. */
  readonly at?: Instant;
}

interface Search {
  readonly puzzle: Puzzle;
  readonly searchedGuests: readonly SearchedGuest[];
  readonly classes: Classes;
  /** Number of the end of the last stay at each table; 0: none. */
  readonly until: Uint16Array;
  readonly failed: Set<string>;
  readonly assigned: (readonly number[])[];
  readonly work: Work;
}

const rivalsOf = (floor: Floor, guests: readonly Guest[]): readonly Uint8Array[] => {
  const rivals = guests.map(() => new Uint8Array(floor.ids.length));
  for (const [later, { own, start }] of guests.entries())
    for (let earlier = 0; earlier < later; earlier++) {
      const counts = rivals[earlier];
      if (counts === undefined || (guests[earlier]?.end ?? 0) <= start) continue;
      for (const table of own) counts[table] = Math.min(255, (counts[table] ?? 0) + 1);
    }
  return rivals;
};

const searchedGuestsOf = (
  { floor, demands, guests, busy, at }: Puzzle,
  { all }: Classes,
): readonly SearchedGuest[] => {
  const ends = [...new Set(guests.map(({ end }) => end))].sort((a, b) => a - b);
  const rivals = rivalsOf(floor, guests);
  const countUpTo = (instant: number): number => {
    let count = 0;
    while (count < ends.length && (ends[count] ?? 0) <= instant) count++;
    return count;
  };
  return guests.map((guest, number) => {
    const instant = at ?? guest.start;
    const moment = { start: instant, end: instant + 1 };
    return {
      guest,
      freed: at === undefined ? countUpTo(guest.start) : 0,
      end: at === undefined ? countUpTo(guest.end) : 1,
      open: all.map(({ tables }) => !isBusy(busy[tables[0] ?? 0], guest)),
      ownOpen: guest.own.length > 0 && guest.own.every((table) => !isBusy(busy[table], guest)),
      rivals: rivals[number] ?? new Uint8Array(0),
      demand: demands.of(guest),
      openAtStart: busy.map((spans) => !isBusy(spans, moment)),
    };
  });
};

/** Free tables of a class in the order in which they are taken: fewest rivals, then lowest number. */
const freeTables = (search: Search, { tables }: TableClass, { freed, rivals }: SearchedGuest): number[] => {
  const free: number[] = [];
  for (const table of tables) {
    if ((search.until[table] ?? 0) > freed) continue;
    let place = free.length;
    while (place > 0 && (rivals[free[place - 1] ?? 0] ?? 0) > (rivals[table] ?? 0)) place--;
    free.splice(place, 0, table);
  }
  return free;
};

const optionOf = (
  search: Search,
  { rivals }: SearchedGuest,
  tables: readonly number[],
  seats: number,
): Option => {
  search.work.left--;
  let sum = 0;
  for (const table of tables) sum += rivals[table] ?? 0;
  return { tables, rivals: sum, seats };
};

interface Stack {
  readonly seatsMax: number;
  readonly free: readonly number[];
}

/**
 * Adds the joins from which no table can be left out. A join with a table that fits alone is never needed: `stacks`,
 * in descending order of seats, are without these.
 */
const addJoins = (
  search: Search,
  searched: SearchedGuest,
  stacks: readonly Stack[],
  add: (tables: readonly number[], seats: number) => void,
): void => {
  const { size } = searched.guest;
  const seatsFrom = stacks.map(() => 0);
  for (let at = stacks.length - 1, sum = 0; at >= 0; at--)
    seatsFrom[at] = sum += (stacks[at]?.seatsMax ?? 0) * (stacks[at]?.free.length ?? 0);
  const grow = (at: number, used: number, tables: readonly number[], seats: number): void => {
    if (search.work.left <= 0) return;
    search.work.left--;
    if (tables.length >= 2 && seats >= size) {
      add(tables, seats);
      return;
    }
    const stack = stacks[at];
    if (stack === undefined || seats + (seatsFrom[at] ?? 0) - used * stack.seatsMax < size) return;
    const next = stack.free[used];
    if (next !== undefined) grow(at, used + 1, [...tables, next], seats + stack.seatsMax);
    grow(at + 1, 0, tables, seats);
  };
  grow(0, 0, [], 0);
};

const compareOptions = (a: Option, b: Option): number =>
  a.rivals - b.rivals || a.seats - b.seats || a.tables.length - b.tables.length;

/** The guest's own tables first. */
const optionsOf = (search: Search, searched: SearchedGuest): readonly Option[] => {
  const { guest, open, ownOpen, freed } = searched;
  const { all, byGroup } = search.classes;
  const options: Option[] = [];
  const free = all.map((each, number) => (open[number] === true ? freeTables(search, each, searched) : []));
  for (const [number, each] of all.entries()) {
    const table = free[number]?.[0];
    if (table !== undefined && isAloneEnough(each, guest.size))
      options.push(optionOf(search, searched, [table], each.seatsMax));
  }
  for (const group of byGroup) {
    const stacks = group
      .filter((number) => {
        const each = all[number];
        return each !== undefined && !isAloneEnough(each, guest.size);
      })
      .map((number) => ({ seatsMax: all[number]?.seatsMax ?? 0, free: free[number] ?? [] }))
      .filter(({ free: tables }) => tables.length > 0)
      .sort((a, b) => b.seatsMax - a.seatsMax);
    addJoins(search, searched, stacks, (tables, seats) =>
      options.push(optionOf(search, searched, tables, seats)),
    );
  }
  options.sort(compareOptions);
  if (ownOpen && guest.own.every((table) => (search.until[table] ?? 0) <= freed))
    options.unshift({ tables: guest.own, rivals: 0, seats: 0 });
  return options;
};

/** Whether a table or join is left for a later searched, as far as the guests before are placed. */
const fits = (search: Search, { guest, open, ownOpen, freed }: SearchedGuest): boolean => {
  const { all, byGroup } = search.classes;
  const isFree = (table: number): boolean => (search.until[table] ?? 0) <= freed;
  if (ownOpen && guest.own.every(isFree)) return true;
  for (const [number, each] of all.entries())
    if (open[number] === true && isAloneEnough(each, guest.size) && each.tables.some(isFree)) return true;
  for (const group of byGroup) {
    let [seats, count] = [0, 0];
    for (const number of group) {
      const each = all[number];
      if (each === undefined || open[number] !== true) continue;
      for (const table of each.tables) if (isFree(table)) [seats, count] = [seats + each.seatsMax, count + 1];
    }
    if (count >= 2 && seats >= guest.size) return true;
  }
  return false;
};

/** False: a guest who comes before the placed one leaves has no place, or all of them together have none. */
const leavesRoom = (search: Search, placed: SearchedGuest, next: number): boolean => {
  const { puzzle, searchedGuests, until } = search;
  const isAtOnce = puzzle.at !== undefined;
  for (let later = next; later < searchedGuests.length; later++) {
    const searched = searchedGuests[later];
    if (searched === undefined || searched.freed >= placed.end) break;
    const isSame = isAtOnce && searchedGuests[later - 1]?.guest.size === searched.guest.size && later > next;
    if (!isSame && !fits(search, searched)) return false;
    const { freed, openAtStart } = searched;
    // One check for all searchedGuests of one start.
    if (
      later + 1 < searchedGuests.length &&
      (isAtOnce || searchedGuests[later + 1]?.guest.start === searched.guest.start)
    )
      continue;
    const present: (readonly number[])[] = [];
    for (let other = next; other <= later; other++) {
      const waiting = searchedGuests[other];
      if (waiting !== undefined && waiting.end > freed) present.push(waiting.demand);
    }
    const isFree = (table: number): boolean => openAtStart[table] === true && (until[table] ?? 0) <= freed;
    if (exceeds(puzzle.demands, present, isFree)) return false;
  }
  return true;
};

/** Equal states have the same continuations: the next guest, and until when the tables of each class are taken. */
const stateOf = (search: Search, next: number): string => {
  const freed = search.searchedGuests[next]?.freed ?? 0;
  const textOf = (block: readonly number[]): string => {
    let text = '';
    for (const number of block) {
      const ends: number[] = [];
      for (const table of search.classes.all[number]?.tables ?? []) {
        const end = search.until[table] ?? 0;
        if (end <= freed) continue;
        let place = ends.length;
        while (place > 0 && (ends[place - 1] ?? 0) > end) place--;
        ends.splice(place, 0, end);
      }
      // 0 separates classes: ends are numbered from 1.
      text += `${String.fromCharCode(...ends)}\0`;
    }
    return text;
  };
  let state = `${next}|`;
  for (const set of search.classes.blockSets) {
    const [only, ...others] = set;
    if (only === undefined) continue;
    state += others.length === 0 ? textOf(only) : set.map(textOf).sort().join('');
  }
  return state;
};

const place = (search: Search, next: number): boolean => {
  const searched = search.searchedGuests[next];
  if (searched === undefined) return true;
  if (search.work.left <= 0) return false;
  search.work.left--;
  const state = stateOf(search, next);
  if (search.failed.has(state)) return false;
  for (const { tables } of optionsOf(search, searched)) {
    const before = tables.map((table) => search.until[table] ?? 0);
    for (const table of tables) search.until[table] = searched.end;
    search.assigned[next] = tables;
    if (leavesRoom(search, searched, next + 1) && place(search, next + 1)) return true;
    for (const [at, table] of tables.entries()) search.until[table] = before[at] ?? 0;
    if (search.work.left <= 0) return false;
  }
  search.failed.add(state);
  return false;
};

/** Finds tables for all guests, or proves that there are none. */
export const assign = (puzzle: Puzzle, work: Work): Assignment | 'none' | 'limit' => {
  const classes = classesOf(puzzle.floor, puzzle.guests, puzzle.busy);
  const search: Search = {
    ...{ puzzle, classes, work, assigned: [] },
    searchedGuests: searchedGuestsOf(puzzle, classes),
    until: new Uint16Array(puzzle.floor.ids.length),
    failed: new Set(),
  };
  if (place(search, 0)) return search.assigned;
  return work.left <= 0 ? 'limit' : 'none';
};
