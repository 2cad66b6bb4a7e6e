/** get_booking_slots without a free time: the reason, and another branch, date or party. */
import { Value } from 'typebox/value';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BookingTimes } from '../../src/bookings/contract/tools.ts';
import { tools } from '../../src/service/contract/tools.ts';
import { insertBooking } from '../support/database/orders-and-bookings.ts';
import { aBranch, aShopFile, aTable, branchId, daily, openShops, tableId } from '../support/shops/cafe.ts';
import type { BranchEntry } from '../support/shops/shop-file.ts';
import { callTool, toolRefusal } from '../support/server/mcp-client.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld({ now: '2026-12-04T10:00:00Z' });
});
afterAll(() => world.close());

const FRIDAY = '2026-12-04';
const ASKED = { branch_id: branchId(), date: FRIDAY, party_size: 4 };

/** One table for four, every evening from 18:00 to 22:00. */
const open = async (booking: BranchEntry['booking'] = {}, tables = [aTable('t1', 4)]): Promise<void> => {
  const settings = { enabled: true, hours: daily('18:00', '22:00'), ...booking };
  await openShops(world, aShopFile({ branches: [aBranch({ tables, booking: settings })] }));
};
const times = async (party_size = 4): Promise<{ text: string; times: BookingTimes }> => {
  const { text, structured } = await callTool(world, 'get_booking_slots', { ...ASKED, party_size });
  const shape = tools.get_booking_slots.result;
  if (!Value.Check(shape, structured)) throw new Error(text);
  return { text, times: structured };
};

test('the refusal of a branch without bookings lists branches with bookings and their ids', async () => {
  const names = ['المعادي', 'الدقي', 'المقطم'];
  const others = names.map((name, index) =>
    aBranch({
      key: `other-${index}`,
      code: `O${index}`,
      name: { ar: name },
      booking: { enabled: index !== 1 },
    }),
  );
  await openShops(world, aShopFile({ branches: [aBranch(), ...others] }));
  expect(await toolRefusal(world, 'get_booking_slots', ASKED)).toContain(
    `Branches of the shop that take them, with their ids: "المعادي" ${branchId('other-0')}, "المقطم" ${branchId('other-2')}. `,
  );
  const many = Array.from({ length: 23 }, (_, index) =>
    aBranch({
      key: `many-${index}`,
      code: `M${index}`,
      name: { ar: `فرع ${100 + index}` },
      booking: { enabled: true },
    }),
  );
  await openShops(world, aShopFile({ branches: [aBranch(), ...many] }));
  expect(await toolRefusal(world, 'get_booking_slots', ASKED)).toMatch(
    /"فرع 119" [0-9a-f-]{36} and 3 more\./,
  );
});

test('without a free time, the answer names the next free date within a week', async () => {
  const closed = (to: string) => ({ dated_hours: [{ from: FRIDAY, to, hours: [] }] });
  const next = async () => {
    const { text, times: result } = await times();
    const [, named] = /^The next date with a free time for 4 is .* \((.*)\)\.$/m.exec(text) ?? [];
    expect(named).toBe(result.next_free_date);
    expect(text.includes('\nA later date may have times.\n')).toBe(named === undefined);
    expect(result.last_date).toBeUndefined();
    return named;
  };
  await open(closed('2026-12-10'));
  expect(await next()).toBe('2026-12-11');
  await open(closed('2026-12-11'));
  expect(await next()).toBeUndefined();
});

test('without any free date, the answer names the last bookable date', async () => {
  const closed = { dated_hours: [{ from: FRIDAY, to: '2026-12-31', hours: [] }] };
  const last = async (days: number) => {
    await open({ ...closed, horizon_days: days });
    const { text, times: result } = await times();
    return [result.last_date, text.split('\n')[1]];
  };
  const none = 'the last that can be booked, has a free time for 4.';
  expect(await last(1)).toEqual(['2026-12-05', `No later date up to Saturday 5 December 2026, ${none}`]);
  expect(await last(7)).toEqual(['2026-12-11', `No later date up to Friday 11 December 2026, ${none}`]);
  expect(await last(0)).toEqual([FRIDAY, 'Friday 4 December 2026 is the last date that can be booked.']);
  expect(await last(8)).toEqual([undefined, 'A later date may have times.']);
});

test('a free time on the last bookable date is found', async () => {
  await open({ dated_hours: [{ from: FRIDAY, to: '2026-12-06', hours: [] }], horizon_days: 3 });
  const { times: result } = await times();
  expect([result.next_free_date, result.last_date]).toEqual(['2026-12-07', undefined]);
});

test('the lead time is stated when it alone makes every start too soon', async () => {
  await open({ lead_time_minutes: 720 });
  const { text, times: result } = await times();
  expect(result.lead_minutes).toBe(720);
  expect(text.split('\n').slice(0, 2)).toEqual([
    'No free times for 4 on Friday 4 December 2026 at بيت البن (Beit El Bunn), الزمالك (Zamalek); 6 starts are past or too soon, as a table is booked at least 12 hours ahead.',
    'The next date with a free time for 4 is Saturday 5 December 2026 (2026-12-05).',
  ]);
  await open({ lead_time_minutes: 450 });
  expect((await times()).times.lead_minutes).toBeUndefined();
});

describe('a cached answer about a later date', () => {
  /** Closed until the eighth, one start per evening: the next free date is four days ahead. */
  const openOnTheEighth = (): Promise<void> =>
    open({
      hours: daily('18:00', '19:30'),
      dated_hours: [{ from: FRIDAY, to: '2026-12-07', hours: [] }],
    });
  const take = (date: string): Promise<string> =>
    insertBooking(world, {
      serviceDate: date,
      startsAt: `${date}T16:00:00.000Z`,
      endsAt: `${date}T17:30:00.000Z`,
      tables: [tableId('t1')],
    });
  const next = async (): Promise<string | undefined> => (await times()).times.next_free_date;
  beforeEach(async () => {
    await world.db.kysely.deleteFrom('booking').execute();
  });
  afterEach(() => {
    world.now = Date.parse('2026-12-04T10:00:00Z');
  });

  test('is dropped when a booking takes the last free time of the named date', async () => {
    await openOnTheEighth();
    expect(await next()).toBe('2026-12-08');
    await take('2026-12-08');
    expect(await next()).toBe('2026-12-09');
  });

  test('is dropped when a cancellation frees an earlier date', async () => {
    await open({
      hours: daily('18:00', '19:30'),
      dated_hours: [{ from: FRIDAY, to: '2026-12-06', hours: [] }],
    });
    const taken = await take('2026-12-07');
    expect(await next()).toBe('2026-12-08');
    await world.db.kysely.deleteFrom('booking').where('id', '=', taken).execute();
    // Servers are notified, as after any booking of that day.
    await insertBooking(world, {
      serviceDate: '2026-12-07',
      startsAt: '2026-12-07T16:00:00.000Z',
      endsAt: '2026-12-07T17:30:00.000Z',
      tables: [tableId('t1')],
      status: 'cancelled',
    });
    expect(await next()).toBe('2026-12-07');
  });

  test('expires in the millisecond in which the named date’s last start becomes too soon', async () => {
    await open({ hours: daily('18:00', '19:30'), lead_time_minutes: 2 * 1440 });
    // At 10:00 on the fourth, the evening of the sixth is more than two days ahead.
    expect(await next()).toBe('2026-12-06');
    world.now = Date.parse('2026-12-04T16:00:00Z');
    expect(await next()).toBe('2026-12-06');
    world.now += 1;
    expect(await next()).toBe('2026-12-07');
  });

  test('expires when the business date ends and the last bookable date moves', async () => {
    const closed = { dated_hours: [{ from: FRIDAY, to: '2026-12-07', hours: [] }], horizon_days: 3 };
    await open({ hours: daily('18:00', '02:00'), ...closed });
    const ahead = { ...ASKED, date: '2026-12-05' };
    const bounds = async (): Promise<unknown> => {
      const { structured } = await callTool(world, 'get_booking_slots', ahead);
      if (!Value.Check(tools.get_booking_slots.result, structured)) throw new Error('refused');
      return [structured.last_date, structured.next_free_date];
    };
    world.now = Date.parse('2026-12-04T22:00:00Z') - 1;
    expect(await bounds()).toEqual(['2026-12-07', undefined]);
    world.now += 1;
    expect(await bounds()).toEqual([undefined, '2026-12-08']);
  });
});

test('a party that no table seats gets that reason, not that tables are taken', async () => {
  await open({ hours: daily('18:00', '19:30') });
  const { text, times: result } = await times(7);
  expect(result).toMatchObject({ why_not: 'no tables there seat 7, whatever the time', largest_party: 4 });
  expect([result.next_free_date, result.last_date]).toEqual([undefined, undefined]);
  expect(text)
    .toBe(`No free times for 7 on Friday 4 December 2026 at بيت البن (Beit El Bunn), الزمالك (Zamalek); no tables there seat 7, whatever the time.
A smaller party, of 4 at most, may find times.
Times are on the branch's clock (Africa/Cairo), each with its UTC start in brackets.
Not for 7:
- 18:00 (2026-12-04T16:00:00.000Z)
Nothing is booked here. To book, the person opens https://ahwa.example/beit-el-bunn/book
shop: beit-el-bunn, date: 2026-12-04, branch_id: ${branchId()}`);
});

/** The reason in the first line, and the second line. */
const answer = async (party?: number): Promise<readonly [string | undefined, string | undefined]> => {
  const [first = '', second] = (await times(party)).text.split('\n');
  return [/(?:; |that day, and )(.*)\.$/.exec(first)?.[1], second];
};
const CLOCK = "Times are on the branch's clock (Africa/Cairo), each with its UTC start in brackets.";

test('a party above the guests per start gets that limit as the reason', async () => {
  await open({ max_covers_per_slot: 3 });
  expect(await answer()).toEqual([
    'the branch takes at most 3 guests at one start',
    'A smaller party, of 3 at most, may find times.',
  ]);
  await open({ max_covers_per_slot: 1, min_party: 2 });
  expect(await answer()).toEqual(['the branch takes at most 1 guest at one start', CLOCK]);
});

test('a smaller party is suggested only where it could be seated', async () => {
  await open({}, [aTable('t1', 8, { seats: { min: 6, max: 8 } })]);
  expect(await answer()).toEqual(['no tables there seat 4, whatever the time', CLOCK]);
});

test('without a bookable table, no other date or party is suggested', async () => {
  await open({}, [aTable('bar', 4, { bookable: false })]);
  expect(await answer()).toEqual(['no table can be booked there at the moment', CLOCK]);
});

test('on a closed day, a party that never fits still gets that reason', async () => {
  await open({ dated_hours: [{ from: FRIDAY, hours: [] }] });
  const { times: result } = await times(7);
  expect([result.slots, result.next_free_date]).toEqual([[], undefined]);
  expect(await answer(7)).toEqual([
    'no tables there seat 7, whatever the time',
    'A smaller party, of 4 at most, may find times.',
  ]);
});
