/** GET /public/branches: which branches, their order, and opening state. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { branchScope } from '../../src/kernel/change.ts';
import { recordChanges } from '../../src/platform/store/change-log.ts';
import { aBranch, aShopFile, branchId, daily, openShops, shopId } from '../support/shops/cafe.ts';
import type { BranchEntry } from '../support/shops/shop-file.ts';
import { insert } from '../support/database/rows.ts';
import { makeWorld, type ReadOf, type World } from '../support/server/world.ts';

type Branch = ReadOf<'listBranches'>[number];

let world: World;
let shops = 0;
let slug = '';

/** A new shop with these branches. */
const open = async (...branches: readonly BranchEntry[]): Promise<void> => {
  slug = `shop-${(shops += 1)}`;
  await openShops(world, aShopFile({ slug, branches: [...branches] }));
};
const list = (query = ''): Promise<Branch[]> =>
  world.read('listBranches', `/public/branches?org_id=${shopId(slug)}${query}`);
const only = async (): Promise<Branch> => {
  const [branch] = await list('&browse=true');
  if (branch === undefined) throw new Error('no branch');
  return branch;
};
/** Whether pickup is open at a time; the clock may move backwards. */
const isOpen = async (moment: string): Promise<boolean> => {
  world.now = Date.parse(moment);
  return (await only()).pickup_open_now;
};
/** Closed one millisecond before, open at the time. */
const opensAt = async (moment: string): Promise<void> => {
  expect([await isOpen(new Date(Date.parse(moment) - 1).toISOString()), await isOpen(moment)]).toEqual([
    false,
    true,
  ]);
};
const closesAt = async (moment: string): Promise<void> => {
  expect([await isOpen(new Date(Date.parse(moment) - 1).toISOString()), await isOpen(moment)]).toEqual([
    true,
    false,
  ]);
};

const withMode = (mode: 'open' | 'closed' | 'auto', until?: string): BranchEntry =>
  aBranch({ channels: { pickup: { state: { mode, ...(until === undefined ? {} : { until }) } } } });

beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

describe('the list of branches', () => {
  test('has branches with an online channel; with browse=true every active branch', async () => {
    await open(
      aBranch({ key: 'a', name: 'ا', code: 'A' }),
      aBranch({ key: 'b', name: 'ب', code: 'B', channels: {} }),
      aBranch({ key: 'c', name: 'ت', code: 'C', channels: { pickup: { enabled: false } } }),
      aBranch({ key: 'd', name: 'ث', code: 'D', active: false }),
      aBranch({ key: 'e', name: 'ج', code: 'E', channels: { umbrella: { state: { mode: 'closed' } } } }),
    );
    expect((await list()).map(({ name }) => name)).toEqual(['ا', 'ج']);
    expect((await list('&browse=false')).map(({ name }) => name)).toEqual(['ا', 'ج']);
    expect((await list('&browse=true')).map(({ name }) => name)).toEqual(['ا', 'ب', 'ت', 'ج']);
  });

  test('leaves out an archived branch', async () => {
    await open(aBranch(), aBranch({ key: 'old', code: 'OLD', name: 'قديم' }));
    await openShops(world, aShopFile({ slug }));
    expect((await list('&browse=true')).map(({ code }) => code)).toEqual(['ZML']);
  });

  test('is ordered by the code points of the NFC name', async () => {
    const names = ['\u{10400}', '\uff21', 'e\u0301b', '\u00e9a', 'z', 'Z', 'e', 'f', 'ا', '9', 'ea'];
    await open(...names.map((name, index) => aBranch({ key: `k${index}`, name, code: `C${index}` })));
    expect((await list()).map(({ name }) => name.normalize('NFC'))).toEqual([
      '9',
      'Z',
      'e',
      'ea',
      'f',
      'z',
      '\u00e9a',
      '\u00e9b',
      'ا',
      '\uff21',
      '\u{10400}',
    ]);
  });

  test('is empty for a shop without branches, 400 without a shop, 404 for an unknown shop', async () => {
    await open();
    expect(await list()).toEqual([]);
    expect(await world.refused('/public/branches')).toMatchObject({
      status: 400,
      fields: [{ path: 'org_id' }],
    });
    expect((await world.refused(`/public/branches?org_id=${shopId('nobody')}`)).status).toBe(404);
  });

  test('has every field of a branch, with tax and service rates as fractions', async () => {
    world.now = Date.parse('2026-11-20T18:00:00Z');
    const channels = {
      in_mall: { hours: [{ open: '10:00', close: '12:00' }] },
      outside: {},
      umbrella: { enabled: false },
    };
    await open(
      aBranch({
        channels,
        tax: { rate: 0.145, inclusive: false },
        service_charge: { rate: 0.125, taxable: true },
        otp_required: false,
        in_mall_require_location: false,
      }),
    );
    const { hours, ...others } = await only();
    expect(Object.keys(hours).sort()).toEqual(['in_mall', 'outside']);
    expect(others).toEqual({
      id: branchId('zamalek', slug),
      name: 'الزمالك',
      name_translations: { en: 'Zamalek' },
      code: 'ZML',
      in_mall_enabled: true,
      outside_enabled: true,
      umbrella_enabled: false,
      pickup_enabled: false,
      in_mall_open_now: false,
      outside_open_now: true,
      umbrella_open_now: false,
      pickup_open_now: false,
      in_mall_opens_at: '2026-11-21T08:00:00.000Z',
      outside_opens_at: null,
      umbrella_opens_at: null,
      pickup_opens_at: null,
      timezone: 'Africa/Cairo',
      otp_required: false,
      in_mall_require_location: false,
      tax_policy: { tax_rate: 0.145, tax_inclusive: false, delivery_fee_taxable: false },
      service_charge_rate: 0.125,
    });
    await open(aBranch());
    expect(await only()).toMatchObject({
      otp_required: true,
      in_mall_require_location: true,
      tax_policy: { tax_rate: 0, tax_inclusive: true, delivery_fee_taxable: false },
      service_charge_rate: 0,
    });
  });
});

describe('open now', () => {
  test('follows the opening hours to the millisecond, in the branch’s time zone', async () => {
    await open(aBranch({ online_hours: daily('09:00', '23:00') }));
    await opensAt('2026-11-20T07:00:00.000Z');
    await closesAt('2026-11-20T21:00:00.000Z');
    // Summer time: one hour earlier.
    await opensAt('2026-07-01T06:00:00.000Z');
    await closesAt('2026-07-01T20:00:00.000Z');
    await open(aBranch({ online_hours: daily('09:00', '23:00'), time_zone: 'Asia/Dubai' }));
    await opensAt('2026-11-20T05:00:00.000Z');
  });

  test('lasts past midnight for hours that belong to the day on which they began', async () => {
    await open(aBranch({ online_hours: [{ days: ['thu'], open: '18:00', close: '02:00' }] }));
    await opensAt('2026-11-19T16:00:00.000Z');
    expect(await isOpen('2026-11-19T22:30:00.000Z')).toBe(true);
    await closesAt('2026-11-20T00:00:00.000Z');
    expect(await isOpen('2026-11-20T16:30:00.000Z')).toBe(false);
  });

  test('lasts 24 hours where closing equals opening, and supports several ranges a day', async () => {
    await open(aBranch({ online_hours: [{ days: ['fri'], open: '09:00', close: '09:00' }] }));
    await opensAt('2026-11-20T07:00:00.000Z');
    await closesAt('2026-11-21T07:00:00.000Z');
    await open(aBranch({ online_hours: [...daily('08:00', '12:00'), ...daily('16:00', '22:00')] }));
    await closesAt('2026-11-20T10:00:00.000Z');
    await opensAt('2026-11-20T14:00:00.000Z');
    await open(aBranch({ online_hours: daily('00:00', '00:00') }));
    for (const moment of [
      '2026-11-19T21:59:59.999Z',
      '2026-11-19T22:00:00Z',
      '2026-04-23T22:00:00Z',
      '2026-10-29T21:00:00Z',
    ])
      expect(await isOpen(moment)).toBe(true);
  });

  test('follows a channel’s own hours instead of the branch’s', async () => {
    await open(
      aBranch({ channels: { pickup: { hours: [{ open: '12:00', close: '13:00' }] }, outside: {} } }),
    );
    await opensAt('2026-11-20T10:00:00.000Z');
    expect((await only()).outside_open_now).toBe(true);
    await closesAt('2026-11-20T11:00:00.000Z');
    expect((await only()).outside_open_now).toBe(true);
  });
});

describe('the hours of the coming days', () => {
  const daysOf = async (moment: string) => {
    world.now = Date.parse(moment);
    return (await only()).hours.pickup ?? [];
  };

  test('are of seven dates, nights included, with dated changes in place of the weekly hours', async () => {
    await open(
      aBranch({
        online_hours: daily('18:00', '02:00'),
        online_dated_hours: [
          { from: '2026-12-25', hours: [] },
          { from: '2026-12-26', hours: [...daily('10:00', '12:00'), ...daily('13:00', '14:00')] },
        ],
      }),
    );
    const night = (date: string, next: string) => ({
      ...{ date, is_changed: false },
      ranges: [{ opens_at: `${date}T16:00:00.000Z`, closes_at: `${next}T00:00:00.000Z` }],
    });
    expect(await daysOf('2026-12-23T12:00:00Z')).toEqual([
      night('2026-12-23', '2026-12-24'),
      night('2026-12-24', '2026-12-25'),
      { date: '2026-12-25', is_changed: true, ranges: [] },
      {
        ...{ date: '2026-12-26', is_changed: true },
        ranges: [
          { opens_at: '2026-12-26T08:00:00.000Z', closes_at: '2026-12-26T10:00:00.000Z' },
          { opens_at: '2026-12-26T11:00:00.000Z', closes_at: '2026-12-26T12:00:00.000Z' },
        ],
      },
      night('2026-12-27', '2026-12-28'),
      night('2026-12-28', '2026-12-29'),
      night('2026-12-29', '2026-12-30'),
    ]);
  });

  test('begin with the day that is being served, until it ends', async () => {
    await open(aBranch({ online_hours: daily('18:00', '02:00') }));
    for (const [moment, first] of [
      ['2026-12-23T23:30:00.000Z', '2026-12-23'],
      ['2026-12-24T02:59:59.999Z', '2026-12-23'],
      ['2026-12-24T03:00:00.000Z', '2026-12-24'],
    ] as const)
      expect((await daysOf(moment))[0]?.date).toBe(first);
  });

  test('begin with a night that goes on after the business day has begun, paused or not, until it ends', async () => {
    for (const paused of [{}, { channels: { pickup: { state: { mode: 'closed' as const } } } }]) {
      await open(aBranch({ online_hours: daily('20:00', '06:30'), ...paused }));
      for (const [moment, first] of [
        ['2026-11-30T03:00:00.000Z', '2026-11-29'],
        ['2026-11-30T04:29:59.999Z', '2026-11-29'],
        ['2026-11-30T04:30:00.000Z', '2026-11-30'],
      ] as const) {
        const days = await daysOf(moment);
        expect([days.length, days[0]?.date]).toEqual([7, first]);
      }
    }
  });

  test('do not follow a pause, and leave out channels that are not offered', async () => {
    await open(withMode('closed'));
    const [first] = await daysOf('2026-11-20T18:00:00Z');
    expect(first?.ranges).toHaveLength(1);
    expect(Object.keys((await only()).hours)).toEqual(['pickup']);
  });

  test('have the length of the night in which the clock changes', async () => {
    await open(aBranch({ online_hours: daily('18:00', '03:00') }));
    const hoursOf = async (moment: string): Promise<number> => {
      const [range] = (await daysOf(moment))[0]?.ranges ?? [];
      if (range === undefined) throw new Error('closed');
      return (Date.parse(range.closes_at) - Date.parse(range.opens_at)) / 3_600_000;
    };
    expect(await hoursOf('2026-04-23T12:00:00Z')).toBe(8);
    expect(await hoursOf('2026-10-29T12:00:00Z')).toBe(10);
  });
});

describe('dated hours', () => {
  test('a closed date does not cut the night that began before it', async () => {
    await open(
      aBranch({
        online_hours: daily('18:00', '02:00'),
        online_dated_hours: [{ from: '2026-12-25', hours: [] }],
      }),
    );
    await closesAt('2026-12-25T00:00:00.000Z');
    for (const moment of ['2026-12-25T16:00:00Z', '2026-12-25T20:00:00Z', '2026-12-25T23:00:00Z'])
      expect(await isOpen(moment)).toBe(false);
    await opensAt('2026-12-26T16:00:00.000Z');
  });

  test('Ramadan hours replace the weekly hours, and a feast day inside Ramadan replaces both', async () => {
    const ramadan = { from: '2027-02-08', to: '2027-03-09', hours: [{ open: '17:00', close: '03:00' }] };
    const feast = { from: '2027-02-20', hours: [{ open: '10:00', close: '12:00' }] };
    for (const dated of [
      [ramadan, feast],
      [feast, ramadan],
    ]) {
      await open(aBranch({ online_dated_hours: dated }));
      await closesAt('2027-02-07T21:00:00.000Z');
      await opensAt('2027-02-08T15:00:00.000Z');
      await closesAt('2027-02-09T01:00:00.000Z');
      await opensAt('2027-02-20T08:00:00.000Z');
      await closesAt('2027-02-20T10:00:00.000Z');
      expect(await isOpen('2027-02-20T20:00:00Z')).toBe(false);
      await closesAt('2027-03-10T01:00:00.000Z');
      await opensAt('2027-03-10T07:00:00.000Z');
    }
  });
});

describe('nights with a clock change in Cairo', () => {
  test.each([
    ['2026', '2026-04-23', '2026-10-29'],
    ['2027', '2027-04-29', '2027-10-28'],
  ])(
    '%s: a skipped time is the end of the gap; a doubled time opens at its first pass and closes at its second',
    async (_, spring, autumn) => {
      // 00:00 to 01:00 does not exist; the local time is 01:00 at 22:00 UTC.
      await open(aBranch({ online_hours: daily('18:00', '00:30') }));
      await closesAt(`${spring}T22:00:00.000Z`);
      await open(aBranch({ online_hours: daily('00:30', '05:00') }));
      await opensAt(`${spring}T22:00:00.000Z`);
      await open(aBranch({ online_hours: daily('18:00', '00:00') }));
      await closesAt(`${spring}T22:00:00.000Z`);
      await open(aBranch({ online_hours: daily('20:00', '02:00') }));
      await closesAt(`${spring}T23:00:00.000Z`);
      // 23:00 to 24:00 occurs twice: at 20:00 UTC and again at 21:00 UTC.
      await open(aBranch({ online_hours: daily('18:00', '23:30') }));
      await closesAt(`${autumn}T21:30:00.000Z`);
      await open(aBranch({ online_hours: daily('23:15', '03:00') }));
      await opensAt(`${autumn}T20:15:00.000Z`);
      await open(aBranch({ online_hours: daily('18:00', '23:00') }));
      await closesAt(`${autumn}T21:00:00.000Z`);
      await open(aBranch({ online_hours: daily('18:00', '00:00') }));
      await closesAt(`${autumn}T22:00:00.000Z`);
    },
  );

  test('hours wholly inside the skipped hour do not open that night', async () => {
    await open(aBranch({ online_hours: [{ days: ['fri'], open: '00:10', close: '00:40' }] }));
    for (const moment of ['2026-04-23T21:59:59.999Z', '2026-04-23T22:00:00Z', '2026-04-23T22:20:00Z'])
      expect(await isOpen(moment)).toBe(false);
    await opensAt('2026-04-30T21:10:00.000Z');
  });
});

describe('channel modes', () => {
  test('a pause closes a channel inside its hours, until the end of the pause if any', async () => {
    await open(withMode('closed'));
    expect(await isOpen('2026-11-20T18:00:00Z')).toBe(false);
    await open(withMode('closed', '2026-11-20T18:30:00Z'));
    expect(await isOpen('2026-11-20T17:00:00Z')).toBe(false);
    await opensAt('2026-11-20T18:30:00.000Z');
    await closesAt('2026-11-20T21:00:00.000Z');
  });

  test('a forced opening opens a channel outside its hours, until its end if any, then the hours apply', async () => {
    await open(withMode('open'));
    expect(await isOpen('2026-11-20T02:00:00Z')).toBe(true);
    await open(withMode('open', '2026-11-20T22:15:00Z'));
    expect(await isOpen('2026-11-20T21:00:00Z')).toBe(true);
    await closesAt('2026-11-20T22:15:00.000Z');
    await opensAt('2026-11-21T07:00:00.000Z');
  });

  test('a forced opening does not open a channel that is not offered', async () => {
    await open(aBranch({ channels: { pickup: { enabled: false, state: { mode: 'open' } } } }));
    expect(await isOpen('2026-11-20T18:00:00Z')).toBe(false);
  });
});

describe('a branch that needs an open till', () => {
  const setTill = async (status: 'open' | 'closed'): Promise<void> => {
    const org_id = shopId(slug);
    const id = branchId('zamalek', slug);
    await world.db.kysely.deleteFrom('till').where('org_id', '=', org_id).execute();
    const closed_at = status === 'open' ? null : '2026-11-20T10:00:00Z';
    const times = { opened_at: '2026-11-20T07:00:00Z', closed_at };
    await insert(world.db.kysely, 'till', {
      org_id,
      id: crypto.randomUUID(),
      branch_id: id,
      status,
      ...times,
    });
    const change = { scope: branchScope(id), type: 'till', id, op: 'upsert' } as const;
    await world.db.tx((tx) => recordChanges(tx, org_id, [change], world.now));
    await world.hearOfChanges();
  };

  test('is open online only while a till is open, whatever its channel mode or hours', async () => {
    for (const mode of ['auto', 'open'] as const) {
      await open(aBranch({ online_needs_open_till: true, channels: { pickup: { state: { mode } } } }));
      expect(await isOpen('2026-11-20T18:00:00Z')).toBe(false);
      await setTill('open');
      expect(await isOpen('2026-11-20T18:00:00Z')).toBe(true);
      await setTill('closed');
      expect(await isOpen('2026-11-20T18:00:00Z')).toBe(false);
    }
    await open(
      aBranch({ online_needs_open_till: true, channels: { pickup: { state: { mode: 'closed' } } } }),
    );
    await setTill('open');
    expect(await isOpen('2026-11-20T18:00:00Z')).toBe(false);
  });

  test('a branch that needs no till is open online with its till closed', async () => {
    await open(aBranch());
    await setTill('closed');
    expect(await isOpen('2026-11-20T18:00:00Z')).toBe(true);
  });
});
