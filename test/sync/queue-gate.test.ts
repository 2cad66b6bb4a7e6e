/** Rows of the server wait until the server has what the device did itself; what waits can be carried away. */
import { describe, expect, test } from 'vitest';
import { pullWhenSent } from '../../src/client/till/queue/row-gate.ts';
import { deferred } from '../support/background/manual-timers.ts';
import { anEvent, idOf, numbersOf, upTo } from '../support/sync/till-events.ts';
import {
  applied,
  aQueue,
  BRANCH,
  networkFault,
  refusal,
  scriptedServer,
} from '../support/sync/till-queue.ts';

/** A server whose row is the number of events that it has. */
const aCountingServer = () => {
  const seen = new Set<string>();
  const pulls: number[] = [];
  return {
    pulls,
    send: (events: Parameters<typeof applied>[0]) => {
      for (const { id } of events) seen.add(id);
      return Promise.resolve(applied(events));
    },
    pull: (): number => {
      pulls.push(seen.size);
      return seen.size;
    },
  };
};

describe('rows of the server', () => {
  test('are applied while nothing waits', async () => {
    const { queue } = await aQueue(scriptedServer().send);
    const rows: string[] = [];
    const page = await pullWhenSent(queue, {
      pull: () => Promise.resolve('page'),
      apply: (each) => Promise.resolve(void rows.push(each)),
    });
    expect([page, rows]).toEqual(['page', ['page']]);
  });

  test('are not pulled before the server has what waits', async () => {
    const server = aCountingServer();
    const line = scriptedServer(networkFault(), refusal(503), server.send);
    const rig = await aQueue(line.send);
    await rig.queue.add(anEvent(1));
    const rows: number[] = [];
    const gate = pullWhenSent(rig.queue, {
      pull: () => Promise.resolve(server.pull()),
      apply: (page) => Promise.resolve(void rows.push(page)),
    });
    await rig.queue.settled();
    await rig.passWait();
    expect(server.pulls).toEqual([]);
    await rig.passWait();
    expect([await gate, rows, server.pulls]).toEqual([1, [1], [1]]);
  });

  test.each([
    ['and waits', false],
    ['and was sent', true],
  ])('are pulled again when an event was added meanwhile %s', async (_, isSent) => {
    const server = aCountingServer();
    const line = scriptedServer(...(isSent ? [] : [networkFault()]), server.send, server.send);
    const rig = await aQueue(line.send);
    const [asked, answered] = [deferred(), deferred()];
    const rows: number[] = [];
    const gate = pullWhenSent(rig.queue, {
      pull: async () => {
        const page = server.pull();
        asked.resolve();
        await answered.promise;
        return page;
      },
      apply: (page) => Promise.resolve(void rows.push(page)),
    });
    await asked.promise;
    await rig.queue.add(anEvent(1));
    await rig.queue.settled();
    answered.resolve();
    if (!isSent) {
      await rig.queue.settled();
      await rig.passWait();
    }
    await gate;
    expect([rows, server.pulls]).toEqual([[1], [0, 1]]);
  });

  test('an event that is added while rows are applied is stored after them', async () => {
    const rig = await aQueue(scriptedServer().send);
    const [began, done] = [deferred(), deferred()];
    const steps: string[] = [];
    const gate = pullWhenSent(rig.queue, {
      pull: () => Promise.resolve(null),
      apply: async () => {
        began.resolve();
        await done.promise;
        steps.push('rows');
      },
    });
    await began.promise;
    const added = rig.queue.add(anEvent(1)).then(() => steps.push('event'));
    // The store takes one change after the other: event 1 would be before this one.
    await rig.store.append([anEvent(9)]);
    expect(numbersOf(await rig.store.waiting())).toEqual([9]);
    done.resolve();
    await Promise.all([gate, added]);
    expect(steps).toEqual(['rows', 'event']);
  });

  test('a pull that fails is not repeated here, and events go on', async () => {
    const rig = await aQueue(scriptedServer().send);
    const how = { pull: () => Promise.reject(networkFault()), apply: () => Promise.resolve() };
    await expect(pullWhenSent(rig.queue, how)).rejects.toThrow('fetch failed');
    await rig.queue.add(anEvent(1));
    expect(await rig.queue.settled()).toEqual({ status: 'idle' });
  });
});

describe('a file that is carried away', () => {
  const head = { format: 'ahwa-till-events', version: 1, device_time: '2026-12-04T17:40:00.000Z' };
  const refusedAs = (number: number) => ({
    event: anEvent(number),
    code: 'MALFORMED',
    vars: {},
    message: null,
  });

  test('has the version, the branch and the time of the device, what waits and what was refused', async () => {
    const rig = await aQueue(scriptedServer().send);
    await rig.store.append([anEvent(1), anEvent(2)]);
    await rig.store.refuse([refusedAs(3)]);
    expect(JSON.parse(await rig.queue.exported())).toEqual({
      format: 'ahwa-till-events',
      version: 1,
      branch_id: BRANCH,
      device_time: '2026-12-04T17:40:00.000Z',
      events: [anEvent(1), anEvent(2)],
      refused: [refusedAs(3)],
    });
  });

  test('has a refused event that a person sends again while the file is made', async () => {
    const { queue, store } = await aQueue(scriptedServer(refusal(401)).send);
    await store.refuse([refusedAs(1)]);
    const [read, done] = [deferred(), deferred()];
    const waiting = store.waiting.bind(store);
    store.waiting = async (limit) => {
      const events = await waiting(limit);
      if (limit === undefined) {
        read.resolve();
        await done.promise;
      }
      return events;
    };
    const text = queue.exported();
    await read.promise;
    const again = queue.sendAgain(idOf(1));
    // The store takes one change after the other: event 1 would wait by the second.
    for (const number of [8, 9]) await store.append([anEvent(number)]);
    done.resolve();
    expect(JSON.parse(await text)).toMatchObject({ events: [], refused: [refusedAs(1)] });
    expect(await again).toBe(true);
  });

  test('gives another device what it has not, in order, and sends it', async () => {
    const from = await aQueue(scriptedServer().send);
    await from.store.append(upTo(5).map((number) => anEvent(number)));
    await from.store.refuse([refusedAs(8), refusedAs(9)]);
    const text = await from.queue.exported();
    const server = scriptedServer(refusal(401));
    const to = await aQueue(server.send);
    await to.store.append([anEvent(2), anEvent(7)]);
    await to.store.refuse([refusedAs(4), refusedAs(9)]);
    expect(await to.queue.imported(text)).toBe(4);
    expect(await to.queue.imported(text)).toBe(0);
    expect(numbersOf(await to.store.waiting())).toEqual([2, 7, 1, 3, 5]);
    expect(await to.queue.refused()).toEqual([refusedAs(4), refusedAs(9), refusedAs(8)]);
    await to.queue.settled();
    to.queue.resume();
    await to.queue.settled();
    expect(server.requests.at(-1)).toEqual([2, 7, 1, 3, 5]);
  });

  test('of a version that named no branch is taken', async () => {
    const rig = await aQueue(scriptedServer(refusal(401)).send);
    expect(await rig.queue.imported(JSON.stringify({ ...head, events: [anEvent(1)], refused: [] }))).toBe(1);
    expect(numbersOf(await rig.store.waiting())).toEqual([1]);
  });

  test('leaves rows waiting: what it brought has to be sent first', async () => {
    const rig = await aQueue(scriptedServer(networkFault()).send);
    const mark = (await rig.queue.emptyMark()) ?? -1;
    const other = await aQueue(scriptedServer().send);
    await other.store.append([anEvent(1)]);
    await rig.queue.imported(await other.queue.exported());
    expect(await rig.queue.unlessAddedSince(mark, () => Promise.resolve())).toBe(false);
  });

  const FILES: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['that is cut off', '{"format":', ['the file is not JSON: it is cut off, or it is another file']],
    [
      'of a shop',
      { format: 'shop' },
      ['the file has no events of a till: its format is not ahwa-till-events'],
    ],
    ['of next year', { ...head, version: 2 }, ['the file is of version 2; this program reads 1']],
    [
      'of another branch',
      { ...head, branch_id: idOf(1), events: [anEvent(1)], refused: [] },
      [`the file is of branch ${idOf(1)}; this device is of ${BRANCH}`],
    ],
    ['without a list', { ...head, events: {}, refused: [] }, ['events or refused is not a list']],
    [
      'with faulty events',
      {
        ...head,
        events: [anEvent(1), { ...anEvent(2), by: 'Mona', total: 5 }, null],
        refused: [{ ...refusedAs(3), code: 7 }, { event: { ...anEvent(4), kind: '' } }],
      },
      [
        'events[1].by is not a UUID in lower case',
        'events[1].total is no field of an event',
        'events[2] is not an object',
        'refused[0] has no code, vars and message as they were written',
        'refused[1].event.kind is not a kind of event',
      ],
    ],
    [
      'with an event twice',
      { ...head, events: [anEvent(1), anEvent(2)], refused: [refusedAs(1)] },
      [`${idOf(1)} is there twice`],
    ],
  ];

  test.each(FILES)(
    'a file %s is refused with its faults, and nothing of it is added',
    async (_, file, faults) => {
      const rig = await aQueue(scriptedServer().send);
      const text = typeof file === 'string' ? file : JSON.stringify(file);
      await expect(rig.queue.imported(text)).rejects.toMatchObject({ name: 'EventFaults', faults });
      expect([await rig.store.waiting(), await rig.queue.refused()]).toEqual([[], []]);
    },
  );
});
