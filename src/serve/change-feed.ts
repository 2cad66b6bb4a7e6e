import { systemTimers } from '../adapters/timers.ts';
import { faultFields } from '../doors/http/log.ts';
import { ChangeFeed } from '../platform/app/changes/change-feed.ts';
import { FEED_CHANNEL } from '../platform/store/change-feed.ts';
import { connect, type Db } from '../platform/store/db.ts';
import type { Database } from '../platform/store/schema.ts';
import type { Runtime } from '../wiring.ts';

export interface OpenedFeed {
  readonly feed: ChangeFeed;
  readonly db: Db<Database>;
  close(): Promise<void>;
}

/**
 * On a connection of its own, so that requests cannot delay it. It waits longer than others: a short stall of the event
 * loop must not count as a lost database.
 */
export const openChangeFeed = ({ app, connection, onLost, log }: Runtime): OpenedFeed => {
  const db = connect<Database>(connection, {
    ...{ size: 1, acquireMs: 3_000, applicationName: 'ahwa changes', onLost, nodes: app.db.nodes },
    listening: { channel: FEED_CHANNEL, onNotice: (sender) => feed.wake(sender) },
  });
  const feed = new ChangeFeed({
    ...{ db, changePublisher: app.changePublisher, processName: app.random.uuid() },
    ...{ timers: systemTimers, monotonic: () => performance.now() },
    onFailure: (failure) =>
      failure === null
        ? log.info({}, 'the change feed answers again')
        : log.warn(faultFields(failure), 'the change feed does not answer'),
  });
  return {
    ...{ feed, db },
    close: () => {
      feed.stop();
      return db.close();
    },
  };
};
