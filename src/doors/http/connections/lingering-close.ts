/**
 * Lingering close (RFC 9112, 9.6): reads and drops what the client still sends, so that it can read its response.
 * Closing a socket with unread bytes resets the connection and loses the response.
 */
import type { Socket } from 'node:net';

/** Twice the largest cart. Bytes. */
const MAX_BYTES = 1024 * 1024;
/** After the response, ms: several round trips of a slow mobile network. */
const LINGER_MS = 1_000;

/** Sends `text` and closes the connection with the client, at the latest after a second. */
export const lingeringClose = (socket: Socket, text = ''): void => {
  socket.end(text);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
};

/**
 * Stops parsing. The `data` listener takes the socket from Node's parser, which would make a call for each chunk of one
 * byte; Node ends the socket by `destroySoon` after the last response.
 */
export const discardInput = (socket: Socket): void => {
  let bytes = 0;
  socket.removeAllListeners('data');
  socket.on('data', ({ length }: Buffer) => {
    bytes += length;
    if (bytes > MAX_BYTES) socket.destroy();
  });
  socket.destroySoon = () => lingeringClose(socket);
};
