/**
 * What happens at a branch, as it happens (Decisions 12, GET /staff/events): every change of the log that a board shows,
 * in order, each once. A client that comes back names the last number it had.
 */
import type { HeadersOf, QueryOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/staff-orders.ts';
import { boardEvents as operation } from '../contract/staff-orders.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { mayAtBranch } from '../../staff/domain/staff.ts';
import type { Stop, Timers } from '../../ports.ts';
import { boardChanges, headsOf, type BoardChange } from '../store/board-events.ts';
import { versionOf } from '../../platform/store/versions.ts';
import type { EventStream, ServerEvent } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import { AskedTogether } from '../../platform/app/coalescing.ts';
import { ownBranch } from '../../staff/app/own-branch.ts';
import { staffOrderReply } from './reply.ts';
import { actorsOf, type Actor } from '../../staff/app/access.ts';

/** How long until a board hears of what another process did, and until whoever may no longer look is gone. */
export const POLL_MS = 1_000;
/** A stream ends after this and is resumed, whatever became of the polls: whoever comes back is asked who they are. */
export const LIFE_MS = 5 * 60 * 1_000;
/** Changes that one look brings at most. */
const MOST_AT_ONCE = 200;
/** Who missed more of the shop's changes than this is told to read everything anew. */
export const MOST_MISSED = 5_000;
/** Streams that one sign-in has at once; one more ends the oldest, so that what a client forgot to close is no burden. */
export const MOST_STREAMS = 10;

/** Whose board it is. */
interface Watched {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  /** The sign-in, and the device that it was made on. */
  readonly session: string;
  readonly deviceId: Uuid | null;
}

interface Listener extends Watched {
  /** Resolves when there is room for more. */
  readonly send: (event: ServerEvent) => Promise<void>;
  readonly end: () => void;
  seen: number;
  /** Whether somebody looks for it, and whether there is a reason to look once more. */
  isLooking: boolean;
  isWanted: boolean;
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

/** Everything that was missed cannot be told one by one: the board is read anew. */
const reset = (seq: number): ServerEvent => ({ id: String(seq), event: 'reset', data: { type: 'reset' } });

/** Whether someone may still listen at a branch; undefined: their sign-in has ended. */
const mayListen = (actor: Actor | undefined, branchId: Uuid): boolean =>
  actor !== undefined &&
  actor.permissions.includes(operation.access.permission) &&
  mayAtBranch(actor, branchId);

/** What one look found: what to tell, each with its number, and up to which number that is all. */
interface Found {
  readonly events: readonly { readonly seq: number; readonly event: ServerEvent }[];
  readonly upTo: number;
  readonly isMore: boolean;
}

/**
 * The boards that listen in this process. However many they are, one look at a time is under way, and boards that have
 * heard the same of a branch share it: a change that all of them want to hear of is read once.
 */
export class BoardEvents {
  readonly #app: Pick<App, 'db' | 'clock' | 'announcements' | 'aside'>;
  readonly #timers: Timers;
  readonly #listeners = new Set<Listener>();
  readonly #looks = new AskedTogether<null, Found>();
  /** The last that waits for its turn at the database, whatever becomes of it. */
  #lastInLine: Promise<unknown> = Promise.resolve();
  #stop: Stop | null = null;
  #isPolling = false;

  /** `app`: on connections that no guest waits for. */
  constructor(app: Pick<App, 'db' | 'clock' | 'announcements' | 'aside'>, timers: Timers) {
    this.#app = app;
    this.#timers = timers;
    app.announcements.listen(({ orgId }) => {
      for (const listener of this.#listeners) if (listener.orgId === orgId) this.#look(listener);
    });
  }

  /** A stream of what happens at the branch after `seen`. */
  stream(watched: Watched, seen: number): EventStream {
    return {
      from: String(seen),
      start: (send, end) => {
        this.#makeRoomFor(watched);
        const listener: Listener = { ...watched, send, end, seen, isLooking: false, isWanted: false };
        this.#listeners.add(listener);
        this.#stop ??= this.#timers.every(POLL_MS, () => void this.#poll());
        const stopLife = this.#timers.after(LIFE_MS, end);
        this.#look(listener);
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

  /** Ends the streams of a sign-in that has ended. */
  endOf(session: Buffer): void {
    const ended = session.toString('hex');
    for (const { end } of [...this.#listeners].filter((listener) => listener.session === ended)) end();
  }

  /** Ends the streams of every sign-in on a device that was revoked. */
  endOn(deviceId: Uuid): void {
    for (const { end } of [...this.#listeners].filter((listener) => listener.deviceId === deviceId)) end();
  }

  /** One question at a time, in the order in which they came: the background's other work keeps a connection. */
  #inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const answer = this.#lastInLine.then(ask);
    this.#lastInLine = answer.catch(() => undefined);
    return answer;
  }

  #makeRoomFor({ session }: Watched): void {
    const own = [...this.#listeners].filter((listener) => listener.session === session);
    for (const { end } of own.slice(0, Math.max(0, own.length - MOST_STREAMS + 1))) end();
  }

  /** Who may still listen comes first, every time: what is found after it is told to nobody else. */
  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      await this.#endOfOthers();
      await this.#lookWhereNeeded();
    } catch {
      // The database being away ends no stream: the next poll asks both again.
    } finally {
      this.#isPolling = false;
    }
  }

  /** Asks once for all sign-ins which still hold, wherever they ended, and ends the streams of the others. */
  async #endOfOthers(): Promise<void> {
    const asked = [...this.#listeners];
    const sessions = [...new Set(asked.map(({ session }) => session))];
    const actors = await this.#inTurn(() =>
      actorsOf(
        this.#app,
        sessions.map((session) => Buffer.from(session, 'hex')),
      ),
    );
    const actorOf = new Map(actors.map((actor) => [actor.session.toString('hex'), actor]));
    for (const { session, branchId, end } of asked) if (!mayListen(actorOf.get(session), branchId)) end();
  }

  /** Asks once for all shops whether something happened, and once more for those whose last look failed. */
  async #lookWhereNeeded(): Promise<void> {
    const orgIds = new Set([...this.#listeners].map(({ orgId }) => orgId));
    const heads = await this.#inTurn(() => headsOf(this.#app.db.kysely, [...orgIds]));
    // A number below the last that was seen: the database is an older one, and all is to be read anew.
    for (const listener of this.#listeners)
      if (listener.isWanted || (heads.get(listener.orgId) ?? 0) !== listener.seen) this.#look(listener);
  }

  #look(listener: Listener): void {
    listener.isWanted = true;
    if (!listener.isLooking) void this.#lookUntilDone(listener);
  }

  async #lookUntilDone(listener: Listener): Promise<void> {
    listener.isLooking = true;
    try {
      while (listener.isWanted && this.#listeners.has(listener)) {
        listener.isWanted = false;
        await this.#tell(listener);
      }
    } catch {
      listener.isWanted = true;
    } finally {
      listener.isLooking = false;
    }
  }

  /** Tells what happened since the last look, as fast as it is taken. */
  async #tell(listener: Listener): Promise<void> {
    const { orgId, branchId, seen } = listener;
    const found = await this.#looks.ask(`${orgId} ${branchId} ${seen}`, null, () =>
      this.#inTurn(() => this.#whatCameAfter(listener, seen)),
    );
    for (const { seq, event } of found.events) await this.#send(listener, event, seq);
    if (found.isMore) listener.isWanted = true;
    else listener.seen = found.upTo;
  }

  async #whatCameAfter(watched: Watched, seen: number): Promise<Found> {
    const { kysely } = this.#app.db;
    // The head first: what is committed after it is found by the next look.
    const head = await versionOf(kysely, watched.orgId);
    if (head === seen) return { events: [], upTo: head, isMore: false };
    if (head < seen || head - seen > MOST_MISSED)
      return { events: [{ seq: head, event: reset(head) }], upTo: head, isMore: false };
    const changes = await boardChanges(kysely, watched, { seen, head }, MOST_AT_ONCE);
    const events = changes.map((change) => ({ seq: change.seq, event: eventOf(change) }));
    return { events, upTo: head, isMore: changes.length === MOST_AT_ONCE };
  }

  async #send(listener: Listener, event: ServerEvent, seq: number): Promise<void> {
    if (!this.#listeners.has(listener)) return;
    listener.seen = seq;
    await listener.send(event);
  }
}

interface Input {
  readonly query: QueryOf<typeof contract.boardEvents>;
  readonly headers: HeadersOf<typeof contract.boardEvents>;
  readonly actor: Actor;
}

/** GET /staff/events. */
export const boardEvents =
  (app: App, boards: BoardEvents) =>
  async ({ query, headers, actor }: Input): Promise<EventStream> => {
    const { orgId, session, deviceId } = actor;
    const { branch_id: branchId } = query;
    await ownBranch(app, actor, branchId);
    const seen = headers['last-event-id'] ?? (await versionOf(app.db.kysely, orgId));
    return boards.stream({ orgId, branchId, session: session.toString('hex'), deviceId }, seen);
  };
