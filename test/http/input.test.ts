/** Accepted and refused input (Behaviour, Errors; Decisions 5). */
import { gzipSync } from 'node:zlib';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoint } from '../../src/platform/contract/endpoint.ts';
import { endpoints } from '../../src/service/contract/endpoints.ts';
import {
  Int32,
  optionalNullable,
  Text,
  uuidScalar,
  UuidText,
  Word,
} from '../../src/platform/contract/scalars.ts';
import { invalidInput, Refusal, wordsOf } from '../../src/kernel/refusal.ts';
import { BRANCH, openHttpServer, ORG } from '../support/server/http-server.ts';
import type { HttpFixture } from '../support/server/http-server.ts';

const postCart = endpoint({
  ...{
    id: 'postCart',
    method: 'POST',
    path: '/public/branches/{id}/carts',
    tag: 'Test',
    summary: 'A cart',
  },
  params: { id: { scalar: uuidScalar, description: 'The branch.' } },
  query: {},
  body: Type.Object({
    items: Type.Array(
      Type.Object({
        menu_item_id: UuidText(),
        quantity: Int32({ minimum: 1 }),
        notes: optionalNullable(Text()),
      }),
    ),
    channel: Type.Optional(Word(['pickup', 'outside'])),
    vars: Type.Optional(Type.Record(Type.String(), Text())),
  }),
  status: 201,
  reply: Type.Object({ echoed: Type.Unknown() }),
  ...{ refusals: [], cache: 'no-store', limit: 'ordering_reads', examples: {} },
});
const table = { ...endpoints, postCart };
const CART = `/public/branches/${BRANCH}/carts`;
const MENU = `/public/branches/${BRANCH}/menu`;

interface ErrorJson {
  error: string;
  code?: string;
  vars?: unknown;
  fields?: { path: string; problem: string }[];
}

let doors: HttpFixture;
let thrown: Error = new Error('boom +201001234567');
beforeAll(async () => {
  doors = await openHttpServer(
    {
      postCart: ({ body }: { body: unknown }) => Promise.resolve({ echoed: body }),
      getTable: () => Promise.reject(thrown),
    },
    { endpoints: table, bodyLimit: 20_000 },
  );
});
afterAll(() => doors.close());

const fault = async (path: string, headers: Record<string, string> = {}) => {
  const { status, body } = await doors.get(path, headers);
  return { status, ...(body as ErrorJson) };
};
const post = async (body: string | Buffer, type = 'application/json') => {
  const answer = await doors.send(CART, { method: 'POST', headers: { 'content-type': type }, body });
  return {
    status: answer.status,
    headers: answer.headers,
    ...(answer.body as ErrorJson & { echoed?: unknown }),
  };
};

describe('parameters', () => {
  const SLOTS = `/public/branches/${BRANCH}/booking-slots`;
  test.each([
    ['/public/branches/not-a-uuid/menu', 'id', 'must be a UUID'],
    [`/public/branches/${'x'.repeat(300)}/menu`, 'id', 'must be a UUID'],
    ['/public/branches/%zz/menu', 'id', 'is not valid percent-encoded UTF-8'],
    ['/public/branches/%00/menu', 'id', 'has a NUL character'],
    [`${MENU}?channel=car`, 'channel', 'must be one of dine_in, pickup, outside, in_mall, umbrella'],
    [`${MENU}?channel=pickup&channel=pickup`, 'channel', 'is given more than once'],
    [`${MENU}?preview=1`, 'preview', 'must be `true` or `false`'],
    [`${MENU}?preview=`, 'preview', 'must be `true` or `false`'],
    [`${MENU}?chanel=pickup`, 'chanel', 'is not a parameter of this address'],
    [`${MENU}?__proto__=x`, '__proto__', 'is not a parameter of this address'],
    ['/public/orgs/brand?slug=%ff', 'slug', 'is not valid percent-encoded UTF-8'],
    ['/public/orgs/brand?slug=%ed%a0%80', 'slug', 'is not valid percent-encoded UTF-8'],
    ['/public/orgs/brand?slug=a%00b', 'slug', 'has a NUL character'],
    ['/public/orgs/brand?%zz=1', '%zz', 'is not valid percent-encoded UTF-8'],
    [`${SLOTS}?party_size=2`, 'date', 'is required'],
    [`${SLOTS}?date=2026-02-30&party_size=2`, 'date', 'must be a calendar date, YYYY-MM-DD'],
    [`${SLOTS}?date=2026-12-04&party_size=2.0`, 'party_size', 'must be a whole number from 1 to 2147483647'],
    [
      `${SLOTS}?date=2026-12-04&party_size=99999999999`,
      'party_size',
      'must be a whole number from 1 to 2147483647',
    ],
    ['/public/branches', 'org_id', 'is required'],
  ])('%s is 400 and names %s', async (path, field, problem) => {
    const { status, error, fields, code } = await fault(path);
    expect({ status, error, code, first: fields?.[0] }).toEqual({
      ...{ status: 400, error: `${field} ${problem}.`, code: undefined },
      first: { path: field, problem },
    });
  });

  test('all faults are listed together', async () => {
    const { fields } = await fault(`/public/branches/x/booking-slots?party_size=0&when=now`);
    expect(fields?.map(({ path }) => path)).toEqual(['id', 'date', 'party_size', 'when']);
  });

  test('at most 20 faults are listed', async () => {
    const { fields } = await fault(`${MENU}?${Array.from({ length: 300 }, (_, n) => `p${n}=1`).join('&')}`);
    expect(fields).toHaveLength(20);
  });

  test('percent-encoded UTF-8 is read, raw bytes are refused', async () => {
    expect((await doors.get('/public/orgs/brand?slug=%D8%A8%D9%86')).status).toBe(200);
    const raw = await fault(`/public/orgs/brand?slug=${Buffer.from('بن').toString('latin1')}`);
    expect(raw).toMatchObject({ status: 400, error: 'address has characters that must be percent-encoded.' });
  });

  test('a plus sign is read as a space', async () => {
    expect((await doors.get('/public/orgs/brand?slug=+beit-el-bunn+')).status).toBe(200);
  });
});

describe('bodies', () => {
  const line = { menu_item_id: ORG, quantity: 2 };

  test('a valid body reaches the handler unchanged', async () => {
    const body = { items: [{ ...line, notes: null, unknown: 1 }] };
    expect(await post(JSON.stringify(body))).toMatchObject({ status: 201, echoed: body });
    expect((await post(JSON.stringify(body), 'application/json; charset=utf-8')).status).toBe(201);
  });

  test('no value is coerced, and every fault has its path', async () => {
    const { status, error, fields } = await post(
      JSON.stringify({ items: [line, { menu_item_id: 'x', quantity: '2', notes: 5 }], channel: 'car' }),
    );
    expect(status).toBe(400);
    expect(fields?.map(({ path }) => path).toSorted()).toEqual([
      'channel',
      'items[1].menu_item_id',
      'items[1].notes',
      'items[1].quantity',
    ]);
    expect(error).toBe(`${fields?.[0]?.path ?? ''} ${fields?.[0]?.problem ?? ''}.`);
    expect(fields).toContainEqual({ path: 'items[1].quantity', problem: 'must be an integer' });
    expect(fields).toContainEqual({ path: 'items[1].notes', problem: 'must be a string or null' });
    expect(fields).toContainEqual({ path: 'channel', problem: 'must be one of pickup, outside' });
  });

  test.each([
    [{ items: [{ menu_item_id: ORG }] }, 'items[0].quantity', 'is required'],
    [{ items: [{ ...line, quantity: 0 }] }, 'items[0].quantity', 'must be 1 or more'],
    [{ items: [{ ...line, quantity: 2 ** 31 }] }, 'items[0].quantity', 'must be 2147483647 or less'],
    [{ items: [{ ...line, quantity: 1.5 }] }, 'items[0].quantity', 'must be an integer'],
    [{ items: [{ ...line, notes: 'a\0b' }] }, 'items[0].notes', 'has a NUL character'],
    [{ items: [{ ...line, notes: '\ud800' }] }, 'items[0].notes', 'is not well-formed Unicode'],
    [{ items: [], vars: { 'a b': '\0' } }, 'vars."a b"', 'has a NUL character'],
    [[], 'body', 'must be an object'],
    ['text', 'body', 'must be an object'],
    [null, 'body', 'must be an object'],
  ])('%j: %s %s', async (body, path, problem) => {
    const { status, fields } = await post(JSON.stringify(body));
    expect({ status, first: fields?.[0] }).toEqual({ status: 400, first: { path, problem } });
  });

  test('a body that is not JSON, not UTF-8 or empty is 400', async () => {
    expect(await post('{"items": [}')).toMatchObject({ status: 400, error: 'body is not valid JSON.' });
    expect(await post(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({
      status: 400,
      error: 'body is not valid UTF-8.',
    });
    expect(await post('')).toMatchObject({ status: 400, error: 'body is required.' });
    const bare = await doors.send(CART, { method: 'POST' });
    expect(bare.status).toBe(400);
  });

  test('the key `__proto__` is refused and pollutes no prototype', async () => {
    const body = `{"items":[],"__proto__":{"polluted":1},"__proto__":{"polluted":2}}`;
    expect((await post(body)).fields?.[0]?.path).toBe('__proto__');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test('a body that is nested too deeply is refused', async () => {
    const { status, fields } = await post(`${'['.repeat(9_000)}${']'.repeat(9_000)}`);
    expect(status).toBe(400);
    expect(fields?.[0]?.problem).toBe('is nested too deeply');
  });

  test('another content type is 415, a body over the limit 413', async () => {
    expect(await post('a=b', 'application/x-www-form-urlencoded')).toMatchObject({ status: 415 });
    expect(await post('{}', 'text/plain')).toMatchObject({ status: 415 });
    expect(await post('{}', 'nonsense')).toMatchObject({ status: 415 });
    const large = await post(JSON.stringify({ items: [], vars: { a: 'x'.repeat(30_000) } }));
    expect(large).toMatchObject({ status: 413, error: wordsOf('BODY_TOO_LARGE', 'en', { limit: 19.53125 }) });
    expect(large.headers.connection).toBe('close');
  });

  test('a compressed body is 415 with `Accept-Encoding: identity`', async () => {
    const send = (coding: string, language: string) =>
      doors.send(CART, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-encoding': coding,
          'accept-language': language,
        },
        body: gzipSync(JSON.stringify({ items: [line] })),
      });
    for (const coding of ['gzip', 'GZIP', 'identity, gzip', 'br'])
      for (const language of ['en', 'ar'] as const) {
        const { status, body, headers } = await send(coding, language);
        expect([status, body]).toEqual([415, { error: wordsOf('BODY_COMPRESSED', language) }]);
        expect(headers['accept-encoding']).toBe('identity');
      }
    for (const coding of ['identity', 'Identity', ''])
      expect((await send(coding, 'en')).body).toMatchObject({ error: 'body is not valid UTF-8.' });
  });

  test('faults of address and body are reported together', async () => {
    const answer = await doors.send('/public/branches/x/carts', {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' },
    });
    expect((answer.body as ErrorJson).fields?.map(({ path }) => path)).toEqual(['id', 'items']);
  });
});

describe('addresses and methods', () => {
  test.each([
    '/nope',
    '/public',
    '/public/orgs/brand/',
    '//public/orgs/brand',
    '/public//orgs/brand',
    '/public/branches//menu',
    '/PUBLIC/orgs/brand',
    '/public/orgs/brand%2f',
    '/%zz',
    '/../etc/passwd',
    '/__proto__',
  ])('%s is unknown: 404 with the error body', async (path) => {
    const { status, text, headers } = await doors.get(path);
    expect([status, text]).toEqual([404, '{"error":"Not found."}']);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers.ratelimit).toContain('"general"');
  });

  test('a method that the address does not allow is 405 with Allow', async () => {
    for (const method of ['POST', 'DELETE', 'PUT', 'PATCH', 'TRACE', 'PROPFIND', 'PURGE']) {
      const { status, headers } = await doors.send(MENU, { method });
      expect([method, status, headers.allow]).toEqual([method, 405, 'GET, HEAD']);
    }
    expect((await doors.get(CART)).headers.allow).toBe('POST');
    expect((await doors.send('/docs.md', { method: 'POST' })).status).toBe(405);
  });

  test('any origin may send a preflight', async () => {
    const headers = { origin: 'https://menu.example', 'access-control-request-method': 'POST' };
    const answer = await doors.send(CART, { method: 'OPTIONS', headers });
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': expect.stringMatching(
        /^content-type, .*idempotency-key, x-device-token/,
      ) as string,
    });
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    expect((await doors.send('/nope', { method: 'OPTIONS' })).status).toBe(404);
  });

  test('an address of more than 4,096 characters is 414', async () => {
    for (const length of [4097, 8_192, 15_000]) {
      const { status, body } = await doors.get(`/${'a'.repeat(length - 1)}`);
      expect([status, body]).toEqual([414, { error: 'The address is too long.' }]);
    }
    expect((await doors.get(`/${'a'.repeat(4095)}`)).status).toBe(404);
  });
});

describe('errors of a handler', () => {
  const TABLE = `/public/tables/${ORG}`;
  test('are in Arabic for clients that prefer Arabic', async () => {
    thrown = new Refusal('CHANNEL_NOT_OFFERED', { channel: 'pickup' });
    const menu = await openHttpServer({ getBranchMenu: () => Promise.reject(thrown) });
    const ask = async (language: string) =>
      (await menu.get(MENU, { 'accept-language': language })).body as ErrorJson;
    try {
      expect(await ask('ar-EG,ar;q=0.9,en;q=0.8')).toEqual({
        error: wordsOf('CHANNEL_NOT_OFFERED', 'ar', { channel: 'pickup' }),
        code: 'CHANNEL_NOT_OFFERED',
        vars: { channel: 'pickup' },
      });
      for (const language of ['ar;q=banana', 'ar;q=2, en', 'en;q=.5, ar;q=.6'])
        expect((await ask(language)).error).toBe(wordsOf('CHANNEL_NOT_OFFERED', 'ar', { channel: 'pickup' }));
      for (const language of ['en, ar;q=0.9', 'fr', '*', 'ar;q=0', 'ar;q=.0, en', '', ';;;,,,'])
        expect((await ask(language)).error).toBe(wordsOf('CHANNEL_NOT_OFFERED', 'en', { channel: 'pickup' }));
      const { headers } = await menu.get(MENU);
      expect(headers.vary).toBe('Accept-Language');
    } finally {
      await menu.close();
    }
  });

  test('an unknown shop has only `error`', async () => {
    thrown = new Refusal('NOT_FOUND');
    expect((await doors.get(TABLE)).text).toBe('{"error":"Not found."}');
  });

  test('input refused by a use case has the same error body', async () => {
    thrown = invalidInput({ path: 'slug', problem: 'or org_id is required', arabic: 'اكتب slug أو org_id' });
    expect(await fault(TABLE)).toMatchObject({ status: 400, error: 'slug or org_id is required.' });
    expect((await fault(TABLE, { 'accept-language': 'ar' })).error).toBe('اكتب slug أو org_id. (slug)');
  });

  test('an unexpected fault is 500 with only a request id; the log has its cause', async () => {
    thrown = Object.assign(new Error('boom', { cause: new TypeError('deeper') }), { code: '23505' });
    const { status, body, headers } = await doors.raw(TABLE);
    const id = String(headers['x-request-id']);
    expect([status, body]).toEqual([500, { error: `Something went wrong on our side. Request ${id}.` }]);
    const line = doors.log.find(({ fields }) => fields['request_id'] === id);
    expect(line).toMatchObject({
      level: 'error',
      fields: {
        operation: 'getTable',
        code: '23505',
        message: 'boom',
        cause: { fault: 'TypeError', message: 'deeper' },
      },
    });
  });

  test('every request gets a new request id, never the client’s', async () => {
    const ids = [];
    for (let n = 0; n < 3; n += 1)
      ids.push((await doors.get('/health', { 'x-request-id': 'theirs' })).headers['x-request-id']);
    expect(new Set(ids).size).toBe(3);
    expect(ids).not.toContain('theirs');
  });

  test('only a slow answer is logged', async () => {
    const before = doors.log.length;
    await doors.get('/health');
    expect(doors.log.length).toBe(before);
    const slow = await openHttpServer({
      getTable: () => {
        slow.time.monotonic += 1_500;
        return Promise.reject(new Refusal('NOT_FOUND'));
      },
    });
    await slow.get(`${TABLE}?`);
    expect(slow.log).toEqual([
      expect.objectContaining({ level: 'warn', message: 'slow request' }) as unknown,
    ]);
    expect(JSON.stringify(slow.log)).not.toContain(TABLE);
    await slow.close();
  });
});
