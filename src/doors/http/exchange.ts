/** One request, and the writing of its response. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Meter } from '../../platform/app/meter.ts';
import type { Language } from '../../kernel/names.ts';
import type { Content } from '../../platform/app/answer.ts';
import { isPage, type Endpoint, type FileAnswer } from '../../platform/contract/endpoint.ts';
import type { Connection } from './connections/connections.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { isEmpty } from './body/body.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import type { Coding } from './cache/encodings.ts';
import { isStaffPath, targetOf } from './address.ts';
import { PUBLIC_HEADERS, STAFF_HEADERS, JSON_TYPE, STRICT_TRANSPORT } from './headers.ts';
import type { LimitDecision } from './limits/limits.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { chosenLanguage, wantsPage, type Readers } from './reader.ts';
import { errorBody, languageOf, statusOf, retryAfterOf } from './refuse.ts';

const SLOW_MS = 1000;

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: Connection;
  readonly id: string;
  /** Monotonic ms. */
  readonly startedAt: number;
  /** Null until the request is routed. */
  endpoint: Endpoint | null;
  /** Null: not limited. */
  decision: LimitDecision | null;
  /** The client that the limits count; empty before that. */
  client: string;
  readonly meter: Meter;
  /** Releases the permit early: the response has begun and may take any time. */
  releasePermit: () => void;
  /** The connection ends with this response. */
  endsConnection: boolean;
}

/** Request ids: 64 random bits of this process and a counter. A client's own id is never used. */
export const requestIds = (): (() => string) => {
  const process = randomBytes(8).toString('hex');
  let count = 0;
  return () => `${process}-${(count += 1).toString(36)}`;
};

export interface ResponseWriter {
  /** `body` null: none. `headers` is extended. */
  write(exchange: Exchange, status: number, headers: string[], body: Buffer | string | null): void;
  json(exchange: Exchange, status: number, reply: unknown, headers?: readonly string[]): void;
  /** 204. */
  empty(exchange: Exchange): void;
  file(exchange: Exchange, status: number, body: string | Buffer, file: FileAnswer): void;
  /** 308 to `path`, with the query of the request. */
  moved(exchange: Exchange, path: string): void;
  /** Not stored by anybody. */
  content(exchange: Exchange, status: number, content: Content): void;
  /** `body` is already in `coding`; null: empty. */
  message(exchange: Exchange, status: number, body: Buffer | null, coding: Coding): void;
  /** Sends the head of a streamed response; false when the client is gone. */
  begin(exchange: Exchange, type: string): boolean;
  preflight(exchange: Exchange, headers: readonly string[]): void;
  refuse(exchange: Exchange, refusal: Refusal, headers?: readonly string[]): void;
}

export interface ResponseWriterParts {
  readonly monotonic: () => number;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly isStopping: () => boolean;
  readonly isHttps: boolean;
  readonly readers: Readers;
  readonly browserSessions: Pick<BrowserSessions, 'corsLines'>;
  /** Called for a response that the client did not take at once. */
  readonly awaitReader: (exchange: Exchange) => void;
  readonly onRefused: (client: string, status: number) => void;
  /** A refusal as a page, for readers; undefined: there are no pages. */
  readonly errorPage: ErrorPage | undefined;
}

/** What a page about a refusal depends on. */
export interface RefusedRead {
  readonly status: number;
  readonly message: string;
  readonly language: Language;
  /** The language that the address names. */
  readonly chosen: Language | undefined;
  readonly requestId: string;
  readonly path: string;
  readonly retryAfterSeconds: number | null;
}

export type ErrorPage = (refused: RefusedRead) => Content;

const commonHeaders = ({ request }: Exchange): readonly string[] =>
  isStaffPath(targetOf(request.url ?? '').path) ? STAFF_HEADERS : PUBLIC_HEADERS;

const noStoreHeaders = (
  exchange: Exchange,
  body: string | Buffer,
  extra: readonly string[],
  type = JSON_TYPE,
): string[] => [
  'Content-Type',
  type,
  'Content-Length',
  String(Buffer.byteLength(body)),
  'Cache-Control',
  'no-store',
  ...extra,
  ...commonHeaders(exchange),
];

/** Two addresses can change places: a browser that used both redirects unasked would go in circles. */
const movedHeaders = (exchange: Exchange, path: string): string[] => {
  const { query } = targetOf(exchange.request.url ?? '');
  const to = ['Location', query === '' ? path : `${path}?${query}`, 'Content-Length', '0'];
  return [...to, 'Cache-Control', 'no-cache', ...commonHeaders(exchange)];
};

const refusalHeaders = (refusal: Refusal): string[] => {
  const wait = retryAfterOf(refusal);
  return [
    'Vary',
    'Accept-Language',
    ...(wait === null ? [] : ['Retry-After', String(wait)]),
    // The codings that a request body may have (RFC 9110, 15.5.16).
    ...(refusal.refusal === 'BODY_COMPRESSED' ? ['Accept-Encoding', 'identity'] : []),
  ];
};

/** Addresses whose refusals are for programs, also where they are unknown. */
const API = /^\/(public|staff|mcp)(\/|$)/;

/** A page was asked for, or an unknown address by a browser. */
const isForReader = ({ endpoint, request: { headers, method, url = '' } }: Exchange): boolean => {
  if (!wantsPage(headers.accept)) return false;
  if (endpoint !== null) return isPage(endpoint);
  return (method === 'GET' || method === 'HEAD') && !API.test(targetOf(url).path);
};

const refusedRead = (
  { request, id: requestId }: Exchange,
  refusal: Refusal,
  readers: Readers,
): RefusedRead => {
  const chosen = chosenLanguage(request);
  const language = chosen ?? readers.languageOf(request) ?? 'ar';
  return {
    ...{
      status: statusOf(refusal),
      message: errorBody(refusal, language).error,
      language,
      chosen,
      requestId,
    },
    ...{ path: targetOf(request.url ?? '').path, retryAfterSeconds: retryAfterOf(refusal) },
  };
};

/** Extends the headers; false when the client is gone. */
const sendHead = (
  { isHttps, isStopping, browserSessions }: ResponseWriterParts,
  exchange: Exchange,
  status: number,
  headers: string[],
): boolean => {
  const { request, response, decision } = exchange;
  if (response.headersSent || response.destroyed) return false;
  if (status !== 304) headers.push('X-Request-Id', exchange.id);
  if (decision !== null) headers.push('RateLimit-Policy', decision.policy, 'RateLimit', decision.limit);
  headers.push(...browserSessions.corsLines(request));
  if (isHttps) headers.push(...STRICT_TRANSPORT);
  const isWhole = request.complete || isEmpty(request.headers);
  exchange.endsConnection ||= isStopping() || !isWhole;
  if (exchange.endsConnection) headers.push('Connection', 'close');
  response.writeHead(status, headers);
  if (exchange.endsConnection) exchange.connection.end(isWhole);
  return true;
};

export const createResponseWriter = (parts: ResponseWriterParts): ResponseWriter => {
  const { monotonic, log, metrics, awaitReader, onRefused, errorPage, readers } = parts;
  const write: ResponseWriter['write'] = (exchange, status, headers, body) => {
    const { request, response, endpoint } = exchange;
    if (!sendHead(parts, exchange, status, headers)) return;
    if (body === null || request.method === 'HEAD') response.end();
    else response.end(body);
    if (response.socket !== null && response.socket.writableLength > 0) awaitReader(exchange);
    const ms = monotonic() - exchange.startedAt;
    metrics.answered(endpoint?.id ?? 'unknown', status, ms);
    if (ms > SLOW_MS)
      log.warn(
        { request_id: exchange.id, operation: endpoint?.id, status, ms: Math.round(ms) },
        'slow request',
      );
  };
  const content = (
    exchange: Exchange,
    status: number,
    { type, body, headers }: Content,
    further: readonly string[] = ['Vary', 'Accept-Language, Cookie'],
  ): void => {
    const length = ['Content-Type', type, 'Content-Length', String(Buffer.byteLength(body))];
    write(exchange, status, [...length, 'Cache-Control', 'no-store', ...further, ...headers], body);
  };
  return {
    write,
    json: (exchange, status, reply, headers = []) => {
      const body = JSON.stringify(reply);
      write(exchange, status, noStoreHeaders(exchange, body, headers), body);
    },
    empty: (exchange) =>
      write(exchange, 204, ['Cache-Control', 'no-store', ...commonHeaders(exchange)], null),
    file: (exchange, status, body, { mediaType, filename }) => {
      const name = ['Content-Disposition', `attachment; filename="${filename}"`];
      write(exchange, status, noStoreHeaders(exchange, body, name, mediaType), body);
    },
    content,
    moved: (exchange, path) => write(exchange, 308, movedHeaders(exchange, path), null),
    message: (exchange, status, body, coding) => {
      const encoding = coding === 'identity' ? [] : ['Content-Encoding', coding];
      const headers =
        body === null
          ? ['Content-Length', '0', 'Cache-Control', 'no-store', ...PUBLIC_HEADERS]
          : noStoreHeaders(exchange, body, [...encoding, 'Vary', 'Accept-Encoding']);
      write(exchange, status, headers, body);
    },
    begin: (exchange, type) => {
      const headers = ['Content-Type', type, 'Cache-Control', 'no-store', ...commonHeaders(exchange)];
      if (!sendHead(parts, exchange, 200, headers)) return false;
      exchange.releasePermit();
      metrics.answered(exchange.endpoint?.id ?? 'unknown', 200, monotonic() - exchange.startedAt);
      return true;
    },
    preflight: (exchange, headers) => write(exchange, 204, [...headers, ...commonHeaders(exchange)], null),
    refuse: (exchange, refusal, headers = []) => {
      const status = statusOf(refusal);
      onRefused(exchange.client, status);
      if (errorPage !== undefined && isForReader(exchange)) {
        const page = errorPage(refusedRead(exchange, refusal, readers));
        content(exchange, status, page, [...headers, ...refusalHeaders(refusal)]);
        return;
      }
      const body = JSON.stringify(
        errorBody(refusal, languageOf(exchange.request.headers['accept-language'])),
      );
      write(exchange, status, noStoreHeaders(exchange, body, [...headers, ...refusalHeaders(refusal)]), body);
    },
  };
};
