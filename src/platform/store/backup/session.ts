/** A connection for work that takes as long as it takes, in one transaction. */
import pg from 'pg';
import { onOwnConnection } from '../own-connection.ts';
import type { ConnectionOptions } from '../pool.ts';
import { translated } from '../unavailable.ts';
import { BackupError } from './head.ts';

/** No limit of the role's or the server's cuts the work, and every value is written the same way everywhere. */
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

/** `mode` is what follows `begin`. The first statement afterwards takes the snapshot. */
export const begin = async (client: pg.Client, mode = ''): Promise<void> => {
  await client.query(`begin ${mode}`);
  await client.query(SETTINGS);
};

/** PostgreSQL 17 limits transactions too. */
export const liftTransactionTimeout = (client: pg.Client): Promise<unknown> =>
  client.query(
    "select set_config(name, '0', true) from pg_catalog.pg_settings where name = 'transaction_timeout'",
  );

/** What the server itself says of such work is told as it is: its disk is full, a right is missing. */
const sentenceOf = (fault: unknown): unknown =>
  fault instanceof pg.DatabaseError
    ? new BackupError(`PostgreSQL refused: ${fault.message}.`, { cause: fault })
    : translated(fault);

/**
 * Runs `work` on a connection of its own and closes it, which undoes what was not committed. Throws BackupError and
 * DatabaseUnavailable.
 */
export const inSession = <T>(
  connection: ConnectionOptions,
  name: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => onOwnConnection(connection, name, work, sentenceOf);
