/** The file in which a device keeps its events: what was acknowledged is there, whatever happens to the process. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openFileStore } from '../../src/client/till/node/file-store.ts';
import { startAppender } from '../support/programs/event-appender.ts';
import { anEvent, idOf, numbersOf, upTo } from '../support/sync/till-events.ts';
import { aFileStore, aPath } from '../support/sync/till-queue.ts';

const aFileWith = async (numbers: readonly number[]): Promise<string> => {
  const path = aPath();
  const store = await openFileStore(path);
  await store.append(numbers.map((number) => anEvent(number)));
  await store.close();
  return path;
};

const waitingIn = async (path: string): Promise<number[]> => {
  const store = await openFileStore(path);
  try {
    return numbersOf(await store.waiting());
  } finally {
    await store.close();
  }
};

const entry = (number: number): string => `${JSON.stringify({ add: anEvent(number) })}\n`;

const refusedAs = (number: number) => ({
  event: anEvent(number),
  code: 'MALFORMED',
  vars: { number },
  message: null,
});

describe('what is kept', () => {
  test('events are there in their order after the file is opened again', async () => {
    expect(await waitingIn(await aFileWith([3, 1, 2]))).toEqual([3, 1, 2]);
  });

  test('an event that is appended twice is there once', async () => {
    const path = await aFileWith([1, 2, 1]);
    const store = await aFileStore(path);
    await store.append([anEvent(2), anEvent(3)]);
    expect(numbersOf(await store.waiting())).toEqual([1, 2, 3]);
    expect(numbersOf(await store.waiting(2))).toEqual([1, 2]);
  });

  test('removed, refused and dismissed events are so after the file is opened again', async () => {
    const path = await aFileWith(upTo(5));
    const before = await openFileStore(path);
    await before.refuse([refusedAs(2), refusedAs(4), refusedAs(9)]);
    await before.remove([idOf(1), idOf(77)]);
    await before.dismiss(idOf(4));
    await before.append([anEvent(9)]);
    await before.close();
    const after = await aFileStore(path);
    expect(numbersOf(await after.waiting())).toEqual([3, 5, 9]);
    expect(await after.refused()).toEqual([refusedAs(2)]);
  });

  test('events that are appended at once come in the order of the calls', async () => {
    const path = aPath();
    const store = await openFileStore(path);
    await Promise.all(upTo(50).map((number) => store.append([anEvent(number)])));
    await store.close();
    expect(await waitingIn(path)).toEqual(upTo(50));
  });

  test('only the owner may read the file, also one that others could read before', async () => {
    const path = await aFileWith([1]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    chmodSync(path, 0o644);
    expect(await waitingIn(path)).toEqual([1]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('a store that is closed takes and gives nothing', async () => {
    const store = await openFileStore(aPath());
    await store.close();
    await store.close();
    await expect(store.append([anEvent(1)])).rejects.toThrow('is closed');
    await expect(store.waiting()).rejects.toThrow('is closed');
  });

  test('an event that could not be read again is not written', async () => {
    const path = await aFileWith([1]);
    const store = await aFileStore(path);
    await expect(store.append([{ ...anEvent(2), kind: 'a sale' }])).rejects.toThrow('no entry');
    await store.append([anEvent(3)]);
    expect(numbersOf(await store.waiting())).toEqual([1, 3]);
  });
});

describe('a file that a crash has left', () => {
  test('a last line that is torn at any byte is dropped, and the next event follows', async () => {
    const path = await aFileWith([1, 2]);
    const whole = readFileSync(path);
    const line = Buffer.byteLength(entry(2));
    for (let missing = 1; missing <= line; missing += 1) {
      writeFileSync(path, whole);
      truncateSync(path, whole.length - missing);
      const store = await openFileStore(path);
      await store.append([anEvent(3)]);
      await store.close();
      expect(await waitingIn(path)).toEqual([1, 3]);
    }
  });

  test('a last line of zeros, which a disk never got, is dropped', async () => {
    const path = await aFileWith([1]);
    appendFileSync(path, `${'\0'.repeat(40)}"}}\n`);
    expect(await waitingIn(path)).toEqual([1]);
  });

  test('a new file that was not whole yet counts for nothing', async () => {
    const path = await aFileWith([1]);
    writeFileSync(`${path}.new`, '{"format":"ahwa-till-queue"');
    const store = await aFileStore(path, { deadLines: 1 });
    await store.append([anEvent(2)]);
    await store.remove([idOf(1)]);
    expect(numbersOf(await store.waiting())).toEqual([2]);
    expect(existsSync(`${path}.new`)).toBe(false);
  });

  test.each([
    ['in the middle', 2, 'x'],
    ['at the end', 4, '{"add":{}}'],
    ['in the head', 1, '{"format":"ahwa-till-queue","version":9}'],
    ['of bytes that are no text', 3, Buffer.from([0xff, 0xfe])],
  ])('a damaged line %s is an error that names it and changes nothing', async (_, number, text) => {
    const path = await aFileWith([1, 2, 3]);
    const lines = readFileSync(path, 'utf8').split('\n');
    const before = lines
      .slice(0, number - 1)
      .map((line) => `${line}\n`)
      .join('');
    const damaged = Buffer.concat([
      Buffer.from(before),
      Buffer.from(text),
      Buffer.from(`\n${lines.slice(number).join('\n')}`),
    ]);
    writeFileSync(path, damaged);
    await expect(openFileStore(path)).rejects.toMatchObject({ name: 'DamagedFile', line: number });
    expect(readFileSync(path)).toEqual(damaged);
    // Nor is it in use then.
    await expect(openFileStore(path)).rejects.toMatchObject({ name: 'DamagedFile' });
  });

  test('an empty file is damaged: a new one always has its head', async () => {
    const path = aPath();
    writeFileSync(path, '');
    await expect(openFileStore(path)).rejects.toMatchObject({ line: 1 });
  });
});

describe('a file that grows', () => {
  test('lines of no use are left out of a new file with the same events', async () => {
    const path = aPath();
    const store = await openFileStore(path, { deadLines: 20 });
    await store.refuse([refusedAs(1_000)]);
    for (const number of upTo(100)) {
      await store.append([anEvent(number)]);
      if (number > 3) await store.remove([idOf(number - 3)]);
    }
    expect(readFileSync(path, 'utf8').split('\n').length).toBeLessThan(50);
    await store.close();
    const again = await aFileStore(path);
    expect(numbersOf(await again.waiting())).toEqual([98, 99, 100]);
    expect(await again.refused()).toEqual([refusedAs(1_000)]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('where the new file cannot be written, the old one goes on', async () => {
    const path = await aFileWith([1, 2, 3]);
    // A folder in its place.
    const store = await aFileStore(path, { deadLines: 2 });
    mkdirSync(`${path}.new`);
    for (const number of upTo(3)) await store.remove([idOf(number)]);
    await store.append([anEvent(4)]);
    expect(numbersOf(await store.waiting())).toEqual([4]);
  });
});

describe('other processes', () => {
  test('what a process acknowledged before it was killed is there', async () => {
    const path = aPath();
    for (const wanted of [1, 40, 150]) {
      const appender = startAppender(path, { count: 100_000 });
      await appender.until(1 + wanted);
      await appender.kill();
      const acknowledged = appender.lines.flatMap(({ number }) => number ?? []);
      const found = await waitingIn(path);
      expect(found).toEqual(upTo(found.length));
      expect(found.length).toBeGreaterThanOrEqual(acknowledged.length);
      const store = await openFileStore(path);
      await store.remove(found.map(idOf));
      await store.close();
    }
  });

  test('two processes on one file: the first works, the other is told its id', async () => {
    const path = aPath();
    const first = startAppender(path, { count: 1 });
    await first.until(2);
    await expect(openFileStore(path)).rejects.toThrow(`is in use by process ${first.pid}.`);
    const second = startAppender(path, { count: 1 });
    await second.until(1);
    expect(second.lines).toEqual([{ fault: `${path} is in use by process ${first.pid}.` }]);
    await Promise.all([first.end(), second.end()]);
    expect(await waitingIn(path)).toEqual([1]);
  });

  test('of four processes at once, one gets the file of a dead one', async () => {
    const path = aPath();
    for (let round = 0; round < 2; round += 1) {
      const dead = startAppender(path);
      await dead.until(1);
      await dead.kill();
      const all = upTo(4).map(() => startAppender(path));
      await Promise.all(all.map((each) => each.until(1)));
      expect(all.filter(({ lines }) => lines[0]?.isOpen).length).toBe(1);
      await Promise.all(all.map((each) => each.end()));
    }
  });

  test('a program opens a file once, and again after it was closed', async () => {
    const path = await aFileWith([1]);
    const store = await openFileStore(path);
    await expect(openFileStore(path)).rejects.toMatchObject({ name: 'FileInUse' });
    await store.close();
    expect(await waitingIn(path)).toEqual([1]);
    expect(readdirSync(dirname(path)).filter((name) => name.includes('.lock')).length).toBe(1);
  });

  test('on a full disk events are rejected, and none that was acknowledged is lost', async () => {
    const path = aPath();
    // Room for three events, and for a part of the fourth.
    const appender = startAppender(path, { count: 6, size: 2_000, limitKib: 8 });
    await appender.until(7);
    await appender.end();
    const isDone = ({ number, fault }: (typeof appender.lines)[number]) =>
      number !== undefined && fault === undefined;
    expect(appender.lines.slice(1).map(isDone)).toEqual([true, true, true, false, false, false]);
    // The half of a line that had room was taken back at once.
    expect(readFileSync(path, 'utf8').endsWith('\n')).toBe(true);
    expect(await waitingIn(path)).toEqual([1, 2, 3]);
  });
});
