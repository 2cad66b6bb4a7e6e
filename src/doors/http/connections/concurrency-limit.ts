/**
 * Limits the requests that are being answered: each holds a permit, from the end of the body until the handler
 * returns, its stream begins, or the connection closes. One client may hold a tenth (Decisions 15), of which eleven run
 * at once. Work whose client has hung up still counts for that client; all work together is at most twice the permits.
 */
import { createClientQueue } from '../limits/client-queue.ts';
import { ClientGone, type Connection } from './connections.ts';
import { exhaustedRefusal, FairShare } from './fair-share.ts';

export interface ConcurrencyLimit {
  /** Runs `work` with a permit, which `release` releases early. Throws RATE_LIMITED, UNAVAILABLE, ClientGone. */
  run(client: string, connection: Connection, work: (release: () => void) => Promise<void>): Promise<void>;
  readonly held: () => number;
  /** Work whose client has hung up. */
  readonly abandoned: () => number;
  /** Abandoned work older than a minute: no handler waits that long. */
  readonly stuck: () => number;
}

const STUCK_MS = 60_000;

export const createConcurrencyLimit = (
  most: number,
  isDivided: boolean,
  monotonic: () => number,
): ConcurrencyLimit => {
  const permits = new FairShare(most, isDivided);
  const abandoned = new FairShare(Infinity, false);
  /** Monotonic ms. */
  const abandonedAt = new Map<object, number>();
  const queue = createClientQueue(isDivided);
  return {
    run: async (client, connection, work) => {
      const isOverrun = permits.held + abandoned.held >= 2 * most;
      const full = permits.full(client, 1 + abandoned.heldBy(client)) ?? (isOverrun ? 'all' : null);
      if (full !== null) throw exhaustedRefusal(full);
      permits.acquire(client);
      const state = { isHeld: true };
      connection.holds.permits += 1;
      const release = (): void => {
        if (!state.isHeld) return;
        permits.release(client);
        connection.holds.permits -= 1;
        state.isHeld = false;
      };
      const offClose = connection.onClose(() => {
        if (state.isHeld) {
          abandoned.acquire(client);
          abandonedAt.set(state, monotonic());
        }
        release();
      });
      try {
        await queue(client, () => {
          if (connection.isClosed) throw new ClientGone();
          return work(release);
        });
      } finally {
        offClose();
        release();
        if (abandonedAt.delete(state)) abandoned.release(client);
      }
    },
    held: () => permits.held,
    abandoned: () => abandoned.held,
    stuck: () => {
      const before = monotonic() - STUCK_MS;
      return [...abandonedAt.values()].filter((at) => at < before).length;
    },
  };
};
