/** The whole service in one process: own database, manual clock, HTTP server on a free port. */
import { createPasskeys } from '../../../src/adapters/passkeys.ts';
import { loadCommonPasswords } from '../../../src/adapters/common-passwords.ts';
import { createPictureRenderer } from '../../../src/adapters/picture-renderer.ts';
import { createSearchThreads } from '../../../src/adapters/search-threads.ts';
import { createVoucherKeys } from '../../../src/adapters/voucher-keys.ts';
import { createSecurityEvents } from '../../../src/adapters/security-events.ts';
import { systemRandom } from '../../../src/adapters/system.ts';
import { noRoadDistance } from '../../../src/adapters/osrm.ts';
import { PassPictureCache } from '../../../src/loyalty/app/wallets/pass-pictures.ts';
import { phoneService } from '../../../src/loyalty/app/wallets/phone-service.ts';
import { RenderQueue } from '../../../src/pictures/app/render-queue.ts';
import { DealSearches } from '../../../src/pricing/app/deal-searches.ts';
import { about } from '../../../src/service/app/about.ts';
import { demoContents } from '../../../src/service/app/demo.ts';
import { demoActivity } from '../../../src/wiring.ts';
import { SeatingGrids } from '../../../src/bookings/app/seating-grid.ts';
import { CodeCounts } from '../../../src/identity/app/code-counts.ts';
import { OrderCounts } from '../../../src/orders/app/order-counts.ts';
import { ShopCodes } from '../../../src/shops/app/shop-codes.ts';
import { UndecidedSeatings } from '../../../src/bookings/app/undecided-seatings.ts';
import { KeyedQueue } from '../../../src/platform/app/keyed-queue.ts';
import { ChangePublisher } from '../../../src/platform/app/changes/change-publisher.ts';
import type { App } from '../../../src/platform/app/app.ts';
import { BackgroundTasks } from '../../../src/platform/app/background-tasks.ts';
import { handlersOf } from '../../../src/service/app/handlers.ts';
import { LookupLimit } from '../../../src/platform/app/limits/lookup-limit.ts';
import { BudgetLeases } from '../../../src/messaging/app/budget-leases.ts';
import { LimitSettling } from '../../../src/platform/app/limits/settling.ts';
import { createKeyring } from '../../../src/platform/app/keyring.ts';
import { systemTimers } from '../../../src/adapters/timers.ts';
import { createPasswords, type HashCost } from '../../../src/staff/app/passwords.ts';
import { createReadiness, databaseChecks } from '../../../src/platform/app/readiness.ts';
import { createSending, silenceable } from '../../../src/messaging/app/sending.ts';
import { authenticate } from '../../../src/staff/app/access.ts';
import { createTokens } from '../../../src/platform/app/tokens.ts';
import type { ReplyOf } from '../../../src/platform/contract/endpoint.ts';
import type { ErrorBody } from '../../../src/platform/contract/error.ts';
import { allEndpoints, type EndpointOf, type OperationId } from '../../../src/service/contract/endpoints.ts';
import { scaledBudgets, STANDARD_BUDGETS, type BudgetLimits } from '../../../src/messaging/domain/budget.ts';
import type { Instant } from '../../../src/kernel/time.ts';
import type {
  Log,
  Messenger,
  RoadDistance,
  SearchThreads,
  Timers,
  WalletOne,
  WalletTwo,
} from '../../../src/ports.ts';
import { createMetrics, type Metrics } from '../../../src/doors/http/metrics.ts';
import { createHttpServer, type HttpServer } from '../../../src/doors/http/server.ts';
import { mountToolServer } from '../../../src/doors/mcp/mount.ts';
import { mountPages } from '../../../src/doors/web/mount.ts';
import { connect, type ConnectionOptions, type Db } from '../../../src/platform/store/db.ts';
import type { Database } from '../../../src/platform/store/schema.ts';
import { ChangeFeed } from '../../../src/platform/app/changes/change-feed.ts';
import { httpRequest, type Reply } from './http-client.ts';
import { conformanceTo, isOutside } from './openapi-conformance.ts';
import { PATIENT } from '../database/patient-options.ts';
import { createPhones, type Phones } from '../stand-ins/phones.ts';
import { freshDatabase, type TestDatabase } from '../database/test-database.ts';

export type ReadOf<Id extends OperationId> = ReplyOf<EndpointOf<Id>>;

const SEARCH_THREAD = new URL('../../../dist/search-thread.js', import.meta.url);

export interface World {
  readonly app: App;
  readonly db: Db<Database>;
  readonly leases: BudgetLeases;
  readonly http: HttpServer;
  /** Shares the limits when the test says so; a running server does twice a second. */
  readonly settling: LimitSettling;
  readonly database: TestDatabase;
  readonly baseUrl: string;
  readonly port: number;
  now: Instant;
  /** The monotonic clock of the limits, in milliseconds; manual when `limitScale` is given. */
  elapsed: number;
  readonly phones: Phones;
  readonly log: Log;
  readonly logged: string[];
  readonly metrics: Metrics;
  /** One HTTP request, its answer checked against the OpenAPI document. */
  send(
    method: string,
    address: string,
    headers?: Record<string, string>,
    body?: string | Buffer,
  ): Promise<Reply>;
  get(address: string, headers?: Record<string, string>): Promise<Reply>;
  /** The body of a GET that must answer 200, typed by the operation. */
  read<Id extends OperationId>(operation: Id, address: string): Promise<ReadOf<Id>>;
  /** The error body of a GET that must be refused, with its status. */
  refused(
    address: string,
    headers?: Record<string, string>,
  ): Promise<ErrorBody & { readonly status: number }>;
  /** Reads what other processes have committed, as a running server does every 400 ms. */
  hearOfChanges(): Promise<void>;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly now?: string;
  /** The base of links; default `PUBLIC_ADDRESS`. */
  readonly baseUrl?: string;
  /** 0, the default: no limits, and real time for timeouts. */
  readonly limitScale?: number;
  readonly trustedProxies?: readonly string[];
  readonly consoleOrigins?: readonly string[];
  /** Codes and messages per hour; enforced only with limits. */
  readonly messageBudgets?: Partial<BudgetLimits>;
  readonly bodyLimit?: number;
  readonly maxWaiting?: number;
  /** Timers of background work; by default none fires. */
  readonly timers?: Timers;
  /** Timers of server maintenance; by default none fires. */
  readonly upkeep?: Timers['every'];
  readonly secretKeys?: readonly string[];
  /** Default: `phones`, in memory. */
  readonly messenger?: Messenger;
  readonly roads?: RoadDistance;
  readonly searchThreads?: SearchThreads;
  /** Default: not configured. */
  readonly walletOne?: WalletOne;
  readonly walletTwo?: WalletTwo;
  /** The password hashing cost; minimal by default. */
  readonly hashCost?: HashCost;
  /** Another world's database, for tests of several servers. */
  readonly database?: TestDatabase;
  /** Makes the world's own database; by default one without rows. */
  readonly makeDatabase?: () => Promise<TestDatabase>;
  /** Default true: the service's own pages lead to the demo shops. */
  readonly hasDemo?: boolean;
  /** Another route to the database, such as a proxy. */
  readonly connection?: ConnectionOptions;
  /** What the service takes for its database, made of the real one. */
  readonly throughDb?: (db: Db<Database>) => Db<Database>;
}

/** The base of links; nothing listens there. */
export const PUBLIC_ADDRESS = 'https://ahwa.example';

const inertTimers: Timers = { every: () => () => undefined, after: () => () => undefined };

export const makeWorld = async (options: WorldOptions = {}): Promise<World> => {
  const database = options.database ?? (await (options.makeDatabase ?? freshDatabase)());
  const connected =
    options.connection === undefined
      ? connect<Database>(database.connection, PATIENT)
      : connect<Database>(options.connection);
  const db = options.throughDb?.(connected) ?? connected;
  const timers = options.timers ?? inertTimers;
  const logged: string[] = [];
  const metrics = createMetrics();
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
    // How fast the machine is that the tests run on is no finding.
    if (message !== 'slow request') logged.push(JSON.stringify({ level, ...fields, message }));
  };
  const log = { info: note('info'), warn: note('warn'), error: note('error') };
  const sending = createSending({ db }, true);
  const secretKeys = options.secretKeys ?? ['a key of the tests'];
  const keyring = createKeyring(secretKeys);
  const searchThreads = options.searchThreads ?? createSearchThreads(SEARCH_THREAD);
  const changePublisher = new ChangePublisher((fault) =>
    note('warn')({ reason: String(fault) }, 'a subscriber of changes failed'),
  );
  const app: App = {
    db,
    clock: { now: () => time.now },
    realTime: { now: () => time.now },
    random: systemRandom,
    tokens: createTokens(secretKeys, systemRandom),
    keyring,
    messenger: silenceable(options.messenger ?? phones, sending),
    sending,
    webhookPoster: { allow: [], post: () => Promise.reject(new Error('there is no webhook here')) },
    roads: options.roads ?? noRoadDistance,
    pictureRenderer: createPictureRenderer(),
    renderQueue: new RenderQueue(),
    dealSearches: new DealSearches(searchThreads, timers),
    walletOne: options.walletOne ?? null,
    walletTwo: options.walletTwo ?? null,
    passPictures: new PassPictureCache(),
    voucherKeys: createVoucherKeys(keyring),
    security: createSecurityEvents(log),
    backgroundTasks: new BackgroundTasks((fault) =>
      note('warn')({ reason: String(fault) }, 'a background task failed'),
    ),
    seatingGrids: new SeatingGrids(),
    undecidedSeatings: new UndecidedSeatings(),
    ...{
      orderCounts: new OrderCounts(),
      codeCounts: new CodeCounts(),
      shopCodes: new ShopCodes(changePublisher),
    },
    branchTurns: new KeyedQueue(),
    changePublisher,
    phoneCountries: ['SA', 'AE'],
    messageBudgets: scaledBudgets(
      { ...STANDARD_BUDGETS, ...options.messageBudgets },
      options.limitScale ?? 0,
    ),
    limitScale: options.limitScale ?? 0,
    passwords: createPasswords({
      ...{ random: systemRandom, keyring, cost: options.hashCost ?? { N: 2, r: 1, p: 1 } },
    }),
    passkeys: createPasskeys({ name: service.name, baseUrl: options.baseUrl ?? PUBLIC_ADDRESS }),
    commonPasswords: loadCommonPasswords('lists/common-passwords.txt.br'),
    baseUrl: options.baseUrl ?? PUBLIC_ADDRESS,
    service,
    isMigrated: () => Promise.resolve(true),
  };
  const leases = new BudgetLeases(app, timers);
  const settling = new LimitSettling({ ...app, log, monotonic: () => time.elapsed });
  const feed = new ChangeFeed({
    ...{ db, changePublisher: app.changePublisher, processName: app.random.uuid(), timers: inertTimers },
    ...{ monotonic: () => time.elapsed, onFailure: () => undefined },
  });
  await feed.poll();
  const handlers = handlersOf({
    app,
    background: app,
    timers,
    leases,
    lookups: new LookupLimit({
      ...{ scale: options.limitScale ?? 0, monotonic: () => time.elapsed, settling },
    }),
    readiness: createReadiness({
      ...{ checks: databaseChecks(app), sending: app.sending, log, timers: systemTimers },
      monotonic: () => performance.now(),
    }),
  });
  const publication = { baseUrl: app.baseUrl, version: 'test' };
  const document = conformanceTo(allEndpoints);
  const toolServer = mountToolServer(app, publication.version);
  const demo = () => demoContents(app, demoActivity());
  const mounted = mountPages(app, { assets: 'dist/web', demo: options.hasDemo === false ? null : demo });
  const http = createHttpServer({
    ...publication,
    messages: toolServer.messages,
    documents: [...toolServer.documents, ...mounted.documents],
    pages: mounted.pages,
    phones: phoneService({ ...app, log }),
    endpoints: allEndpoints,
    handlers,
    authenticate: authenticate(app),
    changePublisher: app.changePublisher,
    about: about(app),
    clock: app.clock,
    feed: { isFresh: () => feed.isFresh(time.elapsed) },
    log,
    metrics,
    security: app.security,
    every: (ms, work) => timers.every(ms, work),
    upkeep: options.upkeep ?? inertTimers.every,
    limitScale: options.limitScale ?? 0,
    settling,
    trustedProxies: options.trustedProxies ?? [],
    consoleOrigins: options.consoleOrigins ?? [],
    ...(options.limitScale === undefined ? {} : { monotonic: () => time.elapsed }),
    ...(options.bodyLimit === undefined ? {} : { bodyLimit: options.bodyLimit }),
    ...(options.maxWaiting === undefined ? {} : { maxWaiting: options.maxWaiting }),
  });
  const { port } = await http.listen({ port: 0, host: '127.0.0.1' });
  const send: World['send'] = async (method, address, headers = {}, body) => {
    const reply = await httpRequest(port, address, { method, headers, body });
    if (!isOutside(address, String(reply.headers['content-type'])))
      document.check({
        ...reply,
        ...{ method, path: address, language: headers['accept-language'], body: reply.text },
      });
    return reply;
  };
  const get: World['get'] = (address, headers) => send('GET', address, headers);
  return {
    app,
    db,
    leases,
    http,
    settling,
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
    log,
    logged,
    metrics,
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
    hearOfChanges: () => feed.poll(),
    close: async () => {
      await http.close();
      feed.stop();
      leases.end();
      await app.backgroundTasks.settled();
      await searchThreads.close();
      await db.close();
      if (options.database === undefined) await database.release();
    },
  };
};

/** Reads what other processes have committed, once the database answers again. */
export const hearAgain = async (world: World): Promise<void> => {
  for (;;)
    try {
      await world.hearOfChanges();
      return;
    } catch {
      // A connection that was cut is noticed by its next statement.
    }
};
