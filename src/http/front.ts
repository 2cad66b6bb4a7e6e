/** The first to see every request: ready bytes are sent at once, everything else is counted, routed and answered in turn. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Meter } from '../app/meter.ts';
import type { LimitGroup } from '../contract/endpoint.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Target } from './address.ts';
import { targetOf } from './address.ts';
import type { Guard } from './auth.ts';
import type { ClientOf } from './client.ts';
import type { Connection, Connections } from './connections.ts';
import type { Deliver } from './deliver.ts';
import type { Answers, Exchange } from './exchange.ts';
import type { Limits, Ruling } from './limits.ts';
import type { Operations } from './operations.ts';
import type { Published } from './published.ts';
import type { Match, Routes } from './routes.ts';
import { namesItsHost, understand } from './understand.ts';

/** The refusal of a ruling, or null when it let the request pass. */
const overLimit = (ruling: Ruling | null): Refusal | null =>
  ruling === null || ruling.refusedBy === null
    ? null
    : new Refusal('RATE_LIMITED', { retry_after_seconds: ruling.retryAfterSeconds });

export interface FrontParts {
  readonly monotonic: () => number;
  readonly nextId: () => string;
  readonly limits: Limits;
  readonly guard: Guard;
  readonly clientOf: ClientOf;
  readonly connections: Connections;
  readonly published: Published;
  readonly routes: Routes;
  readonly answers: Answers;
  readonly deliver: Deliver;
  readonly operations: Operations;
}

const nothing = (): void => undefined;

/** Resolves when the response is sent whole, or nobody is left to have it. */
const isOver = (response: ServerResponse, connection: Connection): Promise<void> =>
  new Promise((resolve) => {
    const forgetClose = connection.atClose(resolve);
    response.once('close', () => {
      forgetClose();
      resolve();
    });
  });

export const createFront = (parts: FrontParts) => {
  const { published, answers, deliver, limits, connections } = parts;

  /** Counts a request; false when it was refused for that. */
  const admit = (exchange: Exchange, group: LimitGroup): boolean => {
    const { request, endpoint, startedAt } = exchange;
    exchange.client = parts.guard.clientOf(request, endpoint) ?? parts.clientOf(request);
    exchange.ruling = limits.take(exchange.client, group, startedAt);
    const refusal = overLimit(exchange.ruling);
    if (refusal !== null) answers.refuse(exchange, refusal);
    return refusal === null;
  };

  /** Answers after the requests that came before on the same connection. */
  const answerInTurn = (exchange: Exchange, match: Match, target: Target): void => {
    const connection = connections.of(exchange.request.socket);
    connection.enqueue(async () => {
      const { response } = exchange;
      connection.response = response;
      const over = isOver(response, connection);
      await parts.operations.handle(exchange, match, target, connection);
      limits.weigh(exchange.client, match.endpoint.limit, exchange.meter.ms, parts.monotonic());
      await over;
      connection.response = null;
    });
  };

  /** By the address alone: what is not ready, not known or not meant for handlers. `isCounted`: it was admitted already. */
  const route = (exchange: Exchange, isCounted: boolean): void => {
    const target = targetOf(exchange.request.url ?? '');
    const { match, limit, refusal, headers, preflight } = understand(parts.routes, exchange.request, target);
    exchange.endpoint = match?.endpoint ?? null;
    if (!isCounted && !admit(exchange, limit)) return;
    if (refusal !== null) answers.refuse(exchange, refusal, headers);
    else if (preflight !== null) answers.preflight(exchange, preflight);
    else if (match !== null) answerInTurn(exchange, match, target);
  };

  return (request: IncomingMessage, response: ServerResponse): void => {
    const startedAt = parts.monotonic();
    const exchange: Exchange = {
      ...{ request, response, id: parts.nextId(), startedAt, endpoint: null, ruling: null, client: '' },
      ...{ meter: new Meter(parts.monotonic), leavePlace: nothing, endsConnection: false },
    };
    connections.of(request.socket).usedAt = startedAt;
    const isRead = (request.method === 'GET' || request.method === 'HEAD') && namesItsHost(request);
    const entry = isRead ? published.find(request.url ?? '', startedAt) : null;
    if (entry === null) {
      route(exchange, false);
      return;
    }
    exchange.endpoint = entry.endpoint;
    if (admit(exchange, entry.endpoint.limit) && deliver(exchange, entry, 'hit') !== null)
      route(exchange, true);
  };
};
