/** One client can hold a tenth of what all share, and the slow and the idle go first (Decisions 15). */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as aTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../src/service/contract/index.ts';
import { ORG, type openDoors } from '../support/doors.ts';
import { hasEnded, heard, heardUntilClose, post, sendAll } from '../support/sockets.ts';
import {
  ANOTHER,
  BODY,
  BRAND,
  doors,
  echo,
  from,
  gauge,
  GUEST,
  HEALTH,
  many,
  openWith,
  reads,
  statusFrom,
  STRANGER,
} from '../support/strangers.ts';

/** Of 1,000 bodies at once. */
const PART = 100;

describe('half-sent bodies', () => {
  const half = async (socket: Socket): Promise<void> => sendAll(socket, post('/public/echo', BODY, 4));

  test('take no place, and no more than a tenth of what may arrive: guests are served meanwhile', async () => {
    await openWith({ maxWaiting: 8 });
    for (const address of [STRANGER, ANOTHER]) await Promise.all((await many(PART, address)).map(half));
    await reads('ahwa_http_bodies_arriving', 2 * PART);
    expect(await statusFrom(STRANGER)).toBe(429);
    expect(await gauge('ahwa_http_requests_waiting')).toBe(0);
    expect(await statusFrom(GUEST)).toBe(200);
  });

  test('that have been slow are cut off for the next of the same client, with 408', async () => {
    await openWith();
    const slow = await many(PART, STRANGER);
    const ends = slow.map((socket) => heardUntilClose(socket));
    await Promise.all(slow.map(half));
    await reads('ahwa_http_bodies_arriving', PART);
    doors.time.monotonic += 1_000;
    expect(await statusFrom(STRANGER)).toBe(200);
    expect(await Promise.race(ends)).toContain('HTTP/1.1 408');
    expect(await gauge('ahwa_http_bodies_arriving')).toBe(PART - 1);
    expect(await doors.metrics.text()).toContain('ahwa_http_cut_total{what="slow_body"} 1');
  });

  test('the slowest goes first', async () => {
    await openWith();
    const slow = await many(PART, STRANGER);
    const [slowest, ...others] = slow;
    if (slowest === undefined) throw new Error('nobody');
    await sendAll(slowest, post('/public/echo', BODY, 1));
    await Promise.all(others.map(half));
    await reads('ahwa_http_bodies_arriving', PART);
    doors.time.monotonic += 1_000;
    const end = heardUntilClose(slowest);
    expect(await statusFrom(STRANGER)).toBe(200);
    expect(await end).toContain('HTTP/1.1 408');
  });

  test('count what is allocated for them', async () => {
    await openWith();
    const socket = await from(STRANGER);
    const body = JSON.stringify({ say: 'x'.repeat(100_000) });
    await sendAll(socket, post('/public/echo', body, 20_000));
    const held = (): Promise<number> => gauge('ahwa_http_body_bytes');
    while ((await held()) < 20_000) await aTurn();
    const before = await held();
    await sendAll(socket, body.slice(20_000, 20_000 + before - 19_999));
    while ((await held()) === before) await aTurn();
    expect(await held()).toBeGreaterThanOrEqual(2 * before);
  });

  test('hold their bytes until they are parsed, and no longer', async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const parsed: true[] = [];
    await openWith(
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
    const waiting = await from(STRANGER);
    await sendAll(waiting, post('/public/echo', BODY).replace('\r\n', '\r\nAuthorization: Bearer token\r\n'));
    await reads('ahwa_http_requests_waiting', 1);
    expect(await gauge('ahwa_http_body_bytes')).toBe(BODY.length);
    open();
    await reads('ahwa_http_body_bytes', 0);
    await sendAll(await from(STRANGER), post('/public/later', BODY));
    while (parsed.length === 0) await aTurn();
    expect(await gauge('ahwa_http_body_bytes')).toBe(0);
  });

  test('in thousands of small pieces are refused', async () => {
    await openWith();
    const socket = await from(STRANGER);
    const end = heardUntilClose(socket);
    const head = 'POST /public/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    await sendAll(socket, `${head}Transfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(5_000)}`);
    expect(await end).toMatch(/HTTP\/1\.1 400 [^]*body is sent in too small pieces, of less than 256 bytes/);
    expect(await gauge('ahwa_http_body_bytes')).toBe(0);
  });
});

describe('places', () => {
  test('one client holds a tenth at most; the next is told to wait, others are served', async () => {
    let open: () => void = () => undefined;
    await openWith({ maxWaiting: 100 }, new Promise((resolve) => (open = resolve)));
    for (const socket of await many(10, STRANGER)) await sendAll(socket, BRAND);
    await reads('ahwa_http_requests_waiting', 10);
    expect(await statusFrom(STRANGER, BRAND)).toBe(429);
    expect(await statusFrom(GUEST)).toBe(200);
    open();
    await reads('ahwa_http_requests_waiting', 0);
    expect(await statusFrom(STRANGER, BRAND)).toBe(200);
  });

  test('work whose client has hung up still counts as that client’s until it ends', async () => {
    let open: () => void = () => undefined;
    await openWith({ maxWaiting: 100 }, new Promise((resolve) => (open = resolve)));
    const gone = await many(10, STRANGER);
    for (const socket of gone) await sendAll(socket, BRAND);
    await reads('ahwa_http_requests_waiting', 10);
    for (const socket of gone) socket.destroy();
    await reads('ahwa_http_requests_waiting', 0);
    expect(await statusFrom(STRANGER, BRAND)).toBe(429);
    open();
    let status = 429;
    while (status === 429) status = await statusFrom(STRANGER, BRAND);
    expect(status).toBe(200);
  });

  test('work whose clients have hung up is bounded in all: twice the places', async () => {
    await openWith({ maxWaiting: 20 }, new Promise(() => undefined));
    for (let client = 20; client < 25; client += 1) {
      const own = await many(8, `127.0.0.${client}`);
      for (const socket of own) await sendAll(socket, BRAND);
      await reads('ahwa_http_requests_waiting', 8);
      for (const socket of own) socket.destroy();
      await reads('ahwa_http_requests_waiting', 0);
    }
    expect(await gauge('ahwa_http_requests_abandoned')).toBe(40);
    expect(await statusFrom(GUEST, BRAND)).toBe(503);
  });

  test('clients behind a configured proxy are told apart', async () => {
    await openWith({ maxWaiting: 100, trustedProxies: [STRANGER] }, new Promise(() => undefined));
    const as = (client: string): string => BRAND.replace('\r\n', `\r\nX-Forwarded-For: ${client}\r\n`);
    for (const socket of await many(10, STRANGER)) await sendAll(socket, as('203.0.113.1'));
    await reads('ahwa_http_requests_waiting', 10);
    expect(await statusFrom(STRANGER, as('203.0.113.1'))).toBe(429);
    const other = await from(STRANGER);
    await sendAll(other, as('203.0.113.2'));
    await reads('ahwa_http_requests_waiting', 11);
  });

  test('are not divided where limits are off', async () => {
    await openWith({ maxWaiting: 100, limitScale: 0 }, new Promise(() => undefined));
    for (const socket of await many(100, STRANGER)) await sendAll(socket, BRAND);
    await reads('ahwa_http_requests_waiting', 100);
    expect(await statusFrom(GUEST)).toBe(503);
  });
});

describe('who is refused and asks on', () => {
  const NOWHERE = 'GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n';

  test('many at once is told once, and the connection ends', async () => {
    await openWith({ limitScale: 0.05 });
    const socket = await from(STRANGER);
    const answer = heardUntilClose(socket);
    await sendAll(socket, NOWHERE.repeat(200));
    const answers = (await answer).match(/HTTP\/1\.1 \d{3}/g);
    expect(answers).toEqual([...Array.from({ length: 100 }, () => 'HTTP/1.1 404'), 'HTTP/1.1 429']);
  });

  test('one request after the other is answered each time, and keeps its connection', async () => {
    await openWith({ limitScale: 0.05 });
    const socket = await from(STRANGER);
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

describe('requests in a row on one connection', () => {
  const never = new Promise<void>(() => undefined);

  test('wait behind a slow one, 256 at most: with more the connection is closed', async () => {
    await openWith({}, never);
    const socket = await from(STRANGER);
    const ended = heardUntilClose(socket);
    await sendAll(socket, BRAND + HEALTH.repeat(256));
    await reads('ahwa_http_requests_queued', 256);
    await sendAll(socket, HEALTH);
    expect(await ended).toBe('');
    await reads('ahwa_http_requests_queued', 0);
    expect(await doors.metrics.text()).toContain('ahwa_http_cut_total{what="queue"} 1');
    expect(await statusFrom(GUEST, HEALTH)).toBe(200);
  });

  test('of an honest client are all answered, 250 each on six connections', async () => {
    let open: () => void = () => undefined;
    await openWith({}, new Promise((resolve) => (open = resolve)));
    const all = await many(6, STRANGER);
    const answers = all.map((socket) => heardUntilClose(socket));
    const last = HEALTH.replace('\r\n', '\r\nConnection: close\r\n');
    for (const socket of all) await sendAll(socket, BRAND + HEALTH.repeat(249) + last);
    await reads('ahwa_http_requests_queued', 6 * 250);
    open();
    for (const answer of answers) expect((await answer).split('HTTP/1.1 200').length - 1).toBe(251);
    expect(await gauge('ahwa_http_requests_queued')).toBe(0);
  });

  test('with large bodies hold no more than a tenth of the memory, over all connections of a client', async () => {
    await openWith({}, never);
    // Of larger ones Node reads no more until their turn comes.
    const large = post('/public/echo', ' '.repeat(14_000)).repeat(250);
    const all = await many(2, STRANGER);
    const ends = all.map((socket) => hasEnded(socket));
    for (const socket of all) await sendAll(socket, BRAND);
    await reads('ahwa_http_requests_waiting', 2);
    for (const socket of all) void sendAll(socket, large);
    expect(await Promise.race(ends)).toBe(true);
    expect(await gauge('ahwa_http_queued_bytes')).toBeLessThan(6.5 * 1024 * 1024);
    expect(await statusFrom(GUEST)).toBe(200);
  });
});

describe('connections', () => {
  test('one client’s idle ones are closed for its next, the one used longest ago first', async () => {
    await openWith({ maxConnections: 100 });
    const idle = await many(10, STRANGER);
    await reads('ahwa_http_connections', 10);
    const [first, second] = idle;
    if (first === undefined || second === undefined) throw new Error('nobody');
    doors.time.monotonic += 1;
    await Promise.all([heard(first, '200 OK'), sendAll(first, 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n')]);
    const ended = Promise.race(idle.map(async (socket, index) => (await hasEnded(socket)) && index));
    expect(await statusFrom(STRANGER)).toBe(200);
    expect(await ended).not.toBe(0);
    expect(await statusFrom(GUEST)).toBe(200);
    expect(await doors.metrics.text()).toMatch(/ahwa_http_cut_total\{what="idle"\} [1-9]/);
  });

  test('when all are taken, an idle one of the client with the most makes room for a newcomer', async () => {
    await openWith({ maxConnections: 20 });
    for (const address of [STRANGER, ANOTHER]) await many(8, address);
    for (let other = 10; other < 14; other += 1) await from(`127.0.0.${other}`);
    await reads('ahwa_http_connections', 20);
    expect(await statusFrom(GUEST)).toBe(200);
  });

  test('one that is at work is never closed for another; a client of such alone is refused', async () => {
    let open: () => void = () => undefined;
    await openWith({ maxConnections: 100 }, new Promise((resolve) => (open = resolve)));
    const atWork = await many(10, STRANGER);
    const answers = atWork.map((socket) => heard(socket, '200 OK'));
    for (const socket of atWork) await sendAll(socket, BRAND);
    await reads('ahwa_http_requests_waiting', 10);
    expect(await hasEnded(await from(STRANGER))).toBe(true);
    expect(await statusFrom(GUEST)).toBe(200);
    open();
    await Promise.all(answers);
  });

  describe('of a proxy that streams', () => {
    const MENU = 'x'.repeat(8 * 1024 * 1024);
    const links = (client: string, slug: string): string =>
      `GET /public/orgs/links?slug=${slug} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${client}\r\n\r\n`;
    const health = (client: string): string =>
      `GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Forwarded-For: ${client}\r\n\r\n`;
    const openWithProxy = async (options: Parameters<typeof openDoors>[1] = {}): Promise<void> => {
      const large = { body: { menu: MENU }, orgId: ORG, scopes: [], version: 1, validUntil: null };
      await openWith({ maxConnections: 100, trustedProxies: [STRANGER], ...options }, undefined, {
        getLinks: () => Promise.resolve(large),
      });
    };
    /** Asks for a large answer and reads its first line alone. */
    const readNothing = async (client: string, slug: string): Promise<void> => {
      const socket = await from(STRANGER);
      const begun = heard(socket, 'HTTP/1.1 200');
      await sendAll(socket, links(client, slug));
      await begun;
      socket.pause();
    };
    const throughProxy = async (text: string): Promise<string> => {
      const socket = await from(STRANGER);
      const answer = heardUntilClose(socket);
      await sendAll(socket, text);
      return answer;
    };

    test.each([
      ['made for it', (n: number) => `slug-${n}`],
      ['that are ready', () => 'slug'],
    ])('one guest who reads nothing has a tenth of answers %s', async (_, slugOf) => {
      await openWithProxy();
      for (let n = 0; n < 10; n += 1) await readNothing('203.0.113.1', slugOf(n));
      expect(await gauge('ahwa_http_requests_under_way')).toBe(10);
      // Of those that are ready the answer is begun before it is known that nobody reads it.
      const next = await throughProxy(BRAND.replace('\r\n', '\r\nX-Forwarded-For: 203.0.113.1\r\n'));
      expect(next).toMatch(/HTTP\/1\.1 429 [^]*Connection: close/);
      expect(await throughProxy(health('203.0.113.2'))).toContain('200 OK');
    });

    test('where all are at work the slowest reader of the greatest client is cut for a newcomer', async () => {
      await openWithProxy({ limitScale: 100, maxConnections: 16 });
      for (let n = 0; n < 16; n += 1) await readNothing(n < 7 ? '203.0.113.1' : `203.0.113.${n}`, 'slug');
      doors.time.monotonic += 1_000;
      expect(await throughProxy(health('203.0.113.99'))).toContain('200 OK');
      await reads('ahwa_http_requests_under_way', 15);
      expect(await doors.metrics.text()).toContain('ahwa_http_cut_total{what="slow_reader"} 1');
    });

    test('a reader who takes nothing is cut off, and one who reads is not', async () => {
      await openWithProxy({ timeouts: { stall: 100 } });
      await readNothing('203.0.113.1', 'slug');
      await reads('ahwa_http_requests_under_way', 1);
      await reads('ahwa_http_requests_under_way', 0);
      expect(
        (await throughProxy(links('203.0.113.1', 'slug').replace('\r\n', '\r\nConnection: close\r\n')))
          .length,
      ).toBeGreaterThan(MENU.length);
    });
  });

  test('a configured proxy may open as many as there are', async () => {
    await openWith({ maxConnections: 100, trustedProxies: [STRANGER] });
    await many(50, STRANGER);
    await reads('ahwa_http_connections', 50);
  });
});
