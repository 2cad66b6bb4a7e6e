import { grantServing } from '../platform/store/grants.ts';
import { label, migrate, pendingMigrations } from '../platform/store/migrate.ts';
import { unspreadTables } from '../platform/store/nodes/layout.ts';
import { demandOneDatabase } from '../platform/store/one-database.ts';
import { whereAllAnswer } from '../platform/store/unavailable.ts';
import { pepperHashes } from '../staff/app/rehash.ts';
import { MIGRATIONS, type Runtime } from '../wiring.ts';
import { printStatus, StartError } from './faults.ts';

/** Migrates, peppers hashes of older builds and grants the serving role its rights. */
export const prepareDatabase = async ({ app, connection: serving, owner }: Runtime): Promise<void> => {
  await demandOneDatabase({ owner, serving });
  await migrate({
    connection: owner,
    now: () => app.clock.now(),
    folder: MIGRATIONS,
    onProgress: printStatus,
  });
  await grantServing({ owner, serving });
  const peppered = await whereAllAnswer(pepperHashes(app), 0);
  if (peppered > 0)
    printStatus(`the passwords or PINs of ${peppered} people are now stored under the secret key`);
};

/** Throws StartError where tables are spread over nodes, but not all of them: statements about both would fail. */
export const refusePartLayout = async ({ connection }: Runtime): Promise<void> => {
  const tables = await unspreadTables(connection);
  if (tables.length > 0)
    throw new StartError(
      `The nodes of Citus have other tables, but not ${tables.join(', ')} as this build wants: run \`ahwa distribute\`, then start the server.`,
    );
};

/** For a process that starts beside others of an older build. Throws StartError where these could not go on. */
export const refuseStrangeTables = async ({ owner }: Runtime): Promise<void> => {
  const strange = (await pendingMigrations(owner, MIGRATIONS)).find(({ compatible }) => !compatible);
  if (strange !== undefined)
    throw new StartError(
      `The migration ${label(strange)} changes what workers of the older build need: stop the server, and start it again.`,
    );
};

/**
 * For a process that takes the place of another, which would answer what this one cannot. Throws StartError where a
 * migration is pending; a database that cannot be asked changes nothing.
 */
export const refuseOlderTables = async ({ app }: Runtime): Promise<void> => {
  if (!(await app.isMigrated().catch(() => true)))
    throw new StartError(
      'The tables are older than this build needs: run `ahwa migrate`, then replace the workers.',
    );
};
