/** The OpenAPI document, the reference and the client follow from the endpoint table. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { ApiError, createClient } from '../../src/client/client.ts';
import { operations } from '../../src/client/operations.ts';
import { components } from '../../src/service/contract/components.ts';
import { refusalsOf } from '../../src/platform/contract/endpoint.ts';
import type { Endpoint } from '../../src/platform/contract/endpoint.ts';
import { allEndpoints, endpoints, staffEndpoints } from '../../src/service/contract/endpoints.ts';
import {
  apiReference,
  errorReference,
  openApiDocument,
  staffReference,
} from '../../src/service/contract/openapi-document.ts';
import { CANCEL_REASONS } from '../../src/orders/domain/order.ts';
import { Refusal, REFUSALS } from '../../src/kernel/refusal.ts';
import { BASE_URL, BRANCH, openHttpServer } from '../support/server/http-server.ts';
import type { HttpFixture } from '../support/server/http-server.ts';

interface Response {
  readonly headers?: Record<string, unknown>;
  readonly content?: Record<
    string,
    { readonly schema: object; readonly examples?: Record<string, { value: unknown }> }
  >;
}
interface Operation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters: readonly object[];
  readonly responses: Record<string, Response>;
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: Record<string, object>;
    readonly securitySchemes: Record<string, object>;
  };
}
const document = openApiDocument(endpoints, {
  baseUrl: BASE_URL,
  version: '1.2.3',
  service: { name: 'Ahwa', contact: 'hello@ahwa.example' },
});
const { paths, components: named } = document as unknown as Document;
const table: readonly Endpoint[] = Object.values(endpoints);

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
  });

  test('has every operation of the endpoint table, and no other', () => {
    const published = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`,
      ),
    );
    expect(published.toSorted()).toEqual(table.map((e) => `${e.id} ${e.method} ${e.path}`).toSorted());
  });

  test('names every refusal of every operation, with an example under its status', () => {
    for (const e of table)
      for (const name of refusalsOf(e)) {
        if (name === 'RATE_LIMITED' && e.limit === 'none') continue;
        const response = paths[e.path]?.[e.method.toLowerCase()]?.responses[REFUSALS[name].status];
        expect(response?.content?.['application/json']?.examples, `${e.id} ${name}`).toHaveProperty(name);
      }
  });

  test('declares the device token as a security scheme, optional where it is, and as a header', () => {
    expect(named.securitySchemes).toEqual({
      deviceToken: {
        ...{ type: 'apiKey', in: 'header', name: 'X-Device-Token' },
        description: expect.stringContaining('POST /public/otp/verify') as string,
      },
    });
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    const taking = operations.filter(({ security }) => security.length > 0);
    expect(Object.fromEntries(taking.map(({ operationId, security }) => [operationId, security]))).toEqual({
      quoteCart: [{}, { deviceToken: [] }],
      orderNow: [{}, { deviceToken: [] }],
      getDevice: [{ deviceToken: [] }],
      orderHistory: [{ deviceToken: [] }],
      pastLocations: [{ deviceToken: [] }],
    });
    const header = expect.objectContaining({ name: 'X-Device-Token', in: 'header' }) as object;
    const documented = operations.filter(({ parameters }) =>
      JSON.stringify(parameters).includes('"X-Device-Token"'),
    );
    expect(documented).toEqual(taking);
    for (const { parameters } of taking) expect(parameters).toContainEqual(header);
  });

  test('has only examples that match their schema', () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addSchema({ ...document, $id: 'https://openapi.test/document' });
    const absolute = (schema: object): object =>
      JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"https://openapi.test/document#/')) as object;
    for (const methods of Object.values(paths))
      for (const { operationId, responses } of Object.values(methods))
        for (const [status, { content }] of Object.entries(responses))
          for (const { schema, examples } of Object.values(content ?? {}))
            for (const [name, { value }] of Object.entries(examples ?? {})) {
              const fits = ajv.validate(absolute(schema), value);
              expect(fits, `${operationId} ${status} ${name}: ${ajv.errorsText()}`).toBe(true);
            }
  });

  test('has an example answer for every operation except itself', () => {
    for (const e of table)
      if (e.id !== 'openapi') expect(Object.keys(e.examples).length, e.id).toBeGreaterThan(0);
  });

  test('refers to named shapes, and no two of them are equal', () => {
    const texts = Object.values(components).map((schema) => JSON.stringify(schema));
    expect(new Set(texts).size).toBe(texts.length);
    expect(JSON.stringify(named.schemas['PublicLinksPage'])).toContain('#/components/schemas/PublicBrand');
    expect(JSON.stringify(paths['/public/branches/{id}/menu'])).not.toContain(
      'modifier_groups":{"type":"array","items":{"type"',
    );
  });

  test('has only the shapes that its own operations use', () => {
    const staff = openApiDocument(staffEndpoints, { baseUrl: BASE_URL, version: '1', audience: 'staff' });
    const { components: theirs } = staff as unknown as Document;
    for (const each of [document, staff]) {
      const text = JSON.stringify(each);
      const { components: own } = each as unknown as Document;
      for (const name of Object.keys(own.schemas))
        expect(text, name).toContain(`"#/components/schemas/${name}"`);
    }
    expect(named.schemas).not.toHaveProperty('StaffOrder');
    expect(theirs.schemas).not.toHaveProperty('PublicBrand');
  });

  test('allows unknown fields in replies, not in bodies', () => {
    const texts = (of: (e: Endpoint) => unknown): string => JSON.stringify(table.map(of));
    expect(texts((e) => e.reply)).not.toContain('"additionalProperties":false');
    for (const { body } of table) if (body) expect(body).toHaveProperty('additionalProperties', false);
  });
});

describe('a service with a name and a contact', () => {
  const infoOf = (service?: { name: string; contact: string }): unknown =>
    openApiDocument(endpoints, { baseUrl: BASE_URL, version: '1', ...(service && { service }) })['info'];

  test.each([
    ['hello@bunn.example', { email: 'hello@bunn.example' }],
    ['https://bunn.example/contact?from=api', { url: 'https://bunn.example/contact?from=api' }],
    ['HTTP://bunn.example', { url: 'HTTP://bunn.example' }],
    ['https://bunn.example/@hello', { url: 'https://bunn.example/@hello' }],
    ['https://', { name: 'https://' }],
    ['ftp://bunn.example', { name: 'ftp://bunn.example' }],
    ['mailto:hello@bunn.example', { name: 'mailto:hello@bunn.example' }],
    ['Mona, hello@bunn.example', { name: 'Mona, hello@bunn.example' }],
    ['اسأل منى ٠١٠٠', { name: 'اسأل منى ٠١٠٠' }],
  ])('publishes both in the OpenAPI document: %s', async (contact, field) => {
    const service = { name: 'بيت البن', contact };
    expect(infoOf(service)).toMatchObject({ title: 'بيت البن public API', contact: field });
    const published = openApiDocument(endpoints, { baseUrl: BASE_URL, version: '1', service });
    expect((await new Validator().validate(structuredClone(published))).errors).toBeUndefined();
  });

  test('has the default title and no contact when neither is set', () => {
    expect(infoOf()).toMatchObject({ title: 'Ahwa public API' });
    expect(infoOf()).not.toHaveProperty('contact');
  });

  test('shows both at /openapi.json, and its name on /docs.md', async () => {
    const about = { name: 'Bean & <Leaf>', description: 'd', openapi: 'o', mcp: 'm', docs: 'd' };
    const doors = await openHttpServer({}, { about: { ...about, contact: 'https://leaf.example' } });
    try {
      const { info } = (await doors.get('/openapi.json')).body as { info: unknown };
      expect(info).toMatchObject({
        title: 'Bean & <Leaf> public API',
        contact: { url: 'https://leaf.example' },
      });
      expect((await doors.get('/docs.md')).text.split('\n')[0]).toBe('# Bean & <Leaf> public API');
    } finally {
      await doors.close();
    }
  });
});

describe('the API reference', () => {
  const pages: readonly (readonly [string, readonly Endpoint[], string])[] = [
    ['public', Object.values(endpoints), apiReference(endpoints)],
    ['staff', Object.values(staffEndpoints), staffReference(staffEndpoints)],
  ];
  /** The text under a heading of the third level. */
  const under = (page: string, title: string): string =>
    page.split(/^### /m).find((part) => part.startsWith(`${title}\n`)) ?? '';

  test.each(pages)(
    'of the %s side lists each operation’s parameters, answers and refusals',
    (side, all, page) => {
      expect(page.split('\n')[0]).toBe(`# Ahwa ${side} API`);
      for (const e of all) {
        const section = under(page, `${e.method} ${e.path}`).toLowerCase();
        for (const name of [e.params, e.query, e.headers].flatMap((each) => Object.keys(each)))
          expect(section, e.id).toContain(`| \`${name}\` |`);
        for (const name of refusalsOf(e)) {
          const { status, code } = REFUSALS[name];
          expect(section, e.id).toMatch(new RegExp(`^\\| ${status} \\|.*${(code ?? '').toLowerCase()}`, 'm'));
        }
        expect(section, e.id).toContain(`| ${e.status} |`);
        if (e.access?.by === 'staff')
          expect(section, e.id).toContain(`\`${e.access.permission ?? 'token'}\``);
      }
    },
  );

  test.each(pages)('of the %s side has a table for every shape that it links to', (_side, _all, page) => {
    const links = [...page.matchAll(/\]\(#(\w+)\)/g)].map(([, name]) => name);
    const headings = [...page.matchAll(/^### (\w+)$/gm)].map(([, name = '']) => name.toLowerCase());
    expect([...new Set(links)].filter((name) => !headings.includes(name ?? ''))).toEqual([]);
    expect(new Set(headings).size).toBe(headings.length);
  });

  test('of either side has every field of every shape', () => {
    for (const [name, schema] of Object.entries(components)) {
      const tables = pages.map(([, , page]) => under(page, name));
      for (const field of Object.keys(schema.properties))
        expect(tables.join(''), name).toContain(`| \`${field}\` |`);
    }
  });

  test('describes ordering: body and bounds, idempotency key, the answer to a repetition', () => {
    const page = apiReference(endpoints);
    const order = under(page, 'POST /public/delivery-orders');
    expect(order).toContain('Takes [DeliveryOrderInput](#deliveryorderinput).');
    expect(order).toContain('| `Idempotency-Key` | header | no |');
    expect(order).toMatch(/^\| 201 \| \[DeliveryOrder\]/m);
    expect(order).toMatch(/^\| 200 \| \[DeliveryOrder\].*made, as it stands now/m);
    expect(under(page, 'DeliveryOrderInput')).toContain(
      '| `items` | array of [OrderItemInput](#orderiteminput), 1 to 100 | yes |',
    );
    expect(under(page, 'DeliveryTracking')).toContain('| `items[].name` | string | yes |');
    for (const path of ['history', 'past-locations'])
      expect(under(page, `GET /public/delivery-orders/${path}`)).toContain('| `X-Device-Token` | header |');
  });

  test('of the staff side shows an event stream and every cancel reason', () => {
    const page = staffReference(staffEndpoints);
    const stream = under(page, 'GET /staff/events');
    expect(stream).toContain('| 200 | stream of [BoardEvent](#boardevent) |');
    expect(stream).toMatch(/^id: 42\nevent: delivery\ndata: \{"type":"delivery",.*\}$/m);
    expect(stream).toContain('event: reset\ndata: {"type":"reset"}');
    for (const reason of Object.keys(CANCEL_REASONS)) expect(page).toContain(`| \`${reason}\` |`);
  });

  test('lists every refusal with code and words in both languages', () => {
    for (const { code, en, ar } of Object.values(REFUSALS))
      for (const words of [code ?? '', en, ar]) expect(errorReference()).toContain(words);
  });
});

describe('the typed client', () => {
  let doors: HttpFixture;
  beforeAll(async () => {
    doors = await openHttpServer({
      getTable: () => Promise.reject(new Refusal('RATE_LIMITED', { retry_after_seconds: 7 })),
      getBookingSlots: ({ query }: { query: { date: string; party_size: number } }) =>
        Promise.resolve({
          body: { date: query.date, timezone: 'Africa/Cairo', slots: [], party: query.party_size },
          ...{ orgId: BRANCH, scopes: [], version: 1, validUntil: null },
        }),
    });
  });
  afterAll(() => doors.close());
  const client = () => createClient({ baseUrl: `http://127.0.0.1:${doors.port}/`, fetch });

  test('has the operations of the endpoint table', () => {
    expect(operations).toEqual(
      Object.fromEntries(table.map(({ id, method, path }) => [id, { method, path }])),
    );
  });

  test('sends the tag with a repeated read and gets 304', async () => {
    const first = await client().getBranchMenu({
      path: { id: BRANCH },
      query: { channel: 'pickup', preview: true },
    });
    if (first.status === 304) throw new Error('nothing was held');
    expectTypeOf(first.body.items).items.toHaveProperty('price');
    expect(first.body.items[0]?.price).toBe(4500);
    const again = await client().getBranchMenu({
      ...{ path: { id: BRANCH }, query: { channel: 'pickup', preview: true }, ifNoneMatch: first.etag },
    });
    expect(again).toMatchObject({ status: 304, body: null });
  });

  test('serializes parameters, and needs no argument where none is required', async () => {
    const slots = await client().getBookingSlots({
      path: { id: BRANCH },
      query: { date: '2026-12-04', party_size: 4 },
    });
    expect(slots.body).toMatchObject({ date: '2026-12-04', party: 4 });
    expect((await client().health()).body).toEqual({ status: 'up' });
    // @ts-expect-error the date and the party are required
    await expect(client().getBookingSlots({ path: { id: BRANCH } })).rejects.toThrow('date is required.');
  });

  test('throws an ApiError with the service’s status, code and wait', async () => {
    const refused = await client()
      .getTable({ path: { id: BRANCH } })
      .catch((fault: unknown) => fault);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ status: 429, retryAfterSeconds: 7, body: { code: 'RATE_LIMITED' } });
  });

  test('throws an ApiError for an error page of a proxy', async () => {
    const proxy = createClient({
      baseUrl: 'http://x',
      fetch: () => Promise.resolve(new Response('<h1>Bad gateway</h1>', { status: 502 })),
    });
    await expect(proxy.health()).rejects.toMatchObject({
      status: 502,
      body: { error: '<h1>Bad gateway</h1>' },
    });
  });
});

test('every body schema is a valid JSON schema', () => {
  const ajv = new Ajv2020({ strict: false });
  for (const { id, body } of Object.values(allEndpoints))
    if (body !== undefined)
      expect([id, ajv.validateSchema(JSON.parse(JSON.stringify(body)) as AnySchema)]).toEqual([id, true]);
});
