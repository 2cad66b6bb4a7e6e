/** GET /public/branches/{id}/booking-slots. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertBooking } from '../support/database/orders-and-bookings.ts';
import { aBranch, aShopFile, aTable, branchId, daily, openShops, tableId } from '../support/shops/cafe.ts';
import type { BranchEntry } from '../support/shops/shop-file.ts';
import { makeWorld, type ReadOf, type World } from '../support/server/world.ts';

type Slots = ReadOf<'getBookingSlots'>['slots'];
type Booking = NonNullable<BranchEntry['booking']>;

const TODAY = '2026-11-20';
const TOMORROW = '2026-11-21';

let world: World;

const open = async (booking: Booking = {}, overrides: Partial<BranchEntry> = {}): Promise<void> => {
  const tables = [aTable('t1', 2), aTable('t2', 4)];
  const branch = aBranch({ tables, ...overrides, booking: { enabled: true, ...booking } });
  await openShops(world, aShopFile({ branches: [branch] }));
};
const addressOf = (date: string, party: number | string = 2): string =>
  `/public/branches/${branchId()}/booking-slots?date=${encodeURIComponent(date)}&party_size=${encodeURIComponent(party)}`;
const slots = async (date = TOMORROW, party = 2): Promise<Slots> => {
  const answer = await world.read('getBookingSlots', addressOf(date, party));
  expect(answer).toMatchObject({ date, timezone: 'Africa/Cairo' });
  return answer.slots;
};
const starts = async (date = TOMORROW): Promise<string[]> =>
  (await slots(date)).map(({ starts_at }) => starts_at);
/** Available starts in Cairo's winter time. */
const free = async (date = TOMORROW, party = 2): Promise<string[]> =>
  (await slots(date, party))
    .filter(({ available }) => available)
    .map(({ starts_at }) => winterClock(starts_at));
const winterClock = (moment: string): string =>
  new Date(Date.parse(moment) + 2 * 3_600_000).toISOString().slice(11, 16);
const cairo = (date: string, time: string): string => new Date(`${date}T${time}:00+02:00`).toISOString();

beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(async () => {
  // Friday, 20:00 in Cairo.
  world.now = Date.parse('2026-11-20T18:00:00Z');
  await world.db.kysely.deleteFrom('booking').execute();
});
afterAll(() => world.close());

describe('the starts of a date', () => {
  test('are by default every 30 minutes from 12:00 to 90 minutes before 23:00', async () => {
    await open();
    const all = await starts();
    expect([all.length, all[0], all.at(-1)]).toEqual([
      20,
      cairo(TOMORROW, '12:00'),
      cairo(TOMORROW, '21:30'),
    ]);
    expect(
      new Set(all.slice(1).map((start, index) => Date.parse(start) - Date.parse(all[index] ?? ''))),
    ).toEqual(new Set([1_800_000]));
  });

  test.each([15, 20, 30, 45, 60] as const)(
    'are every %i minutes, the last at closing time minus the stay',
    async (slot_minutes) => {
      await open({ slot_minutes, default_duration_minutes: 100, hours: daily('18:00', '22:00') });
      const from = Date.parse(cairo(TOMORROW, '18:00'));
      const expected = [];
      for (let minute = 0; minute <= 140; minute += slot_minutes)
        expected.push(new Date(from + minute * 60_000).toISOString());
      expect(await starts()).toEqual(expected);
    },
  );

  test('after midnight belong to the date on which their service began', async () => {
    await open({ hours: daily('22:00', '02:00') });
    expect(await starts()).toEqual(
      ['22:00', '22:30', '23:00', '23:30']
        .map((time) => cairo(TOMORROW, time))
        .concat(['00:00', '00:30'].map((time) => cairo('2026-11-22', time))),
    );
  });

  test('of several openings are in order, without duplicates where openings overlap', async () => {
    await open({
      hours: [...daily('18:00', '21:00'), ...daily('12:00', '14:00'), ...daily('19:00', '22:00')],
      default_duration_minutes: 60,
    });
    const all = await starts();
    expect(all.map(winterClock).join(' ')).toBe(
      '12:00 12:30 13:00 18:00 18:30 19:00 19:30 20:00 20:30 21:00',
    );
  });

  test('of a branch open round the clock are 24 hourly starts', async () => {
    await open({ hours: daily('12:00', '12:00'), slot_minutes: 60, default_duration_minutes: 60 });
    expect((await starts()).length).toBe(24);
  });

  test('are none in an opening shorter than the stay', async () => {
    await open({ hours: daily('12:00', '13:00') });
    expect(await starts()).toEqual([]);
  });

  test('of a blackout date are none; the night before keeps its starts after midnight', async () => {
    await open({ hours: daily('22:00', '02:00'), blackout_dates: [TOMORROW] });
    expect(await starts(TOMORROW)).toEqual([]);
    expect((await starts(TODAY)).map(winterClock)).toEqual([
      '22:00',
      '22:30',
      '23:00',
      '23:30',
      '00:00',
      '00:30',
    ]);
  });

  test('follow the dated hours of the branch, not the hours of online orders', async () => {
    const late = { from: '2026-11-23', to: '2026-11-24', hours: [{ open: '10:00', close: '12:00' }] };
    const online = {
      online_hours: daily('00:00', '00:00'),
      online_dated_hours: [{ from: TOMORROW, hours: [] }],
    };
    await open({ dated_hours: [{ from: '2026-11-22', hours: [] }, late] }, online);
    expect((await starts(TOMORROW)).length).toBe(20);
    expect(await starts('2026-11-22')).toEqual([]);
    for (const date of [late.from, late.to])
      expect((await starts(date)).map(winterClock)).toEqual(['10:00', '10:30']);
  });
});

describe('the dates that can be booked', () => {
  const range = async (): Promise<unknown> => {
    const refusal = await world.refused(addressOf('2000-01-01'));
    expect(refusal).toMatchObject({ status: 400, code: 'DATE_OUT_OF_RANGE' });
    return refusal.vars;
  };

  test('run from today to the horizon, both included', async () => {
    await open({ horizon_days: 7 });
    expect(await range()).toEqual({ first: TODAY, last: '2026-11-27' });
    for (const date of [TODAY, '2026-11-27']) expect((await world.get(addressOf(date))).status).toBe(200);
    for (const date of ['2026-11-19', '2026-11-28', '9999-12-31'])
      expect(await world.refused(addressOf(date))).toMatchObject({ status: 400, code: 'DATE_OUT_OF_RANGE' });
    await open({ horizon_days: 0 });
    expect(await range()).toEqual({ first: TODAY, last: TODAY });
  });

  test('begin at 01:00 with the date of the running service, until that service ends', async () => {
    await open({ hours: daily('13:00', '02:00'), horizon_days: 7 });
    world.now = Date.parse(cairo(TOMORROW, '01:00'));
    expect(await range()).toEqual({ first: TODAY, last: '2026-11-27' });
    world.now = Date.parse(cairo(TOMORROW, '02:00')) - 1;
    expect(await range()).toEqual({ first: TODAY, last: '2026-11-27' });
    world.now += 1;
    expect(await range()).toEqual({ first: TOMORROW, last: '2026-11-28' });
  });

  test('begin with the next date from midnight when no service is running', async () => {
    await open({ horizon_days: 7 });
    world.now = Date.parse(cairo(TOMORROW, '00:00')) - 1;
    expect(await range()).toEqual({ first: TODAY, last: '2026-11-27' });
    world.now += 1;
    expect(await range()).toEqual({ first: TOMORROW, last: '2026-11-28' });
  });
});

describe('lead time', () => {
  test('a start exactly the lead time ahead is available; earlier starts are listed as not available', async () => {
    await open({ lead_time_minutes: 60 });
    world.now = Date.parse(cairo(TODAY, '20:00'));
    expect((await starts(TODAY)).length).toBe(20);
    expect(await free(TODAY)).toEqual(['21:00', '21:30']);
    world.now += 1;
    expect(await free(TODAY)).toEqual(['21:30']);
    world.now = Date.parse(cairo(TODAY, '20:30')) + 1;
    expect(await free(TODAY)).toEqual([]);
  });

  test('without lead time a start is available up to its own instant', async () => {
    await open({ lead_time_minutes: 0 });
    world.now = Date.parse(cairo(TODAY, '21:30'));
    expect(await free(TODAY)).toEqual(['21:30']);
    world.now += 1;
    expect(await free(TODAY)).toEqual([]);
  });

  test('a lead time of two days makes starts of the next dates unavailable', async () => {
    await open({ lead_time_minutes: 2 * 1440 });
    expect(await free(TOMORROW)).toEqual([]);
    expect(await free('2026-11-22')).toEqual(['20:00', '20:30', '21:00', '21:30']);
  });
});

describe('a start that is not available', () => {
  test('has the reason too_soon or taken; an available start has none', async () => {
    await open({ hours: daily('20:30', '23:30') });
    await insertBooking(world, {
      serviceDate: TODAY,
      startsAt: cairo(TODAY, '20:30'),
      endsAt: cairo(TODAY, '21:30'),
      ...{ tables: [tableId('t1'), tableId('t2')], party: 6 },
    });
    expect((await slots(TODAY)).map(({ starts_at, reason }) => [winterClock(starts_at), reason])).toEqual([
      ['20:30', 'too_soon'],
      ['21:00', 'taken'],
      ['21:30', null],
      ['22:00', null],
    ]);
  });
});

describe('the party size', () => {
  test('outside the bounds of the branch is refused with min and max', async () => {
    await open({ min_party: 2, max_party: 4 });
    for (const party of [1, 5, 2_147_483_647])
      expect(await world.refused(addressOf(TOMORROW, party))).toMatchObject({
        status: 400,
        code: 'PARTY_SIZE_OUT_OF_RANGE',
        vars: { min: 2, max: 4 },
      });
    for (const party of [2, 4]) expect((await world.get(addressOf(TOMORROW, party))).status).toBe(200);
  });

  test('is reported together with a refused date, the date first', async () => {
    await open({ min_party: 2, max_party: 4 });
    const { status, code, vars, faults } = await world.refused(addressOf('2030-01-01', 99));
    expect([status, code, vars]).toEqual([
      400,
      'DATE_OUT_OF_RANGE',
      { first: '2026-11-20', last: '2026-12-20' },
    ]);
    expect(faults).toEqual([
      {
        path: 'date',
        code: 'DATE_OUT_OF_RANGE',
        vars: { first: '2026-11-20', last: '2026-12-20' },
      },
      { path: 'party_size', code: 'PARTY_SIZE_OUT_OF_RANGE', vars: { min: 2, max: 4 } },
    ]);
  });

  test('is refused when it is zero, negative, fractional or not in plain digits', async () => {
    await open();
    for (const party of ['0', '-1', '2.0', '1e1', '02', '+2', ' 2', 'two', '', '2147483648', '٢'])
      expect(await world.refused(addressOf(TOMORROW, party))).toMatchObject({
        status: 400,
        fields: [{ path: 'party_size' }],
      });
  });

  test('fits a table from its smallest to its largest party', async () => {
    await open({}, { tables: [aTable('big', 6, { seats: { min: 4, max: 6 } })] });
    expect(await free(TOMORROW, 3)).toEqual([]);
    expect((await free(TOMORROW, 4)).length).toBe(20);
    expect((await free(TOMORROW, 6)).length).toBe(20);
    expect(await free(TOMORROW, 7)).toEqual([]);
  });

  test('fits no table that is kept for walk-ins or removed', async () => {
    await open({}, { tables: [aTable('t1', 4), aTable('t2', 8)] });
    await open({}, { tables: [aTable('t1', 4, { bookable: false })] });
    expect(await free()).toEqual([]);
    await open({}, { tables: [] });
    expect((await slots()).every(({ available }) => !available)).toBe(true);
  });

  test('fits any two or more joined tables of one group', async () => {
    const tables = [aTable('a', 2), aTable('b', 2), aTable('c', 3), aTable('d', 4)];
    await open({}, { tables, table_joins: [['a', 'b', 'c']] });
    expect((await free(TOMORROW, 7)).length).toBe(20);
    expect(await free(TOMORROW, 8)).toEqual([]);
    await insertBooking(world, {
      serviceDate: TOMORROW,
      startsAt: cairo(TOMORROW, '12:00'),
      endsAt: cairo(TOMORROW, '23:00'),
      ...{ tables: [tableId('b')], status: 'seated' },
    });
    expect((await free(TOMORROW, 5)).length).toBe(20);
    expect(await free(TOMORROW, 6)).toEqual([]);
  });
});

describe('bookings', () => {
  const evening = (from: string, to: string, facts: Partial<Parameters<typeof insertBooking>[1]> = {}) =>
    insertBooking(world, {
      serviceDate: TOMORROW,
      startsAt: cairo(TOMORROW, from),
      endsAt: cairo(TOMORROW, to),
      // As many as need both tables.
      ...{ tables: [tableId('t1'), tableId('t2')], party: 6 },
      ...facts,
    });

  test('hold their tables exactly for their span', async () => {
    await open({ hours: daily('17:00', '23:30') });
    expect(await free()).toContain('20:00');
    await evening('20:00', '21:30');
    expect(await free()).toEqual(['17:00', '17:30', '18:00', '18:30', '21:30', '22:00']);
  });

  test('leave other tables free', async () => {
    await open();
    await evening('20:00', '21:30', { tables: [tableId('t1')], party: 2 });
    expect((await free(TOMORROW, 2)).length).toBe(20);
    await evening('20:00', '21:30', { tables: [tableId('t2')], party: 2 });
    expect(await free(TOMORROW, 2)).not.toContain('20:00');
  });

  test('after midnight block starts of their own service date', async () => {
    await open({ hours: daily('22:00', '02:00') });
    await evening('23:30', '23:45', {
      startsAt: cairo('2026-11-22', '00:30'),
      endsAt: cairo('2026-11-22', '02:00'),
    });
    expect(await free()).toEqual(['22:00', '22:30', '23:00']);
  });

  test('of the previous service date block the first starts of the next date', async () => {
    await open({ hours: daily('12:00', '12:00'), slot_minutes: 60, default_duration_minutes: 60 });
    expect(await free(TOMORROW)).toContain('12:00');
    await evening('11:00', '13:00', { serviceDate: TODAY });
    expect((await free(TOMORROW))[0]).toBe('13:00');
  });

  test('hold their tables when seated, and hold none when cancelled or no_show', async () => {
    await open();
    for (const status of ['cancelled', 'no_show'] as const) await evening('20:00', '21:30', { status });
    expect(await free()).toContain('20:00');
    await evening('20:00', '21:30', { status: 'seated' });
    expect(await free()).not.toContain('20:00');
  });

  test('count towards max_covers_per_slot of their own start only', async () => {
    await open({ max_covers_per_slot: 6 }, { tables: [aTable('t1', 4), aTable('t2', 4), aTable('t3', 8)] });
    for (const status of ['cancelled', 'no_show'] as const)
      await evening('20:00', '21:30', { status, party: 6 });
    await evening('20:00', '21:30', { party: 4, tables: [tableId('t1')] });
    expect(await free(TOMORROW, 2)).toContain('20:00');
    expect(await free(TOMORROW, 3)).not.toContain('20:00');
    expect(await free(TOMORROW, 3)).toContain('20:30');
    expect(await free(TOMORROW, 7)).toEqual([]);
    await evening('20:00', '21:30', { party: 2, tables: [tableId('t2')], status: 'seated' });
    expect(await free(TOMORROW, 1)).not.toContain('20:00');
  });
});

describe('a refused request', () => {
  test('for a branch that takes no bookings answers the 404 of an unknown branch', async () => {
    await open({ enabled: false });
    const off = await world.get(addressOf(TOMORROW));
    const unknown = await world.get(addressOf(TOMORROW).replace(branchId(), branchId('nowhere')));
    expect([off.status, off.text]).toEqual([404, unknown.text]);
    await open({}, { active: false });
    expect((await world.get(addressOf(TOMORROW))).text).toBe(unknown.text);
  });

  test('with a missing or malformed date or party size names the field', async () => {
    await open();
    const address = `/public/branches/${branchId()}/booking-slots`;
    const refusal = await world.refused(address);
    expect(refusal.fields?.map(({ path }) => path)).toEqual(['date', 'party_size']);
    for (const date of [
      '2026-02-30',
      '2026-11-5',
      '20261121',
      '2026-11-21T00:00',
      '٢٠٢٦-١١-٢١',
      '0000-00-00',
      '+2026-11-21',
      '',
    ])
      expect(await world.refused(addressOf(date))).toMatchObject({ status: 400, fields: [{ path: 'date' }] });
  });
});

describe('nights with a clock change in Cairo', () => {
  const steps = (list: readonly string[]): Set<number> =>
    new Set(
      list.slice(1).map((start, index) => (Date.parse(start) - Date.parse(list[index] ?? '')) / 60_000),
    );

  test.each([
    ['2026-04-23', '18:00', '22:30', 10],
    ['2026-10-29', '17:00', '23:30', 14],
    ['2027-04-29', '18:00', '22:30', 10],
    ['2027-10-28', '17:00', '23:30', 14],
  ])(
    '%s: starts from 20:00 to 03:00 are 30 real minutes apart, without duplicates',
    async (date, first, last, count) => {
      await open({ hours: daily('20:00', '03:00') });
      world.now = Date.parse(`${date}T08:00:00Z`);
      const all = await starts(date);
      expect([all[0], all.at(-1), all.length]).toEqual([
        `${date}T${first}:00.000Z`,
        `${date}T${last}:00.000Z`,
        count,
      ]);
      expect(steps(all)).toEqual(new Set([30]));
      expect(new Set(all).size).toBe(all.length);
    },
  );

  test('two openings that overlap in the doubled hour list each instant once', async () => {
    await open({
      hours: [...daily('18:00', '23:30'), ...daily('23:00', '03:00')],
      default_duration_minutes: 30,
    });
    world.now = Date.parse('2026-10-29T08:00:00Z');
    const all = await starts('2026-10-29');
    expect([...new Set(all)].sort()).toEqual(all);
    // 18:00 is 15:00 UTC; 02:30 on the winter clock is 00:30 UTC.
    expect([all[0], all.at(-1), all.length]).toEqual([
      '2026-10-29T15:00:00.000Z',
      '2026-10-30T00:30:00.000Z',
      20,
    ]);
  });

  test('an opening in the skipped hour begins at the first instant after it', async () => {
    await open({ hours: daily('00:30', '04:00'), horizon_days: 2 });
    world.now = Date.parse('2026-04-23T08:00:00Z');
    const all = await starts('2026-04-24');
    expect([all[0], all.at(-1)]).toEqual(['2026-04-23T22:00:00.000Z', '2026-04-23T23:30:00.000Z']);
  });
});
