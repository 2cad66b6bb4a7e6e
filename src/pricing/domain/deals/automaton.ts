import type { Offer } from './problem.ts';

/** The role of a unit in an application: paid for, or part of a bundle; or rewarded. */
export const PAID = 0;
export const REWARDED = 1;
export type Role = typeof PAID | typeof REWARDED;

/**
 * Counts the units of one offer, dearest first, so far as that decides which further units complete its applications.
 * States are numbered from 0; `size` itself is the impossible state.
 */
export interface Automaton {
  readonly size: number;
  readonly start: number;
  /** By role and state: the state after one more unit. */
  readonly next: readonly [Uint16Array, Uint16Array];
  /** By role and state: 1 where one more unit begins an application. */
  readonly begins: readonly [Uint8Array, Uint8Array];
  /** By state: 1 where units of a lower price may follow (Decisions 7.4: no reward is dearer than a paid unit). */
  readonly endsLevel: Uint8Array;
  /** By state: 1 where every application is complete. */
  readonly isComplete: Uint8Array;
}

interface Step {
  readonly row: number;
  readonly column: number;
  readonly begins: boolean;
}

/** A grid of states. */
interface Counter {
  readonly rows: number;
  readonly columns: number;
  readonly startRow: number;
  readonly take: (role: Role, row: number, column: number) => Step;
  readonly endsLevel: (row: number, column: number) => boolean;
  readonly isComplete: (row: number, column: number) => boolean;
}

const IMPOSSIBLE: Step = { row: -1, column: 0, begins: false };

/** Without a cap only the units of the open bundle count; with one, all units. */
const bundleCounter = ({ qty, isCapped, maxTimes }: Offer): Counter => {
  return {
    rows: isCapped ? qty * maxTimes + 1 : qty,
    columns: 1,
    startRow: 0,
    take: (role, row) =>
      role === REWARDED
        ? IMPOSSIBLE
        : { row: isCapped ? row + 1 : (row + 1) % qty, column: 0, begins: row % qty === 0 },
    endsLevel: () => true,
    isComplete: (row) => row % qty === 0,
  };
};

/** Row: paid units less those of the begun applications; column: units that the begun application still rewards. */
const balanceCounter = ({ form, qty, getQty, maxTimes }: Offer, deficit: number): Counter => {
  const least = form === 'one-pool' ? Math.min(deficit, qty * maxTimes) : qty * maxTimes;
  return {
    rows: least + qty * maxTimes + 1,
    columns: getQty,
    startRow: least,
    take: (role, row, column) => {
      if (role === PAID) return { row: row + 1, column, begins: false };
      if (column > 0) return { row, column: column - 1, begins: false };
      return { row: row - qty, column: getQty - 1, begins: true };
    },
    endsLevel: (row) => form !== 'one-pool' || row >= least,
    isComplete: (row, column) => row === least && column === 0,
  };
};

/** Row: paid units; column: rewarded units. */
const cappedCounter = ({ form, qty, getQty, maxTimes }: Offer): Counter => ({
  rows: qty * maxTimes + 1,
  columns: getQty * maxTimes + 1,
  startRow: 0,
  take: (role, row, column) =>
    role === PAID
      ? { row: row + 1, column, begins: false }
      : { row, column: column + 1, begins: column % getQty === 0 },
  endsLevel: (row, column) => form !== 'one-pool' || row >= qty * Math.ceil(column / getQty),
  isComplete: (row, column) => column % getQty === 0 && row * getQty === column * qty,
});

const counterOf = (offer: Offer, deficit: number): Counter => {
  if (offer.form === 'bundle') return bundleCounter(offer);
  return offer.isCapped ? cappedCounter(offer) : balanceCounter(offer, deficit);
};

const automatonOf = ({ rows, columns, startRow, take, endsLevel, isComplete }: Counter): Automaton => {
  const size = rows * columns;
  const next: Automaton['next'] = [new Uint16Array(size + 1), new Uint16Array(size + 1)];
  const begins: Automaton['begins'] = [new Uint8Array(size + 1), new Uint8Array(size + 1)];
  const flags = { endsLevel: new Uint8Array(size), isComplete: new Uint8Array(size) };
  for (const role of [PAID, REWARDED] as const) {
    next[role][size] = size;
    for (let state = 0; state < size; state++) {
      const after = take(role, Math.floor(state / columns), state % columns);
      const isPossible = after.row >= 0 && after.row < rows && after.column >= 0 && after.column < columns;
      next[role][state] = isPossible ? after.row * columns + after.column : size;
      begins[role][state] = isPossible && after.begins ? 1 : 0;
    }
  }
  for (let state = 0; state < size; state++) {
    const [row, column] = [Math.floor(state / columns), state % columns];
    flags.endsLevel[state] = endsLevel(row, column) ? 1 : 0;
    flags.isComplete[state] = isComplete(row, column) ? 1 : 0;
  }
  return { size, start: startRow * columns, next, begins, ...flags };
};

/** Automata of one shape are equal. */
const MAX_CACHED = 500;
const cache = new Map<string, Automaton>();

/** States of the offer's automaton. */
export const stateCount = (offer: Offer, deficit: number): number => {
  const { rows, columns } = counterOf(offer, deficit);
  return rows * columns;
};

/**
 * `deficit`: the most units of one price that can follow a rewarded unit of that price. At most 65,000 states.
 */
export const automatonFor = (offer: Offer, deficit: number): Automaton => {
  const { form, qty, getQty, maxTimes, isCapped } = offer;
  const hasTimes = isCapped || form !== 'bundle';
  const key = [
    form,
    qty,
    getQty,
    isCapped,
    hasTimes ? maxTimes : '',
    form === 'one-pool' ? deficit : '',
  ].join(' ');
  const known = cache.get(key);
  if (known !== undefined) return known;
  if (cache.size >= MAX_CACHED) cache.clear();
  const automaton = automatonOf(counterOf(offer, deficit));
  cache.set(key, automaton);
  return automaton;
};
