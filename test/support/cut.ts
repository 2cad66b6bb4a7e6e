/** A line to PostgreSQL that a test can cut, silence and mend. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { ConnectionOptions } from '../../src/platform/store/db.ts';

export interface Line {
  /** The same database, by way of this line. */
  readonly connection: ConnectionOptions;
  /** Ends every connection; new ones are ended as they come. */
  cut(): void;
  /** Nothing passes any more, and nobody is told. */
  silence(): void;
  mend(): void;
  close(): Promise<void>;
}

interface Place {
  readonly open: () => Socket;
  readonly user: string;
  readonly database: string;
  readonly password?: string;
}

const placeOf = (connection: ConnectionOptions): Place => {
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

export const lineTo = async (connection: ConnectionOptions): Promise<Line> => {
  const { open, ...names } = placeOf(connection);
  const sockets = new Set<Socket>();
  let state: 'whole' | 'cut' | 'silent' = 'whole';
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    return socket.on('close', () => sockets.delete(socket));
  };
  const server: Server = createServer((near) => {
    keep(near);
    if (state === 'cut') near.destroy();
    if (state !== 'whole') return;
    const far = keep(open());
    near.on('data', (bytes: Buffer) => state !== 'silent' && far.write(bytes));
    far.on('data', (bytes: Buffer) => state !== 'silent' && near.write(bytes));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
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
    mend: () => {
      // What was swallowed cannot be brought back: those conversations are over.
      if (state === 'silent') endAll();
      state = 'whole';
    },
    close: () =>
      new Promise((resolve) => {
        endAll();
        server.close(() => resolve());
      }),
  };
};
