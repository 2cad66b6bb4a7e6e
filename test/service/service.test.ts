/** Service data, /health, and public reads without an account. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShopForReads, type Operation } from '../support/operations/public-reads.ts';
import { makeWorld, PUBLIC_ADDRESS, type World } from '../support/server/world.ts';

interface Document {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
}

let world: World;
let operations: readonly Operation[];
let document: Document;

beforeAll(async () => {
  world = await makeWorld();
  operations = await openShopForReads(world);
  document = (await world.get('/openapi.json')).body as Document;
});
afterAll(() => world.close());

test('GET / returns the service’s name, contact and documents at its public address', async () => {
  const about = await world.read('about', '/');
  expect(about).toMatchObject({
    name: 'Ahwa',
    contact: 'hello@ahwa.example',
    openapi: `${PUBLIC_ADDRESS}/openapi.json`,
  });
  for (const address of [about.openapi, about.docs])
    expect((await world.get(address.slice(PUBLIC_ADDRESS.length))).status).toBe(200);
});

test('/health is up and /ready is ready while the database answers', async () => {
  expect(await world.read('health', '/health')).toEqual({ status: 'up' });
  expect(await world.read('ready', '/ready')).toEqual({ status: 'ready' });
});

test('/openapi.json is OpenAPI 3.1 with every public read, its summary and its statuses', () => {
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(document.servers).toEqual([{ url: PUBLIC_ADDRESS }]);
  for (const { endpoint } of operations) {
    const operation = document.paths[endpoint.path]?.['get'];
    expect(operation?.['operationId']).toBe(endpoint.id);
    expect(operation?.['summary']).toBe(endpoint.summary);
    const statuses = Object.keys(operation?.['responses'] as object);
    const takesInput = Object.keys({ ...endpoint.params, ...endpoint.query }).length > 0;
    expect(statuses).toEqual(
      expect.arrayContaining(['200', '500', ...(takesInput ? ['400', '404', '414', '429', '503'] : [])]),
    );
  }
});

test('no path has a version, and no public operation needs more than proof of a phone', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    expect(path).not.toMatch(/\/v\d/);
    for (const { security = [] } of Object.values(methods) as { security?: readonly object[] }[])
      expect(security.flatMap(Object.keys).filter((scheme) => scheme !== 'deviceToken')).toEqual([]);
  }
});

test('a key, cookie or token sent to a public read has no effect', async () => {
  const carried = { authorization: 'Bearer x', cookie: 'session=x', 'x-api-key': 'x', 'x-device-token': 'x' };
  for (const { address } of operations) {
    const [withCredentials, without] = [await world.get(address, carried), await world.get(address)];
    expect([address, withCredentials.status, withCredentials.text]).toEqual([address, 200, without.text]);
    expect(withCredentials.headers).not.toHaveProperty('set-cookie');
    expect(withCredentials.headers).not.toHaveProperty('www-authenticate');
  }
});

test('every answer has its own request id, never the client’s', async () => {
  const ids: unknown[] = [];
  for (const { address } of operations)
    for (const { headers } of [
      await world.get(address),
      await world.get(`${address}/nowhere`, { 'x-request-id': 'mine' }),
    ])
      ids.push(headers['x-request-id']);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).not.toContain('mine');
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}-[0-9a-z]+$/);
});
