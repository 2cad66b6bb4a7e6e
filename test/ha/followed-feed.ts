/** The change feed as a process reads it from one PostgreSQL, and what the log of another one has. */
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { FEED_CHANNEL, readFeed } from '../../src/platform/store/change-feed.ts';
import { connect } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';

const POLL_MS = 20;

/** A transaction's changes of a shop. */
type Published = string;

export interface FollowedFeed {
  /** All transactions from this one on are read. */
  readonly first: string;
  readonly read: ReadonlySet<Published>;
  /** Throws when the reader began anew, since it may have missed some. */
  stop(): Promise<void>;
}

/** Reads until it is stopped. */
export const followFeed = async (url: string): Promise<FollowedFeed> => {
  // A standby refuses to listen.
  const listening = { channel: FEED_CHANNEL, onNotice: () => undefined };
  const db = connect<Database>({ url }, { listening });
  const read = new Set<Published>();
  let { position } = await readFeed(db.kysely, null);
  const first = position.next;
  const stopping = new AbortController();
  const following = (async () => {
    while (!stopping.signal.aborted) {
      const answer = await readFeed(db.kysely, position);
      if (answer.changes === null) throw new Error('the reader began anew');
      for (const { orgId, version } of answer.changes) read.add(`${orgId} ${version}`);
      position = answer.position;
      await pause(POLL_MS);
    }
  })();
  following.catch(() => undefined);
  return {
    ...{ first, read },
    stop: async () => {
      stopping.abort();
      await following.finally(() => db.close());
    },
  };
};

/** What the transactions from `first` on have published. */
export const publishedFrom = async (client: pg.Client, first: string): Promise<readonly Published[]> => {
  const { rows } = await client.query<{ published: Published }>(
    `select org_id || ' ' || max(seq) as published from change
     where transaction_id >= $1::xid8 group by org_id, transaction_id`,
    [first],
  );
  return rows.map(({ published }) => published);
};
