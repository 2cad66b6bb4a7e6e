/** Composition root. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadCommonPasswords } from './adapters/common-passwords.ts';
import { createLog, type Logger } from './adapters/log.ts';
import { diskCheck } from './adapters/disk.ts';
import { hasEmbeddedDatabase, startEmbeddedPostgres } from './adapters/embedded-postgres.ts';
import { faultOfFiles } from './adapters/embedded-postgres/fault.ts';
import { sharedValues, type SharingScope } from './adapters/interprocess-values.ts';
import { createPasskeys } from './adapters/passkeys.ts';
import { createPictureDownloader } from './adapters/picture-downloader.ts';
import { picturesBeside } from './adapters/picture-folder.ts';
import { createPictureSpool } from './adapters/picture-spool.ts';
import { createPictureRenderer } from './adapters/picture-renderer.ts';
import { createSearchThreads } from './adapters/search-threads.ts';
import { secretKeyOf } from './adapters/secret-key.ts';
import { createVoucherKeys } from './adapters/voucher-keys.ts';
import { createSecurityEvents } from './adapters/security-events.ts';
import { joinClock, shareClock, systemClock, systemRandom } from './adapters/system.ts';
import { systemTimers } from './adapters/timers.ts';
import { createWebPoster } from './adapters/web-poster.ts';
import { SeatingGrids } from './bookings/app/seating-grid.ts';
import { CodeCounts } from './identity/app/code-counts.ts';
import { OrderCounts } from './orders/app/order-counts.ts';
import { UndecidedSeatings } from './bookings/app/undecided-seatings.ts';
import { KeyedQueue } from './platform/app/keyed-queue.ts';
import { ChangePublisher } from './platform/app/changes/change-publisher.ts';
import type { App } from './platform/app/app.ts';
import { BackgroundTasks, traceOf } from './platform/app/background-tasks.ts';
import { PassPictureCache } from './loyalty/app/wallets/pass-pictures.ts';
import { RenderQueue } from './pictures/app/render-queue.ts';
import { DealSearches } from './pricing/app/deal-searches.ts';
import { markAsDemo, needsDemo, type DemoActivity } from './service/app/demo.ts';
import { createKeyring } from './platform/app/keyring.ts';
import { createPasswords } from './staff/app/passwords.ts';
import { createReadiness, databaseChecks, type Readiness } from './platform/app/readiness.ts';
import { createSending, silenceable, type Sending } from './messaging/app/sending.ts';
import { ShopCodes } from './shops/app/shop-codes.ts';
import { importShops, type ImportFile } from './shopfile/app/shopfile.ts';
import { createTokens } from './platform/app/tokens.ts';
import type { Config } from './config.ts';
import { messengerOf, roadsOf, walletOneOf, walletTwoOf } from './wiring/providers.ts';
import type { Clock, ReadinessCheck } from './ports.ts';
import { connect, COMMAND_OPTIONS, type ConnectionOptions, type Db } from './platform/store/db.ts';
import type { Roles } from './platform/store/grants.ts';
import type { OnNode } from './platform/store/nodes/silent-nodes.ts';
import { placeOf } from './platform/store/place.ts';
import { pendingMigrations, tablesState, type TablesState } from './platform/store/migrate.ts';
import type { Database } from './platform/store/schema.ts';

export type PrintStatus = (line: string) => void;

/** A server publishes its clock and URL for commands. */
export type Role = 'server' | 'command';

export interface Runtime {
  readonly app: App;
  /** The same app on separate connections, for background work. */
  readonly background: App;
  /** Logs that an idle connection to the database broke. */
  readonly onLost: (fault: Error) => void;
  readonly checks: readonly ReadinessCheck[];
  /** As the serving role. */
  readonly connection: ConnectionOptions;
  /** As the owner of the tables; may be the same role. */
  readonly owner: ConnectionOptions;
  readonly log: Logger;
  /** Idempotent. */
  close(): Promise<void>;
  /** Like `close`, but running statements are rolled back. */
  abandon(): Promise<void>;
}

interface Shared {
  readonly clock: Clock;
  readonly baseUrl: string;
  /** The first signs, all verify. */
  readonly secretKeys: readonly string[];
  /** Idempotent. */
  readonly release: () => void;
}

const joinServers = (owner: SharingScope, config: Config): Omit<Shared, 'secretKeys'> => ({
  clock: joinClock(owner, config.clockStart),
  baseUrl: sharedValues(owner, 'address').read()[0] ?? config.baseUrl,
  release: () => undefined,
});

const publishToCommands = (
  owner: SharingScope,
  config: Config,
  printStatus: PrintStatus,
): Omit<Shared, 'secretKeys'> => {
  const { clock, joined, release } = shareClock(owner, config.clockStart);
  if (joined && config.clockStart !== null)
    printStatus('CLOCK_START is left aside: a server on the same data already fixed the clock.');
  const unpublish = sharedValues(owner, 'address').publish(config.baseUrl);
  return {
    clock,
    baseUrl: config.baseUrl,
    release: () => {
      unpublish();
      release();
    },
  };
};

/** Creates the key when missing. */
const share = (config: Config, role: Role, printStatus: PrintStatus): Shared => {
  const owner = { dataDir: config.dataDir, databaseUrl: config.databaseUrl };
  try {
    const secretKeys = config.secretKeys ?? [secretKeyOf(config.dataDir)];
    return {
      secretKeys,
      ...(role === 'command' ? joinServers(owner, config) : publishToCommands(owner, config, printStatus)),
    };
  } catch (fault) {
    throw faultOfFiles(fault, config.dataDir);
  }
};

const cacheTrue = (ask: () => Promise<boolean>): (() => Promise<boolean>) => {
  let known = false;
  return async () => (known ||= await ask());
};

/** `disconnect` does not wait. */
interface OpenDatabase extends Roles {
  readonly checks: readonly ReadinessCheck[];
  readonly disconnect: () => Promise<void>;
}

/** Requests and background work do not wait for each other's connections. */
const connectPools = (
  { databasePoolSize: size }: Config,
  role: Role,
  connection: ConnectionOptions,
  told: { readonly onLost: (fault: Error) => void; readonly onNode: OnNode },
) => {
  const timeouts = role === 'command' ? COMMAND_OPTIONS : {};
  const db = connect<Database>(connection, { size, ...told, ...timeouts });
  const { onLost } = told;
  const background = { size: 2, applicationName: 'ahwa background', onLost, nodes: db.nodes };
  return { db, chores: connect<Database>(connection, background) };
};

const logOfNodes =
  (log: Logger): OnNode =>
  (node, isSilent) =>
    isSilent
      ? log.warn({ node }, 'a node of the database does not answer: its shops get 503')
      : log.info({ node }, 'the node of the database answers again');

const createRuntime = (
  config: Config,
  role: Role,
  { serving: connection, owner, checks, disconnect }: OpenDatabase,
  { clock, baseUrl, secretKeys, release }: Shared,
  log: Logger,
): Runtime => {
  let closing: Promise<void> | null = null;
  // Logs only the message: the driver's error object contains credentials.
  const onLost = ({ message }: Error): void => {
    if (closing === null) log.warn({ reason: message }, 'a connection to the database broke');
  };
  const { db, chores } = connectPools(config, role, connection, { onLost, onNode: logOfNodes(log) });
  const abandon = async (): Promise<void> => {
    release();
    await disconnect();
  };
  const keyring = createKeyring(secretKeys);
  const codeCounts = new CodeCounts();
  const changePublisher = new ChangePublisher((fault) =>
    log.warn({ reason: String(fault) }, 'a subscriber of changes failed'),
  );
  const searchThreads = createSearchThreads(SEARCH_THREAD);
  const sendingOn = (pool: Db<Database>): Sending => createSending({ db: pool }, config.sending !== false);
  const sending = sendingOn(db);
  const app: App = {
    db,
    ...{ clock, realTime: systemClock(0), random: systemRandom },
    tokens: createTokens(secretKeys, systemRandom),
    keyring,
    passwords: createPasswords({ random: systemRandom, keyring }),
    commonPasswords: loadCommonPasswords(COMMON_PASSWORDS),
    passkeys: createPasskeys({ name: config.service.name, baseUrl }),
    messenger: silenceable(messengerOf(config, clock, log, codeCounts), sending),
    sending,
    webhookPoster: createWebPoster(config.webhookAllow),
    roads: roadsOf(config, log),
    pictureRenderer: createPictureRenderer(),
    renderQueue: new RenderQueue(),
    walletOne: walletOneOf(config),
    walletTwo: walletTwoOf(config, clock),
    ...{ passPictures: new PassPictureCache(), voucherKeys: createVoucherKeys(keyring) },
    security: createSecurityEvents(log),
    backgroundTasks: new BackgroundTasks((fault) =>
      log.warn({ reason: String(fault), stack: traceOf(fault) }, 'a background task failed'),
    ),
    ...{ seatingGrids: new SeatingGrids(), undecidedSeatings: new UndecidedSeatings() },
    ...{ orderCounts: new OrderCounts(), codeCounts, shopCodes: new ShopCodes(changePublisher) },
    branchTurns: new KeyedQueue(),
    dealSearches: new DealSearches(searchThreads, systemTimers),
    changePublisher,
    phoneCountries: config.phoneCountries,
    messageBudgets: config.messageBudgets,
    limitScale: config.rateLimitScale,
    baseUrl,
    service: config.service,
    isMigrated: cacheTrue(async () => (await pendingMigrations(connection, MIGRATIONS)).length === 0),
  };
  return {
    app,
    background: { ...app, db: chores, sending: sendingOn(chores) },
    ...{ onLost, checks, connection, owner, log },
    close: () =>
      (closing ??= app.backgroundTasks
        .settled()
        .then(() => Promise.all([db.close(), chores.close(), searchThreads.close()]))
        .finally(abandon)
        .then(() => undefined)),
    abandon,
  };
};

/** `url`: DATABASE_URL, whose role owns the tables too unless there is another. */
const ownerOf = ({ migrationDatabaseUrl: ownerUrl }: Config, url: string): ConnectionOptions =>
  ownerUrl === null ? { url } : { url: ownerUrl, setting: 'MIGRATION_DATABASE_URL' };

const openDatabase = async (
  config: Config,
  printStatus: PrintStatus,
  mayCreate: boolean,
): Promise<OpenDatabase> => {
  const { databaseUrl, migrationDatabaseUrl, dataDir } = config;
  if (databaseUrl !== null) {
    const serving = { url: databaseUrl };
    // Where both are one role, both are one object: `grantServing` compares them.
    const owner = migrationDatabaseUrl === null ? serving : ownerOf(config, databaseUrl);
    return { serving, owner, checks: [], disconnect: () => Promise.resolve() };
  }
  const embedded = await startEmbeddedPostgres({ dataDir, mayCreate, onProgress: printStatus });
  const { connection: serving, owner, folder } = embedded;
  return { serving, owner, checks: [diskCheck(folder)], disconnect: () => embedded.release() };
};

/** For sentences: without the password. */
export const databaseName = ({ databaseUrl: url, dataDir }: Config): string => {
  if (url === null) return `the embedded PostgreSQL in ${dataDir}`;
  const { database, server } = placeOf({ url });
  return `${database === '' ? 'that of DATABASE_URL' : database} on ${server}`;
};

/** Throws EmbeddedPostgresError, a sentence for the operator. `mayCreate`: an embedded database that is missing. */
export const openRuntime = async (
  config: Config,
  role: Role,
  printStatus: PrintStatus,
  mayCreate = true,
): Promise<Runtime> => {
  const database = await openDatabase(config, printStatus, mayCreate);
  // A command's standard output is its result.
  const log = createLog(config.logLevel, role === 'command' ? 'stderr' : 'stdout');
  try {
    return createRuntime(config, role, database, share(config, role, printStatus), log);
  } catch (fault) {
    await database.disconnect();
    throw fault;
  }
};

/** What workers share and outlives each of them: the embedded database, the clock, the address, the secret key. */
export interface Held {
  /** Idempotent. */
  release(): Promise<void>;
}

/** Throws EmbeddedPostgresError, a sentence for the operator. */
export const holdForWorkers = async (config: Config, printStatus: PrintStatus): Promise<Held> => {
  const { disconnect } = await openDatabase(config, printStatus, true);
  try {
    const { release } = share(config, 'server', printStatus);
    return {
      release: () => {
        release();
        return disconnect();
      },
    };
  } catch (fault) {
    await disconnect();
    throw fault;
  }
};

/** `db`: a separate connection. `leak` reports resources that the HTTP server does not release. */
export const readinessOf = (
  config: Config,
  { app, background, checks, log }: Runtime,
  db: Db<Database>,
  leak: () => string | null,
): Readiness =>
  createReadiness({
    checks: [
      ...databaseChecks({ ...app, db }, [app.db, background.db]),
      { name: 'held resources', fault: () => Promise.resolve(leak()) },
      ...checks,
    ],
    sending: createSending({ db }, config.sending !== false),
    ...{ log, monotonic: () => performance.now(), timers: systemTimers },
  });

/** For commands; null: the embedded database must be started to know. Starts nothing. Throws DatabaseUnavailable. */
export const knownTables = async (config: Config): Promise<TablesState | null> => {
  if (config.databaseUrl !== null) return tablesState(ownerOf(config, config.databaseUrl), MIGRATIONS);
  return hasEmbeddedDatabase(config.dataDir) ? null : 'none';
};

/** For commands: what reads and checks shop files without a database. */
export const readingTools = (config: Config): Pick<App, 'clock' | 'pictureRenderer'> => ({
  clock: joinClock(config, config.clockStart),
  pictureRenderer: createPictureRenderer(),
});

/** For commands. */
export { createPictureDownloader, createPictureSpool, picturesBeside };

/** Next to src/ and dist/. */
export const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

/** Scripts and styles of the pages, written by the build. */
export const ASSETS = fileURLToPath(new URL('../dist/web', import.meta.url));

const COMMON_PASSWORDS = fileURLToPath(new URL('../lists/common-passwords.txt.br', import.meta.url));

/** Written by the build, because Node runs no TypeScript in a thread. */
const SEARCH_THREAD = new URL('../dist/search-thread.js', import.meta.url);

export const version = (): string => {
  const description: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return typeof description === 'object' && description !== null && 'version' in description
    ? String(description.version)
    : '0';
};

const SHOPS = fileURLToPath(new URL('../shops/', import.meta.url));
const DEMO_ACTIVITY = 'demo-activity.json';

const demoShopFiles = (): ImportFile[] =>
  readdirSync(SHOPS)
    .filter((name) => name.endsWith('.json') && name !== DEMO_ACTIVITY)
    .sort()
    .map((name) => ({ name, text: readFileSync(join(SHOPS, name), 'utf8'), folder: picturesBeside(SHOPS) }));

/** A file of this repository; a test checks it. */
export const demoActivity = (): DemoActivity =>
  JSON.parse(readFileSync(join(SHOPS, DEMO_ACTIVITY), 'utf8')) as DemoActivity;

/** Returns whether the database had no shops. */
export const loadDemo = async (app: App, printStatus: PrintStatus): Promise<boolean> => {
  if (!(await needsDemo(app))) return false;
  const reports = await importShops(app, demoShopFiles(), {
    onProgress: (line) => printStatus(`demo shops: ${line}`),
  });
  await markAsDemo(
    app,
    reports.map(({ slug }) => slug),
  );
  return true;
};
