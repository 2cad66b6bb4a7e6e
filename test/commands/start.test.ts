/** `npm start` and `npm test`, with real npm on a small checkout. */
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
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
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const asRoot = process.getuid?.() === 0;

/** Reports that it runs and how it was stopped; stopping takes a moment, as with requests in flight. */
const PROGRAM = `
import { appendFileSync } from 'node:fs';
const report = (line: string): void => appendFileSync('reports', line + '\\n');
const exitCode = process.argv[2];
if (exitCode !== undefined) process.exit(Number(exitCode));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    report(signal);
    setTimeout(() => { report('stopped'); process.exit(0); }, 300);
  });
}
report('up ' + process.pid);
setInterval(() => undefined, 1000);
`;

let checkout: string;
let children: ChildProcess[];

const file = (name: string, text: string | Buffer): void => writeFileSync(join(checkout, name), text);

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

const IS_REJECTED = `
  const cachedData = fs.readFileSync('code');
  console.log(new vm.Script(fs.readFileSync('dist/main.cjs', 'utf8'), { cachedData }).cachedDataRejected);
`;
/** Of a program that ends with 8 whatever it is told. */
const COMPILE_ANOTHER = `
  const source = fs.readFileSync('dist/main.cjs', 'utf8').replace('Number(exitCode)', '8'.padEnd(16));
  fs.writeFileSync('code', new vm.Script(source).createCachedData());
`;
const evaluate = (script: string): string =>
  execFileSync(process.execPath, ['--eval', script], { cwd: checkout, encoding: 'utf8' });

/** What `dist/main.code` begins with, and the code. */
const compiledCode = (): { readonly head: string; readonly code: Buffer } => {
  const whole = readFileSync(join(checkout, 'dist', 'main.code'));
  const end = whole.indexOf('\n') + 1;
  return { head: whole.toString('latin1', 0, end), code: whole.subarray(whole.indexOf('\n', end) + 1) };
};
const fileOf = (head: string, code: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${head}${crc32(code).toString(16).padStart(8, '0')}\n`), code]);

const reports = (): string[] =>
  existsSync(join(checkout, 'reports'))
    ? readFileSync(join(checkout, 'reports'), 'utf8').trim().split('\n')
    : [];

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await pause(20);
};

const started = async (): Promise<Run> => {
  const run = npm('start');
  await until(() => reports().length > 0);
  return run;
};

describe('npm start', () => {
  test('builds only when a source has changed, and removes stale output', async () => {
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

  test('the build has the compiled code of its bundle, and other or damaged code is left aside', async () => {
    expect(await npm('run', 'build').code).toBe(0);
    const { head, code } = compiledCode();
    // V8 leaves aside what was compiled with other flags than those of the process that asks.
    file('code', code);
    expect(evaluate(IS_REJECTED)).toBe('false\n');
    evaluate(COMPILE_ANOTHER);
    const another = readFileSync(join(checkout, 'code'));
    const damaged = Buffer.from(code).fill(0, code.length / 2, code.length / 2 + 64);
    const ends: (number | null)[] = [];
    for (const aside of [
      fileOf(head, another),
      fileOf(head.replace(/.\n$/, '?\n'), another),
      Buffer.concat([fileOf(head, code).subarray(0, -code.length), damaged]),
      fileOf(head, code).subarray(0, 1000),
      Buffer.alloc(0),
    ]) {
      file('dist/main.code', aside);
      ends.push(await npm('start', '--', '7').code);
    }
    // V8 itself runs the code of another program of the same length.
    expect(ends).toEqual([8, 7, 7, 7, 7]);
  });

  test('a build keeps the styles of the build before, which its pages and servers still ask for', async () => {
    mkdirSync(join(checkout, 'src/doors/web/styles'), { recursive: true });
    const stylesAfter = async (color: string): Promise<readonly string[]> => {
      file('src/doors/web/styles/base.css', `a { color: ${color} }`);
      expect(await npm('run', 'build').code).toBe(0);
      return readdirSync(join(checkout, 'dist/web')).filter((name) => name.endsWith('.css'));
    };
    const [red] = await stylesAfter('red');
    const two = await stylesAfter('green');
    expect(two).toHaveLength(2);
    expect(two).toContain(red);
    const [, third] = [await stylesAfter('green'), await stylesAfter('blue')];
    expect(third).toHaveLength(2);
    expect(third).not.toContain(red);
  });

  test('concurrent commands build once', async () => {
    const runs = [npm('start', '--', '0'), npm('run', 'build'), npm('run', 'build')];
    expect(await Promise.all(runs.map(({ code }) => code))).toEqual([0, 0, 0]);
    expect(runs.filter(({ output }) => output().includes('ahwa: building'))).toHaveLength(1);
  });

  test('builds again after a killed build', async () => {
    const killed = npm('start');
    await until(() => killed.output().includes('ahwa: building'));
    if (killed.child.pid !== undefined) process.kill(-killed.child.pid, 'SIGKILL');
    await killed.code;
    expect(await npm('start', '--', '0').code).toBe(0);
  });

  test('a source with a syntax error ends with a message', async () => {
    file('src/main.ts', 'export const = 1;\n');
    const run = npm('start');
    expect(await run.code).not.toBe(0);
    expect(run.output()).toContain('ahwa: the build failed');
  });

  test('a read-only checkout is refused with advice (as root: starts)', async () => {
    chmodSync(checkout, 0o555);
    const run = npm('start', '--', '0');
    expect(await run.code).toBe(asRoot ? 0 : 1);
    expect(run.output().includes('cannot be written; run "npm ci')).toBe(!asRoot);
    chmodSync(checkout, 0o755);
  });
});

test('the packages of the tests are required by typecheck, not by start', async () => {
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

test('a failed installation of the test packages is reported in one sentence', async () => {
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

describe('stopping npm start', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s to npm stops the program once, and npm waits for its end',
    async (signal) => {
      const run = await started();
      run.child.kill(signal);
      expect(await run.code).toBe(0);
      expect(reports().slice(1)).toEqual([signal, 'stopped']);
    },
  );

  test('Ctrl-C to npm and all its children stops the program once', async () => {
    const run = await started();
    if (run.child.pid !== undefined) process.kill(-run.child.pid, 'SIGINT');
    expect(await run.code).toBe(0);
    expect(reports().slice(1)).toEqual(['SIGINT', 'stopped']);
  });

  test('the program stops when npm is killed', async () => {
    const run = await started();
    run.child.kill('SIGKILL');
    await until(() => reports().includes('stopped'));
    expect(reports().slice(1)).toEqual(['SIGTERM', 'stopped']);
  });
});

test('an unknown command lists the known commands', async () => {
  const child = spawn(process.execPath, ['scripts/run.mjs', 'toString'], {
    cwd: checkout,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  expect((await once(child, 'close'))[0]).toBe(1);
  expect(text).toMatch(/^ahwa: usage: .*start\|test\|test:outside\|test:ha\|test:citus\|bench/);
});

test('a Node.js version below the minimum does not fit', async () => {
  const { fits } = (await import(join(ROOT, 'scripts', 'checkout.mjs'))) as {
    fits: (found: string, floor: string) => boolean;
  };
  const verdicts = ['v20.19.0', 'v20.20.2', 'v22.0.0', 'v24.1.0', 'v20.18.9', 'v18.20.0', 'v8.0.0'].map(
    (found) => fits(found, '>=20.19'),
  );
  expect(verdicts).toEqual([true, true, true, true, false, false, false]);
});

test('bin/ahwa.js of an unbuilt checkout says how to build it', async () => {
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
