import pg from 'pg';
import { onDedicatedConnection } from '../dedicated-connection.ts';
import { MIGRATION_LOCK } from '../migrate.ts';
import type { ConnectionOptions } from '../pool.ts';
import type { Place } from '../place.ts';
import { asUnavailable } from '../unavailable.ts';
import { BackupError } from './head.ts';

/** No time limits, and a fixed output format of values. */
const SETTINGS = `
  set local statement_timeout = 0;
  set local lock_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local client_encoding = 'UTF8';
  set local timezone = 'UTC';
  set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres';
  set local bytea_output = 'hex';
  set local extra_float_digits = 1;
  set local row_security = off`;

/** `mode` follows `begin`. The next statement takes the snapshot. */
export const begin = async (client: pg.Client, mode = ''): Promise<void> => {
  await client.query(`begin ${mode}`);
  await client.query(SETTINGS);
};

/** Since PostgreSQL 17. */
export const liftTransactionTimeout = (client: pg.Client): Promise<unknown> =>
  client.query(
    "select set_config(name, '0', true) from pg_catalog.pg_settings where name = 'transaction_timeout'",
  );

/** Then no migration runs until the end of the transaction. False: one runs now. */
export const keepFromMigrating = async (client: pg.Client): Promise<boolean> => {
  const lock = await client.query<{ held: boolean }>('select pg_try_advisory_xact_lock_shared($1) as held', [
    MIGRATION_LOCK,
  ]);
  return lock.rows[0]?.held === true;
};

/** As `keepFromMigrating`. Throws BackupError. */
export const mustNotBeMigrated = async (client: pg.Client): Promise<void> => {
  if (!(await keepFromMigrating(client)))
    throw new BackupError(
      'The tables are being brought up to date; nothing was changed. Try again after that.',
    );
};

/** Passes the server's own message on. */
const asBackupError = (fault: unknown, place: Place): unknown =>
  fault instanceof pg.DatabaseError
    ? new BackupError(`PostgreSQL refused: ${fault.message}.`, { cause: fault })
    : asUnavailable(fault, place);

/** Closing rolls back uncommitted changes. Throws BackupError and DatabaseUnavailable. */
export const inSession = <T>(
  connection: ConnectionOptions,
  name: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => onDedicatedConnection(connection, name, work, asBackupError);
