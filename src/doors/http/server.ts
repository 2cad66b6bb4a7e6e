/**
 * The HTTP server, built from the endpoint table.
 *
 * A handler takes checked input and returns an `Answer`, which is cached as bytes, or for `cache: 'no-store'` its
 * reply; it refuses by throwing a `Refusal`.
 *
 * The steps of a request: `connections.ts` accepts the connection, `front.ts` sends a cached response or reads the
 * request line, counts the request and keeps the order of the connection, `operations.ts` reads the body, takes a
 * permit, authenticates, checks the input and calls the handler.
 */
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ChangeFeed } from '../../platform/app/changes/change-feed.ts';
import type { ChangePublisher } from '../../platform/app/changes/change-publisher.ts';
import type { LimitSettling } from '../../platform/app/limits/settling.ts';
import type { Endpoint, EndpointTable } from '../../platform/contract/endpoint.ts';
import type { Clock, SecurityEvents } from '../../ports.ts';
import { createGuard, type Authenticate } from './auth.ts';
import { createBrowserSessions } from './browser-sessions.ts';
import { createBodyReader } from './body/reader.ts';
import { clientKeyOf, clientResolver, type PeerOf } from './limits/client.ts';
import { trackConnections, type Connections } from './connections/connections.ts';
import { createSendCached } from './send-cached.ts';
import type { PlainDocument, ServiceFacts } from './documents.ts';
import { createDocuments } from './documents.ts';
import { createResponseWriter, requestIds, type ErrorPage, type ResponseWriter } from './exchange.ts';
import type { Every } from './events.ts';
import { createFront } from './front.ts';
import type { HandlersOf } from './handlers.ts';
import { STRICT_TRANSPORT } from './headers.ts';
import { createListening, type CopyListener } from './connections/listening.ts';
import { createLeakWatch, type LeakWatch } from './connections/leaks.ts';
import type { Limits } from './limits/limits.ts';
import { createLimits } from './limits/limits.ts';
import type { Log } from './log.ts';
import { createLogFault, type LogFault } from './log.ts';
import { createMcpEndpoint } from './mcp-endpoint.ts';
import type { McpServer } from './mcp-endpoint.ts';
import type { Metrics } from './metrics.ts';
import { registerServerMetrics } from './metrics/server-metrics.ts';
import { createOperations } from './operations.ts';
import { createFloodGuard, type FloodGuard } from './connections/flood-guard.ts';
import { createPipeline } from './connections/pipeline.ts';
import { chunkCountingRequests } from './connections/chunks.ts';
import { createConcurrencyLimit } from './connections/concurrency-limit.ts';
import type { Published } from './cache/published-reads.ts';
import { createPublished, type Entry } from './cache/published-reads.ts';
import type { RawEndpoints } from './raw-endpoints.ts';
import { createRefusalTally, type RefusalTally } from './limits/refusal-tally.ts';
import { createMessageReports, type MessageReportReceiver } from './message-reports.ts';
import { createWalletService } from './wallet-service.ts';
import type { PhoneService } from '../../loyalty/app/wallets/phone-service.ts';
import { createReaders } from './reader.ts';
import { createRoutes } from './routes.ts';
import { createInFlight } from './connections/in-flight.ts';
import { leavePort, shutDownGracefully } from './connections/graceful-shutdown.ts';
import type { Timeouts } from './connections/client-errors.ts';
import {
  applyTimeouts,
  refuseClientErrors,
  MAX_HEADER_BYTES,
  TIMEOUTS,
} from './connections/client-errors.ts';

export interface HttpServerOptions<T extends EndpointTable> extends ServiceFacts {
  /** Endpoints with `access` are the staff API, which has its own OpenAPI document. */
  readonly endpoints: T;
  readonly handlers: HandlersOf<T>;
  readonly authenticate: Authenticate;
  /** Commits of this process invalidate cached responses at once. */
  readonly changePublisher: Pick<ChangePublisher, 'subscribe'>;
  /** POST /mcp. */
  readonly messages: McpServer;
  /** Undefined: no endpoint for delivery reports. */
  readonly reports?: MessageReportReceiver | undefined;
  /** Undefined: no web service for passes. */
  readonly phones?: PhoneService | undefined;
  readonly documents?: readonly PlainDocument[];
  /** Undefined: no pages. */
  readonly pages?: Pages;
  readonly clock: Clock;
  /** Whether changes of other processes are known, at a time of `monotonic`. */
  readonly feed: Pick<ChangeFeed, 'isFresh'>;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly security: SecurityEvents;
  /** RATE_LIMIT_SCALE: multiplies every limit; 0: no limits. */
  readonly limitScale?: number;
  /** Shares the limits with other processes; undefined: this one limits alone. */
  readonly settling?: Pick<LimitSettling, 'add'>;
  readonly trustedProxies?: readonly string[];
  /** Of consoles of our own, whose pages may use the staff API with a cookie. */
  readonly consoleOrigins?: readonly string[];
  /** Monotonic ms. */
  readonly monotonic?: () => number;
  readonly every: Every;
  /** Records refusals, looks for leaks. */
  readonly upkeep: Every;
  readonly timeouts?: Partial<Timeouts>;
  /** Bytes of a request body, unless the endpoint has its own limit. */
  readonly bodyLimit?: number;
  /** Requests answered at once; further ones are refused with 503. */
  readonly maxWaiting?: number;
  readonly maxConnections?: number;
  /** Undefined: no copies. */
  readonly copyListener?: CopyListener;
}

/** Pages and other contents: routed like operations, but not in the OpenAPI documents. */
export interface Pages {
  readonly endpoints: EndpointTable;
  /** By id of the endpoint. */
  readonly handlers: object;
  readonly errorPage: ErrorPage;
}

export interface ListenAt {
  readonly port: number;
  readonly host: string;
}

export interface HttpServer {
  readonly published: Published;
  /** The leak as a sentence; null: none. */
  leak(): string | null;
  /** Rejects when it cannot listen (`code` EADDRINUSE, EACCES …). Port 0: any free port. */
  listen(at: ListenAt): Promise<{ readonly port: number }>;
  /** Takes no new connection; resolves once the open ones have ended, each after its next answer or when it is idle. */
  retire(): Promise<void>;
  /** Lets requests in flight finish for at most 10 s. */
  close(): Promise<void>;
}

const MAX_WAITING = 1_000;
const MAX_CONNECTIONS = 10_000;
const GRACE_MS = 10_000;
const RECORD_MS = 60_000;
const CHECK_MS = 10_000;

const createNodeServer = (
  receive: RequestListener,
  { floodGuard, peerOf }: { readonly floodGuard: FloodGuard; readonly peerOf: PeerOf },
  timeouts: Timeouts,
): Server => {
  const onChunks = (socket: Socket) => floodGuard.charge(peerOf(socket), 1) || socket.destroy();
  const server = createServer(
    {
      IncomingMessage: chunkCountingRequests(onChunks),
      maxHeaderSize: MAX_HEADER_BYTES,
      // Refused by us, with the error body.
      requireHostHeader: false,
      // So that a second Host is seen.
      joinDuplicateHeaders: true,
      connectionsCheckingInterval: timeouts.check,
    },
    receive,
  );
  server.on('checkExpectation', receive);
  applyTimeouts(server, timeouts);
  return server;
};

interface ClientErrorParts {
  readonly limits: Limits;
  readonly nextId: () => string;
  readonly monotonic: () => number;
  readonly isHttps: boolean;
}

/** Of the answer to what is no request. */
const clientErrorHeaders =
  ({ limits, nextId, monotonic, isHttps }: ClientErrorParts) =>
  (address: string | undefined): readonly string[] => {
    const decision = limits.take(clientKeyOf(address), 'general', monotonic());
    return [
      ...['X-Request-Id', nextId()],
      ...(decision === null ? [] : ['RateLimit-Policy', decision.policy, 'RateLimit', decision.limit]),
      ...(isHttps ? STRICT_TRANSPORT : []),
    ];
  };

/** Everything that is routed, by name. Throws for two endpoints of one name: one would never be found. */
const tableOf = (
  endpoints: EndpointTable,
  pages: Pages | undefined,
  documents: readonly Entry[],
  rawEndpoints: readonly RawEndpoints[],
): EndpointTable => {
  const named = [
    ...[endpoints, pages?.endpoints ?? {}, ...rawEndpoints.map((each) => each.endpoints)].flatMap((table) =>
      Object.entries(table),
    ),
    ...documents.map(({ endpoint }) => [endpoint.id, endpoint] as const),
  ];
  const table: Record<string, Endpoint> = {};
  for (const [name, endpoint] of named) {
    const other = (table[name] ??= endpoint);
    if (other !== endpoint)
      throw new Error(`${other.path} and ${endpoint.path} have one name, ${name}: each needs its own.`);
  }
  return table;
};

const logBlock =
  (log: Log, connections: () => Connections) =>
  (client: string): void => {
    log.warn(
      { client },
      'a client is blocked for some seconds: it sent too many requests ahead of its answers',
    );
    connections().closeUnauthenticatedOf(client);
  };

const createRawEndpoints = (
  options: Pick<HttpServerOptions<EndpointTable>, 'messages' | 'reports' | 'phones' | 'baseUrl' | 'metrics'>,
  parts: { readonly published: Published; readonly responses: ResponseWriter; readonly logFault: LogFault },
): readonly RawEndpoints[] => [
  createMcpEndpoint({ ...options, ...parts, server: options.messages }),
  ...(options.reports === undefined ? [] : [createMessageReports(options.reports, parts.responses)]),
  ...(options.phones === undefined ? [] : [createWalletService(options.phones, parts.responses)]),
];

interface Maintained {
  readonly published: Published;
  readonly refusals: RefusalTally;
  readonly leaks: LeakWatch;
}

/** Returns how to stop it. */
const startMaintenance = (
  { changePublisher, upkeep }: Pick<HttpServerOptions<EndpointTable>, 'changePublisher' | 'upkeep'>,
  { published, refusals, leaks }: Maintained,
): (() => void) => {
  const stops = [
    changePublisher.subscribe({ changed: published.changed, missed: published.forgetAll }),
    upkeep(RECORD_MS, refusals.record),
    upkeep(CHECK_MS, leaks.check),
  ];
  return () => stops.forEach((stop) => stop());
};

const portOf = (server: Server): number | null => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : null;
};

export const createHttpServer = <T extends EndpointTable>(options: HttpServerOptions<T>): HttpServer => {
  const { clock, log, metrics, security, monotonic = () => performance.now() } = options;
  const { limitScale = 1, maxConnections: most = MAX_CONNECTIONS } = options;
  const isDivided = limitScale > 0;
  const isHttps = options.baseUrl.startsWith('https:');
  const browserSessions = createBrowserSessions(options.baseUrl, options.consoleOrigins ?? []);
  const readers = createReaders(isHttps);
  const documents = createDocuments(options.endpoints, options, options.documents ?? []);
  const limits = createLimits({ scale: limitScale, share: (buckets) => options.settling?.add(buckets) });
  const nextId = requestIds();
  let stopping = false;
  const published = createPublished({ clock, monotonic, feed: options.feed });
  const refusals = createRefusalTally(security);
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const inFlight = createInFlight({ monotonic, most, isDivided, ...timeouts });
  const responses = createResponseWriter({
    ...{ monotonic, log, metrics, isHttps, readers, browserSessions, isStopping: () => stopping },
    ...{ awaitReader: inFlight.awaitReader, onRefused: refusals.add, errorPage: options.pages?.errorPage },
  });
  const sendCached = createSendCached(responses, clock, metrics);
  const logFault = createLogFault(log, monotonic);
  const rawEndpoints = createRawEndpoints(options, { published, responses, logFault });
  const routes = createRoutes(tableOf(options.endpoints, options.pages, documents, rawEndpoints));
  const { peerOf, clientOf } = clientResolver(options.trustedProxies ?? []);
  const guard = createGuard({ authenticate: options.authenticate, monotonic, browserSessions });
  const floodGuard = createFloodGuard({ monotonic, isDivided, onBlocked: logBlock(log, () => connections) });
  const bodies = createBodyReader({ monotonic, isDivided });
  const concurrencyLimit = createConcurrencyLimit(options.maxWaiting ?? MAX_WAITING, isDivided, monotonic);
  const pipeline = createPipeline(isDivided, inFlight);
  const operations = createOperations({
    ...options,
    handlers: { ...options.handlers, ...options.pages?.handlers },
    ...{ guard, browserSessions, clientOf, readers, published, documents, responses, sendCached },
    ...{ rawEndpoints, bodies, concurrencyLimit, logFault },
  });
  const server = createNodeServer((...args) => receive(...args), { floodGuard, peerOf }, timeouts);
  const connections = trackConnections(server, {
    ...{ peerOf, monotonic, most, isDivided, slowestReader: inFlight.slowest, floodGuard },
  });
  const receive = createFront({
    ...{ monotonic, nextId, limits, guard, browserSessions, clientOf, floodGuard, pipeline, inFlight },
    ...{ connections, published, readers, routes, responses, sendCached, operations },
  });
  refuseClientErrors(server, {
    ...{ connections, answered: (status) => metrics.answered('unknown', status, 0) },
    headersFor: clientErrorHeaders({ limits, nextId, monotonic, isHttps }),
  });
  const held = { connections, concurrencyLimit, pipeline, bodies, inFlight };
  const listening = createListening(server, options.copyListener);
  const leaks = createLeakWatch({ ...held, server: listening, log });
  const stopMaintenance = startMaintenance(options, { published, refusals, leaks });
  registerServerMetrics(metrics, { ...held, published, limits, floodGuard, listening });

  return {
    published,
    leak: leaks.fault,
    listen: async (at) => {
      await listening.begin(at);
      return { port: portOf(server) ?? at.port };
    },
    retire: async () => {
      stopping = true;
      operations.endStreams();
      await leavePort(listening, timeouts.idle);
    },
    close: async () => {
      stopping = true;
      stopMaintenance();
      operations.endStreams();
      await shutDownGracefully(server, { listening, connections }, GRACE_MS);
      refusals.record();
    },
  };
};
