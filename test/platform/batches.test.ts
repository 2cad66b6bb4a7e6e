/** Bounded work on rows of all shops, on one server and on a database that says that it is spread over nodes. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Db } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { deleteBatch, updateBatch } from '../../src/platform/store/sweep.ts';
import { PATIENT } from '../support/database/patient-options.ts';
import { insertShop } from '../support/database/rows.ts';
import { SAYS_SPREAD } from '../support/database/says-spread.ts';
import { asOwner, freshDatabase, type TestDatabase } from '../support/database/test-database.ts';

const SHOPS = [1, 2, 3].map((n) => `0a000000-0000-4000-8000-00000000000${n}`);
const OLD = sql`created_at < '2026-01-01'`;
const LIMIT = 4;

describe.each([
  ['one server', false],
  ['a spread database', true],
])('on %s', (_, isSpread) => {
  let database: TestDatabase;
  let db: Db<Database>;
  beforeAll(async () => {
    database = await freshDatabase();
    if (isSpread) await asOwner(database, SAYS_SPREAD);
    db = connect<Database>(database.connection, PATIENT);
    for (const [n, shop] of SHOPS.entries()) await insertShop(db.kysely, shop, `cafe-${n}`);
  });
  afterAll(async () => {
    await db.close();
    await database.release();
  });

  /** Five old rows of each shop, and a new one, are all that there is. */
  const fill = async (): Promise<void> => {
    await sql`delete from idempotency_key`.execute(db.kysely);
    for (const shop of SHOPS)
      await sql`
        insert into idempotency_key (org_id, operation, key, body_hash, subject_id, created_at)
        select ${shop}::uuid, 'order', n::text, '\\x00', ${shop}::uuid,
               case when n < 6 then '2025-01-01' else '2026-06-01' end::timestamptz
        from generate_series(1, 6) n
      `.execute(db.kysely);
  };
  const left = async (): Promise<number> =>
    (await sql`select from idempotency_key`.execute(db.kysely)).rows.length;

  test('a batch deletes as many rows as its limit, and no others', async () => {
    await fill();
    expect(await deleteBatch(db.kysely, 'idempotency_key', OLD, LIMIT)).toBe(LIMIT);
    expect(await left()).toBe(18 - LIMIT);
  });

  test('two sweepers at once delete all old rows but a locked one', async () => {
    await fill();
    const sweep = async (): Promise<void> => {
      while ((await deleteBatch(db.kysely, 'idempotency_key', OLD, LIMIT)) === LIMIT);
    };
    await db.tx(async (tx) => {
      await sql`select from idempotency_key where org_id = ${SHOPS[1]} and key = '3' for update`.execute(tx);
      await Promise.all([sweep(), sweep()]);
    });
    expect(await left()).toBe(4);
    await sweep();
    expect(await left()).toBe(3);
  });

  test('a batch deletes rows that belong to no shop, by their own key', async () => {
    await sql`
      insert into device_token (token_hash, phone, issued_at, expires_at)
      select n::text::bytea, '201001234567', '2025-01-01', case when n < 6 then '2025-04-01' else '2026-06-01' end::timestamptz
      from generate_series(1, 6) n
    `.execute(db.kysely);
    const expired = sql`expires_at < '2026-01-01'`;
    expect(await deleteBatch(db.kysely, 'device_token', expired, LIMIT)).toBe(LIMIT);
    expect(await deleteBatch(db.kysely, 'device_token', expired, LIMIT)).toBe(1);
    expect((await sql`select from device_token`.execute(db.kysely)).rows).toHaveLength(1);
  });

  test('a batch updates rows of several shops', async () => {
    await fill();
    const set = sql`created_at = '2026-06-01'`;
    expect(await updateBatch(db.kysely, 'idempotency_key', { set, where: OLD }, 100)).toBe(15);
    expect(await updateBatch(db.kysely, 'idempotency_key', { set, where: OLD }, 100)).toBe(0);
  });
});
