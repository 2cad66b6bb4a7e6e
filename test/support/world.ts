/** A whole Ahwa for a test: its own database, a clock set by hand, the doors on a free port. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createPasskeys } from '../../src/adapters/passkeys.ts';
import { commonPasswordsIn } from '../../src/adapters/common-passwords.ts';
import { createSecurityEvents } from '../../src/adapters/security-events.ts';
import { systemRandom } from '../../src/adapters/system.ts';
import { noRoads } from '../../src/adapters/osrm.ts';
import { about } from '../../src/service/app/about.ts';
import { Announcements } from '../../src/platform/app/announcements.ts';
import type { App } from '../../src/platform/app/app.ts';
import { Aside } from '../../src/platform/app/aside.ts';
import { handlersOf } from '../../src/service/app/handlers.ts';
import { LookupLimit } from '../../src/platform/app/lookup-limit.ts';
import { MessageLeases } from '../../src/messaging/app/message-leases.ts';
import { createKeyring } from '../../src/platform/app/keyring.ts';
import { systemTimers } from '../../src/adapters/timers.ts';
import { createPasswords, type HashCost } from '../../src/staff/app/passwords.ts';
import { createReadiness, databaseChecks } from '../../src/platform/app/readiness.ts';
import { createSending, silenceable } from '../../src/platform/app/sending.ts';
import { authenticate } from '../../src/staff/app/access.ts';
import { createTokens } from '../../src/platform/app/tokens.ts';
import type { ReplyOf } from '../../src/platform/contract/endpoint.ts';
import type { ErrorBody } from '../../src/platform/contract/error.ts';
import { allEndpoints, type EndpointOf, type OperationId } from '../../src/service/contract/index.ts';
import { openApiDocument } from '../../src/service/contract/publish.ts';
import { scaledBudgets, STANDARD_BUDGETS, type BudgetLimits } from '../../src/messaging/domain/budget.ts';
import type { Instant } from '../../src/kernel/time.ts';
import type { RoadDistance, Timers } from '../../src/ports.ts';
import { createMetrics } from '../../src/doors/http/metrics.ts';
import { createHttpServer, type HttpServer } from '../../src/doors/http/server.ts';
import { mountToolServer } from '../../src/doors/mcp/mount.ts';
import { connect, type ConnectionOptions, type Db } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { changesSince } from '../../src/platform/store/versions.ts';
import { conformance, isOutside } from './conformance.ts';
import { PATIENT } from './patience.ts';
import { createPhones, type Phones } from './phones.ts';
import { freshDatabase, type TestDatabase } from './postgres.ts';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As it came over the wire, compressed where it was. */
  readonly bytes: Buffer;
  /** Decompressed. */
  readonly text: string;
  /** The body read as JSON; undefined when there is none. */
  readonly body: unknown;
}

export type ReadOf<Id extends OperationId> = ReplyOf<EndpointOf<Id>>;

export interface World {
  readonly app: App;
  readonly db: Db<Database>;
  readonly leases: MessageLeases;
  readonly http: HttpServer;
  readonly database: TestDatabase;
  readonly baseUrl: string;
  readonly port: number;
  now: Instant;
  /** Milliseconds that the limits count in; moved by hand where the world was made with `limitScale`. */
  elapsed: number;
  readonly phones: Phones;
  /** Lines the doors logged. */
  readonly logged: string[];
  /** One request over HTTP, its answer checked against the OpenAPI document. */
  send(
    method: string,
    address: string,
    headers?: Record<string, string>,
    body?: string | Buffer,
  ): Promise<Reply>;
  get(address: string, headers?: Record<string, string>): Promise<Reply>;
  /** The 200 of an operation. */
  read<Id extends OperationId>(operation: Id, address: string): Promise<ReadOf<Id>>;
  /** The refusal of a GET, with its status and words. */
  refused(
    address: string,
    headers?: Record<string, string>,
  ): Promise<ErrorBody & { readonly status: number }>;
  /** Hears of every committed change, as the poll of a running server does within a second. */
  hearOfChanges(): Promise<void>;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly now?: string;
  /** Where links lead; `PUBLIC_ADDRESS` when left out. */
  readonly baseUrl?: string;
  /** 0, the default: no limits, and real time for everything that waits. */
  readonly limitScale?: number;
  readonly trustedProxies?: readonly string[];
  /** Codes and messages an hour, which count where there are limits. */
  readonly messageBudgets?: Partial<BudgetLimits>;
  readonly bodyLimit?: number;
  /** Requests that may wait for an answer at once. */
  readonly maxWaiting?: number;
  /** What goes on by itself, set off by the test; nothing does when left out. */
  readonly timers?: Timers;
  /** What the doors do by themselves, set off by the test; nothing does when left out. */
  readonly upkeep?: Timers['every'];
  readonly secretKeys?: readonly string[];
  readonly roads?: RoadDistance;
  /** What hashing a password costs; next to nothing when left out. */
  readonly hashCost?: HashCost;
  /** Another world's database, for tests with several processes. */
  readonly database?: TestDatabase;
  /** Another way to that database, for tests that cut it. */
  readonly connection?: ConnectionOptions;
}

/** Where links lead; nothing listens there. */
export const PUBLIC_ADDRESS = 'https://ahwa.example';

const decompressed = (bytes: Buffer, coding: string | undefined): string => {
  if (bytes.length === 0) return '';
  if (coding === 'br') return brotliDecompressSync(bytes).toString('utf8');
  return (coding === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8');
};

const isJson = (headers: IncomingHttpHeaders): boolean =>
  /^application\/([\w.-]+\+)?json\b/.test(headers['content-type'] ?? '');

/** Over a socket of its own, so that nothing hides what is sent and what comes back. */
const exchange = (
  port: number,
  method: string,
  address: string,
  headers: Record<string, string>,
  body?: string | Buffer,
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, method, path: address, headers, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const text = decompressed(bytes, response.headers['content-encoding']);
          const parsed: unknown = isJson(response.headers) && text !== '' ? JSON.parse(text) : undefined;
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text, body: parsed });
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });

/** Nothing happens by itself: a test says when. */
const stillTimers: Timers = { every: () => () => undefined, after: () => () => undefined };

export const makeWorld = async (options: WorldOptions = {}): Promise<World> => {
  const database = options.database ?? (await freshDatabase());
  const db =
    options.connection === undefined
      ? connect<Database>(database.connection, PATIENT)
      : connect<Database>(options.connection);
  const timers = options.timers ?? stillTimers;
  const logged: string[] = [];
  const phones = createPhones();
  const time = { now: Date.parse(options.now ?? '2026-11-20T18:00:00Z'), elapsed: 0 };
  const service = {
    name: 'Ahwa',
    contact: 'hello@ahwa.example',
    plans: [
      { name: 'Menu', monthlyPiastresPerBranch: 0 },
      { name: 'Orders', monthlyPiastresPerBranch: 45_050 },
    ],
  };
  const note = (level: string) => (fields: object, message: string) => {
    logged.push(JSON.stringify({ level, ...fields, message }));
  };
  const log = { info: note('info'), warn: note('warn'), error: note('error') };
  const sending = createSending({ db }, true);
  const secretKeys = options.secretKeys ?? ['a key of the tests'];
  const keyring = createKeyring(secretKeys);
  const app: App = {
    db,
    clock: { now: () => time.now },
    random: systemRandom,
    tokens: createTokens(secretKeys, systemRandom),
    keyring,
    messenger: silenceable(phones, sending),
    sending,
    roads: options.roads ?? noRoads,
    security: createSecurityEvents(log),
    aside: new Aside((fault) =>
      note('warn')({ reason: String(fault) }, 'what nobody waits for was not done'),
    ),
    announcements: new Announcements(),
    phoneCountries: ['SA', 'AE'],
    messageBudgets: scaledBudgets(
      { ...STANDARD_BUDGETS, ...options.messageBudgets },
      options.limitScale ?? 0,
    ),
    limitScale: options.limitScale ?? 0,
    // Cheap, so that a test may sign in often.
    passwords: createPasswords({
      ...{ random: systemRandom, keyring, cost: options.hashCost ?? { N: 2, r: 1, p: 1 } },
    }),
    passkeys: createPasskeys({ name: service.name, baseUrl: options.baseUrl ?? PUBLIC_ADDRESS }),
    commonPasswords: commonPasswordsIn('lists/common-passwords.txt.br'),
    baseUrl: options.baseUrl ?? PUBLIC_ADDRESS,
    service,
    isMigrated: () => Promise.resolve(true),
  };
  const leases = new MessageLeases(app, timers);
  const handlers = handlersOf({
    app,
    background: app,
    timers,
    leases,
    lookups: new LookupLimit({ scale: options.limitScale ?? 0, monotonic: () => time.elapsed }),
    readiness: createReadiness({
      ...{ checks: databaseChecks(app), sending: app.sending, log, timers: systemTimers },
      monotonic: () => performance.now(),
    }),
  });
  const publication = { baseUrl: app.baseUrl, version: 'test' };
  const document = conformance(openApiDocument(allEndpoints, publication));
  const http = createHttpServer({
    ...publication,
    ...mountToolServer(app, publication.version),
    endpoints: allEndpoints,
    handlers,
    authenticate: authenticate(app),
    announcements: app.announcements,
    about: about(app),
    clock: app.clock,
    feed: { changesSince: (seen) => changesSince(db.kysely, seen) },
    log,
    metrics: createMetrics(),
    security: app.security,
    every: (ms, work) => timers.every(ms, work),
    upkeep: options.upkeep ?? stillTimers.every,
    limitScale: options.limitScale ?? 0,
    trustedProxies: options.trustedProxies ?? [],
    ...(options.limitScale === undefined ? {} : { monotonic: () => time.elapsed }),
    ...(options.bodyLimit === undefined ? {} : { bodyLimit: options.bodyLimit }),
    ...(options.maxWaiting === undefined ? {} : { maxWaiting: options.maxWaiting }),
  });
  const { port } = await http.listen({ port: 0, host: '127.0.0.1' });
  const send: World['send'] = async (method, address, headers = {}, body) => {
    const reply = await exchange(port, method, address, headers, body);
    if (!isOutside(address)) document.check({ ...reply, method, path: address, body: reply.text });
    return reply;
  };
  const get: World['get'] = (address, headers) => send('GET', address, headers);
  return {
    app,
    db,
    leases,
    http,
    database,
    baseUrl: `http://127.0.0.1:${port}`,
    port,
    get now() {
      return time.now;
    },
    set now(instant) {
      time.now = instant;
    },
    get elapsed() {
      return time.elapsed;
    },
    set elapsed(milliseconds) {
      time.elapsed = milliseconds;
    },
    phones,
    logged,
    send,
    get,
    read: async <Id extends OperationId>(_: Id, address: string) => {
      const { status, body, text } = await get(address);
      if (status !== 200) throw new Error(`${address} answered ${status}: ${text}`);
      // The shape was checked against the document by `send`.
      return body as ReadOf<Id>;
    },
    refused: async (address, headers) => {
      const { status, body, text } = await get(address, headers);
      if (status < 400) throw new Error(`${address} was not refused: ${status} ${text.slice(0, 500)}`);
      return { ...(body as ErrorBody), status };
    },
    hearOfChanges: () => http.published.poll(),
    close: async () => {
      await http.close();
      leases.end();
      await app.aside.settled();
      await db.close();
      if (options.database === undefined) await database.drop();
    },
  };
};
