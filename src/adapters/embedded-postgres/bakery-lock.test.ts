import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownProcessIdentity } from '../process-identity.ts';
import { EmbeddedPostgresError } from './fault.ts';
import { withLock } from './bakery-lock.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ahwa-turn-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const ROUNDS = 6;
const PROCESSES = 3;

/** Reads a number, waits, writes the next: two processes at once would lose a count. */
const COUNTING = `
  import { readFileSync, writeFileSync } from 'node:fs';
  import { setImmediate as breathe } from 'node:timers/promises';
  import { withLock } from ${JSON.stringify(fileURLToPath(new URL('./bakery-lock.ts', import.meta.url)))};
  const [locks, file] = process.argv.slice(1);
  await Promise.all(Array.from({ length: ${ROUNDS} }, () => withLock(locks, async () => {
    const count = Number(readFileSync(file, 'utf8'));
    await breathe();
    writeFileSync(file, String(count + 1));
  })));
`;

test('processes, and calls within each, hold the lock one at a time', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'ahwa-count-')), 'count');
  writeFileSync(file, '0');
  const children = Array.from({ length: PROCESSES }, () =>
    spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', COUNTING, folder, file], {
      stdio: 'inherit',
    }),
  );
  const ends = await Promise.all(children.map((child) => once(child, 'exit')));
  expect(ends.map(([code]) => code as unknown)).toEqual(children.map(() => 0));
  expect(readFileSync(file, 'utf8')).toBe(String(PROCESSES * ROUNDS));
  expect(readdirSync(folder)).toEqual([]);
  rmSync(join(file, '..'), { recursive: true });
});

test('files of a killed process do not block the lock and are removed', async () => {
  writeFileSync(join(folder, '999999-1~aaaaaaaaaaaa~1'), '');
  writeFileSync(join(folder, '999999-1~bbbbbbbbbbbb~choosing'), '');
  expect(await withLock(folder, () => Promise.resolve('my turn'))).toBe('my turn');
  expect(readdirSync(folder)).toEqual([]);
});

test('a long wait for a living process ends with an error and leaves no file', async () => {
  const ahead = `${ownProcessIdentity()}~aaaaaaaaaaaa~1`;
  writeFileSync(join(folder, ahead), '');
  await expect(withLock(folder, () => Promise.resolve(), 50)).rejects.toBeInstanceOf(EmbeddedPostgresError);
  expect(readdirSync(folder)).toEqual([ahead]);
});

test('a failing call releases the lock', async () => {
  await expect(withLock(folder, () => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
  expect(await withLock(folder, () => Promise.resolve(1))).toBe(1);
});
