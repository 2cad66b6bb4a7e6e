/** Copies of the listener: a rush of new connections is not accepted one in a turn of the event loop. */
import { setImmediate as aTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { copyListener } from '../../src/adapters/listeners.ts';
import { heardUntilClose, openSocket, post } from '../support/sockets.ts';
import { doors, gauge, GUEST, HEALTH, many, openWith, reads, statusFrom } from '../support/strangers.ts';

const RUSH = 200;

/** Doors whose listener has been copied as often as they wish. */
const openWithCopies = async (): Promise<void> => {
  let copied = Promise.resolve();
  await openWith({ copyListener: (...asked) => (copied = copyListener(...asked)) });
  await copied;
};

test('several of a rush are accepted in a turn, all are answered, and nothing is held afterwards', async () => {
  await openWithCopies();
  expect(await gauge('ahwa_http_listeners')).toBe(16);
  const rush = many(RUSH, GUEST);
  const steps: number[] = [];
  for (let before = 0, now = 0; now < RUSH; before = now) {
    await aTurn();
    now = await gauge('ahwa_http_connections');
    steps.push(now - before);
  }
  expect(Math.max(...steps)).toBeGreaterThan(1);
  expect(steps.filter((accepted) => accepted > 0).length).toBeLessThan(RUSH / 4);
  for (const socket of await rush) {
    const answer = heardUntilClose(socket);
    socket.write(HEALTH.replace('\r\n', '\r\nConnection: close\r\n'));
    expect(await answer).toContain('HTTP/1.1 200');
  }
  await reads('ahwa_http_connections', 0);
});

test('once the doors are closed nobody accepts, though a copy came late', async () => {
  await openWith({ copyListener });
  await doors.close();
  await expect(openSocket(doors.port)).rejects.toThrow('ECONNREFUSED');
});

test('a client that ends its side early has its answers as from the first listener', async () => {
  await openWithCopies();
  // Most connections are accepted by copies.
  for (let times = 0; times < 20; times += 1) {
    const socket = await openSocket(doors.port, { allowHalfOpen: true });
    const answer = heardUntilClose(socket);
    socket.end(`${HEALTH}${post('/mcp', '{}', 1)}`);
    expect(await answer).toMatch(/HTTP\/1\.1 200 [^]*HTTP\/1\.1 400 /);
  }
});

test('where nothing can be copied the doors are open all the same', async () => {
  await openWith({ copyListener: () => Promise.resolve() });
  expect(await gauge('ahwa_http_listeners')).toBe(1);
  expect(await statusFrom(GUEST, HEALTH)).toBe(200);
});
