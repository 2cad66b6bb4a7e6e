/** A raw HTTP connection, also for malformed requests, that times each answer. */
import { connect, type Socket } from 'node:net';

export interface Reply {
  /** 0: the connection ended without an answer. */
  readonly status: number;
  /** From the first byte sent to the last byte received. */
  readonly ms: number;
  readonly body: Buffer;
  readonly headers: string;
}

export interface Connection {
  /**
   * Sends one request and waits for its answer; not concurrent. Reconnects when the last answer closed the connection.
   */
  ask(request: string | Buffer): Promise<Reply>;
  close(): void;
}

export const get = (path: string, headers: Readonly<Record<string, string>> = {}): string =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n');

/** `headers` must include the content type. */
export const post = (path: string, body: string, headers: Readonly<Record<string, string>> = {}): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');

const HEADERS_END = '\r\n\r\n';

/** Null while the answer is incomplete. */
const readAnswer = (bytes: Buffer): Omit<Reply, 'ms'> | null => {
  const end = bytes.indexOf(HEADERS_END);
  if (end < 0) return null;
  const headers = bytes.toString('latin1', 0, end);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(headers)?.[1] ?? 0);
  const length = Number(/^content-length: (\d+)/im.exec(headers)?.[1] ?? 0);
  const from = end + HEADERS_END.length;
  if (status !== 304 && bytes.length < from + length) return null;
  return { status, headers, body: bytes.subarray(from, from + (status === 304 ? 0 : length)) };
};

/** `from`: a local address, such as 127.0.0.2. */
export const openConnection = (port: number, from = '127.0.0.1'): Connection => {
  let socket: Socket | null = null;
  const connected = async (): Promise<Socket> => {
    if (socket !== null && !socket.destroyed && socket.writable) return socket;
    const fresh = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true });
    fresh.on('error', () => fresh.destroy());
    await new Promise<void>((resolve) => {
      fresh.once('connect', resolve);
      fresh.once('close', resolve);
    });
    return (socket = fresh);
  };
  return {
    ask: async (request) => {
      const began = performance.now();
      const open = await connected();
      return new Promise<Reply>((resolve) => {
        const chunks: Buffer[] = [];
        const settle = (answer: Omit<Reply, 'ms'>): void => {
          open.off('data', hear);
          open.off('close', lost);
          if (/^connection: close/im.test(answer.headers)) open.destroy();
          resolve({ ...answer, ms: performance.now() - began });
        };
        const lost = (): void => settle({ status: 0, headers: '', body: Buffer.alloc(0) });
        const hear = (chunk: Buffer): void => {
          chunks.push(chunk);
          const answer = readAnswer(chunks.length === 1 ? chunk : Buffer.concat(chunks));
          if (answer !== null) settle(answer);
        };
        open.on('data', hear);
        open.once('close', lost);
        if (open.destroyed) lost();
        else open.write(request);
      });
    },
    close: () => socket?.destroy(),
  };
};
