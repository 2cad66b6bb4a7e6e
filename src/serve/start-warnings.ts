import { prefixesUnsent } from '../messaging/app/message-budget.ts';
import { lostWithKeys } from '../staff/app/rehash.ts';
import { endRestoredSilence } from '../messaging/app/sending.ts';
import type { Config } from '../config.ts';
import { ownsTables } from '../platform/store/grants.ts';
import type { Runtime } from '../wiring.ts';

export const logSender = ({ app, log }: Runtime): void => {
  if (!app.messenger.isReady)
    log.warn({}, 'no sender of one-time codes is set up: asking for one answers 503');
  const unsent = prefixesUnsent(app);
  if (app.messenger.isReady && unsent.length > 0)
    log.info(
      { prefixes: unsent },
      'no codes and messages are sent to these: MESSAGE_BUDGETS gives them none',
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
export const warnOfOneRole = async ({ production }: Config, { app, log }: Runtime): Promise<void> => {
  if (!production || !(await ownsTables(app.db.kysely).catch(() => false))) return;
  log.warn(
    {},
    'the role of DATABASE_URL owns the tables and could drop them; MIGRATION_DATABASE_URL is for that role, DATABASE_URL for one that owns nothing',
  );
};

/** After a restore or an early key removal every sign-in fails, and no other line says why. */
export const warnOfLostKeys = async ({ app, log }: Runtime): Promise<void> => {
  if (!(await app.isMigrated().catch(() => false))) return;
  const lost = await lostWithKeys(app);
  if (lost === null) return;
  log.warn(
    lost,
    'these are stored under a secret key that is not given, and are wrong until it is in SECRET_KEY or secret.key again; `ahwa staff keys` lists them',
  );
};
