/** An HTTP client at a local address of choice. It never rejects: a lost connection has the status 0. */
import { Agent, request } from 'node:http';

export interface Answer {
  /** 0: the connection ended without an answer. */
  readonly status: number;
  readonly text: string;
  /** From the request to the end of the answer. */
  readonly ms: number;
}

export interface Asked {
  readonly method?: 'GET' | 'POST';
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Client {
  ask(path: string, asked?: Asked): Promise<Answer>;
  /** Closes its connections; requests in flight get the status 0. */
  readonly close: () => void;
}

/** Longer than the server's timeouts. */
const PATIENCE_MS = 60_000;

export const clientFrom = (port: number, address: string): Client => {
  const agent = new Agent({ keepAlive: true });
  let isClosed = false;
  return {
    ask: (path, { method = 'GET', body, headers = {} } = {}) =>
      new Promise((resolve) => {
        const began = performance.now();
        const settle = (status: number, text: string): void =>
          resolve({ status, text, ms: performance.now() - began });
        const lose = (): void => settle(0, '');
        if (isClosed) {
          lose();
          return;
        }
        const lines = {
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          ...headers,
        };
        const sent = request(
          { ...{ host: '127.0.0.1', port, path, method, agent }, localAddress: address, headers: lines },
          (response) => {
            const chunks: Buffer[] = [];
            response.on('data', (chunk: Buffer) => chunks.push(chunk));
            response.on('error', lose);
            response.on('end', () => settle(response.statusCode ?? 0, Buffer.concat(chunks).toString()));
          },
        );
        sent.on('error', lose);
        sent.setTimeout(PATIENCE_MS, () => sent.destroy());
        sent.end(body);
      }),
    close: () => {
      isClosed = true;
      agent.destroy();
    },
  };
};

export const posted = (body: unknown, headers: Readonly<Record<string, string>> = {}): Asked => ({
  method: 'POST',
  body: Buffer.isBuffer(body) ? body : JSON.stringify(body),
  headers,
});
