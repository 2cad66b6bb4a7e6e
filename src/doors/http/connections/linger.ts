/**
 * Ending a connection whose client is still sending (RFC 9112, 9.6): what it sends is read and dropped for a while, so
 * that it can read its answer; a socket closed over unread bytes is reset, and the answer with it.
 */
import type { Socket } from 'node:net';

/** What is read after the last request; a body of the largest cart is half of it. Bytes. */
const MOST_BYTES = 1024 * 1024;
/** After the answer. Several round trips of a slow mobile network. */
const LINGER_MS = 1_000;

/** Sends `text` and ends the connection: as soon as the client ends it too, at the latest after a while. */
export const endSlowly = (socket: Socket, text = ''): void => {
  socket.end(text);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
};

/**
 * From now on nothing that arrives is parsed. A `data` listener takes the socket from Node's parser, to which each
 * chunk of a byte would cost a call; Node then ends the socket by `destroySoon` once the last answer is sent.
 */
export const dropInput = (socket: Socket): void => {
  let bytes = 0;
  socket.removeAllListeners('data');
  socket.on('data', ({ length }: Buffer) => {
    bytes += length;
    if (bytes > MOST_BYTES) socket.destroy();
  });
  socket.destroySoon = () => endSlowly(socket);
};
