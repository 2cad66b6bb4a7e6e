/**
 * Node (since libuv 1.45) accepts one connection per handle and turn of the event loop: with turns of 8 ms,
 * 120 per second, and clients that find the queue full retry after 1, 3 and 7 s. Each further handle accepts
 * one more. Node cannot copy a handle directly, but a handle sent over a process channel is a copy.
 */
import { spawn } from 'node:child_process';
import type { Server } from 'node:net';

const ECHO = `process.on('message', (message, server) => {
  process.send(message, server);
  server?.close();
});`;

/** 30 ms on an idle machine; with 2 s, a machine of load 8 had 2 of 16 handles. */
const PATIENCE_MS = 20_000;

/** Windows accepts for every process with a handle. */
const canCopy = (): boolean => process.platform !== 'win32';

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
      // Undefined when the server was closed meanwhile.
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
 * `onCopy` receives each copy, which emits its own connections. Resolves when only this process holds
 * handles. Makes fewer copies when the system cannot copy handles or the server is closed. Never rejects.
 */
export const copyListener = async (
  server: Server,
  count: number,
  onCopy: (copy: Server) => void,
): Promise<void> => {
  if (canCopy()) await copyInto(server, count, onCopy).catch(() => undefined);
};
