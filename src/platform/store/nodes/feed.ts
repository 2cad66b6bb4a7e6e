/**
 * The change feed, also of a database that is spread over nodes: each of them numbers its own transactions, so that there
 * the change counters of all shops are compared. Their cost follows the shops.
 */
import { sql, type Kysely } from 'kysely';
import type { ScopedChanges } from '../../../kernel/change.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import { publishedIn, readFeed, type FeedPosition, type LoggedScope } from '../change-feed.ts';
import type { Database } from '../schema.ts';
import { isSilence } from '../unavailable.ts';
import { ofAllShops } from './everywhere.ts';
import { isSpread } from './spread.ts';

/** The number of the last change that was read of each shop. */
type Counters = ReadonlyMap<Uuid, number>;

interface CounterPosition {
  readonly counters: Counters;
  /** Of some shops nothing was ever read, since their node was silent. */
  readonly isPart: boolean;
}

/** Up to where a process has read. */
export type Position = FeedPosition | CounterPosition;

export interface ChangesRead<P> {
  readonly position: P;
  /** As each transaction published them. Null: some may be missing, and the reader forgets what it knows of any shop. */
  readonly changes: readonly ScopedChanges[] | null;
}

/** While a node is silent, the counters of its shops are the known ones. */
const positionAt = async (db: Kysely<Database>, known: CounterPosition | null): Promise<CounterPosition> => {
  const { rows, unheard } = await ofAllShops(db, (ofShops) =>
    db.selectFrom('change_counter').select(['org_id', 'seq']).where(ofShops('org_id')),
  );
  const read = rows.map(({ org_id, seq }) => [org_id, seq] as const);
  if (unheard.size === 0) return { counters: new Map(read), isPart: false };
  return { counters: new Map([...(known?.counters ?? []), ...read]), isPart: known?.isPart ?? true };
};

const scopesBetween = async (
  db: Kysely<Database>,
  orgId: Uuid,
  after: number,
  until: number,
): Promise<readonly LoggedScope[]> => {
  const { rows } = await sql<LoggedScope>`
    select org_id, transaction_id::text as transaction_id, scope, max(seq) as version
    from change where org_id = ${orgId} and seq > ${after} and seq <= ${until}
    group by org_id, transaction_id, scope
  `.execute(db);
  return rows;
};

/** Of a shop whose node has fallen silent since its counter was read: its changes are read once it answers. */
const nullWhereSilent = (fault: unknown): null => {
  if (isSilence(fault)) return null;
  throw fault;
};

/**
 * A transaction holds the counter of its shop until it is committed: who sees the counter sees its changes and all before
 * them, on whichever node the shop is, also while it moves to another one.
 */
export const readCounters = async (
  db: Kysely<Database>,
  after: CounterPosition | null,
): Promise<ChangesRead<CounterPosition>> => {
  const position = await positionAt(db, after);
  const counters = new Map(position.counters);
  // Also once a shop was removed, or a node answers for the first time.
  if (after === null || after.isPart !== position.isPart) return { position, changes: null };
  if ([...after.counters.keys()].some((orgId) => !counters.has(orgId))) return { position, changes: null };
  if (after.isPart && counters.size > after.counters.size) return { position, changes: null };
  const changes: ScopedChanges[] = [];
  for (const [orgId, until] of counters) {
    const from = after.counters.get(orgId) ?? 0;
    if (until === from) continue;
    const scopes = await scopesBetween(db, orgId, from, until).catch(nullWhereSilent);
    if (scopes === null) {
      counters.set(orgId, from);
      continue;
    }
    const published = publishedIn(scopes);
    // A restore goes on with other numbers.
    if (published.length === 0) return { position, changes: null };
    changes.push(...published);
  }
  return { position: { ...position, counters }, changes };
};

/** What was committed since `after`; null: nothing was read yet. */
export const readChanges = async (
  db: Kysely<Database>,
  after: Position | null,
): Promise<ChangesRead<Position>> => {
  if (after === null) return (await isSpread(db)) ? readCounters(db, null) : readFeed(db, null);
  return 'counters' in after ? readCounters(db, after) : readFeed(db, after);
};
