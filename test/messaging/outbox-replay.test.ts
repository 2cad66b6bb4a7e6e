import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addToOutbox,
  claimHeads,
  replay,
  settle,
  type ClaimedRow,
} from '../../src/messaging/store/outbox.ts';
import type { Uuid } from '../../src/kernel/ids.ts';
import type { OutboxKind, OutboxRow } from '../../src/messaging/domain/outbox.ts';
import { recordChanges } from '../../src/platform/store/change-log.ts';
import { connect, type Db } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { add, aMessage, anEvent, emptyOutbox, ORG } from '../support/background/outbox.ts';
import { newId } from '../support/database/ids.ts';
import { PATIENT } from '../support/database/patient-options.ts';
import { freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { insert, insertShop } from '../support/database/rows.ts';

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
beforeEach(() => emptyOutbox(db));

const NOW = Date.UTC(2026, 10, 20, 18);

const claim = async (kind: OutboxKind = 'message'): Promise<readonly ClaimedRow[]> => {
  const lease = { leaseId: newId(), leaseUntil: NOW + 60_000 };
  const room = { limit: 100, perDestination: 100, inFlight: new Map(), without: [] };
  return (await claimHeads(db.kysely, { kind, now: NOW, ...lease, ...room })).rows;
};

const settleAll = async (rows: readonly ClaimedRow[]): Promise<void> => {
  for (const row of rows) await settle(db.kysely, row, { status: 'sent', providerId: null }, NOW);
};

/** Each before the next one is due. */
const expectSentInOrder = async (rows: readonly OutboxRow[]): Promise<void> => {
  const sent: Uuid[] = [];
  for (let heads = await claim(); heads.length > 0; heads = await claim()) {
    expect(heads).toHaveLength(1);
    sent.push(...heads.map(({ id }) => id));
    await settleAll(heads);
  }
  expect(sent).toEqual(rows.map(({ id }) => id));
};

describe('a replay of sent rows of an ordering key', () => {
  test('keeps the order of several changes', async () => {
    const order = newId();
    const rows = [aMessage(order), aMessage(order, 'order_ready'), aMessage(order, 'order_confirmed')];
    for (const row of rows) {
      await db.tx(async (tx) => {
        await addToOutbox(tx, [row], NOW);
        await recordChanges(tx, ORG, [{ scope: 'shop', type: 'shop', id: ORG, op: 'upsert' }], NOW);
      });
      await settleAll(await claim());
    }
    expect(await replay(db.kysely, ORG, { since: 0 }, NOW)).toBe(3);
    await expectSentInOrder(rows);
  });

  test('keeps the order behind a row that an older build has numbered', async () => {
    const order = newId();
    const rows = [aMessage(order), aMessage(order, 'order_ready')];
    for (const row of rows) {
      await add(db, [row], NOW);
      await settleAll(await claim());
      if (row === rows[0]) await sql`update outbox set position = 49990`.execute(db.kysely);
    }
    expect(await replay(db.kysely, ORG, { since: 0 }, NOW)).toBe(2);
    await expectSentInOrder(rows);
  });

  test('keeps the order of rows that reported no change', async () => {
    const order = newId();
    const rows = [aMessage(order, 'order_ready'), aMessage(order), aMessage(order, 'order_confirmed')];
    for (const [at, row] of rows.entries()) {
      await add(db, [row], NOW - 10 + at);
      await settleAll(await claim());
    }
    expect(await replay(db.kysely, ORG, { since: 0 }, NOW)).toBe(3);
    await expectSentInOrder(rows);
  });
});

test('a replay since a time repeats events with their ids, sent ones too, for active addresses', async () => {
  const [target, off] = [newId(), newId()];
  const aTarget = {
    ...{ org_id: ORG, url: 'https://till.example', secret_hash: '\\x00', generation: 1 },
    created_at: '2026-01-01T00:00:00Z',
  };
  await insert(
    db.kysely,
    'webhook_target',
    { ...aTarget, id: target, is_active: true },
    { ...aTarget, id: off, is_active: false },
  );
  const [early, late, elsewhere] = [
    anEvent(newId(), target),
    anEvent(newId(), target),
    anEvent(newId(), off),
  ];
  await add(db, [early], NOW - 1);
  await add(db, [late, elsewhere], NOW);
  await settleAll(await claim('webhook'));
  expect(await replay(db.kysely, ORG, { kind: 'webhook', since: NOW }, NOW)).toBe(1);
  expect((await claim('webhook')).map(({ id }) => id)).toEqual([late.id]);
  expect(await replay(db.kysely, ORG, { kind: 'webhook', targetId: off, since: 0 }, NOW)).toBe(0);
});
