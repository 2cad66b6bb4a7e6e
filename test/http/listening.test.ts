/** Copies of the listener accept more than one new connection per turn of the event loop. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { copyListener } from '../../src/adapters/listeners.ts';
import { readUntilClose, openSocket, postText } from '../support/server/raw-sockets.ts';
import {
  server,
  gauge,
  GUEST,
  HEALTH,
  connectMany,
  openServer,
  gaugeReaches,
  statusFrom,
} from '../support/server/clients-by-address.ts';

const RUSH = 200;

const openWithCopies = async (): Promise<void> => {
  let copied = Promise.resolve();
  await openServer({ copyListener: (...args) => (copied = copyListener(...args)) });
  await copied;
};

test('with copies of the listener, several connections are accepted per turn and all are answered', async () => {
  await openWithCopies();
  expect(await gauge('ahwa_http_listeners')).toBe(16);
  const rush = connectMany(RUSH, GUEST);
  const steps: number[] = [];
  for (let before = 0, now = 0; now < RUSH; before = now) {
    await nextTurn();
    now = await gauge('ahwa_http_connections');
    steps.push(now - before);
  }
  expect(Math.max(...steps)).toBeGreaterThan(1);
  expect(steps.filter((accepted) => accepted > 0).length).toBeLessThan(RUSH / 4);
  for (const socket of await rush) {
    const answer = readUntilClose(socket);
    socket.write(HEALTH.replace('\r\n', '\r\nConnection: close\r\n'));
    expect(await answer).toContain('HTTP/1.1 200');
  }
  await gaugeReaches('ahwa_http_connections', 0);
});

test('no listener accepts after the server is closed, not even a late copy', async () => {
  await openServer({ copyListener });
  await server.close();
  await expect(openSocket(server.port)).rejects.toThrow('ECONNREFUSED');
});

test('a half-closed client gets its answers also from a copied listener', async () => {
  await openWithCopies();
  // Most connections are accepted by copies.
  for (let times = 0; times < 20; times += 1) {
    const socket = await openSocket(server.port, { allowHalfOpen: true });
    const answer = readUntilClose(socket);
    socket.end(`${HEALTH}${postText('/mcp', '{}', 1)}`);
    expect(await answer).toMatch(/HTTP\/1\.1 200 [^]*HTTP\/1\.1 400 /);
  }
});

test('the server serves with one listener where no copy can be made', async () => {
  await openServer({ copyListener: () => Promise.resolve() });
  expect(await gauge('ahwa_http_listeners')).toBe(1);
  expect(await statusFrom(GUEST, HEALTH)).toBe(200);
});
