/** Copies of the listener: a rush of new connections is not accepted one in a turn of the event loop. */
import { setImmediate as aTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { copyListener } from '../../src/adapters/listeners.ts';
import { openDoors } from '../support/doors.ts';
import { heardUntilClose, openSocket, sendAll } from '../support/sockets.ts';

const HEALTH = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
const RUSH = 200;

/** Doors whose listener has been copied as often as they wish. */
const openWithCopies = async () => {
  let copied: Promise<number> = Promise.resolve(0);
  const doors = await openDoors(
    {},
    {
      limitScale: 100,
      copyListener: (...asked) => (copied = copyListener(...asked)),
    },
  );
  return { doors, copies: await copied };
};

const connectionsOf = async ({ metrics }: Awaited<ReturnType<typeof openDoors>>): Promise<number> =>
  Number(/^ahwa_http_connections (\d+)$/m.exec(await metrics.text())?.[1]);

test('several of a rush are accepted in a turn, all are answered, and nothing is held afterwards', async () => {
  const { doors, copies } = await openWithCopies();
  expect(copies).toBe(15);
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

test('once the doors are closed their port is free, though a copy came late', async () => {
  const { doors } = await openWithCopies();
  await doors.close();
  const late = await openDoors({}, { copyListener }, doors.port);
  await late.close();
  const again = await openDoors({}, {}, doors.port);
  expect(again.port).toBe(doors.port);
  await again.close();
});
