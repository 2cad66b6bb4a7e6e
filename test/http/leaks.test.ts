/** A real leak: a server that misses the end of its connections reports it, and is no longer ready. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemTimers } from '../../src/adapters/timers.ts';
import { ready } from '../../src/service/app/about.ts';
import { createReadiness } from '../../src/platform/app/readiness.ts';
import { openHttpServer } from '../support/server/http-server.ts';
import { hasEnded, openSocket, sendAll } from '../support/server/raw-sockets.ts';

const BRAND = 'GET /public/orgs/brand?slug=x HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Makes connections leak: their close is not noticed. */
const forgetCloses = (): (() => void) => {
  const forget = (message: unknown): void => {
    (message as { socket: Socket }).socket.removeAllListeners('close');
  };
  subscribe('http.server.request.start', forget);
  return () => unsubscribe('http.server.request.start', forget);
};

const openWatched = async () => {
  const checks: (() => void)[] = [];
  let leak: () => string | null = () => null;
  const note = (): void => undefined;
  let ms = 0;
  const readiness = createReadiness({
    checks: [{ name: 'held resources', fault: () => Promise.resolve(leak()) }],
    sending: { silence: () => Promise.resolve(null) },
    log: { info: note, warn: note },
    ...{ monotonic: () => (ms += 1_000), timers: systemTimers },
  });
  const doors = await openHttpServer(
    {
      getBrand: () => new Promise(() => undefined),
      ready: ready(readiness),
    },
    {
      upkeep: (_, check) => {
        checks.push(check);
        return () => undefined;
      },
    },
  );
  leak = () => doors.http.leak();
  const runChecks = async (): Promise<void> => {
    for (const each of checks) each();
    await nextTurn();
  };
  const isReady = async (): Promise<number> => (await doors.raw('/ready')).status;
  const shows = async (figure: string): Promise<void> => {
    while (!(await doors.metrics.text()).includes(`${figure}\n`)) await nextTurn();
  };
  const waiting = (count: number): Promise<void> => shows(`ahwa_http_requests_waiting ${count}`);
  const open = (count: number): Promise<void> => shows(`ahwa_http_connections ${count}`);
  return { doors, runChecks, isReady, waiting, open };
};

test.each([true, false])('a missed connection close is a leak (missed: %s)', async (isUnnoticed) => {
  const { doors, runChecks, isReady, waiting, open } = await openWatched();
  const noticeCloses = isUnnoticed ? forgetCloses() : () => undefined;
  const leaving = await openSocket(doors.port);
  await sendAll(leaving, BRAND);
  await waiting(1);
  noticeCloses();
  // A connection at work hides no leak.
  const staying = await openSocket(doors.port);
  await sendAll(staying, BRAND);
  await waiting(2);
  const ended = hasEnded(leaving);
  leaving.resetAndDestroy();
  await ended;
  if (!isUnnoticed) await waiting(1);
  // The server's side is closed once a later connection has been answered.
  expect(await isReady()).toBe(200);
  if (!isUnnoticed) await open(1);
  await runChecks();
  await runChecks();
  expect(await isReady()).toBe(isUnnoticed ? 503 : 200);
  expect(doors.log.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual(
    isUnnoticed ? ['resources of ended requests are not released'] : [],
  );
  staying.destroy();
  await doors.close();
});
