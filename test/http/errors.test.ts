/** Refusals of bad input (Behaviour, Errors; Decisions 5). */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorBody } from '../../src/platform/contract/error.ts';
import { branchId, shopId } from '../support/shops/cafe.ts';
import { openShopForReads, type Operation } from '../support/operations/public-reads.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

let world: World;
let operations: readonly Operation[];
let withPath: readonly Operation[];
let withQuery: readonly Operation[];

beforeAll(async () => {
  world = await makeWorld();
  operations = await openShopForReads(world);
  withPath = operations.filter(({ endpoint }) => Object.keys(endpoint.params).length > 0);
  withQuery = operations.filter(({ endpoint }) => Object.keys(endpoint.query).length > 0);
});
afterAll(() => world.close());

const errorOf = ({ body }: Reply): ErrorBody => body as ErrorBody;
/** A refusal that names this field in its sentence and in `fields`. */
const expectNamed = (reply: Reply, address: string, field: string): void => {
  const { error, fields = [], ...others } = errorOf(reply);
  expect([address, reply.status, others]).toEqual([address, 400, {}]);
  expect(fields.map(({ path }) => path)).toContain(field);
  expect(error).toContain(fields[0]?.path ?? '?');
};

test('every public read answers 200 at its example address', async () => {
  for (const { address } of operations)
    expect([address, (await world.get(address)).status]).toEqual([address, 200]);
});

describe('an id in a path', () => {
  const MALFORMED = [
    'x',
    '123',
    '%20',
    '..%2F..',
    '%00',
    `${shopId()}%00`,
    `%00${shopId()}`,
    `${shopId()}%20`,
    `{${shopId()}}`,
    shopId().replaceAll('-', ''),
    shopId().replace(/.$/, 'g'),
    '%ED%A0%80',
    '%FF',
    '%zz',
    '%',
    '%E0%A4%A',
    '%F0%9F%98%80',
    "'%20or%201=1--",
    '__proto__',
    'constructor',
    'a'.repeat(2_000),
    ':id',
    '*',
    ';',
    '%3F',
    '%23',
  ];

  test.each(MALFORMED)('%j is refused with 400 that names the parameter', async (id) => {
    for (const { address, endpoint } of withPath) {
      const [path = ''] = address.split('?');
      const [name = ''] = Object.keys(endpoint.params);
      const at = endpoint.path.split('/').findIndex((part) => part.startsWith('{'));
      const broken = path.split('/').with(at, id).join('/');
      expectNamed(await world.get(broken + address.slice(path.length)), broken, name);
    }
  });

  test('that is missing or has an extra slash is 404', async () => {
    for (const address of [
      '/public/branches//menu',
      `/public/branches/${branchId()}/menu/`,
      `/public/branches/${branchId()}//menu`,
      `/public/branches/${branchId()}`,
      '/public/tables/',
      '//public/orgs/brand',
      '/public/orgs/brand/',
    ])
      expect([address, (await world.get(address)).status]).toEqual([address, 404]);
  });
});

describe('a query', () => {
  test('refuses by name a parameter given twice, even with equal values', async () => {
    for (const { address, endpoint } of withQuery)
      for (const name of Object.keys(endpoint.query)) {
        const [path = '', query = ''] = address.split('?');
        const given = query.split('&').find((piece) => piece.startsWith(`${name}=`)) ?? `${name}=true`;
        const rest = query.split('&').filter((piece) => !piece.startsWith(`${name}=`));
        const twice = `${path}?${[...rest, given, given].join('&')}`;
        expectNamed(await world.get(twice), twice, name);
      }
  });

  test('refuses an unknown parameter by name', async () => {
    for (const { address } of [...withPath, ...withQuery])
      for (const [piece, name] of [
        ['colour=red', 'colour'],
        ['Slug=x', 'Slug'],
        ['__proto__=1', '__proto__'],
        ['constructor', 'constructor'],
        ['channel[]=pickup', 'channel[]'],
      ] as const) {
        const odd = `${address}${address.includes('?') ? '&' : '?'}${piece}`;
        expectNamed(await world.get(odd), odd, name);
      }
  });

  test('refuses by name NUL, lone surrogates, invalid UTF-8 and broken escapes', async () => {
    for (const { address, endpoint } of withQuery)
      for (const name of Object.keys(endpoint.query))
        for (const value of ['%00', 'a%00b', '%ED%A0%80', '%ff%fe', '%', '%4', '%zz', '%E2%82']) {
          const [path = '', query = ''] = address.split('?');
          const rest = query.split('&').filter((piece) => piece !== '' && !piece.startsWith(`${name}=`));
          const odd = `${path}?${[...rest, `${name}=${value}`].join('&')}`;
          expectNamed(await world.get(odd), odd, name);
        }
  });

  test('reports all faults at once', async () => {
    const { fields } = await world.refused(
      `/public/branches/${branchId()}/booking-slots?party_size=0&colour=red&date=soon`,
    );
    expect(fields?.map(({ path }) => path).sort()).toEqual(['colour', 'date', 'party_size']);
  });

  test('is echoed in a refusal only in short and as JSON text', async () => {
    const name = encodeURIComponent(`<script>${'x'.repeat(1_500)}\u202e\r\nSet-Cookie: a=b`);
    const reply = await world.get(`/public/orgs/brand?${name}=1`);
    expect(reply.status).toBe(400);
    expect(reply.text.length).toBeLessThan(500);
    expect(reply.headers).not.toHaveProperty('set-cookie');
    expect(reply.headers['content-type']).toMatch(/^application\/json/);
    expect(reply.headers['x-content-type-options']).toBe('nosniff');
  });
});

describe('an address', () => {
  test('that is unknown is 404 with one fixed body', async () => {
    for (const address of [
      '/nowhere',
      '/public',
      '/public/',
      '/public/shops',
      '/public/orgs',
      '/PUBLIC/orgs/brand',
      '/staffing/orders',
      '/.env',
      '/public/../etc/passwd',
      '/%2e%2e/%2e%2e',
      '/public/orgs/brand%00',
      '/%zz',
      '/public%2Forgs%2Fbrand',
      '/*',
    ])
      expect([address, await world.refused(address)]).toEqual([
        address,
        { status: 404, error: 'Not found.' },
      ]);
  });

  test('of 8 KB is refused with 400, 404 or 414, wherever its length is', async () => {
    const long = 'a'.repeat(8_192);
    for (const address of [
      `/${long}`,
      `/public/branches/${long}/menu`,
      `/public/orgs/brand?slug=${long}`,
      `/public/orgs/brand?${long}=1`,
      `/public/orgs/brand?slug=${'%41'.repeat(2_700)}`,
      `/${'a/'.repeat(4_096)}`,
    ]) {
      const { status, error } = await world.refused(address);
      expect([400, 404, 414]).toContain(status);
      expect(error).not.toBe('');
    }
    const name = encodeURIComponent('ب'.repeat(300));
    expect((await world.refused(`/public/orgs/brand?slug=${name}`)).status).toBe(404);
  });
});

describe('a method', () => {
  test('that an address does not allow is 405 with `Allow: GET, HEAD`', async () => {
    for (const { address } of operations)
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const reply = await world.send(method, address);
        expect([method, address, reply.status]).toEqual([method, address, 405]);
        expect(String(reply.headers.allow).split(', ').sort()).toEqual(['GET', 'HEAD']);
        expect(Object.keys(errorOf(reply))).toEqual(['error']);
      }
  });

  test('on an unknown address is 404', async () => {
    for (const method of ['POST', 'DELETE', 'OPTIONS', 'HEAD'])
      expect([method, (await world.send(method, '/nowhere')).status]).toEqual([method, 404]);
  });
});

describe('a body sent to a read', () => {
  const sendAll = async (method: string, headers: Record<string, string>, body: string): Promise<void> => {
    for (const { address } of operations) {
      const { status } = await world.send(
        method,
        address,
        { 'content-length': String(Buffer.byteLength(body)), ...headers },
        body,
      );
      expect([method, address, status]).toEqual([method, address, method === 'GET' ? 200 : 405]);
    }
  };

  test.each([
    ['bad JSON', { 'content-type': 'application/json' }, '{"a":'],
    ['no JSON', { 'content-type': 'text/plain' }, 'hello'],
    ['no type', {}, '\u0000\u0001'],
    ['a type that is none', { 'content-type': 'nonsense' }, 'x'],
  ])('%s: POST is 405, GET ignores the body', async (_, headers, body) => {
    await sendAll('POST', headers, body);
    await sendAll('GET', headers, body);
  });

  test('of a megabyte is refused, and the next request is answered', async () => {
    const { status } = await world.send(
      'POST',
      '/public/orgs/brand?slug=beit-el-bunn',
      { 'content-type': 'application/json' },
      'x'.repeat(1_000_000),
    );
    expect([405, 413]).toContain(status);
    expect((await world.get('/public/orgs/brand?slug=beit-el-bunn')).status).toBe(200);
  });
});

describe('the language of errors', () => {
  const ARABIC = { 'accept-language': 'ar-EG,ar;q=0.9,en;q=0.8' };

  test('an error in Arabic has the same status, code and figures as in English', async () => {
    const refusals = [
      '/nowhere',
      '/public/orgs/brand?slug=nobody',
      '/public/orgs/brand',
      '/public/branches/x/menu',
      `/public/branches/${branchId()}/menu?channel=umbrella`,
      `/public/branches/${branchId()}/booking-slots?date=2020-01-01&party_size=2`,
      `/public/branches/${branchId()}/booking-slots?date=2026-11-21&party_size=999`,
      `/${'a'.repeat(8_000)}`,
    ];
    for (const address of refusals) {
      const [arabic, english] = [
        await world.refused(address, ARABIC),
        await world.refused(address, { 'accept-language': 'en' }),
      ];
      expect(arabic.error).toMatch(/[\u0600-\u06ff]/);
      expect(english.error).not.toMatch(/[\u0600-\u06ff]/);
      const wordless = ({ fields, ...body }: typeof arabic) => ({
        ...{ ...body, error: '', paths: fields?.map(({ path }) => path) },
      });
      expect(wordless(arabic)).toEqual(wordless(english));
    }
    const wrong = await world.send('POST', '/health', ARABIC);
    expect(errorOf(wrong).error).toMatch(/[\u0600-\u06ff]/);
  });

  test.each([
    ['ar', true],
    ['AR', true],
    ['ar-EG', true],
    ['en;q=0.5, ar', true],
    ['en, ar', false],
    ['ar;q=0', false],
    ['fr, ar;q=0.1', true],
    ['fr', false],
    ['', false],
    ['*', false],
    ['arc', false],
  ])('a client that sends Accept-Language %j gets Arabic: %s', async (language, isArabic) => {
    const { error } = await world.refused('/nowhere', { 'accept-language': language });
    expect(/[\u0600-\u06ff]/.test(error)).toBe(isArabic);
  });
});

describe('a word that is another name or a misspelling', () => {
  const branch = `/public/branches/${branchId()}`;
  const ONLINE = 'pickup, outside, in_mall, umbrella';
  test.each([
    ['GET', `${branch}/menu?channel=delivery`, undefined, `dine_in, ${ONLINE}`, 'outside'],
    ['GET', `${branch}/menu?channel=pikcup`, undefined, `dine_in, ${ONLINE}`, 'pickup'],
    ['GET', `${branch}/delivery-quote?channel=delivery`, undefined, ONLINE, 'outside'],
    ['POST', `${branch}/cart-quote`, { channel: 'delivery' }, `${ONLINE}, null`, 'outside'],
    ['POST', '/public/delivery-orders', { channel: 'delivery' }, ONLINE, 'outside'],
  ])('%s %s is refused with the word that is meant', async (method, address, body, words, meant) => {
    const answerIn = async (language: string) => {
      const headers = { 'accept-language': language, 'content-type': 'application/json' };
      return errorOf(await world.send(method, address, headers, body && JSON.stringify(body)));
    };
    const problemIn = async (language: string) =>
      (await answerIn(language)).fields?.find(({ path }) => path === 'channel')?.problem;
    expect(await problemIn('en')).toBe(`must be one of ${words}; did you mean ${meant}?`);
    const inArabic = `القيمة المطلوبة: واحدة من ${words.replaceAll(', ', '، ')}؛ هل تقصد ${meant}؟`;
    expect(await problemIn('ar')).toBe(inArabic);
    if (address.includes('menu')) {
      const english = `channel must be one of ${words}; did you mean ${meant}?`;
      expect((await answerIn('en')).error).toBe(english);
      expect((await answerIn('ar')).error).toBe(`${inArabic} (channel)`);
    }
  });
});

describe('bytes that are no valid request', () => {
  /** Sends raw bytes and reads the response. */
  const raw = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(world.port, '127.0.0.1', () => socket.write(Buffer.from(bytes, 'latin1')));
      let answer = '';
      socket.setEncoding('utf8');
      socket.on('data', (text: string) => (answer += text));
      socket.on('end', () => resolve(answer));
      socket.on('error', reject);
    });
  const REQUEST = 'GET /public/orgs/brand?slug=nobody HTTP/1.1\r\n';

  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['no Host', `${REQUEST}Connection: close\r\n\r\n`, 400],
    ['a header without end', `${REQUEST}Host: a\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`, 431],
    ['an endless address', `GET /${'a'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 414],
    ['a raw byte', 'GET /public/orgs/brand?slug=\xff HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
    ['a raw NUL', 'GET /public/orgs/brand?slug=\x00 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
    [
      'two lengths',
      `POST /health HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx`,
      400,
    ],
    ['a tunnel', 'CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ['a method that is none', 'BREW /public/orgs/brand HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ])('%s gets the JSON error body', async (_, bytes, status) => {
    const answer = await raw(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/content-type: application\/json/i);
    expect(answer).toMatch(/cache-control: no-store/i);
    const [, body = ''] = answer.split('\r\n\r\n');
    expect(Object.keys(JSON.parse(body) as object)[0]).toBe('error');
  });
});

test('no request of these tests logged an unexpected fault', () => {
  expect(world.logged.filter((line) => line.includes('"error"'))).toEqual([]);
});
