import type { Server } from 'node:http';
import type { Listening } from './listening.ts';

/** How often idle connections are closed during the shutdown, ms. */
const REAP_MS = 25;

/** Lets responses finish for at most `graceMs`, then closes every connection. */
export const shutDownGracefully = async (
  server: Server,
  listening: Pick<Listening, 'end'>,
  graceMs: number,
): Promise<void> => {
  const closed = listening.end();
  // A response written before the shutdown left its connection open.
  const reaping = setInterval(() => server.closeIdleConnections(), REAP_MS);
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  server.closeIdleConnections();
  await closed;
  clearInterval(reaping);
  clearTimeout(grace);
};
