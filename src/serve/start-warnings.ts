import { prefixesUnsent } from '../messaging/app/message-budget.ts';
import { secretsWithMissingKeys } from '../staff/app/rehash.ts';
import { endRestoredSilence } from '../messaging/app/sending.ts';
import type { Config } from '../config.ts';
import { ownsTables } from '../platform/store/grants.ts';
import { whereAllAnswer } from '../platform/store/unavailable.ts';
import { isLoopback } from '../platform/domain/loopback.ts';
import type { Runtime } from '../wiring.ts';
import { lostWithMemory } from './paths.ts';

export const logSender = ({ app, log }: Runtime): void => {
  if (!app.messenger.isReady)
    log.warn({}, 'no sender of one-time codes is set up: asking for one answers 503');
  const unsent = prefixesUnsent(app);
  if (app.messenger.isReady && unsent.length > 0)
    log.info(
      { prefixes: unsent },
      'no codes or messages are sent to these prefixes: MESSAGE_BUDGETS gives them no budget',
    );
};

/** SENDING=on releases a restored copy; `ahwa sending off` is only undone by the command. */
export const endSilence = async ({ sending }: Config, { app, log }: Runtime): Promise<void> => {
  if (sending !== true || !(await app.isMigrated().catch(() => false))) return;
  const { was, parked } = await endRestoredSilence(app);
  if (was !== null)
    log.warn({ was: was.reason, parked }, 'SENDING=on has ended the silence of this database');
};

/** In production a bug of the server must not be able to drop a table. */
export const warnOfTableOwner = async ({ production }: Config, { app, log }: Runtime): Promise<void> => {
  if (!production || !(await ownsTables(app.db.kysely).catch(() => false))) return;
  log.warn(
    {},
    'the role of DATABASE_URL owns the tables and could drop them: give that role in MIGRATION_DATABASE_URL, and in DATABASE_URL a role that owns no table',
  );
};

/** After a restore or an early key removal every sign-in fails; this is the only log line with the reason. */
export const warnOfMissingKeys = async ({ app, log }: Runtime): Promise<void> => {
  if (!(await app.isMigrated().catch(() => false))) return;
  const lost = await whereAllAnswer(secretsWithMissingKeys(app), null);
  if (lost === null) return;
  log.warn(
    lost,
    'passwords, PINs or authenticator apps are stored under a secret key that is missing; they fail until the key is in SECRET_KEY or secret.key again; `ahwa staff keys` lists them',
  );
};

/** A wallet that cannot be used is off; everything else works (Decisions 11). */
export const warnOfWallets = ({ app, log }: Runtime): void => {
  const { walletOne, walletTwo, clock } = app;
  for (const fault of [walletOne?.fault(clock.now()), walletTwo?.fault])
    if (typeof fault === 'string') log.warn({}, fault);
};

/** Links in messages, passes and codes of tables would lead guests to their own phones. */
export const warnOfBaseUrl = ({ production, baseUrl }: Config, { log }: Runtime): void => {
  if (production && isLoopback(baseUrl))
    log.warn(
      { base_url: baseUrl },
      'BASE_URL is an address of this machine, and every link to guests begins with it: set it to the public address',
    );
};

export const warnOfMemory = (config: Config, { log }: Runtime): void => {
  const lost = lostWithMemory(config);
  if (lost !== null)
    log.warn(
      { data_dir: config.dataDir },
      `DATA_DIR is in memory (tmpfs), and ${lost} is gone when this machine or container ends: set it to a folder on a disk`,
    );
};
