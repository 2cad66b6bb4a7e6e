/**
 * The HTTP doors, built from the endpoint table.
 *
 *     const http = createHttpServer({ endpoints, handlers, about, version, baseUrl, clock, feed, log, metrics, … });
 *     const { port } = await http.listen({ port: 8080, host: '0.0.0.0' });
 *     await http.close();
 *
 * A handler takes `{ path, query, headers, body, caller, actor }`, read and checked, and gives an `Answer` (kept as ready bytes), or for an
 * operation with `cache: 'no-store'` its plain reply; it refuses by throwing a `Refusal`. `about` and `/openapi.json`
 * need no handler.
 *
 * The way of a request: ready bytes by the raw address (`published.ts`), in front of everything; else the address is
 * understood (`routes.ts`), counted (`limits.ts`), and handed to the framework, which reads bodies; then parameters and
 * body are checked, and the handler's answer is kept, or sent as it is.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Listener } from '../app/announcements.ts';
import type { LimitGroup } from '../contract/endpoint.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Clock } from '../ports.ts';
import type { Target } from './address.ts';
import { targetOf } from './address.ts';
import { createGuard, type Authenticate, type Guard } from './auth.ts';
import type { ClientOf } from './client.ts';
import { clientKeyOf, clientResolver } from './client.ts';
import type { Deliver } from './deliver.ts';
import { createDelivery } from './deliver.ts';
import type { PlainDocument, ServiceFacts } from './documents.ts';
import { createDocuments } from './documents.ts';
import type { Answers, Exchange } from './exchange.ts';
import { createAnswers, requestIds } from './exchange.ts';
import type { Every } from './events.ts';
import type { HandlersOf } from './handlers.ts';
import type { Limits, Ruling } from './limits.ts';
import { createLimits } from './limits.ts';
import type { Log } from './log.ts';
import { createTellFault, faultFields } from './log.ts';
import { createMessages } from './messages.ts';
import { createReports, type ReportTaker } from './reports.ts';
import type { MessageServer } from './messages.ts';
import type { Metrics } from './metrics.ts';
import type { Operations } from './operations.ts';
import { createOperations } from './operations.ts';
import type { ChangeFeed, Published } from './published.ts';
import { createPublished, type Entry } from './published.ts';
import type { RawDoor } from './raw-door.ts';
import type { EndpointTable, Match, Routes } from './routes.ts';
import { createRoutes } from './routes.ts';
import type { Timeouts } from './sockets.ts';
import { applyTimeouts, guardSockets, MAX_HEADER_BYTES, stopGently, TIMEOUTS } from './sockets.ts';
import { namesItsHost, understand } from './understand.ts';

export interface HttpServerOptions<T extends EndpointTable> extends ServiceFacts {
  /** Public operations and those of the staff's side (`access`), each of which has a document of its own. */
  readonly endpoints: T;
  readonly handlers: HandlersOf<T>;
  readonly authenticate: Authenticate;
  /** Commits of this process, so that what is kept is never older than them. */
  readonly announcements: { listen(listener: Listener): () => void };
  /** What answers POST /mcp. */
  readonly messages: MessageServer;
  /** What takes reports of messages; undefined: there is no such address. */
  readonly reports?: ReportTaker | undefined;
  /** Further documents that stay the same. */
  readonly documents?: readonly PlainDocument[];
  readonly clock: Clock;
  readonly feed: ChangeFeed;
  readonly log: Log;
  readonly metrics: Metrics;
  /** RATE_LIMIT_SCALE: multiplies every limit, 0 is off. */
  readonly limitScale?: number;
  /** Addresses and CIDR ranges whose X-Forwarded-For is believed. */
  readonly trustedProxies?: readonly string[];
  /** Milliseconds that only ever grow. */
  readonly monotonic?: () => number;
  /** For what streams do by themselves. */
  readonly every: Every;
  readonly timeouts?: Partial<Timeouts>;
  /** Bytes of a request body. */
  readonly bodyLimit?: number;
  /** Requests that may wait for an answer at once; more are refused with 503. */
  readonly maxWaiting?: number;
}

export interface ListenAt {
  readonly port: number;
  readonly host: string;
}

export interface HttpServer {
  readonly published: Published;
  /** Rejects when it cannot listen (`code` EADDRINUSE, EACCES …). Port 0 takes a free one. */
  listen(at: ListenAt): Promise<{ readonly port: number }>;
  /** Stops accepting, lets answers under way finish for at most 10 s, ends every connection. */
  close(): Promise<void>;
}

const MAX_WAITING = 1_000;
const MAX_CONNECTIONS = 10_000;
const GRACE_MS = 10_000;

/** The refusal of a ruling, or null when it let the request pass. */
const overLimit = (ruling: Ruling | null): Refusal | null =>
  ruling === null || ruling.refusedBy === null
    ? null
    : new Refusal('RATE_LIMITED', { retry_after_seconds: ruling.retryAfterSeconds });

/** Counts a request; false when it was refused for that. */
type Admit = (exchange: Exchange, group: LimitGroup) => boolean;

const createAdmission =
  (limits: Limits, guard: Guard, clientOf: ClientOf, answers: Answers): Admit =>
  (exchange, group) => {
    const { request, endpoint, startedAt } = exchange;
    exchange.ruling = limits.take(guard.clientOf(request, endpoint) ?? clientOf(request), group, startedAt);
    const refusal = overLimit(exchange.ruling);
    if (refusal !== null) answers.refuse(exchange, refusal);
    return refusal === null;
  };

interface FrontParts {
  readonly monotonic: () => number;
  readonly nextId: () => string;
  readonly maxWaiting: number;
  readonly published: Published;
  readonly routes: Routes;
  readonly admit: Admit;
  readonly answers: Answers;
  readonly deliver: Deliver;
  readonly operations: Operations;
}

const nothing = (): void => undefined;

/** The first to see every request. */
const createFront = (parts: FrontParts) => {
  const { published, admit, answers, deliver } = parts;
  const underWay = new WeakMap<Duplex, ServerResponse>();
  let waiting = 0;

  const wait = (exchange: Exchange, match: Match, target: Target): void => {
    if (waiting >= parts.maxWaiting && match.endpoint.limit !== 'none') {
      answers.refuse(exchange, new Refusal('UNAVAILABLE'));
      return;
    }
    waiting += 1;
    exchange.leaveQueue = () => {
      waiting -= 1;
      exchange.leaveQueue = nothing;
    };
    underWay.set(exchange.request.socket, exchange.response);
    exchange.response.once('close', () => {
      exchange.leaveQueue();
      // A kept-alive connection that speaks nonsense next is owed an answer of its own.
      const { socket } = exchange.request;
      if (underWay.get(socket) === exchange.response) underWay.delete(socket);
    });
    parts.operations.handle(exchange, match, target);
  };

  /** By the address alone: what is not ready, not known or not meant for handlers. `isCounted`: it was admitted already. */
  const route = (exchange: Exchange, isCounted: boolean): void => {
    const target = targetOf(exchange.request.url ?? '');
    const { match, limit, refusal, headers, preflight } = understand(parts.routes, exchange.request, target);
    exchange.endpoint = match?.endpoint ?? null;
    if (!isCounted && !admit(exchange, limit)) return;
    if (refusal !== null) answers.refuse(exchange, refusal, headers);
    else if (preflight !== null) answers.preflight(exchange, preflight);
    else if (match !== null) wait(exchange, match, target);
  };

  return {
    receive: (request: IncomingMessage, response: ServerResponse): void => {
      const startedAt = parts.monotonic();
      const exchange: Exchange = {
        request,
        response,
        id: parts.nextId(),
        startedAt,
        endpoint: null,
        ruling: null,
        leaveQueue: nothing,
      };
      const isRead = (request.method === 'GET' || request.method === 'HEAD') && namesItsHost(request);
      const entry = isRead ? published.find(request.url ?? '', startedAt) : null;
      if (entry === null) {
        route(exchange, false);
        return;
      }
      exchange.endpoint = entry.endpoint;
      if (admit(exchange, entry.endpoint.limit) && deliver(exchange, entry, 'hit') !== null)
        route(exchange, true);
    },
    underWay: (socket: Duplex): ServerResponse | undefined => underWay.get(socket),
    waiting: (): number => waiting,
  };
};

/** Figures that are read only when asked for. */
const showFigures = (metrics: Metrics, published: Published, limits: Limits, waiting: () => number): void => {
  metrics.gauge('ahwa_http_requests_waiting', 'Requests that wait for an answer now.', waiting);
  metrics.gauge('ahwa_published_bytes', 'Bytes of ready answers.', () => published.counts().bytes);
  metrics.gauge('ahwa_published_entries', 'Ready answers.', () => published.counts().entries);
  metrics.gauge('ahwa_limited_clients', 'Clients that the limits remember.', () => limits.size());
  metrics.counters('ahwa_limit_refusals_total', 'Requests refused by limits.', 'group', () => limits.refused);
};

const listening = (server: Server, { port, host }: ListenAt): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });

const createNodeServer = (receive: RequestListener, timeouts: Timeouts): Server => {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      // Refused by us, with the error body.
      requireHostHeader: false,
      // So that a second Host is seen.
      joinDuplicateHeaders: true,
      connectionsCheckingInterval: timeouts.check,
    },
    receive,
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.on('checkExpectation', receive);
  applyTimeouts(server, timeouts);
  return server;
};

/** The header lines of the limits for an address whose request could not be read. */
const limitLines = (limits: Limits, address: string | undefined, now: number): readonly string[] => {
  const ruling = limits.take(clientKeyOf(address), 'general', now);
  return ruling === null ? [] : ['RateLimit-Policy', ruling.policy, 'RateLimit', ruling.limit];
};

/** Everything that has an address. */
const tableOf = (
  endpoints: EndpointTable,
  documents: readonly Entry[],
  rawDoors: readonly RawDoor[],
): EndpointTable => ({
  ...endpoints,
  ...Object.fromEntries(documents.map(({ endpoint }) => [endpoint.id, endpoint])),
  ...Object.fromEntries(rawDoors.flatMap((door) => Object.entries(door.endpoints))),
});

const tellOfFeed =
  (log: Log) =>
  (failure: unknown): void =>
    failure === null
      ? log.info({}, 'the change feed answers again')
      : log.warn(faultFields(failure), 'the change feed does not answer');

export const createHttpServer = <T extends EndpointTable>(options: HttpServerOptions<T>): HttpServer => {
  const { clock, log, metrics, monotonic = () => performance.now() } = options;
  const documents = createDocuments(options.endpoints, options, options.documents ?? []);
  const limits = createLimits({ scale: options.limitScale ?? 1 });
  const nextId = requestIds();
  let stopping = false;
  const published = createPublished({ clock, monotonic, feed: options.feed, onFeed: tellOfFeed(log) });
  const answers = createAnswers({ monotonic, log, metrics, isStopping: () => stopping });
  const deliver = createDelivery(answers, clock, metrics);
  const tellFault = createTellFault(log, monotonic);
  const rawDoors = [
    createMessages({ ...options, server: options.messages, published, answers, tellFault }),
    ...(options.reports === undefined ? [] : [createReports(options.reports, answers)]),
  ];
  const routes = createRoutes(tableOf(options.endpoints, documents, rawDoors));
  const clientOf = clientResolver(options.trustedProxies ?? []);
  const guard = createGuard(options.authenticate, monotonic);
  const operations = createOperations({
    ...options,
    guard,
    clientOf,
    published,
    documents,
    answers,
    deliver,
    rawDoors,
    tellFault,
  });
  const front = createFront({
    monotonic,
    nextId,
    published,
    routes,
    answers,
    deliver,
    operations,
    maxWaiting: options.maxWaiting ?? MAX_WAITING,
    admit: createAdmission(limits, guard, clientOf, answers),
  });
  const server = createNodeServer(front.receive, { ...TIMEOUTS, ...options.timeouts });
  guardSockets(server, {
    underWay: front.underWay,
    answered: (status) => metrics.answered('unknown', status, 0),
    linesFor: (address) => ['X-Request-Id', nextId(), ...limitLines(limits, address, monotonic())],
  });
  const stopListening = options.announcements.listen(({ orgId, version, scopes }) =>
    published.changed(orgId, version, scopes),
  );
  showFigures(metrics, published, limits, front.waiting);

  return {
    published,
    listen: async (at) => {
      await operations.ready();
      await listening(server, at);
      published.start();
      const address = server.address();
      return { port: typeof address === 'object' && address !== null ? address.port : at.port };
    },
    close: async () => {
      stopping = true;
      stopListening();
      published.stop();
      operations.endStreams();
      await stopGently(server, GRACE_MS);
      await operations.close();
    },
  };
};
