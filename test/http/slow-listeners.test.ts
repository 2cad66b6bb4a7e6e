/** Event streams to clients that read slowly, or not at all. */
import { describe, expect, test } from 'vitest';
import type { EventStream } from '../../src/platform/app/answer.ts';
import { staffEndpoints } from '../../src/service/contract/endpoints.ts';
import { HEARTBEAT_MS } from '../../src/doors/http/events.ts';
import { eventLoopTurn, receive, openBoard } from '../support/server/board-client.ts';
import { openHttpServer, ORG } from '../support/server/http-server.ts';
import { manualTimers } from '../support/background/manual-timers.ts';

describe('the client of an event stream', () => {
  const MEGABYTE = 'x'.repeat(1024 * 1024);
  const COUNT = 64;

  const doorsWith = async (stream: EventStream) => {
    const own = manualTimers();
    const actor = { orgId: ORG, staffId: ORG, role: 'owner', deviceId: null, permissions: ['events.read'] };
    const doors = await openHttpServer(
      { boardEvents: () => Promise.resolve(stream) },
      {
        endpoints: staffEndpoints,
        every: (ms, work) => own.timers.every(ms, work),
        // The fields of a signed-in person that the guard reads.
        authenticate: { staff: () => Promise.resolve(actor as never), device: () => Promise.resolve(null) },
      },
    );
    const board = await openBoard(doors.port, `/staff/events?branch_id=${ORG}`, {
      authorization: 'Bearer token',
    });
    return { doors, own, board };
  };

  /** Sends events as fast as the client reads them. */
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

  test('is cut off when it stops reading, before all events are sent', async () => {
    const { state, stream } = flood();
    const { doors, own, board } = await doorsWith(stream);
    board.stall();
    while (!state.isOver) {
      own.fire(HEARTBEAT_MS);
      await eventLoopTurn();
    }
    expect(state.sent).toBeLessThan(COUNT);
    expect(own.pending()).toEqual([]);
    board.close();
    await doors.close();
  });

  test('receives all events and a heartbeat while it reads', async () => {
    const { state, stream } = flood();
    const { doors, own, board } = await doorsWith(stream);
    const received = await receive(board, COUNT);
    expect(received.map(({ id }) => Number(id))).toEqual(Array.from({ length: COUNT }, (_, at) => at + 1));
    own.fire(HEARTBEAT_MS);
    expect(await board.beat()).toBe(': alive');
    expect(state.isOver).toBe(false);
    board.close();
    await doors.close();
  });
});
