/**
 * Server-sent events of a branch's board (Decisions 12, GET /staff/events): every change that a board shows,
 * in order, once. `Last-Event-ID` resumes a stream.
 */
import type { HeadersOf, QueryOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/staff-orders.ts';
import { boardEvents as operation } from '../contract/staff-orders.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { mayAtBranch } from '../../staff/domain/staff.ts';
import type { Stop, Timers } from '../../ports.ts';
import { boardChanges, type BoardChange } from '../store/board-events.ts';
import { logBounds, versionOf } from '../../platform/store/change-log.ts';
import type { EventStream, ServerEvent } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import { RequestCoalescer } from '../../platform/app/coalescing.ts';
import { ownBranch } from '../../staff/app/own-branch.ts';
import { staffOrderReply } from './order-reply.ts';
import { actorsOf, type Actor } from '../../staff/app/access.ts';

/** From one check of the access of all listeners to the next; a failed fetch is repeated after it. */
export const CHECK_MS = 1_000;
/** The client then reconnects and is authenticated again, even if the polls failed. */
export const MAX_STREAM_MS = 5 * 60 * 1_000;
const BATCH_SIZE = 200;
/** A client that is further behind, in changes of the shop, gets `reset`. */
export const MAX_BACKLOG = 5_000;
/** One more closes the oldest, so streams that a client failed to close do not accumulate. */
export const MAX_STREAMS_PER_SESSION = 10;

interface Subscription {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  /** Hex of the session token's hash. */
  readonly session: string;
  readonly deviceId: Uuid | null;
}

interface Listener extends Subscription {
  /** Resolves when the client has room for more. */
  readonly send: (event: ServerEvent) => Promise<void>;
  readonly end: () => void;
  lastSeq: number;
  isFetching: boolean;
  /** Fetch again after the current fetch. */
  isStale: boolean;
}

const eventOf = (change: BoardChange): ServerEvent => ({
  id: String(change.seq),
  event: change.type,
  data: {
    type: change.type,
    id: change.id,
    ...(change.order === null ? {} : { order: staffOrderReply(change.order) }),
  },
});

/** Makes the client reload the whole board. */
const reset = (seq: number): ServerEvent => ({ id: String(seq), event: 'reset', data: { type: 'reset' } });

/** `actor` is undefined once the session has ended. */
export const mayListen = (actor: Actor | undefined, branchId: Uuid): actor is Actor =>
  actor !== undefined &&
  actor.permissions.includes(operation.access.permission) &&
  mayAtBranch(actor, branchId);

/** `events` are complete up to `upTo` unless `isMore`. */
interface Batch {
  readonly events: readonly { readonly seq: number; readonly event: ServerEvent }[];
  readonly upTo: number;
  readonly isMore: boolean;
}

/**
 * The board streams of this process. Queries run one at a time on the background connections, and listeners
 * at the same position of the same branch share one.
 */
export class BoardEvents {
  readonly #app: Pick<App, 'db' | 'clock' | 'changePublisher' | 'backgroundTasks'>;
  readonly #timers: Timers;
  readonly #listeners = new Set<Listener>();
  readonly #fetches = new RequestCoalescer<null, Batch>();
  #queueTail: Promise<unknown> = Promise.resolve();
  #stop: Stop | null = null;
  /** Whose access is to be checked, and whether they are to fetch. */
  #due = new Map<Listener, boolean>();
  #isChecking = false;

  /** `app` uses the background connections, so guests do not wait for boards. */
  constructor(app: Pick<App, 'db' | 'clock' | 'changePublisher' | 'backgroundTasks'>, timers: Timers) {
    this.#app = app;
    this.#timers = timers;
    app.changePublisher.subscribe({
      changed: ({ orgId, version }, isOwn) => {
        const behind = [...this.#listeners].filter((one) => one.orgId === orgId && one.lastSeq < version);
        if (isOwn) behind.forEach((listener) => this.#refresh(listener));
        else this.#check(behind, true);
      },
      missed: () => this.#check(this.#listeners, true),
    });
  }

  /** Events after `lastSeq`. */
  stream(subscription: Subscription, lastSeq: number): EventStream {
    return {
      from: String(lastSeq),
      start: (send, end) => {
        this.#closeExcess(subscription);
        const listener: Listener = { ...subscription, send, end, lastSeq, isFetching: false, isStale: false };
        this.#listeners.add(listener);
        this.#stop ??= this.#timers.every(CHECK_MS, () => this.#check(this.#listeners, false));
        const stopLife = this.#timers.after(MAX_STREAM_MS, end);
        this.#refresh(listener);
        return () => {
          stopLife();
          this.#listeners.delete(listener);
          if (this.#listeners.size > 0) return;
          this.#stop?.();
          this.#stop = null;
        };
      },
    };
  }

  endStreamsOfSession(session: Buffer): void {
    const ended = session.toString('hex');
    for (const { end } of [...this.#listeners].filter((listener) => listener.session === ended)) end();
  }

  endStreamsOnDevice(deviceId: Uuid): void {
    for (const { end } of [...this.#listeners].filter((listener) => listener.deviceId === deviceId)) end();
  }

  /** Runs queries one at a time, in order, so other background work always finds a connection. */
  #enqueue<T>(query: () => Promise<T>): Promise<T> {
    const answer = this.#queueTail.then(query);
    this.#queueTail = answer.catch(() => undefined);
    return answer;
  }

  #closeExcess({ session }: Subscription): void {
    const own = [...this.#listeners].filter((listener) => listener.session === session);
    for (const { end } of own.slice(0, Math.max(0, own.length - MAX_STREAMS_PER_SESSION + 1))) end();
  }

  /** Checks access first, so that a listener that lost it receives no change of another process. */
  #check(listeners: Iterable<Listener>, fetches: boolean): void {
    for (const listener of listeners)
      this.#due.set(listener, fetches || listener.isStale || this.#due.get(listener) === true);
    if (!this.#isChecking) void this.#checkDue();
  }

  async #checkDue(): Promise<void> {
    this.#isChecking = true;
    while (this.#due.size > 0) {
      const due = [...this.#due].filter(([listener]) => this.#listeners.has(listener));
      this.#due = new Map();
      const toFetch = due.filter(([, fetches]) => fetches).map(([listener]) => listener);
      try {
        const unheard = await this.#closeUnauthorized(due.map(([listener]) => listener));
        for (const listener of toFetch)
          if (unheard.has(listener.orgId)) listener.isStale = true;
          else this.#refresh(listener);
      } catch {
        // A database failure closes no stream; the next check repeats the fetch.
        for (const listener of toFetch) listener.isStale = true;
      }
    }
    this.#isChecking = false;
  }

  /** Closes the streams whose session or permission has ended; one query for all. Returns shops of which it is not known. */
  async #closeUnauthorized(listeners: readonly Listener[]): Promise<ReadonlySet<Uuid>> {
    if (listeners.length === 0) return new Set();
    const sessions = [...new Set(listeners.map(({ session }) => session))];
    const { actors, unheard } = await this.#enqueue(() =>
      actorsOf(
        this.#app,
        sessions.map((session) => Buffer.from(session, 'hex')),
      ),
    );
    const actorOf = new Map(actors.map((actor) => [actor.session.toString('hex'), actor]));
    for (const { session, orgId, branchId, end } of listeners)
      if (!unheard.has(orgId) && !mayListen(actorOf.get(session), branchId)) end();
    return unheard;
  }

  #refresh(listener: Listener): void {
    listener.isStale = true;
    if (!listener.isFetching) void this.#fetchUntilCurrent(listener);
  }

  async #fetchUntilCurrent(listener: Listener): Promise<void> {
    listener.isFetching = true;
    try {
      while (listener.isStale && this.#listeners.has(listener)) {
        listener.isStale = false;
        await this.#deliverNext(listener);
      }
    } catch {
      listener.isStale = true;
    } finally {
      listener.isFetching = false;
    }
  }

  async #deliverNext(listener: Listener): Promise<void> {
    const { orgId, branchId, lastSeq } = listener;
    const batch = await this.#fetches.request(`${orgId} ${branchId} ${lastSeq}`, null, () =>
      this.#enqueue(() => this.#changesAfter(listener, lastSeq)),
    );
    for (const { seq, event } of batch.events) await this.#send(listener, event, seq);
    if (batch.isMore) listener.isStale = true;
    else listener.lastSeq = batch.upTo;
  }

  async #changesAfter(subscription: Subscription, lastSeq: number): Promise<Batch> {
    const { kysely } = this.#app.db;
    // Read the head first: later commits belong to the next fetch.
    const { head, trimmed } = await logBounds(kysely, subscription.orgId);
    if (head === lastSeq) return { events: [], upTo: head, isMore: false };
    if (head < lastSeq || lastSeq < trimmed || head - lastSeq > MAX_BACKLOG)
      return { events: [{ seq: head, event: reset(head) }], upTo: head, isMore: false };
    const changes = await boardChanges(kysely, subscription, { after: lastSeq, head }, BATCH_SIZE);
    const events = changes.map((change) => ({ seq: change.seq, event: eventOf(change) }));
    return { events, upTo: head, isMore: changes.length === BATCH_SIZE };
  }

  async #send(listener: Listener, event: ServerEvent, seq: number): Promise<void> {
    if (!this.#listeners.has(listener)) return;
    listener.lastSeq = seq;
    await listener.send(event);
  }
}

interface Resumed {
  readonly query: Pick<QueryOf<typeof contract.boardEvents>, 'last_event_id'>;
  readonly headers: HeadersOf<typeof contract.boardEvents>;
}

interface Opened {
  readonly actor: Actor;
  readonly branchId: Uuid;
  readonly resumed: Resumed;
}

/** An EventSource that reconnects repeats its address, so the header is later than the query. */
export const openBoard = async (
  { db }: Pick<App, 'db'>,
  boards: BoardEvents,
  { actor, branchId, resumed: { headers, query } }: Opened,
): Promise<EventStream> => {
  const { orgId, session, deviceId } = actor;
  const lastSeq = headers['last-event-id'] ?? query.last_event_id ?? (await versionOf(db.kysely, orgId));
  return boards.stream({ orgId, branchId, session: session.toString('hex'), deviceId }, lastSeq);
};

interface Input extends Resumed {
  readonly query: QueryOf<typeof contract.boardEvents>;
  readonly actor: Actor;
}

/** GET /staff/events. */
export const boardEvents =
  (app: App, boards: BoardEvents) =>
  async ({ query, headers, actor }: Input): Promise<EventStream> => {
    const { branch_id: branchId } = query;
    await ownBranch(app, actor, branchId);
    return openBoard(app, boards, { actor, branchId, resumed: { query, headers } });
  };
