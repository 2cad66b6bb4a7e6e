/** Broken connections, limits, the graceful stop, metrics. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { endpoint } from '../../src/platform/contract/endpoint.ts';
import { endpoints } from '../../src/service/contract/endpoints.ts';
import { Refusal } from '../../src/kernel/refusal.ts';
import { serveMetrics } from '../../src/doors/http/metrics.ts';
import { BRANCH, type HttpFixture, openHttpServer, ORG } from '../support/server/http-server.ts';
import { httpRequest, type Reply } from '../support/server/http-client.ts';

const MENU = `/public/branches/${BRANCH}/menu`;

const withDoors = async (
  work: (doors: HttpFixture) => Promise<void>,
  ...options: Parameters<typeof openHttpServer>
): Promise<void> => {
  const doors = await openHttpServer(...options);
  try {
    await work(doors);
  } finally {
    await doors.close();
  }
};

/** The response to these bytes, until the server closes the connection. */
const exchange = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
  });

const parsed = (raw: string): { status: number; head: string; json: unknown } => {
  const [head = '', body = ''] = raw.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), json: JSON.parse(body) as unknown };
};

describe('a malformed HTTP request gets the error body', () => {
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400, 'request is not valid HTTP.'],
    ['an unknown method', 'FROB / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'request is not valid HTTP.'],
    [
      'a header without a name',
      'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n',
      400,
      'request is not valid HTTP.',
    ],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx',
      400,
      'request is not valid HTTP.',
    ],
    [
      'headers over 16 KB',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
      431,
      'The request headers are too large.',
    ],
    [
      'an address over 16 KB',
      `GET /${'y'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      414,
      'The address is too long.',
    ],
    [
      'CONNECT',
      'CONNECT example.com:80 HTTP/1.1\r\nHost: example.com\r\n\r\n',
      405,
      'This address does not take that method.',
    ],
    [
      'two hosts',
      'GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\nConnection: close\r\n\r\n',
      400,
      'Host must be one.',
    ],
    ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'Host is required.'],
    [
      'a fragment',
      'GET /#x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      400,
      'address must not have a fragment.',
    ],
  ])('%s', async (_, bytes, status, error) => {
    await withDoors(async (doors) => {
      const answer = parsed(await exchange(doors.port, bytes));
      expect([answer.status, (answer.json as { error: string }).error]).toEqual([status, error]);
      for (const line of [
        'content-type: application/json',
        'cache-control: no-store',
        'x-request-id:',
        'ratelimit:',
        'connection: close',
      ])
        expect(answer.head).toContain(line);
    });
  });

  test('a request that arrives too slowly is refused with 408', async () => {
    await withDoors(
      async (doors) => {
        const answer = parsed(await exchange(doors.port, 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '));
        expect(answer).toMatchObject({
          status: 408,
          json: { error: 'The request took too long to arrive.' },
        });
      },
      {},
      { timeouts: { headers: 150, request: 150, check: 50 } },
    );
  });

  test('pipelined requests are answered in order', async () => {
    await withDoors(async (doors) => {
      await doors.get('/public/orgs/brand?slug=x');
      const requestFor = (path: string, last = false) =>
        `GET ${path} HTTP/1.1\r\nHost: x\r\n${last ? 'Connection: close\r\n' : ''}\r\n`;
      const received = await exchange(
        doors.port,
        requestFor('/health') +
          requestFor('/public/orgs/brand?slug=x') +
          requestFor('/nope') +
          requestFor('/health', true),
      );
      expect([...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
        '200',
        '200',
        '404',
        '200',
      ]);
    });
  });
});

test('a client that disconnects in the middle of its body is not logged', async () => {
  const echo = endpoint({
    ...{
      id: 'echo',
      method: 'POST',
      path: '/public/echo',
      tag: 'Test',
      summary: 'Echo',
      params: {},
      query: {},
    },
    body: Type.Object({}),
    ...{ reply: Type.Object({}), refusals: [], cache: 'no-store', limit: 'writes', examples: {} },
  });
  await withDoors(
    async (doors) => {
      const socket = connect(doors.port, '127.0.0.1');
      const head =
        'POST /public/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
      await new Promise((resolve) => socket.write(head, resolve));
      while (!(await doors.metrics.text()).includes('ahwa_http_bodies_arriving 1'))
        await doors.get('/health');
      socket.destroy();
      while (!(await doors.metrics.text()).includes('ahwa_http_bodies_arriving 0'))
        await doors.get('/health');
      expect(doors.log).toEqual([]);
    },
    { echo: () => Promise.resolve({}) },
    { endpoints: { ...endpoints, echo } },
  );
});

describe('rate limits over HTTP', () => {
  test('300 ordering reads pass, then 429; general counts every one', async () => {
    await withDoors(async (doors) => {
      const answers: Reply[] = [];
      for (let n = 0; n < 302; n += 1) answers.push(await doors.get(MENU, { 'if-none-match': '*' }));
      expect(answers.map(({ status }) => status)).toEqual([...Array<number>(300).fill(304), 429, 429]);
      const last = answers[301];
      expect(last?.headers).toMatchObject({
        ...{ 'retry-after': '1', 'ratelimit-policy': '"ordering_reads";q=300;w=15, "general";q=2000;w=60' },
        ...{ ratelimit: '"ordering_reads";r=0;t=1, "general";r=1698;t=1', 'cache-control': 'no-store' },
      });
      expect(last?.body).toEqual({
        ...{
          error: 'Too many requests. Try again in 1 second.',
          code: 'RATE_LIMITED',
          retry_after_seconds: 1,
        },
      });
      expect((await doors.get('/public/orgs/brand?slug=x')).headers.ratelimit).toBe('"general";r=1697;t=1');
      doors.time.monotonic += 1_000;
      expect((await doors.get(MENU)).status).toBe(200);
    });
  });

  test('unknown addresses count in general; /health and /ready are never counted', async () => {
    await withDoors(
      async (doors) => {
        for (let n = 0; n < 20; n += 1) await doors.get('/nope');
        expect((await doors.get('/nope')).status).toBe(429);
        expect((await doors.get('/openapi.json')).status).toBe(429);
        for (const path of ['/health', '/ready']) {
          const answer = await doors.get(path);
          expect([answer.status, answer.headers.ratelimit]).toEqual([200, undefined]);
        }
      },
      {},
      { limitScale: 0.01 },
    );
  });

  test('a forwarded address counts only from a configured proxy', async () => {
    const twice = async (doors: HttpFixture) => {
      await doors.get('/nope', { 'x-forwarded-for': '203.0.113.1' });
      return (await doors.get('/nope', { 'x-forwarded-for': '203.0.113.2' })).headers.ratelimit;
    };
    await withDoors(async (doors) => expect(await twice(doors)).toContain('r=1998'));
    await withDoors(
      async (doors) => expect(await twice(doors)).toContain('r=1999'),
      {},
      { trustedProxies: ['127.0.0.1'] },
    );
  });

  test('a scale of 0 turns rate limits off', async () => {
    await withDoors(
      async (doors) => {
        const { headers } = await doors.get(MENU);
        expect([headers.ratelimit, headers['ratelimit-policy']]).toEqual([undefined, undefined]);
      },
      {},
      { limitScale: 0 },
    );
  });
});

describe('an overloaded server', () => {
  test('refuses requests beyond its permits with 503 and still answers /health', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const arrived: string[] = [];
    await withDoors(
      async (doors) => {
        const waiting = ['a', 'b'].map((slug) => doors.get(`/public/orgs/brand?slug=${slug}`));
        while (arrived.length < 2) await doors.get('/health');
        const refused = await doors.get('/public/orgs/brand?slug=c');
        expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2']);
        release();
        expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([404, 404]);
      },
      {
        getBrand: async ({ query }: { query: { slug: string } }) => {
          arrived.push(query.slug);
          await gate;
          throw new Refusal('NOT_FOUND');
        },
      },
      { maxWaiting: 2 },
    );
  });
});

describe('a server that stops', () => {
  test('finishes requests under way, closes connections without a request and refuses new ones', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    let arrived: () => void = () => undefined;
    const inFlight = new Promise<void>((resolve) => (arrived = resolve));
    const doors = await openHttpServer({
      getBrand: async () => {
        arrived();
        await gate;
        return { body: { ok: true }, orgId: ORG, scopes: [], version: 1, validUntil: null };
      },
    });
    const agent = new Agent({ keepAlive: true });
    const idle = new Promise<void>((resolve) => {
      request({ port: doors.port, host: '127.0.0.1', path: '/health', agent }, (response) => {
        response.socket.on('close', resolve);
        response.resume();
      }).end();
    });
    const [silent, halfSent] = [connect(doors.port, '127.0.0.1'), connect(doors.port, '127.0.0.1')];
    halfSent.write('GET /health HTTP/1.1\r\nHo');
    await Promise.all([once(silent, 'connect'), once(halfSent, 'connect')]);
    const answer = doors.raw('/public/orgs/brand?slug=x');
    await inFlight;
    const closed = doors.close();
    await Promise.all([idle, once(silent, 'close'), once(halfSent, 'close')]);
    await expect(httpRequest(doors.port, '/health')).rejects.toThrow('ECONNREFUSED');
    release();
    const { status, headers } = await answer;
    expect([status, headers.connection]).toEqual([200, 'close']);
    await closed;
    agent.destroy();
  });

  test('a port that is in use is reported as EADDRINUSE', async () => {
    await withDoors(async (doors) => {
      await expect(openHttpServer({}, {}, doors.port)).rejects.toThrow('EADDRINUSE');
    });
  });
});

describe('metrics', () => {
  test('are served on a separate port', async () => {
    await withDoors(async (doors) => {
      await doors.get(MENU);
      await doors.get(MENU);
      await doors.get('/nope');
      const server = await serveMetrics(doors.metrics, { port: 0, host: '127.0.0.1' });
      const { text, headers } = await httpRequest(server.port, '/metrics');
      expect(headers['content-type']).toContain('text/plain');
      for (const line of [
        'ahwa_http_requests_total{operation="getBranchMenu",status="200"} 2',
        'ahwa_http_requests_total{operation="unknown",status="404"} 1',
        'ahwa_http_request_duration_seconds_bucket{operation="getBranchMenu",le="+Inf"} 2',
        'ahwa_http_request_duration_seconds_count{operation="getBranchMenu"} 2',
        'ahwa_published_answers_total{outcome="hit"} 1',
        'ahwa_published_answers_total{outcome="miss"} 1',
        'ahwa_limit_refusals_total{group="general"} 0',
        'ahwa_http_requests_waiting 0',
      ])
        expect(text).toContain(line);
      expect(text).toContain('process_cpu_user_seconds_total');
      expect((await httpRequest(server.port, '/')).status).toBe(404);
      await server.close();
    });
  });
});
test('a request without exactly one Host is refused even if its answer is cached', async () => {
  await withDoors(async (doors) => {
    for (const hosts of ['Host: x\r\n', '', 'Host: x\r\nhost: y\r\n', 'Host: x\r\n']) {
      const answer = parsed(
        await exchange(doors.port, `GET ${MENU} HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`),
      );
      expect([hosts, answer.status]).toEqual([hosts, hosts === 'Host: x\r\n' ? 200 : 400]);
    }
  });
});
