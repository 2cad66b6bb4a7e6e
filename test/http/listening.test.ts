/** Copies of the listener: a rush of new connections is not accepted one in a turn of the event loop. */
import { setImmediate as aTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { copyListener } from '../../src/adapters/listeners.ts';
import { openDoors } from '../support/doors.ts';
import { heardUntilClose, openSocket, post, sendAll } from '../support/sockets.ts';

const HEALTH = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
const RUSH = 200;

/** Doors whose listener has been copied as often as they wish. */
const openWithCopies = async () => {
  let copied = Promise.resolve();
  const doors = await openDoors(
    {},
    {
      limitScale: 100,
      copyListener: (...asked) => (copied = copyListener(...asked)),
    },
  );
  await copied;
  return doors;
};

const connectionsOf = async ({ metrics }: Awaited<ReturnType<typeof openDoors>>): Promise<number> =>
  Number(/^ahwa_http_connections (\d+)$/m.exec(await metrics.text())?.[1]);

test('several of a rush are accepted in a turn, all are answered, and nothing is held afterwards', async () => {
  const doors = await openWithCopies();
  expect(await doors.metrics.text()).toContain('ahwa_http_listeners 16');
  const rush = Promise.all(Array.from({ length: RUSH }, () => openSocket(doors.port)));
  const steps: number[] = [];
  for (let before = 0, now = 0; now < RUSH; before = now) {
    await aTurn();
    now = await connectionsOf(doors);
    steps.push(now - before);
  }
  expect(Math.max(...steps)).toBeGreaterThan(1);
  expect(steps.filter((accepted) => accepted > 0).length).toBeLessThan(RUSH / 4);
  for (const socket of await rush) {
    const answer = heardUntilClose(socket);
    await sendAll(socket, HEALTH);
    expect(await answer).toContain('HTTP/1.1 200');
  }
  while ((await connectionsOf(doors)) > 0) await aTurn();
  await doors.close();
});

test('once the doors are closed nobody accepts, though a copy came late', async () => {
  const doors = await openDoors({}, { copyListener });
  await doors.close();
  await expect(openSocket(doors.port)).rejects.toThrow('ECONNREFUSED');
});

test('a client that ends its side early has its answers as from the first listener', async () => {
  const doors = await openWithCopies();
  const whole = HEALTH.replace('Connection: close\r\n', '');
  // Most connections are accepted by copies.
  for (let times = 0; times < 20; times += 1) {
    const socket = await openSocket(doors.port, { allowHalfOpen: true });
    const answer = heardUntilClose(socket);
    socket.end(`${whole}${post('/mcp', '{}', 1)}`);
    expect(await answer).toMatch(/HTTP\/1\.1 200 [^]*HTTP\/1\.1 400 /);
  }
  await doors.close();
});

test('where nothing can be copied the doors are open all the same', async () => {
  const doors = await openDoors({}, { copyListener: () => Promise.resolve() });
  expect(await doors.metrics.text()).toContain('ahwa_http_listeners 1\n');
  expect((await doors.get('/health')).status).toBe(200);
  await doors.close();
});
