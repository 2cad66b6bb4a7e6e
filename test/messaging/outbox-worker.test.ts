/** The outbox worker over a real database, with test senders. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Uuid } from '../../src/kernel/ids.ts';
import { BACK_OFF, type Outcome, type OutboxRow } from '../../src/messaging/domain/outbox.ts';
import { connect, type ConnectionOptions, type Db } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { openProxy } from '../support/database/proxy.ts';
import { add, aMessage, emptyOutbox, storedRow } from '../support/background/outbox.ts';
import { deferred } from '../support/background/manual-timers.ts';
import { newId } from '../support/database/ids.ts';
import { PATIENT } from '../support/database/patient-options.ts';
import { freshDatabase, waitingForLocks, type TestDatabase } from '../support/database/test-database.ts';
import { sentDuring } from '../support/statements/sent.ts';
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
const [POLL, SEND_LIMIT, STOP_LIMIT, LEASE] = [SECOND, 20 * SECOND, 10 * SECOND, MINUTE];

beforeAll(async () => {
  database = await freshDatabase();
  db = connect<Database>(database.connection, PATIENT);
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

/** `line`: a database connection that can be cut, with short waits. */
const aProcess = (send: Send, line?: ConnectionOptions): SendingProcess => {
  const clock = { now: () => now };
  const made =
    line === undefined
      ? sendingProcess(send, clock, database.connection)
      : sendingProcess(send, clock, line, {});
  opened.push(made);
  return made;
};

const idsOf = (rows: readonly OutboxRow[]): Uuid[] => rows.map(({ id }) => id);

describe('messages', () => {
  test('of an order are sent in order, each once', async () => {
    const order = newId();
    const rows = (['order_received', 'order_confirmed', 'order_ready'] as const).map((name) =>
      aMessage(order, name),
    );
    await add(db, rows, now);
    const { sentIds, send } = recordingSender();
    const { worker } = aProcess(send);
    await worker.drain();
    await worker.drain();
    expect(sentIds).toEqual(idsOf(rows));
    expect(await storedRow(db, rows[0] ?? { id: '' })).toMatchObject({
      status: 'sent',
      attempts: 1,
      doneAt: now,
    });
  });

  test('of an order wait for each other, not for other orders', async () => {
    const [first, second, other] = [newId(), newId(), newId()];
    const held = deferred<Outcome>();
    const rows = [aMessage(first), aMessage(first, 'order_ready'), aMessage(second), aMessage(other)];
    await add(db, rows, now);
    const othersAreOut = deferred();
    const sentIds: Uuid[] = [];
    const { worker } = aProcess((row) => {
      sentIds.push(row.id);
      if (row.subjectId === first && sentIds.length <= 3) return held.promise;
      if (sentIds.length === 3) othersAreOut.resolve();
      return TAKEN;
    });
    const drained = worker.drain();
    await othersAreOut.promise;
    expect(new Set(sentIds)).toEqual(new Set([rows[0]?.id, rows[2]?.id, rows[3]?.id]));
    held.resolve(TAKEN);
    await drained;
    expect(sentIds[3]).toBe(rows[1]?.id);
  });

  test('are claimed after a commit, which does not wait for them', async () => {
    await add(db, [aMessage(newId())], now);
    const { sentIds, send } = recordingSender();
    const { worker } = aProcess(send);
    worker.wake();
    expect(sentIds).toEqual([]);
    await worker.drain();
    expect(sentIds).toHaveLength(1);
  });

  test('added by another process are claimed by the poll of the next second', async () => {
    const { sentIds, send } = recordingSender();
    const { worker, fire, pending } = aProcess(send);
    worker.start();
    await worker.drain();
    await add(db, [aMessage(newId())], now);
    expect(pending()).toEqual([POLL]);
    fire(POLL);
    await worker.drain();
    expect(sentIds).toHaveLength(1);
  });

  test('are looked for by one statement, of whichever kind they are', async () => {
    const { send } = recordingSender();
    const { worker } = aProcess(send);
    await worker.drain();
    expect(await sentDuring(() => worker.drain())).toHaveLength(1);
  });

  test('are sent at most eight at once', async () => {
    const rows = Array.from({ length: 30 }, () => aMessage(newId()));
    await add(db, rows, now);
    let [inFlight, most] = [0, 0];
    const full = deferred();
    const { worker } = aProcess(async () => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      if (inFlight === 8) full.resolve();
      await full.promise;
      inFlight -= 1;
      return TAKEN;
    });
    await worker.drain();
    expect(most).toBe(8);
    const after = await Promise.all(rows.map((row) => storedRow(db, row)));
    expect(after.every(({ status }) => status === 'sent')).toBe(true);
  });
});

describe('a message that cannot be sent', () => {
  test('is retried when due, and parked after a day', async () => {
    const row = aMessage(newId());
    await add(db, [row], now);
    let tries = 0;
    const { worker, logged } = aProcess(() => {
      tries += 1;
      return REFUSED;
    });
    await worker.drain();
    expect(tries).toBe(1);
    expect(await storedRow(db, row)).toMatchObject({
      status: 'waiting',
      nextAt: now + 5 * SECOND,
      reason: 'answered 503',
    });
    for (
      let { status, nextAt } = await storedRow(db, row);
      status === 'waiting';
      { status, nextAt } = await storedRow(db, row)
    ) {
      now = nextAt;
      await worker.drain();
    }
    expect(tries).toBe(BACK_OFF.tries);
    expect(await storedRow(db, row)).toMatchObject({ status: 'parked', attempts: BACK_OFF.tries });
    expect(now - START).toBeGreaterThan(23 * 60 * MINUTE);
    expect(logged.filter((line) => line.includes('parked in the outbox'))).toHaveLength(1);
  });

  test('times out after 20 seconds without an answer and waits for a retry', async () => {
    const row = aMessage(newId());
    await add(db, [row], now);
    const begun = deferred();
    const never = deferred<Outcome>();
    const { worker, fire } = aProcess(() => {
      begun.resolve();
      return never.promise;
    });
    const drained = worker.drain();
    await begun.promise;
    fire(SEND_LIMIT);
    await drained;
    expect(await storedRow(db, row)).toMatchObject({
      status: 'waiting',
      attempts: 1,
      reason: 'no answer within 20 s',
    });
  });

  test('because its sender throws is retried, and other messages are sent', async () => {
    const [broken, whole] = [aMessage(newId()), aMessage(newId())];
    await add(db, [broken, whole], now);
    const { worker, logged } = aProcess((row) => {
      if (row.id === broken.id) throw new TypeError('no such thing');
      return TAKEN;
    });
    await worker.drain();
    expect(await storedRow(db, broken)).toMatchObject({ status: 'waiting', reason: 'not sent: TypeError' });
    expect((await storedRow(db, whole)).status).toBe('sent');
    expect(logged.join()).toContain('no such thing');
  });

  test('is dropped when it has no receiver', async () => {
    const row = aMessage(newId());
    await add(db, [row], now);
    const { worker } = aProcess(() => ({ sent: false, again: 'obsolete', reason: 'the phone was erased' }));
    await worker.drain();
    expect(await storedRow(db, row)).toMatchObject({
      status: 'dropped',
      reason: 'the phone was erased',
      doneAt: now,
    });
  });
});

describe('several processes', () => {
  test('send each message once, and the messages of an order in their order', async () => {
    const orders = Array.from({ length: 12 }, newId);
    const rows = orders.flatMap((order) => [aMessage(order), aMessage(order, 'order_ready')]);
    await add(db, rows, now);
    const { sentIds, send } = recordingSender();
    const workers = [aProcess(send), aProcess(send), aProcess(send)].map(({ worker }) => worker);
    await Promise.all(workers.map((worker) => worker.drain()));
    // A row released by one worker may have been looked for too early by another.
    await Promise.all(workers.map((worker) => worker.drain()));
    expect(sentIds.toSorted()).toEqual(idsOf(rows).toSorted());
    for (const order of orders) {
      const own = idsOf(rows.filter(({ subjectId }) => subjectId === order));
      expect(sentIds.filter((id) => own.includes(id))).toEqual(own);
    }
  });

  test('take over the row of a dead process when its lease expires', async () => {
    const row = aMessage(newId());
    await add(db, [row], now);
    const begun = deferred();
    const dead = deferred<Outcome>();
    const first = aProcess(() => {
      begun.resolve();
      return dead.promise;
    });
    const drained = first.worker.drain();
    await begun.promise;
    const { sentIds, send } = recordingSender();
    const second = aProcess(send);
    now = START + LEASE - 1;
    await second.worker.drain();
    expect(sentIds).toEqual([]);
    now = START + LEASE;
    await second.worker.drain();
    expect(sentIds).toEqual([row.id]);
    // The first worker was alive after all: its result comes too late.
    dead.resolve(REFUSED);
    await drained;
    expect(await storedRow(db, row)).toMatchObject({ status: 'sent', attempts: 1 });
    expect(sentIds).toEqual([row.id]);
  });
});

test('a message sent during a database outage is not sent again after it', async () => {
  const line = await openProxy(database.connection);
  const row = aMessage(newId());
  await add(db, [row], now);
  let tries = 0;
  const { worker, logged } = aProcess(() => {
    tries += 1;
    line.cut();
    return TAKEN;
  }, line.connection);
  await worker.drain();
  expect((await storedRow(db, row)).status).toBe('waiting');
  await worker.drain();
  line.restore();
  now += 2 * LEASE;
  await worker.drain();
  expect(tries).toBe(1);
  expect(await storedRow(db, row)).toMatchObject({ status: 'sent', attempts: 1 });
  const ofMessages = logged.filter((text) => text.includes('"kind":"message"'));
  expect(ofMessages.map((text) => /cannot be read|can be read again/.exec(text)?.[0])).toEqual([
    'cannot be read',
    'can be read again',
  ]);
  await worker.stop();
  await line.close();
});

describe('stopping the worker', () => {
  test('waits for rows in flight and claims no more rows', async () => {
    const order = newId();
    const rows = [aMessage(order), aMessage(order, 'order_ready')];
    await add(db, rows, now);
    const [begun, held] = [deferred(), deferred<Outcome>()];
    const { worker, pending } = aProcess(() => {
      begun.resolve();
      return held.promise;
    });
    worker.start();
    await begun.promise;
    const stopped = worker.stop();
    held.resolve(TAKEN);
    await stopped;
    expect(pending()).toEqual([]);
    const statuses = await Promise.all(rows.map((row) => storedRow(db, row)));
    expect(statuses.map(({ status }) => status)).toEqual(['sent', 'waiting']);
    await worker.drain();
    expect((await storedRow(db, rows[1] ?? { id: '' })).status).toBe('waiting');
  });

  test('releases a running claim at once', async () => {
    const row = aMessage(newId());
    await add(db, [row], now);
    const { worker } = aProcess(() => Promise.resolve(TAKEN));
    const stopped = await db.tx(async (tx) => {
      await sql`lock table outbox in exclusive mode`.execute(tx);
      worker.start();
      await waitingForLocks(db, 1);
      return { once: worker.stop() };
    });
    await stopped.once;
    expect((await storedRow(db, row)).status).toBe('waiting');
    const next = aProcess(() => Promise.resolve(TAKEN));
    await next.worker.drain();
    expect((await storedRow(db, row)).status).toBe('sent');
  });

  test('ends after its time limit when a row never finishes', async () => {
    await add(db, [aMessage(newId())], now);
    const [begun, never] = [deferred(), deferred<Outcome>()];
    const { worker, fire } = aProcess(() => {
      begun.resolve();
      return never.promise;
    });
    worker.wake();
    await begun.promise;
    const stopped = worker.stop();
    fire(STOP_LIMIT);
    await stopped;
    never.resolve(TAKEN);
    await worker.drain();
  });
});
