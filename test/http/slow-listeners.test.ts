/** Streams of events to listeners that take them slowly, or not at all. */
import { describe, expect, test } from 'vitest';
import type { EventStream } from '../../src/platform/app/answer.ts';
import { staffEndpoints } from '../../src/service/contract/index.ts';
import { HEARTBEAT_MS } from '../../src/doors/http/events.ts';
import { aTurn, hear, listen } from '../support/board-client.ts';
import { openDoors, ORG } from '../support/doors.ts';
import { handTimers } from '../support/outbox.ts';

describe('a listener that takes nothing', () => {
  const MEGABYTE = 'x'.repeat(1024 * 1024);
  const COUNT = 64;

  const doorsWith = async (stream: EventStream) => {
    const own = handTimers();
    const actor = { orgId: ORG, staffId: ORG, role: 'owner', deviceId: null, permissions: ['events.read'] };
    const doors = await openDoors(
      { boardEvents: () => Promise.resolve(stream) },
      {
        endpoints: staffEndpoints,
        every: (ms, work) => own.timers.every(ms, work),
        // What the guard looks at of someone who is signed in.
        authenticate: { staff: () => Promise.resolve(actor as never), device: () => Promise.resolve(null) },
      },
    );
    const board = await listen(doors.port, `/staff/events?branch_id=${ORG}`, {
      authorization: 'Bearer token',
    });
    return { doors, own, board };
  };

  /** Sends as much as is taken. */
  const flood = () => {
    const state = { sent: 0, isOver: false };
    const stream: EventStream = {
      from: '0',
      start: (send) => {
        void (async () => {
          while (!state.isOver && state.sent < COUNT) {
            state.sent += 1;
            await send({ id: String(state.sent), event: 'menu', data: { type: MEGABYTE } });
          }
        })();
        return () => (state.isOver = true);
      },
    };
    return { state, stream };
  };

  test('is sent no more than it takes, and is cut off', async () => {
    const { state, stream } = flood();
    const { doors, own, board } = await doorsWith(stream);
    board.stall();
    while (!state.isOver) {
      own.goOff(HEARTBEAT_MS);
      await aTurn();
    }
    expect(state.sent).toBeLessThan(COUNT);
    expect(own.pending()).toEqual([]);
    board.close();
    await doors.close();
  });

  test('is not one that takes all there is', async () => {
    const { state, stream } = flood();
    const { doors, own, board } = await doorsWith(stream);
    const heard = await hear(board, COUNT);
    expect(heard.map(({ id }) => Number(id))).toEqual(Array.from({ length: COUNT }, (_, at) => at + 1));
    own.goOff(HEARTBEAT_MS);
    expect(await board.beat()).toBe(': alive');
    expect(state.isOver).toBe(false);
    board.close();
    await doors.close();
  });
});
