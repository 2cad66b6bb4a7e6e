/** Cached responses over HTTP: tags, codings, lifetimes (Decisions 15; docs/spec/caching-and-limits.md). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BRANCH, openHttpServer, ORG } from '../support/server/http-server.ts';
import type { HttpFixture } from '../support/server/http-server.ts';
import { readUntilClose, openSocket, sendAll } from '../support/server/raw-sockets.ts';

const MENU = `/public/branches/${BRANCH}/menu`;

describe('a public read', () => {
  let doors: HttpFixture;
  let builds = 0;
  let validUntil: number | null = null;
  const menu = {
    ...{ items: [], addons: [], deals: [], discount: null },
    categories: Array.from({ length: 40 }, (_, n) => ({
      ...{ id: ORG, name: `قهوة ${n}`, name_translations: { en: `Coffee ${n}` } },
    })),
  };
  const tiny = { ...menu, categories: [] };
  beforeAll(async () => {
    doors = await openHttpServer({
      getBranchMenu: ({ query }: { query: { channel?: string } }) => {
        builds += 1;
        const body = query.channel === 'pickup' ? tiny : menu;
        return Promise.resolve({ body, orgId: ORG, scopes: ['menu'], version: builds, validUntil });
      },
    });
  });
  afterAll(() => doors.close());

  test('has a strong tag, Vary and a lifetime', async () => {
    const { headers, status } = await doors.get(MENU);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      ...{ vary: 'Accept-Encoding', 'cache-control': 'public, max-age=30' },
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'ETag, RateLimit, RateLimit-Policy, Retry-After',
    });
    expect(headers.etag).toMatch(/^"[\w-]{22}"$/);
  });

  test('is compressed as the client prefers, with one tag per encoding', async () => {
    const plain = await doors.get(MENU);
    const cases = [
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['x-gzip', 'gzip'],
      ['gzip;q=0.5, br;q=0.1', 'gzip'],
      ['*', 'br'],
      ['br;q=0, *', 'gzip'],
      ['identity;q=0, *;q=0.1', 'br'],
      ['identity', undefined],
      ['br;q=0', undefined],
      ['gzip;q=0.2, identity', undefined],
      ['', undefined],
    ] as const;
    const tags = new Map<string | undefined, string | undefined>();
    for (const [accept, coding] of cases) {
      const answer = await doors.get(MENU, { 'accept-encoding': accept });
      expect([accept, answer.headers['content-encoding']]).toEqual([accept, coding]);
      expect(answer.text).toBe(plain.text);
      expect(Number(answer.headers['content-length'])).toBe(answer.bytes.length);
      tags.set(coding, answer.headers.etag);
    }
    expect(new Set(tags.values()).size).toBe(3);
  });

  test('of a small answer is uncompressed, unless the client refuses identity', async () => {
    const path = `${MENU}?channel=pickup`;
    expect(
      (await doors.get(path, { 'accept-encoding': 'br, gzip' })).headers['content-encoding'],
    ).toBeUndefined();
    expect(
      (await doors.get(path, { 'accept-encoding': 'gzip, identity;q=0' })).headers['content-encoding'],
    ).toBe('gzip');
  });

  test('returns 304 for the tag of any encoding, also weak or in a list', async () => {
    const etags = [];
    for (const accept of ['br', 'gzip', 'identity'])
      etags.push((await doors.get(MENU, { 'accept-encoding': accept })).headers.etag ?? '');
    for (const tag of etags)
      for (const held of [tag, `W/${tag}`, `"other", ${tag}`, `W/"x,y",${tag} , "z"`]) {
        const answer = await doors.get(MENU, { 'if-none-match': held, 'accept-encoding': 'br' });
        expect([held, answer.status, answer.headers.etag]).toEqual([held, 304, tag]);
        expect(answer.bytes.length).toBe(0);
        expect(answer.headers).toMatchObject({
          vary: 'Accept-Encoding',
          'cache-control': 'public, max-age=30',
        });
        expect(answer.headers.ratelimit).toContain('"ordering_reads"');
      }
    expect((await doors.get(MENU, { 'if-none-match': '*' })).status).toBe(304);
    for (const other of ['"x"', etags[0]?.slice(1, -1) ?? '', `"${etags[0] ?? ''}x"`, ''])
      expect((await doors.get(MENU, { 'if-none-match': other })).status).toBe(200);
  });

  test('has the same headers for HEAD as for GET, and no body', async () => {
    const get = await doors.get(MENU, { 'accept-encoding': 'br' });
    const head = await doors.send(MENU, { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
    expect(head.bytes.length).toBe(0);
    for (const name of ['etag', 'content-length', 'content-encoding', 'cache-control'])
      expect(head.headers[name]).toBe(get.headers[name]);
  });

  test('is built once for all spellings of its address', async () => {
    const before = builds;
    await doors.get(`/public/branches/${BRANCH.toUpperCase()}/menu`);
    await doors.get(`/public/branches/${BRANCH.replace('5', '%35')}/menu`);
    await doors.raw(`http://127.0.0.1:${doors.port}${MENU}`);
    await doors.get(`${MENU}?`);
    expect(builds).toBe(before);
  });

  test('has a lifetime that ends with the answer’s expiry', async () => {
    validUntil = doors.time.now + 12_900;
    doors.http.published.changed({ orgId: ORG, version: builds + 1, scopes: ['menu'] });
    builds += 1;
    expect((await doors.get(MENU)).headers['cache-control']).toBe('public, max-age=12');
    const built = builds;
    doors.time.now += 12_899;
    expect((await doors.get(MENU)).headers['cache-control']).toBe('public, max-age=0');
    expect(builds).toBe(built);
    doors.time.now += 1;
    validUntil = null;
    expect((await doors.get(MENU)).headers['cache-control']).toBe('public, max-age=30');
    expect(builds).toBe(built + 1);
  });

  test('shows a change to the next request', async () => {
    const before = await doors.get(MENU);
    menu.categories.pop();
    doors.http.published.changed({ orgId: ORG, version: builds + 1, scopes: ['menu'] });
    builds += 1;
    const after = await doors.get(MENU, { 'if-none-match': before.headers.etag ?? '' });
    expect(after.status).toBe(200);
    expect(after.headers.etag).not.toBe(before.headers.etag);
  });

  test('has the Cache-Control of its endpoint’s policy', async () => {
    const policy = async (path: string) => (await doors.get(path)).headers['cache-control'];
    expect(await policy('/public/orgs/brand?slug=x')).toBe('public, max-age=60');
    expect(await policy(`/public/branches?org_id=${ORG}`)).toBe('no-cache');
    expect(await policy(`/public/branches/${BRANCH}/booking-slots?date=2026-12-04&party_size=2`)).toBe(
      'no-cache',
    );
    expect(await policy(`/public/delivery-orders/${ORG}/track`)).toBe('private, no-cache');
    expect(await policy('/health')).toBe('no-store');
  });
});

describe('the documents', () => {
  let doors: HttpFixture;
  beforeAll(async () => {
    doors = await openHttpServer();
  });
  afterAll(() => doors.close());

  test('/openapi.json has a tag, is compressed and may be cached for an hour', async () => {
    const { headers, body } = await doors.get('/openapi.json', { 'accept-encoding': 'gzip, br' });
    expect(headers).toMatchObject({ 'content-encoding': 'br', 'cache-control': 'public, max-age=3600' });
    expect(body).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'https://ahwa.example' }] });
    expect((await doors.get('/openapi.json', { 'if-none-match': headers.etag ?? '' })).status).toBe(304);
  });

  test('/ describes the service', async () => {
    expect((await doors.get('/?utm_source=x')).body).toMatchObject({ name: 'Ahwa' });
  });

  test('/docs.md is the reference as Markdown', async () => {
    const { text, headers } = await doors.get('/docs.md');
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(text).toContain('### GET /public/orgs/brand');
    expect(text).toContain('[Errors](/docs#errors)');
  });

  test('no server starts with two documents of one name, or one named like an operation', async () => {
    const document = (id: string, path: string) => ({ id, path, type: 'text/plain', write: () => 'text' });
    const two = [document('robots', '/robots.txt'), document('robots', '/humans.txt')];
    await expect(openHttpServer({}, { documents: two })).rejects.toThrow(
      '/robots.txt and /humans.txt have one name, robots',
    );
    await expect(openHttpServer({}, { documents: [document('getBrand', '/brand.txt')] })).rejects.toThrow(
      '/public/orgs/brand and /brand.txt have one name, getBrand',
    );
  });
});

describe('with the database unreachable', () => {
  test('cached answers are served for at most 60 s, all others are 503', async () => {
    const state = { gone: false };
    const doors = await openHttpServer({
      getBranchMenu: () => {
        if (state.gone)
          return Promise.reject(Object.assign(new Error('no'), { name: 'DatabaseUnavailable' }));
        const body = { categories: [], items: [], addons: [], deals: [] };
        return Promise.resolve({ body, orgId: ORG, scopes: ['menu'], version: 1, validUntil: null });
      },
    });
    try {
      await doors.get(MENU);
      state.gone = true;
      expect((await doors.get(MENU)).status).toBe(200);
      const other = await doors.get(`${MENU}?channel=pickup`);
      expect(other.status).toBe(503);
      expect(other.headers['retry-after']).toBe('2');
      doors.feed.isFresh = false;
      expect((await doors.get(MENU)).status).toBe(503);
      state.gone = false;
      doors.feed.isFresh = true;
      expect((await doors.get(MENU)).status).toBe(200);
      expect((await doors.get(`${MENU}?channel=pickup`)).status).toBe(200);
    } finally {
      await doors.close();
    }
  });
});

test('every answer, also an error, forbids loading, framing, sniffing and referrers', async () => {
  const doors = await openHttpServer();
  try {
    const answers = [
      ...[await doors.raw(MENU), await doors.raw(MENU), await doors.raw('/nope'), await doors.raw('/health')],
      await doors.raw('/staff/orders'),
      await doors.raw(MENU, { method: 'OPTIONS' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200, 404, 204]);
    for (const { headers } of answers)
      expect(headers).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
  } finally {
    await doors.close();
  }
});

describe('HTTP Strict Transport Security', () => {
  const STAY = 'max-age=31536000; includeSubDomains';

  test('every answer has Strict-Transport-Security when the public address is https', async () => {
    const doors = await openHttpServer();
    try {
      for (const path of [MENU, MENU, '/nope', '/health', '/docs.md'])
        expect((await doors.raw(path)).headers['strict-transport-security']).toBe(STAY);
      const broken = await openSocket(doors.port);
      const answer = readUntilClose(broken);
      await sendAll(broken, 'nonsense\r\n\r\n');
      expect(await answer).toContain(`Strict-Transport-Security: ${STAY}`);
    } finally {
      await doors.close();
    }
  });

  test('no answer has Strict-Transport-Security when the public address is http', async () => {
    const doors = await openHttpServer({}, { baseUrl: 'http://localhost:8080' });
    try {
      expect((await doors.raw(MENU)).headers['strict-transport-security']).toBeUndefined();
    } finally {
      await doors.close();
    }
  });
});
