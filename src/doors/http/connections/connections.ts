/**
 * The open connections. Each answers its requests one after the other, and what a request holds is given back at the
 * latest when its connection closes: a queued response emits no event of its own when the socket dies.
 *
 * One client may hold a tenth of the connections (Decisions 15); a new connection closes the idle one that was used
 * longest ago, first of the same client. Where all are at work, the one whose answer is read most slowly is closed.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Refusal } from '../../../kernel/refusal.ts';
import type { Peer } from '../limits/client.ts';
import type { CutOff } from './cut-off.ts';
import { dropInput, endSlowly } from './linger.ts';
import { Share } from './share.ts';

/** What a connection holds of what is shared, by resource. */
export interface Holdings {
  places: number;
  bodies: number;
  bytes: number;
  underWay: number;
  queuedBytes: number;
}

const nothingHeld = (): Holdings => ({ places: 0, bodies: 0, bytes: 0, underWay: 0, queuedBytes: 0 });

/** Answers one request; never rejects. */
type Work = () => Promise<void>;

export class Connection {
  readonly socket: Socket;
  readonly peer: Peer;
  /** The response to the request that came last. */
  latest: ServerResponse | null = null;
  /** Monotonic ms. */
  usedAt: number;
  /** The turn of the event loop in which the last request came (`front.ts`). */
  turn: object | null = null;
  /** Requests that wait behind the one being answered (`pipeline.ts`). */
  waiting = 0;
  /** Whether a request of somebody came who is signed in. */
  isKnown = false;
  /** Counted apart from the shared resources, which the leak watch compares with it. */
  readonly holds = nothingHeld();
  readonly #queue: Work[] = [];
  readonly #atClose = new Set<() => void>();
  #isWorking = false;
  #isEnding = false;
  #isClosed = false;
  #fault: Refusal | null = null;
  #atFault: (() => void) | null = null;

  /** `now` is monotonic. */
  constructor(socket: Socket, peer: Peer, now: number) {
    this.socket = socket;
    this.peer = peer;
    this.usedAt = now;
  }

  /** Whether nothing is asked or being answered. Header lines that are still arriving are not a request yet. */
  get isIdle(): boolean {
    return !this.#isWorking && this.socket.writableLength === 0;
  }

  /** Whether a request that comes now is dropped: the connection ends with an answer before it (RFC 9112, 9.6). */
  get isEnding(): boolean {
    return this.#isEnding || this.socket.destroyed;
  }

  /** Why the request that came last will never be whole; null when it is, or may be. */
  get fault(): Refusal | null {
    return this.#fault;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Runs `work` after all that was enqueued before; drops it when the connection closes first. */
  enqueue(work: Work): void {
    if (this.#isClosed || this.#isEnding) return;
    this.#queue.push(work);
    if (!this.#isWorking) void this.#run();
  }

  /** Drops what comes from now on. `isWhole`: the last request was read to its end. */
  end(isWhole: boolean): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (!isWhole) dropInput(this.socket);
  }

  /** Drops the requests that wait: the answer before them is the last. */
  dropWaiting(): void {
    this.#queue.length = 0;
  }

  /**
   * Ends the input for what `fault` says. Whatever came whole is answered; where a body broke off, its request is
   * refused for `fault` in its turn, otherwise `refuse` is called after the last answer.
   */
  breakOff(fault: Refusal, refuse: () => void): void {
    const { latest } = this;
    this.end(false);
    if (latest === null || latest.writableFinished) refuse();
    else if (latest.req.complete) latest.once('close', refuse);
    else {
      this.#fault = fault;
      this.#atFault?.();
      latest.once('close', () => endSlowly(this.socket));
    }
  }

  /** Calls `listener` when the rest of the body that is being read will never come; null: no longer. */
  atFault(listener: (() => void) | null): void {
    this.#atFault = listener;
  }

  /** Calls `listener` once when the connection closes, or soon where it has, unless the returned function was called before. */
  atClose(listener: () => void): () => void {
    this.#atClose.add(listener);
    if (this.#isClosed) queueMicrotask(() => this.#tellClosed());
    return () => void this.#atClose.delete(listener);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#queue.length = 0;
    this.#tellClosed();
  }

  #tellClosed(): void {
    for (const listener of this.#atClose) listener();
    this.#atClose.clear();
  }

  async #run(): Promise<void> {
    this.#isWorking = true;
    for (let work = this.#queue.shift(); work !== undefined; work = this.#queue.shift()) await work();
    this.#isWorking = false;
  }
}

export interface ConnectionCounts {
  readonly open: number;
  /** Idle ones and slow readers closed to make room, and new ones refused. */
  readonly closed: Readonly<Record<'idle' | 'slow_reader' | 'refused', number>>;
}

/** What the open connections hold, each asked by itself. */
export interface HeldByConnections extends Readonly<Holdings> {
  readonly waiting: number;
  /** Connections whose socket is not destroyed, and those whose socket has told that it is closed. */
  readonly open: number;
  readonly closed: number;
}

export interface Connections {
  /** The connection of this socket. */
  of(socket: Socket): Connection;
  /** Closes the connections of a client, whatever they are doing, but for those of people who are signed in. */
  closeStrangersOf(client: string): void;
  counts(): ConnectionCounts;
  held(): HeldByConnections;
}

interface ConnectionParts {
  readonly peerOf: (socket: Socket) => Peer;
  readonly monotonic: () => number;
  /** The connection that may be closed for another although it is at work. */
  readonly slowestReader: () => Connection | null;
  readonly cutOff: Pick<CutOff, 'isCutOff'>;
  /** Connections at once. */
  readonly most: number;
  /** Whether one client may hold a part alone. */
  readonly isDivided: boolean;
}

/** The idle connection that was used longest ago. */
const oldestIdle = (connections: Iterable<Connection>): Connection | null => {
  let oldest: Connection | null = null;
  for (const connection of connections)
    if (connection.isIdle && (oldest === null || connection.usedAt < oldest.usedAt)) oldest = connection;
  return oldest;
};

const heldBy = (connections: Iterable<Connection>): HeldByConnections => {
  const sum = { ...nothingHeld(), waiting: 0, open: 0, closed: 0 };
  for (const { holds, waiting, socket } of connections) {
    sum.places += holds.places;
    sum.bodies += holds.bodies;
    sum.bytes += holds.bytes;
    sum.underWay += holds.underWay;
    sum.queuedBytes += holds.queuedBytes;
    sum.waiting += waiting;
    if (!socket.destroyed) sum.open += 1;
    if (socket.closed) sum.closed += 1;
  }
  return sum;
};

/** Follows every connection of `server` from its beginning to its end. */
export const trackConnections = (server: Server, parts: ConnectionParts): Connections => {
  const share = new Share(parts.most, parts.isDivided);
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
    share.give(key);
    connection.close();
  };
  const close = (connection: Connection | null, why: keyof typeof closed): boolean => {
    if (connection === null) return false;
    closed[why] += 1;
    forget(connection);
    connection.socket.destroy();
    return true;
  };
  const closeIdleOf = (client: string | null): boolean =>
    close(client === null ? null : oldestIdle(byClient.get(client) ?? []), 'idle');
  /** Whether there is room for one more. A proxy brings many clients: its connections are not held against it. */
  const makeRoom = ({ key, isProxy }: Peer): boolean => {
    const isFull = share.held >= share.total;
    if (!isFull && (isProxy || share.full(key) === null)) return true;
    if (closeIdleOf(key)) return true;
    if (!isFull || (!isProxy && share.full(key) === 'client')) return false;
    return (
      closeIdleOf(share.greatest()) ||
      close(parts.slowestReader(), 'slow_reader') ||
      close(oldestIdle(every()), 'idle')
    );
  };

  server.on('connection', (socket: Socket) => {
    const peer = parts.peerOf(socket);
    if (parts.cutOff.isCutOff(peer) || !makeRoom(peer)) {
      closed.refused += 1;
      socket.destroy();
      return;
    }
    const connection = new Connection(socket, peer, parts.monotonic());
    share.take(peer.key);
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
      // Refused above, with a request already parsed: everything of it ends at once.
      const gone = new Connection(socket, parts.peerOf(socket), parts.monotonic());
      gone.close();
      return gone;
    },
    closeStrangersOf: (client) => {
      for (const each of [...(byClient.get(client) ?? [])]) if (!each.isKnown) close(each, 'refused');
    },
    counts: () => ({ open: share.held, closed }),
    held: () => heldBy(every()),
  };
};
