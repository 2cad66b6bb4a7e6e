/** What the booking times offer is what can be booked. */
import { sql } from 'kysely';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBooking } from '../support/people/bookings.ts';
import { aBranch, aShopFile, aTable, branchId, daily, openShops } from '../support/shops/cafe.ts';
import { JSON_BODY, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const SIZES = [1, 2, 3, 4, 5, 6, 7, 8];

let world: World;
beforeAll(async () => {
  world = await makeWorld();
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

/** Books, notes the outcome, and restores every row. */
const isBookable = async (starts_at: string, size: number): Promise<boolean> => {
  const { kysely } = world.db;
  const { rows: claims } = await sql<{ claims: unknown }>`
    select coalesce(jsonb_agg(t), '[]') as claims from booking_table t
  `.execute(kysely);
  const reply = await book(starts_at, size);
  if (reply.status === 409) {
    expect(refusalOf(reply).code).toBe('SLOT_TAKEN');
    return false;
  }
  expect(reply.status).toBe(201);
  await sql`delete from booking_table`.execute(kysely);
  await sql`delete from booking where id = ${(reply.body as { id: string }).id}`.execute(kysely);
  await sql`
    insert into booking_table select * from jsonb_populate_recordset(null::booking_table, ${JSON.stringify(claims[0]?.claims)}::jsonb)
  `.execute(kysely);
  return true;
};

test('every start and party size is offered exactly if it can be booked', async () => {
  const request = fc.record({ slot: fc.integer({ min: 0, max: 5 }), size: fc.constantFrom(...SIZES) });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 3, maxLength: 12 }), async (requests) => {
      await world.db.kysely.deleteFrom('booking').execute();
      const starts = (await offered(2)).map(({ starts_at }) => starts_at);
      for (const { slot, size } of requests) await book(starts[slot] ?? '', size);
      for (const size of SIZES)
        for (const { starts_at, available } of await offered(size))
          expect([starts_at, size, await isBookable(starts_at, size)]).toEqual([starts_at, size, available]);
    }),
    { numRuns: 4 },
  );
}, 120_000);

test('the next read of every size shows a booking, its change and its cancellation, on another server too', async () => {
  await world.db.kysely.deleteFrom('booking').execute();
  await world.hearOfChanges();
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
