/** One process that answers requests: alone, or as one of several workers. */
import { copyListener } from '../adapters/listeners.ts';
import { challengeAnswer, isSigned, readStatuses } from '../adapters/senders/whatsapp-status.ts';
import { systemTimers } from '../adapters/timers.ts';
import { registerAppMetrics, registerLimitMetrics } from '../app-metrics.ts';
import { banner } from '../banner.ts';
import type { Config } from '../config.ts';
import type { PlainDocument } from '../doors/http/documents.ts';
import type { MessageReportReceiver } from '../doors/http/message-reports.ts';
import { createMetrics, type Metrics, type MetricsServer } from '../doors/http/metrics.ts';
import type { MetricsSnapshot } from '../doors/http/metrics/snapshot.ts';
import { createHttpServer, type HttpServer } from '../doors/http/server.ts';
import { mountToolServer } from '../doors/mcp/mount.ts';
import { mountPages } from '../doors/web/mount.ts';
import { phoneService } from '../loyalty/app/wallets/phone-service.ts';
import { BudgetLeases } from '../messaging/app/budget-leases.ts';
import { applyReports } from '../messaging/app/message-report.ts';
import { LookupLimit } from '../platform/app/limits/lookup-limit.ts';
import type { ChangeFeed } from '../platform/app/changes/change-feed.ts';
import { SECURITY_TXT_PATH, securityText } from '../platform/app/security-txt.ts';
import { about } from '../service/app/about.ts';
import { demoContents, refreshDemo, type DemoContents } from '../service/app/demo.ts';
import { handlersOf } from '../service/app/handlers.ts';
import { allEndpoints } from '../service/contract/endpoints.ts';
import { authenticate } from '../staff/app/access.ts';
import {
  ASSETS,
  demoActivity,
  loadDemo,
  openRuntime,
  readinessOf,
  version,
  type Runtime,
} from '../wiring.ts';
import {
  startBackgroundWorkers,
  startMonitoring,
  type BackgroundWorkers,
  type Monitoring,
} from './background.ts';
import { openChangeFeed, type OpenedFeed } from './change-feed.ts';
import { printStatus } from './faults.ts';
import { listenForMetrics } from './metrics-port.ts';
import { onPort, SERVER_KEYS } from './ports.ts';
import {
  prepareDatabase,
  refuseOlderTables,
  refusePartLayout,
  refuseStrangeTables,
} from './prepare-database.ts';
import { openSharedLimits, type SharedLimits } from './shared-limits.ts';
import type { Running } from './signals.ts';
import {
  endSilence,
  logSender,
  warnOfBaseUrl,
  warnOfMemory,
  warnOfMissingKeys,
  warnOfTableOwner,
  warnOfWallets,
} from './start-warnings.ts';

/** undefined when not configured. */
const reportReceiver = (
  { whatsAppReports: settings }: Config,
  { app, log }: Runtime,
): MessageReportReceiver | undefined =>
  settings === null
    ? undefined
    : {
        challenge: (query) => challengeAnswer(query, settings.verifyToken),
        take: async (report, signature) => {
          if (!isSigned(report, signature, settings.appSecret)) return false;
          await applyReports({ ...app, log }, readStatuses(report));
          return true;
        },
      };

/** Dated from this start. */
const securityDocuments = ({ securityContacts: contacts }: Config, { app }: Runtime): PlainDocument[] => {
  if (contacts === null) return [];
  const text = securityText(app, contacts);
  return [
    { id: 'securityTxt', path: SECURITY_TXT_PATH, type: 'text/plain; charset=utf-8', write: () => text },
  ];
};

/** What requests are answered with, besides the app. */
interface Served {
  readonly leases: BudgetLeases;
  readonly limits: SharedLimits;
  readonly feed: Pick<ChangeFeed, 'isFresh'>;
}

const createServerOf = (
  config: Config,
  runtime: Runtime,
  { metrics, readiness }: Monitoring,
  { leases, limits: { settling }, feed }: Served,
): HttpServer => {
  const { app, log } = runtime;
  registerAppMetrics(metrics, runtime);
  registerLimitMetrics(metrics, settling);
  const lookups = new LookupLimit({
    ...{ scale: config.rateLimitScale, monotonic: () => performance.now(), settling },
  });
  const toolServer = mountToolServer(app, version());
  const pages = mountPages(app, {
    assets: ASSETS,
    demo: config.demo ? () => demoContents(app, demoActivity()) : null,
  });
  return createHttpServer({
    messages: toolServer.messages,
    documents: [...toolServer.documents, ...pages.documents, ...securityDocuments(config, runtime)],
    pages: pages.pages,
    endpoints: allEndpoints,
    handlers: handlersOf({
      ...{ app, background: runtime.background, timers: systemTimers },
      ...{ lookups, leases, readiness },
    }),
    authenticate: authenticate(app),
    changePublisher: app.changePublisher,
    about: about(app),
    version: version(),
    baseUrl: app.baseUrl,
    clock: app.clock,
    every: systemTimers.every,
    upkeep: systemTimers.every,
    feed,
    reports: reportReceiver(config, runtime),
    phones: phoneService({ ...app, log }),
    log,
    metrics,
    security: app.security,
    limitScale: config.rateLimitScale,
    settling,
    trustedProxies: config.trustProxy,
    consoleOrigins: config.consoleOrigins,
    copyListener,
  });
};

/** Returns the contents of the demo, for the banner. */
type FinishDemo = () => Promise<DemoContents>;
const NO_DEMO: DemoContents = { shops: [], tables: [], orders: [], owners: [], members: [] };

/** An empty database is filled before the server listens; an existing demo is updated afterwards. */
const prepareDemo = async ({ app, log }: Runtime): Promise<FinishDemo> => {
  const activity = demoActivity();
  const refresh = (): Promise<void> => refreshDemo(app, activity, log);
  const isNew = await loadDemo(app, printStatus);
  if (isNew) await refresh();
  return async () => {
    if (!isNew) await refresh();
    return demoContents(app, activity);
  };
};

/** What a start has opened so far; a start that fails closes it. */
interface Opened {
  readonly figures: Metrics;
  readonly changes: OpenedFeed;
  metrics: MetricsServer | null;
  http: HttpServer | null;
  leases: BudgetLeases | null;
  limits: SharedLimits | null;
  stopWatch: (() => void) | null;
  workers: BackgroundWorkers | null;
}

const close = async (opened: Opened, runtime: Runtime): Promise<void> => {
  opened.stopWatch?.();
  await opened.http?.close();
  await opened.limits?.close();
  opened.leases?.end();
  await opened.workers?.stop();
  await opened.metrics?.close();
  await opened.changes.close();
  await runtime.close();
};

/** What a process does besides answering requests. */
export interface Duties {
  /** Prepares the database, and does the work that one process does for all: outbox, sweeps, demo. */
  readonly isFirst: boolean;
  /** Whether the server itself starts: else the process takes the place of another. */
  readonly isInitial: boolean;
  readonly servesMetrics: boolean;
  /** Rejects when the launcher has ended, without which a worker cannot listen. */
  readonly lost: Promise<never>;
}

/** What is done and said once, whatever the number of processes. */
const prepareOnce = async (config: Config, { isInitial }: Duties, runtime: Runtime): Promise<void> => {
  if (!isInitial) await refuseStrangeTables(runtime);
  if (config.migrateOnStart) await prepareDatabase(runtime);
  await refusePartLayout(runtime);
  logSender(runtime);
  warnOfWallets(runtime);
  warnOfBaseUrl(config, runtime);
  warnOfMemory(config, runtime);
  await endSilence(config, runtime);
  await warnOfTableOwner(config, runtime);
  await warnOfMissingKeys(runtime);
};

/** Demo shops and background work come last, when nothing else can end the start any more. */
const open = async (config: Config, duties: Duties, runtime: Runtime, opened: Opened): Promise<void> => {
  const { app, log } = runtime;
  if (duties.isFirst) await prepareOnce(config, duties, runtime);
  if (!duties.isInitial) await refuseOlderTables(runtime);
  const watched = {
    metrics: opened.figures,
    readiness: readinessOf(config, runtime, opened.changes.db, () => opened.http?.leak() ?? null),
  };
  const metricsServer = (opened.metrics = duties.servesMetrics
    ? await listenForMetrics(watched.metrics, config)
    : null);
  const leases = (opened.leases = new BudgetLeases(app, systemTimers));
  const limits = (opened.limits = openSharedLimits(runtime));
  const { feed } = opened.changes;
  const http = (opened.http = createServerOf(config, runtime, watched, { leases, limits, feed }));
  feed.start();
  // Before listening, because orders use the last known sending state.
  opened.stopWatch = await startMonitoring(runtime, watched);
  // What is answered before it would be forgotten by it.
  await feed.firstPoll;
  const isStart = duties.isFirst && duties.isInitial;
  const withDemo = isStart && config.demo && (config.migrateOnStart || (await app.isMigrated()));
  const finishDemo = withDemo ? await prepareDemo(runtime) : () => Promise.resolve(NO_DEMO);
  await onPort(SERVER_KEYS, config, () => Promise.race([http.listen(config), duties.lost]));
  if (duties.isFirst) opened.workers = startBackgroundWorkers(config, runtime, watched.metrics);
  const demo = await finishDemo();
  if (isStart && !config.production) process.stdout.write(banner(app.baseUrl, demo));
  const place = { host: config.host, port: config.port, metrics_port: metricsServer?.port ?? null };
  log.info({ ...place, version: version() }, 'listening');
};

export interface ServerProcess extends Running {
  /** Leaves the port to others, and ends once the connections that are open have ended by themselves. */
  retire(): Promise<void>;
  snapshot(): Promise<MetricsSnapshot>;
}

export const startServerProcess = async (config: Config, duties: Duties): Promise<ServerProcess> => {
  const runtime = await openRuntime(config, 'server', printStatus);
  const opened: Opened = {
    figures: createMetrics(),
    changes: openChangeFeed(runtime),
    metrics: null,
    http: null,
    leases: null,
    limits: null,
    stopWatch: null,
    workers: null,
  };
  let stopping: Promise<void> | null = null;
  const stop = (): Promise<void> => (stopping ??= close(opened, runtime));
  try {
    await open(config, duties, runtime, opened);
  } catch (fault) {
    // What stopped the start is worth more than what fails while it is closed.
    await stop().catch(() => undefined);
    throw fault;
  }
  return {
    stop,
    abandon: () => runtime.abandon(),
    retire: async () => {
      await Promise.all([opened.workers?.stop(), opened.http?.retire()]);
      await stop();
    },
    snapshot: () => opened.figures.snapshot(),
  };
};
