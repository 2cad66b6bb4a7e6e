/** Two servers on the same data stay consistent. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { aMenu, aShopFile, branchId } from '../support/shops/cafe.ts';
import { httpRequest } from '../support/server/http-client.ts';
import { freePort } from '../support/programs/free-port.ts';
import { eventually, useProgram, postgresOf, processesOf } from '../support/programs/program.ts';
import type { ProgramFixture, Server } from '../support/programs/program.ts';

const own = useProgram('file', 'embedded');
const shared = useProgram('test', 'shared');

const MENU = `/public/branches/${branchId()}/menu`;

const importShop = async (bench: ProgramFixture, name: string): Promise<void> => {
  const menu = aMenu();
  const [coffee] = menu.items ?? [];
  if (coffee === undefined) throw new Error('the test menu has a coffee');
  const file = aShopFile({ menu: { ...menu, items: [{ ...coffee, name: { ar: name, en: name } }] } });
  const { code, stderr } = await bench.ahwa(['import', '-'], {}, JSON.stringify(file));
  expect([code, stderr]).toEqual([0, expect.anything()]);
};

const coffeeAt = async (server: Server): Promise<string> => {
  const { body } = await server.get(MENU);
  return (body as { items: { name: string }[] }).items.map(({ name }) => name).join();
};

/** Processes poll for changes every 400 ms: one second on an idle machine, several on a busy one. */
const POLLS = 20;
const comesToServe = async (server: Server, name: string): Promise<boolean> => {
  for (let poll = 0; poll < POLLS; poll += 1) {
    if ((await coffeeAt(server)) === name) return true;
    await pause(50);
  }
  return false;
};

test('a taken port ends the start with a message and leaves no PostgreSQL', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const { code, stderr } = await own.launch({ PORT: String(port), HOST: '127.0.0.1' }).ended;
  expect(code).toBe(1);
  expect(stderr.trim().split('\n').at(-1)).toBe(
    `ahwa: 127.0.0.1:${port} is taken by another program; set PORT or HOST to another.`,
  );
  expect(processesOf(own.dataDir())).toEqual([]);
});

test('two servers on one data folder need different ports, and both serve an import', async () => {
  const first = await own.serve();
  await importShop(own, 'قهوة');
  expect(await coffeeAt(first)).toBe('قهوة');
  const postgres = postgresOf(own.dataDir());

  const again = await own.launch({ PORT: String(first.port) }).ended;
  expect([again.code, again.stderr]).toEqual([
    1,
    `ahwa: 0.0.0.0:${first.port} is taken by another program; set PORT or HOST to another.\n`,
  ]);
  expect(postgresOf(own.dataDir())).toBe(postgres);
  expect((await first.get('/ready')).status).toBe(200);

  const second = await own.serve();
  expect(await coffeeAt(second)).toBe('قهوة');
  await importShop(own, 'شاي');
  expect(await Promise.all([first, second].map((server) => comesToServe(server, 'شاي')))).toEqual([
    true,
    true,
  ]);

  first.signal('SIGTERM');
  expect((await first.ended).code).toBe(0);
  expect(postgresOf(own.dataDir())).toBe(postgres);
  expect((await second.get('/ready')).status).toBe(200);
  second.signal('SIGTERM');
  expect((await second.ended).code).toBe(0);
  expect(processesOf(own.dataDir())).toEqual([]);
});

test('two servers on one DATABASE_URL with separate data folders answer alike', async () => {
  const here = await shared.serve({ SECRET_KEY: 'the same key for both of them' });
  const there = await shared.serve({ SECRET_KEY: 'the same key for both of them', DATA_DIR: own.dataDir() });
  await importShop(shared, 'قهوة');
  const addresses = [MENU, '/public/orgs/brand?slug=beit-el-bunn', `${MENU}?channel=pickup&preview=true`];
  for (const address of addresses) {
    const [one, other] = [await here.get(address), await there.get(address)];
    expect([one.status, one.text, one.headers.etag]).toEqual([200, other.text, other.headers.etag]);
  }
  await importShop(shared, 'شاي');
  expect(await Promise.all([here, there].map((server) => comesToServe(server, 'شاي')))).toEqual([true, true]);
});

test('two servers with one secret key share the request limits of a client', async () => {
  const start = async (folder: Record<string, string>) => {
    const port = await freePort();
    const server = await shared.serve({
      // Two requests at once, and one each 30 s.
      ...{ SECRET_KEY: 'the same key for both of them', RATE_LIMIT_SCALE: '0.001' },
      ...{ METRICS_PORT: String(port), ...folder },
    });
    // An unknown address costs one token, however slow the machine is.
    const ask = async () => (await server.get('/public/nowhere')).status;
    const settled = () =>
      eventually(async () => {
        const { text } = await httpRequest(port, '/metrics', {});
        return /^ahwa_limit_clients_settled_total\{limit="general"\} [1-9]/m.test(text) ? text : null;
      }, 'a settling');
    return { ask, settled };
  };
  const [here, there] = [await start({}), await start({ DATA_DIR: own.dataDir() })];
  expect([await here.ask(), await here.ask(), await here.ask()]).toEqual([404, 404, 429]);
  await here.settled();
  expect(await there.ask()).toBe(404);
  expect(await there.settled()).toContain('ahwa_limits_alone 0\n');
  expect(await there.ask()).toBe(429);
});
