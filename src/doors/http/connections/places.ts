/**
 * Places of requests that are being answered: from the end of the body until the handler has answered, its stream has
 * begun, or the connection has closed. One client may hold a tenth (Decisions 15); work that goes on after its client
 * has hung up still counts as that client's, and all work together is at most twice the places.
 */
import type { Connection } from './connections.ts';
import { fullRefusal, Share } from './share.ts';

export interface Places {
  /** Does `work` in a place, which `leave` gives back early. Throws RATE_LIMITED, UNAVAILABLE. */
  hold(client: string, connection: Connection, work: (leave: () => void) => Promise<void>): Promise<void>;
  readonly held: () => number;
  /** Work that goes on though its client has hung up. */
  readonly abandoned: () => number;
  /** How much of it has gone on for a minute since: no handler waits for anything so long. */
  readonly stuck: () => number;
}

const STUCK_MS = 60_000;

export const createPlaces = (most: number, isDivided: boolean, monotonic: () => number): Places => {
  const places = new Share(most, isDivided);
  /** Work that goes on though nobody waits for it. */
  const abandoned = new Share(Infinity, false);
  /** Since when. */
  const abandonedAt = new Map<object, number>();
  return {
    hold: async (client, connection, work) => {
      const isOverrun = places.held + abandoned.held >= 2 * most;
      const full = places.full(client, 1 + abandoned.heldBy(client)) ?? (isOverrun ? 'all' : null);
      if (full !== null) throw fullRefusal(full);
      places.take(client);
      const state = { isHeld: true };
      connection.holds.places += 1;
      const leave = (): void => {
        if (!state.isHeld) return;
        places.give(client);
        connection.holds.places -= 1;
        state.isHeld = false;
      };
      const forgetClose = connection.atClose(() => {
        if (state.isHeld) {
          abandoned.take(client);
          abandonedAt.set(state, monotonic());
        }
        leave();
      });
      try {
        await work(leave);
      } finally {
        forgetClose();
        leave();
        if (abandonedAt.delete(state)) abandoned.give(client);
      }
    },
    held: () => places.held,
    abandoned: () => abandoned.held,
    stuck: () => {
      const before = monotonic() - STUCK_MS;
      return [...abandonedAt.values()].filter((at) => at < before).length;
    },
  };
};
