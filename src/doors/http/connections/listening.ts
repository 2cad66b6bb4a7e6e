/** The server's listener, and copies of it that each accept one more connection per turn of the event loop. */
import type { Server as HttpServer } from 'node:http';
import { Server, type Socket } from 'node:net';

/** Never rejects. */
export type CopyListener = (server: Server, count: number, onCopy: (copy: Server) => void) => Promise<void>;

/** Sixteen connections are accepted in a turn, within 2 ms. */
const COPIES = 15;

export interface Listening {
  /** Rejects when it cannot listen (`code` EADDRINUSE, EACCES …). */
  begin(at: { readonly port: number; readonly host: string }): Promise<void>;
  readonly handles: () => number;
  /** The number of open connections, in the next tick. */
  getConnections(callback: (fault: Error | null, open: number) => void): void;
  /** Accepts no more; open connections stay. Resolves once they are closed. */
  leave(): Promise<void>;
  /** Closes idle connections too. Resolves once every connection is closed. */
  end(): Promise<void>;
}

const listen = (server: HttpServer, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => void server.close(() => resolve()));

/** An HTTP server's own `close` closes idle connections, also those whose next request is on its way. */
const left = (server: Server): Promise<void> =>
  new Promise((resolve) => void Server.prototype.close.call(server, () => resolve()));

export const createListening = (server: HttpServer, copyListener: CopyListener | undefined): Listening => {
  const all: Server[] = [server];
  let isOver = false;
  let copying = Promise.resolve();
  const open = (): Server[] => all.filter(({ listening }) => listening);
  const onConnection = (socket: Socket): void => {
    // As for the server's own connections.
    socket.allowHalfOpen = true;
    socket.setNoDelay(true);
    server.emit('connection', socket);
  };
  const onCopy = (copy: Server): void => {
    if (isOver) copy.close();
    else all.push(copy.on('connection', onConnection));
  };
  let closing: Promise<unknown> = Promise.resolve();
  const finish = async (close: (one: Server) => Promise<void>): Promise<void> => {
    isOver = true;
    closing = Promise.all([closing, ...open().map(close)]);
    await Promise.all([closing, copying]);
  };
  return {
    begin: async ({ port, host }) => {
      await listen(server, port, host);
      copying = copyListener?.(server, COPIES, onCopy) ?? copying;
    },
    handles: () => open().length,
    getConnections: (callback) => {
      let [sum, missing] = [0, all.length];
      for (const one of all)
        one.getConnections((_, open) => {
          sum += open;
          missing -= 1;
          if (missing === 0) callback(null, sum);
        });
    },
    leave: () => finish(left),
    end: () => finish(closed),
  };
};
