/** A test event that an operator sends to an address (`ahwa webhook test`). */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemRandom } from '../../src/adapters/system.ts';
import { createWebPoster } from '../../src/adapters/web-poster.ts';
import { addWebhook, listWebhooks, switchWebhook, testWebhooks } from '../../src/messaging/app/webhook.ts';
import { createTokens } from '../../src/platform/app/tokens.ts';
import { connect, type Db } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import type { PostOutcome, WebhookRequest } from '../../src/ports.ts';
import { emptyOutbox, ORG } from '../support/background/outbox.ts';
import { isSignedWith } from '../support/background/webhooks.ts';
import { PATIENT } from '../support/database/patient-options.ts';
import { insertShop } from '../support/database/rows.ts';
import { asOwner, freshDatabase, type TestDatabase } from '../support/database/test-database.ts';

let database: TestDatabase;
let db: Db<Database>;

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
  await database.release();
});

beforeEach(async () => {
  await emptyOutbox(db);
  await asOwner(database, 'truncate webhook_target, audit');
});

const partsOf = () => ({
  db,
  clock: { now: () => START },
  realTime: { now: () => START },
  webhookPoster: createWebPoster([]),
  random: systemRandom,
  tokens: createTokens(['a key'], systemRandom),
});

describe('a test event', () => {
  const trying = (answer: PostOutcome = { sent: true, providerId: null }) => {
    const posted: WebhookRequest[] = [];
    const post = (request: WebhookRequest) => {
      posted.push(request);
      return Promise.resolve({ outcome: answer, status: answer.sent ? 204 : 410 });
    };
    return { posted, tools: { ...partsOf(), webhookPoster: { allow: [], post } } };
  };

  test('is signed, goes to each address that is on, and is in no outbox', async () => {
    const [first, second] = [
      await addWebhook(partsOf(), ORG, URL),
      await addWebhook(partsOf(), ORG, `${URL}/2`),
    ];
    await switchWebhook(partsOf(), ORG, second.id, false);
    await addWebhook(partsOf(), OTHER, URL);
    const { posted, tools } = trying();
    expect(await testWebhooks(tools, ORG, null)).toMatchObject([
      { target: { id: first.id }, status: 204, isDelivered: true, reason: 'answered 204' },
    ]);
    expect(posted.map((request) => isSignedWith(first.secret, request))).toEqual([true]);
    expect(JSON.parse(posted[0]?.body ?? '')).toEqual({
      type: 'webhook.test',
      timestamp: '2026-11-20T18:00:00.000Z',
      data: { org_id: ORG },
    });
    expect(await testWebhooks(tools, ORG, second.id)).toMatchObject([{ target: { id: second.id } }]);
    const { rows } = await sql`select from outbox`.execute(db.kysely);
    expect(rows).toEqual([]);
  });

  test('that is answered with 410 switches nothing off', async () => {
    const { id } = await addWebhook(partsOf(), ORG, URL);
    const { tools } = trying({ sent: false, again: 'gone', reason: 'answered 410' });
    expect(await testWebhooks(tools, ORG, id)).toMatchObject([
      { status: 410, isDelivered: false, reason: 'answered 410' },
    ]);
    expect(await listWebhooks(partsOf(), ORG)).toMatchObject([
      { isActive: true, triedReason: 'answered 410' },
    ]);
  });

  test('whose secret was made with a key that is gone is not posted and counts as no try', async () => {
    const { id } = await addWebhook(partsOf(), ORG, URL);
    const { posted, tools } = trying();
    const otherKey = { ...tools, tokens: createTokens(['another key'], systemRandom) };
    expect(await testWebhooks(otherKey, ORG, id)).toMatchObject([
      { status: null, isDelivered: false, reason: expect.stringContaining('rotate it') as string },
    ]);
    expect(posted).toEqual([]);
    expect(await listWebhooks(partsOf(), ORG)).toMatchObject([{ triedAt: null, triedReason: null }]);
  });

  test('of an address of another shop is NOT_FOUND', async () => {
    const { id } = await addWebhook(partsOf(), OTHER, URL);
    await expect(testWebhooks(trying().tools, ORG, id)).rejects.toMatchObject({ refusal: 'NOT_FOUND' });
  });
});
