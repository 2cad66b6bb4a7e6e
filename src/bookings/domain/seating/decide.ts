import { overlaps, type Span } from '../../../kernel/time.ts';
import { hasPlace, hullOf, type Stay } from './day.ts';
import { compareGuests, guestOf, isBusy, type Floor, type Guest } from './floor.ts';
import { classesOf } from './classes.ts';
import { localSearch } from './local-search.ts';
import { repairFor, type Moves } from './repair.ts';
import { assign, type Assignment, type Work } from './search.ts';

/** Steps of the local repair, which finds assignments with up to four moves. */
const REPAIR_WORK = 1_000;

/**
 * Steps of the local search, and of the proof. With 500 and 150 steps 7.5 % of the questions of nearly full days in a room
 * of 30 tables stay undecided, with these 6.5 %; 3,000 and 500 in two turns leave 3.3 %, and one request in a hundred
 * takes three times as long.
 */
const SEARCH_STEPS = 700;
const PROOF_STEPS = 200;

/** Steps of the local search without a pause: some milliseconds in a large room. */
const STEPS_OF_A_PART = 350;

export type Decision =
  | { readonly kind: 'free' }
  | { readonly kind: 'moved'; readonly newcomer: Guest; readonly places: Moves }
  | { readonly kind: 'full' | 'undecided' };

const movesOf = (guests: readonly Guest[], found: Assignment): Map<Guest, readonly number[]> =>
  new Map(guests.map((guest, at) => [guest, found[at] ?? []]));

const claimsOf = (floor: Floor, guests: readonly Guest[]): readonly (readonly Span[])[] => {
  const claims: Span[][] = floor.fixed.map((spans) => [...spans]);
  for (const guest of guests) for (const table of guest.own) claims[table]?.push(guest);
  return claims;
};

const clash = (places: Moves, others: readonly Guest[]): boolean =>
  [...places].some(([guest, tables]) =>
    others.some((other) => overlaps(other, guest) && other.own.some((table) => tables.includes(table))),
  );

/** Guests return to their own tables where these are still free. */
const withFewerMoves = (floor: Floor, places: Map<Guest, readonly number[]>): Moves => {
  const isKept = (guest: Guest): boolean => {
    const others = [...places].filter(([other]) => other !== guest && overlaps(other, guest));
    return guest.own.every(
      (table) => !isBusy(floor.fixed[table], guest) && !others.some(([, tables]) => tables.includes(table)),
    );
  };
  for (const guest of places.keys()) if (guest.own.length > 0 && isKept(guest)) places.set(guest, guest.own);
  return places;
};

/**
 * Searches among the guests near the stay, then among more of them, up to all linked guests. Without the other guests,
 * no assignment is a proof for all. With the others at their tables, an assignment is one for all.
 */
const searchAround = (stay: Stay, newcomer: Guest, budget: number): Decision => {
  const { day, linked, holds } = stay;
  const { floor } = day;
  const steps = Math.ceil(budget / Math.max(1, floor.ids.length ** 3));
  const work: Work = { left: steps };
  const attempt = (guests: readonly Guest[], busy: readonly (readonly Span[])[]) => {
    const own: Work = { left: Math.min(work.left, Math.ceil(steps / 4)) };
    const before = own.left;
    const found = assign({ floor, demands: day.demands, guests, busy }, own);
    work.left -= before - own.left;
    return found;
  };
  const moved = (guests: readonly Guest[], found: Assignment): Decision => ({
    ...{ kind: 'moved', newcomer },
    places: withFewerMoves(floor, movesOf(guests, found)),
  });
  let hull: Span = newcomer;
  while (work.left > 0) {
    const span = hull;
    const near = linked.filter((guest) => overlaps(guest, span));
    const far = linked.filter((guest) => !overlaps(guest, span));
    const guests = [...near, newcomer].sort(compareGuests);
    const alone = attempt(guests, floor.fixed);
    if (alone === 'none') return { kind: 'full' };
    if (alone !== 'limit' && (far.length === 0 || (holds && !clash(movesOf(guests, alone), far))))
      return moved(guests, alone);
    if (far.length === 0) break;
    const among = holds ? attempt(guests, claimsOf(floor, far)) : 'none';
    if (among !== 'none' && among !== 'limit') return moved(guests, among);
    hull = hullOf(hull, near);
  }
  return { kind: 'undecided' };
};

/** `size`: see `leastEqual` of the day. Yields before each longer part, so that other work can run in between. */
export function* decide(stay: Stay, size: number, budget: number): Generator<void, Decision> {
  const { day, holds, free, linked } = stay;
  if (holds && hasPlace(day.floor, size, (table) => free[table] === true)) return { kind: 'free' };
  if (stay.instants.some((instant) => day.exceedsAt(stay, instant, size))) return { kind: 'full' };
  const newcomer = guestOf({ size, start: stay.start, end: stay.end });
  const proofs = day.proofsFor(linked);
  if (proofs.isFull(newcomer)) return { kind: 'full' };
  if (holds) {
    const places = repairFor(day.floor, linked, newcomer, { left: REPAIR_WORK });
    if (places !== null) return { kind: 'moved', newcomer, places };
  }
  if (stay.instants.some((instant) => day.isFullAt(stay, instant, size))) return { kind: 'full' };
  const guests = [...linked, newcomer];
  const search = localSearch(classesOf(day.floor, guests, day.floor.fixed), guests, day.floor.fixed);
  for (let step = 0; step < SEARCH_STEPS; step += STEPS_OF_A_PART) {
    yield;
    const found = search?.run(STEPS_OF_A_PART) ?? null;
    if (found !== null)
      return { kind: 'moved', newcomer, places: withFewerMoves(day.floor, movesOf(guests, found)) };
  }
  yield;
  if (proofs.prove(newcomer, PROOF_STEPS)) return { kind: 'full' };
  yield;
  return searchAround(stay, newcomer, budget);
}
