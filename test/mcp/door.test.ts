import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { wordsOf } from '../../src/kernel/refusal.ts';
import { CLIENT_HEADERS, postMcp, rpc } from '../support/server/mcp-client.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

/** Decisions 14: HTTP-level refusals have the API's error body; any other request is one message. */

let world: World;
let home: World;
beforeAll(async () => {
  world = await makeWorld();
  home = await makeWorld({ baseUrl: 'http://localhost:8080', database: world.database });
});
afterAll(async () => {
  await home.close();
  await world.close();
});

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const PONG = { jsonrpc: '2.0', id: 1, result: {} };

const isPong = ({ status, body }: Reply): void => expect([status, body]).toEqual([200, PONG]);

/** Expects the error body without a code, and that the next request works. */
const isRefused = async (reply: Reply, status: number): Promise<void> => {
  expect([reply.status, reply.body]).toEqual([status, { error: expect.any(String) as string }]);
  expect(reply.headers['content-type']).toMatch(/^application\/json/);
  expect(reply.headers['www-authenticate']).toBeUndefined();
  isPong(await postMcp(world, PING));
};

describe('the method of /mcp', () => {
  test.each(['GET', 'HEAD', 'DELETE', 'PUT', 'PATCH'])('%s is 405 with Allow: POST', async (method) => {
    for (const address of ['/mcp', '/mcp/', '/mcp?x=1']) {
      const { status, headers, bytes } = await world.send(method, address, { accept: 'text/event-stream' });
      expect([status, headers.allow, headers['content-type']?.split(';')[0]]).toEqual([
        405,
        'POST',
        'application/json',
      ]);
      expect(bytes.length > 0).toBe(method !== 'HEAD');
    }
  });

  test('GET is 405 also when a tool’s answer is cached', async () => {
    await rpc(world, 'tools/call', { name: 'about_ahwa' });
    expect((await world.get('/mcp')).status).toBe(405);
  });

  test('POST is accepted with a trailing slash or a query', async () => {
    isPong(await postMcp(world, PING, {}, '/mcp/'));
    isPong(await postMcp(world, PING, {}, '/mcp?from=a-client'));
  });

  test('POST to an address below /mcp is 404', async () => {
    await isRefused(await postMcp(world, PING, {}, '/mcp/tools'), 404);
  });
});

describe('the content type of a message', () => {
  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset=UTF-8'])(
    '%s is accepted',
    async (type) => isPong(await postMcp(world, PING, { 'content-type': type })),
  );

  test.each(['text/plain', 'application/jsonx', 'application/json-rpc', 'text/event-stream', 'json', ','])(
    '%s is 415',
    async (type) => isRefused(await postMcp(world, PING, { 'content-type': type }), 415),
  );

  test('a body without a content type is 415', async () => {
    await isRefused(await world.send('POST', '/mcp', { accept: '*/*' }, PING), 415);
    await isRefused(await world.send('POST', '/mcp', { accept: '*/*' }), 415);
  });

  test.each(['gzip', 'BR', 'identity, gzip', 'zebra'])(
    'a compressed body (%s) is 415 in both languages, with Accept-Encoding: identity',
    async (coding) => {
      const reply = await postMcp(world, PING, { 'content-encoding': coding });
      await isRefused(reply, 415);
      expect(reply.body).toEqual({ error: wordsOf('BODY_COMPRESSED', 'en') });
      expect(reply.headers['accept-encoding']).toBe('identity');
      const arabic = await postMcp(world, PING, { 'content-encoding': coding, 'accept-language': 'ar' });
      expect(arabic.body).toEqual({ error: wordsOf('BODY_COMPRESSED', 'ar') });
    },
  );

  test.each(['identity', 'Identity', ' IDENTITY ', 'identity, identity', ''])(
    'an uncompressed body with Content-Encoding %j is accepted',
    async (coding) => isPong(await postMcp(world, PING, { 'content-encoding': coding })),
  );
});

describe('the Accept header of a message', () => {
  test.each([
    'application/json, text/event-stream',
    'text/event-stream, application/json',
    'application/json',
    '*/*',
    'application/*;q=0.1',
    'text/html, */*;q=0.01',
    'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
    'text/html, *; q=.2',
    'application/json;q=2',
    'application/json;q=abc',
    'application/json;q=',
    'application/json, application/json;profile=x;q=0',
    'application/json;profile=x;q=0, application/json',
    'application/json; charset=utf-8',
    'text/event-stream, application/json;charset=utf-8',
    'application/json;charset=utf-8, */*;q=0',
    '',
    ' , ',
  ])('%s allows JSON and is accepted', async (accept) => isPong(await postMcp(world, PING, { accept })));

  test('a missing Accept header is accepted', async () => {
    isPong(await world.send('POST', '/mcp', { 'content-type': 'application/json' }, PING));
  });

  test.each([
    'text/event-stream',
    'text/html',
    'application/json;q=0, text/event-stream',
    'application/json;q=0, */*',
    '*/*;q=0',
    'application/json; Q = 0, text/event-stream',
    'application/json;q=0.0',
    'application/json;q=0.000',
    'application/json;q=0.0000',
    'application/json;q=.0, */*',
    'text/html, *;q=0',
    'application/json;q=0, application/json;profile=x',
    'text/html, application/json;profile=x;q=0',
  ])('%s excludes JSON and is 406', async (accept) => isRefused(await postMcp(world, PING, { accept }), 406));
});

describe('the size of a message', () => {
  const padded = (bytes: number): string => PING.padEnd(bytes, ' ');

  test('65,536 bytes are accepted', async () => isPong(await postMcp(world, padded(65_536))));

  test('65,537 bytes are 413', async () => isRefused(await postMcp(world, padded(65_537)), 413));

  test('a chunked body of more than 64 KB is 413', async () => {
    await isRefused(await postMcp(world, padded(70_000), { 'transfer-encoding': 'chunked' }), 413);
  });
});

describe('the Origin header', () => {
  test('any https origin, or none, is accepted', async () => {
    isPong(await postMcp(world, PING));
    for (const origin of ['https://claude.example', 'https://a.b.example:8443', 'https://localhost:3000'])
      isPong(await postMcp(world, PING, { origin }));
  });

  test.each([
    'null',
    'http://shop.example',
    'http://localhost:3000',
    'http://127.0.0.1',
    'file://',
    'https',
    '',
    'https://',
    'https://a.example/path',
    'https://a.example, null',
    'https://a b',
    'https://a.example/',
    'https://a.example?x',
    'https://a.example#x',
    'https://me@a.example',
    'https://a.example:port',
    'https://a.example:99999',
    'https://999.999.999.999',
    'https:a.example',
    ' https://a.example/path',
    'wss://a.example',
    'chrome-extension://abc',
  ])('%j is refused with 403', async (origin) => isRefused(await postMcp(world, PING, { origin }), 403));

  test('a local origin is accepted only while the service’s own address is local', async () => {
    for (const origin of [
      'http://localhost:3000',
      'http://127.0.0.1:6274',
      'http://[::1]',
      'http://localhost.',
      'http://LOCALHOST.:3000',
      'http://127.0.0.1.',
      'http://[::ffff:127.0.0.1]:3000',
      'http://[::FFFF:7f00:1]',
      'https://x.example',
    ])
      isPong(await postMcp(home, PING, { origin }));
    for (const origin of [
      'null',
      'http://evil.example',
      'http://localhost.evil.example',
      'http://localhost..',
      'http://[::ffff:10.0.0.7]',
      'http://localhost:3000/path',
      'http://localhost/',
      'http://localhost?x',
      'http://me@localhost',
      'http://evil.example\\@localhost',
      'http:localhost',
      'ws://localhost',
      'ftp://localhost',
      'localhost',
    ])
      await isRefused(await postMcp(home, PING, { origin }), 403);
  });
});

describe('the Host header', () => {
  test('any host is accepted while the service’s address is public', async () => {
    for (const host of ['ahwa.example', 'inside:8080', '10.0.0.7'])
      isPong(await postMcp(world, PING, { host }));
  });

  test('only a local host is accepted while the service’s address is local', async () => {
    for (const host of [
      'localhost',
      'localhost:8080',
      'LOCALHOST:1',
      '127.0.0.1:9',
      '[::1]:8080',
      'ahwa.localhost',
      'localhost.',
      'localhost.:8080',
      '127.0.0.1.',
      '[::ffff:127.0.0.1]',
      '[::ffff:127.0.0.1]:8080',
      '[::FFFF:7f00:1]',
    ])
      isPong(await postMcp(home, PING, { host }));
    for (const host of [
      'evil.example',
      'localhost.evil.example:8080',
      '10.0.0.7',
      '127.0.0.1.evil.example',
      '[::ffff:10.0.0.7]',
      '[::ffff:127.0.0.1',
      'localhost/evil',
      'localhost?evil',
      'localhost#evil',
      'evil@localhost',
      'localhost:port',
      'localhost:99999',
      'http://localhost',
    ])
      await isRefused(await postMcp(home, PING, { host }), 403);
  });
});

describe('an answer of /mcp', () => {
  test('is `no-store`, without a tag and readable by every origin', async () => {
    const { headers } = await postMcp(world, PING, { origin: 'https://claude.example' });
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    });
    expect(headers.etag).toBeUndefined();
  });

  test('is compressed with br or gzip for clients that accept them', async () => {
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const plain = await postMcp(world, list);
    for (const [coding, read] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { headers, bytes, text } = await postMcp(world, list, { 'accept-encoding': coding });
      expect([headers['content-encoding'], headers.vary]).toEqual([coding, 'Accept-Encoding']);
      expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect([text, read(bytes).toString()]).toEqual([plain.text, plain.text]);
    }
    expect(
      (await postMcp(world, PING, { 'accept-encoding': 'br' })).headers['content-encoding'],
    ).toBeUndefined();
  });

  test('has the id of its message when many messages arrive at once', async () => {
    const ids = Array.from({ length: 100 }, (_, id) => id);
    const replies = await Promise.all(
      ids.map((id) => postMcp(world, JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }))),
    );
    expect(replies.map(({ body }) => (body as { id: number }).id)).toEqual(ids);
  });
});

test('a preflight request allows the headers of the transport', async () => {
  const { status, headers } = await world.send('OPTIONS', '/mcp', {
    origin: 'https://claude.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type,mcp-protocol-version',
  });
  expect(status).toBe(204);
  expect(headers['access-control-allow-methods']).toBe('POST');
  expect(headers['access-control-allow-headers']).toContain('mcp-protocol-version');
});

describe('the rate limit of /mcp', () => {
  test('a message counts in general, together with the client’s API reads', async () => {
    const limited = await makeWorld({ limitScale: 0.001, database: world.database });
    try {
      isPong(await postMcp(limited, PING));
      expect((await limited.get('/')).status).toBe(200);
      const { status, headers, body } = await postMcp(limited, PING);
      expect([status, body]).toEqual([
        429,
        { error: expect.any(String) as string, code: 'RATE_LIMITED', retry_after_seconds: 30 },
      ]);
      expect(headers['retry-after']).toBe('30');
      expect((await limited.get('/')).status).toBe(429);
      limited.elapsed += 30_000;
      isPong(await postMcp(limited, PING));
    } finally {
      await limited.close();
    }
  });

  test('every answer states the tokens left', async () => {
    const limited = await makeWorld({ limitScale: 1, database: world.database });
    try {
      const { headers } = await postMcp(limited, PING, CLIENT_HEADERS);
      expect(headers['ratelimit-policy']).toBe('"general";q=2000;w=60');
      expect(headers['ratelimit']).toMatch(/^"general";r=1999/);
    } finally {
      await limited.close();
    }
  });
});
