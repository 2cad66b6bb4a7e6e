import { systemTimers } from '../adapters/timers.ts';
import { LimitSettling } from '../platform/app/limits/settling.ts';
import { connect } from '../platform/store/db.ts';
import type { Database } from '../platform/store/schema.ts';
import type { Runtime } from '../wiring.ts';

const SETTLE_MS = 500;

export interface SharedLimits {
  readonly settling: LimitSettling;
  /** Waits for a settling under way. */
  close(): Promise<void>;
}

/**
 * On a connection of its own: limits matter most when everything else waits for the database. It is opened when a client
 * is settled, and closed after a minute without one. A slow statement is given up, and tried again.
 */
export const openSharedLimits = ({ app, connection, log }: Runtime): SharedLimits => {
  const db = connect<Database>(connection, {
    ...{ size: 1, acquireMs: 2_000, statementMs: 2_000, answerMs: 3_000, applicationName: 'ahwa limits' },
    nodes: app.db.nodes,
    // The next settling says so.
    onLost: () => undefined,
  });
  const settling = new LimitSettling({ ...app, db, monotonic: () => performance.now(), log });
  const stop = systemTimers.every(SETTLE_MS, () => void settling.settle());
  return {
    settling,
    close: async () => {
      stop();
      await settling.settle();
      await db.close();
    },
  };
};
