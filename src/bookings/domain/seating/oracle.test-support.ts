/**
 * The rule of seating, written a second time: every set of tables for every party. Slow; shares only types with the
 * engine.
 */
import type { Span } from '../../../kernel/time.ts';
import type { Newcomer, Party, Room, Table, TableClaim } from './room.ts';

const meet = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

const seatsOf = (tables: readonly Table[]): number => tables.reduce((sum, { seatsMax }) => sum + seatsMax, 0);

const subsetsOf = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  items.reduce<readonly (readonly T[])[]>(
    (sets, item) => [...sets, ...sets.map((set) => [...set, item])],
    [[]],
  );

/** Every set of tables that the rules give to a party of `size`. */
export const setsFor = ({ tables, joins }: Room, size: number): readonly (readonly string[])[] => {
  const given = tables.filter(({ bookable }) => bookable !== false);
  const alone = given
    .filter(({ seatsMin, seatsMax }) => seatsMin <= size && size <= seatsMax)
    .map((table) => [table]);
  const joined = joins.flatMap(({ tableIds }) =>
    subsetsOf(given.filter(({ id }) => tableIds.includes(id))).filter(
      (set) => set.length >= 2 && seatsOf(set) >= size,
    ),
  );
  return [...alone, ...joined].map((set) => set.map(({ id }) => id).sort());
};

/** Without the sets that contain a smaller one: whoever finds the larger set free finds the smaller one free. */
const withoutSupersets = (sets: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  sets.filter(
    (set) => !sets.some((other) => other.length < set.length && other.every((id) => set.includes(id))),
  );

interface Guest extends Span {
  readonly sets: readonly (readonly string[])[];
}

/** Whether all guests, in order of start, can be seated. A failed state (who is next, what is taken) is not repeated. */
const canSeatAll = (guests: readonly Guest[], claims: readonly TableClaim[]): boolean => {
  const failed = new Set<string>();
  const seat = (next: number, taken: ReadonlyMap<string, number>): boolean => {
    const guest = guests[next];
    if (guest === undefined) return true;
    const still = new Map([...taken].filter(([, end]) => end > guest.start));
    const state = `${next} ${[...still]
      .map(([id, end]) => `${id}=${end}`)
      .sort()
      .join()}`;
    if (failed.has(state)) return false;
    for (const set of guest.sets) {
      if (set.some((id) => still.has(id))) continue;
      if (claims.some((claim) => set.includes(claim.tableId) && meet(claim, guest))) continue;
      if (seat(next + 1, new Map([...still, ...set.map((id) => [id, guest.end] as const)]))) return true;
    }
    failed.add(state);
    return false;
  };
  return seat(0, new Map());
};

/** Parties whose stays overlap the span, or a party that is linked with it. */
const linkedWith = (parties: readonly Party[], span: Span): readonly Party[] => {
  const linked = new Set(parties.filter((party) => meet(party, span)));
  for (let before = -1; before !== linked.size;) {
    before = linked.size;
    for (const party of parties) if ([...linked].some((other) => meet(party, other))) linked.add(party);
  }
  return parties.filter((party) => linked.has(party));
};

const guestOf =
  (room: Room) =>
  ({ start, end, size, tableIds }: Party): Guest => ({
    ...{ start, end },
    sets: withoutSupersets([...setsFor(room, size), ...(tableIds.length > 0 ? [tableIds] : [])]),
  });

/** Whether some assignment seats all parties. */
export const canSeatParties = (
  room: Room,
  parties: readonly Party[],
  claims: readonly TableClaim[],
): boolean => canSeatAll([...parties].sort((a, b) => a.start - b.start).map(guestOf(room)), claims);

/** Whether some assignment seats the newcomer and all parties linked with it. */
export const acceptsByBruteForce = (
  room: Room,
  parties: readonly Party[],
  claims: readonly TableClaim[],
  newcomer: Newcomer,
): boolean => {
  const guests = linkedWith(parties, newcomer).map(guestOf(room));
  const all = [...guests, { ...newcomer, sets: withoutSupersets(setsFor(room, newcomer.size)) }];
  return canSeatAll(
    all.sort((a, b) => a.start - b.start),
    claims,
  );
};
