/** A simulator that finds nothing proves nothing: each deliberate fault of a merge must be found, by the check that is meant to find it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner, freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { dataFolder, removeDataFolder } from '../support/programs/data-folder.ts';
import { DELIBERATE_FAULTS } from '../support/sync/simulation/faults.ts';
import { openStage, simulate } from '../support/sync/simulation/simulate.ts';

/** Most seeds until a fault is found, from the first that found it when it was written. */
const SEEDS = 80;

/** A busy machine may take seconds for a seed. */
const PATIENCE_MS = 10 * 60_000;

let database: TestDatabase;
const folder = dataFolder();
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(async () => {
  await database.release();
  removeDataFolder(folder);
});

test.each(DELIBERATE_FAULTS)(
  'a merge is found out in which $name',
  { timeout: PATIENCE_MS },
  async ({ check, seams, trigger, first }) => {
    const stage = await openStage(database, folder, seams);
    if (trigger !== null) await asOwner(database, trigger.install);
    try {
      const found: string[] = [];
      for (let seed = first; seed < first + SEEDS && !found.includes(check); seed += 1)
        found.push(...(await simulate(seed, stage)).faults.map((fault) => fault.check));
      expect(found).toContain(check);
    } finally {
      if (trigger !== null) await asOwner(database, trigger.remove);
      await stage.server.close();
    }
  },
);
