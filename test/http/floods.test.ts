/** Clients that pipeline without waiting, or use very many connections, are cut off for a while (decision 24). */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../src/service/contract/endpoints.ts';
import { ORG } from '../support/server/http-server.ts';
import { hasEnded, readUntil, oneByteChunks, postText, sendAll } from '../support/server/raw-sockets.ts';
import {
  BODY,
  BRAND,
  server,
  echo,
  connectFrom,
  GUEST,
  HEALTH,
  connectMany,
  openServer,
  statusFrom,
  ATTACKER,
} from '../support/server/clients-by-address.ts';

describe('a client that pipelines without waiting for answers', () => {
  const flood = async (address: string, text: string): Promise<void> =>
    sendAll(await connectFrom(address), text).catch(() => undefined);

  /** All in one turn of this process, so that the server reads everything at once. */
  const atOnce = (all: readonly Socket[], text: string): void => {
    for (const socket of all) if (!socket.destroyed) socket.write(text);
  };

  /** Whether the client gets no connection now. */
  const isCutOff = async (): Promise<boolean> =>
    (await statusFrom(ATTACKER, HEALTH).catch(() => Number.NaN)) !== 200;
  const answered = async (operation: string): Promise<number> => {
    const line = new RegExp(`^ahwa_http_requests_total{operation="${operation}",status="200"} (\\d+)$`, 'm');
    return Number(line.exec(await server.metrics.text())?.[1] ?? 0);
  };

  test('loses all 40 connections when each sends its body in one-byte chunks', async () => {
    await openServer({ limitScale: 10 });
    const all = await connectMany(40, ATTACKER);
    const ends = all.map((socket) => hasEnded(socket));
    atOnce(all, oneByteChunks('GET /health', 9_000));
    await Promise.all(ends);
    expect(await answered('health')).toBeLessThan(10);
    expect(await isCutOff()).toBe(true);
    expect(await statusFrom(GUEST, HEALTH)).toBe(200);
  });

  test('is cut off for chunked bodies that are complete but never read', async () => {
    let open: () => void = () => undefined;
    await openServer({ limitScale: 10 }, new Promise((resolve) => (open = resolve)));
    const whole = `${oneByteChunks('GET /public/orgs/brand?slug=x', 5_000)}0\r\n\r\n`;
    for (let times = 0; times < 8; times += 1) await flood(ATTACKER, whole);
    while (!(await server.metrics.text()).includes('ahwa_http_cut_total{what="refused"} 8')) await nextTurn();
    expect(await isCutOff()).toBe(true);
    open();
  });

  test('is cut off when it repeats requests on 400 connections, not on 100', async () => {
    await openServer({ limitScale: 100 });
    /** Rounds in which every request is answered, `most` at most. */
    const rounds = async (all: readonly Socket[], most: number): Promise<number> => {
      const state = { answered: 0, isOver: false };
      for (const socket of all) {
        socket.on('data', () => (state.answered += 1));
        socket.once('close', () => (state.isOver = true));
      }
      for (let round = 0; round < most; round += 1) {
        atOnce(all, HEALTH);
        while (state.answered < all.length * (round + 1)) {
          if (state.isOver) return round;
          await nextTurn();
        }
      }
      return most;
    };
    expect(await rounds(await connectMany(100, GUEST), 50)).toBe(50);
    expect(await rounds(await connectMany(400, ATTACKER), 50)).toBeLessThan(10);
  });

  test('leaves signed-in connections of the same address open', async () => {
    const staffEcho = { ...echo, access: { by: 'staff', permission: null } } as const;
    const actor = { orgId: ORG, staffId: ORG, role: 'owner', deviceId: null, permissions: [] };
    await openServer({
      limitScale: 10,
      endpoints: { ...endpoints, echo: staffEcho },
      authenticate: {
        staff: (token) => Promise.resolve(token === 'good' ? (actor as never) : null),
        device: () => Promise.resolve(null),
      },
    });
    const withToken = (token: string): string =>
      postText('/public/echo', BODY).replace('\r\n', `\r\nAuthorization: Bearer ${token}\r\n`);
    const [till, unauthenticated] = await connectMany(2, ATTACKER);
    if (till === undefined || unauthenticated === undefined) throw new Error('nobody');
    for (const [socket, token, status] of [
      [till, 'good', '200'],
      [unauthenticated, 'bad', '401'],
    ] as const)
      for (let times = 0; times < 2; times += 1) {
        const answer = readUntil(socket, `HTTP/1.1 ${status}`);
        await sendAll(socket, withToken(token));
        await answer;
      }
    const ended = hasEnded(unauthenticated);
    for (let times = 0; times < 20; times += 1) await flood(ATTACKER, HEALTH.repeat(250));
    await ended;
    const answer = readUntil(till, 'HTTP/1.1 200');
    await sendAll(till, withToken('good'));
    await answer;
  });

  test('is not cut off for requests with 60 header fields', async () => {
    await openServer({ limitScale: 100 });
    const socket = await connectFrom(ATTACKER);
    const request = HEALTH.replace('\r\n\r\n', `\r\n${'a: b\r\n'.repeat(60)}\r\n`);
    for (let times = 0; times < 2_200; times += 1) {
      const answer = once(socket, 'data');
      await sendAll(socket, request);
      await answer;
    }
    expect(socket.destroyed).toBe(false);
  });

  test.each([
    ['requests that are answered, in no limit', HEALTH.repeat(250), 20],
    ['requests that are refused', 'GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(250), 20],
    [
      'requests with many header fields',
      HEALTH.replace('\r\n\r\n', `\r\n${'a: b\r\n'.repeat(160)}\r\n`).repeat(100),
      15,
    ],
    ['bodies in pieces of a byte', oneByteChunks('POST /mcp', 9_000), 12],
    ['such bodies behind another request', BRAND + oneByteChunks('POST /mcp', 9_000), 12],
    [
      'such bodies after an answer that ends the connection',
      `${oneByteChunks('POST /nope', 1)}0\r\n\r\n${oneByteChunks('POST /nope', 9_000)}`,
      12,
    ],
    ['such bodies that nobody reads', oneByteChunks('GET /health', 9_000), 12],
  ])('is cut off for a while, and other clients are served: %s', async (_, text, connections) => {
    await openServer({ limitScale: 10 });
    const ended = hasEnded(await connectFrom(ATTACKER));
    for (let connection = 0; connection < connections; connection += 1) await flood(ATTACKER, text);
    await ended;
    expect(await statusFrom(GUEST, HEALTH)).toBe(200);
    expect(await statusFrom(ATTACKER, HEALTH).catch(() => 0)).not.toBeGreaterThan(0);
    server.time.monotonic += 21_000;
    expect(await statusFrom(ATTACKER, HEALTH)).toBe(200);
  });
});
