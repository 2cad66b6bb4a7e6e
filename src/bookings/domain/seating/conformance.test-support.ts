/** Compares the engine with the oracle over a whole evening. */
import { overlaps } from '../../../kernel/time.ts';
import { after, MOST_PARTIES, type Evening, type State } from './evenings.test-support.ts';
import { findSeat } from './find-seat.ts';
import { acceptsByBruteForce, setsFor } from './oracle.test-support.ts';
import type { Newcomer, Party, Room } from './room.ts';
import { seatingDayOf, seatParty, type Seating } from './seat-party.ts';

/** The parties after the answer, with the newcomer. */
export const partiesAfter = (
  parties: readonly Party[],
  newcomer: Party,
  { moves }: Extract<Seating, { kind: 'seated' }>,
): readonly Party[] => [
  ...parties.map((party) => ({
    ...party,
    tableIds: moves.find(({ partyId }) => partyId === party.id)?.tableIds ?? party.tableIds,
  })),
  newcomer,
];

const isAllowed = (room: Room, size: number, tableIds: readonly string[]): boolean =>
  setsFor(room, size).some((set) => set.join() === [...tableIds].sort().join());

/** Faults of an assignment. `linked`: parties that must not clash. */
export const faultsOf = ({ room, parties, claims }: State, before: readonly Party[]): readonly string[] =>
  parties.flatMap((party, at) => {
    const old = before.find(({ id }) => id === party.id);
    const kept = old?.tableIds.join() === party.tableIds.join();
    const others = parties.slice(at + 1).filter((other) => overlaps(other, party));
    return [
      ...(kept || isAllowed(room, party.size, party.tableIds)
        ? []
        : [`${party.id} may not have ${party.tableIds.join()}`]),
      ...others
        .filter((other) => other.tableIds.some((id) => party.tableIds.includes(id)))
        .map((other) => `${party.id} and ${other.id} share a table`),
      ...claims
        .filter((claim) => overlaps(claim, party) && party.tableIds.includes(claim.tableId))
        .map((claim) => `${party.id} has the claimed table ${claim.tableId}`),
    ];
  });

export interface Tally {
  questions: number;
  accepted: number;
  moved: number;
  /** Wrong answers of a fixed assignment without moves. */
  fixedFull: number;
  /** Wrong answers of counting seats at every instant. */
  countedFree: number;
  countedFull: number;
}

export const emptyTally = (): Tally => ({
  ...{ questions: 0, accepted: 0, moved: 0 },
  ...{ fixedFull: 0, countedFree: 0, countedFull: 0 },
});

/** Whether at every instant of the stay the seats of free bookable tables suffice for all parties. */
const countsFree = ({ room, parties, claims }: State, newcomer: Newcomer): boolean => {
  const stays = [...parties, ...claims].filter((stay) => overlaps(stay, newcomer));
  const instants = [
    newcomer.start,
    ...stays.map(({ start }) => start).filter((start) => start > newcomer.start),
  ];
  return instants.every((instant) => {
    const isNow = ({ start, end }: { start: number; end: number }) => start <= instant && instant < end;
    const taken = claims.filter(isNow).map(({ tableId }) => tableId);
    const seats = room.tables
      .filter(({ id, bookable }) => bookable !== false && !taken.includes(id))
      .reduce((sum, { seatsMax }) => sum + seatsMax, 0);
    return parties.filter(isNow).reduce((sum, { size }) => sum + size, newcomer.size) <= seats;
  });
};

const shuffled = <T>(items: readonly T[], by: number): readonly T[] =>
  [
    ...items.slice(by % Math.max(1, items.length)),
    ...items.slice(0, by % Math.max(1, items.length)),
  ].reverse();

const turned = (state: State, by: number): State => ({
  room: { tables: shuffled(state.room.tables, by), joins: shuffled(state.room.joins, by) },
  parties: shuffled(state.parties, by),
  claims: shuffled(state.claims, by),
});

/** One question, asked to the engine, the oracle and the two simple methods. */
const ask = (state: State, newcomer: Party, which: number, tally: Tally) => {
  const { room, parties, claims } = state;
  const answer = seatParty(room, parties, claims, newcomer);
  const expected = acceptsByBruteForce(room, parties, claims, newcomer) ? 'seated' : 'full';
  const differences: string[] = [];
  if (answer.kind !== expected) differences.push(`${answer.kind} instead of ${expected}`);
  const other = turned(state, which);
  const again = seatParty(other.room, other.parties, other.claims, newcomer);
  if (JSON.stringify(again) !== JSON.stringify(answer)) differences.push('depends on the order of the input');
  const held = parties.flatMap(({ tableIds, start, end }) =>
    tableIds.map((tableId) => ({ tableId, start, end })),
  );
  const seat = findSeat(room.tables, room.joins, [...claims, ...held], newcomer, newcomer.size);
  if (
    answer.kind === 'seated' &&
    answer.moves.length === 0 &&
    seat !== null &&
    seat.join() !== answer.tables.join()
  )
    differences.push(`${answer.tables.join()} instead of ${seat.join()}`);
  tally.questions++;
  if (expected === 'seated') tally.accepted++;
  if (answer.kind === 'seated' && answer.moves.length > 0) tally.moved++;
  if (expected === 'seated' && seat === null) tally.fixedFull++;
  const counted = countsFree(state, newcomer);
  if (counted && expected === 'full') tally.countedFree++;
  if (!counted && expected === 'seated') tally.countedFull++;
  return { answer, differences };
};

/** Differences between engine and oracle, and faults of the assignments, until the first ones. */
export const eveningDifferences = (
  { room, claims, events }: Evening,
  tally: Tally = emptyTally(),
  each: (state: State) => readonly string[] = () => [],
): readonly string[] => {
  let state: State = { room, claims, parties: [] };
  for (const [number, event] of events.entries()) {
    if (event.kind !== 'request') {
      state = after(state, event);
      continue;
    }
    if (state.parties.length >= MOST_PARTIES) continue;
    const party: Party = { ...event.newcomer, id: `p${number}`, tableIds: [] };
    const { answer, differences } = ask(state, party, event.which, tally);
    if (differences.length > 0) return differences;
    if (answer.kind !== 'seated') continue;
    const before = faultsOf(state, state.parties);
    const next = {
      ...state,
      parties: partiesAfter(state.parties, { ...party, tableIds: answer.tables }, answer),
    };
    const faults = faultsOf(next, state.parties).filter((fault) => !before.includes(fault));
    if (faults.length > 0) return faults;
    state = next;
  }
  return each(state);
};

/** The state at the end of the evening, by the engine. */
const endOf = ({ room, claims, events }: Evening): State => {
  let state: State = { room, claims, parties: [] };
  for (const [number, event] of events.entries()) {
    state = after(state, event);
    if (event.kind !== 'request' || state.parties.length >= MOST_PARTIES) continue;
    const party: Party = { ...event.newcomer, id: `p${number}`, tableIds: [] };
    const answer = seatParty(state.room, state.parties, state.claims, party);
    if (answer.kind === 'seated')
      state = {
        ...state,
        parties: partiesAfter(state.parties, { ...party, tableIds: answer.tables }, answer),
      };
  }
  return state;
};

const SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const STARTS = Array.from({ length: 16 }, (_, start) => start);

export const gridDifferences = (evening: Evening, budget?: number): readonly string[] => {
  const { room, parties, claims } = endOf(evening);
  const duration = 3;
  const day = seatingDayOf(room, parties, claims, budget);
  return STARTS.flatMap((start) =>
    SIZES.flatMap((size) => {
      const { kind } = seatParty(room, parties, claims, { start, end: start + duration, size }, budget);
      const offered = day.kindAt({ start, end: start + duration }, size);
      return kind === offered ? [] : [`${start}, ${size}: ${kind}, in the grid ${offered}`];
    }),
  );
};

export const boundedDifferences = (evening: Evening, budget: number): readonly string[] => {
  const { room, parties, claims } = endOf(evening);
  return STARTS.flatMap((start) =>
    [1, 2, 4, 6].flatMap((size) => {
      const newcomer = { start, end: start + 3, size };
      const { kind } = seatParty(room, parties, claims, newcomer, budget);
      const full = seatParty(room, parties, claims, newcomer);
      return kind === 'undecided' || kind === full.kind
        ? []
        : [`${start}, ${size}: ${kind} instead of ${full.kind}`];
    }),
  );
};
