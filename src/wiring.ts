/** Puts the parts together for `main.ts` and `cli.ts`: settings → database → clock → app. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commonPasswordsIn } from './adapters/common-passwords.ts';
import { createLog, type Logger } from './adapters/log.ts';
import { diskCheck } from './adapters/disk.ts';
import { startEmbeddedPostgres } from './adapters/embedded-postgres.ts';
import { faultOfFiles } from './adapters/embedded-postgres/fault.ts';
import { notesOf, type NoteOwner } from './adapters/notes.ts';
import { createPasskeys } from './adapters/passkeys.ts';
import { secretKeyOf } from './adapters/secret-key.ts';
import { noRoads, osrmRoads } from './adapters/osrm.ts';
import { consoleSender } from './adapters/senders/console.ts';
import { fileSender } from './adapters/senders/file.ts';
import { noSender } from './adapters/senders/none.ts';
import { whatsAppSender } from './adapters/senders/whatsapp.ts';
import { createSecurityEvents } from './adapters/security-events.ts';
import { joinClock, shareClock, systemRandom } from './adapters/system.ts';
import { systemTimers } from './adapters/timers.ts';
import { Announcements } from './platform/app/announcements.ts';
import type { App } from './platform/app/app.ts';
import { Aside } from './platform/app/aside.ts';
import { markAsDemo, needsDemo, type DemoActivity } from './service/app/demo.ts';
import { createKeyring } from './platform/app/keyring.ts';
import { createPasswords } from './staff/app/passwords.ts';
import { createReadiness, databaseChecks, type Readiness } from './platform/app/readiness.ts';
import { createSending, silenceable, type Sending } from './platform/app/sending.ts';
import { importShops } from './shopfile/app/shopfile.ts';
import { createTokens } from './platform/app/tokens.ts';
import type { Config } from './config.ts';
import type { Clock, Messenger, ReadinessCheck, RoadDistance } from './ports.ts';
import { connect, UNHURRIED, type ConnectionOptions, type Db } from './platform/store/db.ts';
import type { Roles } from './platform/store/grants.ts';
import { pendingMigrations } from './platform/store/migrate.ts';
import type { Database } from './platform/store/schema.ts';

/** Says one line to the person who waits. */
export type Tell = (line: string) => void;

/** A server tells commands beside it its clock and its address. */
export type Role = 'server' | 'command';

export interface House {
  readonly app: App;
  /** The same app on connections of its own, for what goes on by itself: neither takes the other's. */
  readonly background: App;
  /** A connection of its own for hearing of changes, which no rush of requests can keep waiting. */
  readonly feed: Db<Database>;
  /** What readiness asks besides the database. */
  readonly checks: readonly ReadinessCheck[];
  /** As the role that serves. */
  readonly connection: ConnectionOptions;
  /** As the role that owns the tables: the same where there is one role for both. */
  readonly owner: ConnectionOptions;
  readonly log: Logger;
  /** Closes connections, gives the clock up and ends this use of the embedded database. Safe to call twice. */
  close(): Promise<void>;
  /** As `close`, without waiting for statements that run: they are undone. */
  abandon(): Promise<void>;
}

interface Shared {
  readonly clock: Clock;
  readonly baseUrl: string;
  /** The first signs, all verify. */
  readonly secretKeys: readonly string[];
  /** Takes back what others were told. Safe to call twice. */
  readonly release: () => void;
}

/** A command lives in the time of the servers that run, and names their address. */
const joinServers = (owner: NoteOwner, config: Config): Omit<Shared, 'secretKeys'> => ({
  clock: joinClock(owner, config.clockStart),
  baseUrl: notesOf(owner, 'address').read()[0] ?? config.baseUrl,
  release: () => undefined,
});

const tellCommands = (owner: NoteOwner, config: Config, tell: Tell): Omit<Shared, 'secretKeys'> => {
  const { clock, joined, release } = shareClock(owner, config.clockStart);
  if (joined && config.clockStart !== null)
    tell('CLOCK_START is left aside: a server on the same data already fixed the clock.');
  const takeBack = notesOf(owner, 'address').leave(config.baseUrl);
  return {
    clock,
    baseUrl: config.baseUrl,
    release: () => {
      takeBack();
      release();
    },
  };
};

/** What the role shares through the data folder, where the key is made too when there is none. */
const share = (config: Config, role: Role, tell: Tell): Shared => {
  const owner = { dataDir: config.dataDir, databaseUrl: config.databaseUrl };
  try {
    const secretKeys = config.secretKeys ?? [secretKeyOf(config.dataDir)];
    return {
      secretKeys,
      ...(role === 'command' ? joinServers(owner, config) : tellCommands(owner, config, tell)),
    };
  } catch (fault) {
    throw faultOfFiles(fault, config.dataDir);
  }
};

/** Asks until the answer is yes, which it then stays. */
const onceTrue = (ask: () => Promise<boolean>): (() => Promise<boolean>) => {
  let known = false;
  return async () => (known ||= await ask());
};

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const monotonic = (): number => performance.now();

/** What brings texts to phones (Decisions 10). */
const messengerOf = ({ sender }: Config, clock: Clock, log: Logger): Messenger => {
  switch (sender.kind) {
    case 'console':
      return consoleSender(print);
    case 'file':
      return fileSender({ path: sender.path, clock });
    case 'whatsapp':
      return whatsAppSender({
        ...{ ...sender, monotonic },
        onFailing: (reason) =>
          log.warn({ reason }, 'WhatsApp does not answer; asking for a one-time code answers 503 for now'),
      });
    case 'none':
      return noSender;
  }
};

const roadsOf = ({ osrmUrl }: Config, log: Logger): RoadDistance =>
  osrmUrl === null
    ? noRoads
    : osrmRoads({
        url: osrmUrl,
        profile: 'driving',
        monotonic,
        onFailing: (reason) =>
          log.warn({ reason }, 'distances by road are not to be had; great circles are used'),
      });

/** A database that was opened, which `leave` leaves at once. */
interface OpenDatabase extends Roles {
  readonly checks: readonly ReadinessCheck[];
  readonly leave: () => Promise<void>;
}

/** The parts of a house that work on one database. */
const furnish = (
  config: Config,
  role: Role,
  { serving: connection, owner, checks, leave }: OpenDatabase,
  { clock, baseUrl, secretKeys, release }: Shared,
  log: Logger,
): House => {
  let closing: Promise<void> | null = null;
  // Of a fault of the driver only its words: the object itself holds the connection's keys.
  const onLost = ({ message }: Error): void => {
    if (closing === null) log.warn({ reason: message }, 'a connection to the database broke');
  };
  const hurry = role === 'command' ? UNHURRIED : {};
  const db = connect<Database>(connection, { size: config.databasePoolSize, onLost, ...hurry });
  // A loop that stood still for a moment is no database that is away.
  const feed = connect<Database>(connection, {
    ...{ size: 1, acquireMs: 3_000, applicationName: 'ahwa changes', onLost },
  });
  const chores = connect<Database>(connection, { size: 2, applicationName: 'ahwa background', onLost });
  const abandon = async (): Promise<void> => {
    release();
    await leave();
  };
  const keyring = createKeyring(secretKeys);
  const sendingOn = (pool: Db<Database>): Sending => createSending({ db: pool }, config.sending !== false);
  const sending = sendingOn(db);
  const app: App = {
    db,
    clock,
    random: systemRandom,
    tokens: createTokens(secretKeys, systemRandom),
    keyring,
    passwords: createPasswords({ random: systemRandom, keyring }),
    commonPasswords: commonPasswordsIn(COMMON_PASSWORDS),
    passkeys: createPasskeys({ name: config.service.name, baseUrl }),
    messenger: silenceable(messengerOf(config, clock, log), sending),
    sending,
    roads: roadsOf(config, log),
    security: createSecurityEvents(log),
    aside: new Aside((fault) => log.warn({ reason: String(fault) }, 'what nobody waits for was not done')),
    announcements: new Announcements(),
    phoneCountries: config.phoneCountries,
    messageBudgets: config.messageBudgets,
    limitScale: config.rateLimitScale,
    baseUrl,
    service: config.service,
    isMigrated: onceTrue(async () => (await pendingMigrations(connection, MIGRATIONS)).length === 0),
  };
  return {
    app,
    background: { ...app, db: chores, sending: sendingOn(chores) },
    feed,
    checks,
    connection,
    owner,
    log,
    close: () =>
      (closing ??= app.aside
        .settled()
        .then(() => Promise.all([db.close(), chores.close(), feed.close()]))
        .finally(abandon)
        .then(() => undefined)),
    abandon,
  };
};

const openDatabase = async (config: Config, tell: Tell): Promise<OpenDatabase> => {
  const { databaseUrl, migrationDatabaseUrl, dataDir } = config;
  if (databaseUrl !== null) {
    const serving = { url: databaseUrl };
    const owner = migrationDatabaseUrl === null ? serving : { url: migrationDatabaseUrl };
    return { serving, owner, checks: [], leave: () => Promise.resolve() };
  }
  const embedded = await startEmbeddedPostgres({ dataDir, tell });
  const { connection: serving, owner, folder } = embedded;
  return { serving, owner, checks: [diskCheck(folder)], leave: () => embedded.release() };
};

/** Opens everything a use case needs. Throws EmbeddedPostgresError, a sentence for the operator. */
export const openHouse = async (config: Config, role: Role, tell: Tell): Promise<House> => {
  const database = await openDatabase(config, tell);
  // Standard output of a command is its result, such as an exported shop.
  const log = createLog(config.logLevel, role === 'command' ? 'stderr' : 'stdout');
  try {
    return furnish(config, role, database, share(config, role, tell), log);
  } catch (fault) {
    await database.leave();
    throw fault;
  }
};

/** What /ready asks, beside the guests' connections; whoever adds a check adds it here. `leak`: what the doors do not give back. */
export const readinessOf = (config: Config, house: House, leak: () => string | null): Readiness => {
  const { app, background, feed: db, checks, log } = house;
  return createReadiness({
    checks: [
      ...databaseChecks({ ...app, db }, [app.db, background.db]),
      { name: 'held resources', fault: () => Promise.resolve(leak()) },
      ...checks,
    ],
    sending: createSending({ db }, config.sending !== false),
    ...{ log, monotonic: () => performance.now(), timers: systemTimers },
  });
};

/** The tables' history, beside src/ and dist/ alike. */
export const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

const COMMON_PASSWORDS = fileURLToPath(new URL('../lists/common-passwords.txt.br', import.meta.url));

const SHOPS = fileURLToPath(new URL('../shops/', import.meta.url));
const DEMO_ACTIVITY = 'demo-activity.json';

/** The demo's shop files, as the import takes them. */
const demoShopFiles = (): { name: string; text: string }[] =>
  readdirSync(SHOPS)
    .filter((name) => name.endsWith('.json') && name !== DEMO_ACTIVITY)
    .sort()
    .map((name) => ({ name, text: readFileSync(join(SHOPS, name), 'utf8') }));

/** What goes on in the demo shops; a file of our own, checked by its test. */
export const demoActivity = (): DemoActivity =>
  JSON.parse(readFileSync(join(SHOPS, DEMO_ACTIVITY), 'utf8')) as DemoActivity;

/** Loads the demo shops into a database without shops. Says whether it did. */
export const loadDemo = async (app: App, tell: Tell): Promise<boolean> => {
  if (!(await needsDemo(app))) return false;
  const reports = await importShops(app, demoShopFiles(), {
    onProgress: (line) => tell(`demo shops: ${line}`),
  });
  await markAsDemo(
    app,
    reports.map(({ slug }) => slug),
  );
  return true;
};
