/** get_booking_slots within 40,000 characters: free starts are dropped last, and everything is counted. */
import { Value } from 'typebox/value';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BookingTimes } from '../../src/bookings/contract/tools.ts';
import { tools } from '../../src/service/contract/tools.ts';
import { MAX_CHARACTERS } from '../../src/doors/mcp/shorten.ts';
import { insertBooking } from '../support/database/orders-and-bookings.ts';
import { aBranch, aShopFile, aTable, branchId, openShops, SLUG, tableId } from '../support/shops/cafe.ts';
import { callTool } from '../support/server/mcp-client.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const DATE = '2026-12-05';
const PLACE = 'on Saturday 5 December 2026 at بيت البن (Beit El Bunn), الزمالك (Zamalek)';
const WHERE = `They are on the booking page: https://ahwa.example/${SLUG}/book`;

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

/** A start every minute, from 10:00 to 09:59 on the next day: 1,440. */
beforeEach(async () => {
  world.now = Date.parse('2026-12-04T10:00:00Z');
  await world.db.kysely.deleteFrom('booking').execute();
  const minutes = Array.from({ length: 15 }, (_, minute) => `10:${String(minute).padStart(2, '0')}`);
  const hours = minutes.map((time) => ({ open: time, close: time }));
  const booking = { enabled: true, hours, slot_minutes: 15 as const, default_duration_minutes: 15 };
  await openShops(world, aShopFile({ branches: [aBranch({ tables: [aTable('t1', 6)], booking })] }));
});

const take = (startsAt: string, endsAt: string): Promise<string> =>
  insertBooking(world, { serviceDate: DATE, startsAt, endsAt, tables: [tableId('t1')] });

/** The answer; text and object fit and list the same number of starts. */
const times = async (party = 2): Promise<{ first: string; second: string; times: BookingTimes }> => {
  const args = { branch_id: branchId(), date: DATE, party_size: party };
  const { text, structured } = await callTool(world, 'get_booking_slots', args);
  if (!Value.Check(tools.get_booking_slots.result, structured)) throw new Error(text);
  expect(Math.max(text.length, JSON.stringify(structured).length)).toBeLessThanOrEqual(MAX_CHARACTERS);
  expect(text.match(/^- /gm)).toHaveLength(structured.slots.length);
  expect(structured.truncated).toBe(true);
  const [first = '', second = ''] = text.split('\n');
  expect(structured.left_out).toBe(second);
  return { first, second, times: structured };
};
const freeOf = ({ slots }: BookingTimes): number => slots.filter(({ available }) => available).length;

test('a day with 1,440 free times lists as many as fit and counts all', async () => {
  const { first, second, times: result } = await times();
  const kept = result.slots.length;
  expect(kept).toBeGreaterThan(350);
  expect(first).toBe(`1440 free times for 2 ${PLACE}.`);
  expect(second).toBe(`Left out, to stay short: ${1440 - kept} of 1440 free times. ${WHERE}`);
});

test('all free times are kept before earlier taken times', async () => {
  await take('2026-12-05T08:00:00Z', '2026-12-06T07:15:00Z');
  const { first, second, times: result } = await times();
  expect(first).toBe(`45 free times for 2 ${PLACE}.`);
  expect(freeOf(result)).toBe(45);
  const left = 1440 - result.slots.length;
  expect(second).toBe(`Left out, to stay short: ${left} of 1395 starts that are not free. ${WHERE}`);
  expect(result.slots.map(({ starts_at }) => starts_at)).toEqual(
    result.slots.map(({ starts_at }) => starts_at).sort(),
  );
});

test('all free times are kept before times that are too soon', async () => {
  world.now = Date.parse('2026-12-06T06:00:00Z');
  const { first, times: result } = await times();
  // 09:00 is one hour ahead; the last start is at 09:59.
  expect(first).toBe(`60 free times for 2 ${PLACE}.`);
  expect(freeOf(result)).toBe(60);
});

test('where not even all free times fit, only free times are listed', async () => {
  await take('2026-12-05T08:00:00Z', '2026-12-05T20:00:00Z');
  const { first, second, times: result } = await times();
  const kept = result.slots.length;
  expect([kept > 350, freeOf(result)]).toEqual([true, kept]);
  expect(first).toBe(`720 free times for 2 ${PLACE}.`);
  expect(second).toBe(
    `Left out, to stay short: ${720 - kept} of 720 free times and all 720 starts that are not free. ${WHERE}`,
  );
});

test('without a free time, the first line counts the taken starts of the whole day', async () => {
  await take('2026-12-05T08:00:00Z', '2026-12-06T08:00:00Z');
  const { first, times: result } = await times();
  expect(first).toBe(`No free times for 2 ${PLACE}; 1440 starts are taken.`);
  expect(result.next_free_date).toBe('2026-12-06');
  expect((await times(7)).first).toBe(
    `No free times for 7 ${PLACE}; no tables there seat 7, whatever the time.`,
  );
});
