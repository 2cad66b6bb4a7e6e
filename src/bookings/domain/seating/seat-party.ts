import { overlaps, type Span } from '../../../kernel/time.ts';
import { dayOf, stayOn } from './day.ts';
import { decide } from './decide.ts';
import { findSeat } from './find-seat.ts';
import { claimsBy, type Newcomer, type Party, type Room, type TableClaim } from './room.ts';

export interface Move {
  readonly partyId: string;
  readonly tableIds: readonly string[];
}

/** `undecided`: the work bound was reached; counts as not available. */
export type Seating =
  | { readonly kind: 'seated'; readonly tables: readonly string[]; readonly moves: readonly Move[] }
  | { readonly kind: 'full' }
  | { readonly kind: 'undecided' };

const finish = <T>(parts: Generator<void, T>): T => {
  let part = parts.next();
  while (part.done !== true) part = parts.next();
  return part.value;
};

/** Steps of a search times the cube of the tables; see docs/decisions/0033-exact-seating.md. */
const SEATING_BUDGET = 8_000_000;

/**
 * Whether some assignment of tables seats all parties and the newcomer, and which one (Decisions 9). `claims` stay;
 * `parties` may be moved. A newcomer that needs no move gets the table of `findSeat`.
 */
export const seatParty = (
  room: Room,
  parties: readonly Party[],
  claims: readonly TableClaim[],
  newcomer: Newcomer,
  budget = SEATING_BUDGET,
): Seating => {
  const day = dayOf(room, parties, claims);
  const decision = finish(decide(stayOn(day, newcomer), day.leastEqual(newcomer.size), budget));
  if (decision.kind === 'free') {
    const held = parties.filter((party) => overlaps(party, newcomer)).flatMap(claimsBy);
    const tables = findSeat(room.tables, room.joins, [...claims, ...held], newcomer, newcomer.size);
    if (tables === null) throw new Error('Tables that were found free are not.');
    return { kind: 'seated', tables, moves: [] };
  }
  if (decision.kind !== 'moved') return { kind: decision.kind };
  const idsOf = (tables: readonly number[]): string[] =>
    [...tables].sort((a, b) => a - b).map((table) => day.floor.ids[table] ?? '');
  const moves = [...decision.places]
    .filter(([guest]) => guest !== decision.newcomer)
    .map(([guest, tables]) => ({ guest, tableIds: idsOf(tables) }))
    .filter(({ guest, tableIds }) => tableIds.join('\n') !== idsOf(guest.own).join('\n'))
    .map(({ guest, tableIds }) => ({ partyId: guest.id, tableIds }))
    .sort((a, b) => (a.partyId < b.partyId ? -1 : 1));
  return { kind: 'seated', tables: idsOf(decision.places.get(decision.newcomer) ?? []), moves };
};

/** The answers of `seatParty` to many questions about the same parties; each is decided once. */
export interface SeatingDay {
  /** Null: not decided yet. */
  readonly knownAt: (stay: Span, size: number) => Seating['kind'] | null;
  /** Pauses between its parts. */
  readonly decideAt: (stay: Span, size: number) => Generator<void, Seating['kind']>;
  readonly kindAt: (stay: Span, size: number) => Seating['kind'];
}

export const seatingDayOf = (
  room: Room,
  parties: readonly Party[],
  claims: readonly TableClaim[],
  budget = SEATING_BUDGET,
): SeatingDay => {
  const day = dayOf(room, parties, claims);
  const known = new Map<string, Seating['kind']>();
  const keyOf = ({ start, end }: Span, size: number): string => `${start} ${end} ${day.leastEqual(size)}`;
  const knownAt: SeatingDay['knownAt'] = (stay, size) => known.get(keyOf(stay, size)) ?? null;
  const decideAt = function* (stay: Span, size: number): Generator<void, Seating['kind']> {
    const { kind } = yield* decide(stayOn(day, stay), day.leastEqual(size), budget);
    const answer = kind === 'free' || kind === 'moved' ? 'seated' : kind;
    known.set(keyOf(stay, size), answer);
    return answer;
  };
  return {
    knownAt,
    decideAt,
    kindAt: (stay, size) => knownAt(stay, size) ?? finish(decideAt(stay, size)),
  };
};
