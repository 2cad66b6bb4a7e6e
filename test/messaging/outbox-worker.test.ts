/** The worker that sends what waits in the outbox, over a real database; what it sends to is the test. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Uuid } from '../../src/kernel/ids.ts';
import { BACK_OFF, type Outcome, type OutboxRow } from '../../src/messaging/domain/outbox.ts';
import { connect, type ConnectionOptions, type Db } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { lineTo } from '../support/cut.ts';
import { aMessage, add, anId, emptyOutbox, gate, kept } from '../support/outbox.ts';
import { PATIENT } from '../support/patience.ts';
import { freshDatabase, waitingForLocks, type TestDatabase } from '../support/postgres.ts';
import {
  REFUSED,
  remembering,
  sendingProcess,
  TAKEN,
  type Send,
  type SendingProcess,
} from '../support/sending.ts';

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
  await database.drop();
});

beforeEach(async () => {
  await emptyOutbox(db);
  now = START;
});

afterEach(async () => {
  await Promise.all(opened.map((one) => one.close()));
  opened = [];
});

/** `line`: a way to the database that can be cut, where nobody waits long. */
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
  test('of an order go out in their order, each once', async () => {
    const order = anId();
    const rows = (['order_received', 'order_confirmed', 'order_ready'] as const).map((name) =>
      aMessage(order, name),
    );
    await add(db, rows, now);
    const { told, send } = remembering();
    const { worker } = aProcess(send);
    await worker.drain();
    await worker.drain();
    expect(told).toEqual(idsOf(rows));
    expect(await kept(db, rows[0] ?? { id: '' })).toMatchObject({ status: 'sent', attempts: 1, doneAt: now });
  });

  test('of an order wait for each other, while those of others go out', async () => {
    const [first, second, other] = [anId(), anId(), anId()];
    const held = gate<Outcome>();
    const rows = [aMessage(first), aMessage(first, 'order_ready'), aMessage(second), aMessage(other)];
    await add(db, rows, now);
    const othersAreOut = gate();
    const told: Uuid[] = [];
    const { worker } = aProcess((row) => {
      told.push(row.id);
      if (row.subjectId === first && told.length <= 3) return held.passed;
      if (told.length === 3) othersAreOut.pass();
      return TAKEN;
    });
    const drained = worker.drain();
    await othersAreOut.passed;
    expect(new Set(told)).toEqual(new Set([rows[0]?.id, rows[2]?.id, rows[3]?.id]));
    held.pass(TAKEN);
    await drained;
    expect(told[3]).toBe(rows[1]?.id);
  });

  test('are looked for soon after a commit, and nobody is kept waiting for that', async () => {
    await add(db, [aMessage(anId())], now);
    const { told, send } = remembering();
    const { worker } = aProcess(send);
    worker.wake();
    expect(told).toEqual([]);
    await worker.drain();
    expect(told).toHaveLength(1);
  });

  test('that another process left are found within a second', async () => {
    const { told, send } = remembering();
    const { worker, goOff, pending } = aProcess(send);
    worker.start();
    await worker.drain();
    await add(db, [aMessage(anId())], now);
    expect(pending()).toEqual([POLL]);
    goOff(POLL);
    await worker.drain();
    expect(told).toHaveLength(1);
  });

  test('are eight at once at most, and all go out', async () => {
    const rows = Array.from({ length: 30 }, () => aMessage(anId()));
    await add(db, rows, now);
    let [underWay, most] = [0, 0];
    const full = gate();
    const { worker } = aProcess(async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      if (underWay === 8) full.pass();
      await full.passed;
      underWay -= 1;
      return TAKEN;
    });
    await worker.drain();
    expect(most).toBe(8);
    const after = await Promise.all(rows.map((row) => kept(db, row)));
    expect(after.every(({ status }) => status === 'sent')).toBe(true);
  });
});

describe('what cannot be sent', () => {
  test('is tried again when its time has come, and parked after a day', async () => {
    const row = aMessage(anId());
    await add(db, [row], now);
    let tries = 0;
    const { worker, logged } = aProcess(() => {
      tries += 1;
      return REFUSED;
    });
    await worker.drain();
    expect(tries).toBe(1);
    expect(await kept(db, row)).toMatchObject({
      status: 'waiting',
      nextAt: now + 5 * SECOND,
      reason: 'answered 503',
    });
    for (
      let { status, nextAt } = await kept(db, row);
      status === 'waiting';
      { status, nextAt } = await kept(db, row)
    ) {
      now = nextAt;
      await worker.drain();
    }
    expect(tries).toBe(BACK_OFF.tries);
    expect(await kept(db, row)).toMatchObject({ status: 'parked', attempts: BACK_OFF.tries });
    expect(now - START).toBeGreaterThan(23 * 60 * MINUTE);
    expect(logged.filter((line) => line.includes('parked in the outbox'))).toHaveLength(1);
  });

  test('because nobody answers is cut after 20 seconds, and its place is free again', async () => {
    const row = aMessage(anId());
    await add(db, [row], now);
    const begun = gate();
    const never = gate<Outcome>();
    const { worker, goOff } = aProcess(() => {
      begun.pass();
      return never.passed;
    });
    const drained = worker.drain();
    await begun.passed;
    goOff(SEND_LIMIT);
    await drained;
    expect(await kept(db, row)).toMatchObject({
      status: 'waiting',
      attempts: 1,
      reason: 'no answer within 20 s',
    });
  });

  test('because a sender breaks is put off, and the others go on', async () => {
    const [broken, whole] = [aMessage(anId()), aMessage(anId())];
    await add(db, [broken, whole], now);
    const { worker, logged } = aProcess((row) => {
      if (row.id === broken.id) throw new TypeError('no such thing');
      return TAKEN;
    });
    await worker.drain();
    expect(await kept(db, broken)).toMatchObject({ status: 'waiting', reason: 'not sent: TypeError' });
    expect((await kept(db, whole)).status).toBe('sent');
    expect(logged.join()).toContain('no such thing');
  });

  test('because nobody is left to read it is dropped', async () => {
    const row = aMessage(anId());
    await add(db, [row], now);
    const { worker } = aProcess(() => ({ sent: false, again: 'pointless', reason: 'the phone was erased' }));
    await worker.drain();
    expect(await kept(db, row)).toMatchObject({
      status: 'dropped',
      reason: 'the phone was erased',
      doneAt: now,
    });
  });
});

describe('several processes', () => {
  test('send each message once, and the messages of an order in their order', async () => {
    const orders = Array.from({ length: 12 }, anId);
    const rows = orders.flatMap((order) => [aMessage(order), aMessage(order, 'order_ready')]);
    await add(db, rows, now);
    const { told, send } = remembering();
    const workers = [aProcess(send), aProcess(send), aProcess(send)].map(({ worker }) => worker);
    await Promise.all(workers.map((worker) => worker.drain()));
    // What one has let go of, another may have looked for too early.
    await Promise.all(workers.map((worker) => worker.drain()));
    expect(told.toSorted()).toEqual(idsOf(rows).toSorted());
    for (const order of orders) {
      const own = idsOf(rows.filter(({ subjectId }) => subjectId === order));
      expect(told.filter((id) => own.includes(id))).toEqual(own);
    }
  });

  test('take over after a minute what one that died was sending', async () => {
    const row = aMessage(anId());
    await add(db, [row], now);
    const begun = gate();
    const dead = gate<Outcome>();
    const first = aProcess(() => {
      begun.pass();
      return dead.passed;
    });
    const drained = first.worker.drain();
    await begun.passed;
    const { told, send } = remembering();
    const second = aProcess(send);
    now = START + LEASE - 1;
    await second.worker.drain();
    expect(told).toEqual([]);
    now = START + LEASE;
    await second.worker.drain();
    expect(told).toEqual([row.id]);
    // It was not dead after all: what it says now is too late.
    dead.pass(REFUSED);
    await drained;
    expect(await kept(db, row)).toMatchObject({ status: 'sent', attempts: 1 });
    expect(told).toEqual([row.id]);
  });
});

test('a message sent while the database went away is not sent again once it is back', async () => {
  const line = await lineTo(database.connection);
  const row = aMessage(anId());
  await add(db, [row], now);
  let tries = 0;
  const { worker, logged } = aProcess(() => {
    tries += 1;
    line.cut();
    return TAKEN;
  }, line.connection);
  await worker.drain();
  expect((await kept(db, row)).status).toBe('waiting');
  await worker.drain();
  line.mend();
  now += 2 * LEASE;
  await worker.drain();
  expect(tries).toBe(1);
  expect(await kept(db, row)).toMatchObject({ status: 'sent', attempts: 1 });
  const ofMessages = logged.filter((text) => text.includes('"kind":"message"'));
  expect(ofMessages.map((text) => /cannot be read|can be read again/.exec(text)?.[0])).toEqual([
    'cannot be read',
    'can be read again',
  ]);
  await worker.stop();
  await line.close();
});

describe('stopping', () => {
  test('waits for what is under way, and begins nothing more', async () => {
    const order = anId();
    const rows = [aMessage(order), aMessage(order, 'order_ready')];
    await add(db, rows, now);
    const [begun, held] = [gate(), gate<Outcome>()];
    const { worker, pending } = aProcess(() => {
      begun.pass();
      return held.passed;
    });
    worker.start();
    await begun.passed;
    const stopped = worker.stop();
    held.pass(TAKEN);
    await stopped;
    expect(pending()).toEqual([]);
    const statuses = await Promise.all(rows.map((row) => kept(db, row)));
    expect(statuses.map(({ status }) => status)).toEqual(['sent', 'waiting']);
    await worker.drain();
    expect((await kept(db, rows[1] ?? { id: '' })).status).toBe('waiting');
  });

  test('leaves to others at once what it was still asking for', async () => {
    const row = aMessage(anId());
    await add(db, [row], now);
    const { worker } = aProcess(() => Promise.resolve(TAKEN));
    const stopped = await db.tx(async (tx) => {
      await sql`lock table outbox in exclusive mode`.execute(tx);
      worker.start();
      await waitingForLocks(db, 1);
      return { once: worker.stop() };
    });
    await stopped.once;
    expect((await kept(db, row)).status).toBe('waiting');
    const next = aProcess(() => Promise.resolve(TAKEN));
    await next.worker.drain();
    expect((await kept(db, row)).status).toBe('sent');
  });

  test('does not wait for ever', async () => {
    await add(db, [aMessage(anId())], now);
    const [begun, never] = [gate(), gate<Outcome>()];
    const { worker, goOff } = aProcess(() => {
      begun.pass();
      return never.passed;
    });
    worker.wake();
    await begun.passed;
    const stopped = worker.stop();
    goOff(STOP_LIMIT);
    await stopped;
    never.pass(TAKEN);
    await worker.drain();
  });
});
