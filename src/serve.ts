import { readFileSync } from 'node:fs';
import { copyListener } from './adapters/listeners.ts';
import { challengeAnswer, isSigned, readStatuses } from './adapters/senders/whatsapp-status.ts';
import { systemTimers, debounced } from './adapters/timers.ts';
import { about } from './service/app/about.ts';
import { demoContents, refreshDemo, type DemoContents } from './service/app/demo.ts';
import { handlersOf } from './service/app/handlers.ts';
import { phoneService } from './loyalty/app/wallets/phone-service.ts';
import { LookupLimit } from './platform/app/limits/lookup-limit.ts';
import { BudgetLeases } from './messaging/app/budget-leases.ts';
import { pepperHashes } from './staff/app/rehash.ts';
import { applyReports } from './messaging/app/message-report.ts';
import { createOutboxWorker } from './messaging/app/outbox.ts';
import { SECURITY_TXT_PATH, securityText } from './platform/app/security-txt.ts';
import { sendersOf } from './service/app/senders.ts';
import { authenticate } from './staff/app/access.ts';
import type { Readiness } from './platform/app/readiness.ts';
import { registerAppMetrics, registerLimitMetrics, registerOutboxMetrics } from './app-metrics.ts';
import { watchSending } from './messaging/app/sending.ts';
import { createSweeper } from './service/app/sweeper.ts';
import { loadConfig, type Config } from './config.ts';
import { allEndpoints } from './service/contract/endpoints.ts';
import type { PlainDocument } from './doors/http/documents.ts';
import { createMetrics, serveMetrics, type Metrics, type MetricsServer } from './doors/http/metrics.ts';
import type { MessageReportReceiver } from './doors/http/message-reports.ts';
import { createHttpServer, type HttpServer } from './doors/http/server.ts';
import { mountToolServer } from './doors/mcp/mount.ts';
import { mountPages } from './doors/web/mount.ts';
import { banner } from './banner.ts';
import { printFault, printStatus, StartError } from './serve/faults.ts';
import { openSharedLimits, type SharedLimits } from './serve/shared-limits.ts';
import { judgePaths } from './serve/paths.ts';
import { METRICS_KEYS, onPort, SERVER_KEYS, settlePorts } from './serve/ports.ts';
import {
  endSilence,
  logSender,
  warnOfBaseUrl,
  warnOfMemory,
  warnOfMissingKeys,
  warnOfTableOwner,
  warnOfWallets,
} from './serve/start-warnings.ts';
import { grantServing } from './platform/store/grants.ts';
import { migrate } from './platform/store/migrate.ts';
import { demandOneDatabase } from './platform/store/one-database.ts';
import { changesSince } from './platform/store/change-log.ts';
import {
  ASSETS,
  demoActivity,
  loadDemo,
  MIGRATIONS,
  openRuntime,
  readinessOf,
  type Runtime,
} from './wiring.ts';

/** Migrates, peppers hashes of older builds and grants the serving role its rights. */
export const prepareDatabase = async ({ app, connection: serving, owner }: Runtime): Promise<void> => {
  await demandOneDatabase({ owner, serving });
  await migrate({
    connection: owner,
    now: () => app.clock.now(),
    folder: MIGRATIONS,
    onProgress: printStatus,
  });
  await grantServing({ owner, serving });
  const peppered = await pepperHashes(app);
  if (peppered > 0)
    printStatus(`the passwords or PINs of ${peppered} people are now stored under the secret key`);
};

/** Null when disabled, or when the default port is taken. */
const listenForMetrics = async (metrics: Metrics, config: Config): Promise<MetricsServer | null> => {
  const { metrics: address } = config;
  if (address === null) return null;
  try {
    return await onPort(METRICS_KEYS, address, () => serveMetrics(metrics, address));
  } catch (fault) {
    if (address.chosen || !(fault instanceof StartError)) throw fault;
    printStatus(`no metrics: ${fault.message}`);
    return null;
  }
};

export const version = (): string => {
  const description: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return typeof description === 'object' && description !== null && 'version' in description
    ? String(description.version)
    : '0';
};

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

interface Monitoring {
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

const createServerOf = (
  config: Config,
  runtime: Runtime,
  { metrics, readiness }: Monitoring,
  leases: BudgetLeases,
  { settling }: SharedLimits,
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
    feed: { changesSince: (seen) => changesSince(runtime.feed.kysely, seen) },
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

/** Debounces wake-ups of the outbox, so that in a rush placing orders comes first. */
const WAKE_DEBOUNCE_MS = 25;

interface BackgroundWorkers {
  stop(): Promise<void>;
}

const MONITORING_MS = 5_000;

/** Logs even when no request asks. */
const startMonitoring = async (runtime: Runtime, { metrics, readiness }: Monitoring): Promise<() => void> => {
  const watch = watchSending(runtime.app.sending, runtime.log);
  metrics.gauge(
    'ahwa_sending',
    '1 while messages, codes and events leave, 0 while they do not.',
    'service',
    () => (watch.isOn() ? 1 : 0),
  );
  const look = async (): Promise<void> => {
    await Promise.all([readiness.check(), watch.check()]);
  };
  await look();
  return systemTimers.every(MONITORING_MS, () => void look());
};

const startBackgroundWorkers = (
  { sending }: Config,
  { background: app, log }: Runtime,
  metrics: Metrics,
): BackgroundWorkers => {
  if (sending === false) return { stop: () => Promise.resolve() };
  const parts = { ...app, timers: systemTimers, log };
  const outbox = createOutboxWorker({ ...parts, senders: sendersOf(app) });
  registerOutboxMetrics(metrics, outbox);
  const sweeper = createSweeper({ app, timers: systemTimers, log });
  const unsubscribe = app.changePublisher.subscribe(
    debounced(systemTimers, WAKE_DEBOUNCE_MS, () => outbox.wake()),
  );
  outbox.start();
  sweeper.start();
  return {
    stop: async () => {
      unsubscribe();
      await Promise.all([outbox.stop(), sweeper.stop()]);
    },
  };
};

/** What a start has opened so far; a start that fails closes it. */
interface Opened {
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
  await runtime.close();
};

/** Demo shops and background work come last, when nothing else can end the start any more. */
const open = async (config: Config, runtime: Runtime, opened: Opened): Promise<void> => {
  const { app, log } = runtime;
  if (config.migrateOnStart) await prepareDatabase(runtime);
  logSender(runtime);
  warnOfWallets(runtime);
  warnOfBaseUrl(config, runtime);
  warnOfMemory(config, runtime);
  const watched = {
    metrics: createMetrics(),
    readiness: readinessOf(config, runtime, () => opened.http?.leak() ?? null),
  };
  const metricsServer = (opened.metrics = await listenForMetrics(watched.metrics, config));
  await endSilence(config, runtime);
  await warnOfTableOwner(config, runtime);
  await warnOfMissingKeys(runtime);
  const leases = (opened.leases = new BudgetLeases(app, systemTimers));
  const limits = (opened.limits = openSharedLimits(runtime));
  const http = (opened.http = createServerOf(config, runtime, watched, leases, limits));
  // Before listening, because orders use the last known sending state.
  opened.stopWatch = await startMonitoring(runtime, watched);
  const withDemo = config.demo && (config.migrateOnStart || (await app.isMigrated()));
  const finishDemo = withDemo ? await prepareDemo(runtime) : () => Promise.resolve(NO_DEMO);
  await onPort(SERVER_KEYS, config, () => http.listen(config));
  opened.workers = startBackgroundWorkers(config, runtime, watched.metrics);
  const demo = await finishDemo();
  if (!config.production) process.stdout.write(banner(app.baseUrl, demo));
  log.info({ host: config.host, port: config.port, metrics_port: metricsServer?.port ?? null }, 'listening');
};

interface Running {
  /** Waits for running answers. */
  stop(): Promise<void>;
  /** Ends at once and stops the embedded database. */
  abandon(): Promise<void>;
}

const start = async (configured: Config): Promise<Running> => {
  judgePaths(configured);
  const config = await settlePorts(configured);
  const runtime = await openRuntime(config, 'server', printStatus);
  const opened: Opened = {
    metrics: null,
    http: null,
    leases: null,
    limits: null,
    stopWatch: null,
    workers: null,
  };
  const stop = (): Promise<void> => close(opened, runtime);
  try {
    await open(config, runtime, opened);
    return { stop, abandon: () => runtime.abandon() };
  } catch (fault) {
    // What stopped the start is worth more than what fails while it is closed.
    await stop().catch(() => undefined);
    throw fault;
  }
};

const failWith = (fault: unknown): never => {
  printFault(fault);
  process.exit(1);
};

/**
 * The first SIGTERM, SIGINT or SIGHUP waits for running answers, also during the start; a second signal ends
 * at once.
 */
const stopOnSignals = (starting: Promise<Running>): void => {
  let running: Running | null = null;
  let signals = 0;
  const endAfter = (work: Promise<void>, code: number): void => {
    work.then(() => process.exit(code), failWith);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    signals += 1;
    if (signals === 1) {
      printStatus(`${signal}: finishing the answers under way`);
      endAfter(
        starting.then((started) => started.stop()),
        0,
      );
    } else if (signals === 2 && running !== null) {
      printStatus(`${signal}: ending at once`);
      endAfter(running.abandon(), 1);
    } else process.exit(1);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
  starting.then(
    (started) => (running = started),
    () => undefined,
  );
};

/** A closed terminal must not end the process during its shutdown. */
const outliveOutput = (): void => {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
};

export const serve = async (): Promise<void> => {
  outliveOutput();
  // Deferred, so that the signal handlers are installed before the start.
  const starting = Promise.resolve().then(() => start(loadConfig()));
  stopOnSignals(starting);
  await starting.catch(failWith);
};
