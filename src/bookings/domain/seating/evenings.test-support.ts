/** Random evenings: a room, and what happens one after the other until it is nearly full. */
import fc from 'fast-check';
import { overlaps } from '../../../kernel/time.ts';
import type { Newcomer, Party, Room, Table, TableClaim } from './room.ts';
import { aGroup, aTable } from './room.test-support.ts';

const TABLE_IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const LAST_START = 12;

export interface Event {
  /** Most events are requests: see `evening`. */
  readonly kind: 'request' | 'seated' | 'by hand' | 'room' | 'cancelled' | 'block';
  readonly newcomer: Newcomer;
  /** Chooses a party or table. */
  readonly which: number;
}

export interface Evening {
  readonly room: Room;
  readonly claims: readonly TableClaim[];
  readonly events: readonly Event[];
}

export interface State {
  readonly room: Room;
  readonly parties: readonly Party[];
  readonly claims: readonly TableClaim[];
}

const anyTable = (id: string): fc.Arbitrary<Table> =>
  fc
    .tuple(fc.constantFrom(1, 1, 1, 2, 3), fc.constantFrom(1, 1, 2, 3), fc.nat(9))
    .map(([min, more, dice]) => aTable(id, min, min + more, dice === 0 ? { bookable: false } : {}));

const anyRoom: fc.Arbitrary<Room> = fc.integer({ min: 2, max: TABLE_IDS.length }).chain((count) => {
  const ids = TABLE_IDS.slice(0, count);
  return fc.record({
    tables: fc.tuple(...ids.map(anyTable)),
    joins: fc.array(
      fc
        .subarray(ids, { minLength: 2, maxLength: Math.min(5, count) })
        .map((tableIds) => aGroup(...tableIds)),
      { maxLength: 2 },
    ),
  });
});

const anySpan = fc
  .tuple(fc.nat(LAST_START), fc.constantFrom(3, 3, 3, 2, 4, 5))
  .map(([start, length]) => ({ start, end: start + length }));

const anyNewcomer: fc.Arbitrary<Newcomer> = fc
  .tuple(anySpan, fc.constantFrom(1, 2, 2, 2, 2, 3, 4, 4, 5, 6, 8))
  .map(([span, size]) => ({ ...span, size }));

const anyEvent = (others: boolean): fc.Arbitrary<Event> =>
  fc.record({
    kind: others
      ? fc.constantFrom(
          ...Array.from({ length: 14 }, () => 'request' as const),
          ...(['seated', 'seated', 'by hand', 'room', 'cancelled', 'block'] as const),
        )
      : fc.constant('request' as const),
    newcomer: anyNewcomer,
    which: fc.nat(999),
  });

/** Half of the evenings have only requests. */
export const evening: fc.Arbitrary<Evening> = fc.boolean().chain((others) =>
  fc.record({
    room: anyRoom,
    claims: fc.array(
      fc
        .tuple(fc.constantFrom(...TABLE_IDS), anySpan)
        .map(([tableId, { start, end }]) => ({ tableId, start, end })),
      { maxLength: 2 },
    ),
    events: fc.array(anyEvent(others), { minLength: 10, maxLength: 45, size: 'max' }),
  }),
);

export const MOST_PARTIES = 20;

/** The tables that no party and no claim has during the stay. */
const freeTables = ({ room, parties, claims }: State, stay: Newcomer): readonly string[] => {
  const held = [
    ...claims.filter((claim) => overlaps(claim, stay)).map(({ tableId }) => tableId),
    ...parties.filter((party) => overlaps(party, stay)).flatMap(({ tableIds }) => tableIds),
  ];
  return room.tables.map(({ id }) => id).filter((id) => !held.includes(id));
};

const changedRoom = ({ tables, joins }: Room, which: number): Room => {
  const changed = tables[which % tables.length]?.id;
  switch (which % 4) {
    case 0:
      return { tables: tables.filter(({ id }) => id !== changed), joins };
    case 1:
      return { tables, joins: joins.slice(1) };
    case 2:
      return {
        tables: tables.map((each) => (each.id === changed ? { ...each, bookable: false } : each)),
        joins,
      };
    default:
      return {
        tables: tables.map((each) => (each.id === changed ? { ...each, seatsMax: 1, seatsMin: 1 } : each)),
        joins,
      };
  }
};

/** What an event other than a request changes. */
export const after = (state: State, { kind, newcomer, which }: Event): State => {
  const { room, parties, claims } = state;
  const party = parties[which % Math.max(1, parties.length)];
  const others = parties.filter((each) => each !== party);
  switch (kind) {
    case 'request':
      return state;
    case 'cancelled':
      return { ...state, parties: others };
    case 'seated': {
      if (party === undefined) return state;
      const { start, end } = party;
      return {
        room,
        parties: others,
        claims: [...claims, ...party.tableIds.map((tableId) => ({ tableId, start, end }))],
      };
    }
    case 'by hand': {
      const free = freeTables(state, newcomer);
      const tableIds = free.slice(which % Math.max(1, free.length)).slice(0, 1 + (which % 2));
      return tableIds.length === 0 || parties.length >= MOST_PARTIES
        ? state
        : {
            ...state,
            parties: [...parties, { ...newcomer, id: `hand${which}-${parties.length}`, tableIds }],
          };
    }
    case 'room':
      return room.tables.length < 2 ? state : { ...state, room: changedRoom(room, which) };
    case 'block': {
      const { start, end } = newcomer;
      const tableId = room.tables[which % room.tables.length]?.id ?? '';
      return { ...state, claims: [...claims, { tableId, start, end }] };
    }
  }
};
