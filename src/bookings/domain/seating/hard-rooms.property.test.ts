/** The methods for large rooms, in small ones, where the brute force knows the answer. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { overlaps } from '../../../kernel/time.ts';
import { classesOf } from './classes.ts';
import { eveningDifferences } from './conformance.test-support.ts';
import { dayOf, stayOn } from './day.ts';
import { evening, type State } from './evenings.test-support.ts';
import { guestOf, type Floor, type Guest } from './floor.ts';
import { localSearch } from './local-search.ts';
import { acceptsByBruteForce, setsFor } from './oracle.test-support.ts';
import { proofsFor } from './prices.ts';
import type { Newcomer, Room } from './room.ts';
import type { Assignment } from './search.ts';

const NEWCOMERS: readonly Newcomer[] = [0, 3, 5, 8, 11].flatMap((start) =>
  [1, 2, 4, 6].map((size) => ({ start, end: start + 3, size })),
);
const STEPS = 300;

const guestsWith = ({ room, parties, claims }: State, newcomer: Newcomer) => {
  const day = dayOf(room, parties, claims);
  const { linked } = stayOn(day, newcomer);
  return { floor: day.floor, linked, asking: guestOf(newcomer) };
};

const isGiven = (room: Room, { ids }: Floor, { size, own }: Guest, tables: readonly number[]): boolean =>
  [...tables].sort((a, b) => a - b).join() === own.join() ||
  setsFor(room, size).some(
    (set) =>
      set.join() ===
      tables
        .map((table) => ids[table] ?? '')
        .sort()
        .join(),
  );

const clashes = (guests: readonly Guest[], found: Assignment, { fixed }: Floor): boolean =>
  guests.some((guest, at) =>
    (found[at] ?? []).some(
      (table) =>
        fixed[table]?.some((claim) => overlaps(claim, guest)) === true ||
        guests.some(
          (other, rank) => rank !== at && overlaps(other, guest) && found[rank]?.includes(table) === true,
        ),
    ),
  );

const isSame = (a: readonly Guest[], b: readonly Guest[]): boolean =>
  a.map(({ id }) => id).join() === b.map(({ id }) => id).join();

test('a party that has a place is not proven full, by its own proof or another', () => {
  let proven = 0;
  const check = (state: State): readonly string[] =>
    NEWCOMERS.flatMap((first) => {
      const { floor, linked, asking } = guestsWith(state, first);
      const proofs = proofsFor(floor, linked);
      if (!proofs.prove(asking, STEPS)) return [];
      proven++;
      return NEWCOMERS.filter((other) => isSame(guestsWith(state, other).linked, linked))
        .filter((other) => proofs.isFull(guestOf(other)))
        .filter((other) => acceptsByBruteForce(state.room, state.parties, state.claims, other))
        .map((other) => JSON.stringify(other));
    });
  fc.assert(
    fc.property(evening, (any) => {
      expect(eveningDifferences(any, undefined, check)).toEqual([]);
    }),
    { numRuns: 40 },
  );
  expect(proven).toBeGreaterThan(0);
});

test('what the local search finds is an assignment of all guests by the rules', () => {
  let solved = 0;
  const check = (state: State): readonly string[] =>
    NEWCOMERS.flatMap((newcomer) => {
      const { floor, linked, asking } = guestsWith(state, newcomer);
      const guests = [...linked, asking];
      const found =
        localSearch(classesOf(floor, guests, floor.fixed), guests, floor.fixed)?.run(STEPS) ?? null;
      if (found === null) return [];
      solved++;
      const areGiven = guests.every((guest, at) => isGiven(state.room, floor, guest, found[at] ?? []));
      return areGiven && !clashes(guests, found, floor) ? [] : [JSON.stringify(newcomer)];
    });
  fc.assert(
    fc.property(evening, (any) => {
      expect(eveningDifferences(any, undefined, check)).toEqual([]);
    }),
    { numRuns: 40 },
  );
  expect(solved).toBeGreaterThan(0);
});
