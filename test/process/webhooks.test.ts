/** A webhook is tried out on one machine, as docs/webhooks.md describes it, with the program as it is built. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { aBranch, aMenu, aShopFile, shopId, SLUG } from '../support/shops/cafe.ts';
import { useProgram } from '../support/programs/program.ts';

const bench = useProgram('test', 'shared');
const RECEIVER = 'examples/receive-webhook.mjs';

let receiver: ChildProcess | null = null;
afterEach(() => receiver?.kill());

const importCafe = async (): Promise<void> => {
  const cafe = aShopFile({ branches: [aBranch({})], menu: aMenu() });
  const { code } = await bench.ahwa(['import', '-'], {}, JSON.stringify(cafe));
  expect(code).toBe(0);
};

/** Its port, and the lines that follow. */
const startReceiver = async (secret: string, port: string) => {
  const started = spawn(process.execPath, [RECEIVER], {
    env: { WEBHOOK_SECRET: secret, PORT: port },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  receiver = started;
  const lines = createInterface(started.stdout)[Symbol.asyncIterator]();
  const first = await lines.next();
  return { port: String(first.value), next: async () => String((await lines.next()).value) };
};

const stopReceiver = async (): Promise<void> => {
  if (receiver === null) return;
  receiver.kill();
  await once(receiver, 'exit');
};

test('a test event reaches the receiver of the docs on this machine, also under CLOCK_START', async () => {
  await importCafe();
  const settings = { WEBHOOK_ALLOW: '127.0.0.1', CLOCK_START: '2020-01-01T00:00:00Z' };
  // A free port: the receiver takes one before it has its secret.
  const { port } = await startReceiver('whsec_AAAA', '0');
  await stopReceiver();
  const url = `http://127.0.0.1:${port}/`;
  const added = await bench.ahwa(['webhook', 'add', SLUG, url], settings);
  const [secret = ''] = /whsec_\S+/.exec(added.stdout) ?? [];

  const silent = await bench.ahwa(['webhook', 'test', SLUG], settings);
  expect(silent.code).toBe(1);
  expect(silent.stdout).toMatch(/status none, \d+ ms, not delivered: .*nothing listens at its port/);

  const { next } = await startReceiver(secret, port);
  const line = next();
  const { code, stdout } = await bench.ahwa(['webhook', 'test', SLUG], settings);
  expect(stdout).toMatch(/^\S+ http:\/\/127\.0\.0\.1:\d+\/, status 204, \d+ ms, delivered: answered 204\n$/);
  expect(code).toBe(0);
  expect(JSON.parse(await line)).toMatchObject({
    ...{ type: 'webhook.test', timestamp: expect.stringMatching(/^2020-01-01T/) as string },
    data: { org_id: shopId() },
  });
  const listed = await bench.ahwa(['webhook', 'list', SLUG], settings);
  expect(listed.stdout).toMatch(/, last try 2020-01-01T\S+Z: answered 204\n$/);
  await stopReceiver();

  await startReceiver('whsec_b3RoZXI=', port);
  const refused = await bench.ahwa(['webhook', 'test', SLUG], settings);
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('status 400')]);
});

test('without WEBHOOK_ALLOW an address on this machine is refused when it is added and when it is tried', async () => {
  await importCafe();
  const url = 'http://127.0.0.1:8787/';
  const { code, stderr } = await bench.ahwa(['webhook', 'add', SLUG, url]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('must begin with https://')]);
  await bench.ahwa(['webhook', 'add', SLUG, url], { WEBHOOK_ALLOW: '127.0.0.1:8787' });
  const tried = await bench.ahwa(['webhook', 'test', SLUG]);
  expect([tried.code, tried.stdout]).toEqual([
    1,
    expect.stringContaining(
      'not delivered: http is permitted only for hosts in WEBHOOK_ALLOW, which has none here',
    ),
  ]);
});

test('the receiver without its secret says so and ends with 2', () => {
  const { status, stderr } = spawnSync(process.execPath, [RECEIVER], { env: {}, encoding: 'utf8' });
  expect([status, stderr]).toEqual([
    2,
    'WEBHOOK_SECRET is missing: it is the secret that `ahwa webhook add` prints.\n',
  ]);
});

test('the receiver on the page is the example', () => {
  const page = readFileSync('docs/webhooks.md', 'utf8');
  expect(page).toContain(readFileSync(RECEIVER, 'utf8'));
});
