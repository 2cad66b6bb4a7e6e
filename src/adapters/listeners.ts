/**
 * More handles of a listening socket. Node (since libuv 1.45) accepts one connection of a handle in a turn of its event
 * loop, however many wait: with turns of 8 ms 120 in a second, and the kernels of clients that find the queue full try
 * again after 1, 3 and 7 s. Each further handle accepts one more. Node has no call that copies a handle, but one that a
 * process is sent over its channel is a copy.
 */
import { spawn } from 'node:child_process';
import type { Server } from 'node:net';

/** Sends back each server that it is sent, and closes its own before it could accept anything. */
const ECHO = `process.on('message', (message, server) => {
  process.send(message, server);
  server?.close();
});`;

const PATIENCE_MS = 10_000;

/**
 * Copies the listener of a server `count` times; `onCopy` is called with each, which emits connections of its own. Resolves
 * with how many there are, once no process but this one has any: fewer, or none, where the system copies no handles, or
 * the server is closed meanwhile. Never rejects.
 */
export const copyListener = (
  server: Server,
  count: number,
  onCopy: (copy: Server) => void,
): Promise<number> =>
  new Promise((resolve) => {
    let copies = 0;
    const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const;
    const echo = spawn(process.execPath, ['--eval', ECHO], { stdio: [...stdio], env: {} });
    const patience = setTimeout(() => echo.kill(), PATIENCE_MS).unref();
    const ask = (): void => void echo.send('copy', server, () => undefined);
    echo.on('message', (_, copy) => {
      // None comes of a server that is closed meanwhile.
      if (copy !== undefined) {
        onCopy(copy as Server);
        copies += 1;
      }
      if (copies < count && server.listening) ask();
      else echo.disconnect();
    });
    echo.on('error', () => resolve(copies));
    echo.on('exit', () => {
      clearTimeout(patience);
      resolve(copies);
    });
    echo.unref();
    ask();
  });
