import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isAlive, processIdentityOf, ownProcessIdentity } from './process-identity.ts';
import { secretKeyOf } from './secret-key.ts';
import { joinClock, shareClock, systemClock } from './system.ts';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'ahwa-system-'));
});

afterEach(() => rmSync(dataDir, { recursive: true }));

const START = Date.UTC(2026, 3, 24, 21, 59);
const MINUTE = 60_000;
const owner = (databaseUrl: string | null = null) => ({ dataDir, databaseUrl });

/** Whether a clock shows `moment` or up to a minute later. */
const shows = (clock: { now(): number }, moment: number): boolean =>
  clock.now() >= moment && clock.now() < moment + MINUTE;

describe('the clock', () => {
  test('is the real time without CLOCK_START', () => {
    const before = Date.now();
    expect(systemClock(0).now()).toBeGreaterThanOrEqual(before);
  });

  test('starts at CLOCK_START and runs on', () => {
    const { clock, joined, release } = shareClock(owner(), START);
    expect(joined).toBe(false);
    expect(shows(clock, START)).toBe(true);
    release();
  });

  test('is shared with a command and a second server, whatever their CLOCK_START', () => {
    const first = shareClock(owner(), START);
    expect(shows(joinClock(owner(), null), START)).toBe(true);
    const second = shareClock(owner(), Date.UTC(2030, 0, 1));
    expect(second.joined).toBe(true);
    expect(shows(second.clock, START)).toBe(true);
    second.release();
    first.release();
    first.release();
    expect(shows(joinClock(owner(), null), Date.now())).toBe(true);
  });

  test('is not shared with processes on another database', () => {
    const { release } = shareClock(owner('postgres://a/b'), START);
    expect(shows(joinClock(owner(), null), Date.now())).toBe(true);
    expect(shows(joinClock(owner('postgres://a/b'), null), START)).toBe(true);
    release();
  });

  test('ignores the file of a killed server and an invalid file', () => {
    const { release } = shareClock(owner(), START);
    release();
    const [folder = ''] = readdirSync(join(dataDir, 'run')).map((name) => join(dataDir, 'run', name));
    writeFileSync(join(folder, '999999-1'), '86400000');
    writeFileSync(join(folder, ownProcessIdentity()), '');
    expect(shows(joinClock(owner(), null), Date.now())).toBe(true);
    expect(readdirSync(folder)).toEqual([ownProcessIdentity()]);
  });
});

test('a process is alive under its own name until it ends', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const name = processIdentityOf(child.pid ?? 0) ?? '';
  expect(isAlive(name)).toBe(true);
  expect(isAlive(`${process.pid}-1`)).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isAlive(name)).toBe(false);
  expect(['', 'x', '0-1', '-1', 'NaN-1'].map(isAlive)).toEqual([false, false, false, false, false]);
});

describe('the secret key', () => {
  test('the secret key is created once with 256 random bits and mode 0600', () => {
    const key = secretKeyOf(dataDir);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(secretKeyOf(dataDir)).toBe(key);
    expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(['secret.key']);
  });

  test('its folder is created, and an empty key file is replaced', () => {
    const folder = join(dataDir, 'new');
    mkdirSync(folder);
    writeFileSync(join(folder, 'secret.key'), '');
    expect(secretKeyOf(folder)).toMatch(/^[0-9a-f]{64}$/);
    expect(secretKeyOf(join(dataDir, 'deep', 'er'))).not.toBe(secretKeyOf(folder));
  });
});
