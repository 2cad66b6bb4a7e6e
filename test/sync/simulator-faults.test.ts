/** A simulator that finds nothing proves nothing: each deliberate fault of a merge must be found, by the check that is meant to find it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner, freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { dataFolder, removeDataFolder } from '../support/programs/data-folder.ts';
import { DELIBERATE_FAULTS } from '../support/sync/simulation/faults.ts';
import { openStage, simulate } from '../support/sync/simulation/simulate.ts';

/** Most seeds until a fault is found. */
const SEEDS = 80;

/** Where a search begins: seeds before these found nothing when this was written. */
const FIRST_SEEDS: Readonly<Record<string, number>> = {
  'a device gives an event that it sends again a new id': 2,
  'a device applies rows while its own events wait': 135,
  'the clock of a device is not corrected': 4,
  'a sale gets the price of today': 27,
  'an event that waits is taken for recorded': 12,
  'a line of a sale is dropped': 7,
  'the total follows from the lines': 5,
  'the second payment of a ticket is lost': 5,
  'a sale of a closed till is not late': 7,
  'a reward costs nothing': 8,
  'every till has a voucher to itself': 87,
  'the money of a bill is lost when it is merged': 3,
  'units that were voided are void twice': 17,
};

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
  async ({ name, check, seams, trigger }) => {
    const stage = await openStage(database, folder, seams);
    if (trigger !== null) await asOwner(database, trigger.install);
    try {
      const found: string[] = [];
      const first = FIRST_SEEDS[name] ?? 1;
      for (let seed = first; seed < first + SEEDS && !found.includes(check); seed += 1)
        found.push(...(await simulate(seed, stage)).faults.map((fault) => fault.check));
      expect(found).toContain(check);
    } finally {
      if (trigger !== null) await asOwner(database, trigger.remove);
      await stage.server.close();
    }
  },
);
