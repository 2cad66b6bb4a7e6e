import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSecurityEvents } from '../../src/adapters/security-events.ts';
import { guestMessageSender } from '../../src/messaging/app/guest-message.ts';
import { orderRecipient } from '../../src/orders/app/notifications.ts';
import type { Uuid } from '../../src/kernel/ids.ts';
import type { MessageRow, SendOutcome } from '../../src/messaging/domain/outbox.ts';
import type { TemplateMessage } from '../../src/ports.ts';
import { connect, type Db } from '../../src/platform/store/db.ts';
import { claimHeads, type ClaimedRow } from '../../src/messaging/store/outbox.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { add, aMessage, emptyOutbox, ORG } from '../support/background/outbox.ts';
import { newId } from '../support/database/ids.ts';
import { PATIENT } from '../support/database/patient-options.ts';
import { freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { insert, insertShop } from '../support/database/rows.ts';

let database: TestDatabase;
let db: Db<Database>;

const now = Date.UTC(2026, 10, 20, 18);
const noEvents = createSecurityEvents({ warn: () => undefined });

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

describe('a message to a guest', () => {
  const order = async (phone: string | null): Promise<Uuid> => {
    const id = newId();
    await insert(db.kysely, 'branch', { ...BRANCH, id: newId(), code: `B${id.slice(-4)}` });
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
    const unlimited = { db, clock: { now: () => now }, security: noEvents, messageBudgets: null };
    const recipient = orderRecipient({ db, baseUrl: 'https://ahwa.example' });
    const send = guestMessageSender(
      { ...unlimited, messenger },
      { order: recipient, booking: recipient, card: recipient },
    );
    return { messages, send };
  };

  const claimed = async (orderId: Uuid): Promise<ClaimedRow & MessageRow> => {
    const added = aMessage(orderId);
    await add(db, [added], now);
    const {
      rows: [row],
    } = await claimHeads(db.kysely, {
      ...{ kind: 'message', now, leaseId: newId(), leaseUntil: now + 60_000, limit: 1, perDestination: 1 },
      ...{ inFlight: new Map(), without: [] },
    });
    if (row?.kind !== 'message') throw new Error('no message waits');
    const { rows } = await sql<{ text: string }>`select o::text as text from outbox o`.execute(db.kysely);
    for (const { text } of rows) expect(text).not.toMatch(/201001234567|https:|track/);
    return row;
  };

  test('is sent to the phone of the order, with the tracking link as last parameter', async () => {
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

  test('is not sent to an erased person or without a sender', async () => {
    const erased = sender();
    expect(await erased.send(await claimed(await order(null)))).toMatchObject({ again: 'obsolete' });
    const none = sender(false);
    expect(await none.send(await claimed(await order('201001234567')))).toMatchObject({ again: 'obsolete' });
    expect([...erased.messages, ...none.messages]).toEqual([]);
  });
});
