/** Bare connections, for clients that break the rules of HTTP or hang up where it hurts. */
import { connect, type Socket } from 'node:net';

export interface BareOptions {
  /** An address of this machine to call from, such as 127.0.0.2. */
  readonly from?: string;
  /** Goes on sending when the server has ended its side. */
  readonly allowHalfOpen?: boolean;
}

/** An open connection; it never throws, whatever the server does to it. */
export const openSocket = (
  port: number,
  { from = '127.0.0.1', allowHalfOpen = false }: BareOptions = {},
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ ...{ port, host: '127.0.0.1', localAddress: from }, allowHalfOpen });
    socket.once('connect', () => {
      socket.off('error', reject);
      socket.on('error', () => undefined);
      resolve(socket);
    });
    socket.once('error', reject);
  });

/** Sends all of it. */
export const sendAll = (socket: Socket, text: string | Buffer): Promise<void> =>
  new Promise((resolve) => socket.write(text, () => resolve()));

/** A POST of JSON as it goes over the wire; `sent`: how much of its body. */
export const post = (path: string, body: string, sent = body.length): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Accept: application/json, text/event-stream',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body.slice(0, sent),
  ].join('\r\n');

/** What comes back until the server ends the connection. */
export const heardUntilClose = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let heard = '';
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
    socket.once('close', () => resolve(heard));
  });

/** Resolves once `text` has come back. */
export const heard = (socket: Socket, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    let all = '';
    socket.on('data', (chunk: Buffer) => {
      all += chunk.toString();
      if (all.includes(text)) resolve();
    });
    socket.once('close', () =>
      reject(new Error(`The connection ended after ${JSON.stringify(all.slice(-300))}`)),
    );
  });

/** Whether the connection has ended. */
export const hasEnded = (socket: Socket): Promise<boolean> =>
  new Promise((resolve) => {
    if (socket.destroyed) resolve(true);
    socket.once('close', () => resolve(true));
    socket.resume();
  });

/** A request whose body comes in chunks of one byte; `count` of them, and no end. */
export const inChunksOfAByte = (requestLine: string, count: number): string =>
  `${requestLine} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(count)}`;
