/** One request and the writing of its answer: the header lines every answer has, metrics, the slow-request line. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Meter } from '../../platform/app/meter.ts';
import type { Endpoint } from '../../platform/contract/endpoint.ts';
import type { Connection } from './connections/connections.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { isEmpty } from './body/body.ts';
import type { Coding } from './cache/encodings.ts';
import { isStaffPath, targetOf } from './address.ts';
import { EVERY_ANSWER, EVERY_STAFF_ANSWER, JSON_TYPE, STRICT_TRANSPORT } from './headers.ts';
import type { Ruling } from './limits/limits.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { errorBody, languageOf, statusOf, waitOf } from './refuse.ts';

/** Slower answers get a line in the log, ms. */
const SLOW_MS = 1000;

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: Connection;
  readonly id: string;
  /** Monotonic ms. */
  readonly startedAt: number;
  /** Known once the address is understood. */
  endpoint: Endpoint | null;
  /** What the limits said; null: not counted. */
  ruling: Ruling | null;
  /** Who asks, as the limits count it; empty until the request is counted. */
  client: string;
  readonly meter: Meter;
  /** Gives its place back early: the answer has begun, and goes on for as long as it likes. */
  leavePlace: () => void;
  /** The connection ends with the answer, as it does where the body is not read to its end. */
  endsConnection: boolean;
}

/** Request ids: 64 random bits of this process and a running number. Nothing from outside is taken for one. */
export const requestIds = (): (() => string) => {
  const process = randomBytes(8).toString('hex');
  let count = 0;
  return () => `${process}-${(count += 1).toString(36)}`;
};

export interface Answers {
  /** Sends `body` (null: none, also for HEAD) under `status`; `headers`, names and values, is made for this answer. */
  write(exchange: Exchange, status: number, headers: string[], body: Buffer | string | null): void;
  /** A reply of the service's own, not to be kept by anyone. */
  json(exchange: Exchange, status: number, reply: unknown): void;
  /** A message server's answer (null: nothing to say), its bytes already in this coding. */
  message(exchange: Exchange, status: number, body: Buffer | null, coding: Coding): void;
  /** The head of an answer whose body follows bit by bit; false when nobody is there to have it. */
  begin(exchange: Exchange, type: string): boolean;
  /** The answer to a preflight. */
  preflight(exchange: Exchange, headers: readonly string[]): void;
  /** The one error body; `headers` are those of this refusal alone. */
  refuse(exchange: Exchange, refusal: Refusal, headers?: readonly string[]): void;
}

export interface AnswerParts {
  readonly monotonic: () => number;
  readonly log: Log;
  readonly metrics: Metrics;
  /** True once the server is stopping: connections then end with their answer. */
  readonly isStopping: () => boolean;
  /** Whether the public address is https. */
  readonly isHttps: boolean;
  /** Hears of an answer that its reader did not take at once. */
  readonly awaitReader: (exchange: Exchange) => void;
  /** Hears of every refusal. */
  readonly onRefused: (client: string, status: number) => void;
}

/** The lines that every answer to such an address has. */
const linesOf = ({ request }: Exchange): readonly string[] =>
  isStaffPath(targetOf(request.url ?? '').path) ? EVERY_STAFF_ANSWER : EVERY_ANSWER;

/** Header lines of a JSON body that nobody may keep. */
const unkept = (exchange: Exchange, body: string | Buffer, extra: readonly string[]): string[] => [
  'Content-Type',
  JSON_TYPE,
  'Content-Length',
  String(Buffer.byteLength(body)),
  'Cache-Control',
  'no-store',
  ...extra,
  ...linesOf(exchange),
];

/** What a refusal adds: its wait, how to mend it. */
const refusalHeaders = (refusal: Refusal): string[] => {
  const wait = waitOf(refusal);
  return [
    'Vary',
    'Accept-Language',
    ...(wait === null ? [] : ['Retry-After', String(wait)]),
    // Which codings a body may come in (RFC 9110, 15.5.16).
    ...(refusal.refusal === 'BODY_COMPRESSED' ? ['Accept-Encoding', 'identity'] : []),
  ];
};

export const createAnswers = (parts: AnswerParts): Answers => {
  const { monotonic, log, metrics, isHttps, isStopping, awaitReader, onRefused } = parts;
  const head = (exchange: Exchange, status: number, headers: string[]): boolean => {
    const { request, response, ruling } = exchange;
    if (response.headersSent || response.destroyed) return false;
    // A 304 says nothing that anyone could ask about.
    if (status !== 304) headers.push('X-Request-Id', exchange.id);
    if (ruling !== null) headers.push('RateLimit-Policy', ruling.policy, 'RateLimit', ruling.limit);
    if (isHttps) headers.push(...STRICT_TRANSPORT);
    const isWhole = request.complete || isEmpty(request.headers);
    exchange.endsConnection ||= isStopping() || !isWhole;
    if (exchange.endsConnection) headers.push('Connection', 'close');
    response.writeHead(status, headers);
    if (exchange.endsConnection) exchange.connection.end(isWhole);
    return true;
  };
  const write: Answers['write'] = (exchange, status, headers, body) => {
    const { request, response, endpoint } = exchange;
    if (!head(exchange, status, headers)) return;
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
  return {
    write,
    json: (exchange, status, reply) => {
      const body = JSON.stringify(reply);
      write(exchange, status, unkept(exchange, body, []), body);
    },
    message: (exchange, status, body, coding) => {
      const encoding = coding === 'identity' ? [] : ['Content-Encoding', coding];
      const headers =
        body === null
          ? ['Content-Length', '0', 'Cache-Control', 'no-store', ...EVERY_ANSWER]
          : unkept(exchange, body, [...encoding, 'Vary', 'Accept-Encoding']);
      write(exchange, status, headers, body);
    },
    begin: (exchange, type) => {
      const headers = ['Content-Type', type, 'Cache-Control', 'no-store', ...linesOf(exchange)];
      if (!head(exchange, 200, headers)) return false;
      exchange.leavePlace();
      metrics.answered(exchange.endpoint?.id ?? 'unknown', 200, monotonic() - exchange.startedAt);
      return true;
    },
    preflight: (exchange, headers) => write(exchange, 204, [...headers, ...linesOf(exchange)], null),
    refuse: (exchange, refusal, headers = []) => {
      const body = JSON.stringify(
        errorBody(refusal, languageOf(exchange.request.headers['accept-language'])),
      );
      const status = statusOf(refusal);
      onRefused(exchange.client, status);
      write(exchange, status, unkept(exchange, body, [...headers, ...refusalHeaders(refusal)]), body);
    },
  };
};
