/** Invalid settings stop the start with a sentence each; missing secrets are created once. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useProgram } from '../support/programs/program.ts';
import type { Settings } from '../support/programs/program.ts';

const bench = useProgram('test', 'shared');

const WRONG: readonly (readonly [string, Settings, readonly string[]])[] = [
  ['a port that is no number', { PORT: 'abc' }, ['PORT is "abc"; it must be a whole number from 0 to 65535']],
  [
    'two wrong values at once',
    { LOG_LEVEL: 'loud', RATE_LIMIT_SCALE: '-1' },
    ['LOG_LEVEL is "loud"', 'RATE_LIMIT_SCALE is "-1"'],
  ],
  ['a base address that is none', { BASE_URL: 'ahwa.example' }, ['BASE_URL is "ahwa.example"']],
  ['a day that does not exist', { CLOCK_START: '2026-02-30T10:00:00Z' }, ['CLOCK_START is']],
  [
    'a clock of its own in production',
    { NODE_ENV: 'production', DATABASE_URL: '', CLOCK_START: '2026-04-24T18:00:00Z' },
    ['CLOCK_START is set, and NODE_ENV is production'],
  ],
  ['the demo in production', { NODE_ENV: 'production', DATABASE_URL: '', DEMO: 'true' }, ['DEMO is true']],
  [
    'a shared database in production without a key',
    { NODE_ENV: 'production', DATABASE_URL: 'postgres://127.0.0.1/nowhere' },
    ['SECRET_KEY is missing'],
  ],
  [
    'a key that is too short for production',
    { NODE_ENV: 'production', SECRET_KEY: 'hush-hush' },
    ['SECRET_KEY is too short'],
  ],
];

test.each(WRONG)(
  '%s stops the start with a message before any file is created',
  async (_, settings, beginnings) => {
    const { code, stdout, stderr } = await bench.launch(settings).ended;
    const lines = stderr.trimEnd().split('\n');
    expect([code, stdout, lines.length]).toEqual([1, '', beginnings.length]);
    for (const [index, beginning] of beginnings.entries()) {
      expect(lines[index]).toMatch(new RegExp(`^ahwa: .*\\.$`));
      expect(lines[index]).toContain(`ahwa: ${beginning}`);
    }
    expect(stderr).not.toContain('hush-hush');
    expect(readdirSync(bench.dataDir())).toEqual([]);
  },
);

test('an unreachable database is reported without its password', async () => {
  const { code, stderr } = await bench.launch({
    DATABASE_URL: 'postgres://guest:hush-hush@127.0.0.1:1/nowhere',
  }).ended;
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^ahwa: No server listens at 127\.0\.0\.1:1; start PostgreSQL there, .*\.\n$/),
  ]);
  expect(stderr).not.toContain('hush-hush');
});

test('a data folder that is a file stops the start with a message', async () => {
  const file = join(bench.dataDir(), 'file');
  writeFileSync(file, '');
  const sentence = `ahwa: ${file} is not a folder; set DATA_DIR to a folder.\n`;
  for (const settings of [{ DATABASE_URL: '' }, { DATABASE_URL: 'postgres://127.0.0.1:1/nowhere' }]) {
    const { code, stderr } = await bench.launch({ DATA_DIR: file, ...settings }).ended;
    expect([code, stderr]).toEqual([1, sentence]);
  }
});

test('without SECRET_KEY the first start creates a private key file, and the next start keeps it', async () => {
  const file = join(bench.dataDir(), 'secret.key');
  const first = await bench.serve();
  const key = readFileSync(file, 'utf8');
  expect(key).toMatch(/^[0-9a-f]{64}\n$/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  first.signal('SIGTERM');
  await first.ended;
  await bench.serve();
  expect(readFileSync(file, 'utf8')).toBe(key);
});

test('with SECRET_KEY no key file is created', async () => {
  await bench.serve({ SECRET_KEY: 'a key of the operator, long enough for anything' });
  expect(readdirSync(bench.dataDir())).not.toContain('secret.key');
});
