/** The addresses of a shop's own systems, and what is posted to them. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemRandom } from '../../src/adapters/system.ts';
import { guestMessageSender } from '../../src/app/guest-message.ts';
import { createTokens } from '../../src/app/tokens.ts';
import {
  addWebhook,
  eventRows,
  listWebhooks,
  removeWebhook,
  replayWebhooks,
  rotateWebhook,
  signatureOf,
  webhookSender,
} from '../../src/app/webhook.ts';
import type { Uuid } from '../../src/domain/ids.ts';
import type { EventFacts, MessageRow, WebhookRow } from '../../src/domain/outbox.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { MOST_TARGETS } from '../../src/domain/webhook.ts';
import type { SendOutcome, TemplateMessage, WebhookRequest } from '../../src/ports.ts';
import { connect, type Db } from '../../src/store/db.ts';
import { claimHeads, settle, type ClaimedRow } from '../../src/store/outbox.ts';
import type { Database } from '../../src/store/schema.ts';
import { activeTargets } from '../../src/store/webhook.ts';
import { aMessage, add, anId, emptyOutbox, ORG } from '../support/outbox.ts';
import { PATIENT } from '../support/patience.ts';
import { freshDatabase, type TestDatabase } from '../support/postgres.ts';
import { insert, insertShop } from '../support/rows.ts';

let database: TestDatabase;
let db: Db<Database>;
let now: number;

const START = Date.UTC(2026, 10, 20, 18);
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
  await database.drop();
});

beforeEach(async () => {
  now = START;
  await emptyOutbox(db);
  await sql`truncate webhook_target, audit`.execute(db.kysely);
});

const partsWith = (...keys: readonly string[]) => ({
  get db() {
    return db;
  },
  clock: { now: () => now },
  random: systemRandom,
  tokens: createTokens(keys, systemRandom),
});
const parts = partsWith('a key');

const refused = async (work: Promise<unknown>): Promise<{ name: string; problems: string[] }> => {
  const fault: unknown = await work.catch((thrown: unknown) => thrown);
  if (!(fault instanceof Refusal)) throw new Error('it was not refused');
  return { name: fault.refusal, problems: fault.faults.map(({ problem }) => problem) };
};

const CREATED: EventFacts = { type: 'order.created', status: 'received', revision: 1 };

/** Tells the shop's addresses of an order's event, as taking the order does. Gives the order's id. */
const happened = async (facts = CREATED): Promise<Uuid> => {
  const orderId = anId();
  await add(db, eventRows(parts, ORG, orderId, await activeTargets(db.kysely, ORG), facts), now);
  return orderId;
};

const claim = async (): Promise<ClaimedRow[]> =>
  claimHeads(db.kysely, {
    ...{ kind: 'webhook', now, leaseId: anId(), leaseUntil: now + 60_000, limit: 100, perWayOut: 100 },
    ...{ underWay: new Map(), without: [] },
  });

const claimedEvent = async (): Promise<ClaimedRow & WebhookRow> => {
  const [row, ...more] = await claim();
  if (row?.kind !== 'webhook' || more.length > 0) throw new Error('not one event waits');
  return row;
};

const anOrder = (_: Uuid, id: Uuid): Promise<object> =>
  Promise.resolve({ id, status: 'preparing', customer_phone: '201001234567' });

const sending = (of = parts, orderReply: (orgId: Uuid, id: Uuid) => Promise<object | null> = anOrder) => {
  const posted: WebhookRequest[] = [];
  const taken: SendOutcome = { sent: true, providerId: null };
  const poster = {
    post: (request: WebhookRequest) => {
      posted.push(request);
      return Promise.resolve(taken);
    },
  };
  return { posted, send: webhookSender({ ...of, poster, orderReply }) };
};

/** What a receiver does with the secret that it was given. */
const isSignedWith = (secret: string, { headers, body }: WebhookRequest): boolean =>
  headers['webhook-signature'] ===
  signatureOf(
    Buffer.from(secret.replace('whsec_', ''), 'base64'),
    headers['webhook-id'] ?? '',
    Number(headers['webhook-timestamp']),
    body,
  );

test('the signature is that of the scheme’s own example', () => {
  const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
  expect(signatureOf(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}')).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

describe('an event', () => {
  test('is posted signed, with the order as it is now', async () => {
    const { id, secret } = await addWebhook(parts, ORG, URL);
    const orderId = await happened();
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
      'webhook-timestamp': String((START + 5_000) / 1_000),
    });
    expect(isSignedWith(secret, request)).toBe(true);
    expect(JSON.parse(request.body)).toEqual({
      type: 'order.created',
      timestamp: '2026-11-20T18:00:00.000Z',
      data: { id: orderId, status: 'preparing', customer_phone: '201001234567' },
    });
  });

  test('is kept without the person, so that who is erased meanwhile is in no event', async () => {
    await addWebhook(parts, ORG, URL);
    await happened();
    const { rows } = await sql<{ payload: object }>`select payload from outbox`.execute(db.kysely);
    expect(rows).toEqual([{ payload: CREATED }]);
    const { posted, send } = sending(parts, (_, id) => Promise.resolve({ id, customer_phone: '' }));
    await send(await claimedEvent());
    expect(posted[0]?.body).not.toContain('201001234567');
  });

  test('goes to every address that is in use, and to those of no other shop', async () => {
    const [first, second] = [await addWebhook(parts, ORG, URL), await addWebhook(parts, ORG, `${URL}/2`)];
    const off = await addWebhook(parts, ORG, `${URL}/3`);
    await addWebhook(parts, OTHER, URL);
    await sql`update webhook_target set is_active = false where id = ${off.id}`.execute(db.kysely);
    await happened();
    expect((await claim()).map(({ targetId }) => targetId).toSorted()).toEqual(
      [first.id, second.id].toSorted(),
    );
  });

  test('is dropped once its order or its address is gone', async () => {
    await addWebhook(parts, ORG, URL);
    await happened();
    const row = await claimedEvent();
    const gone = sending(parts, () => Promise.resolve(null));
    expect(await gone.send(row)).toMatchObject({ again: 'pointless', reason: 'the order is gone' });
    await sql`truncate webhook_target`.execute(db.kysely);
    expect(await sending().send(row)).toMatchObject({
      again: 'pointless',
      reason: 'the address was removed',
    });
  });

  test('is parked while its address is switched off', async () => {
    await addWebhook(parts, ORG, URL);
    await happened();
    await sql`update webhook_target set is_active = false`.execute(db.kysely);
    expect(await sending().send(await claimedEvent())).toMatchObject({ again: 'never' });
  });
});

describe('a secret', () => {
  test('is given once, has 32 bytes, differs for every address, and is nowhere in the database', async () => {
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

  test('signs on when the service gets a new key, and for as long as the old one is kept', async () => {
    const { id, secret } = await addWebhook(parts, ORG, URL);
    await happened();
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

  test('that is rotated signs nothing more, from now on', async () => {
    const old = await addWebhook(parts, ORG, URL);
    await happened();
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

  test('must be https, is there once, and there are not too many', async () => {
    expect(await refused(addWebhook(parts, ORG, 'http://till.example'))).toEqual({
      name: 'INVALID_INPUT',
      problems: ['must begin with https://'],
    });
    for (let count = 0; count < MOST_TARGETS; count += 1) await addWebhook(parts, ORG, `${URL}/${count}`);
    expect((await refused(addWebhook(parts, ORG, `${URL}/0`))).problems).toEqual(['is there already']);
    expect((await refused(addWebhook(parts, ORG, URL))).problems[0]).toContain('one too many');
    await addWebhook(parts, OTHER, URL);
  });

  test('that is removed gets nothing more, and what waited for it is dropped', async () => {
    const { id } = await addWebhook(parts, ORG, URL);
    await happened();
    await removeWebhook(parts, ORG, id);
    expect(await claim()).toEqual([]);
    const { rows } = await sql<{ status: string }>`select status from outbox`.execute(db.kysely);
    expect(rows).toEqual([{ status: 'dropped' }]);
    expect(await listWebhooks(parts, ORG)).toEqual([]);
  });

  test.each(['remove', 'rotate'] as const)(
    'of another shop, or that is none, cannot be had to %s',
    async (what) => {
      const { id } = await addWebhook(parts, OTHER, URL);
      const change = what === 'remove' ? removeWebhook : rotateWebhook;
      expect((await refused(change(parts, ORG, id))).name).toBe('NOT_FOUND');
      expect((await refused(change(parts, ORG, 'no id'))).name).toBe('NOT_FOUND');
      expect(await listWebhooks(parts, OTHER)).toMatchObject([{ id, generation: 1 }]);
    },
  );

  test('has its changes in the audit log, with who asked for them', async () => {
    const staffId = anId();
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

test('events since a moment are posted again with the ids they had', async () => {
  await addWebhook(parts, ORG, URL);
  await happened();
  now += 1_000;
  await happened();
  const first: string[] = [];
  for (const row of await claim()) {
    if (row.createdAt === now) first.push(row.id);
    await settle(db.kysely, row, { status: 'sent', providerId: null }, now);
  }
  expect(await replayWebhooks(parts, ORG, null)).toBe(0);
  expect(await replayWebhooks(parts, ORG, now)).toBe(1);
  expect((await claim()).map(({ id }) => id)).toEqual(first);
});

describe('a message to a guest', () => {
  const order = async (phone: string | null): Promise<Uuid> => {
    const id = anId();
    await insert(db.kysely, 'branch', { ...BRANCH, id: anId(), code: `B${id.slice(-4)}` });
    const branch = await db.kysely.selectFrom('branch').select('id').executeTakeFirstOrThrow();
    await insert(db.kysely, 'delivery_order', { ...ORDER, id, branch_id: branch.id, customer_phone: phone });
    return id;
  };
  const BRANCH = { org_id: ORG, name: 'الزمالك', tax_rate: '0.14' };
  const ORDER = {
    ...{ org_id: ORG, channel: 'pickup', status: 'received', customer_name: 'منى', base_prep_minutes: 20 },
    ...{
      cart: { lines: [], deals: [] },
      subtotal: 0,
      discount_amount: 0,
      service_charge_amount: 0,
      delivery_fee: 0,
    },
    ...{
      tax_rate_applied: '0.14',
      tax_inclusive: true,
      tax_amount: 0,
      total: 0,
      extra_prep_minutes: 0,
      revision: 1,
    },
    ...{ created_at: '2026-11-20T18:00:00Z', updated_at: '2026-11-20T18:00:00Z', language: 'ar' },
    ...{ otp_verified: false, contact_override: false, stock_taken: [], service_charge_rate_applied: '0' },
  };

  const sender = (isReady = true) => {
    const messages: TemplateMessage[] = [];
    const taken: SendOutcome = { sent: true, providerId: 'wamid.1' };
    const messenger = {
      isReady,
      sendCode: () => Promise.resolve(taken),
      send: (message: TemplateMessage) => {
        messages.push(message);
        return Promise.resolve(taken);
      },
    };
    return { messages, send: guestMessageSender({ db, messenger, baseUrl: 'https://ahwa.example' }) };
  };

  const claimed = async (orderId: Uuid): Promise<ClaimedRow & MessageRow> => {
    const added = aMessage(orderId);
    await add(db, [added], now);
    const [row] = await claimHeads(db.kysely, {
      ...{ kind: 'message', now, leaseId: anId(), leaseUntil: now + 60_000, limit: 1, perWayOut: 1 },
      ...{ underWay: new Map(), without: [] },
    });
    if (row?.kind !== 'message') throw new Error('no message waits');
    const { rows } = await sql<{ text: string }>`select o::text as text from outbox o`.execute(db.kysely);
    for (const { text } of rows) expect(text).not.toMatch(/201001234567|https:|track/);
    return row;
  };

  test('goes to the phone of the order, with the link to its page last', async () => {
    const id = await order('201001234567');
    const { messages, send } = sender();
    expect(await send(await claimed(id))).toEqual({ sent: true, providerId: 'wamid.1' });
    expect(messages).toEqual([
      {
        ...{ phone: '201001234567', template: 'order_received', language: 'ar' },
        parameters: ['بيت البن', 'D-ZML-261120-0007', `https://ahwa.example/track/${id}`],
      },
    ]);
  });

  test('goes to nobody once the person was erased, or where no sender is set up', async () => {
    const erased = sender();
    expect(await erased.send(await claimed(await order(null)))).toMatchObject({ again: 'pointless' });
    const none = sender(false);
    expect(await none.send(await claimed(await order('201001234567')))).toMatchObject({ again: 'pointless' });
    expect([...erased.messages, ...none.messages]).toEqual([]);
  });
});
