/** Posting webhooks to real https servers on this machine, which only the test allows. */
import { once } from 'node:events';
import {
  createServer as createPlainServer,
  type RequestListener,
  type Server as PlainServer,
} from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { PublicHttpsParts } from '../../src/adapters/public-https.ts';
import { createWebPoster } from '../../src/adapters/web-poster.ts';
import { parseAllow } from '../../src/messaging/domain/webhook-allow.ts';
import type { PostOutcome, WebhookAnswer } from '../../src/ports.ts';
import { certificateFor } from '../support/stand-ins/certificate.ts';

const HOST = 'till.example';
const { key, cert } = certificateFor(HOST);

let servers: (Server | PlainServer)[] = [];

afterEach(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await Promise.all(servers.map((server) => once(server, 'close')));
  servers = [];
});

/** A shop's server; returns its port. */
const serve = async (listener: RequestListener): Promise<number> => {
  const server = createServer({ key, cert }, listener);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

const answering =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, headers).end();
  };

const resolveLocally = (): Promise<string[]> => Promise.resolve(['127.0.0.1']);

const answerOf = (url: string, parts: Partial<PublicHttpsParts> = {}): Promise<WebhookAnswer> =>
  createWebPoster([], { resolve: resolveLocally, isAllowed: () => true, ca: cert, ...parts }).post({
    url,
    headers: { 'content-type': 'application/json', 'webhook-id': 'event-1' },
    body: '{"type":"order.created","data":{"customer_name":"منى"}}',
  });

const post = async (url: string, parts?: Partial<PublicHttpsParts>): Promise<PostOutcome> =>
  (await answerOf(url, parts)).outcome;

const reasonOf = (outcome: PostOutcome): string =>
  outcome.sent ? 'sent' : `${outcome.again}: ${outcome.reason}`;

test('an event arrives complete at host, port and path of its address', async () => {
  const requests: unknown[] = [];
  const port = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers, socket } = request;
      const body = Buffer.concat(chunks).toString('utf8');
      requests.push({
        method,
        url,
        body,
        headers,
        server: 'servername' in socket ? socket.servername : null,
      });
      response.writeHead(204).end();
    });
  });
  expect(await post(`https://${HOST}:${port}/hooks/ahwa?shop=1`)).toEqual({ sent: true, providerId: null });
  expect(requests).toEqual([
    {
      method: 'POST',
      url: '/hooks/ahwa?shop=1',
      body: '{"type":"order.created","data":{"customer_name":"منى"}}',
      server: HOST,
      headers: {
        host: `${HOST}:${port}`,
        connection: 'close',
        'content-length': '58',
        'content-type': 'application/json',
        'webhook-id': 'event-1',
      },
    },
  ]);
});

describe('the answer of a webhook receiver', () => {
  test.each([200, 201, 202, 204, 299])('%i counts as delivered', async (status) => {
    const port = await serve(answering(status));
    expect(await answerOf(`https://${HOST}:${port}/`)).toEqual({
      ...{ outcome: { sent: true, providerId: null }, status },
    });
  });

  test.each([400, 401, 404, 408, 429, 500, 503])('%i is retried', async (status) => {
    const port = await serve(answering(status));
    expect(await post(`https://${HOST}:${port}/`)).toEqual({
      ...{ sent: false, again: 'later', waitMs: null, reason: `answered ${status}` },
    });
  });

  test('410 is reported as gone', async () => {
    const port = await serve(answering(410));
    expect(reasonOf(await post(`https://${HOST}:${port}/`))).toBe('gone: answered 410');
  });

  test.each([429, 503])('%i with Retry-After sets the wait before the retry', async (status) => {
    const port = await serve(answering(status, { 'retry-after': '120' }));
    expect(await post(`https://${HOST}:${port}/`)).toMatchObject({ again: 'later', waitMs: 120_000 });
  });

  test('a Retry-After date sets the wait; a past or invalid value is ignored', async () => {
    // Relative to the response's own clock.
    const at = (retryAfter: string) => ({ date: 'Sat, 26 Sep 2026 10:00:00 GMT', 'retry-after': retryAfter });
    const dated = await serve(answering(503, at('Sat, 26 Sep 2026 11:00:00 GMT')));
    expect(await post(`https://${HOST}:${dated}/`)).toMatchObject({ waitMs: 3_600_000 });
    const past = await serve(answering(503, at('Fri, 01 Jan 2021 00:00:00 GMT')));
    expect(await post(`https://${HOST}:${past}/`)).toMatchObject({ waitMs: null });
    const odd = await serve(answering(503, { 'retry-after': 'soon' }));
    expect(await post(`https://${HOST}:${odd}/`)).toMatchObject({ waitMs: null });
  });

  test.each([301, 302, 303, 307, 308])('the redirect %i is not followed', async (status) => {
    let reached = 0;
    const elsewhere = await serve((_, response) => {
      reached += 1;
      response.end();
    });
    const port = await serve(answering(status, { location: `https://${HOST}:${elsewhere}/` }));
    expect(reasonOf(await post(`https://${HOST}:${port}/`))).toBe(
      `later: answered ${status}; redirects are not followed`,
    );
    expect(reached).toBe(0);
  });
});

describe('a slow or endless receiver', () => {
  test('an endless answer is cut off after a limit', async () => {
    let written = 0;
    const closed = new Promise((resolve) => {
      void serve((_, response) => {
        response.writeHead(200);
        const chunk = Buffer.alloc(16 * 1_024);
        const more = (): void => {
          while (!response.destroyed && response.write(chunk)) written += chunk.length;
        };
        response.on('drain', more).on('close', resolve);
        more();
      }).then(async (port) => {
        expect(reasonOf(await post(`https://${HOST}:${port}/`))).toBe('sent');
      });
    });
    await closed;
    // The operating systems buffer more than was read.
    expect(written).toBeLessThan(16 * 1_024 * 1_024);
  });

  test('a missing answer ends at the time limit', async () => {
    const port = await serve(() => undefined);
    expect(reasonOf(await post(`https://${HOST}:${port}/`, { timeLimitMs: 200 }))).toBe(
      'later: no answer within 0.2 s',
    );
  });

  test('headers sent byte by byte end at the time limit', async () => {
    const port = await serve(({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
      const timer = setInterval(() => socket.write('a'), 10);
      socket.on('error', () => undefined).on('close', () => clearInterval(timer));
    });
    expect(reasonOf(await post(`https://${HOST}:${port}/`, { timeLimitMs: 300 }))).toBe(
      'later: no answer within 0.3 s',
    );
  });

  test('endless headers close the connection', async () => {
    const port = await serve(({ socket }) => {
      socket.on('error', () => undefined);
      socket.write(`HTTP/1.1 200 OK\r\nX-Long: ${'a'.repeat(1_000_000)}`);
    });
    expect(reasonOf(await post(`https://${HOST}:${port}/`))).toMatch(/^later: no connection/);
  });

  test('an answer that breaks off after status 200 counts as delivered', async () => {
    const port = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.socket?.destroy());
    });
    expect(reasonOf(await post(`https://${HOST}:${port}/`))).toBe('sent');
  });

  test('a connection that breaks before the answer is retried', async () => {
    const port = await serve(({ socket }) => socket.destroy());
    expect(reasonOf(await post(`https://${HOST}:${port}/`))).toBe(
      'later: no connection: it broke off before an answer (ECONNRESET)',
    );
  });
});

describe('a private address', () => {
  test.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[64:ff9b::a00:1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.5:8443/',
    'https://0.0.0.0/',
  ])('%s is never posted to', async (url) => {
    const { outcome } = await createWebPoster([], { resolve: resolveLocally, ca: cert }).post({
      url,
      headers: {},
      body: '{}',
    });
    expect(reasonOf(outcome)).toBe('never: not a public address');
  });

  test.each([[['10.0.0.1']], [['1.1.1.1', '10.0.0.1']], [['1.1.1.1', '::1']], [['2606:4700::1', 'fd00::1']]])(
    'a name that resolves to %j is never posted to',
    async (addresses) => {
      const poster = createWebPoster([], { resolve: () => Promise.resolve(addresses) });
      const { outcome } = await poster.post({ url: `https://${HOST}/`, headers: {}, body: '{}' });
      expect(reasonOf(outcome)).toBe('never: not a public address');
    },
  );

  test('a name that later resolves to a private address is not posted to (DNS rebinding)', async () => {
    let requests = 0;
    const port = await serve((_, response) => {
      requests += 1;
      response.end();
    });
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    let lookups = 0;
    const rebinding = (): Promise<string[]> => Promise.resolve(answers[lookups++] ?? []);
    const parts = { resolve: rebinding, isAllowed: (address: string) => address === '127.0.0.1' };
    expect(reasonOf(await post(`https://${HOST}:${port}/`, parts))).toBe('sent');
    // One lookup: the connection used the checked address.
    expect([lookups, requests]).toEqual([1, 1]);
    expect(reasonOf(await post(`https://${HOST}:${port}/`, parts))).toBe('never: not a public address');
    expect([lookups, requests]).toEqual([2, 1]);
  });
});

describe('an address that WEBHOOK_ALLOW permits', () => {
  const ALLOW = parseAllow('127.0.0.1, till.internal') ?? [];
  const allowed = async (url: string, parts: Partial<PublicHttpsParts> = {}): Promise<string> => {
    const poster = createWebPoster(ALLOW, { ca: cert, ...parts });
    return reasonOf((await poster.post({ url, headers: {}, body: '{}' })).outcome);
  };
  const servePlain = async (): Promise<number> => {
    const server = createPlainServer(answering(204));
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };

  test('is posted to by http or https, in whatever form it is written', async () => {
    const plain = await servePlain();
    for (const host of ['127.0.0.1', '127.1', '2130706433', '0177.0.0.1', '[::ffff:127.0.0.1]'])
      expect([host, await allowed(`http://${host}:${plain}/`)]).toEqual([host, 'sent']);
    const port = await serve(answering(204));
    expect(await allowed(`https://${HOST}:${port}/`, { resolve: resolveLocally })).toBe('sent');
  });

  test('is checked after its name is resolved: each address must be permitted or public', async () => {
    const plain = await servePlain();
    const resolving = (...addresses: string[]) => ({ resolve: () => Promise.resolve(addresses) });
    const [http, https] = [`http://till.internal:${plain}/`, 'https://till.example/'];
    expect(await allowed(http, resolving('127.0.0.1'))).toBe('sent');
    for (const address of ['169.254.169.254', '0.0.0.0', '::ffff:169.254.169.254', 'fe80::1', '1.1.1.1'])
      expect(await allowed(http, resolving('127.0.0.1', address))).toBe('never: not a public address');
    expect(await allowed(https, resolving('1.1.1.1', '127.0.0.2'))).toBe('never: not a public address');
    expect(await allowed('http://till.example/', resolving('127.0.0.1'))).toBe(
      'never: http is permitted only for hosts in WEBHOOK_ALLOW, and this one is not in it',
    );
  });

  test('localhost is resolved as this machine does where it is listed', async () => {
    const plain = await servePlain();
    const poster = createWebPoster(parseAllow('localhost') ?? []);
    const { outcome } = await poster.post({ url: `http://localhost:${plain}/`, headers: {}, body: '{}' });
    expect(reasonOf(outcome)).toBe('sent');
  });
});

describe('an unreachable or invalid address', () => {
  test.each([
    ['http://till.example/', 'never: http is permitted only for hosts in WEBHOOK_ALLOW, which has none here'],
    ['ftp://till.example/', 'never: not an https address'],
    ['till.example', 'never: not an https address'],
    ['https://ahwa:secret@till.example/', 'never: a name or password in the address'],
  ])('%s is refused', async (url, reason) => {
    expect(reasonOf(await post(url))).toBe(reason);
  });

  test('an unknown host name is retried', async () => {
    const none = { resolve: () => Promise.resolve([]) };
    expect(reasonOf(await post(`https://${HOST}/`, none))).toBe('later: its name is not known');
  });

  test('a silent name server ends at the time limit', async () => {
    const silent = { resolve: () => new Promise<string[]>(() => undefined), timeLimitMs: 100 };
    expect(reasonOf(await post(`https://${HOST}/`, silent))).toBe('later: no answer within 0.1 s');
  });

  test('a refused connection is retried', async () => {
    const port = await serve(answering(200));
    servers[0]?.close();
    await once(servers[0] ?? createServer(), 'close');
    servers = [];
    expect(reasonOf(await post(`https://${HOST}:${port}/`))).toBe(
      'later: no connection: nothing listens at its port (ECONNREFUSED)',
    );
  });
});

describe('the certificate of a receiver', () => {
  test('a certificate for another name is refused', async () => {
    const port = await serve(answering(200));
    expect(reasonOf(await post(`https://stock.example:${port}/`))).toBe(
      'later: no connection: its certificate is for another name (ERR_TLS_CERT_ALTNAME_INVALID)',
    );
  });

  test('a self-signed certificate is refused, even with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    const port = await serve(answering(200));
    const { NODE_TLS_REJECT_UNAUTHORIZED: before } = process.env;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      const poster = createWebPoster([], { resolve: resolveLocally, isAllowed: () => true });
      const { outcome } = await poster.post({ url: `https://${HOST}:${port}/`, headers: {}, body: '{}' });
      expect(reasonOf(outcome)).toBe(
        'later: no connection: its certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)',
      );
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    }
  });
});

test('HTTPS_PROXY of the environment is not used', async () => {
  let connections = 0;
  const proxy = createPlainServer().on('connection', (socket) => {
    connections += 1;
    socket.destroy();
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const before = process.env.HTTPS_PROXY;
  process.env.HTTPS_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  try {
    const port = await serve(answering(200));
    expect(reasonOf(await post(`https://${HOST}:${port}/`))).toBe('sent');
    expect(connections).toBe(0);
  } finally {
    if (before === undefined) delete process.env.HTTPS_PROXY;
    else process.env.HTTPS_PROXY = before;
    proxy.close();
  }
});
