/** What all processes have changed in any shop, read by transactions: the cost follows changes, not shops. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { ChangeScope, ScopedChanges } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from './schema.ts';

/** Up to where a process has read: a snapshot of the database server. */
export interface FeedPosition {
  /** One run of one server; transactions of another run cannot be compared. */
  readonly run: string;
  /** No transaction from here on was in the snapshot … */
  readonly next: string;
  /** … and none of these, which had not ended. */
  readonly running: readonly string[];
}

export interface FeedRead {
  readonly position: FeedPosition;
  /** As each transaction published them. Null: some may be missing, and the reader forgets what it knows of any shop. */
  readonly changes: readonly ScopedChanges[] | null;
}

/** Scopes of transactions; beyond, a reader begins anew. About a minute of what the largest installation writes. */
const MAX_ROWS = 100_000;

/** After all transactions that there can be. */
const NO_POSITION = { next: String(2n ** 64n - 1n), running: [] };

interface SnapshotRow {
  readonly run: string;
  readonly is_standby: boolean;
  /** `xmin:xmax:running`, as PostgreSQL writes it. */
  readonly snapshot: string;
}

/** What a transaction has logged of one scope. */
export interface LoggedScope {
  /** Null: no change. */
  readonly org_id: Uuid | null;
  readonly transaction_id: string;
  readonly scope: ChangeScope;
  readonly version: number;
}

type ScopeRow = SnapshotRow & LoggedScope;

/** At least one row. Planning is most of its cost, so it is one scan, and transactions are put together here. */
export const feedQuery = (
  { next, running }: Pick<FeedPosition, 'next' | 'running'>,
  mostRows: number,
): RawBuilder<ScopeRow> => sql<ScopeRow>`
  select
    concat(extract(epoch from pg_postmaster_start_time()), ' ', extract(epoch from (pg_stat_get_wal()).stats_reset)) as run,
    pg_is_in_recovery() as is_standby,
    pg_current_snapshot()::text as snapshot,
    change.org_id, change.transaction_id::text as transaction_id, change.scope, max(change.seq) as version
  from (select) as one
  left join change
    on (change.transaction_id >= ${next}::xid8 and change.transaction_id < pg_snapshot_xmax(pg_current_snapshot()))
      or change.transaction_id = any(${running}::xid8[])
  group by change.org_id, change.transaction_id, change.scope
  limit ${mostRows}`;

/** On a standby the running transactions are not known: it reads from the oldest of them, and some of them twice. */
const positionOf = ({ run, is_standby, snapshot }: SnapshotRow): FeedPosition => {
  const [oldest = '', next = '', running = ''] = snapshot.split(':');
  return { run, next: is_standby ? oldest : next, running: running === '' ? [] : running.split(',') };
};

/** As each transaction published them, the first one first. */
export const publishedIn = (rows: readonly LoggedScope[]): readonly ScopedChanges[] => {
  const published = new Map<string, ScopedChanges & { readonly scopes: ChangeScope[]; version: number }>();
  for (const { org_id: orgId, transaction_id, scope, version } of rows) {
    if (orgId === null) continue;
    const key = `${orgId} ${transaction_id}`;
    const known = published.get(key);
    if (known === undefined) published.set(key, { orgId, version, scopes: [scope] });
    else {
      known.scopes.push(scope);
      known.version = Math.max(known.version, version);
    }
  }
  return [...published.values()].sort((a, b) => a.version - b.version);
};

/** Every committed transaction is in exactly one of two reads that follow each other, also one that ran for long. */
export const readFeed = async (db: Kysely<Database>, after: FeedPosition | null): Promise<FeedRead> => {
  const from = after ?? NO_POSITION;
  const { rows } = await feedQuery(from, MAX_ROWS).execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('A left join answers with a row.');
  const position = positionOf(row);
  const isWhole =
    after?.run === position.run && BigInt(position.next) >= BigInt(from.next) && rows.length < MAX_ROWS;
  return { position, changes: isWhole ? publishedIn(rows) : null };
};

/** Processes that listen on it read the log. */
export const FEED_CHANNEL = 'ahwa_changes';

/**
 * Wakes the other processes; `sender` is this one. A statement of its own: within a transaction that writes, commits would
 * wait for each other. It does not wait for the disk or a standby: one that is lost costs a moment.
 */
export const announceChanges = async (db: Kysely<Database>, sender: string): Promise<void> => {
  await sql`
    select set_config('synchronous_commit', 'off', true), pg_notify(${FEED_CHANNEL}, ${sender})
  `.execute(db);
};
