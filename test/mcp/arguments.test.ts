/** Invalid arguments: the refusal names the argument, the value and the correction. */
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { tools, type ToolName } from '../../src/service/contract/tools.ts';
import { insertOrder } from '../support/database/orders-and-bookings.ts';
import { aBranch, aShopFile, aTable, branchId, daily, openShops, SLUG } from '../support/shops/cafe.ts';
import { callTool, postMcp, toolRefusal, rpc } from '../support/server/mcp-client.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;
let good: Readonly<Record<ToolName, Readonly<Record<string, unknown>>>>;

beforeAll(async () => {
  world = await makeWorld({ now: '2026-12-02T10:00:00Z' });
  const booking = { enabled: true, hours: daily('18:00', '22:00') };
  await openShops(world, aShopFile({ branches: [aBranch({ tables: [aTable('t1', 4)], booking })] }));
  const order_id = await insertOrder(world);
  good = {
    get_shop: { shop: SLUG },
    get_menu: { shop: SLUG, branch_id: branchId() },
    get_booking_slots: { branch_id: branchId(), date: '2026-12-04', party_size: 2 },
    track_order: { order_id },
    about_ahwa: {},
  };
});
// After any request, the next call works.
afterEach(async () => {
  expect(await callTool(world, 'get_booking_slots', good.get_booking_slots)).toMatchObject({
    isError: false,
  });
  expect(world.logged).toEqual([]);
});
afterAll(() => world.close());

const NAMES: readonly ToolName[] = ['get_shop', 'get_menu', 'get_booking_slots', 'track_order', 'about_ahwa'];

/** What a refusal says about the argument: its form, and its source or an example. */
const CORRECTIONS: Readonly<Record<string, readonly [form: string, source: string]>> = {
  shop: ["a shop's address name", 'such as beit-el-bunn'],
  branch_id: ['a UUID', 'from get_shop'],
  date: ['a calendar date, YYYY-MM-DD', 'such as 2026-12-04'],
  party_size: ['a whole number from 1 to 2147483647', 'such as 4'],
  order_id: ['a UUID', 'tracking link'],
};
const correctionOf = (argument: string): readonly [string, string] => CORRECTIONS[argument] ?? ['?', '?'];

/** Expects the refusal of this argument, with value and correction. */
const expectFault = (text: string, argument: string, shown: string): void => {
  const [form, source] = correctionOf(argument);
  const [, value, rest] =
    new RegExp(`^${argument} must be ${form}, and is (.*?)\\. (.*)$`, 'm').exec(text) ?? [];
  expect(value, text).toBe(shown);
  expect(rest).toContain(source);
};

/** A text value is shown with its surrounding whitespace, which may be the fault. */
const expectTextFault = (text: string, argument: string, value: string): void =>
  expectFault(text, argument, JSON.stringify(value));

/** All arguments of all tools. */
const ARGUMENTS = NAMES.flatMap((tool) => Object.keys(tools[tool].args).map((name) => [tool, name] as const));
const argumentsOf = (type: string): (readonly [ToolName, string])[] =>
  ARGUMENTS.filter(([, name]) => (name === 'party_size' ? 'integer' : 'string') === type);

const refusedWith = (tool: ToolName, argument: string, value: unknown): Promise<string> =>
  toolRefusal(world, tool, { ...good[tool], [argument]: value });

describe('a missing argument is named in the refusal', () => {
  test.each(ARGUMENTS.filter(([, name]) => name !== 'branch_id'))('%s without %s', async (tool, argument) => {
    const others = Object.entries(good[tool]).filter(([name]) => name !== argument);
    const text = await toolRefusal(world, tool, Object.fromEntries(others));
    expect(text).toMatch(new RegExp(`^${argument} is required: `));
    expect(text).toContain(correctionOf(argument)[1]);
    expect(text.split('\n')).toHaveLength(1);
  });

  test('branch_id is required by get_booking_slots and optional for get_menu', async () => {
    const text = await toolRefusal(world, 'get_booking_slots', { date: '2026-12-04', party_size: 2 });
    expect(text).toBe('branch_id is required: Its id, from get_shop.');
    expect(await callTool(world, 'get_menu', { shop: SLUG })).toMatchObject({ isError: false });
  });

  test('a call without arguments names all required ones', async () => {
    const { result } = await rpc(world, 'tools/call', { name: 'get_booking_slots' });
    const { content, ...rest } = result as { content: { text: string }[] };
    expect(rest).toEqual({ isError: true });
    expect(content[0]?.text.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'branch_id',
      'date',
      'party_size',
    ]);
  });
});

describe('a value of the wrong type is refused, never coerced', () => {
  const OF_NO_TEXT: readonly (readonly [value: unknown, shown: string])[] = [
    [5, '5'],
    [0.5, '0.5'],
    [true, 'true'],
    [false, 'false'],
    [null, 'null'],
    [[], 'an array'],
    [['beit-el-bunn'], 'an array'],
    [{}, 'an object'],
    [{ value: 'beit-el-bunn' }, 'an object'],
  ];

  test.each(argumentsOf('string'))('%s with %s', async (tool, argument) => {
    for (const [value, shown] of OF_NO_TEXT)
      expectFault(await refusedWith(tool, argument, value), argument, shown);
  });

  test.each<readonly [unknown, string]>([
    ...OF_NO_TEXT.filter(([value]) => value !== 5),
    ['4', '"4"'],
    ['', '""'],
    ['four', '"four"'],
    ['٤', '"٤"'],
    [4.5, '4.5'],
    [0, '0'],
    [-1, '-1'],
    [2 ** 31, '2147483648'],
    [2 ** 53, '9007199254740992'],
    [1e99, '1e+99'],
    [1e300, '1e+300'],
    [-1e99, '-1e+99'],
  ])('get_booking_slots with party_size %j', async (value, shown) => {
    expectFault(await refusedWith('get_booking_slots', 'party_size', value), 'party_size', shown);
  });
});

describe('a malformed text value is refused', () => {
  test.each([
    ['2026-02-30', 'no day of the calendar'],
    ['2027-02-29', 'no day of that year'],
    ['2026-2-3', 'without zeros'],
    ['04-12-2026', 'the day first'],
    ['2026/12/04', 'with slashes'],
    ['2026-12-04T19:00', 'with a time'],
    ['20261204', 'without hyphens'],
    ['٢٠٢٦-١٢-٠٤', 'in Arabic digits'],
    [' 2026-12-04', 'with a blank'],
    ['2026-12-04\n', 'with a line break'],
    ['+02026-12-04', 'with a sign'],
    ['0000-00-00', 'nothing but zeros'],
    ['today', 'a word'],
    ['Friday', 'a weekday'],
    ['', 'nothing'],
  ])('the date %j, %s', async (value) => {
    expectTextFault(await refusedWith('get_booking_slots', 'date', value), 'date', value);
  });

  const UUID = '5b0c7a52-6d5e-5a3b-9a41-0b6d9d0f1c22';
  test.each([
    [`{${UUID}}`, 'in braces'],
    [` ${UUID}`, 'with a blank before'],
    [`${UUID} `, 'with a blank behind'],
    [UUID.replaceAll('-', ''), 'without hyphens'],
    [`urn:uuid:${UUID}`, 'as an address'],
    [UUID.slice(1), 'one short'],
    [`${UUID}0`, 'one more'],
    [UUID.replace('5b0c', 'zzzz'), 'with other letters'],
    ['zamalek', 'a name'],
    ['https://ahwa.example/track/5b0c7a52-6d5e-5a3b-9a41-0b6d9d0f1c22', 'a whole link'],
    ['', 'nothing'],
  ])('the id %j, %s', async (value) => {
    for (const [tool, argument] of ARGUMENTS.filter(([, name]) => name.endsWith('_id')))
      expectTextFault(await refusedWith(tool, argument, value), argument, value);
  });

  test.each(['', ' ', '\t\n'])('the blank address name %j', async (value) => {
    for (const tool of ['get_shop', 'get_menu'] as const)
      expectTextFault(await refusedWith(tool, 'shop', value), 'shop', value);
  });

  test('upper-case ids and address names with capitals and spaces are accepted', async () => {
    for (const tool of ['get_menu', 'get_booking_slots', 'track_order'] as const) {
      const upperCased = Object.entries(good[tool]).map(([name, value]) => [
        name,
        typeof value === 'string' ? value.toUpperCase() : value,
      ]);
      const answer = await callTool(world, tool, Object.fromEntries(upperCased) as object);
      expect(answer).toEqual(await callTool(world, tool, good[tool]));
      expect(answer.isError).toBe(false);
    }
    expect(await callTool(world, 'get_shop', { shop: ' Beit-El-Bunn\n' })).toMatchObject({ isError: false });
  });
});

describe('an unknown argument is refused by name', () => {
  const UNKNOWN = [
    'lang',
    'slug',
    'Shop',
    'party-size',
    '',
    ' shop',
    '0',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'قهوة',
  ];

  test.each(UNKNOWN)('%j', async (name) => {
    for (const tool of NAMES) {
      const text = await toolRefusal(world, tool, { ...good[tool], [name]: { polluted: true } });
      const known = Object.keys(good[tool]).join(', ') || 'none';
      expect(text).toBe(`${JSON.stringify(name)} is no argument of ${tool}, which takes ${known}.`);
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('a very long or invisible name is shown in short on one line', async () => {
    for (const name of [
      'x'.repeat(20_000),
      'a\u0000b\n\u001b[31m\u202ec\u200b\u2028\u0085',
      '\ud800'.repeat(50),
    ]) {
      const text = await toolRefusal(world, 'get_shop', { ...good.get_shop, [name]: 1 });
      // Invisible characters are escaped, six characters each.
      expect(text.length).toBeLessThan(600);
      expect(text).toMatch(/^".*" is no argument of get_shop, which takes shop\.$/);
      expect(text).not.toMatch(/[\p{Cc}\p{Surrogate}\u202e\u200b\u2028]/u);
    }
  });

  test('of 1,000 unknown arguments 20 are listed and the others counted', async () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`a${index}`, index]));
    const text = await toolRefusal(world, 'get_shop', { ...good.get_shop, ...many });
    const lines = text.split('\n');
    expect(lines).toHaveLength(21);
    expect(lines[0]).toContain('"a0" is no argument of get_shop');
    expect(lines.at(-1)).toBe('And 980 more like these.');
  });

  test('of 20 unknown arguments all are listed', async () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`a${index}`, index]));
    const lines = (await toolRefusal(world, 'get_shop', { ...good.get_shop, ...many })).split('\n');
    expect(lines).toHaveLength(20);
    expect(lines.at(-1)).toContain('"a19" is no argument of get_shop');
  });
});

describe('a refusal suggests the value that was probably meant', () => {
  const ID = '5b0c7a52-6d5e-5a3b-9a41-0b6d9d0f1c22';
  const HINT = /\. (Give it as a number, without quotes|Perhaps .* is meant|It may be left out)\.$/;

  test('a number in quotes: the number without quotes', async () => {
    for (const value of ['4', '12'])
      expect(await refusedWith('get_booking_slots', 'party_size', value)).toBe(
        `party_size must be a whole number from 1 to 2147483647, and is "${value}". Guests, such as 4. Give it as a number, without quotes.`,
      );
    for (const value of ['four', '', '0', '4.5', 0, null])
      expect(await refusedWith('get_booking_slots', 'party_size', value)).not.toMatch(HINT);
  });

  test.each([
    ['a whole link', `https://ahwa.example/track/${ID}?utm_source=sms`],
    ['in braces', `{${ID}}`],
    ['as an address', `urn:uuid:${ID}`],
    ['with a blank', ` ${ID}`],
    ['with a word', `branch_id ${ID}`],
  ])('%s: the id within %s', async (_, value) => {
    for (const [tool, argument] of ARGUMENTS.filter(([, name]) => name.endsWith('_id')))
      expect(await refusedWith(tool, argument, value)).toMatch(
        new RegExp(`^${argument} must be a UUID, and is .*\\. Perhaps "${ID}" is meant\\.$`),
      );
  });

  test('Arabic or Persian digits: the value in ASCII digits', async () => {
    expect(await refusedWith('get_booking_slots', 'party_size', '٤')).toMatch(/\. Perhaps 4 is meant\.$/);
    expect(await refusedWith('get_booking_slots', 'date', '٢٠٢٦-۱۲-٠٤')).toMatch(
      /\. Perhaps "2026-12-04" is meant\.$/,
    );
    expect(await refusedWith('get_booking_slots', 'date', '٢٠٢٦-١٣-٠٤')).not.toMatch(HINT);
  });

  test('a day given as a word: the current instant', async () => {
    for (const value of ['tomorrow', 'الجمعة', '4 December', ''])
      expect(await refusedWith('get_booking_slots', 'date', value)).toMatch(
        new RegExp(`\\. It is ${new Date(world.now).toISOString()} now\\.$`),
      );
  });

  test('a text without an id in it: no suggestion', async () => {
    for (const value of [ID.slice(1), ID.replaceAll('-', ''), 'zamalek', ''])
      expect(await refusedWith('track_order', 'order_id', value)).not.toMatch(HINT);
  });

  test('an optional argument, and no other: it may be left out', async () => {
    for (const value of [null, '', 'zamalek', 5]) {
      expect(await refusedWith('get_menu', 'branch_id', value)).toMatch(/ It may be left out\.$/);
      expect(await refusedWith('get_booking_slots', 'branch_id', value)).not.toMatch(HINT);
    }
    expect(await refusedWith('get_menu', 'shop', '')).not.toMatch(HINT);
  });

  test('a text with a NUL character: no suggestion', async () => {
    expect(await refusedWith('get_shop', 'shop', 'beit-el-bunn\u0000')).not.toMatch(HINT);
  });
});

test('several faults are listed together, one per line, in the order of the arguments', async () => {
  const text = await toolRefusal(world, 'get_booking_slots', {
    when: 'tonight',
    party_size: 'four',
    date: 'tomorrow',
    shop: SLUG,
  });
  const lines = text.split('\n');
  expect(lines.map((line) => line.split(' ')[0])).toEqual([
    'branch_id',
    'date',
    'party_size',
    '"when"',
    '"shop"',
  ]);
  expect(text).toContain('"tomorrow"');
  expect(text).toContain('"four"');
});

describe('a very large value is refused in few words', () => {
  test.each(ARGUMENTS)('%s with %s of 60,000 characters', async (tool, argument) => {
    const text = await refusedWith(tool, argument, 'ق'.repeat(30_000));
    expect(text.length).toBeLessThan(700);
    expect(text).toContain('ققق');
    expect(text).toContain('…');
  });

  test('an argument of deeply nested arrays or objects', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const)
      for (const tool of NAMES) {
        const deep = `${open.repeat(8_000)}1${close.repeat(8_000)}`;
        const given = JSON.stringify({ ...good[tool], shop: '?' }).replace('"?"', deep);
        const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${given}}}`;
        const { status, text, body } = await postMcp(world, call);
        expect(status).toBe(200);
        expect(body).toMatchObject({ result: { isError: true, content: [{ type: 'text' }] } });
        expect(text.length).toBeLessThan(500);
      }
  });
});

describe('any arguments', () => {
  const words = fc.oneof(
    fc.constantFrom(SLUG, 'kashk', branchId(), '2026-12-04', '2026-12-02', '9999-12-31', '0001-01-01', '4'),
    fc.constantFrom("'; drop table shop; --", '%', '_', '\\', '../../etc/passwd', '$1', 'null', '\u0000'),
    fc.uuid(),
    fc.string({ unit: 'binary', maxLength: 100 }),
    fc.string({
      unit: fc.constantFrom('\ud800', '\udc00', '\u202e', '\u2028', '\ufeff', 'ق', 'a', '-', ' '),
    }),
  );
  const numbers = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(1, 2, 12, 2 ** 31 - 1, 2 ** 31));
  const value = fc.oneof(words, numbers, fc.jsonValue());
  const names = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('shop', 'branch_id', 'date', 'party_size', 'order_id') },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  );
  /** Mostly valid calls with some invalid values. */
  const call = fc.constantFrom(...NAMES).chain((tool) =>
    fc.record({
      tool: fc.constant(tool),
      kept: fc.subarray(Object.keys(tools[tool].args)),
      changed: fc.dictionary(names, value, { maxKeys: 4 }),
    }),
  );
  const LEAKS =
    /\bat [^\n]*\.[cm]?[jt]s:\d|node_modules|\bselect\b[^\n]*\bfrom\b|syntax error|relation "|pg_|postgres|TypeError|RangeError/i;

  test('give a result or a refusal in words, never an internal error', async () => {
    await fc.assert(
      fc.asyncProperty(call, async ({ tool, kept, changed }) => {
        const right = Object.fromEntries(kept.map((name) => [name, good[tool][name]]));
        const args = { ...right, ...changed };
        const { status, result, error } = await rpc(world, 'tools/call', { name: tool, arguments: args });
        expect([status, error]).toEqual([200, undefined]);
        const { content, structuredContent, isError } = result as {
          content: { type: string; text: string }[];
          structuredContent?: object;
          isError?: boolean;
        };
        expect(content).toEqual([{ type: 'text', text: expect.stringMatching(/\S/) as string }]);
        expect(isError ?? false).toBe(structuredContent === undefined);
        expect(content[0]?.text).not.toMatch(LEAKS);
        expect(content[0]?.text).not.toContain('went wrong on our side');
      }),
      { numRuns: 500 },
    );
    expect(world.logged).toEqual([]);
  });
});
