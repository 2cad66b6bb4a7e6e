/** What the booking times offer is what can be booked. */
import { sql } from 'kysely';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBooking } from '../support/people/bookings.ts';
import { newId } from '../support/database/ids.ts';
import { insertBooking } from '../support/database/orders-and-bookings.ts';
import {
  aBranch,
  aShopFile,
  aTable,
  branchId,
  daily,
  openShops,
  shopId,
  tableId,
} from '../support/shops/cafe.ts';
import { JSON_BODY, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

/** Publishes a change of the date. */
const NO_MATTER = {
  serviceDate: '2026-11-21',
  startsAt: '2026-11-21T16:00:00Z',
  endsAt: '2026-11-21T17:00:00Z',
};
const SIZES = [1, 2, 3, 4, 5, 6, 7, 8];

let world: World;
beforeAll(async () => {
  world = await makeWorld({ trustedProxies: ['127.0.0.1'] });
  const tables = [
    aTable('a', 2),
    aTable('b', 2),
    aTable('c', 4),
    aTable('d', 4, { seats: { min: 3, max: 4 } }),
  ];
  const branch = aBranch({
    ...{
      tables,
      table_joins: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    },
    booking: {
      ...{ enabled: true, require_otp: false, max_covers_per_slot: 14 },
      hours: daily('18:00', '22:00'),
    },
  });
  await openShops(world, aShopFile({ branches: [branch] }));
});
afterAll(() => world.close());

const book = (starts_at: string, party_size: number) =>
  post(world, '/public/bookings', aBooking({ starts_at, party_size }));

const moveTo = (token: string, starts_at: string) =>
  world.send('PATCH', `/public/bookings/${token}`, JSON_BODY, JSON.stringify({ starts_at }));

const addressOf = (size: number): string =>
  `/public/branches/${branchId()}/booking-slots?date=2026-11-21&party_size=${size}`;

const offered = async (size: number): Promise<readonly { starts_at: string; available: boolean }[]> => {
  return (await world.read('getBookingSlots', addressOf(size))).slots;
};

const rowsOf = async (table: 'booking_table' | 'booking_hold'): Promise<string> => {
  const { rows } = await sql<{ rows: unknown }>`
    select coalesce(jsonb_agg(t), '[]') as rows from ${sql.table(table)} t
  `.execute(world.db.kysely);
  return JSON.stringify(rows[0]?.rows);
};

/** Books, notes the outcome, and restores every row: others may have moved. */
const isBookable = async (starts_at: string, size: number): Promise<boolean> => {
  const { kysely } = world.db;
  const before = { booking_table: await rowsOf('booking_table'), booking_hold: await rowsOf('booking_hold') };
  const reply = await book(starts_at, size);
  if (reply.status === 409) {
    expect(refusalOf(reply).code).toBe('SLOT_TAKEN');
    return false;
  }
  expect(reply.status).toBe(201);
  await sql`delete from booking_table`.execute(kysely);
  await sql`delete from booking_hold`.execute(kysely);
  await sql`delete from booking where id = ${(reply.body as { id: string }).id}`.execute(kysely);
  for (const [table, rows] of Object.entries(before))
    await sql`
      insert into ${sql.table(table)}
      select * from jsonb_populate_recordset(null::${sql.table(table)}, ${rows}::jsonb)
    `.execute(kysely);
  return true;
};

interface Event {
  readonly kind: 'booking' | 'hold' | 'seated' | 'chosen' | 'table block' | 'branch block' | 'off the grid';
  readonly slot: number;
  readonly size: number;
}

const minutesAfter = (start: string, minutes: number): string =>
  new Date(Date.parse(start) + minutes * 60_000).toISOString();

/** What guests or staff do at one of the starts. */
const happens = async ({ kind, slot, size }: Event, starts: readonly string[]): Promise<void> => {
  const { kysely } = world.db;
  const start = starts[slot] ?? '';
  const table = tableId(['a', 'b', 'c', 'd'][slot % 4] ?? '');
  const block = (tables: readonly string[]) => sql`
    insert into booking_block (org_id, id, branch_id, starts_at, ends_at, table_ids, created_at)
    values (${shopId()}, ${newId()}, ${branchId()}, ${start}, ${minutesAfter(start, 30)}, ${[...tables]}::uuid[], ${start})
  `;
  switch (kind) {
    case 'booking':
      await book(start, size);
      return;
    case 'hold': {
      const client = { 'x-forwarded-for': `203.0.113.${slot * 8 + size}` };
      const body = { starts_at: start, party_size: size };
      await post(world, `/public/branches/${branchId()}/booking-holds`, body, client);
      return;
    }
    case 'seated':
      await sql`
        update booking set status = 'seated', seated_at = starts_at where starts_at = ${start}
      `.execute(kysely);
      return;
    case 'chosen':
      await sql`update booking set is_pinned = true where starts_at = ${start}`.execute(kysely);
      return;
    case 'table block':
      await block([table]).execute(kysely);
      return;
    case 'branch block':
      await block([]).execute(kysely);
      return;
    case 'off the grid': {
      const startsAt = minutesAfter(start, 10);
      const stay = { startsAt, endsAt: minutesAfter(startsAt, 50), serviceDate: '2026-11-21' };
      // Refused by the database where the table is taken.
      await insertBooking(world, { ...stay, party: size, tables: [table] }).catch(() =>
        sql`delete from booking b where not exists (select from booking_table t where t.org_id = b.org_id and t.booking_id = b.id)`.execute(
          kysely,
        ),
      );
    }
  }
};

const KINDS = [
  ...['booking', 'booking', 'booking', 'booking', 'booking', 'hold', 'hold', 'seated', 'chosen'],
  ...['table block', 'branch block', 'off the grid'],
] as Event['kind'][];

test('every start and party size is offered exactly if it can be booked', async () => {
  const event = fc.record({
    kind: fc.constantFrom(...KINDS),
    slot: fc.integer({ min: 0, max: 5 }),
    size: fc.constantFrom(...SIZES),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 4, maxLength: 16 }), async (events) => {
      for (const table of ['booking', 'booking_hold', 'booking_block'] as const)
        await world.db.kysely.deleteFrom(table).execute();
      const starts = (await offered(2)).map(({ starts_at }) => starts_at);
      for (const each of events) await happens(each, starts);
      await insertBooking(world, { ...NO_MATTER, status: 'cancelled' });
      for (const size of SIZES)
        for (const { starts_at, available } of await offered(size))
          expect([starts_at, size, await isBookable(starts_at, size)]).toEqual([starts_at, size, available]);
    }),
    { numRuns: 6 },
  );
}, 120_000);

test('the next read of every size shows a booking, its change and its cancellation, on another server too', async () => {
  for (const table of ['booking', 'booking_hold', 'booking_block'] as const)
    await world.db.kysely.deleteFrom(table).execute();
  await insertBooking(world, { ...NO_MATTER, status: 'cancelled' });
  const other = await makeWorld({ database: world.database });
  const everySize = async (server: World) =>
    Promise.all(
      SIZES.map(async (size) =>
        (await server.read('getBookingSlots', addressOf(size))).slots.map(({ available }) => available),
      ),
    );
  const agreed = async () => {
    const [own, others] = [await everySize(world), await everySize(other)];
    expect(others).toEqual(own);
    return own;
  };
  try {
    const empty = await agreed();
    const starts = (await offered(2)).map(({ starts_at }) => starts_at);
    const [start, last] = [starts[0] ?? '', starts.at(-1) ?? ''];
    // It takes both tables for four.
    const { body } = await book(start, 8);
    const { manage_token: token } = body as { manage_token: string };
    await other.hearOfChanges();
    const full = await agreed();
    expect(full).not.toEqual(empty);
    expect((await moveTo(token, last)).status).toBe(200);
    await other.hearOfChanges();
    const changed = await agreed();
    expect([empty, full]).not.toContainEqual(changed);
    expect((await post(world, `/public/bookings/${token}/cancel`, {})).status).toBe(200);
    await other.hearOfChanges();
    expect(await agreed()).toEqual(empty);
  } finally {
    await other.close();
  }
});
