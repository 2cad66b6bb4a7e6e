/**
 * Whether parties find room, by start and size, for each service date that was read. The key of a grid is what was read:
 * room, parties and claims. So a grid is never older than the snapshot of its reader, whoever wrote, and needs no
 * expiry: a hold that ends is no longer read.
 *
 * A grid holds the sizes that were asked for. Each start is decided once, in parts with a turn of the event loop each.
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

/** `ahead`: before anybody asks, after a change of the date. */
export type SeatingUse = 'request' | 'ahead';

export class SeatingGrids {
  /** Starts decided since the start of the process, by use. */
  readonly decided: Record<SeatingUse, number> = { request: 0, ahead: 0 };
  readonly #days = new LRUCache<string, SeatingDay>({ max: MOST_GRIDS });

  /** For every stay, whether one more party of `size` finds room. */
  async kindsOf(
    seats: Seats,
    stays: readonly Span[],
    size: number,
    use: SeatingUse,
  ): Promise<readonly Seating['kind'][]> {
    const day = this.#dayOf(seats);
    const kinds: Seating['kind'][] = [];
    for (const stay of stays)
      kinds.push(day.knownAt(stay, size) ?? (await this.#decide(day, stay, size, use)));
    return kinds;
  }

  async #decide(day: SeatingDay, stay: Span, size: number, use: SeatingUse): Promise<Seating['kind']> {
    this.decided[use] += 1;
    const parts = day.decideAt(stay, size);
    for (;;) {
      await nextTurn();
      const part = parts.next();
      if (part.done === true) return part.value;
    }
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
