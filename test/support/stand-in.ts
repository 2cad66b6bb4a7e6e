/** The door of a server that stands in for somebody else's: on a port of its own, which it has again after a stop. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

export interface StandIn {
  readonly port: number;
  /** Listens at the same port again. */
  readonly start: () => Promise<void>;
  /** Ends every connection. */
  readonly stop: () => Promise<void>;
}

export const openStandIn = async (answer: RequestListener): Promise<StandIn> => {
  const http = createServer(answer);
  const listen = async (port: number): Promise<number> => {
    http.listen(port, '127.0.0.1');
    await once(http, 'listening');
    const address = http.address();
    return address !== null && typeof address === 'object' ? address.port : 0;
  };
  const port = await listen(0);
  return {
    port,
    start: async () => {
      await listen(port);
    },
    stop: async () => {
      const closed = once(http, 'close');
      http.close();
      http.closeAllConnections();
      await closed;
    },
  };
};
