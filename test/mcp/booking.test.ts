/** get_booking_slots: text and object each contain the whole answer. */
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BookingTimes } from '../../src/bookings/contract/tools.ts';
import { tools } from '../../src/service/contract/tools.ts';
import { insertBooking } from '../support/database/orders-and-bookings.ts';
import {
  aBranch,
  aShopFile,
  aTable,
  branchId,
  daily,
  openShops,
  SLUG,
  tableId,
} from '../support/shops/cafe.ts';
import type { BranchEntry } from '../support/shops/shop-file.ts';
import { callTool, toolRefusal } from '../support/server/mcp-client.ts';
import { makeWorld, type World } from '../support/server/world.ts';

type Booking = NonNullable<BranchEntry['booking']>;

const NOON = '2026-12-04T10:00:00Z';
const FRIDAY = '2026-12-04';
const BRANCH = 'بيت البن (Beit El Bunn), الزمالك (Zamalek)';
const PAGE = `https://ahwa.example/${SLUG}`;

let world: World;

const open = async (booking: Booking = {}, overrides: Partial<BranchEntry> = {}): Promise<void> => {
  const settings = { enabled: true, hours: daily('18:00', '22:00'), ...booking };
  const tables = [aTable('t1', 2), aTable('t2', 6)];
  await openShops(
    world,
    aShopFile({ branches: [aBranch({ phone: '+20 2 2735 0000', tables, ...overrides, booking: settings })] }),
  );
};

const argsOf = (date = FRIDAY, party_size = 6) => ({ branch_id: branchId(), date, party_size });
/** Checks the declared schema. */
const checkedTimes = (structured: unknown): BookingTimes => {
  const shape = tools.get_booking_slots.result;
  if (!Value.Check(shape, structured)) throw new Error(JSON.stringify(Value.Errors(shape, structured)));
  return structured;
};
const times = async (date?: string, party?: number): Promise<{ text: string; times: BookingTimes }> => {
  const { text, structured, isError } = await callTool(world, 'get_booking_slots', argsOf(date, party));
  expect(isError, text).toBe(false);
  return { text, times: checkedTimes(structured) };
};
const headline = async (date?: string, party?: number): Promise<string> =>
  (await times(date, party)).text.split('\n')[0] ?? '';
const refused = (args: object = {}): Promise<string> =>
  toolRefusal(world, 'get_booking_slots', { ...argsOf(), ...args });

/** Winter time in Cairo. */
const cairo = (time: string, date = FRIDAY): string => new Date(`${date}T${time}:00+02:00`).toISOString();
const takeTables = (from: string, to: string): Promise<string> =>
  insertBooking(world, {
    serviceDate: FRIDAY,
    startsAt: cairo(from),
    endsAt: cairo(to),
    // Seated guests stay where they are.
    ...{ tables: [tableId('t1'), tableId('t2')], status: 'seated' },
  });

type Kind = 'free' | 'taken' | 'late';
const HEADINGS: Readonly<Record<string, Kind>> = { Free: 'free', Taken: 'taken', Not: 'taken', Past: 'late' };

/** Every start in the text with its state. */
const starts = (text: string): Map<string, Kind> => {
  const found = new Map<string, Kind>();
  let kind: Kind | null = null;
  for (const line of text.split('\n')) {
    if (!line.startsWith('- ')) kind = HEADINGS[/^\w+/.exec(line)?.[0] ?? ''] ?? null;
    const [, start] = /^- .*\((.+Z)\)$/.exec(line) ?? [];
    if (start === undefined) continue;
    if (kind === null || found.has(start))
      throw new Error(`${start} is under no heading, or twice:\n${text}`);
    found.set(start, kind);
  }
  return found;
};
const kindOf = (slot: BookingTimes['slots'][number]): Kind =>
  slot.available ? 'free' : slot.too_soon === true ? 'late' : 'taken';

beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(async () => {
  world.now = Date.parse(NOON);
  await world.db.kysely.deleteFrom('booking').execute();
});
afterAll(() => world.close());

describe('the answer of get_booking_slots', () => {
  test('counts free times first, then lists free and taken starts and the booking link', async () => {
    await open({ hours: daily('18:00', '23:00') });
    await takeTables('19:30', '20:00');
    const { text, times: result } = await times();
    expect(text).toBe(`5 free times for 6 on Friday 4 December 2026 at ${BRANCH}.
Times are on the branch's clock (Africa/Cairo), each with its UTC start in brackets.
Free:
- 18:00 (2026-12-04T16:00:00.000Z)
- 20:00 (2026-12-04T18:00:00.000Z)
- 20:30 (2026-12-04T18:30:00.000Z)
- 21:00 (2026-12-04T19:00:00.000Z)
- 21:30 (2026-12-04T19:30:00.000Z)
Taken (no room for 6):
- 18:30 (2026-12-04T16:30:00.000Z)
- 19:00 (2026-12-04T17:00:00.000Z)
- 19:30 (2026-12-04T17:30:00.000Z)
Nothing is booked here. To book, the person opens ${PAGE}/book
shop: beit-el-bunn, date: 2026-12-04, branch_id: ${branchId()}`);
    const { slots, ...others } = result;
    expect(others).toEqual({
      shop: SLUG,
      shop_name: 'بيت البن',
      shop_name_translations: { en: 'Beit El Bunn' },
      branch_id: branchId(),
      branch_name: 'الزمالك',
      branch_name_translations: { en: 'Zamalek' },
      date: FRIDAY,
      weekday: 'Friday',
      timezone: 'Africa/Cairo',
      party_size: 6,
      book_url: `${PAGE}/book`,
    });
    expect(slots.slice(0, 2)).toEqual([
      { starts_at: '2026-12-04T16:00:00.000Z', local: '2026-12-04T18:00+02:00', available: true },
      { starts_at: '2026-12-04T16:30:00.000Z', local: '2026-12-04T18:30+02:00', available: false },
    ]);
  });

  test('has the singular for one free time', async () => {
    await open({ hours: daily('18:00', '19:30') });
    expect(await headline()).toBe(`1 free time for 6 on Friday 4 December 2026 at ${BRANCH}.`);
  });

  test('states that no time is free and how many are taken', async () => {
    await open({ hours: daily('18:00', '23:00') });
    await takeTables('18:00', '23:00');
    expect(await headline()).toBe(
      `No free times for 6 on Friday 4 December 2026 at ${BRANCH}; 8 starts are taken.`,
    );
    await open({ hours: daily('18:00', '19:30') });
    expect(await headline()).toContain('; 1 start is taken.');
  });

  test('lists starts that are past or too soon apart from taken ones', async () => {
    await open({ hours: daily('12:00', '15:30'), lead_time_minutes: 60 });
    await takeTables('13:30', '15:30');
    // Noon in Cairo: bookings start at 13:00.
    const { text, times: result } = await times();
    expect(result.slots.map(({ local, ...slot }) => [local.slice(11, 16), kindOf(slot as never)])).toEqual([
      ['12:00', 'late'],
      ['12:30', 'late'],
      ['13:00', 'taken'],
      ['13:30', 'taken'],
      ['14:00', 'taken'],
    ]);
    expect(text).toContain('; 3 starts are taken and 2 are past or too soon.\n');
    expect(text).toContain(`Past, or too soon to be booked:
- 12:00 (2026-12-04T10:00:00.000Z)
- 12:30 (2026-12-04T10:30:00.000Z)
`);
    world.now = Date.parse(cairo('15:00'));
    expect(await headline()).toContain(
      '; 5 starts are past or too soon, as a table is booked at least 1 hour ahead.',
    );
  });

  test('makes a free start too soon the millisecond after its lead time begins', async () => {
    await open({ hours: daily('12:00', '15:30'), lead_time_minutes: 60 });
    const late = async (): Promise<string[]> =>
      (await times()).times.slots.filter(({ too_soon }) => too_soon).map(({ local }) => local.slice(11, 16));
    expect(await late()).toEqual(['12:00', '12:30']);
    world.now = Date.parse(cairo('12:30'));
    expect(await late()).toEqual(['12:00', '12:30', '13:00']);
    world.now = Date.parse(cairo('13:00'));
    expect(await late()).toEqual(['12:00', '12:30', '13:00', '13:30']);
    world.now += 1;
    expect(await late()).toEqual(['12:00', '12:30', '13:00', '13:30', '14:00']);
  });

  test('makes a taken start too soon the millisecond after its lead time begins', async () => {
    await open({ hours: daily('12:00', '15:30'), lead_time_minutes: 60 });
    await takeTables('12:00', '15:30');
    expect(await headline()).toContain('; 3 starts are taken and 2 are past or too soon.');
    world.now = Date.parse(cairo('12:00')) + 1;
    expect(await headline()).toContain('; 2 starts are taken and 3 are past or too soon.');
  });

  test('shows a new booking', async () => {
    await open({ hours: daily('18:00', '23:00') });
    expect(await headline()).toMatch(/^8 free times/);
    await takeTables('18:00', '23:00');
    expect(await headline()).toMatch(/^No free times/);
  });

  test('states that the branch is closed for bookings on a day without starts', async () => {
    await open({ dated_hours: [{ from: FRIDAY, hours: [] }] });
    const { text, times: result } = await times();
    expect([result.slots, result.next_free_date]).toEqual([[], '2026-12-05']);
    expect(text)
      .toBe(`No bookings are taken on Friday 4 December 2026 at ${BRANCH}: it is closed for bookings that day.
The next date with a free time for 6 is Saturday 5 December 2026 (2026-12-05).
The branch's time zone is Africa/Cairo.
Nothing is booked here. To book, the person opens ${PAGE}/book
shop: beit-el-bunn, date: 2026-12-04, branch_id: ${branchId()}`);
  });
});

describe('times on the branch’s clock', () => {
  test('a start after midnight has its own weekday and date', async () => {
    await open({ hours: daily('22:00', '02:00') });
    const { text } = await times();
    expect(text).toContain(
      '\nA start after midnight belongs to the evening before, and is listed under its date.\n',
    );
    expect(text).toContain(`- 23:30 (2026-12-04T21:30:00.000Z)
- 00:00 on Saturday 5 December 2026 (2026-12-04T22:00:00.000Z)
- 00:30 on Saturday 5 December 2026 (2026-12-04T22:30:00.000Z)`);
  });

  test('when the clocks go back, two starts with one local time are distinguished', async () => {
    world.now = Date.parse('2026-10-29T08:00:00Z');
    await open({ hours: daily('22:00', '02:00') });
    const { text, times: result } = await times('2026-10-29');
    expect(text.split('\n').filter((line) => line.startsWith('- '))).toEqual([
      '- 22:00 (2026-10-29T19:00:00.000Z)',
      '- 22:30 (2026-10-29T19:30:00.000Z)',
      '- 23:00, before the clocks go back (2026-10-29T20:00:00.000Z)',
      '- 23:30, before the clocks go back (2026-10-29T20:30:00.000Z)',
      '- 23:00, after the clocks go back (2026-10-29T21:00:00.000Z)',
      '- 23:30, after the clocks go back (2026-10-29T21:30:00.000Z)',
      '- 00:00 on Friday 30 October 2026 (2026-10-29T22:00:00.000Z)',
      '- 00:30 on Friday 30 October 2026 (2026-10-29T22:30:00.000Z)',
    ]);
    expect(result.slots.map(({ local }) => local.slice(11)).slice(2, 5)).toEqual([
      '23:00+03:00',
      '23:30+03:00',
      '23:00+02:00',
    ]);
  });

  test('when the clocks go back, starts of the repeated hour are always marked', async () => {
    world.now = Date.parse('2026-10-29T08:00:00Z');
    await open({ hours: daily('22:00', '01:30'), slot_minutes: 45 });
    const { text } = await times('2026-10-29');
    expect(text).toContain(`- 22:45 (2026-10-29T19:45:00.000Z)
- 23:30, before the clocks go back (2026-10-29T20:30:00.000Z)
- 23:15, after the clocks go back (2026-10-29T21:15:00.000Z)
- 00:00 on Friday 30 October 2026 (2026-10-29T22:00:00.000Z)`);
  });

  test('when the clocks go forward, no start is marked', async () => {
    world.now = Date.parse('2026-04-23T08:00:00Z');
    await open({ hours: daily('23:00', '03:00') });
    const { text } = await times('2026-04-23');
    expect(text).toContain(`- 23:30 (2026-04-23T21:30:00.000Z)
- 01:00 on Friday 24 April 2026 (2026-04-23T22:00:00.000Z)`);
  });

  test('a zone west of Greenwich with a half-hour offset is exact', async () => {
    await open({ hours: daily('20:00', '21:30') }, { time_zone: 'America/St_Johns' });
    const { text, times: result } = await times();
    expect(text).toContain('(America/St_Johns)');
    expect(text).toContain('- 20:00 (2026-12-04T23:30:00.000Z)');
    expect(result.slots[0]?.local).toBe('2026-12-04T20:00-03:30');
  });
});

describe('text and object, each by itself', () => {
  const quarters = fc.integer({ min: 0, max: 95 });
  const clock = quarters.map((quarter) => new Date(quarter * 900_000).toISOString().slice(11, 16));
  const settings = fc.record({
    hours: fc.uniqueArray(fc.record({ open: clock, close: clock }), {
      minLength: 1,
      maxLength: 3,
      selector: (range) => range.open,
    }),
    slot_minutes: fc.constantFrom(15 as const, 20 as const, 30 as const, 45 as const, 60 as const),
    default_duration_minutes: fc.integer({ min: 15, max: 240 }),
    lead_time_minutes: fc.integer({ min: 0, max: 600 }),
  });
  // Around an ordinary noon, and around both clock changes of Cairo.
  const moment = fc
    .tuple(fc.constantFrom('2026-12-04', '2026-10-29', '2026-04-23'), fc.integer({ min: 0, max: 36 * 60 }))
    .map(([date, minute]) => Date.parse(date) + minute * 60_000);

  test('have every start of the API with its state, for any branch and instant', async () => {
    await fc.assert(
      fc.asyncProperty(
        settings,
        moment,
        fc.integer({ min: 1, max: 8 }),
        fc.nat(1),
        async (booking, now, party, days) => {
          world.now = now;
          await open(booking);
          const bounds = await world.refused(
            `/public/branches/${branchId()}/booking-slots?date=2000-01-01&party_size=1`,
          );
          const date = new Date(Date.parse(String(bounds.vars?.['first'])) + days * 86_400_000)
            .toISOString()
            .slice(0, 10);
          const api = await world.read(
            'getBookingSlots',
            `/public/branches/${branchId()}/booking-slots?date=${date}&party_size=${party}`,
          );
          const { text, times: result } = await times(date, party);
          expect(
            result.slots.map(({ starts_at, available, too_soon }) => ({
              starts_at,
              available,
              reason: available ? null : too_soon === true ? 'too_soon' : 'taken',
            })),
          ).toEqual(api.slots);
          expect(result.timezone).toBe(api.timezone);
          const soonest = now + booking.lead_time_minutes * 60_000;
          for (const slot of result.slots) {
            expect(Date.parse(slot.local)).toBe(Date.parse(slot.starts_at));
            expect(slot.too_soon ?? false).toBe(Date.parse(slot.starts_at) < soonest);
          }
          expect([...starts(text)].sort()).toEqual(
            result.slots.map((slot) => [slot.starts_at, kindOf(slot)]).sort(),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  test('have no empty translations for a shop in one language', async () => {
    const branch = aBranch({
      name: { ar: 'الزمالك' },
      tables: [aTable('t', 6)],
      booking: { enabled: true },
    });
    await openShops(world, aShopFile({ name: { ar: 'بيت البن' }, branches: [branch] }));
    const { text, times: result } = await times();
    expect(text.split('\n')[0]).toContain('2026 at بيت البن, الزمالك.');
    expect(Object.keys(result).filter((key) => key.endsWith('translations'))).toEqual([]);
  });
});

describe('a refusal of get_booking_slots', () => {
  test('names an unknown branch id and refers to get_shop', async () => {
    await open();
    const unknown = branchId('nowhere');
    const text = await refused({ branch_id: unknown });
    expect(text).toBe(
      `There is no branch with the id "${unknown}". Branch ids come from get_shop: call it with the shop's address name and take the id of one of its branches.`,
    );
    await open({}, { active: false });
    expect(await refused()).toBe(text.replace(unknown, branchId()));
  });

  test('of a branch without bookings gives its phone, if shown, and the shop’s page', async () => {
    await open({ enabled: false });
    const none = `${BRANCH} takes no table bookings online. No branch of the shop takes them. Otherwise the person can`;
    expect(await refused()).toBe(
      `${none} call the branch at "+20 2 2735 0000", or see the shop's page, ${PAGE}.`,
    );
    await openShops(world, aShopFile());
    expect(await refused()).toBe(`${none} see the shop's page, ${PAGE}.`);
  });

  test('has no phone that the links page hides', async () => {
    const branch = aBranch({ phone: '+20 2 2735 0000' });
    await openShops(world, aShopFile({ branches: [branch], links: { show_branches: false } }));
    expect(await refused()).not.toContain('2735');
  });

  test('of a date out of range names the first and last bookable date', async () => {
    await open({ horizon_days: 7 });
    const range = `bookings are taken from Friday 4 December 2026 (2026-12-04, today there) to Friday 11 December 2026 (2026-12-11). Call again with such a date.`;
    expect(await refused({ date: '2026-12-03' })).toBe(
      `Thursday 3 December 2026 (2026-12-03) cannot be booked at ${BRANCH}: ${range}`,
    );
    expect(await refused({ date: '2026-12-12' })).toContain(`Saturday 12 December 2026 (2026-12-12) cannot`);
    await open({ horizon_days: 0 });
    expect(await refused({ date: '2026-12-05' })).toContain(
      'bookings are taken for Friday 4 December 2026 (2026-12-04, today there) alone.',
    );
  });

  test('of a party out of bounds names the bounds and whom to call', async () => {
    await open({ min_party: 2, max_party: 6 });
    expect(await refused({ party_size: 15 })).toBe(
      `${BRANCH} takes bookings for parties of 2 to 6, and 15 were asked for. For a larger party, the person can call the branch at "+20 2 2735 0000", or see the shop's page, ${PAGE}. For a party of 2 to 6, call again.`,
    );
    const quiet = aBranch({ booking: { enabled: true, min_party: 4, max_party: 4 } });
    await openShops(world, aShopFile({ branches: [quiet] }));
    const text = await refused({ party_size: 1 });
    expect(text).toContain('parties of 4, and 1 was asked for. For a smaller party, the person can see the');
  });

  test('lists a wrong date and a wrong party together', async () => {
    await open({ max_party: 6, horizon_days: 7 });
    const lines = (await refused({ date: '2026-12-30', party_size: 15 })).split('\n');
    expect(lines).toEqual([
      expect.stringContaining('Wednesday 30 December 2026 (2026-12-30) cannot be booked'),
      expect.stringContaining('takes bookings for parties of 1 to 6, and 15 were asked for.'),
    ]);
  });

  test('is not cached: the same call is answered once the branch takes bookings', async () => {
    await open({ enabled: false });
    await refused();
    await open();
    expect(await headline()).toMatch(/^6 free times for 6/);
  });
});
