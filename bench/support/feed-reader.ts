/** A process that hears of the changes of many shops, as a server does, and does nothing else. */
import { systemTimers } from '../../src/adapters/timers.ts';
import type { EmbeddedConnection } from '../../src/adapters/embedded-postgres.ts';
import { ChangeFeed } from '../../src/platform/app/changes/change-feed.ts';
import { ChangePublisher } from '../../src/platform/app/changes/change-publisher.ts';
import { FEED_CHANNEL } from '../../src/platform/store/change-feed.ts';
import { connect } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { idOf } from './feed-shops.ts';

const { connection, shops } = JSON.parse(process.argv[2] ?? '') as {
  connection: EmbeddedConnection;
  shops: number;
};

const fail = (fault: unknown): void => {
  if (fault !== null) throw new Error('The feed failed.', { cause: fault });
};

/** The last change of each shop that is watched. */
const watched = new Map(Array.from({ length: shops }, (_, shop) => [idOf(shop + 1), 0]));
const changePublisher = new ChangePublisher(fail);
changePublisher.subscribe({
  changed: ({ orgId, version }) => {
    if (watched.has(orgId)) watched.set(orgId, version);
  },
});
const db = connect<Database>(connection, {
  ...{ size: 1, applicationName: 'ahwa bench feed', onLost: fail },
  listening: { channel: FEED_CHANNEL, onNotice: (sender) => feed.wake(sender) },
});
const feed = new ChangeFeed({
  ...{ db, changePublisher, processName: 'reader', timers: systemTimers, onFailure: fail },
  monotonic: () => performance.now(),
});
feed.start();
process.on('SIGTERM', () => process.exit(0));
setInterval(() => undefined, 60_000);
console.log('reading');
