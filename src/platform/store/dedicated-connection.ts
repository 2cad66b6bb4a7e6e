import pg from 'pg';
import { clientConfig, type ConnectionOptions } from './pool.ts';
import { asUnavailable } from './unavailable.ts';

/**
 * A connection outside the pool; closing it rolls back uncommitted changes. Throws DatabaseUnavailable, or
 * the result of `mapFault` for an error of `work`.
 */
export const onDedicatedConnection = async <T>(
  connection: ConnectionOptions,
  applicationName: string,
  work: (client: pg.Client) => Promise<T>,
  mapFault: (fault: unknown) => unknown = asUnavailable,
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
      throw asUnavailable(fault);
    });
    return await work(client);
  } catch (fault) {
    throw mapFault(fault);
  } finally {
    await client.end().catch(() => undefined);
  }
};
