/** The first start in an empty folder gives a server with demo shops. */
import { expect, test } from 'vitest';
import { httpRequest } from '../support/server/http-client.ts';
import { useProgram } from '../support/programs/program.ts';
import type { Program, Server } from '../support/programs/program.ts';

const bench = useProgram('test', 'new');
const WITH_DEMO = { DEMO: 'true' };

/** All URLs in a text, in order. */
const addressesIn = (text: string): string[] => text.match(/http:\/\/\S+/g) ?? [];
const placesIn = (text: string): string[] => addressesIn(text).filter((at) => at.includes('/public/'));
const pathOf = (address: string): string => address.replace(/^http:\/\/[^/]+/, '') || '/';

const loadedDemo = (program: Program): boolean => program.stderr().includes('demo shops:');

const stop = async (server: Server): Promise<void> => {
  server.signal('SIGTERM');
  expect((await server.ended).code).toBe(0);
};

/** When the orders at these paths were placed. */
const placedAt = (server: Server, paths: readonly string[]): Promise<number[]> =>
  Promise.all(
    paths.map(async (path) =>
      Date.parse(((await server.get(path)).body as { created_at: string }).created_at),
    ),
  );

const checkPrintedUrls = async (server: Server): Promise<void> => {
  const addresses = addressesIn(server.stdout());
  for (const address of addresses) {
    expect(address).toMatch(`http://localhost:${server.port}`);
    expect([address, (await server.get(pathOf(address))).status]).toEqual([address, 200]);
  }
  for (const kind of ['orgs/links?slug=', 'branches?org_id=', '/menu', '/t/', '/track/'])
    expect(addresses.filter((at) => at.includes(kind)).length).toBeGreaterThanOrEqual(3);
};

/** Signs in as the printed owners. */
const signInAsPrinted = async (server: Server): Promise<void> => {
  const owners = [...server.stdout().matchAll(/(owner@\S+) {2}password (\S+);/g)];
  expect(owners.length).toBeGreaterThanOrEqual(3);
  for (const [, email, password] of owners) {
    const { status, body } = await httpRequest(server.port, '/staff/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    expect([email, status]).toEqual([email, 200]);
    expect((body as { permissions: string[] }).permissions).toContain('orders.read');
  }
  expect(server.stdout()).toContain('PIN 2468');
};

test('the first start loads the demo shops and prints their URLs; the next start redates their orders', async () => {
  const first = await bench.serve(WITH_DEMO);
  expect(loadedDemo(first)).toBe(true);
  expect(first.stdout()).toContain(`Ahwa answers at http://localhost:${first.port}\n`);
  await checkPrintedUrls(first);

  const places = placesIn(first.stdout());
  const demo = await bench.ahwa(['demo']);
  expect([demo.code, placesIn(demo.stdout)]).toEqual([0, places]);
  await signInAsPrinted(first);

  const { body } = await first.get('/public/orgs/links?slug=layaly');
  const { items } = body as { items: { kind: string; href: string }[] };
  expect(items.find(({ kind }) => kind === 'book')?.href).toBe(`http://localhost:${first.port}/layaly/book`);

  const orders = places
    .map((place) => pathOf(place))
    .filter((path) => path.startsWith('/track/'))
    .map((path) => `/public/delivery-orders/${path.slice('/track/'.length)}/track`);
  const before = await placedAt(first, orders);
  await stop(first);

  const DAY = 86_400_000;
  const nextDay = new Date(Date.now() + DAY).toISOString();
  const second = await bench.serve({ ...WITH_DEMO, CLOCK_START: nextDay });
  expect(loadedDemo(second)).toBe(false);
  expect(placesIn(second.stdout()).map(pathOf)).toEqual(places.map(pathOf));
  for (const [index, moment] of (await placedAt(second, orders)).entries())
    expect(moment - (before[index] ?? 0)).toBeGreaterThanOrEqual(DAY);
});

test('in production no demo is loaded and only the log is printed', async () => {
  const server = await bench.serve({ NODE_ENV: 'production', DEMO: '' });
  expect(server.stdout().trim().split('\n')).toHaveLength(server.log().length);
});
