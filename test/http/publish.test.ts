/** The OpenAPI document, the reference and the client all follow from the endpoint table. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { ApiError, createClient } from '../../src/client/client.ts';
import { operations } from '../../src/client/operations.ts';
import { components } from '../../src/contract/components.ts';
import { refusalsOf } from '../../src/contract/endpoint.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { endpoints } from '../../src/contract/index.ts';
import { apiReference, errorReference, openApiDocument } from '../../src/contract/publish.ts';
import { Refusal, REFUSALS } from '../../src/domain/refusal.ts';
import { BASE_URL, BRANCH, openDoors } from '../support/doors.ts';
import type { Doors } from '../support/doors.ts';

interface Response {
  readonly headers?: Record<string, unknown>;
  readonly content?: Record<
    string,
    { readonly schema: object; readonly examples?: Record<string, { value: unknown }> }
  >;
}
interface Document {
  readonly paths: Record<
    string,
    Record<string, { readonly operationId: string; readonly responses: Record<string, Response> }>
  >;
  readonly components: { readonly schemas: Record<string, object> };
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

  test('has every operation of the table, and no other', () => {
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

  test('every example matches its shape', () => {
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

  test('every operation but the document itself has an example of its answer', () => {
    for (const e of table)
      if (e.id !== 'openapi') expect(Object.keys(e.examples).length, e.id).toBeGreaterThan(0);
  });

  test('named shapes are referred to, never repeated, and no two are alike', () => {
    const texts = Object.values(components).map((schema) => JSON.stringify(schema));
    expect(new Set(texts).size).toBe(texts.length);
    expect(JSON.stringify(named.schemas['PublicLinksPage'])).toContain('#/components/schemas/PublicBrand');
    expect(JSON.stringify(paths['/public/branches/{id}/menu'])).not.toContain(
      'modifier_groups":{"type":"array","items":{"type"',
    );
  });

  test('replies are open to more fields, bodies are not', () => {
    const texts = (of: (e: Endpoint) => unknown): string => JSON.stringify(table.map(of));
    expect(texts((e) => e.reply)).not.toContain('"additionalProperties":false');
    for (const { body } of table) if (body) expect(body).toHaveProperty('additionalProperties', false);
  });
});

describe('a service that has a name and a contact of its own', () => {
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
  ])('has both in the OpenAPI document: %s', async (contact, field) => {
    const service = { name: 'بيت البن', contact };
    expect(infoOf(service)).toMatchObject({ title: 'بيت البن public API', contact: field });
    const published = openApiDocument(endpoints, { baseUrl: BASE_URL, version: '1', service });
    expect((await new Validator().validate(structuredClone(published))).errors).toBeUndefined();
  });

  test('one without keeps the default title, and names nobody', () => {
    expect(infoOf()).toMatchObject({ title: 'Ahwa public API' });
    expect(infoOf()).not.toHaveProperty('contact');
  });

  test('shows them at /openapi.json, and its name on both pages', async () => {
    const about = { name: 'Bean & <Leaf>', description: 'd', openapi: 'o', mcp: 'm', docs: 'd' };
    const doors = await openDoors({}, { about: { ...about, contact: 'https://leaf.example' } });
    try {
      const { info } = (await doors.get('/openapi.json')).json as { info: unknown };
      expect(info).toMatchObject({
        title: 'Bean & <Leaf> public API',
        contact: { url: 'https://leaf.example' },
      });
      const page = (await doors.get('/docs')).text;
      const shown = 'Bean &amp; &lt;Leaf&gt; public API';
      expect(page).toContain(`<title>${shown}</title>`);
      expect(page).toMatch(new RegExp(`<h1 id="[\\w-]+">${shown}</h1>`));
      expect((await doors.get('/docs.md')).text.split('\n')[0]).toBe('# Bean & <Leaf> public API');
    } finally {
      await doors.close();
    }
  });
});

describe('the reference', () => {
  test('has every operation, every field of every shape, every refusal', () => {
    const text = apiReference(endpoints);
    expect(text.split('\n')[0]).toBe('# Ahwa public API');
    for (const e of table) expect(text).toContain(`### ${e.method} ${e.path}\n`);
    for (const schema of Object.values(components))
      if ('properties' in schema)
        for (const field of Object.keys(schema.properties)) expect(text).toContain(`| \`${field}\` |`);
    for (const { code, en, ar } of Object.values(REFUSALS))
      for (const words of [code ?? '', en, ar]) expect(errorReference()).toContain(words);
  });
});

describe('the client', () => {
  let doors: Doors;
  beforeAll(async () => {
    doors = await openDoors({
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

  test('its table is the endpoint table', () => {
    expect(operations).toEqual(
      Object.fromEntries(table.map(({ id, method, path }) => [id, { method, path }])),
    );
  });

  test('asks, and asks again with the tag', async () => {
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

  test('writes values as the doors read them; needs no argument where none is required', async () => {
    const slots = await client().getBookingSlots({
      path: { id: BRANCH },
      query: { date: '2026-12-04', party_size: 4 },
    });
    expect(slots.body).toMatchObject({ date: '2026-12-04', party: 4 });
    expect((await client().health()).body).toEqual({ status: 'up' });
    // @ts-expect-error the date and the party are required
    await expect(client().getBookingSlots({ path: { id: BRANCH } })).rejects.toThrow('date is required.');
  });

  test('throws what the service said', async () => {
    const refused = await client()
      .getTable({ path: { id: BRANCH } })
      .catch((fault: unknown) => fault);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ status: 429, retryAfterSeconds: 7, body: { code: 'RATE_LIMITED' } });
  });

  test('wraps an answer that is not ours', async () => {
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
