/** Semantic faults of the shop, its branches and references. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aBranchEntry, anItemEntry, aMinimalShopFile } from '../support/shops/shop-file.ts';
import { expectOnly, testMistakes, withValue } from '../support/shops/shop-file-mistakes.ts';
import {
  faultsOfImport,
  openImportFixture,
  faultLines,
  type ImportFixture,
} from '../support/shops/shop-import.ts';

let fixture: ImportFixture;
beforeAll(async () => {
  fixture = await openImportFixture();
});
afterAll(() => fixture.close());

const branch = 'branches[0]';
const item = 'menu.items[0]';

describe('references by name', () => {
  testMistakes(() => fixture, {
    'an unknown category': [
      'menu.items[1].category',
      'قهوه',
      /names no category of this file: ‘قهوه’ — did you mean ‘قهوة’/,
    ],
    'an unknown branch': [
      `${item}.availability[0].branch`,
      'dwontown',
      /names no branch .* did you mean ‘downtown’/,
    ],
    'an unknown group': [`${item}.modifier_groups[0]`, 'السكر', /names no modifier group/],
    'an add-on twice in a list': [
      `${item}.allowed_addons[1]`,
      'حليب كامل',
      /same add-on as an entry before it/,
    ],
  });
  test('an ambiguous name is a fault that lists both places', async () => {
    const file = aMinimalShopFile({
      slug: 'namesakes',
      menu: {
        categories: [
          { key: 'a', name: 'مشروبات' },
          { key: 'b', name: 'مشروبات' },
        ],
        items: [anItemEntry({ category: 'مشروبات' })],
      },
    });
    expect(faultLines(await faultsOfImport(fixture.importText(JSON.stringify(file))))).toEqual([
      'menu.items[0].category: could mean more than one category (menu.categories[0], menu.categories[1]); use the id or a key',
    ]);
  });
});

describe('duplicates', () => {
  testMistakes(() => fixture, {
    'a key twice': [
      'loyalty.rewards[0].key',
      'cake',
      /is also the key of loyalty.rewards\[0\]/,
      'loyalty.rewards[1].key',
    ],
    'a branch code twice': ['branches[1].code', 'DT', /is also the code of branches\[0\]/],
    'the shop’s own id on an item': [
      `${item}.id`,
      'c0ffee00-0000-4000-8000-000000000001',
      /is the id of the shop itself/,
    ],
    'an id twice, once in capitals': [
      `${branch}.tables[1].id`,
      'C0FFEE00-0000-4000-8000-000000000002',
      /is also the id of menu.items\[0\]/,
    ],
    'a size twice': [
      `${item}.sizes[2]`,
      { label: { ar: 'صغير', en: 'Tiny' }, price: 1 },
      /is also the label of menu.items\[0\].sizes\[0\]/,
      `${item}.sizes[2].label`,
    ],
    'a module twice': ['links.modules[1].kind', 'menu', /is also at links.modules\[0\]/],
    'a social network twice': ['links.socials[1].key', 'whatsapp', /is also at links.socials\[0\]/],
    'a former slug equal to the current one': ['former_slugs[0]', 'rich-beans', /is also given at slug/],
    'a reserved slug': ['slug', 'public', /service’s own addresses/],
    'a reserved former slug': ['former_slugs[0]', 'mcp', /service’s own addresses/],
    'a language that a program cannot store': [
      'loyalty.program_name',
      { ar: 'ا', fr: 'b' },
      /only ar and en can/,
      'loyalty.program_name.fr',
    ],
    'a placeholder that no greeting has': [
      'loyalty.birthday.message.en',
      'Dear {name}, {points} are yours',
      /braces other than \{name\}/,
    ],
    'a placeholder in capitals': ['loyalty.win_back.message.ar', 'يا {NAME}', /braces other than \{name\}/],
  });
  test('two entities with one name need a key, except optionals of different sizes', async () => {
    const twice = aMinimalShopFile({
      menu: {
        items: [
          { name: 'شاي', price: 1 },
          { name: 'شاي', price: 2 },
        ],
      },
    });
    expect(faultLines(await faultsOfImport(fixture.importText(JSON.stringify(twice))))).toEqual([
      'menu.items[1].name: is also the name of menu.items[0]; give one of them a `key`',
    ]);
    expect(
      faultLines(
        await faultsOfImport(
          fixture.importText(JSON.stringify(withValue('menu.items[0].optionals[1].size', 'صغير'))),
        ),
      ),
    ).toEqual([
      'menu.items[0].optionals[1].name: is also the name of menu.items[0].optionals[0]; give one of them a `key`',
    ]);
    const tables = aMinimalShopFile({
      branches: [
        aBranchEntry({
          tables: [
            { label: 'T1', seats: { max: 2 } },
            { label: 'T1', seats: { max: 4 } },
          ],
        }),
      ],
    });
    expect(faultLines(await faultsOfImport(fixture.importText(JSON.stringify(tables))))).toEqual([
      'branches[0].tables[1].label: is also the name of branches[0].tables[0]; give one of them a `key`',
    ]);
  });

  test('names that look the same are equal', async () => {
    const twice = aMinimalShopFile({
      menu: {
        items: [
          { name: 'cafe\u0301', price: 1 },
          { name: 'caf\u00e9', price: 2 },
        ],
      },
    });
    expect(faultLines(await faultsOfImport(fixture.importText(JSON.stringify(twice))))).toHaveLength(1);
  });
});

describe('branches', () => {
  testMistakes(() => fixture, {
    'an unknown time zone': [`${branch}.time_zone`, 'Africa/Kairo', /names no time zone/],
    'an offset as a zone': [`${branch}.time_zone`, '+02:00', /names no time zone/],
    'a tax rate with seven decimals': [`${branch}.tax.rate`, 0.1234567, /at most six decimals/],
    'a road factor with three decimals': [`${branch}.road_factor`, 1.234, /at most two decimals/],
    'an enabled channel without hours': [
      'branches[1].channels.in_mall.hours',
      undefined,
      /enabled, and neither it nor `online_hours` has hours/,
    ],
    'an enabled channel that is never open': ['branches[1].channels.in_mall.hours', [], /enabled/],
    'dated hours of a channel without its own': [
      `${branch}.channels.outside.hours`,
      undefined,
      /needs `hours` of the channel’s own/,
      `${branch}.channels.outside.dated_hours`,
    ],
    'two openings at one time': [
      `${branch}.online_hours[2].open`,
      '08:00',
      /is on sun an opening of branches\[0\].online_hours\[1\] too/,
    ],
    'other hours twice for the same dates': [
      `${branch}.booking.dated_hours`,
      [
        { from: '2026-12-30', to: '2026-12-31', hours: [] },
        { from: '2026-12-31', hours: [] },
        { from: '2026-12-31', to: '2026-12-31', hours: [{ open: '18:00', close: '23:00' }] },
      ],
      /^is for the same dates as branches\[0\]\.booking\.dated_hours\[1\]: keep one of them$/,
      `${branch}.booking.dated_hours[2].from`,
    ],
    'a day without bookings twice': [
      `${branch}.booking.blackout_dates`,
      ['2027-01-01', '2027-01-02', '2027-01-01'],
      /^is also at branches\[0\]\.booking\.blackout_dates\[0\]$/,
      `${branch}.booking.blackout_dates[2]`,
    ],
    'dates that end before they start': [
      `${branch}.online_dated_hours[0].to`,
      '2027-01-01',
      /is before `from`/,
    ],
    'a zone with neither ring nor polygon': [
      `${branch}.delivery_zones[0].radius_meters`,
      undefined,
      /needs `radius_meters` or `polygon`, and not both/,
      `${branch}.delivery_zones[0]`,
    ],
    'a zone with both': [
      `${branch}.delivery_zones[1].radius_meters`,
      10,
      /and not both/,
      `${branch}.delivery_zones[1]`,
    ],
    'a table with more minimum than maximum seats': [
      `${branch}.tables[0].seats.min`,
      3,
      /is more than `max`/,
    ],
    'a join with an unknown table': [`${branch}.table_joins[0][1]`, 'T99', /names no table/],
    'a join of one table under two names': [
      `${branch}.table_joins[0]`,
      ['T1', 'T1 '.trim(), 'T2'],
      /same entry twice/,
    ],
    'a join twice': [`${branch}.table_joins[1]`, ['T2', 'T1'], /is there twice/],
    'a smallest party above the largest': [`${branch}.booking.min_party`, 11, /leaves no party size/],
    'booking without hours': [
      `${branch}.booking`,
      { enabled: true, hours: [] },
      /must not be empty/,
      `${branch}.booking.hours`,
    ],
  });
  test.each([
    ['of no shape', { type: 'Circle' }, /`type` must be Polygon or MultiPolygon/],
    ['without rings', { type: 'Polygon', coordinates: [] }, /list of rings/],
    [
      'that is not closed',
      {
        type: 'Polygon',
        coordinates: [
          [
            [31, 30],
            [32, 30],
            [32, 31],
            [31, 31],
          ],
        ],
      },
      /must end where it starts/,
    ],
    [
      'of three positions',
      {
        type: 'Polygon',
        coordinates: [
          [
            [31, 30],
            [32, 30],
            [31, 30],
          ],
        ],
      },
      /at least four positions/,
    ],
    [
      'with latitude first',
      {
        type: 'Polygon',
        coordinates: [
          [
            [31, 130],
            [32, 30],
            [32, 31],
            [31, 130],
          ],
        ],
      },
      /latitude must be a number from -90 to 90/,
    ],
    [
      'beyond the date line',
      {
        type: 'MultiPolygon',
        coordinates: [
          [
            [
              [181, 30],
              [32, 30],
              [32, 31],
              [181, 30],
            ],
          ],
        ],
      },
      /longitude must be/,
    ],
    ['with fields of its own', { type: 'Polygon', coordinates: [], crs: 1 }, /unknown field `crs`/],
    [
      'of words',
      {
        type: 'Polygon',
        coordinates: [
          [
            ['a', 'b'],
            [1, 1],
            [1, 2],
            ['a', 'b'],
          ],
        ],
      },
      /longitude must be/,
    ],
    [
      'folded to a line',
      {
        type: 'Polygon',
        coordinates: [
          [
            [31, 30],
            [32, 30],
            [31, 30],
            [31, 30],
          ],
        ],
      },
      /three different corners/,
    ],
  ])('a polygon %s is a fault', async (_, polygon, problem) => {
    await expectOnly(
      fixture,
      withValue('branches[0].delivery_zones[1].polygon', polygon),
      'branches[0].delivery_zones[1].polygon',
      problem,
    );
  });

  test('a ring and a maximum distance need the location of the branch', async () => {
    const faults = faultLines(
      await faultsOfImport(fixture.importText(JSON.stringify(withValue('branches[0].location', undefined)))),
    );
    expect(faults).toEqual([
      'branches[0].channels.outside.max_distance_meters: needs the branch’s `location`',
      'branches[0].delivery_zones[0].radius_meters: needs the branch’s `location`',
    ]);
  });
});

test('a pool of a programme names plain items of the menu, and rewards have names of their own', async () => {
  const coffee = { key: 'coffee', name: 'قهوة تركي', category: 'قهوة', price: 4500 };
  const combos = [{ name: 'وجبة', price: 100, slots: [{ name: 'قهوة', choices: [{ item: 'coffee' }] }] }];
  const file = aMinimalShopFile({
    slug: 'pools',
    menu: { categories: [{ name: 'قهوة' }], items: [coffee], combos },
    loyalty: {
      enabled: true,
      mode: 'visits',
      program_name: 'زيارات',
      visit_items: [{ item: 'شاي' }],
      rewards: [
        { name: 'هدية', cost: 10, items: [{ item: 'وجبة' }, { category: 'قهوة', item: 'قهوة تركي' }] },
        { name: 'هدية', cost: 12 },
      ],
      win_back: { enabled: true },
    },
  });
  const lines = faultLines(await faultsOfImport(fixture.importText(JSON.stringify(file))));
  expect(lines.map((line) => line.split(':')[0]).sort()).toEqual([
    'loyalty.rewards[0].items[0].item',
    'loyalty.rewards[0].items[1]',
    'loyalty.rewards[1].name',
    'loyalty.visit_items[0].item',
    'loyalty.win_back.after_days',
  ]);
});
