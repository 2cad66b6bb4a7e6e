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

interface ImpatientClients {
  /** Of one pool, whose `connectionTimeoutMillis` then bounds its queue alone. */
  readonly Client: typeof Client;
  /** Ends those that are not connected yet: a pool waits for them before it ends. */
  giveUp(): void;
}

/** Clients that give up where they are not connected within `ms`. */
export const impatientClients = (ms: number): ImpatientClients => {
  const connecting = new Set<Client>();
  class Impatient extends Client {
    constructor(config: pg.ClientConfig = {}) {
      // The pool hides its password from copies.
      const password = config.password === undefined ? {} : { password: config.password };
      super({ ...config, ...password, connectionTimeoutMillis: ms });
      connecting.add(this);
      for (const event of ['connect', 'end']) this.once(event, () => connecting.delete(this));
    }
  }
  const giveUp = (): void => {
    for (const client of connecting) client.connection.stream.destroy();
  };
  return { Client: Impatient, giveUp };
};
