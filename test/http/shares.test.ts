/** One client can hold a tenth of what all share, and the slow and the idle go first (Decisions 15). */
import type { Socket } from 'node:net';
import { setImmediate as aTurn } from 'node:timers/promises';
import Type from 'typebox';
import { afterEach, describe, expect, test } from 'vitest';
import { endpoint } from '../../src/contract/endpoint.ts';
import { endpoints } from '../../src/contract/index.ts';
import { openDoors, ORG } from '../support/doors.ts';
import type { Doors } from '../support/doors.ts';
import { hasEnded, heard, heardUntilClose, openSocket, post, sendAll } from '../support/sockets.ts';

const echo = endpoint({
  ...{ id: 'echo', method: 'POST', path: '/public/echo', tag: 'Test', summary: 'Echo' },
  ...{ params: {}, query: {}, body: Type.Object({}), reply: Type.Object({}), refusals: [] },
  ...{ cache: 'no-store', limit: 'writes', examples: {} },
});

const [STRANGER, ANOTHER, GUEST] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'] as const;
const BODY = JSON.stringify({ say: 'hello' });
/** Of 1,000 bodies at once. */
const PART = 100;

let doors: Doors;
const sockets: Socket[] = [];

const openWith = async (
  options: Parameters<typeof openDoors>[1] = {},
  gate?: Promise<void>,
): Promise<void> => {
  doors = await openDoors(
    {
      echo: () => Promise.resolve({}),
      getBrand: async () => {
        await gate;
        return { body: {}, orgId: ORG, scopes: [], version: 1, validUntil: 0 };
      },
    },
    { endpoints: { ...endpoints, echo }, limitScale: 100, ...options },
  );
};
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await doors.close();
});

const from = async (address: string): Promise<Socket> => {
  const socket = await openSocket(doors.port, { from: address });
  sockets.push(socket);
  return socket;
};
const many = (count: number, address: string): Promise<Socket[]> =>
  Promise.all(Array.from({ length: count }, () => from(address)));

const gauge = async (name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await doors.metrics.text())?.[1]);
const reads = async (name: string, value: number): Promise<void> => {
  while ((await gauge(name)) !== value) await aTurn();
};

/** The status of a whole request from this address. */
const statusFrom = async (address: string, text = post('/public/echo', BODY)): Promise<number> => {
  const socket = await from(address);
  const answer = heardUntilClose(socket);
  await sendAll(socket, text.replace('\r\n', '\r\nConnection: close\r\n'));
  return Number((await answer).split(' ')[1]);
};

const BRAND = 'GET /public/orgs/brand?slug=x HTTP/1.1\r\nHost: localhost\r\n\r\n';

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

  test('in thousands of small pieces are refused', async () => {
    await openWith();
    const socket = await from(STRANGER);
    const end = heardUntilClose(socket);
    const head = 'POST /public/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    await sendAll(socket, `${head}Transfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(5_000)}`);
    expect(await end).toMatch(/HTTP\/1\.1 400 [^]*body is sent in more than 4096 pieces/);
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
    for (const socket of await many(10, STRANGER)) await sendAll(socket, BRAND);
    await reads('ahwa_http_requests_waiting', 10);
    for (const socket of sockets) socket.destroy();
    await reads('ahwa_http_requests_waiting', 0);
    expect(await statusFrom(STRANGER, BRAND)).toBe(429);
    open();
    let status = 429;
    while (status === 429) status = await statusFrom(STRANGER, BRAND);
    expect(status).toBe(200);
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

  test('a configured proxy may open as many as there are', async () => {
    await openWith({ maxConnections: 100, trustedProxies: [STRANGER] });
    await many(50, STRANGER);
    await reads('ahwa_http_connections', 50);
  });
});
