/**
 * The entry point of every request. A cached response is sent at once; any other request is routed, counted and
 * answered in the order of its connection.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Meter } from '../../platform/app/meter.ts';
import type { LimitGroup } from '../../platform/contract/endpoint.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Guard } from './auth.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import type { ClientOf } from './limits/client.ts';
import type { Connection, Connections } from './connections/connections.ts';
import { costOf, costOfHead, type FloodGuard } from './connections/flood-guard.ts';
import type { SendCached } from './send-cached.ts';
import type { ResponseWriter, Exchange } from './exchange.ts';
import type { Limits, LimitDecision } from './limits/limits.ts';
import type { RoutedRequest } from './input.ts';
import type { Operations } from './operations.ts';
import { isBehindOthers, type Pipeline } from './connections/pipeline.ts';
import type { Entry, Published } from './cache/published-reads.ts';
import { wantsPage, type Readers } from './reader.ts';
import type { Routes } from './routes.ts';
import { exhaustedRefusal } from './connections/fair-share.ts';
import { onResponseEnd, type InFlight } from './connections/in-flight.ts';
import { hasValidHost, readRequestLine } from './request-line.ts';

const limitRefusal = (decision: LimitDecision | null): Refusal | null =>
  decision === null || decision.refusedBy === null
    ? null
    : new Refusal('RATE_LIMITED', { retry_after_seconds: decision.retryAfterSeconds });

export interface FrontParts {
  readonly monotonic: () => number;
  readonly nextId: () => string;
  readonly limits: Limits;
  readonly guard: Guard;
  readonly browserSessions: BrowserSessions;
  readonly clientOf: ClientOf;
  readonly connections: Connections;
  readonly floodGuard: FloodGuard;
  readonly pipeline: Pipeline;
  readonly inFlight: InFlight;
  readonly published: Published;
  readonly readers: Readers;
  readonly routes: Routes;
  readonly responses: ResponseWriter;
  readonly sendCached: SendCached;
  readonly operations: Operations;
}

/**
 * One client's requests in one turn of the event loop; further ones are charged: 900 connections with a request each
 * took 140 ms.
 */
const MAX_PER_TURN = 128;

class LoopTurn {
  readonly #asked = new Map<string, number>();

  /** Counts a request; true beyond the bound. */
  isCrowded(client: string): boolean {
    const asked = (this.#asked.get(client) ?? 0) + 1;
    this.#asked.set(client, asked);
    return asked > MAX_PER_TURN;
  }
}

const createLoopTurns = (): (() => LoopTurn) => {
  let turn: LoopTurn | null = null;
  return () => {
    if (turn === null) setImmediate(() => (turn = null));
    return (turn ??= new LoopTurn());
  };
};

/** Charges pipelined requests and crowds; false: the connection is to end. */
const createFloodCheck = ({ charge, isBlocked }: FloodGuard): ((exchange: Exchange) => boolean) => {
  const thisTurn = createLoopTurns();
  return (exchange) => {
    const { request, connection } = exchange;
    const { peer } = connection;
    const turn = thisTurn();
    const isBehind = isBehindOthers(exchange);
    const isCounted = turn.isCrowded(peer.key) || isBehind || connection.turn === turn;
    const cost = isCounted ? costOf(request) : costOfHead(request);
    connection.turn = turn;
    return cost === 0 || charge(peer, cost) || !(isBehind || isBlocked(peer));
  };
};

const noPermit = (): void => undefined;

const beginExchange = (
  { monotonic, nextId }: FrontParts,
  request: IncomingMessage,
  response: ServerResponse,
  connection: Connection,
): Exchange => ({
  ...{ request, response, connection, id: nextId(), startedAt: monotonic() },
  ...{ endpoint: null, decision: null, client: '', meter: new Meter(monotonic) },
  ...{ releasePermit: noPermit, endsConnection: false },
});

/** A program that asks for JSON where a page stands too gets no page. */
const findCached = (
  { published, readers }: Pick<FrontParts, 'published' | 'readers'>,
  request: IncomingMessage,
  now: number,
): Entry | null => {
  const { url = '', headers } = request;
  return (
    published.find(url, now) ??
    (wantsPage(headers.accept) ? published.find(readers.pageAddress(request), now) : null)
  );
};

export const createFront = (parts: FrontParts) => {
  const { responses, sendCached, limits, connections, floodGuard } = parts;
  const passesFloodCheck = createFloodCheck(floodGuard);

  /** Counts the request; false when it was refused, or its connection closed for what waits on it. */
  const admit = (exchange: Exchange, group: LimitGroup): boolean => {
    const { request, endpoint, startedAt } = exchange;
    const known = parts.guard.clientOf(request, endpoint);
    if (known !== null) exchange.connection.isAuthenticated = true;
    exchange.client = known ?? parts.clientOf(request);
    if (isBehindOthers(exchange) && !parts.pipeline.wait(exchange)) return false;
    exchange.decision = limits.take(exchange.client, group, startedAt);
    const refusal = limitRefusal(exchange.decision);
    if (refusal === null) return true;
    // A client that pipelines beyond its limit gets one refusal, not hundreds.
    if (isBehindOthers(exchange)) exchange.endsConnection = true;
    responses.refuse(exchange, refusal);
    return false;
  };

  const answerInOrder = (request: RoutedRequest): void => {
    const { exchange, match } = request;
    const { response, connection } = exchange;
    connection.enqueue(async () => {
      const over = new Promise<void>((resolve) => onResponseEnd(response, connection, resolve));
      const full = parts.inFlight.begin(exchange);
      if (full === null) await parts.operations.handle(request);
      else {
        exchange.endsConnection = true;
        responses.refuse(exchange, exhaustedRefusal(full));
      }
      if (exchange.endsConnection) connection.dropWaiting();
      limits.charge(exchange.client, match.endpoint.limit, exchange.meter.ms, parts.monotonic());
      await over;
    });
  };

  /** `isCounted`: the request was counted already. */
  const route = (exchange: Exchange, isCounted: boolean): void => {
    const line = readRequestLine(parts.routes, parts.browserSessions, exchange.request);
    const { match, target, limit, refusal, headers, preflight } = line;
    exchange.endpoint = match?.endpoint ?? null;
    if (!isCounted && !admit(exchange, limit)) return;
    if (refusal !== null) responses.refuse(exchange, refusal, headers);
    else if (preflight !== null) responses.preflight(exchange, preflight);
    else if (match !== null) answerInOrder({ exchange, match, target });
  };

  const receive = (request: IncomingMessage, response: ServerResponse): void => {
    const connection = connections.of(request.socket);
    // Node parses the rest of what it has read, even when the connection has ended.
    if (connection.isEnding) {
      floodGuard.charge(connection.peer, costOf(request));
      return;
    }
    const exchange = beginExchange(parts, request, response, connection);
    const { startedAt } = exchange;
    connection.usedAt = startedAt;
    connection.latest = response;
    if (!passesFloodCheck(exchange)) {
      connection.socket.destroy();
      return;
    }
    const isRead = (request.method === 'GET' || request.method === 'HEAD') && hasValidHost(request);
    const entry = isRead ? findCached(parts, request, startedAt) : null;
    if (entry === null) {
      route(exchange, false);
      return;
    }
    exchange.endpoint = entry.endpoint;
    if (admit(exchange, entry.endpoint.limit) && sendCached(exchange, entry, 'hit') !== null)
      route(exchange, true);
  };
  return receive;
};
