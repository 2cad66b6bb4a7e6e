/** The HTTP doors over real connections, with a clock, a feed and handlers that the test drives by hand. */
import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createSecurityEvents } from '../../src/adapters/security-events.ts';
import { systemTimers } from '../../src/adapters/timers.ts';
import { Announcements } from '../../src/platform/app/announcements.ts';
import type { Answer } from '../../src/platform/app/answer.ts';
import { endpoints as publicEndpoints } from '../../src/service/contract/index.ts';
import type { EndpointTable } from '../../src/service/contract/publish.ts';
import { openApiDocument } from '../../src/service/contract/publish.ts';
import { createMetrics } from '../../src/doors/http/metrics.ts';
import { createHttpServer } from '../../src/doors/http/server.ts';
import type { HttpServerOptions } from '../../src/doors/http/server.ts';
import { conformance } from './conformance.ts';

export const BASE_URL = 'https://ahwa.example';
export const ORG = '3f0a4d0e-58a4-5a55-9a0c-1f2f6f1d7b10';
export const BRANCH = '5b0c7a52-6d5e-5a3b-9a41-0b6d9d0f1c22';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Decompressed. */
  readonly text: string;
  /** As it came. */
  readonly bytes: Buffer;
  readonly json: unknown;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
}

const unpacked = (bytes: Buffer, coding: string | undefined): string => {
  if (bytes.length === 0) return '';
  if (coding === 'br') return brotliDecompressSync(bytes).toString();
  return (coding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
};

/** One request exactly as written: the path is not normalised, no header is added but Host. */
export const ask = (
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: Ask = {},
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const sent = request(
      { ...{ port, path, method, headers, host: '127.0.0.1' }, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const text = unpacked(bytes, response.headers['content-encoding']);
          const isJson =
            response.headers['content-type']?.startsWith('application/json') === true && text !== '';
          const json = isJson ? (JSON.parse(text) as unknown) : null;
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, bytes, json });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

type Options = HttpServerOptions<EndpointTable>;
type AnyHandler = (input: { path: never; query: never; body: never }) => Promise<unknown>;

/** Handlers that answer with each operation's first example. */
export const exampleHandlers = (endpoints: EndpointTable): Record<string, AnyHandler> =>
  Object.fromEntries(
    Object.values(endpoints).map((endpoint): [string, AnyHandler] => {
      const reply: unknown = Object.values(endpoint.examples)[0]?.reply;
      const answer: Answer<unknown> = {
        body: reply,
        orgId: ORG,
        scopes: ['shop'],
        version: 1,
        validUntil: null,
      };
      return [endpoint.id, () => Promise.resolve(endpoint.cache === 'no-store' ? reply : answer)];
    }),
  );

/** Open doors, on a free port unless told; every answer of `get` and `send` is checked against the OpenAPI document. */
export const openDoors = async (
  handlers: Readonly<Record<string, AnyHandler>> = {},
  options: Partial<Omit<Options, 'handlers'>> = {},
  wanted = 0,
) => {
  const endpoints = options.endpoints ?? publicEndpoints;
  const time = { now: Date.UTC(2026, 11, 4, 17), monotonic: 0 };
  const log: LogLine[] = [];
  const line = (level: LogLine['level']) => (fields: object, message: string) =>
    log.push({ level, fields: fields as LogLine['fields'], message });
  const logger = { info: line('info'), warn: line('warn'), error: line('error') };
  const feed = { alive: true };
  const metrics = createMetrics();
  const http = createHttpServer<EndpointTable>({
    ...{ endpoints, baseUrl: BASE_URL, version: '0.0.0', metrics },
    messages: { answer: () => Promise.resolve({ status: 202, body: null }) },
    about: {
      name: 'Ahwa',
      description: 'd',
      openapi: 'o',
      mcp: 'm',
      docs: 'd',
      contact: 'hello@ahwa.example',
    },
    clock: { now: () => time.now },
    every: systemTimers.every,
    upkeep: () => () => undefined,
    authenticate: { staff: () => Promise.resolve(null), device: () => Promise.resolve(null) },
    announcements: new Announcements(),
    monotonic: () => time.monotonic,
    feed: { changesSince: () => (feed.alive ? Promise.resolve([]) : Promise.reject(new Error('gone'))) },
    log: logger,
    security: createSecurityEvents(logger),
    ...options,
    // Each handler fits its endpoint; the table of the test has forgotten which.
    handlers: { ...exampleHandlers(endpoints), ...handlers } as unknown as Options['handlers'],
  });
  const { port } = await http.listen({ port: wanted, host: '127.0.0.1' });
  const openapi = conformance(openApiDocument(endpoints, { baseUrl: BASE_URL, version: '0.0.0' }));
  const checked = async (path: string, asked: Ask): Promise<Reply> => {
    const reply = await ask(port, path, asked);
    const { method = 'GET' } = asked;
    const isPage = path.startsWith('/docs') && reply.status < 400;
    if (!isPage)
      openapi.check({ method, path, status: reply.status, headers: reply.headers, body: reply.text });
    return reply;
  };
  return {
    ...{ http, port, time, log, feed, metrics },
    get: (path: string, headers: Ask['headers'] = {}) => checked(path, { headers }),
    send: checked,
    /** Not checked against the document. */
    raw: (path: string, asked: Ask = {}) => ask(port, path, asked),
    close: () => http.close(),
  };
};

export type Doors = Awaited<ReturnType<typeof openDoors>>;
