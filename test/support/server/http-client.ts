/** One HTTP request: no redirect, no header but what the test names, Host and Connection. */
import { request, type Agent, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As received, compressed where the server compressed it. */
  readonly bytes: Buffer;
  /** Decompressed. */
  readonly text: string;
  /** The parsed body; undefined when it is empty or not JSON. */
  readonly body: unknown;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer | undefined;
  /** Whose connections the request takes; without one it has a connection of its own, which ends with it. */
  readonly agent?: Agent;
}

const decompressed = (bytes: Buffer, coding: string | undefined): string => {
  if (bytes.length === 0) return '';
  if (coding === 'br') return brotliDecompressSync(bytes).toString('utf8');
  return (coding === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8');
};

const isJson = (headers: IncomingHttpHeaders): boolean =>
  /^application\/([\w.-]+\+)?json\b/.test(headers['content-type'] ?? '');

/** Sends the request exactly as written: the path is not normalised. Rejects when the connection fails. */
export const httpRequest = (
  port: number,
  path: string,
  { method = 'GET', headers = {}, body, agent }: RequestOptions = {},
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, method, headers, agent: agent ?? false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const text = decompressed(bytes, response.headers['content-encoding']);
          const parsed: unknown = isJson(response.headers) && text !== '' ? JSON.parse(text) : undefined;
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text, body: parsed });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
