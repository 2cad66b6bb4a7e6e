/** What a till has sold reaches the server once, in order, however the line behaves (Decisions 13). */
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../src/client/client.ts';
import { ANSWER_WITHIN_MS, type QueueState } from '../../src/client/till/queue/event-queue.ts';
import { deferred } from '../support/background/manual-timers.ts';
import { anEvent, idOf, numbersOf, upTo } from '../support/sync/till-events.ts';
import {
  aFileStore,
  applied,
  aPath,
  aQueue,
  networkFault,
  refusal,
  scriptedServer,
  type Rig,
} from '../support/sync/till-queue.ts';

const addAll = async ({ queue }: Rig, numbers: readonly number[]): Promise<void> => {
  for (const number of numbers) await queue.add(anEvent(number));
};

/** Stored while nothing is sent, then sent together. */
const storedFirst = async (rig: Rig, numbers: readonly number[]): Promise<QueueState> => {
  await rig.store.append(numbers.map((number) => anEvent(number)));
  rig.queue.resume();
  return await rig.queue.settled();
};

const refusedBy = (guilty: readonly number[], status: number) => (events: Parameters<typeof applied>[0]) => {
  if (numbersOf(events).some((number) => guilty.includes(number))) throw refusal(status);
  return applied(events);
};

describe('sending', () => {
  test('an event is sent when it is stored, and leaves when it is applied', async () => {
    const server = scriptedServer();
    const rig = await aQueue(server.send);
    await rig.queue.add(anEvent(1));
    expect(await rig.queue.settled()).toEqual({ status: 'idle' });
    expect(server.requests).toEqual([[1]]);
    expect(await rig.queue.hasWaiting()).toBe(false);
  });

  test.each(['applied', 'already', 'waiting', 'review'] as const)(
    'the server has an event that it answers with %s',
    async (outcome) => {
      const rig = await aQueue(scriptedServer((events) => events.map(({ id }) => ({ id, outcome }))).send);
      await storedFirst(rig, [1, 2]);
      expect(await rig.store.waiting()).toEqual([]);
      expect(await rig.queue.refused()).toEqual([]);
    },
  );

  test('a refused event is kept with code and figures until a person dismisses it', async () => {
    const vars = { field: 'total' };
    const server = scriptedServer((events) =>
      events.map(({ id }) =>
        id === idOf(2) ? { id, outcome: 'refused', code: 'MALFORMED', vars } : { id, outcome: 'applied' },
      ),
    );
    const rig = await aQueue(server.send);
    await storedFirst(rig, [1, 2, 3]);
    expect(await rig.store.waiting()).toEqual([]);
    expect(await rig.queue.refused()).toEqual([
      { event: anEvent(2), code: 'MALFORMED', vars, message: null },
    ]);
    await rig.queue.dismiss(idOf(2));
    expect(await rig.queue.refused()).toEqual([]);
  });

  test('a refused event is sent again when a person says so', async () => {
    const server = scriptedServer(([event]) => [{ id: event?.id ?? '', outcome: 'refused' }]);
    const rig = await aQueue(server.send);
    await storedFirst(rig, [1]);
    expect(await rig.queue.sendAgain(idOf(1))).toBe(true);
    await rig.queue.settled();
    expect([server.requests, await rig.queue.refused()]).toEqual([[[1], [1]], []]);
    expect(await rig.queue.sendAgain(idOf(1))).toBe(false);
  });

  test('a request has at most 200 events, oldest first', async () => {
    const server = scriptedServer();
    await storedFirst(await aQueue(server.send), upTo(450));
    expect(server.requests).toEqual([
      upTo(200),
      upTo(200).map((number) => number + 200),
      upTo(50).map((number) => number + 400),
    ]);
  });

  test('a request has less than 1 MB, counted in bytes', async () => {
    const server = scriptedServer();
    const rig = await aQueue(server.send);
    // Two bytes a letter: 0.4 MB each.
    await rig.store.append([1, 2, 3].map((number) => anEvent(number, 'ق'.repeat(200_000))));
    rig.queue.resume();
    await rig.queue.settled();
    expect(server.requests).toEqual([[1, 2], [3]]);
  });

  test('an event that no request can carry is set aside without being sent', async () => {
    const server = scriptedServer();
    const rig = await aQueue(server.send);
    await rig.store.append([anEvent(1, 'x'.repeat(1_000_000)), anEvent(2)]);
    rig.queue.resume();
    await rig.queue.settled();
    expect(server.requests).toEqual([[2]]);
    expect((await rig.queue.refused()).map(({ message }) => message)).toEqual([
      'The event is too large for a request.',
    ]);
  });

  test('two calls at once make one request at a time', async () => {
    const answer = deferred();
    const server = scriptedServer(async (events) => {
      await answer.promise;
      return applied(events);
    });
    const rig = await aQueue(server.send);
    await rig.queue.add(anEvent(1));
    rig.queue.resume();
    rig.queue.resume();
    await addAll(rig, [2, 3]);
    await expect.poll(() => server.requests).toEqual([[1]]);
    answer.resolve();
    await rig.queue.settled();
    expect(server.requests).toEqual([[1], [2, 3]]);
  });

  test('an event that is added while the last answer arrives is sent too', async () => {
    const server = scriptedServer();
    const rig = await aQueue(server.send);
    await Promise.all(upTo(60).map((number) => rig.queue.add(anEvent(number))));
    await rig.queue.settled();
    expect(server.requests.flat()).toEqual(upTo(60));
  });

  test('an event that cannot be stored as JSON is not added', async () => {
    const rig = await aQueue(scriptedServer().send);
    const faulty = {
      ...anEvent(1),
      id: 'X',
      at: 'yesterday',
      data: [] as unknown as Record<string, unknown>,
    };
    await expect(rig.queue.add(faulty)).rejects.toMatchObject({
      faults: [
        'id is not a UUID in lower case',
        'at is not an instant such as 2026-12-04T17:40:00.000Z',
        'data is not an object',
      ],
    });
    expect(await rig.queue.hasWaiting()).toBe(false);
  });
});

describe('answers that leave events out', () => {
  test('what an answer leaves out stays and is sent again, before later events', async () => {
    const server = scriptedServer((events) => applied(events).filter(({ id }) => id !== idOf(2)));
    const rig = await aQueue(server.send);
    await storedFirst(rig, [1, 2, 3]);
    await rig.queue.add(anEvent(4));
    await rig.queue.settled();
    expect(server.requests).toEqual([[1, 2, 3], [2], [4]]);
  });

  test('an answer that names none of the events is tried again after a wait', async () => {
    const server = scriptedServer(
      () => [],
      () => [{ id: idOf(9), outcome: 'applied' }],
      (events) => events.map(({ id }) => ({ id, outcome: 'of next year' as 'applied' })),
    );
    const rig = await aQueue(server.send);
    expect(await storedFirst(rig, [1])).toMatchObject({ status: 'retrying' });
    expect([await rig.passWait(), await rig.passWait(), await rig.passWait()]).toEqual([1_000, 2_000, 4_000]);
    expect(rig.queue.state).toEqual({ status: 'idle' });
    expect(server.requests).toEqual([[1], [1], [1], [1]]);
  });
});

describe('a line that is down', () => {
  const away = [networkFault(), refusal(500), refusal(502), refusal(503), refusal(408), refusal(429)];

  test('waits double up to a minute, and begin anew after an answer', async () => {
    const server = scriptedServer(...away, ...away);
    const rig = await aQueue(server.send);
    await storedFirst(rig, [1]);
    const waits: number[] = [];
    while (rig.queue.state.status === 'retrying') waits.push(await rig.passWait());
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60].map((seconds) => seconds * 1_000));
    server.then(networkFault());
    await rig.queue.add(anEvent(2));
    await rig.queue.settled();
    expect(await rig.passWait()).toBe(1_000);
    expect(server.requests.flat()).toEqual([...Array<number>(13).fill(1), 2, 2]);
  });

  test('chance takes up to half off a wait', async () => {
    const rig = await aQueue(scriptedServer(networkFault()).send, { random: () => 0.5 });
    await storedFirst(rig, [1]);
    expect(rig.time.pending()).toEqual([750]);
  });

  test.each([
    ['Retry-After of 90 seconds is obeyed', 90, 90_000],
    ['Retry-After of a day is cut to 15 minutes', 86_400, 900_000],
    ['Retry-After of 0 does not shorten the wait', 0, 1_000],
  ])('%s', async (_, seconds, wait) => {
    const rig = await aQueue(scriptedServer(refusal(429, {}, seconds)).send);
    await storedFirst(rig, [1]);
    expect(rig.time.pending()).toEqual([wait]);
  });

  test('what is added during a wait is stored and goes with the next try', async () => {
    const server = scriptedServer(networkFault());
    const rig = await aQueue(server.send);
    await storedFirst(rig, [1]);
    await addAll(rig, [2, 3]);
    expect(server.requests).toEqual([[1]]);
    await rig.passWait();
    expect(server.requests).toEqual([[1], [1, 2, 3]]);
  });

  test('when the line is back, resume does not wait', async () => {
    const rig = await aQueue(scriptedServer(networkFault()).send);
    await storedFirst(rig, [1]);
    rig.queue.resume();
    expect(await rig.queue.settled()).toEqual({ status: 'idle' });
    expect(rig.time.pending()).toEqual([]);
  });

  test('a request without an answer within a minute has failed', async () => {
    const server = scriptedServer(
      (_, signal) =>
        new Promise((_resolve, reject) => (signal.onabort = () => reject(signal.reason as Error))),
    );
    const rig = await aQueue(server.send);
    await rig.queue.add(anEvent(1));
    await expect.poll(() => rig.time.pending()).toEqual([ANSWER_WITHIN_MS]);
    await rig.passWait();
    expect(rig.queue.state).toMatchObject({ status: 'retrying' });
    await rig.passWait();
    expect(server.requests).toEqual([[1], [1]]);
  });
});

describe('a device that may not send', () => {
  test.each([401, 403, 404])('after %i the queue stops, keeps everything and says why', async (status) => {
    const server = scriptedServer(refusal(status));
    const rig = await aQueue(server.send);
    const seen: QueueState[] = [];
    rig.queue.onState((state) => seen.push(state));
    const state = await storedFirst(rig, [1, 2]);
    expect(state).toMatchObject({ status: 'stopped', fault: { status } });
    expect(seen.map((each) => each.status)).toEqual(['sending', 'stopped']);
    await addAll(rig, [3]);
    expect([server.requests, rig.time.pending()]).toEqual([[[1, 2]], []]);
    expect(numbersOf(await rig.store.waiting())).toEqual([1, 2, 3]);
    rig.queue.resume();
    await rig.queue.settled();
    expect(server.requests).toEqual([
      [1, 2],
      [1, 2, 3],
    ]);
  });

  test('what waits survives a log-out, an update and a restart', async () => {
    const before = await aQueue(scriptedServer(refusal(401)).send);
    await storedFirst(before, [1, 2]);
    await before.queue.close();
    await before.store.close();
    const server = scriptedServer();
    const after = await aQueue(server.send, { path: before.path });
    after.queue.resume();
    await after.queue.settled();
    expect(server.requests).toEqual([[1, 2]]);
  });

  test('a queue that is closed during a request keeps its events and sends no more', async () => {
    const server = scriptedServer(
      (_, signal) =>
        new Promise((_resolve, reject) => (signal.onabort = () => reject(signal.reason as Error))),
    );
    const rig = await aQueue(server.send);
    await rig.queue.add(anEvent(1));
    await expect.poll(() => server.requests.length).toBe(1);
    const empty = expect(rig.queue.whenEmpty()).rejects.toThrow('closed');
    await rig.queue.close();
    await empty;
    rig.queue.resume();
    await rig.queue.add(anEvent(2));
    expect([await rig.queue.settled(), rig.time.pending()]).toEqual([{ status: 'closed' }, []]);
    expect(numbersOf(await rig.store.waiting())).toEqual([1, 2]);
    expect(server.requests).toEqual([[1]]);
  });
});

describe('a batch that is refused as a whole', () => {
  test.each([400, 413])('after %i it is halved until the event at fault is alone', async (status) => {
    const server = scriptedServer(...Array<ReturnType<typeof refusedBy>>(20).fill(refusedBy([5], status)));
    const rig = await aQueue(server.send);
    expect(await storedFirst(rig, upTo(8))).toEqual({ status: 'idle' });
    expect(server.requests).toEqual([upTo(8), [1, 2, 3, 4], [5, 6, 7, 8], [5, 6], [5], [6], [7, 8]]);
    expect(await rig.queue.refused()).toEqual([
      { event: anEvent(5), code: `CODE_${status}`, vars: {}, message: `status ${status}` },
    ]);
  });

  test('several events at fault are each set aside, and all others arrive in order', async () => {
    const guilty = [1, 2, 77, 199, 200, 201, 350];
    const arrived: number[] = [];
    const rig = await aQueue((events) => {
      if (numbersOf(events).some((number) => guilty.includes(number))) return Promise.reject(refusal(400));
      arrived.push(...numbersOf(events));
      return Promise.resolve(applied(events));
    });
    await storedFirst(rig, upTo(400));
    expect(arrived).toEqual(upTo(400).filter((number) => !guilty.includes(number)));
    expect(numbersOf((await rig.queue.refused()).map(({ event }) => event))).toEqual(guilty);
  });

  test('a line that breaks between two halves loses no event and keeps the order', async () => {
    const server = scriptedServer(refusal(413), applied, networkFault());
    const rig = await aQueue(server.send);
    await storedFirst(rig, upTo(4));
    await rig.passWait();
    expect(server.requests).toEqual([upTo(4), [1, 2], [3, 4], [3, 4]]);
  });

  test('what the first half leaves without outcome is sent before the second half', async () => {
    const server = scriptedServer(refusal(413), (events) => applied(events).slice(1));
    await storedFirst(await aQueue(server.send), upTo(4));
    expect(server.requests).toEqual([upTo(4), [1, 2], [1, 3, 4]]);
  });

  test.each([400, 401, 403, 404, 405, 511])(
    'a %i that is no answer of the server blames no event, and is tried again',
    async (status) => {
      const page = new ApiError(status, { error: '<html>Please log in</html>' }, null);
      const rig = await aQueue(scriptedServer(page).send);
      expect(await storedFirst(rig, [1, 2])).toMatchObject({ status: 'retrying' });
      expect(await rig.queue.refused()).toEqual([]);
      await rig.passWait();
      expect(await rig.store.waiting()).toEqual([]);
    },
  );

  test('what is too large for a proxy is sent in halves', async () => {
    const page = new ApiError(413, { error: '<html>Too large</html>' }, null);
    const server = scriptedServer(page);
    expect(await storedFirst(await aQueue(server.send), [1, 2])).toEqual({ status: 'idle' });
    expect(server.requests).toEqual([[1, 2], [1], [2]]);
  });

  test('a 400 for an event, after which there may be more faults, is sent in halves', async () => {
    const fields = [
      { path: 'events[1].data.note', problem: 'has a NUL character' },
      { path: 'body', problem: 'has too many values for a list of all faults' },
    ];
    const server = scriptedServer(refusal(400, { fields }));
    expect(await storedFirst(await aQueue(server.send), [1, 2])).toEqual({ status: 'idle' });
    expect(server.requests).toEqual([[1, 2], [1], [2]]);
  });

  test('a request with more values than the server takes is sent in halves; a single event is not set aside for it', async () => {
    const tooMany = refusal(400, { fields: [{ path: 'body', problem: 'has too many values' }] });
    const server = scriptedServer(tooMany);
    expect(await storedFirst(await aQueue(server.send), [1, 2])).toEqual({ status: 'idle' });
    expect(server.requests).toEqual([[1, 2], [1], [2]]);
    const alone = await aQueue(scriptedServer(tooMany).send);
    expect(await storedFirst(alone, [1])).toMatchObject({ status: 'stopped' });
    expect(await alone.queue.refused()).toEqual([]);
  });

  test('a 400 for another field than the events blames none of them', async () => {
    const fields = [{ path: 'branch_id', problem: 'is not the branch of the device' }];
    const rig = await aQueue(scriptedServer(refusal(400, { fields })).send);
    const state = await storedFirst(rig, [1, 2]);
    expect(state.status === 'stopped' && (state.fault as ApiError).body.fields).toEqual(fields);
    expect(await rig.queue.refused()).toEqual([]);
  });
});

describe('a disk that fails', () => {
  test('an event whose removal failed is sent again, and no other is lost', async () => {
    const store = await aFileStore(aPath());
    let isFull = true;
    const remove = store.remove.bind(store);
    store.remove = (ids) => (isFull ? Promise.reject(new Error('ENOSPC')) : remove(ids));
    const server = scriptedServer();
    const rig = await aQueue(server.send, { store });
    expect(await storedFirst(rig, [1])).toMatchObject({ status: 'retrying', fault: { message: 'ENOSPC' } });
    isFull = false;
    await rig.passWait();
    expect([server.requests, await rig.queue.hasWaiting()]).toEqual([[[1], [1]], false]);
  });
});
