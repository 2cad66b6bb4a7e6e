/**
 * Whether parties find room, by start and size, for each service date that was read. The key of a grid is what was read:
 * room, parties and claims. So a grid is never older than the snapshot of its reader, whoever wrote, and needs no
 * expiry: a hold that ends is no longer read.
 *
 * A grid holds the sizes that were asked for. Each start is decided once, in a turn of the event loop of its own.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Span } from '../../kernel/time.ts';
import type { Party, Room, TableClaim } from '../domain/seating/room.ts';
import { seatingDayOf, type Seating, type SeatingDay } from '../domain/seating/seat-party.ts';

/** More dates than guests of one process look at between two changes; the key of a full day has 13 KB. */
const MOST_GRIDS = 100;

export interface Seats extends Room {
  readonly parties: readonly Party[];
  readonly claims: readonly TableClaim[];
}

export class SeatingGrids {
  readonly #days = new LRUCache<string, SeatingDay>({ max: MOST_GRIDS });

  /** For every stay, whether one more party of `size` finds room. */
  async kindsOf(seats: Seats, stays: readonly Span[], size: number): Promise<readonly Seating['kind'][]> {
    const day = this.#dayOf(seats);
    const kinds: Seating['kind'][] = [];
    for (const stay of stays) {
      if (!day.isDecided(stay, size)) await nextTurn();
      kinds.push(day.kindAt(stay, size));
    }
    return kinds;
  }

  #dayOf({ tables, joins, parties, claims }: Seats): SeatingDay {
    const key = JSON.stringify([tables, joins, parties, claims]);
    const day = this.#days.get(key) ?? seatingDayOf({ tables, joins }, parties, claims);
    this.#days.set(key, day);
    return day;
  }
}

declare module '../../platform/app/app.ts' {
  interface App {
    readonly seatingGrids: SeatingGrids;
  }
}
