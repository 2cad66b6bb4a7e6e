/** Two roles are two addresses, which may lead to different databases by mistake. */
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { onDedicatedConnection } from './dedicated-connection.ts';
import type { Roles } from './grants.ts';
import { MigrationError } from './migrate.ts';
import { placeOf, type ConnectionOptions } from './place.ts';

const NAME = 'ahwa roles';

interface Found {
  readonly database: string;
  readonly isFree: boolean;
}

/** `$1` is free in this database when no other session holds it. The lock ends with the transaction. */
const tryLock = async (client: pg.Client, key: string): Promise<Found> => {
  const { rows } = await client.query<Found>(
    'select current_database() as database, pg_try_advisory_xact_lock($1) as "isFree"',
    [key],
  );
  return rows[0] ?? { database: '', isFree: false };
};

const leads = (connection: ConnectionOptions, { database }: Found): string =>
  `${database} of ${placeOf(connection).server}`;

/**
 * Throws MigrationError where owner and serving role connect to different databases. Names, addresses and identifiers
 * of the server do not tell: a pooler has another address, a copy of a machine the same identifier. An advisory lock
 * is held in one database, needs no right, and is seen through a pooler of transactions.
 */
export const demandOneDatabase = async ({ owner, serving }: Roles): Promise<void> => {
  // The embedded PostgreSQL has one.
  if (owner === serving || !('url' in owner)) return;
  const key = randomBytes(8).readBigInt64BE().toString();
  await onDedicatedConnection(owner, NAME, async (client) => {
    await client.query('begin');
    const own = await tryLock(client, key);
    const other = await onDedicatedConnection(serving, NAME, (second) => tryLock(second, key));
    await client.query('rollback');
    if (other.isFree)
      throw new MigrationError(
        `MIGRATION_DATABASE_URL leads to the database ${leads(owner, own)}, DATABASE_URL to ${leads(serving, other)}; nothing was changed; let both lead to the same database.`,
      );
  });
};
