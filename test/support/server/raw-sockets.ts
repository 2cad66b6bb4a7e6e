/** Raw TCP connections, for clients that violate HTTP or disconnect early. */
import { connect, type Socket } from 'node:net';

export interface BareOptions {
  /** An address of this machine to call from, such as 127.0.0.2. */
  readonly from?: string;
  /** Keeps the write side open after the server ended its side. */
  readonly allowHalfOpen?: boolean;
}

/** An open connection; later errors are swallowed. */
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

export const sendAll = (socket: Socket, text: string | Buffer): Promise<void> =>
  new Promise((resolve) => socket.write(text, () => resolve()));

/** The text of a JSON POST; `sent`: the length of the body part to include. */
export const postText = (path: string, body: string, sent = body.length): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Accept: application/json, text/event-stream',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body.slice(0, sent),
  ].join('\r\n');

export const readUntilClose = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let readUntil = '';
    socket.on('data', (chunk: Buffer) => (readUntil += chunk.toString()));
    socket.once('close', () => resolve(readUntil));
  });

export const readUntil = (socket: Socket, text: string): Promise<void> =>
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

export const hasEnded = (socket: Socket): Promise<boolean> =>
  new Promise((resolve) => {
    if (socket.destroyed) resolve(true);
    socket.once('close', () => resolve(true));
    socket.resume();
  });

/** A chunked request with `count` chunks of one byte and no last chunk. */
export const oneByteChunks = (requestLine: string, count: number): string =>
  `${requestLine} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(count)}`;
