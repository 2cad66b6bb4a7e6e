/** The server in the image runs without the files that the image excludes. */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BESIDE } from '../../scripts/build.mjs';
import { httpRequest } from '../support/server/http-client.ts';
import { freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { eventually, urlOf } from '../support/programs/program.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const leftOut = (/ rm -rf (.+)$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))?.[1] ?? '').split(' ');

let image: string;
let database: TestDatabase;
beforeEach(async () => {
  image = mkdtempSync(join(tmpdir(), 'ahwa-image-'));
  database = await freshDatabase();
  for (const name of readdirSync(ROOT).filter((entry) => !leftOut.includes(entry) && entry !== 'dist'))
    symlinkSync(join(ROOT, name), join(image, name));
  cpSync(join(ROOT, 'dist'), join(image, 'dist'), { recursive: true });
});
afterEach(async () => {
  await database.release();
  rmSync(image, { recursive: true, force: true });
});

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });

test('the bundle requires the packages beside it when it needs them, since a script may not import', () => {
  const file = join(image, 'dist/main.cjs');
  const bundle = readFileSync(file, 'utf8');
  for (const name of BESIDE) {
    expect(Object.keys(createRequire(file)(name) as object).length, name).toBeGreaterThan(0);
    expect(bundle.includes(`require("${name}")`), name).toBe(true);
    expect(bundle.includes(`import("${name}")`), name).toBe(false);
  }
});

/** `use` asks the server of the image at its port, once it is ready. */
const whileServing = async (use: (port: number) => Promise<void>): Promise<void> => {
  const port = await freePort();
  const child = spawn(process.execPath, [join(image, 'dist/main.js')], {
    cwd: image,
    env: {
      ...{ PATH: process.env['PATH'], NODE_ENV: 'production', PORT: String(port), METRICS_PORT: 'off' },
      ...{
        DATABASE_URL: urlOf(database.connection),
        SECRET_KEY: 'k'.repeat(32),
        DATA_DIR: join(image, 'home'),
      },
    },
    stdio: 'ignore',
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  try {
    const status = await eventually(async () => {
      if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
      return httpRequest(port, '/ready').then(
        (reply) => reply.status,
        () => null,
      );
    }, 'the server to answer');
    expect(status).toBe(200);
    await use(port);
  } finally {
    child.kill('SIGTERM');
  }
  expect(await ended).toBe(0);
};

test('a production server without sources, tests and tools becomes ready', async () => {
  expect(leftOut.length).toBeGreaterThan(3);
  await whileServing(() => Promise.resolve());
});

test('a server has the scripts and styles of a build that is made while it runs, and nothing else of its folder', async () => {
  await whileServing(async (port) => {
    const ask = (path: string) => httpRequest(port, `/assets/${path}`);
    expect((await ask('base-NEWBUILD.css')).status).toBe(404);
    writeFileSync(join(image, 'dist/web/base-NEWBUILD.css'), 'a { color: red }');
    expect(await ask('base-NEWBUILD.css')).toMatchObject({
      ...{ status: 200, text: 'a { color: red }' },
      headers: {
        'content-type': 'text/css; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
      },
    });
    for (const other of ['manifest.json', '..%2Fmain.js', '..%2F..%2Fa-NEWBUILD.css'])
      expect((await ask(other)).status, other).toBe(404);
  });
});
