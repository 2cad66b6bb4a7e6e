import { overlaps } from '../../../kernel/time.ts';
import { fitsAlone, isBusy, type Floor, type Guest } from './floor.ts';
import type { Work } from './search.ts';

/** More moves are left to the search. */
const MOST_MOVES = 4;

/** Tables by number, of the newcomer and of every moved guest. */
export type Moves = ReadonlyMap<Guest, readonly number[]>;

interface Repair {
  readonly floor: Floor;
  /** Current guests by table. */
  readonly held: readonly Set<Guest>[];
  readonly placed: Map<Guest, readonly number[]>;
  readonly work: Work;
}

interface Step {
  readonly tables: readonly number[];
  readonly ejected: readonly Guest[];
}

/** Guests to eject if `guest` takes the table; null: a claim or an already placed guest is there. */
const inTheWay = ({ floor, held, placed, work }: Repair, guest: Guest, table: number): Guest[] | null => {
  work.left--;
  if (isBusy(floor.fixed[table], guest)) return null;
  const found: Guest[] = [];
  for (const other of held[table] ?? []) {
    if (!overlaps(other, guest)) continue;
    if (placed.has(other)) return null;
    found.push(other);
  }
  return found;
};

interface Place {
  readonly table: number;
  readonly seats: number;
  readonly ejected: readonly Guest[];
}

const addJoins = (
  repair: Repair,
  size: number,
  places: readonly Place[],
  most: number,
  add: (step: Step) => void,
): void => {
  const seatsFrom = places.map(() => 0);
  for (let at = places.length - 1, sum = 0; at >= 0; at--) seatsFrom[at] = sum += places[at]?.seats ?? 0;
  const grow = (at: number, tables: readonly number[], seats: number, ejected: readonly Guest[]): void => {
    if (repair.work.left <= 0) return;
    repair.work.left--;
    if (tables.length >= 2 && seats >= size) {
      add({ tables, ejected });
      return;
    }
    const next = places[at];
    if (next === undefined || seats + (seatsFrom[at] ?? 0) < size) return;
    const more = [...ejected, ...next.ejected.filter((guest) => !ejected.includes(guest))];
    if (more.length <= most) grow(at + 1, [...tables, next.table], seats + next.seats, more);
    grow(at + 1, tables, seats, ejected);
  };
  grow(0, [], 0, []);
};

/** Fewest ejected guests first, then fewest seats. */
const stepsFor = (repair: Repair, guest: Guest, most: number): readonly Step[] => {
  const { floor } = repair;
  const { size } = guest;
  const ranked: { step: Step; seats: number }[] = [];
  const add = (step: Step): void => {
    const seats = step.tables.reduce((sum, table) => sum + (floor.seatsMax[table] ?? 0), 0);
    ranked.push({ step, seats });
  };
  const places = floor.ids.map((_, table): Place | null => {
    const seats = floor.seatsMax[table] ?? 0;
    const ejected = seats === 0 ? null : inTheWay(repair, guest, table);
    return ejected === null || ejected.length > most ? null : { table, seats, ejected };
  });
  for (const place of places)
    if (place !== null && fitsAlone(floor, place.table, size))
      add({ tables: [place.table], ejected: place.ejected });
  for (const group of floor.groups) {
    const inGroup = group
      .map((table) => places[table] ?? null)
      .filter((place) => place !== null)
      .filter(({ table }) => !fitsAlone(floor, table, size))
      .sort((a, b) => b.seats - a.seats || a.table - b.table);
    addJoins(repair, size, inGroup, most, add);
  }
  ranked.sort((a, b) => a.step.ejected.length - b.step.ejected.length || a.seats - b.seats);
  return ranked.map(({ step }) => step);
};

/** Places every waiting guest, ejecting at most `most` others. */
const placeAll = (repair: Repair, waiting: readonly Guest[], most: number): boolean => {
  const [guest, ...others] = waiting;
  if (guest === undefined) return true;
  const { held, placed } = repair;
  for (const { tables, ejected } of stepsFor(repair, guest, most)) {
    if (repair.work.left <= 0) return false;
    for (const each of ejected) for (const table of each.own) held[table]?.delete(each);
    for (const table of tables) held[table]?.add(guest);
    placed.set(guest, tables);
    if (placeAll(repair, [...others, ...ejected], most - ejected.length)) return true;
    placed.delete(guest);
    for (const table of tables) held[table]?.delete(guest);
    for (const each of ejected) for (const table of each.own) held[table]?.add(each);
  }
  return false;
};

/**
 * Ejection chains: the newcomer takes tables of others, these take free tables or those of others, with as few moves
 * as possible. Null proves nothing. The current tables of `guests` must not clash.
 */
export const repairFor = (
  floor: Floor,
  guests: readonly Guest[],
  newcomer: Guest,
  work: Work,
): Moves | null => {
  const held = floor.ids.map(() => new Set<Guest>());
  for (const guest of guests) for (const table of guest.own) held[table]?.add(guest);
  for (let most = 1; most <= MOST_MOVES && work.left > 0; most++) {
    const repair: Repair = { floor, held, placed: new Map(), work };
    if (placeAll(repair, [newcomer], most)) return repair.placed;
  }
  return null;
};
