/** One client can hold a tenth of what all share; slow and idle connections are closed first (Decisions 15). */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../src/service/contract/endpoints.ts';
import { ORG, type openHttpServer } from '../support/server/http-server.ts';
import { hasEnded, readUntil, readUntilClose, postText, sendAll } from '../support/server/raw-sockets.ts';
import {
  OTHER_ATTACKER,
  BODY,
  BRAND,
  server,
  echo,
  connectFrom,
  gauge,
  GUEST,
  HEALTH,
  connectMany,
  openServer,
  gaugeReaches,
  statusFrom,
  ATTACKER,
} from '../support/server/clients-by-address.ts';

/** A client's tenth of 1,000 arriving bodies. */
const PART = 100;

describe('half-sent bodies', () => {
  const half = async (socket: Socket): Promise<void> => sendAll(socket, postText('/public/echo', BODY, 4));

  test('hold no permit and at most a tenth of arriving bodies, and guests are served', async () => {
    await openServer({ maxWaiting: 8 });
    for (const address of [ATTACKER, OTHER_ATTACKER])
      await Promise.all((await connectMany(PART, address)).map(half));
    await gaugeReaches('ahwa_http_bodies_arriving', 2 * PART);
    expect(await statusFrom(ATTACKER)).toBe(429);
    expect(await gauge('ahwa_http_requests_waiting')).toBe(0);
    expect(await statusFrom(GUEST)).toBe(200);
  });

  test('that are slow are ended with 408 for the next body of the same client', async () => {
    await openServer();
    const slow = await connectMany(PART, ATTACKER);
    const ends = slow.map((socket) => readUntilClose(socket));
    await Promise.all(slow.map(half));
    await gaugeReaches('ahwa_http_bodies_arriving', PART);
    server.time.monotonic += 1_000;
    expect(await statusFrom(ATTACKER)).toBe(200);
    expect(await Promise.race(ends)).toContain('HTTP/1.1 408');
    expect(await gauge('ahwa_http_bodies_arriving')).toBe(PART - 1);
    expect(await server.metrics.text()).toContain('ahwa_http_cut_total{what="slow_body"} 1');
  });

  test('are ended slowest first', async () => {
    await openServer();
    const slow = await connectMany(PART, ATTACKER);
    const [slowest, ...others] = slow;
    if (slowest === undefined) throw new Error('nobody');
    await sendAll(slowest, postText('/public/echo', BODY, 1));
    await Promise.all(others.map(half));
    await gaugeReaches('ahwa_http_bodies_arriving', PART);
    server.time.monotonic += 1_000;
    const end = readUntilClose(slowest);
    expect(await statusFrom(ATTACKER)).toBe(200);
    expect(await end).toContain('HTTP/1.1 408');
  });

  test('count the bytes that are allocated for them', async () => {
    await openServer();
    const socket = await connectFrom(ATTACKER);
    const body = JSON.stringify({ say: 'x'.repeat(100_000) });
    await sendAll(socket, postText('/public/echo', body, 20_000));
    const held = (): Promise<number> => gauge('ahwa_http_body_bytes');
    while ((await held()) < 20_000) await nextTurn();
    const before = await held();
    await sendAll(socket, body.slice(20_000, 20_000 + before - 19_999));
    while ((await held()) === before) await nextTurn();
    expect(await held()).toBeGreaterThanOrEqual(2 * before);
  });

  test('count their bytes until they are parsed', async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const parsed: true[] = [];
    await openServer(
      {
        authenticate: { staff: () => gate.then(() => null), device: () => gate.then(() => null) },
        endpoints: {
          ...endpoints,
          echo: { ...echo, access: { by: 'staff', permission: null } },
          later: { ...echo, id: 'later', path: '/public/later' },
        },
      },
      undefined,
      { later: () => (parsed.push(true), new Promise(() => undefined)) },
    );
    const waiting = await connectFrom(ATTACKER);
    await sendAll(
      waiting,
      postText('/public/echo', BODY).replace('\r\n', '\r\nAuthorization: Bearer token\r\n'),
    );
    await gaugeReaches('ahwa_http_requests_waiting', 1);
    expect(await gauge('ahwa_http_body_bytes')).toBe(BODY.length);
    open();
    await gaugeReaches('ahwa_http_body_bytes', 0);
    await sendAll(await connectFrom(ATTACKER), postText('/public/later', BODY));
    while (parsed.length === 0) await nextTurn();
    expect(await gauge('ahwa_http_body_bytes')).toBe(0);
  });

  test('in thousands of one-byte chunks are refused with 400', async () => {
    await openServer();
    const socket = await connectFrom(ATTACKER);
    const end = readUntilClose(socket);
    const head = 'POST /public/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    await sendAll(socket, `${head}Transfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(5_000)}`);
    expect(await end).toMatch(/HTTP\/1\.1 400 [^]*body is sent in too small pieces, of less than 256 bytes/);
    expect(await gauge('ahwa_http_body_bytes')).toBe(0);
  });
});

describe('permits', () => {
  test('one client holds at most a tenth; beyond is 429, other clients are served', async () => {
    let open: () => void = () => undefined;
    await openServer({ maxWaiting: 100 }, new Promise((resolve) => (open = resolve)));
    for (const socket of await connectMany(10, ATTACKER)) await sendAll(socket, BRAND);
    await gaugeReaches('ahwa_http_requests_waiting', 10);
    expect(await statusFrom(ATTACKER, BRAND)).toBe(429);
    expect(await statusFrom(GUEST)).toBe(200);
    open();
    await gaugeReaches('ahwa_http_requests_waiting', 0);
    expect(await statusFrom(ATTACKER, BRAND)).toBe(200);
  });

  test('work of a disconnected client counts against that client until it ends', async () => {
    let open: () => void = () => undefined;
    await openServer({ maxWaiting: 100 }, new Promise((resolve) => (open = resolve)));
    const disconnected = await connectMany(10, ATTACKER);
    for (const socket of disconnected) await sendAll(socket, BRAND);
    await gaugeReaches('ahwa_http_requests_waiting', 10);
    for (const socket of disconnected) socket.destroy();
    await gaugeReaches('ahwa_http_requests_waiting', 0);
    expect(await statusFrom(ATTACKER, BRAND)).toBe(429);
    open();
    let status = 429;
    while (status === 429) status = await statusFrom(ATTACKER, BRAND);
    expect(status).toBe(200);
  });

  test('all work, also of disconnected clients, is at most twice the permits', async () => {
    await openServer({ maxWaiting: 20 }, new Promise(() => undefined));
    for (let client = 20; client < 25; client += 1) {
      const own = await connectMany(8, `127.0.0.${client}`);
      for (const socket of own) await sendAll(socket, BRAND);
      await gaugeReaches('ahwa_http_requests_waiting', 8);
      for (const socket of own) socket.destroy();
      await gaugeReaches('ahwa_http_requests_waiting', 0);
    }
    expect(await gauge('ahwa_http_requests_abandoned')).toBe(40);
    expect(await statusFrom(GUEST, BRAND)).toBe(503);
  });

  test('clients behind a configured proxy are counted separately', async () => {
    await openServer({ maxWaiting: 100, trustedProxies: [ATTACKER] }, new Promise(() => undefined));
    const as = (client: string): string => BRAND.replace('\r\n', `\r\nX-Forwarded-For: ${client}\r\n`);
    for (const socket of await connectMany(10, ATTACKER)) await sendAll(socket, as('203.0.113.1'));
    await gaugeReaches('ahwa_http_requests_waiting', 10);
    expect(await statusFrom(ATTACKER, as('203.0.113.1'))).toBe(429);
    const other = await connectFrom(ATTACKER);
    await sendAll(other, as('203.0.113.2'));
    await gaugeReaches('ahwa_http_requests_waiting', 11);
  });

  test('are not divided where limits are off', async () => {
    await openServer({ maxWaiting: 100, limitScale: 0 }, new Promise(() => undefined));
    for (const socket of await connectMany(100, ATTACKER)) await sendAll(socket, BRAND);
    await gaugeReaches('ahwa_http_requests_waiting', 100);
    expect(await statusFrom(GUEST)).toBe(503);
  });
});

describe('a rate-limited client that keeps sending', () => {
  const NOWHERE = 'GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n';

  test('pipelined requests get one 429, and the connection closes', async () => {
    await openServer({ limitScale: 0.05 });
    const socket = await connectFrom(ATTACKER);
    const answer = readUntilClose(socket);
    await sendAll(socket, NOWHERE.repeat(200));
    const answers = (await answer).match(/HTTP\/1\.1 \d{3}/g);
    expect(answers).toEqual([...Array.from({ length: 100 }, () => 'HTTP/1.1 404'), 'HTTP/1.1 429']);
  });

  test('one request after the other gets a 429 each, and the connection stays open', async () => {
    await openServer({ limitScale: 0.05 });
    const socket = await connectFrom(ATTACKER);
    const statuses: string[] = [];
    while (statuses.length < 2_100) {
      const answer = once(socket, 'data') as Promise<[Buffer]>;
      await sendAll(socket, NOWHERE);
      statuses.push((await answer)[0].toString().slice(9, 12));
    }
    expect(statuses.filter((status) => status === '429')).toHaveLength(2_000);
    expect(socket.destroyed).toBe(false);
  });
});

describe('pipelined requests', () => {
  const never = new Promise<void>(() => undefined);

  test('wait behind a slow one, and the 257th closes the connection', async () => {
    await openServer({}, never);
    const socket = await connectFrom(ATTACKER);
    const ended = readUntilClose(socket);
    await sendAll(socket, BRAND + HEALTH.repeat(256));
    await gaugeReaches('ahwa_http_requests_queued', 256);
    await sendAll(socket, HEALTH);
    expect(await ended).toBe('');
    await gaugeReaches('ahwa_http_requests_queued', 0);
    expect(await server.metrics.text()).toContain('ahwa_http_cut_total{what="queue"} 1');
    expect(await statusFrom(GUEST, HEALTH)).toBe(200);
  });

  test('on six connections with 250 each are all answered', async () => {
    let open: () => void = () => undefined;
    await openServer({}, new Promise((resolve) => (open = resolve)));
    const all = await connectMany(6, ATTACKER);
    const answers = all.map((socket) => readUntilClose(socket));
    const last = HEALTH.replace('\r\n', '\r\nConnection: close\r\n');
    for (const socket of all) await sendAll(socket, BRAND + HEALTH.repeat(249) + last);
    await gaugeReaches('ahwa_http_requests_queued', 6 * 250);
    open();
    for (const answer of answers) expect((await answer).split('HTTP/1.1 200').length - 1).toBe(251);
    expect(await gauge('ahwa_http_requests_queued')).toBe(0);
  });

  test('hold at most a tenth of the memory over all connections of a client', async () => {
    await openServer({}, never);
    // Node reads no more of large requests until their turn.
    const large = postText('/public/echo', ' '.repeat(14_000)).repeat(250);
    const all = await connectMany(2, ATTACKER);
    const ends = all.map((socket) => hasEnded(socket));
    for (const socket of all) await sendAll(socket, BRAND);
    await gaugeReaches('ahwa_http_requests_waiting', 2);
    for (const socket of all) void sendAll(socket, large);
    expect(await Promise.race(ends)).toBe(true);
    expect(await gauge('ahwa_http_queued_bytes')).toBeLessThan(6.5 * 1024 * 1024);
    expect(await statusFrom(GUEST)).toBe(200);
  });
});

describe('open connections', () => {
  test('beyond a client’s tenth, its least recently used idle connection is closed', async () => {
    await openServer({ maxConnections: 100 });
    const idle = await connectMany(10, ATTACKER);
    await gaugeReaches('ahwa_http_connections', 10);
    const [first, second] = idle;
    if (first === undefined || second === undefined) throw new Error('nobody');
    server.time.monotonic += 1;
    await Promise.all([
      readUntil(first, '200 OK'),
      sendAll(first, 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'),
    ]);
    const ended = Promise.race(idle.map(async (socket, index) => (await hasEnded(socket)) && index));
    expect(await statusFrom(ATTACKER)).toBe(200);
    expect(await ended).not.toBe(0);
    expect(await statusFrom(GUEST)).toBe(200);
    expect(await server.metrics.text()).toMatch(/ahwa_http_cut_total\{what="idle"\} [1-9]/);
  });

  test('with all connections taken, a new one replaces an idle one of the largest client', async () => {
    await openServer({ maxConnections: 20 });
    for (const address of [ATTACKER, OTHER_ATTACKER]) await connectMany(8, address);
    for (let other = 10; other < 14; other += 1) await connectFrom(`127.0.0.${other}`);
    await gaugeReaches('ahwa_http_connections', 20);
    expect(await statusFrom(GUEST)).toBe(200);
  });

  test('a busy connection is never closed for a new one of its client', async () => {
    let open: () => void = () => undefined;
    await openServer({ maxConnections: 100 }, new Promise((resolve) => (open = resolve)));
    const atWork = await connectMany(10, ATTACKER);
    const answers = atWork.map((socket) => readUntil(socket, '200 OK'));
    for (const socket of atWork) await sendAll(socket, BRAND);
    await gaugeReaches('ahwa_http_requests_waiting', 10);
    expect(await hasEnded(await connectFrom(ATTACKER))).toBe(true);
    expect(await statusFrom(GUEST)).toBe(200);
    open();
    await Promise.all(answers);
  });

  describe('behind a streaming proxy', () => {
    const MENU = 'x'.repeat(8 * 1024 * 1024);
    const links = (client: string, slug: string): string =>
      `GET /public/orgs/links?slug=${slug} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${client}\r\n\r\n`;
    const health = (client: string): string =>
      `GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Forwarded-For: ${client}\r\n\r\n`;
    const openWithProxy = async (options: Parameters<typeof openHttpServer>[1] = {}): Promise<void> => {
      const large = { body: { menu: MENU }, orgId: ORG, scopes: [], version: 1, validUntil: null };
      await openServer({ maxConnections: 100, trustedProxies: [ATTACKER], ...options }, undefined, {
        getLinks: () => Promise.resolve(large),
      });
    };
    /** Requests a large response and reads only its first line. */
    const readNothing = async (client: string, slug: string): Promise<void> => {
      const socket = await connectFrom(ATTACKER);
      const begun = readUntil(socket, 'HTTP/1.1 200');
      await sendAll(socket, links(client, slug));
      await begun;
      socket.pause();
    };
    const throughProxy = async (text: string): Promise<string> => {
      const socket = await connectFrom(ATTACKER);
      const answer = readUntilClose(socket);
      await sendAll(socket, text);
      return answer;
    };

    test.each([
      ['made for it', (n: number) => `slug-${n}`],
      ['that are ready', () => 'slug'],
    ])('a guest who reads nothing holds at most a tenth of answers %s', async (_, slugOf) => {
      await openWithProxy();
      for (let n = 0; n < 10; n += 1) await readNothing('203.0.113.1', slugOf(n));
      expect(await gauge('ahwa_http_requests_under_way')).toBe(10);
      // A cached response begins before the server knows that nobody reads it.
      const next = await throughProxy(BRAND.replace('\r\n', '\r\nX-Forwarded-For: 203.0.113.1\r\n'));
      expect(next).toMatch(/HTTP\/1\.1 429 [^]*Connection: close/);
      expect(await throughProxy(health('203.0.113.2'))).toContain('200 OK');
    });

    test('with all connections busy, a new one replaces the slowest reader of the largest client', async () => {
      await openWithProxy({ limitScale: 100, maxConnections: 16 });
      for (let n = 0; n < 16; n += 1) await readNothing(n < 7 ? '203.0.113.1' : `203.0.113.${n}`, 'slug');
      server.time.monotonic += 1_000;
      expect(await throughProxy(health('203.0.113.99'))).toContain('200 OK');
      await gaugeReaches('ahwa_http_requests_under_way', 15);
      expect(await server.metrics.text()).toContain('ahwa_http_cut_total{what="slow_reader"} 1');
    });

    test('a client that stops reading is cut off, one that reads is not', async () => {
      await openWithProxy({ timeouts: { stall: 100 } });
      await readNothing('203.0.113.1', 'slug');
      await gaugeReaches('ahwa_http_requests_under_way', 1);
      await gaugeReaches('ahwa_http_requests_under_way', 0);
      expect(
        (await throughProxy(links('203.0.113.1', 'slug').replace('\r\n', '\r\nConnection: close\r\n')))
          .length,
      ).toBeGreaterThan(MENU.length);
    });
  });

  test('a configured proxy may open more than a tenth', async () => {
    await openServer({ maxConnections: 100, trustedProxies: [ATTACKER] });
    await connectMany(50, ATTACKER);
    await gaugeReaches('ahwa_http_connections', 50);
  });
});
