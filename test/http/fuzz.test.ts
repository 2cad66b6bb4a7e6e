/** Random requests get documented responses and the one error body, never an internal error. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { branchId, shopId } from '../support/shops/cafe.ts';
import { openShopForReads, type Operation } from '../support/operations/public-reads.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;
let operations: readonly Operation[];

beforeAll(async () => {
  world = await makeWorld();
  operations = await openShopForReads(world);
});
afterAll(() => world.close());

/** Text that has broken servers before, as it appears in an address. */
const HOSTILE = [
  '',
  '%',
  '%00',
  '%2',
  '%zz',
  '%FF',
  '%C0%80',
  '%ED%A0%80',
  '%F4%90%80%80',
  '%2e%2e',
  '..',
  '.',
  '%2F',
  '%5C',
  '%3F',
  '%23',
  ';a=b',
  ':id',
  '*',
  '{id}',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'NaN',
  '-0',
  '1e999',
  '0x1',
  '2147483648',
  '9007199254740993',
  '2026-02-30',
  '9999-12-31',
  '0001-01-01',
  'true',
  'TRUE',
  "'",
  '%22%3E%3Cscript%3E',
  '%0d%0aX:y',
  '%E2%80%AE',
  '%EF%BB%BF',
  '\u00ff',
  'pickup',
  'dine_in',
  'umbrella',
  'beit-el-bunn',
  'kashk',
  'a'.repeat(300),
];
/** Any characters, percent-encoded; lone surrogates as the bytes they would be. */
const encoded = fc
  .string({ unit: 'binary', maxLength: 40 })
  .map((text) =>
    [...Buffer.from(text, 'utf8')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );
const latin = fc.string({
  unit: fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code)),
  maxLength: 30,
});
const hostile = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 2, arbitrary: encoded },
  { weight: 1, arbitrary: latin },
  { weight: 2, arbitrary: fc.uuid() },
  { weight: 3, arbitrary: fc.constantFrom(shopId(), branchId(), branchId().toUpperCase(), shopId('kashk')) },
);
const name = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('slug', 'org_id', 'browse', 'channel', 'preview', 'date', 'party_size'),
  },
  { weight: 1, arbitrary: hostile },
);
const query = fc
  .array(fc.tuple(name, hostile), { maxLength: 4 })
  .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map(([key, value]) => `${key}=${value}`).join('&')}`));

/** An operation's address with some parts, and its query, replaced. */
const target = fc.record({
  which: fc.nat(),
  replaced: fc.option(fc.tuple(fc.nat(6), hostile), { freq: 2 }),
  query: fc.option(query, { freq: 2 }),
  extra: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: hostile }),
});
type Target = typeof target extends fc.Arbitrary<infer T> ? T : never;

const addressOf = ({ which, replaced, query: other, extra }: Target): string => {
  const { address } = operations[which % operations.length] ?? { address: '/' };
  const [path = '', own = ''] = address.split('?');
  const parts = path.split('/');
  if (replaced !== null) parts[1 + (replaced[0] % (parts.length - 1))] = replaced[1];
  if (extra !== null) parts.push(extra);
  return `${parts.join('/')}${other ?? (own === '' ? '' : `?${own}`)}`;
};

const headerValue = fc.oneof(
  fc.constantFrom(
    '',
    '*',
    '"',
    'W/"',
    '"a","b"',
    'ar;q=2',
    'br;q=',
    ',,,',
    ';',
    'x'.repeat(900),
    '\u00ff\u00fe',
    '-1',
  ),
  fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
    maxLength: 40,
  }),
);
const headers = fc.dictionary(
  fc.constantFrom(
    'accept',
    'accept-encoding',
    'accept-language',
    'if-none-match',
    'origin',
    'content-type',
    'x-forwarded-for',
    'range',
    'if-modified-since',
    'x-device-token',
    'cookie',
    'x-http-method-override',
  ),
  headerValue,
  { maxKeys: 3 },
);
const method = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('GET', 'HEAD') },
  { weight: 2, arbitrary: fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS') },
);

test('500 random requests get documented answers, and no 5xx', async () => {
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(method, target, headers, async (verb, to, lines) => {
      // `send` checks status, headers and body against the OpenAPI document.
      const { status, body } = await world.send(verb, addressOf(to), lines);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      expect(status).toBeLessThan(500);
      if (status >= 400 && verb !== 'HEAD') {
        const { error } = body as { error: unknown };
        expect(typeof error === 'string' && error.length > 0 && error.length < 300).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
  // The generator found answers, refused input and unknown addresses.
  for (const status of [200, 400, 404, 405]) expect(statuses.get(status) ?? 0).toBeGreaterThan(0);
});

test('the random requests log no fault, and every read still answers', async () => {
  expect(world.logged).toEqual([]);
  for (const { address } of operations) expect((await world.get(address)).status).toBe(200);
});
