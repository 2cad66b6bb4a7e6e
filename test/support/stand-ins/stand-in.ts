/** An HTTP server for a stand-in, which can stop and listen on the same port again. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

export interface StandIn {
  readonly port: number;
  readonly start: () => Promise<void>;
  /** Closes every connection and stops listening. */
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
