/** A TCP proxy in front of PostgreSQL that a test can cut, silence and restore. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { ConnectionOptions } from '../../../src/platform/store/db.ts';

export interface DatabaseProxy {
  /** The same database through the proxy. */
  readonly connection: ConnectionOptions;
  /** Closes every connection, and each new one at once. */
  cut(): void;
  /** Drops all bytes and leaves the connections open. */
  silence(): void;
  restore(): void;
  /** Of clients and to PostgreSQL. */
  openConnections(): number;
  close(): Promise<void>;
}

interface Upstream {
  readonly open: () => Socket;
  readonly user: string;
  readonly database: string;
  readonly password?: string;
}

const upstreamOf = (connection: ConnectionOptions): Upstream => {
  if ('url' in connection) {
    const { hostname, port, username, password, pathname } = new URL(connection.url);
    const names = { user: decodeURIComponent(username), database: pathname.slice(1) };
    const open = () => connect(port === '' ? 5432 : Number(port), hostname);
    return { open, ...names, ...(password === '' ? {} : { password: decodeURIComponent(password) }) };
  }
  const { host, port, user, database, password } = connection;
  const open = () => (host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host));
  return { open, user, database, ...(password === undefined ? {} : { password }) };
};

export const openProxy = async (connection: ConnectionOptions): Promise<DatabaseProxy> => {
  const { open, ...names } = upstreamOf(connection);
  const sockets = new Set<Socket>();
  let state: 'open' | 'cut' | 'silent' = 'open';
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    return socket.on('close', () => sockets.delete(socket));
  };
  const server: Server = createServer((client) => {
    track(client);
    if (state === 'cut') client.destroy();
    if (state !== 'open') return;
    const upstream = track(open());
    client.on('data', (bytes: Buffer) => state !== 'silent' && upstream.write(bytes));
    upstream.on('data', (bytes: Buffer) => state !== 'silent' && client.write(bytes));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    connection: { host: '127.0.0.1', port, ...names },
    cut: () => {
      state = 'cut';
      endAll();
    },
    silence: () => (state = 'silent'),
    restore: () => {
      // Bytes were lost: these connections cannot continue.
      if (state === 'silent') endAll();
      state = 'open';
    },
    openConnections: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        endAll();
        server.close(() => resolve());
      }),
  };
};
