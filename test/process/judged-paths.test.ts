/** Paths and addresses of settings are judged before anything is started. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/adapters/embedded-postgres.ts';
import { StartError } from '../../src/serve/faults.ts';
import { judgePaths } from '../../src/serve/paths.ts';
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

/** Null: the paths can be used. */
const faultOf = (paths: { readonly DATA_DIR?: string; readonly OTP_FILE?: string }): string | null => {
  const { DATA_DIR = bench.dataDir(), OTP_FILE } = paths;
  const sender =
    OTP_FILE === undefined ? { kind: 'none' as const } : { kind: 'file' as const, path: OTP_FILE };
  try {
    judgePaths({ dataDir: DATA_DIR, sender });
    return null;
  } catch (fault) {
    return fault instanceof StartError ? fault.message : expect.fail(String(fault));
  }
};

test.each(['DATA_DIR', 'OTP_FILE'] as const)(
  'dangling links, links in a circle and names too long are one sentence: %s',
  (key) => {
    const [gone, circle] = [join(bench.dataDir(), 'gone'), join(bench.dataDir(), 'circle')];
    symlinkSync('/no/such/place', gone);
    symlinkSync(circle, circle);
    const dangling = `the link ${gone} leads to /no/such/place, which is missing; make that, or set ${key} to another.`;
    expect(faultOf({ [key]: gone })).toBe(`${gone} cannot be made: ${dangling}`);
    expect(faultOf({ [key]: join(gone, 'in') })).toBe(`${gone}/in cannot be made: ${dangling}`);
    for (const path of [circle, join(circle, 'in')])
      expect(faultOf({ [key]: path })).toBe(
        `${path} cannot be used: its links lead round in a circle; set ${key} to another.`,
      );
    const long = join(bench.dataDir(), 'x'.repeat(256));
    expect(faultOf({ [key]: long })).toBe(
      `${long} cannot be used: its name is too long for the file system; set ${key} to another.`,
    );
  },
);

test('a pipe or device as OTP_FILE is refused, a link to a file is not', () => {
  const inFolder = (name: string): string => join(bench.dataDir(), name);
  const [pipe, file, link] = [inFolder('pipe'), inFolder('file'), inFolder('link')];
  const special = 'is a device, pipe or socket; name an ordinary file in OTP_FILE.';
  execFileSync('mkfifo', [pipe]);
  for (const path of [pipe, '/dev/null']) expect(faultOf({ OTP_FILE: path })).toBe(`${path} ${special}`);
  expect(faultOf({ OTP_FILE: file })).toBe(null);
  expect(readdirSync(bench.dataDir())).toEqual(['pipe']);
  writeFileSync(file, 'a code\n');
  symlinkSync(file, link);
  expect(faultOf({ OTP_FILE: link })).toBe(null);
  expect(readFileSync(file, 'utf8')).toBe('a code\n');
});

test.runIf(process.platform === 'linux')('folders that cannot be made in /proc end the start', async () => {
  expect(faultOf({ OTP_FILE: '/proc/codes' })).toMatch(/^\/proc\/codes cannot be /);
  const { code, stderr } = await bench.launch({ DATA_DIR: '/proc/ahwa/data' }).ended;
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^ahwa: \/proc\/ahwa\/data cannot be made.*\n$/)]);
  // Commands do not judge paths first.
  const long = join(bench.dataDir(), 'x'.repeat(256));
  await expect(startEmbeddedPostgres({ dataDir: long })).rejects.toThrow(
    `${long} cannot be made (ENAMETOOLONG); set DATA_DIR to another folder.`,
  );
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
