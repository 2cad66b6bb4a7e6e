/** The HTTP server alone, on a real port: no database; clock, change feed and handlers belong to the test. */
import { createSecurityEvents } from '../../../src/adapters/security-events.ts';
import { systemTimers } from '../../../src/adapters/timers.ts';
import { aChangePublisher } from './change-publisher.ts';
import type { Answer } from '../../../src/platform/app/answer.ts';
import { endpoints as publicEndpoints } from '../../../src/service/contract/endpoints.ts';
import type { EndpointTable } from '../../../src/platform/contract/endpoint.ts';
import { createMetrics } from '../../../src/doors/http/metrics.ts';
import { createHttpServer } from '../../../src/doors/http/server.ts';
import type { HttpServerOptions } from '../../../src/doors/http/server.ts';
import { httpRequest, type Reply, type RequestOptions } from './http-client.ts';
import { conformanceTo } from './openapi-conformance.ts';

export const BASE_URL = 'https://ahwa.example';
export const ORG = '3f0a4d0e-58a4-5a55-9a0c-1f2f6f1d7b10';
export const BRANCH = '5b0c7a52-6d5e-5a3b-9a41-0b6d9d0f1c22';

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

type Options = HttpServerOptions<EndpointTable>;
type AnyHandler = (input: { path: never; query: never; body: never }) => Promise<unknown>;

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

/** Listens on `wanted`, or a free port. Answers of `get` and `send` are checked against the OpenAPI document. */
export const openHttpServer = async (
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
  const feed = { isFresh: true };
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
    changePublisher: aChangePublisher(),
    monotonic: () => time.monotonic,
    feed: { isFresh: () => feed.isFresh },
    log: logger,
    security: createSecurityEvents(logger),
    ...options,
    // Each handler fits its endpoint; the merged type no longer says which.
    handlers: { ...exampleHandlers(endpoints), ...handlers } as unknown as Options['handlers'],
  });
  const { port } = await http.listen({ port: wanted, host: '127.0.0.1' });
  const openapi = conformanceTo(endpoints);
  const checked = async (path: string, asked: RequestOptions): Promise<Reply> => {
    const reply = await httpRequest(port, path, asked);
    const { method = 'GET', headers: { 'accept-language': language } = {} } = asked;
    const isPage = path.startsWith('/docs') && reply.status < 400;
    if (!isPage) openapi.check({ ...reply, ...{ method, path, language, body: reply.text } });
    return reply;
  };
  return {
    ...{ http, port, time, log, feed, metrics },
    get: (path: string, headers: RequestOptions['headers'] = {}) => checked(path, { headers }),
    send: checked,
    raw: (path: string, asked: RequestOptions = {}) => httpRequest(port, path, asked),
    close: () => http.close(),
  };
};

export type HttpFixture = Awaited<ReturnType<typeof openHttpServer>>;
