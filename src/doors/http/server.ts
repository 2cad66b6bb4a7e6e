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
 * understood (`routes.ts`) and counted (`limits.ts`), the body read (`body-reader.ts`), a place taken (`places.ts`),
 * parameters and body are checked (`input.ts`), and the handler's answer is kept, or sent as it is (`operations.ts`).
 */
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Listener } from '../../platform/app/announcements.ts';
import type { Clock, SecurityEvents } from '../../ports.ts';
import { createGuard, type Authenticate } from './auth.ts';
import { createBodyReader, type BodyReader } from './body/reader.ts';
import { clientKeyOf, clientResolver, type PeerOf } from './limits/client.ts';
import { trackConnections, type Connections } from './connections/connections.ts';
import { createDelivery } from './deliver.ts';
import type { PlainDocument, ServiceFacts } from './documents.ts';
import { createDocuments } from './documents.ts';
import { createAnswers, requestIds, type Answers } from './exchange.ts';
import type { Every } from './events.ts';
import { createFront } from './front.ts';
import type { HandlersOf } from './handlers.ts';
import { STRICT_TRANSPORT } from './headers.ts';
import { createListening, type CopyListener, type Listening } from './connections/listening.ts';
import { createLeakWatch, type LeakWatch } from './connections/leaks.ts';
import type { Limits } from './limits/limits.ts';
import { createLimits } from './limits/limits.ts';
import type { Log } from './log.ts';
import { createTellFault, faultFields, type TellFault } from './log.ts';
import { createMessages } from './messages.ts';
import type { MessageServer } from './messages.ts';
import type { Metrics } from './metrics.ts';
import { createOperations } from './operations.ts';
import { createCutOff, type CutOff } from './connections/cut-off.ts';
import { createClientQueue } from './limits/client-queue.ts';
import { createPipeline, type Pipeline } from './connections/pipeline.ts';
import { requestsThatCountPieces } from './connections/pieces.ts';
import { createPlaces, type Places } from './connections/places.ts';
import type { ChangeFeed, Published } from './cache/published.ts';
import { createPublished, type Entry } from './cache/published.ts';
import type { RawDoor } from './raw-door.ts';
import { createRefusalTally, type RefusalTally } from './limits/refusal-tally.ts';
import { createReports, type ReportTaker } from './reports.ts';
import type { EndpointTable } from './routes.ts';
import { createRoutes } from './routes.ts';
import { createUnderWay, type UnderWay } from './connections/under-way.ts';
import type { Timeouts } from './connections/sockets.ts';
import {
  applyTimeouts,
  guardSockets,
  MAX_HEADER_BYTES,
  stopGently,
  TIMEOUTS,
} from './connections/sockets.ts';

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
  readonly security: SecurityEvents;
  /** RATE_LIMIT_SCALE: multiplies every limit, 0 is off. */
  readonly limitScale?: number;
  /** Addresses and CIDR ranges whose X-Forwarded-For is believed. */
  readonly trustedProxies?: readonly string[];
  /** Milliseconds that only ever grow. */
  readonly monotonic?: () => number;
  /** For what streams do by themselves. */
  readonly every: Every;
  /** For what the doors do by themselves: recording refusals, looking for leaks. */
  readonly upkeep: Every;
  readonly timeouts?: Partial<Timeouts>;
  /** Bytes of a request body. */
  readonly bodyLimit?: number;
  /** Requests that may be answered at once; more are refused with 503. */
  readonly maxWaiting?: number;
  /** Connections that may be open at once. */
  readonly maxConnections?: number;
  /** Undefined: one connection is accepted in a turn of the event loop. */
  readonly copyListener?: CopyListener;
}

export interface ListenAt {
  readonly port: number;
  readonly host: string;
}

export interface HttpServer {
  readonly published: Published;
  /** What leaks in this process, as a sentence; null when nothing does. */
  leak(): string | null;
  /** Rejects when it cannot listen (`code` EADDRINUSE, EACCES …). Port 0 takes a free one. */
  listen(at: ListenAt): Promise<{ readonly port: number }>;
  /** Stops accepting, lets answers under way finish for at most 10 s, ends every connection. */
  close(): Promise<void>;
}

const MAX_WAITING = 1_000;
const MAX_CONNECTIONS = 10_000;
const GRACE_MS = 10_000;
/** How often refusals are recorded. */
const RECORD_MS = 60_000;
/** How often leaks are looked for. */
const LOOK_MS = 10_000;

/** Shared resources, whose gauges fall to zero when nobody asks. */
interface Resources {
  readonly published: Published;
  readonly limits: Limits;
  readonly connections: Connections;
  readonly cutOff: CutOff;
  readonly pipeline: Pipeline;
  readonly underWay: UnderWay;
  readonly bodies: BodyReader;
  readonly places: Places;
  readonly listening: Listening;
}

/** Figures that are read only when asked for. */
const showFigures = (metrics: Metrics, parts: Resources): void => {
  const { published, limits, connections, cutOff, pipeline, underWay, bodies, places, listening } = parts;
  metrics.gauge(
    'ahwa_http_listeners',
    'Connections accepted in a turn of the loop at most.',
    listening.handles,
  );
  metrics.gauge('ahwa_http_requests_waiting', 'Requests that wait for an answer now.', places.held);
  metrics.gauge(
    'ahwa_http_requests_under_way',
    'Requests whose answer is being made, or read.',
    underWay.held,
  );
  metrics.gauge(
    'ahwa_http_requests_queued',
    'Requests that wait behind others on their connection.',
    () => pipeline.counts().requests,
  );
  metrics.gauge('ahwa_http_queued_bytes', 'Bytes that these hold.', () => pipeline.counts().bytes);
  metrics.gauge(
    'ahwa_http_requests_abandoned',
    'Requests whose client has hung up and whose work goes on.',
    places.abandoned,
  );
  metrics.gauge('ahwa_http_connections', 'Open connections.', () => connections.counts().open);
  metrics.gauge(
    'ahwa_http_bodies_arriving',
    'Request bodies that are being read.',
    () => bodies.counts().bodies,
  );
  metrics.gauge(
    'ahwa_http_body_bytes',
    'Bytes held of bodies that are not parsed yet.',
    () => bodies.counts().bytes,
  );
  metrics.counters(
    'ahwa_http_cut_total',
    'Connections closed for others (idle, slow_reader), refused, or with too much in a row (queue, ahead); slow bodies.',
    'what',
    () => ({
      ...connections.counts().closed,
      ...{ queue: pipeline.counts().cut, ahead: cutOff.ended(), slow_body: bodies.counts().cut },
    }),
  );
  metrics.gauge('ahwa_published_bytes', 'Bytes of ready answers.', () => published.counts().bytes);
  metrics.gauge('ahwa_published_entries', 'Ready answers.', () => published.counts().entries);
  metrics.gauge('ahwa_limited_clients', 'Clients that the limits remember.', () => limits.size());
  metrics.counters('ahwa_limit_refusals_total', 'Requests refused by limits.', 'group', () => limits.refused);
};

const createNodeServer = (
  receive: RequestListener,
  { cutOff, peerOf }: { readonly cutOff: CutOff; readonly peerOf: PeerOf },
  timeouts: Timeouts,
): Server => {
  const onPieces = (socket: Socket) => cutOff.ahead(peerOf(socket), 1) || socket.destroy();
  const server = createServer(
    {
      IncomingMessage: requestsThatCountPieces(onPieces),
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

const tellOfCut =
  (log: Log, connections: () => Connections) =>
  (client: string): void => {
    log.warn({ client }, 'a client that sent too much ahead of its answers is cut off for some seconds');
    connections().closeStrangersOf(client);
  };

const createRawDoors = (
  options: Pick<HttpServerOptions<EndpointTable>, 'messages' | 'reports' | 'baseUrl' | 'metrics'>,
  parts: { readonly published: Published; readonly answers: Answers; readonly tellFault: TellFault },
): readonly RawDoor[] => [
  createMessages({ ...options, ...parts, server: options.messages }),
  ...(options.reports === undefined ? [] : [createReports(options.reports, parts.answers)]),
];

interface Kept {
  readonly published: Published;
  readonly refusals: RefusalTally;
  readonly leaks: LeakWatch;
}

/** What is done beside requests, until it is stopped. */
const startUpkeep = (
  { announcements, upkeep }: Pick<HttpServerOptions<EndpointTable>, 'announcements' | 'upkeep'>,
  { published, refusals, leaks }: Kept,
): (() => void) => {
  const stops = [
    announcements.listen(({ orgId, version, scopes }) => published.changed(orgId, version, scopes)),
    upkeep(RECORD_MS, refusals.record),
    upkeep(LOOK_MS, leaks.look),
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
  const documents = createDocuments(options.endpoints, options, options.documents ?? []);
  const limits = createLimits({ scale: limitScale });
  const nextId = requestIds();
  let stopping = false;
  const published = createPublished({ clock, monotonic, feed: options.feed, onFeed: tellOfFeed(log) });
  const refusals = createRefusalTally(security);
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const underWay = createUnderWay({ monotonic, most, isDivided, ...timeouts });
  const answers = createAnswers({
    ...{ monotonic, log, metrics, isHttps, isStopping: () => stopping },
    ...{ awaitReader: underWay.awaitReader, onRefused: refusals.add },
  });
  const deliver = createDelivery(answers, clock, metrics);
  const tellFault = createTellFault(log, monotonic);
  const rawDoors = createRawDoors(options, { published, answers, tellFault });
  const routes = createRoutes(tableOf(options.endpoints, documents, rawDoors));
  const { peerOf, clientOf } = clientResolver(options.trustedProxies ?? []);
  const guard = createGuard(options.authenticate, monotonic);
  const cutOff = createCutOff({ monotonic, isDivided, onCut: tellOfCut(log, () => connections) });
  const bodies = createBodyReader({ monotonic, isDivided });
  const places = createPlaces(options.maxWaiting ?? MAX_WAITING, isDivided, monotonic);
  const pipeline = createPipeline(isDivided, underWay);
  const operations = createOperations({
    ...options,
    ...{ guard, clientOf, published, documents, answers, deliver },
    ...{ rawDoors, bodies, places, inTurn: createClientQueue(isDivided), tellFault },
  });
  const server = createNodeServer((...asked) => receive(...asked), { cutOff, peerOf }, timeouts);
  const connections = trackConnections(server, {
    ...{ peerOf, monotonic, most, isDivided, slowestReader: underWay.slowest, cutOff },
  });
  const receive = createFront({
    ...{ monotonic, nextId, limits, guard, clientOf, connections, cutOff, pipeline, underWay },
    ...{ published, routes, answers, deliver, operations },
  });
  guardSockets(server, {
    ...{ connections, answered: (status) => metrics.answered('unknown', status, 0) },
    linesFor: (address) => [
      ...['X-Request-Id', nextId(), ...limitLines(limits, address, monotonic())],
      ...(isHttps ? STRICT_TRANSPORT : []),
    ],
  });
  const held = { connections, places, pipeline, bodies, underWay };
  const listening = createListening(server, options.copyListener);
  const leaks = createLeakWatch({ ...held, server: listening, log });
  const stopUpkeep = startUpkeep(options, { published, refusals, leaks });
  showFigures(metrics, { ...held, published, limits, cutOff, listening });

  return {
    published,
    leak: leaks.fault,
    listen: async (at) => {
      await listening.begin(at);
      published.start();
      return { port: portOf(server) ?? at.port };
    },
    close: async () => {
      stopping = true;
      stopUpkeep();
      published.stop();
      operations.endStreams();
      await stopGently(server, listening, GRACE_MS);
      refusals.record();
    },
  };
};
