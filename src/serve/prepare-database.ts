import { grantServing } from '../platform/store/grants.ts';
import { migrate } from '../platform/store/migrate.ts';
import { demandOneDatabase } from '../platform/store/one-database.ts';
import { pepperHashes } from '../staff/app/rehash.ts';
import { MIGRATIONS, type Runtime } from '../wiring.ts';
import { printStatus } from './faults.ts';

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
  const peppered = await pepperHashes(app);
  if (peppered > 0)
    printStatus(`the passwords or PINs of ${peppered} people are now stored under the secret key`);
};
