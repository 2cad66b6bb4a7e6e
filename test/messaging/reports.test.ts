import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { challengeAnswer, isSigned, readStatuses } from '../../src/adapters/senders/whatsapp-status.ts';
import { applyReports } from '../../src/messaging/app/message-report.ts';
import { createOutboxWorker, type OutboxWorker } from '../../src/messaging/app/outbox.ts';
import { listParked, replayParked } from '../../src/messaging/app/parked-rows.ts';
import { closeShop, openShop } from '../../src/shopfile/app/move-shop.ts';
import { sendersOf } from '../../src/service/app/senders.ts';
import type { TemplateName } from '../../src/messaging/domain/template.ts';
import { BACK_OFF, messageRow, GIVE_UP_AFTER_MS } from '../../src/messaging/domain/outbox.ts';
import { newId } from '../support/database/ids.ts';
import { openShops, aBranch, aShopFile, branchId, shopId, thingId } from '../support/shops/cafe.ts';
import { aGuest, anOrder, placed } from '../support/people/guests.ts';
import { openHttpServer } from '../support/server/http-server.ts';
import { add, emptyOutbox } from '../support/background/outbox.ts';
import { manualTimers } from '../support/background/manual-timers.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const SECRET = 'the app secret';
const START = Date.parse('2026-11-20T18:00:00Z');
let world: World;
let worker: OutboxWorker;
let doors: Awaited<ReturnType<typeof openHttpServer>>;
const logged: string[] = [];

beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, aShopFile({ branches: [aBranch({ otp_required: false })] }));
  const note = (fields: object, message: string) => logged.push(JSON.stringify({ ...fields, message }));
  const parts = { ...world.app, log: { info: note, warn: note } };
  worker = createOutboxWorker({
    ...{ ...parts, timers: manualTimers().timers, senders: sendersOf(world.app) },
  });
  doors = await openHttpServer(
    {},
    {
      reports: {
        challenge: (query) => challengeAnswer(query, 'verify me'),
        take: async (report, signature) => {
          if (!isSigned(report, signature, SECRET)) return false;
          await applyReports(parts, readStatuses(report));
          return true;
        },
      },
    },
  );
});
beforeEach(async () => {
  await emptyOutbox(world.db);
  world.now = START;
  world.phones.outcome = null;
  logged.length = 0;
});
afterAll(async () => {
  await doors.close();
  await worker.stop();
  await world.close();
});

const aReport = (...statuses: readonly object[]): string =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ changes: [{ field: 'messages', value: { statuses } }] }],
  });
const arrived = (id: string | null, status: string) => ({ id, status, timestamp: '1777053600' });
const failed = (id: string | null, code = 131056) => ({ ...arrived(id, 'failed'), errors: [{ code }] });

const post = (body: string, signature: string) =>
  doors.raw('/whatsapp/status', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
    body,
  });
const signed = (body: string) => `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
const reported = async (...statuses: readonly object[]): Promise<void> => {
  const body = aReport(...statuses);
  expect(await post(body, signed(body))).toMatchObject({ status: 200 });
};

interface Row {
  readonly id: string;
  readonly status: string;
  readonly delivery: string | null;
  readonly attempts: number;
  readonly nextAt: number;
  readonly reason: string | null;
  readonly providerId: string | null;
}

const messagesOf = async (orderId: string): Promise<readonly Row[]> => {
  const { rows } = await sql<Row>`
    select id, status, delivery, attempts, next_at as "nextAt", last_error as reason, provider_id as "providerId"
    from outbox where subject_id = ${orderId} order by position
  `.execute(world.db.kysely);
  return rows;
};
const messageOf = async (orderId: string): Promise<Row> => {
  const [row] = await messagesOf(orderId);
  if (row === undefined) throw new Error('the order has no message');
  return row;
};

const acceptedMessage = async (
  order = anOrder({ customer_phone: aGuest().typed }),
): Promise<{ readonly id: string; readonly providerId: string | null }> => {
  const { id } = await placed(world, order);
  await worker.drain();
  const { providerId, status } = await messageOf(id);
  expect(status).toBe('sent');
  return { id, providerId };
};

const addMessage = (orderId: string, template: TemplateName): Promise<void> => {
  const message = { template, language: 'ar', parameters: ['بيت البن', 'D-ZML-261120-0007'] } as const;
  return add(
    world.db,
    [messageRow({ orgId: shopId(), id: newId(), subject: 'order', subjectId: orderId }, message)],
    world.now,
  );
};

const templatesSent = (): string[] => world.phones.messages.map(({ template }) => template);

test('a failed message of a closed shop is reported again, and all else of the report is applied', async () => {
  const OTHER = { slug: 'zawya', orgId: shopId('zawya') };
  await openShops(world, aShopFile({ slug: OTHER.slug, branches: [aBranch({ otp_required: false })] }));
  const theirs = await acceptedMessage(
    anOrder({
      ...{ branch_id: branchId('zamalek', OTHER.slug), customer_phone: aGuest().typed },
      items: [{ menu_item_id: thingId('item', 'turkish', OTHER.slug), quantity: 1 }],
    }),
  );
  const ours = await acceptedMessage();
  await closeShop(world.app, OTHER);
  const body = aReport(failed(theirs.providerId), failed(ours.providerId));
  expect(await post(body, signed(body))).toMatchObject({ status: 503 });
  expect(await messageOf(ours.id)).toMatchObject({ status: 'waiting' });
  expect(await messageOf(theirs.id)).toMatchObject({ status: 'sent' });
  await openShop(world.app, OTHER);
  await reported(failed(theirs.providerId), failed(ours.providerId));
  expect(await messageOf(theirs.id)).toMatchObject({ status: 'waiting' });
});

test('a verification request is answered only with the right token', async () => {
  const verify = (token: string) =>
    doors.raw(`/whatsapp/status?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=1158201444`);
  expect(await verify('verify%20me')).toMatchObject({ status: 200, text: '1158201444' });
  expect(await verify('let-me-in')).toMatchObject({ status: 403 });
  expect(await doors.raw('/whatsapp/status')).toMatchObject({ status: 403 });
});

test('signed reports in any order store the strongest delivery state of a message', async () => {
  const { id, providerId } = await acceptedMessage();
  for (const [status, known] of [
    ['sent', 'sent'],
    ['read', 'read'],
    ['delivered', 'read'],
    ['failed', 'read'],
  ] as const) {
    await reported(arrived(providerId, status));
    expect(await messageOf(id)).toMatchObject({ status: 'sent', delivery: known });
  }
});

test.each([
  ['without a signature', ''],
  ['with another signature', signed('{}')],
])('a report %s is 403 and changes nothing', async (_, signature) => {
  const { id, providerId } = await acceptedMessage();
  const before = await messageOf(id);
  for (const status of [arrived(providerId, 'read'), failed(providerId)])
    expect(await post(aReport(status), signature)).toMatchObject({ status: 403 });
  expect(await messageOf(id)).toEqual(before);
  expect(before).toMatchObject({ status: 'sent', delivery: null });
});

test('a report of an unknown kind or message is accepted with 200', async () => {
  const others = ['{}', '{"entry":[{"changes":[{"field":"messages","value":{"messages":[{}]}}]}]}'];
  for (const body of [...others, aReport(failed('wamid.of-a-code'))])
    expect(await post(body, signed(body))).toMatchObject({ status: 200 });
});

test('the address of reports is 404 without its settings', async () => {
  expect((await world.get('/whatsapp/status')).status).toBe(404);
});

describe('a message that WhatsApp accepted and could not deliver', () => {
  test('is retried after the back-off for a temporary reason, and only its new id counts', async () => {
    const { id, providerId } = await acceptedMessage();
    const sentBefore = world.phones.messages.length;
    await reported(failed(providerId));
    await reported(failed(providerId), arrived(providerId, 'sent'));
    const waiting = await messageOf(id);
    expect(waiting).toMatchObject({
      ...{ status: 'waiting', delivery: null, attempts: 1, providerId: null },
      reason: 'WhatsApp error 131056: too many messages to this phone at once',
    });
    await worker.drain();
    expect(world.phones.messages).toHaveLength(sentBefore);
    const wait = waiting.nextAt - START;
    expect(Math.abs(wait - BACK_OFF.firstMs)).toBeLessThanOrEqual(BACK_OFF.firstMs * BACK_OFF.spread);
    world.now = waiting.nextAt;
    await worker.drain();
    expect(world.phones.messages).toHaveLength(sentBefore + 1);
    const again = await messageOf(id);
    expect(again).toMatchObject({ status: 'sent', attempts: 2, reason: null });
    await reported(arrived(providerId, 'read'));
    expect((await messageOf(id)).delivery).toBeNull();
    await reported(arrived(again.providerId, 'delivered'));
    expect((await messageOf(id)).delivery).toBe('delivered');
  });

  test('is parked after a day, with one log line', async () => {
    const { id, providerId } = await acceptedMessage();
    world.now += GIVE_UP_AFTER_MS;
    await reported(failed(providerId));
    expect(await messageOf(id)).toMatchObject({ status: 'parked', delivery: 'failed' });
    expect(logged.filter((line) => line.includes('parked in the outbox'))).toHaveLength(1);
  });

  test('is parked for a permanent reason, is listed with it, and can be replayed', async () => {
    const { id, providerId } = await acceptedMessage();
    await reported(failed(providerId, 131026));
    const reason = 'WhatsApp error 131026: the phone cannot be reached on WhatsApp';
    expect(await messageOf(id)).toMatchObject({ status: 'parked', attempts: 1, reason });
    expect(await listParked(world.app, shopId())).toMatchObject([{ subjectId: id, reason, parkedAt: START }]);
    expect(await replayParked(world.app, shopId(), 'message')).toBe(1);
    await worker.drain();
    expect(await messageOf(id)).toMatchObject({ status: 'sent' });
  });

  test('is no longer parked once a second device received it', async () => {
    const { id, providerId } = await acceptedMessage();
    await reported(failed(providerId, 131026));
    await reported(arrived(providerId, 'delivered'));
    expect(await messageOf(id)).toMatchObject({ status: 'sent', delivery: 'delivered', reason: null });
  });

  test('is retried before the later messages of its order', async () => {
    const { id, providerId } = await acceptedMessage();
    const sentBefore = world.phones.messages.length;
    await addMessage(id, 'order_confirmed');
    await reported(failed(providerId));
    const [first, second] = await messagesOf(id);
    expect(second?.nextAt).toBe(first?.nextAt);
    await worker.drain();
    expect(world.phones.messages).toHaveLength(sentBefore);
    world.now = first?.nextAt ?? 0;
    await worker.drain();
    expect(templatesSent().slice(sentBefore)).toEqual(['order_received', 'order_confirmed']);
  });

  test('is dropped when a later message of its order was sent', async () => {
    const { id, providerId } = await acceptedMessage();
    await addMessage(id, 'order_confirmed');
    await worker.drain();
    const sentBefore = world.phones.messages.length;
    await reported(failed(providerId));
    expect(await messageOf(id)).toMatchObject({
      status: 'dropped',
      reason: expect.stringMatching(/131056.*; a later message was sent$/) as unknown,
    });
    world.now += GIVE_UP_AFTER_MS;
    await worker.drain();
    expect(world.phones.messages).toHaveLength(sentBefore);
  });

  test('is dropped when a later message failed too, and the later one is retried', async () => {
    const { id, providerId } = await acceptedMessage();
    await addMessage(id, 'order_confirmed');
    await worker.drain();
    const [, second] = await messagesOf(id);
    await reported(failed(providerId), failed(second?.providerId ?? null));
    expect((await messagesOf(id)).map(({ status }) => status)).toEqual(['dropped', 'waiting']);
  });
});
