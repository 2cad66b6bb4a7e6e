import pg from 'pg';
import type { ConnectionOptions } from './place.ts';
import { valueTypes } from './types.ts';

export const clientConfig = (connection: ConnectionOptions): pg.ClientConfig => {
  const place = 'url' in connection ? { connectionString: connection.url } : connection;
  return { ...place, types: valueTypes };
};

/**
 * A client whose failed sign-in closes the socket. Where the client itself gives up, as without a password, pg leaves the
 * socket open: the process and a connection of the server would wait for authentication_timeout, a minute.
 */
export class Client extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.connection.on('error', () => this.connection.stream.destroy());
  }
}
