import { overlaps, type Instant, type Span } from '../../../kernel/time.ts';
import { demandsOn, exceeds, type Demands } from './demand.ts';
import { fitsAlone, floorOf, guestOf, guestsOf, isBusy, type Floor, type Guest } from './floor.ts';
import type { Party, Room, TableClaim } from './room.ts';
import { proofsFor, type Proofs } from './prices.ts';
import { assign } from './search.ts';

/** Steps of one proof that the guests of an instant cannot be seated at once. */
const INSTANT_WORK = 5_000;

/** What all questions about a day share. */
export interface Day {
  readonly floor: Floor;
  readonly demands: Demands;
  readonly guests: readonly Guest[];
  /** Guests without tables, or whose tables another claim overlaps. */
  readonly clashing: ReadonlySet<Guest>;
  /** The least size with the same tables and joins. */
  readonly leastEqual: (size: number) => number;
  /** Whether the guests present at `instant` and the newcomer provably need more than the tables. */
  readonly exceedsAt: InstantProof;
  /** The same, by a search for places of all of them at once. */
  readonly isFullAt: InstantProof;
  /** Proofs over several instants. */
  readonly proofsFor: (linked: readonly Guest[]) => Proofs;
}

type InstantProof = (stay: Stay, instant: Instant, size: number) => boolean;

/** What all sizes of newcomers with one stay share. */
export interface Stay extends Span {
  readonly day: Day;
  /** Guests that overlap the stay, or a guest of this list. */
  readonly linked: readonly Guest[];
  /** False: the current tables of the linked guests clash. */
  readonly holds: boolean;
  /** By table: no claim that stays. */
  readonly open: readonly boolean[];
  /** The other tables, as text. */
  readonly shut: string;
  /** By table: neither such a claim nor a current guest. */
  readonly free: readonly boolean[];
  /** The start, and the later starts of guests: at one of them the most guests are present. */
  readonly instants: readonly Instant[];
}

/** Whether the rules give some of the tables to a party. */
export const hasPlace = (floor: Floor, size: number, isFree: (table: number) => boolean): boolean => {
  for (const table of floor.ids.keys()) if (fitsAlone(floor, table, size) && isFree(table)) return true;
  return floor.groups.some((group) => {
    let [seats, count] = [0, 0];
    for (const table of group)
      if (isFree(table)) [seats, count] = [seats + (floor.seatsMax[table] ?? 0), count + 1];
    return count >= 2 && seats >= size;
  });
};

const clashingIn = ({ ids, fixed }: Floor, guests: readonly Guest[]): ReadonlySet<Guest> => {
  const clashing = new Set(guests.filter(({ own }) => own.length === 0));
  for (const table of ids.keys()) {
    const here = guests.filter(({ own }) => own.includes(table));
    for (const guest of here)
      if (isBusy(fixed[table], guest) || here.some((other) => other !== guest && overlaps(other, guest)))
        clashing.add(guest);
  }
  return clashing;
};

/** Sums of seats that two or more tables of a group can have, up to `most`. */
const joinSums = (floor: Floor, group: readonly number[], most: number): ReadonlySet<number> => {
  const sums = [new Set([0]), new Set<number>(), new Set<number>()] as const;
  for (const table of group) {
    const seats = floor.seatsMax[table] ?? 0;
    for (const sum of [...sums[2], ...sums[1]]) if (sum < most) sums[2].add(sum + seats);
    sums[1].add(seats);
  }
  return sums[2];
};

/** Two sizes between which no table and no join begins or ends to fit have equal answers. */
const leastEqualIn = (floor: Floor) => {
  const known = new Map<number, number>();
  const differs = (size: number): boolean =>
    floor.ids.some((_, table) => fitsAlone(floor, table, size) !== fitsAlone(floor, table, size - 1)) ||
    floor.groups.some((group) => joinSums(floor, group, size).has(size - 1));
  return (size: number): number => {
    let least = known.get(size) ?? size;
    while (least > 1 && !differs(least)) least--;
    known.set(size, least);
    return least;
  };
};

/** The largest first: they have the fewest places. */
const bySize = (a: Guest, b: Guest): number => b.size - a.size;

const presentAt = (guests: readonly Guest[], instant: Instant): readonly Guest[] =>
  guests.filter(({ start, end }) => start <= instant && instant < end);

const remembered = (prove: InstantProof): InstantProof => {
  const known = new Map<string, boolean>();
  return (stay, instant, size) => {
    const key = `${instant} ${size} ${stay.shut}`;
    const proof = known.get(key) ?? prove(stay, instant, size);
    known.set(key, proof);
    return proof;
  };
};

const instantProofs = (floor: Floor, demands: Demands, guests: readonly Guest[]) => {
  const exceedsAt = remembered((stay, instant, size) => {
    const moment = { start: instant, end: instant + 1 };
    const all = [...presentAt(guests, instant), guestOf({ size, start: stay.start, end: stay.end })];
    return exceeds(demands, all.map(demands.of), (table) => !isBusy(floor.fixed[table], moment));
  });
  const isFullAt = remembered((stay, instant, size) => {
    const present = presentAt(guests, instant);
    const held = new Set(present.flatMap(({ own }) => own));
    const isFree = (table: number): boolean => stay.open[table] === true && !held.has(table);
    if (stay.holds && hasPlace(floor, size, isFree)) return false;
    const newcomer = guestOf({ size, start: stay.start, end: stay.end });
    const all = [...present, newcomer].sort(bySize);
    const work = { left: INSTANT_WORK };
    return assign({ floor, demands, guests: all, busy: floor.fixed, at: instant }, work) === 'none';
  });
  return { exceedsAt, isFullAt };
};

/** Linked guests follow one another in order of start. */
const proofsIn = (floor: Floor) => {
  const known = new Map<string, Proofs>();
  return (linked: readonly Guest[]): Proofs => {
    const key = `${linked[0]?.id ?? ''}\n${linked.at(-1)?.id ?? ''}`;
    const proofs = known.get(key) ?? proofsFor(floor, linked);
    known.set(key, proofs);
    return proofs;
  };
};

export const dayOf = (room: Room, parties: readonly Party[], claims: readonly TableClaim[]): Day => {
  const floor = floorOf(room, parties, claims);
  const guests = guestsOf(floor, parties);
  const demands = demandsOn(floor);
  return {
    ...{ floor, demands, guests, clashing: clashingIn(floor, guests) },
    leastEqual: leastEqualIn(floor),
    ...instantProofs(floor, demands, guests),
    proofsFor: proofsIn(floor),
  };
};

/** From the first start to the last end. */
export const hullOf = (first: Span, others: readonly Span[]): Span => {
  let { start, end } = first;
  for (const other of others) [start, end] = [Math.min(start, other.start), Math.max(end, other.end)];
  return { start, end };
};

const linkedWith = (guests: readonly Guest[], span: Span): readonly Guest[] => {
  const near = guests.filter((guest) => overlaps(guest, span));
  const hull = hullOf(span, near);
  return hull.start === span.start && hull.end === span.end ? near : linkedWith(guests, hull);
};

export const stayOn = (day: Day, { start, end }: Span): Stay => {
  const { floor, guests, clashing } = day;
  const linked = linkedWith(guests, { start, end });
  const present = linked.filter((guest) => overlaps(guest, { start, end }));
  const open = floor.ids.map((_, table) => !isBusy(floor.fixed[table], { start, end }));
  const free = [...open];
  for (const { own } of present) for (const table of own) free[table] = false;
  const starts = present.map((guest) => guest.start).filter((each) => each > start);
  return {
    ...{ start, end, day, linked, open, free },
    shut: [...open.keys()].filter((table) => open[table] !== true).join(),
    holds: !linked.some((guest) => clashing.has(guest)),
    instants: [...new Set([start, ...starts])],
  };
};
