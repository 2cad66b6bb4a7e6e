/** The staff side: a separate API document, and no cross-origin access (Decisions 12, 15). */
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusalsOf, type Endpoint } from '../../src/platform/contract/endpoint.ts';
import { endpoints, staffEndpoints } from '../../src/service/contract/endpoints.ts';
import { REFUSALS } from '../../src/kernel/refusal.ts';
import { permissionsOf } from '../../src/kernel/permission.ts';
import { openBoard } from '../support/server/board-client.ts';
import { branchId, shopId } from '../support/shops/cafe.ts';
import { aStaffedWorld, change, emailOf, type SignedIn, signInAs } from '../support/people/staff.ts';
import { placed } from '../support/people/guests.ts';
import { post } from '../support/server/requests.ts';
import type { World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

let world: World;
let owner: SignedIn;
beforeAll(async () => {
  world = await aStaffedWorld();
  owner = await signInAs(world, 'owner');
});
afterAll(() => world.close());

interface Operation {
  readonly operationId: string;
  readonly security?: readonly Record<string, unknown>[];
  readonly parameters?: readonly object[];
  readonly responses: Record<
    string,
    { readonly content?: Record<string, { schema: object; examples?: Record<string, { value: unknown }> }> }
  >;
}
interface Document {
  readonly info: { readonly title: string };
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly securitySchemes?: object };
}

const documentAt = async (address: string): Promise<Document> => {
  const reply = await world.get(address);
  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  return reply.body as Document;
};

const idsIn = ({ paths }: Document): string[] =>
  Object.values(paths)
    .flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
    .toSorted();

const table: readonly Endpoint[] = Object.values(staffEndpoints);

describe('the OpenAPI document of the staff side', () => {
  test('is valid OpenAPI 3.1', async () => {
    const document = await documentAt('/openapi-staff.json');
    const result = await new Validator().validate(
      structuredClone(document) as object as Record<string, unknown>,
    );
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
    expect(document.info.title).toBe('Ahwa staff API');
  });

  test('has every staff operation and no public one; the public document has no staff operation', async () => {
    const staff = await documentAt('/openapi-staff.json');
    const open = await documentAt('/openapi.json');
    expect(idsIn(staff)).toEqual(Object.keys(staffEndpoints).toSorted());
    expect(idsIn(open)).toEqual(Object.keys(endpoints).toSorted());
    const addresses = table.map(({ method, path }) => `${method.toLowerCase()} ${path}`);
    const published = Object.entries(staff.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(published.toSorted()).toEqual(addresses.toSorted());
    expect(JSON.stringify(open)).not.toContain('/staff/');
  });

  test('declares the token that each operation takes', async () => {
    const { paths, components } = await documentAt('/openapi-staff.json');
    for (const { id, path, method, access } of table) {
      const { security } = paths[path]?.[method.toLowerCase()] ?? {};
      const by = access?.by ?? 'anyone';
      const orCookie = by === 'staff' ? [{ staffCookie: [] }] : [];
      expect(security, id).toEqual(by === 'anyone' ? [] : [{ [by]: [] }, ...orCookie]);
    }
    expect(Object.keys(components.securitySchemes ?? {}).toSorted()).toEqual([
      'device',
      'staff',
      'staffCookie',
    ]);
  });

  test('has an example of every refusal; every example matches its schema', async () => {
    const document = await documentAt('/openapi-staff.json');
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addSchema({ ...document, $id: 'https://openapi.test/staff' });
    // One object per text, so that each schema is compiled once.
    const made = new Map<string, object>();
    const absolute = (schema: object): object => {
      const text = JSON.stringify(schema).replaceAll('"#/', '"https://openapi.test/staff#/');
      const known = made.get(text) ?? (JSON.parse(text) as object);
      made.set(text, known);
      return known;
    };
    for (const endpoint of table) {
      const responses = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()]?.responses ?? {};
      for (const name of refusalsOf(endpoint))
        expect(
          responses[REFUSALS[name].status]?.content?.['application/json']?.examples,
          `${endpoint.id} ${name}`,
        ).toHaveProperty(name);
      for (const [status, { content }] of Object.entries(responses))
        for (const { schema, examples } of Object.values(content ?? {}))
          for (const [name, { value }] of Object.entries(examples ?? {}))
            expect(
              ajv.validate(absolute(schema), value),
              `${endpoint.id} ${status} ${name}: ${ajv.errorsText()}`,
            ).toBe(true);
    }
  });

  test('the sign-in examples have exactly the permissions of their role', () => {
    for (const { example, permissions } of [
      { example: staffEndpoints.staffSignIn.examples['an owner'], permissions: permissionsOf('owner') },
      { example: staffEndpoints.pinSignIn.examples['a teller'], permissions: permissionsOf('teller') },
    ])
      expect(example).toMatchObject({ reply: { permissions } });
  });

  test('declares default and maximum of the limit parameter of lists', async () => {
    const { paths } = await documentAt('/openapi-staff.json');
    for (const path of ['/staff/orders', '/staff/audit'])
      expect(paths[path]?.['get']?.parameters).toContainEqual(
        expect.objectContaining({
          name: 'limit',
          description: 'At most so many; 200 when left out.',
          schema: expect.objectContaining({ minimum: 1, maximum: 200 }) as object,
        }),
      );
  });

  test('request bodies allow no additional properties', () => {
    for (const { id, body } of table)
      if (body) expect(body, id).toHaveProperty('additionalProperties', false);
  });
});

describe('cross-origin requests', () => {
  const PAGE = { origin: 'https://elsewhere.example' };
  const permission = ({ headers }: Reply): string[] =>
    Object.keys(headers).filter((name) => name.startsWith('access-control-'));

  test('an answer of the staff side has no CORS headers, whatever the status', async () => {
    const { id } = await placed(world);
    const lines = { ...owner, ...PAGE };
    const json = { 'content-type': 'application/json', ...PAGE };
    const replies = [
      await world.get(`/staff/orders?branch_id=${branchId()}`, lines),
      await world.get(`/staff/orders/${id}`, lines),
      await world.send('HEAD', `/staff/orders/${id}`, lines),
      await world.get(`/staff/orders/${id}`, PAGE),
      await world.get('/staff/orders', lines),
      await world.get('/staff/nothing', lines),
      await world.get('/%73taff/nothing', lines),
      await world.send('DELETE', `/staff/orders/${id}`, lines),
      await world.send('POST', '/staff/sign-in', json, '{'),
      await world.send('POST', '/staff/sign-in', { ...json, 'content-encoding': 'gzip' }, 'x'),
      await post(world, '/staff/sign-in', { email: emailOf('owner'), password: 'not the password' }, PAGE),
      await change(world, lines, id, 'move', { to: 'confirmed', from: 'received' }),
      await change(world, lines, id, 'move', { to: 'ready', from: 'received' }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([
      200, 200, 200, 401, 400, 404, 404, 405, 400, 415, 401, 200, 409,
    ]);
    for (const reply of replies) {
      expect(permission(reply)).toEqual([]);
      expect(reply.headers['x-content-type-options']).toBe('nosniff');
      expect(reply.headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    }
    const board = await openBoard(world.port, `/staff/events?branch_id=${branchId()}`, lines);
    expect(permission({ headers: board.headers } as Reply)).toEqual([]);
    board.close();
    await board.ended;
  });

  test('a preflight of the staff side gets no CORS headers', async () => {
    const asks = {
      ...PAGE,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    const refused = await world.send('OPTIONS', '/staff/sign-in', asks);
    expect(refused.status).toBe(204);
    expect(permission(refused)).toEqual([]);
    expect(refused.headers.allow).toBe('POST');
    const open = await world.send('OPTIONS', '/public/delivery-orders', asks);
    expect(open.headers['access-control-allow-origin']).toBe('*');
    expect(open.headers['access-control-allow-headers']).not.toContain('authorization');
  });

  test('public operations and both OpenAPI documents have CORS headers', async () => {
    for (const address of [
      `/public/branches?org_id=${shopId()}`,
      '/openapi-staff.json',
      '/openapi.json',
      '/nothing',
    ])
      expect((await world.get(address, PAGE)).headers['access-control-allow-origin'], address).toBe('*');
  });
});
