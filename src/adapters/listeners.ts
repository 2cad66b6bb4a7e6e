/**
 * More handles of a listening socket. Node (since libuv 1.45) accepts one connection of a handle in a turn of its event
 * loop, however many wait: with turns of 8 ms 120 in a second, and the kernels of clients that find the queue full try
 * again after 1, 3 and 7 s. Each further handle accepts one more. Node has no call that copies a handle, but one that a
 * process is sent over its channel is a copy.
 */
import { spawn } from 'node:child_process';
import cluster from 'node:cluster';
import type { Server } from 'node:net';

/** Sends back each server that it is sent, and closes its own before it could accept anything. */
const ECHO = `process.on('message', (message, server) => {
  process.send(message, server);
  server?.close();
});`;

/** The whole takes 30 ms. */
const PATIENCE_MS = 2_000;

/** Windows accepts for every process that has a handle; a worker of `node:cluster` has none of its own. */
const canCopy = (): boolean => process.platform !== 'win32' && cluster.isPrimary;

const copyInto = (server: Server, count: number, onCopy: (copy: Server) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const echo = spawn(process.execPath, ['--eval', ECHO], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const patience = setTimeout(() => echo.kill('SIGKILL'), PATIENCE_MS).unref();
    let asked = 0;
    const ask = (): void => {
      asked += 1;
      echo.send('copy', server, () => undefined);
    };
    echo.on('message', (_, copy) => {
      // None comes of a server that is closed meanwhile.
      if (copy !== undefined) onCopy(copy as Server);
      if (asked < count && server.listening) ask();
      else echo.disconnect();
    });
    echo.on('error', reject);
    echo.on('exit', () => {
      clearTimeout(patience);
      resolve();
    });
    echo.unref();
    ask();
  });

/**
 * Copies the listener of a server `count` times; `onCopy` is called with each, which emits connections of its own. Resolves
 * once no process but this one has any. There are fewer, or none, where the system copies no handles, or the server is
 * closed meanwhile. Never rejects.
 */
export const copyListener = async (
  server: Server,
  count: number,
  onCopy: (copy: Server) => void,
): Promise<void> => {
  // A machine without room for a process stays with the listener that it has.
  if (canCopy()) await copyInto(server, count, onCopy).catch(() => undefined);
};
