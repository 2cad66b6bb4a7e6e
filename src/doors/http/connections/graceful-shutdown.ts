import type { Server } from 'node:http';
import type { Connections } from './connections.ts';
import type { Listening } from './listening.ts';

/** How often idle connections are closed during the shutdown, ms. */
const REAP_MS = 25;

interface ShutdownParts {
  readonly listening: Pick<Listening, 'end'>;
  readonly connections: Pick<Connections, 'closeIdle'>;
}

/** Lets responses finish for at most `graceMs`, then closes every connection. */
export const shutDownGracefully = async (
  server: Server,
  { listening, connections }: ShutdownParts,
  graceMs: number,
): Promise<void> => {
  const closed = listening.end();
  // A response written before the shutdown left its connection open; browsers open some in advance.
  const reaping = setInterval(connections.closeIdle, REAP_MS);
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(reaping);
  clearTimeout(grace);
};

/** Takes no new connection, and waits at most `mostMs` until every open one has ended by itself. */
export const leavePort = async ({ leave }: Pick<Listening, 'leave'>, mostMs: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, mostMs)));
  await Promise.race([leave(), late]);
  clearTimeout(timer);
};
