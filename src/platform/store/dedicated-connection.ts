import type pg from 'pg';
import { Client, clientConfig } from './client.ts';
import { placeOf, type ConnectionOptions, type Place } from './place.ts';
import { asUnavailable, notConnected } from './unavailable.ts';

const open = async (
  connection: ConnectionOptions,
  applicationName: string,
  place: Place,
): Promise<Client> => {
  try {
    const client = new Client({
      ...clientConfig(connection),
      application_name: applicationName,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  } catch (fault) {
    throw notConnected(fault, place);
  }
};

/**
 * A connection outside the pool; closing it rolls back uncommitted changes. Throws DatabaseUnavailable, or
 * the result of `mapFault` for an error of `work`.
 */
export const onDedicatedConnection = async <T>(
  connection: ConnectionOptions,
  applicationName: string,
  work: (client: pg.Client) => Promise<T>,
  mapFault: (fault: unknown, place: Place) => unknown = asUnavailable,
): Promise<T> => {
  const place = placeOf(connection);
  const client = await open(connection, applicationName, place);
  try {
    return await work(client);
  } catch (fault) {
    throw mapFault(fault, place);
  } finally {
    await client.end().catch(() => undefined);
  }
};
