/** What WhatsApp reports of messages, posted to us. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { challengeAnswer, isSigned, readStatuses } from '../../src/adapters/senders/whatsapp-status.ts';
import { takeReports } from '../../src/app/message-report.ts';
import { openShops, aBranch, aShopFile } from '../support/cafe.ts';
import { placed } from '../support/guests.ts';
import { openDoors } from '../support/doors.ts';
import { makeWorld, type World } from '../support/world.ts';

const SECRET = 'the app secret';
let world: World;
let doors: Awaited<ReturnType<typeof openDoors>>;
beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, aShopFile({ branches: [aBranch({ otp_required: false })] }));
  doors = await openDoors(
    {},
    {
      reports: {
        challenge: (query) => challengeAnswer(query, 'verify me'),
        take: async (report, signature) => {
          if (!isSigned(report, signature, SECRET)) return false;
          await takeReports(world.app, readStatuses(report));
          return true;
        },
      },
    },
  );
});
afterAll(async () => {
  await doors.close();
  await world.close();
});

const report = (id: string, status: string): string =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      { changes: [{ field: 'messages', value: { statuses: [{ id, status, timestamp: '1777053600' }] } }] },
    ],
  });
const post = (body: string, signature: string) =>
  doors.raw('/whatsapp/status', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
    body,
  });
const signed = (body: string) => `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;

test('the provider is answered when it asks whether the address is ours, and nobody else is', async () => {
  const asking = (token: string) =>
    doors.raw(`/whatsapp/status?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=1158201444`);
  expect(await asking('verify%20me')).toMatchObject({ status: 200, text: '1158201444' });
  expect(await asking('let-me-in')).toMatchObject({ status: 403 });
  expect(await doors.raw('/whatsapp/status')).toMatchObject({ status: 403 });
});

test('a signed report is noted at its message; in whatever order they come, the most that is known stays', async () => {
  const order = await placed(world);
  await world.db.kysely
    .updateTable('outbox')
    .set({ provider_id: 'wamid.A' })
    .where('subject_id', '=', order.id)
    .execute();
  const noted = async () =>
    (await world.db.kysely.selectFrom('outbox').select('delivery').executeTakeFirstOrThrow()).delivery;
  for (const [status, known] of [
    ['sent', 'sent'],
    ['read', 'read'],
    ['delivered', 'read'],
  ] as const) {
    const body = report('wamid.A', status);
    expect(await post(body, signed(body))).toMatchObject({ status: 200 });
    expect(await noted()).toBe(known);
  }
});

test.each([
  ['without a signature', ''],
  ['with another signature', signed('{}')],
])('a report %s is refused and changes nothing', async (_, signature) => {
  expect(await post(report('wamid.A', 'failed'), signature)).toMatchObject({ status: 403 });
});

test('a report about something else is taken, or it would be sent for days', async () => {
  for (const body of ['{}', '{"entry":[{"changes":[{"field":"messages","value":{"messages":[{}]}}]}]}'])
    expect(await post(body, signed(body))).toMatchObject({ status: 200 });
});

test('where reports are not set up there is no such address', async () => {
  expect((await world.get('/whatsapp/status')).status).toBe(404);
});
