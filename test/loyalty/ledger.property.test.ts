/** The ledger against a slow model, over random histories (Decisions 11). `npm run soak -- loyalty` runs 5,000. */
import fc from 'fast-check';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Db } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { postEntry } from '../../src/loyalty/store/ledger.ts';
import { entriesOfCard } from '../../src/loyalty/store/entry.ts';
import { newId } from '../support/database/ids.ts';
import { lockWait } from '../support/database/lock-wait.ts';
import { PATIENT } from '../support/database/patient-options.ts';
import { insert, insertShop } from '../support/database/rows.ts';
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

test('entries have the order in which they changed the card, also where one waited for another', async () => {
  const { cardId } = await aCard(db.kysely, orgId, NOON);
  const adjust = (tx: Kysely<Database>, wanted: number) =>
    postEntry(tx, { orgId, cardId, mode: 'points', id: newId(), reason: 'adjusted', wanted }, NOON);
  // As an older build, with a number of the sequence.
  await insert(db.kysely, 'loyalty_entry', {
    ...{ org_id: orgId, id: newId(), card_id: cardId, at: '2026-01-01T00:00:00Z', mode: 'points' },
    ...{ kind: 'adjust', source: 'manual', amount: 1 },
  });
  const { waiting } = await db.tx(async (tx) => {
    await adjust(tx, 2);
    const later = db.tx((other) => adjust(other, 4));
    await lockWait({ db });
    await adjust(tx, 3);
    await sql`update change_counter set seq = seq + 1 where org_id = ${orgId}`.execute(tx);
    return { waiting: later };
  });
  await waiting;
  await Promise.all(Array.from({ length: 6 }, () => db.tx((tx) => adjust(tx, 5))));
  const newest = await entriesOfCard(db.kysely, orgId, cardId, { limit: 100 });
  expect(newest.map(({ amount }) => amount)).toEqual([5, 5, 5, 5, 5, 5, 4, 3, 2, 1]);
  const { rows } = await sql<{ position: number }>`
    select position from loyalty_entry where card_id = ${cardId}`.execute(db.kysely);
  expect(new Set(rows.map(({ position }) => position)).size).toBe(10);
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
