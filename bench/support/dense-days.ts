/** Generated days of nearly full rooms; deterministic by seed. */
import { seededDice, type Dice } from '../../src/pricing/domain/deals/arbitraries.test-support.ts';
import type { Party, Room, Table } from '../../src/bookings/domain/seating/room.ts';
import type { seatParty } from '../../src/bookings/domain/seating/seat-party.ts';
import { addMinutes, type Instant } from '../../src/kernel/time.ts';

export interface RoomKind {
  readonly name: string;
  /** Tables by least and most guests, and how many in each group of joins. */
  readonly tables: readonly {
    readonly min: number;
    readonly max: number;
    readonly count: number;
  }[];
  readonly groups: number;
  readonly groupSize: number;
  readonly bookings: number;
}

interface Day {
  readonly room: Room;
  readonly parties: readonly Party[];
}

/** From the opening on, every quarter of an hour. */
export const STARTS: readonly Instant[] = Array.from({ length: 20 }, (_, at) => addMinutes(0, at * 15));
export const DURATION = addMinutes(0, 90);
export const SIZES: readonly number[] = Array.from({ length: 12 }, (_, at) => at + 1);

const PARTIES = [1, 2, 2, 2, 2, 2, 3, 3, 4, 4, 4, 4, 5, 6, 6, 7, 8, 10];
const MOST_REQUESTS = 400;

const roomOf = ({ tables, groups, groupSize }: RoomKind): Room => {
  const all = tables.flatMap(({ min, max, count }) => Array.from({ length: count }, () => ({ min, max })));
  const named = all.map(({ min, max }, at): Table => ({
    ...{ id: `t${String(at).padStart(2, '0')}`, seatsMin: min, seatsMax: max },
  }));
  return {
    tables: named,
    joins: Array.from({ length: groups }, (_, group) => ({
      id: `g${group}`,
      tableIds: named
        .filter((_table, at) => at % groups === group)
        .slice(0, groupSize)
        .map(({ id }) => id),
    })),
  };
};

const oneOf = <T>(dice: Dice, things: readonly T[]): T => things[dice(things.length)] as T;

/** Parties come one after the other until the room holds as many as its kind says. */
export const denseDay = (seat: typeof seatParty, kind: RoomKind, seed: number): Day => {
  const dice = seededDice(seed);
  const room = roomOf(kind);
  let parties: readonly Party[] = [];
  for (let request = 0; request < MOST_REQUESTS && parties.length < kind.bookings; request++) {
    const start = oneOf(dice, STARTS);
    const newcomer = { start, end: start + DURATION, size: oneOf(dice, PARTIES) };
    const found = seat(room, parties, [], newcomer);
    if (found.kind !== 'seated') continue;
    const moved = new Map(found.moves.map((move) => [move.partyId, move.tableIds]));
    parties = [
      ...parties.map((party) => ({ ...party, tableIds: moved.get(party.id) ?? party.tableIds })),
      { ...newcomer, id: `p${String(request).padStart(4, '0')}`, tableIds: found.tables },
    ];
  }
  return { room, parties };
};

const CAFE = {
  ...{ groups: 2, groupSize: 5 },
  tables: [
    { min: 1, max: 2, count: 7 },
    { min: 1, max: 4, count: 9 },
    { min: 2, max: 6, count: 4 },
  ],
};
const RESTAURANT = {
  ...{ groups: 3, groupSize: 5 },
  tables: [
    { min: 1, max: 2, count: 9 },
    { min: 1, max: 4, count: 13 },
    { min: 2, max: 6, count: 5 },
    { min: 4, max: 8, count: 3 },
  ],
};
export const ROOMS: readonly RoomKind[] = [
  { name: 'café, 20 tables, 34 bookings', ...CAFE, bookings: 34 },
  { name: 'café, 20 tables, 56 bookings', ...CAFE, bookings: 56 },
  { name: 'restaurant, 30 tables, 78 bookings', ...RESTAURANT, bookings: 78 },
];
