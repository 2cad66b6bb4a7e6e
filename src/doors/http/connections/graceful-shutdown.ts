import type { Server } from 'node:http';
import type { Connections } from './connections.ts';
import type { Listening } from './listening.ts';

/** How often idle connections are closed during the shutdown, ms. */
const REAP_MS = 25;

interface ShutdownParts {
  readonly listening: Pick<Listening, 'end'>;
  readonly connections: Pick<Connections, 'closeUnused'>;
}

/** Lets responses finish for at most `graceMs`, then closes every connection. */
export const shutDownGracefully = async (
  server: Server,
  { listening, connections }: ShutdownParts,
  graceMs: number,
): Promise<void> => {
  const closed = listening.end();
  const reap = (): void => {
    // A response written before the shutdown left its connection open.
    server.closeIdleConnections();
    connections.closeUnused();
  };
  const reaping = setInterval(reap, REAP_MS);
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  server.closeIdleConnections();
  await closed;
  clearInterval(reaping);
  clearTimeout(grace);
};
