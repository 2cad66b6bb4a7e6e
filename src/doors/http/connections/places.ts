/**
 * Places limit the requests that are being answered, from the end of the body until the handler returns, its stream
 * begins, or the connection closes. One client may hold a tenth (Decisions 15), of which eleven run at once. Work whose
 * client has hung up still counts for that client; all work together is at most twice the places.
 */
import { createClientQueue } from '../limits/client-queue.ts';
import { ClientGone, type Connection } from './connections.ts';
import { fullRefusal, Share } from './share.ts';

export interface Places {
  /** Runs `work` in a place, which `leave` releases early. Throws RATE_LIMITED, UNAVAILABLE, ClientGone. */
  hold(client: string, connection: Connection, work: (leave: () => void) => Promise<void>): Promise<void>;
  readonly held: () => number;
  /** Work whose client has hung up. */
  readonly abandoned: () => number;
  /** Abandoned work older than a minute: no handler waits that long. */
  readonly stuck: () => number;
}

const STUCK_MS = 60_000;

export const createPlaces = (most: number, isDivided: boolean, monotonic: () => number): Places => {
  const places = new Share(most, isDivided);
  const abandoned = new Share(Infinity, false);
  /** Monotonic ms. */
  const abandonedAt = new Map<object, number>();
  const queue = createClientQueue(isDivided);
  return {
    hold: async (client, connection, work) => {
      const isOverrun = places.held + abandoned.held >= 2 * most;
      const full = places.full(client, 1 + abandoned.heldBy(client)) ?? (isOverrun ? 'all' : null);
      if (full !== null) throw fullRefusal(full);
      places.acquire(client);
      const state = { isHeld: true };
      connection.holds.places += 1;
      const leave = (): void => {
        if (!state.isHeld) return;
        places.release(client);
        connection.holds.places -= 1;
        state.isHeld = false;
      };
      const forgetClose = connection.onClose(() => {
        if (state.isHeld) {
          abandoned.acquire(client);
          abandonedAt.set(state, monotonic());
        }
        leave();
      });
      try {
        await queue(client, () => {
          if (connection.isClosed) throw new ClientGone();
          return work(leave);
        });
      } finally {
        forgetClose();
        leave();
        if (abandonedAt.delete(state)) abandoned.release(client);
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
