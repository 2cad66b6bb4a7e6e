/** Clients that hang up at any point: whatever their requests held is released. */
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { staffEndpoints, endpoints } from '../../src/service/contract/endpoints.ts';
import { openHttpServer, ORG } from '../support/server/http-server.ts';
import type { HttpFixture } from '../support/server/http-server.ts';
import { readUntil, openSocket, postText, sendAll } from '../support/server/raw-sockets.ts';

const GAUGES = [
  'ahwa_http_connections',
  'ahwa_http_requests_waiting',
  'ahwa_http_requests_queued',
  'ahwa_http_requests_under_way',
  'ahwa_http_queued_bytes',
  'ahwa_http_bodies_arriving',
  'ahwa_http_body_bytes',
  'ahwa_http_requests_abandoned',
] as const;
type Gauge = (typeof GAUGES)[number];

const gauges = async (doors: HttpFixture): Promise<Record<Gauge, number>> => {
  const text = await doors.metrics.text();
  const read = (name: Gauge): number => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  return Object.fromEntries(GAUGES.map((name) => [name, read(name)])) as Record<Gauge, number>;
};

/** Waits until the gauge has this value. */
const reads = async (doors: HttpFixture, gauge: Gauge, value: number): Promise<void> => {
  while ((await gauges(doors))[gauge] !== value) await nextTurn();
};

/** Without abandoned work, which may still run. */
const heldOf = (all: Record<Gauge, number>): object => ({ ...all, ahwa_http_requests_abandoned: null });

const ALL_ZERO = Object.fromEntries(GAUGES.map((name) => [name, 0])) as Record<Gauge, number>;

const MESSAGE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const LINKS = (slug: string): string =>
  `GET /public/orgs/links?slug=${slug} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const AT_ONCE = 20;
/** Of five clients: 250 requests on each connection exceed what one client may have waiting. */
const openAll = (): Promise<Socket[]> =>
  Promise.all(
    Array.from({ length: AT_ONCE }, (_, n) => openSocket(doors.port, { from: `127.0.0.${2 + (n % 5)}` })),
  );

let doors: HttpFixture;
/** Brand reads and messages wait until the test opens this gate. */
let gate: Promise<void>;
let open: () => void;

beforeEach(() => {
  // Long enough for the buckets to be full again.
  doors.time.monotonic += 60_000;
  gate = new Promise((resolve) => (open = resolve));
});
afterEach(() => open());

beforeAll(async () => {
  const actor = { orgId: ORG, staffId: ORG, role: 'owner', deviceId: null, permissions: ['events.read'] };
  const answer = (body: object) => ({ body, orgId: ORG, scopes: [], version: 1, validUntil: null });
  doors = await openHttpServer(
    {
      // Never cached: each request runs the handler.
      getBrand: () => gate.then(() => ({ ...answer({}), validUntil: 0 })),
      getLinks: () => Promise.resolve(answer({ text: 'x'.repeat(4 * 1024 * 1024) })),
      boardEvents: () =>
        Promise.resolve({ from: '0', start: (send: (event: object) => void) => (send({}), () => undefined) }),
    },
    {
      endpoints: { ...endpoints, ...staffEndpoints },
      limitScale: 100,
      messages: { answer: () => gate.then(() => ({ status: 202, body: null })) },
      authenticate: { staff: () => Promise.resolve(actor as never), device: () => Promise.resolve(null) },
    },
  );
});
afterAll(() => doors.close());

/** What a client does before it hangs up; resolves when the server is at the critical point. */
type Phase = (sockets: readonly Socket[]) => Promise<void>;

const sendOn =
  (text: string, until: () => Promise<void>): Phase =>
  async (sockets) => {
    await Promise.all(sockets.map((socket) => sendAll(socket, text)));
    await until();
  };

const PHASES: Readonly<Record<string, Phase>> = {
  'before a word': () => Promise.resolve(),
  'in the middle of a header line': sendOn('GET /health HTTP/1.1\r\nHost: loc', () => Promise.resolve()),
  'in the middle of a body': sendOn(postText('/mcp', MESSAGE, 5), () =>
    reads(doors, 'ahwa_http_bodies_arriving', AT_ONCE),
  ),
  'while 250 requests each are queued': sendOn(postText('/mcp', MESSAGE).repeat(250), () =>
    reads(doors, 'ahwa_http_requests_waiting', AT_ONCE),
  ),
  'while a request waits and the next one is half-sent': sendOn(
    postText('/mcp', MESSAGE) + postText('/mcp', MESSAGE, 3),
    () => reads(doors, 'ahwa_http_requests_waiting', AT_ONCE),
  ),
  'while the answer is being made': sendOn(
    'GET /public/orgs/brand?slug=x HTTP/1.1\r\nHost: localhost\r\n\r\n',
    () => reads(doors, 'ahwa_http_requests_waiting', AT_ONCE),
  ),
  'in the middle of a large answer': async (sockets) => {
    await Promise.all(
      sockets.map(async (socket, index) => {
        const begun = readUntil(socket, 'HTTP/1.1 200');
        await sendAll(socket, LINKS(`shop-${index}`));
        await begun;
        socket.pause();
      }),
    );
  },
  'in the middle of a stream': async (sockets) => {
    const request = `GET /staff/events?branch_id=${ORG} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer token\r\n\r\n`;
    await Promise.all(
      sockets.map(async (socket) => {
        const begun = readUntil(socket, 'HTTP/1.1 200');
        await sendAll(socket, request);
        await begun;
      }),
    );
  },
  'after asking for an upgrade': sendOn(
    'GET /public/orgs/brand?slug=x HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    () => reads(doors, 'ahwa_http_requests_waiting', AT_ONCE),
  ),
  'after asking for a tunnel': sendOn('CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n', () =>
    Promise.resolve(),
  ),
  'after nonsense behind a request': sendOn(`${postText('/mcp', MESSAGE)}nonsense\r\n\r\n`, () =>
    Promise.resolve(),
  ),
};

const HANG_UPS: Readonly<Record<string, (socket: Socket) => void>> = {
  closes: (socket) => socket.destroy(),
  'says that nothing more comes, and then closes': (socket) => socket.end(() => socket.destroy()),
  // As a proxy that gives up on its client does.
  resets: (socket) => socket.resetAndDestroy(),
};

describe.each(Object.entries(PHASES))('%s', (_, reachPhase) => {
  test.each(Object.entries(HANG_UPS))('a client that %s leaves no resource held', async (_name, hangUp) => {
    const sockets = await openAll();
    await reads(doors, 'ahwa_http_connections', AT_ONCE);
    await reachPhase(sockets);
    for (const socket of sockets) hangUp(socket);
    await reads(doors, 'ahwa_http_connections', 0);
    expect(heldOf(await gauges(doors))).toEqual(heldOf(ALL_ZERO));
    open();
    await reads(doors, 'ahwa_http_requests_abandoned', 0);
    expect(await gauges(doors)).toEqual(ALL_ZERO);
    expect((await doors.raw('/public/orgs/links?slug=afterwards')).status).toBe(200);
  });
});

test('six clients that disconnect with 250 queued messages each hold no permit', async () => {
  const sockets = await Promise.all(Array.from({ length: 6 }, () => openSocket(doors.port)));
  await Promise.all(sockets.map((socket) => sendAll(socket, postText('/mcp', MESSAGE).repeat(250))));
  await reads(doors, 'ahwa_http_requests_waiting', 6);
  for (const socket of sockets) socket.destroy();
  await reads(doors, 'ahwa_http_connections', 0);
  expect(heldOf(await gauges(doors))).toEqual(heldOf(ALL_ZERO));
  open();
  await reads(doors, 'ahwa_http_requests_abandoned', 0);
  expect(await gauges(doors)).toEqual(ALL_ZERO);
  expect(
    (
      await doors.raw('/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: MESSAGE,
      })
    ).status,
  ).toBe(202);
});

test('250 pipelined messages on one connection are all answered', async () => {
  open();
  const socket = await openSocket(doors.port);
  let answers = 0;
  const all = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      answers += chunk.toString().split('HTTP/1.1 202').length - 1;
      if (answers === 250) resolve();
    });
  });
  await sendAll(socket, postText('/mcp', MESSAGE).repeat(250));
  await all;
  socket.destroy();
});
