/** Paths and addresses of settings are judged before anything is started. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { useProgram, type Program, type Settings } from '../support/programs/program.ts';

const bench = useProgram('test', 'shared');

const isRoot = process.getuid?.() === 0;

const expectRefusal = async (settings: Settings, sentence: string): Promise<void> => {
  const { code, stdout, stderr } = await bench.launch(settings).ended;
  expect([code, stdout, stderr]).toEqual([1, '', `ahwa: ${sentence}\n`]);
};

test('a DATA_DIR below a file, and an OTP_FILE that cannot be a file, stop the start', async () => {
  const folder = bench.dataDir();
  const file = join(folder, 'file');
  writeFileSync(file, '');
  await expectRefusal(
    { DATA_DIR: join(file, 'data') },
    `${file}/data cannot be made: ${file} is a file; set DATA_DIR to a folder.`,
  );
  await expectRefusal({ OTP_FILE: folder }, `${folder} is a folder; name a file in OTP_FILE.`);
  await expectRefusal(
    { OTP_FILE: join(folder, 'none', 'codes') },
    `${folder}/none/codes cannot be made: there is no folder ${folder}/none; make it, or change OTP_FILE.`,
  );
  await expectRefusal(
    { OTP_FILE: join(file, 'codes') },
    `${file}/codes cannot be made: there is no folder ${file}; make it, or change OTP_FILE.`,
  );
  expect(readdirSync(folder)).toEqual(['file']);
});

test.skipIf(isRoot)('a path that this user cannot enter or write stops the start', async () => {
  const folder = bench.dataDir();
  const closed = join(folder, 'closed');
  mkdirSync(closed, { mode: 0o600 });
  try {
    for (const key of ['DATA_DIR', 'OTP_FILE']) {
      const { code, stderr } = await bench.launch({ [key]: join(closed, 'in', 'it') }).ended;
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(`${closed} above it is closed to this user; open that folder (chmod o+x`),
      ]);
    }
    chmodSync(closed, 0o500);
    for (const key of ['DATA_DIR', 'OTP_FILE']) {
      const { code, stderr } = await bench.launch({ [key]: join(closed, 'data') }).ended;
      expect([code, stderr]).toEqual([1, expect.stringContaining(`who may not write in ${closed};`)]);
    }
  } finally {
    // So that the folder can be removed.
    chmodSync(closed, 0o700);
  }
});

const warnings = (program: Program): string[] =>
  program
    .log()
    .filter(({ level }) => level === 'warn')
    .map(({ msg }) => String(msg));

test('in production a BASE_URL of this machine is warned of, a public one is not', async () => {
  const production = { NODE_ENV: 'production', SECRET_KEY: 'k'.repeat(40) };
  const local = await bench.serve(production);
  expect(warnings(local)).toContainEqual(
    expect.stringMatching(/^BASE_URL is an address of this machine, .*: set it to the public address$/),
  );
  const open = await bench.serve({ ...production, BASE_URL: 'https://ahwa.example' });
  expect(warnings(open)).not.toContainEqual(expect.stringContaining('BASE_URL'));
  const trial = await bench.serve();
  expect(warnings(trial)).not.toContainEqual(expect.stringContaining('BASE_URL'));
});

const MEMORY = '/dev/shm';
const hasMemory = process.platform === 'linux' && readdirSync('/dev').includes('shm');

test.runIf(hasMemory)('a DATA_DIR in memory is warned of, unless it keeps nothing', async () => {
  const folder = mkdtempSync(join(MEMORY, 'ahwa-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const risky = await bench.serve({ DATA_DIR: folder });
  expect(warnings(risky)).toContainEqual(
    expect.stringMatching(/^DATA_DIR is in memory \(tmpfs\), and the secret key is gone/),
  );
  const safe = await bench.serve({ DATA_DIR: folder, SECRET_KEY: 'k'.repeat(40) });
  expect(warnings(safe)).not.toContainEqual(expect.stringContaining('DATA_DIR'));
});
