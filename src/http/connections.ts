/**
 * The open connections. Each answers its requests one after the other, and what a request holds is given back at the
 * latest when its connection closes: a queued response emits no event of its own when the socket dies.
 *
 * One client may hold a tenth of the connections (Decisions 15); a new connection closes the idle one that was used
 * longest ago, first of the same client, and is refused where none is idle.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Peer } from './client.ts';
import { Share } from './share.ts';

/** Requests that may wait behind the one being answered before the socket is no longer read. */
const MOST_QUEUED = 16;

/** Answers one request; never rejects. */
type Work = () => Promise<void>;

export class Connection {
  readonly socket: Socket;
  readonly peer: Peer;
  /** The response under way, if any. */
  response: ServerResponse | null = null;
  /** Monotonic ms. */
  usedAt: number;
  readonly #queue: Work[] = [];
  readonly #atClose = new Set<() => void>();
  #isWorking = false;
  #isClosed = false;

  constructor(socket: Socket, peer: Peer, now: number) {
    this.socket = socket;
    this.peer = peer;
    this.usedAt = now;
  }

  get isWorking(): boolean {
    return this.#isWorking;
  }

  /** Whether nothing is asked or being answered. Header lines that are still arriving are not a request yet. */
  get isIdle(): boolean {
    return !this.#isWorking && this.socket.writableLength === 0;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Runs `work` after all that was enqueued before; drops it when the connection closes first. */
  enqueue(work: Work): void {
    if (this.#isClosed) return;
    this.#queue.push(work);
    if (this.#queue.length > MOST_QUEUED) this.socket.pause();
    if (!this.#isWorking) void this.#run();
  }

  /** Calls `listener` once when the connection closes, unless the returned function was called before. */
  atClose(listener: () => void): () => void {
    if (this.#isClosed) listener();
    else this.#atClose.add(listener);
    return () => void this.#atClose.delete(listener);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#queue.length = 0;
    for (const listener of this.#atClose) listener();
    this.#atClose.clear();
  }

  async #run(): Promise<void> {
    this.#isWorking = true;
    for (let work = this.#queue.shift(); work !== undefined; work = this.#queue.shift()) {
      if (this.#queue.length === MOST_QUEUED) this.socket.resume();
      await work();
    }
    this.#isWorking = false;
  }
}

export interface ConnectionCounts {
  readonly open: number;
  /** Those that are answering a request. */
  readonly working: number;
  /** Idle ones closed to make room, and new ones refused. */
  readonly closed: Readonly<Record<'idle' | 'refused', number>>;
}

export interface Connections {
  /** The connection of this socket. */
  of(socket: Socket): Connection;
  counts(): ConnectionCounts;
}

interface ConnectionParts {
  readonly peerOf: (socket: Socket) => Peer;
  readonly monotonic: () => number;
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

/** Follows every connection of `server` from its beginning to its end. */
export const trackConnections = (server: Server, parts: ConnectionParts): Connections => {
  const share = new Share(parts.most, parts.isDivided);
  const bySocket = new WeakMap<Socket, Connection>();
  const byClient = new Map<string, Set<Connection>>();
  const closed = { idle: 0, refused: 0 };

  const forget = (connection: Connection): void => {
    const { key } = connection.peer;
    const own = byClient.get(key);
    if (own?.delete(connection) !== true) return;
    if (own.size === 0) byClient.delete(key);
    share.give(key);
    connection.close();
  };
  const closeIdleOf = (client: string | null): boolean => {
    const idle = client === null ? null : oldestIdle(byClient.get(client) ?? []);
    if (idle === null) return false;
    closed.idle += 1;
    forget(idle);
    idle.socket.destroy();
    return true;
  };
  /** Whether there is room for one more. A proxy brings many clients: its connections are not held against it. */
  const makeRoom = ({ key, isProxy }: Peer): boolean => {
    const full = share.full(key);
    if (full === null || (isProxy && share.held < share.total)) return true;
    return closeIdleOf(key) || (full === 'all' && closeIdleOf(share.greatest()));
  };

  server.on('connection', (socket: Socket) => {
    const peer = parts.peerOf(socket);
    if (!makeRoom(peer)) {
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
    counts: () => {
      let working = 0;
      for (const own of byClient.values()) for (const { isWorking } of own) if (isWorking) working += 1;
      return { open: share.held, working, closed };
    },
  };
};
