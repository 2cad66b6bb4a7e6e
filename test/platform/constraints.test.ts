/** Database constraints on seats, money and states. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Uuid } from '../../src/kernel/ids.ts';
import { connect, type Db } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { claimKey, KeyTaken } from '../../src/platform/store/idempotency.ts';
import { recordChanges, versionOf } from '../../src/platform/store/change-log.ts';
import { PATIENT } from '../support/database/patient-options.ts';
import { asOwner, freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { insert, insertShop, type Row } from '../support/database/rows.ts';

const id = (n: number): Uuid => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [ORG, OTHER] = [id(1), id(2)];
const BRANCH = id(11);
const [T1, T2] = [id(21), id(22)];
const NOON = Date.parse('2026-12-04T10:00:00Z');

let database: TestDatabase;
let db: Db<Database>;

const add = (table: string, row: Row): Promise<void> => insert(db.kysely, table, { org_id: ORG, ...row });

beforeAll(async () => {
  database = await freshDatabase();
  db = connect<Database>(database.connection, PATIENT);
  await insertShop(db.kysely, ORG, 'here');
  await insertShop(db.kysely, OTHER, 'there');
  await add('branch', { id: BRANCH, name: 'x', code: 'X' });
  for (const table of [T1, T2])
    await add('dining_table', { id: table, branch_id: BRANCH, label: table.slice(-2), seats_max: 4 });
});

afterAll(async () => {
  await db.close();
  await database.release();
});

let booked = 100;

/** Inserts a booking with its tables; hours of the evening. */
const book = async (from: number, to: number, ...tables: readonly string[]): Promise<void> => {
  booked += 1;
  const moment = (hour: number): string => new Date(NOON + hour * 3_600_000).toISOString();
  await db.tx(async (tx) => {
    await insert<Database>(tx, 'booking', {
      org_id: ORG,
      id: id(booked),
      branch_id: BRANCH,
      service_date: '2026-12-04',
      party_size: 2,
      starts_at: moment(from),
      ends_at: moment(to),
      guest_name: 'منى',
      created_at: moment(0),
    });
    for (const table_id of tables)
      await insert<Database>(tx, 'booking_table', {
        org_id: ORG,
        booking_id: id(booked),
        table_id,
        branch_id: BRANCH,
        during: `[${moment(from)},${moment(to)})`,
      });
  });
};

describe('bookings of tables', () => {
  test('overlapping bookings of one table are refused, adjacent ones are accepted', async () => {
    await book(8, 10, T1);
    await book(10, 12, T1);
    await book(8, 10, T2);
    await expect(book(9, 11, T1)).rejects.toMatchObject({
      constraint: expect.stringMatching(/^booking_table_slot_taken/) as string,
    });
  });

  test('of 20 concurrent bookings of the last table one succeeds', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => book(20, 22, T2)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('stored orders', () => {
  const order: Row = {
    branch_id: BRANCH,
    channel: 'outside',
    customer_name: 'منى',
    base_prep_minutes: 20,
    cart: { lines: [], deals: [] },
    subtotal: 10_000,
    discount_amount: 1_000,
    delivery_fee: 500,
    tax_rate_applied: 0.14,
    tax_inclusive: false,
    tax_amount: 1_260,
    total: 10_760,
    created_at: '2026-12-04T10:00:00Z',
    updated_at: '2026-12-04T10:00:00Z',
  };
  let placed = 500;
  const place = (row: Row): Promise<void> =>
    add('delivery_order', { ...order, id: id((placed += 1)), ...row });

  test('an order total must add up, with tax on top or included', async () => {
    await place({});
    await place({ tax_inclusive: true, total: 9_500 });
    await expect(place({ total: 10_761 })).rejects.toMatchObject({
      constraint: 'delivery_order_total_adds_up',
    });
  });

  test.each<[string, Row, string]>([
    ['paid before they are delivered', { payment_method: 'cash' }, 'delivery_order_paid_when_delivered'],
    ['delivered and not paid', { status: 'delivered' }, 'delivery_order_paid_when_delivered'],
    ['with seven more minutes', { extra_prep_minutes: 7 }, 'delivery_order_prep_in_fives'],
    ['in a state nobody knows', { status: 'lost' }, 'delivery_order_status_known'],
  ])('orders are never %s', async (_, row, constraint) => {
    await expect(place(row)).rejects.toMatchObject({ constraint });
  });
});

test('an id belongs to one shop', async () => {
  await add('locator', { id: T1, kind: 'table' });
  const again = insert(db.kysely, 'locator', { id: T1, org_id: OTHER, kind: 'table' });
  await expect(again).rejects.toMatchObject({ constraint: expect.stringMatching(/^locator_pkey/) as string });
});

test('a reader of the change log never finds a new number below one already read', async () => {
  const change = { scope: 'shop', type: 'shop', id: ORG, op: 'upsert' } as const;
  const start = await versionOf(db.kysely, ORG);
  const read: number[] = [];
  const readLog = async (): Promise<void> => {
    const { rows } = await sql<{
      seq: number;
    }>`select seq from change where org_id = ${ORG} order by seq`.execute(db.kysely);
    const highest = Math.max(start, ...read);
    const unread = rows.map(({ seq }) => seq).filter((seq) => !read.includes(seq));
    expect(unread.every((seq) => seq > highest)).toBe(true);
    read.push(...unread);
  };
  const write = (count: number): Promise<number> =>
    db.tx((tx) =>
      recordChanges(
        tx,
        ORG,
        Array.from({ length: count }, () => change),
        NOON,
      ),
    );
  await Promise.all(Array.from({ length: 12 }, (_, n) => Promise.all([write(1 + (n % 3)), readLog()])));
  await readLog();
  expect(read).toEqual(Array.from({ length: 24 }, (_, n) => start + n + 1));
});

test('a taken key is recognised by the constraint of a shard too', async () => {
  const claim = (key: string): Promise<void> =>
    claimKey(
      db.kysely,
      { orgId: id(1), operation: 'placeOrder', key },
      { subjectId: id(31), bodyHash: Buffer.alloc(32) },
      NOON,
    );
  await claim('first');
  await expect(claim('first')).rejects.toThrow(KeyTaken);
  await asOwner(
    database,
    'alter table idempotency_key rename constraint idempotency_key_once to idempotency_key_once_102186',
  );
  await expect(claim('first')).rejects.toThrow(KeyTaken);
});
