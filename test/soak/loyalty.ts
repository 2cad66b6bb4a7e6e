/**
 * The ledger of loyalty cards against a slow model: `npm run soak -- loyalty [seed]`, 5,000 histories. Without a seed
 * they are random; the run prints its seed.
 */
import fc from 'fast-check';
import { startEmbeddedPostgres } from '../../src/adapters/embedded-postgres.ts';
import { connect } from '../../src/platform/store/db.ts';
import { migrate } from '../../src/platform/store/migrate.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { newId } from '../support/database/ids.ts';
import { insertShop } from '../support/database/rows.ts';
import { history, ledgerDifferences } from '../support/loyalty/histories.ts';
import { dataFolder, removeDataFolder } from '../support/programs/data-folder.ts';
import { say } from './conformance.ts';

const HISTORIES = 5_000;
const MIGRATIONS = new URL('../../migrations', import.meta.url).pathname;

const seed = Number(process.argv[2] ?? Date.now() % 2 ** 31);
say(`seed ${seed}`);
const dataDir = dataFolder();
const server = await startEmbeddedPostgres({ dataDir });
try {
  await migrate({ connection: server.owner, folder: MIGRATIONS, now: () => Date.UTC(2026, 0, 1) });
  const db = connect<Database>(server.owner);
  const orgId = newId();
  await insertShop(db.kysely, orgId, 'here');
  let ran = 0;
  const property = fc.asyncProperty(history, async (steps) => {
    const differences = await ledgerDifferences(db, orgId, steps);
    if (differences.length > 0) throw new Error(differences.join('\n'));
    ran += 1;
    if (ran % 500 === 0) say(`  ${ran} of ${HISTORIES} histories without a difference`);
  });
  const result = await fc.check(property, { seed, numRuns: HISTORIES });
  if (result.failed) {
    say(fc.stringify(result.counterexample));
    say(result.errorInstance instanceof Error ? result.errorInstance.message : 'failed');
  }
  say(result.failed ? `a difference: npm run soak -- loyalty ${seed} shows it again` : 'no difference');
  process.exitCode = result.failed ? 1 : 0;
  await db.close();
} finally {
  await server.release();
  removeDataFolder(dataDir);
}
