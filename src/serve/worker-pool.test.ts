import { expect, test } from 'vitest';
import type { ProcessEnd, WorkerListener } from '../adapters/worker-processes.ts';
import { WorkerPool } from './worker-pool.ts';

/** Processes that do what the test says, and timers that it lets run out. */
const poolFixture = (size: number) => {
  const processes: { readonly pid: number; readonly told: string[]; readonly listener: WorkerListener }[] =
    [];
  const timers: { readonly ms: number; readonly work: () => void }[] = [];
  const watches = new Set<() => void>();
  const lines: string[] = [];
  const note = (_: object, message: string): void => {
    lines.push(message);
  };
  const time = { now: 0 };
  const pool = new WorkerPool({
    ...{ size, port: 8080 },
    startProcess: (listener) => {
      const own = { pid: processes.length + 1, told: [] as string[], listener };
      processes.push(own);
      return {
        pid: own.pid,
        send: (message) => void own.told.push(describe(message)),
        kill: () => listener.onEnd({ code: null, signal: 'SIGKILL' }),
      };
    },
    onListening: () => undefined,
    onMessage: () => undefined,
    onEnd: () => undefined,
    timers: {
      every: (_, work) => {
        watches.add(work);
        return () => watches.delete(work);
      },
      after: (ms, work) => {
        const timer = { ms, work };
        timers.push(timer);
        return () => {
          if (timers.includes(timer)) timers.splice(timers.indexOf(timer), 1);
        };
      },
    },
    monotonic: () => time.now,
    log: { info: note, warn: note },
  });
  return {
    ...{ pool, processes, timers, lines, time },
    listens: (pid: number) => processes[pid - 1]?.listener.onMessage({ kind: 'listening' }),
    ends: (pid: number, how: ProcessEnd = { code: 1, signal: null }) =>
      processes[pid - 1]?.listener.onEnd(how),
    /** The new worker is there for a while. */
    stays: async () => {
      await settled();
      timers
        .filter(({ ms }) => ms === 2_000)
        .forEach((timer) => {
          timers.splice(timers.indexOf(timer), 1);
          timer.work();
        });
      await settled();
    },
    watch: () => watches.forEach((look) => look()),
    runOut: () => timers.splice(0).forEach(({ work }) => work()),
    told: () => processes.map(({ told }) => told.join()),
  };
};

const describe = (message: object): string => {
  const { kind, isFirst, isInitial } = message as { kind: string; isFirst?: boolean; isInitial?: boolean };
  return kind === 'start' ? `start${isFirst ? ' first' : ''}${isInitial ? ' initial' : ''}` : kind;
};

const settled = () => new Promise((turn) => setImmediate(turn));

/** A pool whose workers 1 to `size` listen. */
const running = async (size: number) => {
  const fixture = poolFixture(size);
  const started = fixture.pool.start();
  for (let pid = 1; pid <= size; pid += 1) {
    fixture.listens(pid);
    await settled();
  }
  expect(await started).toBe(true);
  return fixture;
};

test('the others start once the first one listens', async () => {
  const { pool, listens, told } = poolFixture(3);
  const started = pool.start();
  expect(told()).toEqual(['start first initial']);
  listens(1);
  await settled();
  expect(told()).toEqual(['start first initial', 'start initial', 'start initial']);
  expect(await started).toBe(true);
});

test('the start fails with its first worker, and starts no other', async () => {
  const { pool, ends, told, timers } = poolFixture(2);
  const started = pool.start();
  ends(1);
  expect(await started).toBe(false);
  await pool.stop();
  expect([told(), timers]).toEqual([['start first initial'], []]);
});

test('a worker that ends is replaced, later each time, and soon again once one has lived for a minute', async () => {
  const { ends, timers, runOut, listens, time, told } = await running(2);
  const delays: number[] = [];
  const die = async (pid: number): Promise<void> => {
    ends(pid);
    await settled();
    delays.push(...timers.map(({ ms }) => ms));
    runOut();
    listens(pid + 1);
  };
  for (let pid = 2; pid < 12; pid += 1) await die(pid);
  time.now += 60_000;
  await die(12);
  expect(delays).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000, 100]);
  expect(told().slice(2)).toEqual(
    told()
      .slice(2)
      .map(() => 'start'),
  );
});

test('who takes the place of the first one is told so', async () => {
  const { ends, runOut, told } = await running(2);
  ends(1);
  await settled();
  runOut();
  expect(told().at(-1)).toBe('start first');
});

test('a reload replaces one after the other, each once its replacement listens', async () => {
  const { pool, listens, stays, ends, told } = await running(2);
  const reloaded = pool.reload();
  expect(told()).toEqual(['start first initial', 'start initial', 'start first']);
  listens(3);
  await settled();
  expect(told()[0]).toBe('start first initial');
  await stays();
  expect(told()).toEqual(['start first initial,retire', 'start initial', 'start first']);
  ends(1);
  await settled();
  expect(told().at(-1)).toBe('start');
  listens(4);
  await stays();
  ends(2);
  await reloaded;
  expect(told().slice(0, 2)).toEqual(['start first initial,retire', 'start initial,retire']);
});

test('workers that retire are not replaced', async () => {
  const { pool, listens, stays, ends, timers } = await running(1);
  const reloaded = pool.reload();
  listens(2);
  await stays();
  expect(timers).toHaveLength(1);
  ends(1, { code: 0, signal: null });
  await reloaded;
  expect(timers).toEqual([]);
});

test('a worker that neither retires nor stops in time is killed', async () => {
  const { pool, listens, stays, runOut } = await running(1);
  const reloaded = pool.reload();
  listens(2);
  await stays();
  runOut();
  await reloaded;
  const stopped = pool.stop();
  runOut();
  await stopped;
});

test('a reload whose new worker does not start leaves the others as they are', async () => {
  const { pool, ends, told, lines, timers } = await running(2);
  const reloaded = pool.reload();
  ends(3);
  await reloaded;
  await settled();
  expect(told()).toEqual(['start first initial', 'start initial', 'start first']);
  expect([lines.at(-1), timers]).toEqual(['a new worker did not start: the workers of before stay', []]);
});

test('a reload whose new worker ends with its first requests leaves the others as they are', async () => {
  const { pool, listens, ends, told, lines, timers } = await running(2);
  const reloaded = pool.reload();
  listens(3);
  await settled();
  ends(3);
  await reloaded;
  expect(told()).toEqual(['start first initial', 'start initial', 'start first']);
  expect([lines, timers]).toEqual([['a new worker has ended soon: the workers of before stay'], []]);
});

test('a worker that ends while its replacement starts is not replaced twice', async () => {
  const { pool, ends, listens, stays, told, timers } = await running(1);
  const reloaded = pool.reload();
  ends(1);
  await settled();
  expect(timers.map(({ ms }) => ms)).toEqual([15 * 60_000, 100]);
  listens(2);
  await stays();
  await reloaded;
  expect([told().length, timers]).toEqual([2, []]);
});

test('a reload asked for during a reload follows it, once', async () => {
  const { pool, listens, stays, ends, told } = await running(1);
  void pool.reload();
  const second = pool.reload();
  void pool.reload();
  listens(2);
  await stays();
  expect(told()).toEqual(['start first initial,retire', 'start first']);
  ends(1);
  await second;
  await settled();
  expect(told().at(-1)).toBe('start first');
  listens(3);
  await stays();
  ends(2);
  await settled();
  expect(told()).toEqual(['start first initial,retire', 'start first,retire', 'start first']);
});

test('a reload that was asked for twice starts nobody after a stop', async () => {
  const { pool, listens, stays, ends, told } = await running(1);
  void pool.reload();
  void pool.reload();
  listens(2);
  await stays();
  const stopped = pool.stop();
  for (const pid of [1, 2]) ends(pid, { code: 0, signal: null });
  await stopped;
  await settled();
  await pool.reload();
  expect(told()).toHaveLength(2);
});

test('a worker that does not start in time is killed, and the reload is over', async () => {
  const { pool, runOut, lines, timers, told } = await running(2);
  const reloaded = pool.reload();
  expect(timers.map(({ ms }) => ms)).toEqual([15 * 60_000]);
  runOut();
  await reloaded;
  expect(lines).toEqual([
    'a worker does not start: it is killed',
    'a new worker did not start: the workers of before stay',
  ]);
  expect(told()).toHaveLength(3);
});

test('a worker that crashes while it leaves is in the log, and so is one that was killed', async () => {
  const { pool, listens, stays, ends, runOut, lines } = await running(1);
  const reloaded = pool.reload();
  listens(2);
  await stays();
  ends(1);
  await reloaded;
  const stopped = pool.stop();
  runOut();
  await stopped;
  expect(lines).toEqual([
    'a worker has ended',
    'all workers are replaced',
    'a worker does not leave: it is killed',
    'a worker has ended',
  ]);
});

test('a stop tells all, also those that retire or start, and replaces none', async () => {
  const { pool, listens, stays, ends, told, timers, runOut } = await running(2);
  void pool.reload();
  listens(3);
  await stays();
  ends(1);
  await settled();
  ends(2);
  await settled();
  expect(told()).toHaveLength(4);
  const stopped = pool.stop();
  expect(told().map((text) => text.split(',').at(-1))).toEqual(['retire', 'start initial', 'stop', 'stop']);
  for (const pid of [3, 4]) ends(pid, { code: 0, signal: null });
  await stopped;
  runOut();
  expect([told().length, timers]).toEqual([4, []]);
});

test('a worker that leaves six pings unanswered is killed and replaced, also one that still starts', async () => {
  const { watch, processes, lines, told, timers } = await running(2);
  watch();
  expect(told()).toEqual(['start first initial,ping', 'start initial,ping']);
  for (let pings = 1; pings < 6; pings += 1) watch();
  processes[0]?.listener.onMessage({ kind: 'pong' });
  expect(lines).toEqual([]);
  watch();
  await settled();
  expect([lines, timers.length]).toEqual([['a worker hangs: it is killed', 'a worker has ended'], 1]);
  timers.splice(0).forEach(({ work }) => work());
  for (let pings = 0; pings <= 6; pings += 1) {
    processes[0]?.listener.onMessage({ kind: 'pong' });
    watch();
  }
  await settled();
  expect(lines.slice(2)).toEqual(['a worker hangs: it is killed', 'a worker has ended']);
});

test('a launcher that was itself stopped for long kills none of its workers', async () => {
  const { watch, time, lines } = await running(2);
  watch();
  time.now = 10 * 60_000;
  watch();
  await settled();
  expect(lines).toEqual([]);
});
