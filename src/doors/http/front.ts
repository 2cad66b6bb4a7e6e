/** The first to see every request: ready bytes are sent at once, everything else is counted, routed and answered in turn. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Meter } from '../../platform/app/meter.ts';
import type { LimitGroup } from '../../platform/contract/endpoint.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Target } from './address.ts';
import { targetOf } from './address.ts';
import type { Guard } from './auth.ts';
import type { ClientOf } from './limits/client.ts';
import type { Connections } from './connections/connections.ts';
import { costOf, costOfHead, type CutOff } from './connections/cut-off.ts';
import type { Deliver } from './deliver.ts';
import type { Answers, Exchange } from './exchange.ts';
import type { Limits, Ruling } from './limits/limits.ts';
import type { Operations } from './operations.ts';
import { isBehindOthers, type Pipeline } from './connections/pipeline.ts';
import type { Published } from './cache/published.ts';
import type { Match, Routes } from './routes.ts';
import { fullRefusal } from './connections/share.ts';
import { whenOver, type UnderWay } from './connections/under-way.ts';
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
  readonly cutOff: CutOff;
  readonly pipeline: Pipeline;
  readonly underWay: UnderWay;
  readonly published: Published;
  readonly routes: Routes;
  readonly answers: Answers;
  readonly deliver: Deliver;
  readonly operations: Operations;
}

/** Requests of one client in one turn that are not counted, each on a connection of its own: 900 took 140 ms. */
const MOST_A_TURN = 128;

/** A turn of the event loop: what one read brings comes in one, and so does what many connections bring at once. */
class Turn {
  readonly #asked = new Map<string, number>();

  /** Whether this is more than one client may ask in a turn. */
  isCrowdedBy(client: string): boolean {
    const asked = (this.#asked.get(client) ?? 0) + 1;
    this.#asked.set(client, asked);
    return asked > MOST_A_TURN;
  }
}

/** Gives the turn in which anything is asked. */
const createTurns = (): (() => Turn) => {
  let turn: Turn | null = null;
  return () => {
    if (turn === null) setImmediate(() => (turn = null));
    return (turn ??= new Turn());
  };
};

/** Counts what is sent ahead; false: its connection is to end. In a crowd only what waits behind others is ended for it. */
const createAheadCheck = ({ ahead, isCutOff }: CutOff): ((exchange: Exchange) => boolean) => {
  const thisTurn = createTurns();
  return (exchange) => {
    const { request, connection } = exchange;
    const { peer } = connection;
    const turn = thisTurn();
    const isBehind = isBehindOthers(exchange);
    const isCounted = turn.isCrowdedBy(peer.key) || isBehind || connection.turn === turn;
    const cost = isCounted ? costOf(request) : costOfHead(request);
    connection.turn = turn;
    return cost === 0 || ahead(peer, cost) || !(isBehind || isCutOff(peer));
  };
};

const leaveNoPlace = (): void => undefined;

export const createFront = (parts: FrontParts) => {
  const { published, answers, deliver, limits, connections, cutOff } = parts;
  const goesOn = createAheadCheck(cutOff);

  /** Counts a request; false when it was refused for that, or its connection closed for what waits on it. */
  const admit = (exchange: Exchange, group: LimitGroup): boolean => {
    const { request, endpoint, startedAt } = exchange;
    const known = parts.guard.clientOf(request, endpoint);
    if (known !== null) exchange.connection.isKnown = true;
    exchange.client = known ?? parts.clientOf(request);
    if (isBehindOthers(exchange) && !parts.pipeline.wait(exchange)) return false;
    exchange.ruling = limits.take(exchange.client, group, startedAt);
    const refusal = overLimit(exchange.ruling);
    if (refusal === null) return true;
    // Who sends many at once is not told of each.
    if (isBehindOthers(exchange)) exchange.endsConnection = true;
    answers.refuse(exchange, refusal);
    return false;
  };

  /** Answers after the requests that came before on the same connection. */
  const answerInTurn = (exchange: Exchange, match: Match, target: Target): void => {
    const { response, connection } = exchange;
    connection.enqueue(async () => {
      const over = new Promise<void>((resolve) => whenOver(response, connection, resolve));
      const full = parts.underWay.begin(exchange);
      if (full === null) await parts.operations.handle(exchange, match, target);
      else {
        exchange.endsConnection = true;
        answers.refuse(exchange, fullRefusal(full));
      }
      if (exchange.endsConnection) connection.dropWaiting();
      limits.weigh(exchange.client, match.endpoint.limit, exchange.meter.ms, parts.monotonic());
      await over;
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
    const connection = connections.of(request.socket);
    // Node parses the rest of what it has read, whatever became of the connection.
    if (connection.isEnding) {
      cutOff.ahead(connection.peer, costOf(request));
      return;
    }
    const startedAt = parts.monotonic();
    const exchange: Exchange = {
      ...{ request, response, connection, id: parts.nextId(), startedAt },
      ...{ endpoint: null, ruling: null, client: '', meter: new Meter(parts.monotonic) },
      ...{ leavePlace: leaveNoPlace, endsConnection: false },
    };
    connection.usedAt = startedAt;
    connection.latest = response;
    if (!goesOn(exchange)) {
      connection.socket.destroy();
      return;
    }
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
