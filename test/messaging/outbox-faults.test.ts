import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimHeads } from '../../src/messaging/store/outbox.ts';
import { connect, type Db } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { add, aMessage, ORG } from '../support/background/outbox.ts';
import { newId } from '../support/database/ids.ts';
import { PATIENT } from '../support/database/patient-options.ts';
import { asOwner, freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { insertShop } from '../support/database/rows.ts';

let database: TestDatabase;
let db: Db<Database>;

beforeAll(async () => {
  database = await freshDatabase();
  db = connect<Database>(database.connection, PATIENT);
  await insertShop(db.kysely, ORG, 'beit-el-bunn');
});
afterAll(async () => {
  await db.close();
  await database.release();
});

const NOW = Date.UTC(2026, 10, 20, 18);
const CLAIM = {
  ...{ kind: 'message' as const, now: NOW, leaseId: newId(), leaseUntil: NOW + 60_000 },
  ...{ limit: 100, perDestination: 100, inFlight: new Map(), without: [] },
};

test('what was claimed at one shop is sent when the claim at the next one fails, and the fault comes again', async () => {
  const row = aMessage(newId());
  const elsewhere = { ...row, id: newId(), orgId: '0a000000-0000-4000-8000-000000000002' };
  await add(db, [row], NOW - 1_000);
  await add(db, [elsewhere], NOW);
  await asOwner(
    database,
    `create function fail() returns trigger language plpgsql as $$ begin raise 'no claim'; end $$;
    create trigger fail before update on outbox for each row when (new.org_id = '${elsewhere.orgId}') execute function fail()`,
  );
  try {
    const { rows, isMoreDue } = await claimHeads(db.kysely, CLAIM);
    expect([rows.map(({ id }) => id), isMoreDue]).toEqual([[row.id], true]);
    await expect(claimHeads(db.kysely, CLAIM)).rejects.toThrow('no claim');
  } finally {
    await asOwner(database, 'drop function fail cascade');
  }
});
