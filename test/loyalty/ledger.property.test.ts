/** The ledger against a slow model, over random histories (Decisions 11). `npm run soak -- loyalty` runs 5,000. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Db } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { postEntry } from '../../src/loyalty/store/ledger.ts';
import { newId } from '../support/database/ids.ts';
import { lockWait } from '../support/database/lock-wait.ts';
import { PATIENT } from '../support/database/patient-options.ts';
import { insertShop } from '../support/database/rows.ts';
import { freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { aCard, expectedAmounts, history, ledgerDifferences, NOON } from '../support/loyalty/histories.ts';

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

test('any history of two cards, its steps repeated immediately and later, leaves the entries of the model, and their sum as the balance', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      expect(await ledgerDifferences(db, orgId, steps)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test('points that come while a redemption waits for the card are spent by it', async () => {
  const { cardId } = await aCard(db.kysely, orgId, NOON);
  const entry = { orgId, cardId, mode: 'points' } as const;
  const spent = await db.tx(async (tx) => {
    await postEntry(tx, { ...entry, id: newId(), reason: 'adjusted', wanted: 10 }, NOON);
    const spending = db.tx((other) =>
      postEntry(other, { ...entry, id: newId(), saleId: newId(), reason: 'redeemed', wanted: -10 }, NOON),
    );
    await lockWait({ db });
    return { spending };
  });
  expect(await spent.spending).toEqual({ isPosted: true, amount: -10, shortfall: 0, balance: 0 });
});

test('the histories of these laws reach reversals, empty balances and combinations', () => {
  const all = fc.sample(history, 300).map(expectedAmounts);
  const sums = all.map((cards) => cards.map((amounts) => amounts.reduce((sum, amount) => sum + amount, 0)));
  expect(sums.filter(([older]) => older === 0).length).toBeGreaterThan(10);
  expect(sums.flat().every((sum) => sum >= 0)).toBe(true);
  const isMoved = ([, younger]: (typeof all)[number]): boolean =>
    younger.length > 1 && younger.at(-1) === -younger.slice(0, -1).reduce((sum, amount) => sum + amount, 0);
  expect(all.filter(isMoved).length).toBeGreaterThan(10);
});
