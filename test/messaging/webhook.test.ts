/** Webhook addresses of a shop, and what is posted to them. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemRandom } from '../../src/adapters/system.ts';
import { createWebPoster } from '../../src/adapters/web-poster.ts';
import { createTokens } from '../../src/platform/app/tokens.ts';
import {
  addWebhook,
  listWebhooks,
  removeWebhook,
  replayWebhooks,
  rotateWebhook,
  signatureOf,
  switchWebhook,
  webhookSender,
} from '../../src/messaging/app/webhook.ts';
import type { Uuid } from '../../src/kernel/ids.ts';
import { webhookRow, type EventFacts, type WebhookRow } from '../../src/messaging/domain/outbox.ts';
import { Refusal } from '../../src/kernel/refusal.ts';
import { MAX_TARGETS } from '../../src/messaging/domain/webhook.ts';
import type { PostOutcome, WebhookRequest } from '../../src/ports.ts';
import { connect, type Db } from '../../src/platform/store/db.ts';
import { claimHeads, settle, type ClaimedRow } from '../../src/messaging/store/outbox.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { activeTargets } from '../../src/messaging/store/webhook.ts';
import { add, emptyOutbox, ORG } from '../support/background/outbox.ts';
import { isSignedWith } from '../support/background/webhooks.ts';
import { deferred } from '../support/background/manual-timers.ts';
import { newId } from '../support/database/ids.ts';
import { PATIENT } from '../support/database/patient-options.ts';
import { asOwner, freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { insertShop } from '../support/database/rows.ts';

let database: TestDatabase;
let db: Db<Database>;
let now: number;

const START = Date.UTC(2026, 10, 20, 18);
/** How far the machine's clock is ahead of the service's, as under CLOCK_START. */
const AHEAD = 400 * 24 * 3_600_000;
const OTHER = '0a000000-0000-4000-8000-000000000002';
const URL = 'https://till.example/hooks';

beforeAll(async () => {
  database = await freshDatabase();
  db = connect<Database>(database.connection, PATIENT);
  await insertShop(db.kysely, ORG, 'beit-el-bunn');
  await insertShop(db.kysely, OTHER, 'another');
});

afterAll(async () => {
  await db.close();
  await database.release();
});

beforeEach(async () => {
  now = START;
  await emptyOutbox(db);
  await asOwner(database, 'truncate webhook_target, audit');
});

const partsWith = (...keys: readonly string[]) => ({
  get db() {
    return db;
  },
  clock: { now: () => now },
  realTime: { now: () => now + AHEAD },
  webhookPoster: createWebPoster([]),
  random: systemRandom,
  tokens: createTokens(keys, systemRandom),
});
const parts = partsWith('a key');

const refused = async (work: Promise<unknown>): Promise<{ name: string; problems: string[] }> => {
  const fault: unknown = await work.catch((thrown: unknown) => thrown);
  if (!(fault instanceof Refusal)) throw new Error('it was not refused');
  return { name: fault.refusal, problems: fault.faults.map(({ problem }) => problem) };
};

const CREATED: EventFacts = { type: 'order.created' };

/** Adds an order's event for the shop's addresses, as taking the order does; returns the order's id. */
const addEvent = async (facts = CREATED): Promise<Uuid> => {
  const orderId = newId();
  const targets = await activeTargets(db.kysely, ORG);
  const rows = targets.map((target) => webhookRow(ORG, systemRandom.uuid(), orderId, target, facts));
  await add(db, rows, now);
  return orderId;
};

const claim = async (): Promise<readonly ClaimedRow[]> => {
  const { rows } = await claimHeads(db.kysely, {
    ...{ kind: 'webhook', now, leaseId: newId(), leaseUntil: now + 60_000, limit: 100, perDestination: 100 },
    ...{ inFlight: new Map(), without: [] },
  });
  return rows;
};

const claimedEvent = async (): Promise<ClaimedRow & WebhookRow> => {
  const [row, ...more] = await claim();
  if (row?.kind !== 'webhook' || more.length > 0) throw new Error('not one event waits');
  return row;
};

const anOrder = (_: Uuid, id: Uuid): Promise<object> =>
  Promise.resolve({ id, status: 'preparing', customer_phone: '201001234567' });

const sending = (
  of = parts,
  orderReply: (orgId: Uuid, id: Uuid) => Promise<object | null> = anOrder,
  answer: PostOutcome = { sent: true, providerId: null },
) => {
  const posted: WebhookRequest[] = [];
  const webhookPoster = {
    allow: [],
    post: (request: WebhookRequest) => {
      posted.push(request);
      return Promise.resolve({ outcome: answer, status: answer.sent ? 204 : null });
    },
  };
  return { posted, send: webhookSender({ ...of, webhookPoster, orderReply }) };
};

test('the signature equals the example of Standard Webhooks', () => {
  const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
  expect(signatureOf(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}')).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

describe('an event', () => {
  test('is posted with the real time, a signature and the order as it is now', async () => {
    const { id, secret } = await addWebhook(parts, ORG, URL);
    const orderId = await addEvent();
    now += 5_000;
    const row = await claimedEvent();
    const { posted, send } = sending();
    expect(await send(row)).toEqual({ sent: true, providerId: null });
    const [request] = posted;
    if (request === undefined) throw new Error('nothing was posted');
    expect(row.targetId).toBe(id);
    expect(request.url).toBe(URL);
    expect(request.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'webhook-id': row.id,
      'webhook-timestamp': String((START + 5_000 + AHEAD) / 1_000),
    });
    expect(isSignedWith(secret, request)).toBe(true);
    expect(JSON.parse(request.body)).toEqual({
      type: 'order.created',
      timestamp: '2026-11-20T18:00:00.000Z',
      data: { id: orderId, status: 'preparing', customer_phone: '201001234567' },
    });
  });

  test('of wrong tries is posted with a signature and the number of tries', async () => {
    const { id, secret } = await addWebhook(parts, ORG, URL);
    const facts: EventFacts = { type: 'security.wrong_tries', tries: 10 };
    await add(db, [webhookRow(ORG, systemRandom.uuid(), ORG, id, facts)], now);
    const { posted, send } = sending(parts, () => Promise.resolve(null));
    expect(await send(await claimedEvent())).toEqual({ sent: true, providerId: null });
    const [request] = posted;
    if (request === undefined) throw new Error('nothing was posted');
    expect(isSignedWith(secret, request)).toBe(true);
    expect(JSON.parse(request.body)).toEqual({
      type: 'security.wrong_tries',
      timestamp: '2026-11-20T18:00:00.000Z',
      data: { org_id: ORG, tries: 10 },
    });
  });

  test('leaves the time and the answer of its last try at its address', async () => {
    const { id } = await addWebhook(parts, ORG, URL);
    const lastTry = async () => {
      const [target] = await listWebhooks(parts, ORG);
      return [target?.id, target?.triedAt, target?.triedReason];
    };
    expect(await lastTry()).toEqual([id, null, null]);
    await addEvent();
    const row = await claimedEvent();
    const down: PostOutcome = { sent: false, again: 'later', waitMs: null, reason: 'answered 503' };
    await sending(parts, anOrder, down).send(row);
    expect(await lastTry()).toEqual([id, START, 'answered 503']);
    now += 5_000;
    await sending().send(row);
    expect(await lastTry()).toEqual([id, START + 5_000, 'answered 204']);
    await switchWebhook(parts, ORG, id, false);
    now += 5_000;
    await sending().send(row);
    expect(await lastTry()).toEqual([id, START + 5_000, 'answered 204']);
  });

  test('is stored without personal data, so that an erased person is in no event', async () => {
    await addWebhook(parts, ORG, URL);
    await addEvent();
    const { rows } = await sql<{ payload: object }>`select payload from outbox`.execute(db.kysely);
    expect(rows).toEqual([{ payload: CREATED }]);
    const { posted, send } = sending(parts, (_, id) => Promise.resolve({ id, customer_phone: '' }));
    await send(await claimedEvent());
    expect(posted[0]?.body).not.toContain('201001234567');
  });

  test('is added for every active address of its shop alone', async () => {
    const [first, second] = [await addWebhook(parts, ORG, URL), await addWebhook(parts, ORG, `${URL}/2`)];
    const off = await addWebhook(parts, ORG, `${URL}/3`);
    await addWebhook(parts, OTHER, URL);
    await sql`update webhook_target set is_active = false where id = ${off.id}`.execute(db.kysely);
    await addEvent();
    expect((await claim()).map(({ targetId }) => targetId).toSorted()).toEqual(
      [first.id, second.id].toSorted(),
    );
  });

  test('is dropped once its order or its address is gone', async () => {
    await addWebhook(parts, ORG, URL);
    await addEvent();
    const row = await claimedEvent();
    const gone = sending(parts, () => Promise.resolve(null));
    expect(await gone.send(row)).toMatchObject({ again: 'obsolete', reason: 'the order is gone' });
    await sql`delete from webhook_target`.execute(db.kysely);
    expect(await sending().send(row)).toMatchObject({
      again: 'obsolete',
      reason: 'the address was removed',
    });
  });

  test('is parked while its address is switched off', async () => {
    const { id } = await addWebhook(parts, ORG, URL);
    await addEvent();
    const row = await claimedEvent();
    await switchWebhook(parts, ORG, id, false);
    expect(await sending().send(row)).toMatchObject({ again: 'never' });
  });
});

describe('an address that answers 410', () => {
  const gone = (orderReply = anOrder) =>
    sending(parts, orderReply, { sent: false, again: 'gone', reason: 'answered 410' });
  const audited = async () =>
    db.kysely
      .selectFrom('audit')
      .select(['action', 'staff_id', 'subject_id', 'detail'])
      .where('action', 'like', 'webhook.switched%')
      .orderBy('at')
      .execute();

  test('is switched off without an actor, and its waiting events are parked with the reason', async () => {
    const [{ id }, other] = [await addWebhook(parts, ORG, URL), await addWebhook(parts, ORG, `${URL}/2`)];
    await addEvent();
    const [row] = (await claim()).filter(({ targetId }) => targetId === id);
    if (row?.kind !== 'webhook') throw new Error('no event waits');
    now += 1_000;
    await addEvent();
    expect(await gone().send(row)).toEqual({
      ...{ sent: false, again: 'never', waitMs: null },
      reason: 'answered 410: the address is switched off',
    });
    expect(await activeTargets(db.kysely, ORG)).toEqual([other.id]);
    expect(await audited()).toEqual([
      {
        ...{ action: 'webhook.switched_off', staff_id: null, subject_id: id },
        detail: { reason: 'answered 410' },
      },
    ]);
    const { rows } = await sql<{ target: Uuid; status: string; reason: string | null }>`
      select target_id as target, status, last_error as reason from outbox where created_at = ${new Date(now)}
    `.execute(db.kysely);
    expect(rows.toSorted((a, b) => a.status.localeCompare(b.status))).toEqual([
      { target: id, status: 'parked', reason: 'the address is switched off' },
      { target: other.id, status: 'waiting', reason: null },
    ]);
  });

  test('is not called again, and is switched off once for two events in flight', async () => {
    await addWebhook(parts, ORG, URL);
    await addEvent();
    await addEvent();
    const rows = (await claim()).flatMap((row) => (row.kind === 'webhook' ? [row] : []));
    const both = deferred();
    let reads = 0;
    const { posted, send } = gone(async (orgId, id) => {
      reads += 1;
      if (reads === 2) both.resolve();
      await both.promise;
      return anOrder(orgId, id);
    });
    await Promise.all(rows.map(send));
    for (const row of rows) expect(await send(row)).toMatchObject({ again: 'never' });
    expect(posted).toHaveLength(2);
    expect(await audited()).toHaveLength(1);
  });

  test('gets new events once switched on, and parked ones once replayed', async () => {
    const { id } = await addWebhook(parts, ORG, URL);
    await addEvent();
    const row = await claimedEvent();
    await gone().send(row);
    await settle(db.kysely, row, { status: 'parked', reason: 'answered 410' }, now);
    await addEvent();
    expect(await replayWebhooks(parts, ORG, null)).toBe(0);
    now += 1_000;
    await switchWebhook(parts, ORG, id, true);
    await switchWebhook(parts, ORG, id, true);
    await addEvent();
    expect((await claim()).map(({ createdAt }) => createdAt)).toEqual([now]);
    expect(await replayWebhooks(parts, ORG, null)).toBe(1);
    expect((await claim()).map((one) => one.id)).toEqual([row.id]);
    expect((await audited()).map(({ action }) => action)).toEqual([
      'webhook.switched_off',
      'webhook.switched_on',
    ]);
  });
});

describe('a secret', () => {
  test('is returned once, has 32 bytes, differs for every address and is not in the database', async () => {
    const [first, second] = [await addWebhook(parts, ORG, URL), await addWebhook(parts, ORG, `${URL}/2`)];
    expect(first.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(second.secret).not.toBe(first.secret);
    const { rows } = await sql<{ text: string }>`
      select t::text || (select coalesce(string_agg(a::text, ''), '') from audit a) as text from webhook_target t
    `.execute(db.kysely);
    const bytes = Buffer.from(first.secret.replace('whsec_', ''), 'base64');
    for (const { text } of rows) {
      expect(text).not.toContain(bytes.toString('hex'));
      expect(text).not.toContain(bytes.toString('base64'));
    }
    expect(JSON.stringify(await listWebhooks(parts, ORG))).not.toContain(first.secret);
  });

  test('stays valid under a new service key while the old key is kept', async () => {
    const { id, secret } = await addWebhook(parts, ORG, URL);
    await addEvent();
    const row = await claimedEvent();
    const both = sending(partsWith('a new key', 'a key'));
    await both.send(row);
    expect(both.posted.every((request) => isSignedWith(secret, request))).toBe(true);
    const onlyNew = sending(partsWith('a new key'));
    expect(await onlyNew.send(row)).toMatchObject({ again: 'never' });
    const rotated = await rotateWebhook(partsWith('a new key'), ORG, id);
    await onlyNew.send(row);
    expect(onlyNew.posted.map((request) => isSignedWith(rotated.secret, request))).toEqual([true]);
  });

  test('that was rotated signs no more events', async () => {
    const old = await addWebhook(parts, ORG, URL);
    await addEvent();
    const fresh = await rotateWebhook(parts, ORG, old.id);
    expect(fresh).toMatchObject({ id: old.id, url: URL });
    const { posted, send } = sending();
    await send(await claimedEvent());
    expect(posted.map((request) => isSignedWith(old.secret, request))).toEqual([false]);
    expect(posted.map((request) => isSignedWith(fresh.secret, request))).toEqual([true]);
  });
});

describe('an address', () => {
  test('is listed in the order in which it was added, without its secret', async () => {
    const first = await addWebhook(parts, ORG, URL);
    now += 1_000;
    const second = await addWebhook(parts, ORG, `${URL}/2`);
    const listed = await listWebhooks(parts, ORG);
    expect(listed.map(({ id, url }) => [id, url])).toEqual([
      [first.id, URL],
      [second.id, `${URL}/2`],
    ]);
    expect(await listWebhooks(parts, OTHER)).toEqual([]);
  });

  test('must be https and unique, and a shop has a limited number', async () => {
    expect(await refused(addWebhook(parts, ORG, 'http://till.example'))).toEqual({
      name: 'INVALID_INPUT',
      problems: ['must begin with https://'],
    });
    for (let count = 0; count < MAX_TARGETS; count += 1) await addWebhook(parts, ORG, `${URL}/${count}`);
    expect((await refused(addWebhook(parts, ORG, `${URL}/0`))).problems).toEqual(['is there already']);
    expect((await refused(addWebhook(parts, ORG, URL))).problems[0]).toContain('one too many');
    await addWebhook(parts, OTHER, URL);
  });

  test('that is removed gets no more events, and its waiting events are dropped', async () => {
    const { id } = await addWebhook(parts, ORG, URL);
    await addEvent();
    await removeWebhook(parts, ORG, id);
    expect(await claim()).toEqual([]);
    const { rows } = await sql<{ status: string }>`select status from outbox`.execute(db.kysely);
    expect(rows).toEqual([{ status: 'dropped' }]);
    expect(await listWebhooks(parts, ORG)).toEqual([]);
  });

  test.each(['remove', 'rotate'] as const)(
    'of another shop or with an invalid id is NOT_FOUND (%s)',
    async (what) => {
      const { id } = await addWebhook(parts, OTHER, URL);
      const change = what === 'remove' ? removeWebhook : rotateWebhook;
      expect((await refused(change(parts, ORG, id))).name).toBe('NOT_FOUND');
      expect((await refused(change(parts, ORG, 'no id'))).name).toBe('NOT_FOUND');
      expect(await listWebhooks(parts, OTHER)).toMatchObject([{ id, generation: 1 }]);
    },
  );

  test('has its changes in the audit log, with the staff member', async () => {
    const staffId = newId();
    const { id } = await addWebhook(parts, ORG, `${URL}?token=abc`, { staffId });
    await rotateWebhook(parts, ORG, id);
    await removeWebhook(parts, ORG, id);
    const rows = await db.kysely.selectFrom('audit').selectAll().execute();
    expect(rows.map(({ action }) => action).toSorted()).toEqual([
      'webhook.added',
      'webhook.removed',
      'webhook.rotated',
    ]);
    expect(rows.find(({ action }) => action === 'webhook.added')).toMatchObject({
      ...{ staff_id: staffId, subject_id: id, detail: { origin: 'https://till.example' } },
    });
  });
});

test('a replay since a time repeats events with their ids', async () => {
  await addWebhook(parts, ORG, URL);
  await addEvent();
  now += 1_000;
  await addEvent();
  const first: string[] = [];
  for (const row of await claim()) {
    if (row.createdAt === now) first.push(row.id);
    await settle(db.kysely, row, { status: 'sent', providerId: null }, now);
  }
  expect(await replayWebhooks(parts, ORG, null)).toBe(0);
  expect(await replayWebhooks(parts, ORG, now)).toBe(1);
  expect((await claim()).map(({ id }) => id)).toEqual(first);
});
