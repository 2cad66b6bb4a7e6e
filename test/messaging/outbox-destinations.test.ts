/** Destinations of the outbox: circuit breaking, and several workers. */
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Uuid } from '../../src/kernel/ids.ts';
import { DESTINATION_CIRCUIT, type Outcome, type OutboxRow } from '../../src/messaging/domain/outbox.ts';
import { connect, type Db } from '../../src/platform/store/db.ts';
import { replay } from '../../src/messaging/store/outbox.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { add, aMessage, anEvent, emptyOutbox, ORG, storedRow } from '../support/background/outbox.ts';
import { deferred } from '../support/background/manual-timers.ts';
import { newId } from '../support/database/ids.ts';
import { PATIENT } from '../support/database/patient-options.ts';
import { freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { insert, insertShop } from '../support/database/rows.ts';
import {
  REFUSED,
  recordingSender,
  sendingProcess,
  TAKEN,
  type Send,
  type SendingProcess,
} from '../support/background/outbox-worker.ts';

let database: TestDatabase;
let db: Db<Database>;
let now: number;
let opened: SendingProcess[] = [];

const START = Date.UTC(2026, 10, 20, 18);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

beforeAll(async () => {
  database = await freshDatabase();
  db = connect<Database>(database.connection, PATIENT);
  await insertShop(db.kysely, ORG, 'beit-el-bunn');
});

afterAll(async () => {
  await db.close();
  await database.release();
});

beforeEach(async () => {
  await emptyOutbox(db);
  now = START;
});

afterEach(async () => {
  await Promise.all(opened.map((one) => one.close()));
  opened = [];
});

const aProcess = (send: Send): SendingProcess => {
  const made = sendingProcess(send, { now: () => now }, database.connection);
  opened.push(made);
  return made;
};

const statuses = async (): Promise<string[]> => {
  const { rows } = await sql<{ status: string }>`select distinct status from outbox order by status`.execute(
    db.kysely,
  );
  return rows.map(({ status }) => status);
};

const sortedIds = (rows: readonly OutboxRow[]): Uuid[] => rows.map(({ id }) => id).sort();

describe('an address that accepts no event', () => {
  const [dead, well] = [newId(), newId()];
  /** A day passes, with a poll every hour. */
  const aDayOf = async ({ worker }: SendingProcess): Promise<void> => {
    for (let hours = 0; hours < 24; hours += 1) {
      now += HOUR;
      await worker.drain();
    }
  };
  const manyEvents = (target: Uuid, count: number): OutboxRow[] =>
    Array.from({ length: count }, () => anEvent(newId(), target));

  test('uses two places at most and does not delay other addresses', async () => {
    await add(db, manyEvents(dead, 20), now - SECOND);
    const others = manyEvents(well, 5);
    await add(db, others, now);
    const slow = deferred<Outcome>();
    let waiting = 0;
    const sentIds: Uuid[] = [];
    const allSent = deferred();
    const { worker } = aProcess((row) => {
      if (row.targetId === dead) {
        waiting += 1;
        return slow.promise;
      }
      sentIds.push(row.id);
      if (sentIds.length === others.length) allSent.resolve();
      return TAKEN;
    });
    const drained = worker.drain();
    await allSent.promise;
    expect(waiting).toBe(2);
    slow.resolve(TAKEN);
    await drained;
    expect(waiting).toBe(20);
  });

  test('opens its circuit after five failures and gets all events after its recovery', async () => {
    const rows = manyEvents(dead, 20);
    await add(db, rows, now);
    let [isDown, tries] = [true, 0];
    const { worker } = aProcess(() => {
      tries += 1;
      return isDown ? REFUSED : TAKEN;
    });
    await worker.drain();
    const atFirst = tries;
    // Two were in flight when the fifth failed.
    expect(atFirst).toBeGreaterThanOrEqual(DESTINATION_CIRCUIT.failuresToOpen);
    expect(atFirst).toBeLessThanOrEqual(DESTINATION_CIRCUIT.failuresToOpen + 1);
    now += MINUTE;
    await worker.drain();
    expect(tries).toBe(atFirst + 1);
    isDown = false;
    now += 60 * MINUTE;
    await worker.drain();
    const after = await Promise.all(rows.map((row) => storedRow(db, row)));
    expect(after.every(({ status }) => status === 'sent')).toBe(true);
  });

  test('is in the log and counted at its first failure, and once more after it worked', async () => {
    let isDown = true;
    const process = aProcess((row) => (isDown && row.targetId === dead ? REFUSED : TAKEN));
    const { worker, logged } = process;
    const drainedAfter = async (ms: number): Promise<void> => {
      now += ms;
      await worker.drain();
    };
    await add(db, [...manyEvents(dead, 3), ...manyEvents(well, 2)], now);
    await drainedAfter(0);
    await drainedAfter(MINUTE);
    isDown = false;
    await drainedAfter(HOUR);
    isDown = true;
    await add(db, manyEvents(dead, 2), now);
    await drainedAfter(0);
    const line = { kind: 'webhook', org_id: ORG, target_id: dead };
    const failed = { ...line, reason: 'answered 503', message: 'a destination of the outbox fails' };
    const recovered = { ...line, message: 'a destination of the outbox works again' };
    expect(logged.map((text) => JSON.parse(text) as unknown)).toEqual([failed, recovered, failed]);
    expect(worker.failures).toEqual({ message: 0, webhook: 2, wallet_one: 0, wallet_two: 0 });
  });

  test('for a whole day has only the rows parked that waited that long', async () => {
    const old = manyEvents(dead, 30);
    await add(db, old, now);
    const process = aProcess((row) => (row.targetId === dead ? REFUSED : TAKEN));
    const { worker, logged } = process;
    await worker.drain();
    await aDayOf(process);
    const [fresh, other] = [anEvent(newId(), dead), anEvent(newId(), well)];
    await add(db, [fresh, other], now);
    await worker.drain();
    // A row may have been in flight and was postponed once more.
    now += 31 * MINUTE;
    await worker.drain();
    const after = await Promise.all(old.map((row) => storedRow(db, row)));
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set(['parked']));
    expect((await storedRow(db, fresh)).status).toBe('waiting');
    expect((await storedRow(db, other)).status).toBe('sent');
    expect(logged.join()).toContain('nothing went through for a day');
  });

  test('for a whole day has replayed rows parked only after another day', async () => {
    const event = anEvent(newId(), dead);
    await insert(db.kysely, 'webhook_target', {
      ...{ org_id: ORG, id: dead, url: 'https://till.example', secret_hash: '\\x00', generation: 1 },
      ...{ is_active: true, created_at: '2026-01-01T00:00:00Z' },
    });
    await add(db, [event], now);
    const process = aProcess(() => REFUSED);
    await process.worker.drain();
    await aDayOf(process);
    expect(await statuses()).toEqual(['parked']);
    now += HOUR;
    expect(await replay(db.kysely, ORG, { since: null }, now)).toBe(1);
    await process.worker.drain();
    expect(await storedRow(db, event)).toMatchObject({
      status: 'waiting',
      attempts: 1,
      nextAt: now + 5 * SECOND,
    });
    await aDayOf(process);
    expect(await statuses()).toEqual(['parked']);
  });

  test('and was not tried while the machine slept gets another day', async () => {
    await add(db, manyEvents(dead, 3), now);
    const process = aProcess(() => REFUSED);
    await process.worker.drain();
    now += 48 * HOUR;
    await process.worker.drain();
    expect(await statuses()).toEqual(['waiting']);
    await aDayOf(process);
    expect(await statuses()).toEqual(['parked']);
  });
});

describe('without timers', () => {
  const target = newId();

  test.each([
    ['messages', () => aMessage(newId())],
    ['events', () => anEvent(newId(), target)],
  ])('%s are sent, except the one that another process has locked', async (_, aRow) => {
    const rows = Array.from({ length: 20 }, aRow);
    const [taken, ...others] = rows;
    if (taken === undefined) throw new Error('there are twenty');
    await add(db, rows, now);
    const { sentIds, send } = recordingSender();
    const { worker } = aProcess(send);
    await db.tx(async (tx) => {
      await sql`select from outbox where org_id = ${taken.orgId} and id = ${taken.id} for update`.execute(tx);
      await worker.drain();
    });
    expect(sentIds.toSorted()).toEqual(sortedIds(others));
    await worker.drain();
    expect(sentIds.at(-1)).toBe(taken.id);
  });

  test('two processes send all rows, each ordering key in order', async () => {
    const addresses = Array.from({ length: 6 }, newId);
    const order = fc.record({
      messages: fc.integer({ min: 0, max: 3 }),
      events: fc.array(fc.constantFrom(...addresses), { maxLength: 4 }),
    });
    /** Times that sending waits for another event. */
    const pace = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 20 });
    const orders = fc.array(order, { minLength: 20, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(orders, pace, async (made, waits) => {
        await emptyOutbox(db);
        const rows = made.flatMap(({ messages, events }) => {
          const id = newId();
          return [
            ...Array.from({ length: messages }, () => aMessage(id)),
            ...events.map((address) => anEvent(id, address)),
          ];
        });
        await add(db, rows, now);
        const sentIds: OutboxRow[] = [];
        const send: Send = async (row) => {
          const wait = waits[sentIds.push(row) % waits.length] ?? 0;
          for (let done = 0; done < wait; done += 1) await db.ping();
          return TAKEN;
        };
        const processes = [aProcess(send), aProcess(send)];
        await Promise.all(processes.map(({ worker }) => worker.drain()));
        expect(sortedIds(sentIds)).toEqual(sortedIds(rows));
        for (const key of new Set(rows.map(({ orderingKey }) => orderingKey))) {
          const ofKey = (all: readonly OutboxRow[]) => all.filter(({ orderingKey }) => orderingKey === key);
          expect(ofKey(sentIds).map(({ id }) => id)).toEqual(ofKey(rows).map(({ id }) => id));
        }
        await Promise.all(processes.map((one) => one.close()));
      }),
      { numRuns: 10 },
    );
  });
});
