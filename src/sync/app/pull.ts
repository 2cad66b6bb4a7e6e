/** POST /sync/pull (Decisions 13): the state of a branch in pages, then what has changed. */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import { isoInstant } from '../../kernel/time.ts';
import type { FeedPlace, FeedSource } from '../../platform/app/feed.ts';
import type { JobContext } from '../../platform/app/job-context.ts';
import type { BodyOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import { FEED_TYPES, type FeedType } from '../../platform/domain/feed.ts';
import { logBounds, type LogBounds } from '../../platform/store/change-log.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { PairedDevice } from '../../staff/app/access.ts';
import type * as contract from '../contract/pull.ts';
import { DEFAULT_ROWS, readCursor, writeCursor, type Cursor } from '../domain/cursor.ts';
import { changesAfter, type LoggedChange } from '../store/change-feed.ts';
import { feedSources, type FeedSources, type SyncParts } from './sources.ts';

type Tx = Kysely<Database>;
type Reply = ReplyOf<typeof contract.pullChanges>;
type Changes = Reply['changes'];
type Pulled = Omit<Reply, 'server_time'>;

interface Pull {
  readonly sources: FeedSources;
  readonly place: FeedPlace;
  readonly types: readonly FeedType[];
  readonly limit: number;
}

// ── The whole state ─────────────────────────────────────────────────────────────────────────────

/** The page from `start` on, and where it ends; null: the state ends with it. */
const snapshotPage = async (
  tx: Tx,
  { sources, place, types, limit }: Pull,
  start: Cursor,
): Promise<{ readonly changes: Changes; readonly end: Cursor | null }> => {
  const { seq } = start;
  const changes: Changes = [];
  for (const type of types.slice(types.indexOf(start.type))) {
    const after = type === start.type ? start.after : null;
    const left = limit - changes.length;
    const rows = await sources[type].page(tx, place, { after, limit: left });
    for (const { id, data } of rows) changes.push({ seq, type, id, op: 'upsert', data: { ...data } });
    if (rows.length === left) return { changes, end: { seq, type, after: rows.at(-1)?.id ?? after } };
  }
  return { changes, end: null };
};

const snapshot = async (tx: Tx, pull: Pull, { head }: LogBounds, start: Cursor): Promise<Pulled> => {
  const { changes, end } = await snapshotPage(tx, pull, start);
  const next = start.seq;
  return end === null
    ? { full: true, next, has_more: head > next, changes }
    : { full: true, next, has_more: true, cursor: writeCursor(end), changes };
};

// ── Changes ─────────────────────────────────────────────────────────────────────────────────────

/** Rows of the log per read: more than rows of a page, since many concern no device. */
const LOG_ROWS = 4_000;

/** A row of the feed that a change of the log concerns. */
interface Concerned {
  readonly seq: number;
  readonly type: FeedType;
  readonly id: Uuid;
  /** The change was of the row itself, not of something that it shows. */
  readonly isOwn: boolean;
}

/** In the order of the log. */
const concernedBy = async (
  tx: Tx,
  { sources, place, types }: Pull,
  logged: readonly LoggedChange[],
): Promise<readonly Concerned[]> => {
  const found: Concerned[] = [];
  for (const type of types) {
    const { logTypes, idsOf } = sources[type];
    const own = logged.filter((change) => logTypes.includes(change.type));
    const ids = idsOf === undefined ? null : await idsOf(tx, place, [...new Set(own.map(({ id }) => id))]);
    for (const change of own) {
      const id = ids === null ? change.id : ids.get(change.id);
      if (id !== undefined) found.push({ seq: change.seq, type, id, isOwn: change.type === logTypes[0] });
    }
  }
  return found.sort((a, b) => a.seq - b.seq);
};

interface FirstRows {
  readonly rows: readonly Concerned[];
  /** Null: none is left. */
  readonly end: number | null;
}

/**
 * The rows of the first changes, each with its last change among those: `limit` of them, and up to `end`. A change may
 * concern two types, of which one has a row of that id.
 */
const firstRows = (concerned: readonly Concerned[], limit: number): FirstRows => {
  const rows = new Map<string, Concerned>();
  let end = 0;
  for (const one of concerned) {
    const key = `${one.type} ${one.id}`;
    const before = rows.get(key);
    if (before === undefined && rows.size >= limit && one.seq > end) return { rows: [...rows.values()], end };
    end = one.seq;
    rows.set(key, { ...one, isOwn: one.isOwn || (before?.isOwn ?? false) });
  }
  return { rows: [...rows.values()], end: null };
};

const readRows = async (tx: Tx, source: FeedSource, place: FeedPlace, rows: readonly Concerned[]) => {
  const read = await source.changes(
    tx,
    place,
    rows.map(({ id }) => id),
  );
  const byId = new Map(read.map(({ id, data }) => [id, data]));
  return rows.flatMap(({ seq, type, id, isOwn }): Changes => {
    const data = byId.get(id);
    // What only shows something that has changed, and is not there, never was.
    if (data === undefined || (data === null && !isOwn)) return [];
    return [{ seq, type, id, op: data === null ? 'delete' : 'upsert', data: data && { ...data } }];
  });
};

const changesSince = async (tx: Tx, pull: Pull, { head }: LogBounds, since: number): Promise<Pulled> => {
  const logged = await changesAfter(tx, pull.place.orgId, since, LOG_ROWS);
  const concerned = await concernedBy(tx, pull, logged);
  const { rows, end } = firstRows(concerned, pull.limit);
  const next = end ?? logged.at(-1)?.seq ?? since;
  const changes: Changes = [];
  for (const type of pull.types) {
    const own = rows.filter((row) => row.type === type);
    if (own.length > 0) changes.push(...(await readRows(tx, pull.sources[type], pull.place, own)));
  }
  return {
    ...{ full: false, next, has_more: next < head },
    changes: changes.sort((a, b) => a.seq - b.seq),
  };
};

// ── The operation ───────────────────────────────────────────────────────────────────────────────

const NO_CURSOR = { problem: 'is no cursor of a pull', arabic: 'ليست علامة صفحة من سحب سابق' } as const;
const ONE_OF_TWO = {
  problem: 'cannot be given with `since`: the pages of the whole state have none',
  arabic: 'لا تُرسل مع since: صفحات الحالة الكاملة بلا since',
} as const;

/** Null: the body names none. Throws INVALID_INPUT. */
const cursorIn = (
  { cursor: text, since }: BodyOf<typeof contract.pullChanges>,
  types: readonly FeedType[],
): Cursor | null => {
  if (text === undefined || text === null) return null;
  const cursor = readCursor(text);
  if (cursor === null || !types.includes(cursor.type)) throw invalidInput({ path: 'cursor', ...NO_CURSOR });
  if (since !== undefined) throw invalidInput({ path: 'cursor', ...ONE_OF_TWO });
  return cursor;
};

const isKept = (seq: number, { head, trimmed }: LogBounds): boolean => trimmed <= seq && seq <= head;

interface PullRequest {
  readonly body: BodyOf<typeof contract.pullChanges>;
  readonly actor: PairedDevice;
  readonly caller: JobContext;
}

export const pullChanges =
  (parts: SyncParts) =>
  async ({ body, actor, caller }: PullRequest): Promise<Reply> => {
    const { app } = parts;
    const { orgId, branchId } = actor;
    if (body.branch_id.toLowerCase() !== branchId) throw new Refusal('DEVICE_OF_OTHER_BRANCH');
    const types = FEED_TYPES.filter((type) => body.types?.includes(type) ?? true);
    const cursor = cursorIn(body, types);
    const pulled = await app.db.snapshot(async (tx): Promise<Pulled & { readonly now: number }> => {
      const now = app.clock.now();
      const sources = feedSources(parts, caller);
      const pull = { sources, place: { orgId, branchId, now }, types, limit: body.limit ?? DEFAULT_ROWS };
      const bounds = await logBounds(tx, orgId);
      const asked = body.since ?? cursor?.seq ?? bounds.head;
      if (!isKept(asked, bounds))
        return { full: false, resync_required: true, next: asked, has_more: false, changes: [], now };
      if (body.since !== undefined) return { ...(await changesSince(tx, pull, bounds, asked)), now };
      const [first = 'branch_settings'] = types;
      const start = cursor ?? { seq: bounds.head, type: first, after: null };
      return { ...(await snapshot(tx, pull, bounds, start)), now };
    });
    const { now, ...reply } = pulled;
    return { ...reply, server_time: isoInstant(now) };
  };
