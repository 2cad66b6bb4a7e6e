/** `npm start` and `npm test`, with real npm on a small checkout. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const asRoot = process.getuid?.() === 0;

/** Reports that it runs and how it was stopped; stopping takes a moment, as with requests in flight. */
const PROGRAM = `
import { appendFileSync } from 'node:fs';
const say = (line: string): void => appendFileSync('said', line + '\\n');
const asked = process.argv[2];
if (asked !== undefined) process.exit(Number(asked));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    say(signal);
    setTimeout(() => { say('stopped'); process.exit(0); }, 300);
  });
}
say('up ' + process.pid);
setInterval(() => undefined, 1000);
`;

let checkout: string;
let children: ChildProcess[];

const file = (name: string, text: string): void => writeFileSync(join(checkout, name), text);

beforeEach(() => {
  children = [];
  checkout = mkdtempSync(join(tmpdir(), 'ahwa-checkout-'));
  chmodSync(checkout, 0o755);
  for (const name of ['scripts', 'package.json', 'tsconfig.json']) {
    cpSync(join(ROOT, name), join(checkout, name), { recursive: true });
  }
  file('package-lock.json', JSON.stringify({ packages: { '': {} } }));
  mkdirSync(join(checkout, 'node_modules'));
  for (const name of ['esbuild', '@esbuild'])
    symlinkSync(join(ROOT, 'node_modules', name), join(checkout, 'node_modules', name));
  file('node_modules/.package-lock.json', JSON.stringify({ packages: {} }));
  mkdirSync(join(checkout, 'src'));
  file('src/main.ts', PROGRAM);
});

afterEach(() => {
  for (const child of children)
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
      process.kill(-child.pid, 'SIGKILL');
  rmSync(checkout, { recursive: true, force: true });
});

interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Exit code, or null when a signal ended npm. */
  readonly code: Promise<number | null>;
}

const npm = (...args: string[]): Run => {
  const child = spawn('npm', args, { cwd: checkout, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, output: () => text, code: once(child, 'close').then(([code]) => code as number | null) };
};

const said = (): string[] =>
  existsSync(join(checkout, 'said')) ? readFileSync(join(checkout, 'said'), 'utf8').trim().split('\n') : [];

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await pause(20);
};

const started = async (): Promise<Run> => {
  const run = npm('start');
  await until(() => said().length > 0);
  return run;
};

describe('npm start', () => {
  test('builds once, again only when a source has changed, and drops what belongs to none', async () => {
    const first = npm('start', '--', '0');
    expect(await first.code).toBe(0);
    expect(first.output()).toContain('ahwa: building');
    file('dist/gone.js', '');
    const built = statSync(join(checkout, 'dist', 'main.js')).mtimeMs;
    const second = npm('start', '--', '0');
    expect(await second.code).toBe(0);
    expect(second.output()).not.toContain('building');
    expect(statSync(join(checkout, 'dist', 'main.js')).mtimeMs).toBe(built);
    file('src/more.ts', 'export const more = 1;\n');
    expect(await npm('start', '--', '0').code).toBe(0);
    expect(existsSync(join(checkout, 'dist', 'gone.js'))).toBe(false);
  });

  test('ends with the exit code of the program', async () => {
    expect(await npm('start', '--', '7').code).toBe(7);
  });

  test('and another command at the same moment build one after the other', async () => {
    const runs = [npm('start', '--', '0'), npm('run', 'build'), npm('run', 'build')];
    expect(await Promise.all(runs.map(({ code }) => code))).toEqual([0, 0, 0]);
    expect(runs.filter(({ output }) => output().includes('ahwa: building'))).toHaveLength(1);
  });

  test('builds again after a build that was killed in the middle', async () => {
    const killed = npm('start');
    await until(() => killed.output().includes('ahwa: building'));
    if (killed.child.pid !== undefined) process.kill(-killed.child.pid, 'SIGKILL');
    await killed.code;
    expect(await npm('start', '--', '0').code).toBe(0);
  });

  test('stops with a sentence when a source cannot be read', async () => {
    file('src/main.ts', 'export const = 1;\n');
    const run = npm('start');
    expect(await run.code).not.toBe(0);
    expect(run.output()).toContain('ahwa: the build failed');
  });

  test('in a checkout that cannot be written says what to do (as root, who can write it, it starts)', async () => {
    chmodSync(checkout, 0o555);
    const run = npm('start', '--', '0');
    expect(await run.code).toBe(asRoot ? 0 : 1);
    expect(run.output().includes('cannot be written; run "npm ci')).toBe(!asRoot);
    chmodSync(checkout, 0o755);
  });
});

test('the packages of the tests are asked for by what reads the tests, not to start', async () => {
  mkdirSync(join(checkout, 'test', 'node_modules'), { recursive: true });
  file('test/package-lock.json', JSON.stringify({ packages: { '': {} } }));
  // As after a manual `npm ci`.
  file('test/node_modules/.package-lock.json', JSON.stringify({ packages: {} }));
  const stamp = join(checkout, 'test', 'node_modules', '.ahwa-installed');
  expect(await npm('start', '--', '0').code).toBe(0);
  expect(existsSync(stamp)).toBe(false);
  // This checkout has no compiler: reported after the packages are installed.
  const run = npm('run', 'typecheck');
  expect(await run.code).not.toBe(0);
  expect([existsSync(stamp), run.output().includes('installing')]).toEqual([true, false]);
});

test('packages of the tests that cannot be installed are told of in a sentence', async () => {
  mkdirSync(join(checkout, 'test'));
  file('test/package.json', JSON.stringify({ dependencies: { missing: 'file:missing.tgz' } }));
  const missing = { version: 'file:missing.tgz', resolved: 'file:missing.tgz' };
  file(
    'test/package-lock.json',
    JSON.stringify({
      lockfileVersion: 3,
      packages: { '': { dependencies: { missing: 'file:missing.tgz' } }, 'node_modules/missing': missing },
    }),
  );
  const run = npm('run', 'typecheck');
  expect(await run.code).not.toBe(0);
  expect(run.output()).toContain(
    'ahwa: the packages of the tests could not be installed: "npm ci" ended with code',
  );
});

describe('stopping', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s to npm stops the program in order, once, and npm waits for it',
    async (signal) => {
      const run = await started();
      run.child.kill(signal);
      expect(await run.code).toBe(0);
      expect(said().slice(1)).toEqual([signal, 'stopped']);
    },
  );

  test('Ctrl-C, which reaches npm and all its children, stops it once', async () => {
    const run = await started();
    if (run.child.pid !== undefined) process.kill(-run.child.pid, 'SIGINT');
    expect(await run.code).toBe(0);
    expect(said().slice(1)).toEqual(['SIGINT', 'stopped']);
  });

  test('a killed npm does not leave the program behind', async () => {
    const run = await started();
    run.child.kill('SIGKILL');
    await until(() => said().includes('stopped'));
    expect(said().slice(1)).toEqual(['SIGTERM', 'stopped']);
  });
});

test('a command that does not exist is answered with those that do', async () => {
  const child = spawn(process.execPath, ['scripts/run.mjs', 'toString'], {
    cwd: checkout,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  expect((await once(child, 'close'))[0]).toBe(1);
  expect(text).toMatch(/^ahwa: usage: .*start\|test\|test:outside\|bench/);
});

test('a Node that is too old is told so', async () => {
  const { fits } = (await import(join(ROOT, 'scripts', 'checkout.mjs'))) as {
    fits: (found: string, floor: string) => boolean;
  };
  const verdicts = ['v20.19.0', 'v20.20.2', 'v22.0.0', 'v24.1.0', 'v20.18.9', 'v18.20.0', 'v8.0.0'].map(
    (found) => fits(found, '>=20.19'),
  );
  expect(verdicts).toEqual([true, true, true, true, false, false, false]);
});

test('the ahwa program of a checkout that is not built says what to do', async () => {
  cpSync(join(ROOT, 'bin'), join(checkout, 'bin'), { recursive: true });
  const child = spawn(process.execPath, ['bin/ahwa.js', '--help'], {
    cwd: checkout,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  expect((await once(child, 'close'))[0]).toBe(1);
  expect(text).toContain('not built yet; run "npm run build"');
});
