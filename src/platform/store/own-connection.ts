/** A connection for one piece of work, beside the pool: commands, migrations and backups. */
import pg from 'pg';
import { clientConfig, type ConnectionOptions } from './pool.ts';
import { translated } from './unavailable.ts';

/**
 * Runs `work` on a connection of its own and closes it, which undoes what was not committed. Throws DatabaseUnavailable
 * where there is no connection, and what `told` makes of a fault of the work.
 */
export const onOwnConnection = async <T>(
  connection: ConnectionOptions,
  applicationName: string,
  work: (client: pg.Client) => Promise<T>,
  told: (fault: unknown) => unknown = translated,
): Promise<T> => {
  const client = new pg.Client({
    ...clientConfig(connection),
    application_name: applicationName,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  try {
    await client.connect().catch((fault: unknown) => {
      throw translated(fault);
    });
    return await work(client);
  } catch (fault) {
    throw told(fault);
  } finally {
    await client.end().catch(() => undefined);
  }
};
