/** The ledger against a slow model, over random histories (Decisions 11). `npm run soak -- loyalty` runs 5,000. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Db } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { newId } from '../support/database/ids.ts';
import { PATIENT } from '../support/database/patient-options.ts';
import { insertShop } from '../support/database/rows.ts';
import { freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { expectedAmounts, history, ledgerDifferences } from '../support/loyalty/histories.ts';

let database: TestDatabase;
let db: Db<Database>;
const orgId = newId();
beforeAll(async () => {
  database = await freshDatabase();
  db = connect<Database>(database.connection, PATIENT);
  await insertShop(db.kysely, orgId, 'here');
});
afterAll(async () => {
  await db.close();
  await database.release();
});

test('any history, its steps repeated, leaves the entries of the model, and their sum as the balance', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      expect(await ledgerDifferences(db.kysely, orgId, steps)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test('the histories of these laws reach reversals and empty balances', () => {
  const all = fc.sample(history, 300).map(expectedAmounts);
  const sums = all.map((amounts) => amounts.reduce((sum, amount) => sum + amount, 0));
  expect(sums.filter((sum) => sum === 0).length).toBeGreaterThan(10);
  expect(sums.every((sum) => sum >= 0)).toBe(true);
});
