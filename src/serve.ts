/** The server: settings → database → migrations → demo → doors. */
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { copyListener } from './adapters/listeners.ts';
import { EmbeddedPostgresError } from './adapters/embedded-postgres.ts';
import { challengeAnswer, isSigned, readStatuses } from './adapters/senders/whatsapp-status.ts';
import { systemTimers, together } from './adapters/timers.ts';
import { createWebPoster } from './adapters/web-poster.ts';
import { about } from './service/app/about.ts';
import type { App } from './platform/app/app.ts';
import { demoPlaces, layOutDemo, type DemoPlaces } from './service/app/demo.ts';
import { handlersOf } from './service/app/handlers.ts';
import { LookupLimit } from './platform/app/lookup-limit.ts';
import { MessageLeases } from './messaging/app/message-leases.ts';
import { budgetLimits, budgetsSpent } from './messaging/app/message-budget.ts';
import { pepperHashes } from './staff/app/pepper.ts';
import { takeReports } from './messaging/app/message-report.ts';
import { createOutboxWorker } from './messaging/app/outbox.ts';
import { SECURITY_TXT_PATH, securityText } from './platform/app/security-txt.ts';
import { sendersOf } from './service/app/senders.ts';
import { authenticate } from './staff/app/access.ts';
import type { Readiness } from './platform/app/readiness.ts';
import { watchSending } from './platform/app/sending.ts';
import { createSweeper } from './service/app/sweeper.ts';
import { ConfigError, loadConfig, onPort, type Config } from './config.ts';
import { allEndpoints } from './service/contract/index.ts';
import type { PlainDocument } from './doors/http/documents.ts';
import { createMetrics, serveMetrics, type Metrics, type MetricsServer } from './doors/http/metrics.ts';
import type { ReportTaker } from './doors/http/reports.ts';
import { createHttpServer, type HttpServer } from './doors/http/server.ts';
import { mountToolServer } from './doors/mcp/mount.ts';
import { banner } from './places.ts';
import { endSilence, noteSender, warnOfLostKeys, warnOfOneRole } from './serve/start-notes.ts';
import { DatabaseUnavailable } from './platform/store/db.ts';
import { grantServing } from './platform/store/grants.ts';
import { migrate, MigrationError } from './platform/store/migrate.ts';
import { changesSince } from './platform/store/versions.ts';
import {
  demoActivity,
  loadDemo,
  MIGRATIONS,
  openHouse,
  readinessOf,
  type House,
  type Tell,
} from './wiring.ts';

/** Progress for the person who waits; standard output is for what is asked for. */
export const tell: Tell = (line) => process.stderr.write(`ahwa: ${line}\n`);

const codeOf = (fault: unknown): string =>
  fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : '';

/** A start that cannot go on; the message is a sentence for the operator. */
export class StartError extends Error {}

/** A fault that an operator can mend, as a sentence; null for one that only a programmer can. */
const sentenceOf = (fault: unknown): string | null => {
  if (
    fault instanceof StartError ||
    fault instanceof ConfigError ||
    fault instanceof EmbeddedPostgresError ||
    fault instanceof MigrationError
  )
    return fault.message;
  if (fault instanceof DatabaseUnavailable)
    return `The database does not answer (${fault.reason}); check DATABASE_URL, and that the server there runs and lets this machine in.`;
  return null;
};

/** Says why, a line for each sentence; of what only a programmer can mend, where. */
export const tellFault = (fault: unknown): void => {
  const sentences = sentenceOf(fault)?.split('\n');
  for (const line of sentences ?? [fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)])
    tell(line);
};

/** Brings the tables, and hashes of older builds, up to what this build needs, and lets the role that serves use them. */
export const bringUpToDate = async ({ app, connection: serving, owner }: House): Promise<void> => {
  await migrate({ connection: owner, now: () => app.clock.now(), folder: MIGRATIONS, onProgress: tell });
  await grantServing({ owner, serving });
  const peppered = await pepperHashes(app);
  if (peppered > 0) tell(`the passwords or PINs of ${peppered} people are now stored under the secret key`);
};

/** Why the port cannot be had, as a sentence. */
const portSentence = (fault: unknown, key: string, host: string, port: number): string => {
  const REASONS: Readonly<Record<string, string>> = {
    EADDRINUSE: 'is taken by another program',
    EACCES: 'may not be used by this user',
    EADDRNOTAVAIL: 'is not an address of this machine',
    ENOTFOUND: 'is not an address of this machine',
  };
  const reason = REASONS[codeOf(fault)];
  if (reason === undefined) throw fault;
  return `${host}:${port} ${reason}; set ${key} to another.`;
};

const portFault = (fault: unknown, config: Config): StartError =>
  new StartError(portSentence(fault, 'PORT or HOST', config.host, config.port));

const freePort = (host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, host, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });

/** Port 0 is settled before anything else: every absolute link names the real port. */
const settlePort = async (config: Config): Promise<Config> => {
  if (config.port !== 0) return config;
  try {
    return onPort(config, await freePort(config.host));
  } catch (fault) {
    throw portFault(fault, config);
  }
};

const listen = async (http: HttpServer, config: Config): Promise<void> => {
  try {
    await http.listen({ port: config.port, host: config.host });
  } catch (fault) {
    throw portFault(fault, config);
  }
};

/** The metrics' own port; the default gives way when another program has it, a chosen one must be had. */
const listenForMetrics = async (metrics: Metrics, config: Config): Promise<MetricsServer | null> => {
  if (config.metrics === null) return null;
  try {
    return await serveMetrics(metrics, config.metrics);
  } catch (fault) {
    const sentence = portSentence(fault, 'METRICS_PORT', config.metrics.host, config.metrics.port);
    if (config.metrics.chosen) throw new StartError(sentence);
    tell(`no metrics: ${sentence}`);
    return null;
  }
};

/** The version of this package. */
export const version = (): string => {
  const description: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return typeof description === 'object' && description !== null && 'version' in description
    ? String(description.version)
    : '0';
};

/** Who takes the reports of messages, where they are set up. */
const reportTaker = ({ whatsAppReports: settings }: Config, { app, log }: House): ReportTaker | undefined =>
  settings === null
    ? undefined
    : {
        challenge: (query) => challengeAnswer(query, settings.verifyToken),
        take: async (report, signature) => {
          if (!isSigned(report, signature, settings.appSecret)) return false;
          await takeReports({ ...app, log }, readStatuses(report));
          return true;
        },
      };

/** Where weaknesses are reported, where the operator says so; dated from this start. */
const securityDocuments = ({ securityContacts: contacts }: Config, { app }: House): PlainDocument[] => {
  if (contacts === null) return [];
  const text = securityText(app, contacts);
  return [
    { id: 'securityTxt', path: SECURITY_TXT_PATH, type: 'text/plain; charset=utf-8', write: () => text },
  ];
};

interface Watched {
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

const doorsOf = (
  config: Config,
  house: House,
  { metrics, readiness }: Watched,
  leases: MessageLeases,
): HttpServer => {
  const { app, log } = house;
  metrics.counters(
    'ahwa_security_events_total',
    'Security events, by kind.',
    'kind',
    () => app.security.counts,
  );
  const lookups = new LookupLimit({ scale: config.rateLimitScale, monotonic: () => performance.now() });
  const toolServer = mountToolServer(app, version());
  metrics.gauges(
    'ahwa_message_budget_spent',
    'Codes and messages of the last hour, by budget; `shop` is the shop with most of them.',
    'budget',
    () => budgetsSpent(house.background),
  );
  metrics.gauges(
    'ahwa_message_budget_limit',
    'Codes and messages that an hour may have, by budget.',
    'budget',
    () => Promise.resolve(budgetLimits(house.background)),
  );
  return createHttpServer({
    messages: toolServer.messages,
    documents: [...toolServer.documents, ...securityDocuments(config, house)],
    endpoints: allEndpoints,
    handlers: handlersOf({
      ...{ app, background: house.background, timers: systemTimers },
      ...{ lookups, leases, readiness },
    }),
    authenticate: authenticate(app),
    announcements: app.announcements,
    about: about(app),
    version: version(),
    baseUrl: app.baseUrl,
    clock: app.clock,
    every: systemTimers.every,
    upkeep: systemTimers.every,
    feed: { changesSince: (seen) => changesSince(house.feed.kysely, seen) },
    reports: reportTaker(config, house),
    log,
    metrics,
    security: app.security,
    limitScale: config.rateLimitScale,
    trustedProxies: config.trustProxy,
    copyListener,
  });
};

/** What is left to do for the demo once the doors are open: its places, for the banner. */
type FinishDemo = () => Promise<DemoPlaces>;
const NO_PLACES: DemoPlaces = { shops: [], tables: [], orders: [], owners: [] };

/** Demo shops into an empty database before anyone asks; in one that has them, their day is laid out anew meanwhile. */
const prepareDemo = async (app: App): Promise<FinishDemo> => {
  const activity = demoActivity();
  const layOut = (): Promise<void> => layOutDemo(app, activity);
  const isNew = await loadDemo(app, tell);
  if (isNew) await layOut();
  return async () => {
    if (!isNew) await layOut();
    return demoPlaces(app, activity);
  };
};

/** In a rush what many orders have to tell is looked for at once: that they are taken comes first. */
const NEWS_MS = 25;

interface Chores {
  stop(): Promise<void>;
}

/** How often the log may learn of what no request asks about. */
const WATCH_MS = 5_000;

/** Says in the log whether the server is ready and whether it sends, also where nobody asks. */
const startWatch = async (house: House, { metrics, readiness }: Watched): Promise<() => void> => {
  const watch = watchSending(house.app.sending, house.log);
  metrics.gauge('ahwa_sending', '1 while messages, codes and events leave, 0 while they do not.', () =>
    watch.isOn() ? 1 : 0,
  );
  const look = async (): Promise<void> => {
    await Promise.all([readiness.look(), watch.look()]);
  };
  await look();
  return systemTimers.every(WATCH_MS, () => void look());
};

/** What goes on by itself beside the doors: sending what waits, and what the clock alone brings. */
const startChores = ({ sending }: Config, { background: app, log }: House): Chores => {
  if (sending === false) return { stop: () => Promise.resolve() };
  const parts = { ...app, timers: systemTimers, log };
  const outbox = createOutboxWorker({ ...parts, senders: sendersOf(app, createWebPoster()) });
  const sweeper = createSweeper({ app, timers: systemTimers, log });
  const stopHearing = app.announcements.listen(together(systemTimers, NEWS_MS, () => outbox.wake()));
  outbox.start();
  sweeper.start();
  return {
    stop: async () => {
      stopHearing();
      await Promise.all([outbox.stop(), sweeper.stop()]);
    },
  };
};

interface Running {
  /** Lets answers under way finish. */
  stop(): Promise<void>;
  /** Ends at once; the embedded database is not left behind. */
  abandon(): Promise<void>;
}

const open = async (config: Config, house: House): Promise<Running> => {
  const { app, log } = house;
  if (config.migrateOnStart) await bringUpToDate(house);
  noteSender(house);
  const withDemo = config.demo && (config.migrateOnStart || (await app.isMigrated()));
  const finishDemo = withDemo ? await prepareDemo(app) : () => Promise.resolve(NO_PLACES);
  const opened: { http: HttpServer | null } = { http: null };
  const readiness = readinessOf(config, house, () => opened.http?.leak() ?? null);
  const watched = { metrics: createMetrics(), readiness };
  await endSilence(config, house);
  await warnOfOneRole(config, house);
  await warnOfLostKeys(house);
  const leases = new MessageLeases(app, systemTimers);
  const http = (opened.http = doorsOf(config, house, watched, leases));
  // Before the doors open: orders go by what was known last of sending.
  const stopWatch = await startWatch(house, watched);
  await listen(http, config);
  const chores = startChores(config, house);
  const metricsServer = await listenForMetrics(watched.metrics, config);
  const places = await finishDemo();
  if (!config.production) process.stdout.write(banner(app.baseUrl, places));
  log.info({ host: config.host, port: config.port, metrics_port: metricsServer?.port ?? null }, 'listening');
  return {
    stop: async () => {
      stopWatch();
      await http.close();
      leases.end();
      await chores.stop();
      await metricsServer?.close();
      await house.close();
    },
    abandon: () => house.abandon(),
  };
};

const start = async (asked: Config): Promise<Running> => {
  const config = await settlePort(asked);
  const house = await openHouse(config, 'server', tell);
  try {
    return await open(config, house);
  } catch (fault) {
    await house.close();
    throw fault;
  }
};

const failWith = (fault: unknown): never => {
  tellFault(fault);
  process.exit(1);
};

/**
 * SIGTERM, Ctrl-C and a closed terminal let answers under way finish, also those that come during the start; a
 * second signal ends at once.
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
      tell(`${signal}: finishing the answers under way`);
      endAfter(
        starting.then((started) => started.stop()),
        0,
      );
    } else if (signals === 2 && running !== null) {
      tell(`${signal}: ending at once`);
      endAfter(running.abandon(), 1);
    } else process.exit(1);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
  starting.then(
    (started) => (running = started),
    () => undefined,
  );
};

/** A terminal that has gone away must not end the process in the middle of its orderly stop. */
const outliveOutput = (): void => {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
};

/** Serves until a signal. A fault that an operator can mend ends the process with its sentence. */
export const serve = async (): Promise<void> => {
  outliveOutput();
  // Begins in a moment: no signal may come between the start and its being listened for.
  const starting = Promise.resolve().then(() => start(loadConfig()));
  stopOnSignals(starting);
  await starting.catch(failWith);
};
