/**
 * The open connections. Each answers its requests in order; the resources of a request are released at the latest when
 * its connection closes, since a queued response emits no event when the socket dies.
 *
 * One client may hold a tenth of the connections (Decisions 15). A new connection evicts the least recently used idle
 * one, of the same client first; where none is idle, the one whose response is read most slowly.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Refusal } from '../../../kernel/refusal.ts';
import type { Peer } from '../limits/client.ts';
import type { FloodGuard } from './flood-guard.ts';
import { discardInput, lingeringClose } from './lingering-close.ts';
import { FairShare } from './fair-share.ts';

export interface Holdings {
  permits: number;
  bodies: number;
  bytes: number;
  inFlight: number;
  queuedBytes: number;
}

const nothingHeld = (): Holdings => ({ permits: 0, bodies: 0, bytes: 0, inFlight: 0, queuedBytes: 0 });

/** The client closed the connection: the response cannot be sent. */
export class ClientGone extends Error {}

/** Answers one request; never rejects. */
type Work = () => Promise<void>;

export class Connection {
  readonly socket: Socket;
  readonly peer: Peer;
  latest: ServerResponse | null = null;
  /** Monotonic ms. */
  usedAt: number;
  /** In which the latest request came (`front.ts`). */
  turn: object | null = null;
  /** Requests behind the one being answered (`pipeline.ts`). */
  waiting = 0;
  isAuthenticated = false;
  /** Counted separately from the shared resources: the leak watch compares the two. */
  readonly holds = nothingHeld();
  readonly #queue: Work[] = [];
  readonly #onClose = new Set<() => void>();
  #isWorking = false;
  #isEnding = false;
  #isClosed = false;
  #fault: Refusal | null = null;
  #onFault: (() => void) | null = null;

  /** `now` is monotonic. */
  constructor(socket: Socket, peer: Peer, now: number) {
    this.socket = socket;
    this.peer = peer;
    this.usedAt = now;
  }

  /** No request is parsed or being answered. Incomplete header lines are no request yet. */
  get isIdle(): boolean {
    return !this.#isWorking && this.socket.writableLength === 0;
  }

  /** The connection ends with an earlier response (RFC 9112, 9.6): a further request is dropped. */
  get isEnding(): boolean {
    return this.#isEnding || this.socket.destroyed;
  }

  /** Why the latest request will never be complete; null: it is, or may be. */
  get fault(): Refusal | null {
    return this.#fault;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Runs `work` after all earlier work; drops it when the connection closes first. */
  enqueue(work: Work): void {
    if (this.#isClosed || this.#isEnding) return;
    this.#queue.push(work);
    if (!this.#isWorking) void this.#run();
  }

  /** Drops further requests. `isWhole`: the latest request was read to its end. */
  end(isWhole: boolean): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (!isWhole) discardInput(this.socket);
  }

  dropWaiting(): void {
    this.#queue.length = 0;
  }

  /**
   * Stops reading for `fault`. Complete requests are answered; an incomplete one is refused with `fault` in its turn;
   * otherwise `refuse` is called after the last response.
   */
  abortInput(fault: Refusal, refuse: () => void): void {
    const { latest } = this;
    this.end(false);
    if (latest === null || latest.writableFinished) refuse();
    else if (latest.req.complete) latest.once('close', refuse);
    else {
      this.#fault = fault;
      this.#onFault?.();
      latest.once('close', () => lingeringClose(this.socket));
    }
  }

  /** Calls `listener` when the body being read cannot be completed; null: removes it. */
  onFault(listener: (() => void) | null): void {
    this.#onFault = listener;
  }

  /** Calls `listener` once when the connection closes, soon where it is closed already. Returns how to remove it. */
  onClose(listener: () => void): () => void {
    this.#onClose.add(listener);
    if (this.#isClosed) queueMicrotask(() => this.#notifyClosed());
    return () => void this.#onClose.delete(listener);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#queue.length = 0;
    this.#notifyClosed();
  }

  #notifyClosed(): void {
    for (const listener of this.#onClose) listener();
    this.#onClose.clear();
  }

  async #run(): Promise<void> {
    this.#isWorking = true;
    for (let work = this.#queue.shift(); work !== undefined; work = this.#queue.shift()) await work();
    this.#isWorking = false;
  }
}

export interface ConnectionCounts {
  readonly open: number;
  readonly closed: Readonly<Record<'idle' | 'slow_reader' | 'refused', number>>;
}

export interface HeldByConnections extends Readonly<Holdings> {
  readonly waiting: number;
  /** Connections whose socket is not destroyed, and whose socket is closed. */
  readonly open: number;
  readonly closed: number;
}

export interface Connections {
  of(socket: Socket): Connection;
  /** Closes a client's connections, except those of signed-in staff. */
  closeUnauthenticatedOf(client: string): void;
  /** Closes the connections without a request, also those whose header lines are incomplete; not those that end already. */
  closeIdle(): void;
  counts(): ConnectionCounts;
  held(): HeldByConnections;
}

interface ConnectionParts {
  readonly peerOf: (socket: Socket) => Peer;
  readonly monotonic: () => number;
  /** The connection to evict where none is idle. */
  readonly slowestReader: () => Connection | null;
  readonly floodGuard: Pick<FloodGuard, 'isBlocked'>;
  readonly most: number;
  /** False: one client may hold everything. */
  readonly isDivided: boolean;
}

const oldestIdle = (connections: Iterable<Connection>): Connection | null => {
  let oldest: Connection | null = null;
  for (const connection of connections)
    if (connection.isIdle && (oldest === null || connection.usedAt < oldest.usedAt)) oldest = connection;
  return oldest;
};

const heldBy = (connections: Iterable<Connection>): HeldByConnections => {
  const sum = { ...nothingHeld(), waiting: 0, open: 0, closed: 0 };
  for (const { holds, waiting, socket } of connections) {
    sum.permits += holds.permits;
    sum.bodies += holds.bodies;
    sum.bytes += holds.bytes;
    sum.inFlight += holds.inFlight;
    sum.queuedBytes += holds.queuedBytes;
    sum.waiting += waiting;
    if (!socket.destroyed) sum.open += 1;
    if (socket.closed) sum.closed += 1;
  }
  return sum;
};

export const trackConnections = (server: Server, parts: ConnectionParts): Connections => {
  const share = new FairShare(parts.most, parts.isDivided);
  const bySocket = new WeakMap<Socket, Connection>();
  const byClient = new Map<string, Set<Connection>>();
  const closed = { idle: 0, slow_reader: 0, refused: 0 };

  const every = function* (): Generator<Connection> {
    for (const own of byClient.values()) yield* own;
  };
  const forget = (connection: Connection): void => {
    const { key } = connection.peer;
    const own = byClient.get(key);
    if (own?.delete(connection) !== true) return;
    if (own.size === 0) byClient.delete(key);
    share.release(key);
    connection.close();
  };
  const close = (connection: Connection | null, why: keyof typeof closed): boolean => {
    if (connection === null) return false;
    closed[why] += 1;
    forget(connection);
    connection.socket.destroy();
    return true;
  };
  const closeOldestIdleOf = (client: string | null): boolean =>
    close(client === null ? null : oldestIdle(byClient.get(client) ?? []), 'idle');
  /** False where no room can be made. A proxy has many clients, so the limit per client does not apply to it. */
  const makeRoom = ({ key, isProxy }: Peer): boolean => {
    const isFull = share.held >= share.total;
    if (!isFull && (isProxy || share.full(key) === null)) return true;
    if (closeOldestIdleOf(key)) return true;
    if (!isFull || (!isProxy && share.full(key) === 'client')) return false;
    return (
      closeOldestIdleOf(share.greatest()) ||
      close(parts.slowestReader(), 'slow_reader') ||
      close(oldestIdle(every()), 'idle')
    );
  };

  server.on('connection', (socket: Socket) => {
    const peer = parts.peerOf(socket);
    if (parts.floodGuard.isBlocked(peer) || !makeRoom(peer)) {
      closed.refused += 1;
      socket.destroy();
      return;
    }
    const connection = new Connection(socket, peer, parts.monotonic());
    share.acquire(peer.key);
    bySocket.set(socket, connection);
    const own = byClient.get(peer.key);
    if (own === undefined) byClient.set(peer.key, new Set([connection]));
    else own.add(connection);
    socket.once('close', () => forget(connection));
  });

  return {
    of: (socket) => {
      const known = bySocket.get(socket);
      if (known !== undefined) return known;
      // Refused above, with a request already parsed.
      const refused = new Connection(socket, parts.peerOf(socket), parts.monotonic());
      refused.close();
      return refused;
    },
    closeUnauthenticatedOf: (client) => {
      for (const each of [...(byClient.get(client) ?? [])]) if (!each.isAuthenticated) close(each, 'refused');
    },
    closeIdle: () => {
      for (const each of [...every()]) if (each.isIdle && !each.isEnding) close(each, 'idle');
    },
    counts: () => ({ open: share.held, closed }),
    held: () => heldBy(every()),
  };
};
