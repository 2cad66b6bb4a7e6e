/** The OpenAPI 3.1 document, made from the endpoint table. The reference for people is made in reference.ts. */
import type { TSchema } from 'typebox';
import { REFUSALS, wordsOf } from '../domain/refusal.ts';
import type { Figures, RefusalName } from '../domain/refusal.ts';
import { CART_LIMIT } from './cart.ts';
import { components } from './components.ts';
import type { Endpoint } from './endpoint.ts';
import { refusalsOf } from './endpoint.ts';
import { apiTitle } from './reference.ts';

export { apiPage, apiReference, errorReference } from './reference.ts';

export type EndpointTable = Readonly<Record<string, Endpoint>>;

export interface Publication {
  /** The service's public address. */
  readonly baseUrl: string;
  readonly version: string;
  /** What the service calls itself, and who answers for it: an e-mail address, a web address or other words. */
  readonly service?: { readonly name: string; readonly contact: string };
  /** Whose operations these are; the public's where nothing is said. */
  readonly side?: 'public' | 'staff';
}

type Json = Readonly<Record<string, unknown>>;

/** The plain JSON of a schema, without the library's marks. */
const plain = (schema: TSchema): unknown => JSON.parse(JSON.stringify(schema)) as unknown;

const nameByText: ReadonlyMap<string, string> = new Map(
  Object.entries(components).map(([name, schema]) => [JSON.stringify(schema), name]),
);

/** A schema in which every named shape is a reference; `self` is the name of the one being written out. */
const withReferences = (value: unknown, self: string | null = null): unknown => {
  if (Array.isArray(value)) return value.map((child) => withReferences(child));
  if (typeof value !== 'object' || value === null) return value;
  const name = nameByText.get(JSON.stringify(value));
  if (name !== undefined && name !== self) return { $ref: `#/components/schemas/${name}` };
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withReferences(child)]));
};

const schemaOf = (schema: TSchema): unknown => withReferences(plain(schema));

const header = (description: string, example: string, type: 'string' | 'integer' = 'string'): Json => ({
  description,
  schema: { type },
  example: type === 'integer' ? Number(example) : example,
});

const HEADERS: Readonly<Record<string, Json>> = {
  ETag: header('The tag of these bytes; send it back in If-None-Match.', '"9Jb0lNfYxM3n2vQkz1c4bw-br"'),
  CacheControl: header('How long the answer may be kept.', 'public, max-age=30'),
  Vary: header('The request headers that choose among answers.', 'Accept-Encoding'),
  RateLimitPolicy: header(
    'The limits this request counts in: requests (q) per seconds (w).',
    '"ordering_reads";q=300;w=15, "general";q=2000;w=60',
  ),
  RateLimit: header(
    'What is left of each limit (r), the nearest to its end first, and the seconds until there is more (t).',
    '"ordering_reads";r=299;t=1, "general";r=1999;t=1',
  ),
  RetryAfter: header('Seconds to wait.', '3', 'integer'),
  RequestId: header('Names this request in our log.', '5f1d0c9b7a3e2846-1a'),
};

const headerRefs = (names: Readonly<Record<string, keyof typeof HEADERS>>): Json =>
  Object.fromEntries(
    Object.entries(names).map(([line, name]) => [line, { $ref: `#/components/headers/${name}` }]),
  );

const limitHeaders = (e: Endpoint): Readonly<Record<string, string>> =>
  e.limit === 'none' ? {} : { 'RateLimit-Policy': 'RateLimitPolicy', RateLimit: 'RateLimit' };

const isPublished = (e: Endpoint): boolean => e.method === 'GET' && e.cache !== 'no-store';

const SOME_ID = '1c5a0a2e-4b2f-5d6e-9b7c-2d3e4f5a6b02';

/** Figures that make an example of a refusal's sentence. */
const EXAMPLE_FIGURES: Readonly<Partial<Record<RefusalName, Figures>>> = {
  DATE_OUT_OF_RANGE: { first: '2026-12-04', last: '2027-01-03' },
  PARTY_SIZE_OUT_OF_RANGE: { min: 1, max: 12 },
  CHANNEL_NOT_OFFERED: { channel: 'umbrella' },
  CHANNEL_CLOSED: { channel: 'pickup', opens_at: '2026-12-05T06:00:00.000Z' },
  COMBO_SLOT_TOO_FEW: { slot_id: SOME_ID, slot: 'مشروب', min: 1, got: 0 },
  COMBO_SLOT_TOO_MANY: { slot_id: SOME_ID, slot: 'مشروب', max: 1, got: 2 },
  COMBO_CHOICE_NOT_ALLOWED: { slot_id: SOME_ID, menu_item_id: SOME_ID },
  MODIFIER_TOO_FEW: { group_id: SOME_ID, group: 'اللبن', min: 1, got: 0 },
  MODIFIER_TOO_MANY: { group_id: SOME_ID, group: 'اللبن', max: 1, got: 2 },
  NOT_PERMITTED: { permission: 'orders.staff_drink.record' },
  ITEM_NOT_FOUND: { menu_item_id: SOME_ID },
  ITEM_UNAVAILABLE: { menu_item_id: SOME_ID, item: 'قهوة تركي', available: 2 },
  ADDON_UNAVAILABLE: { addon_item_id: SOME_ID, addon: 'لبن شوفان', available: 5 },
  COMBO_UNAVAILABLE: { combo_id: SOME_ID, combo: 'فطار', reason: 'sold_out', available: 0 },
  COMBO_ITEM_UNAVAILABLE: { menu_item_id: SOME_ID, item: 'قهوة تركي' },
  BODY_TOO_LARGE: { limit: CART_LIMIT / 1024 },
  OUT_OF_RANGE: { distance_meters: 7400, tested_meters: 9620, max_meters: 5000 },
  ORDER_ENDED: { status: 'delivered', revision: 6 },
  ORDER_MOVED: { status: 'preparing', revision: 3 },
  QUOTE_CHANGED: { total: 12500, delivery_fee: 2000 },
  RATE_LIMITED: { retry_after_seconds: 3 },
  PIN_THROTTLED: { retry_after_seconds: 15 },
  INTERNAL: { request_id: '5f1d0c9b7a3e2846-1a' },
};

/** The error body a client would get. */
const exampleError = (name: RefusalName): Json => {
  const { code } = REFUSALS[name];
  const figures = EXAMPLE_FIGURES[name] ?? {};
  if (name === 'INVALID_INPUT')
    return { error: 'date is required.', fields: [{ path: 'date', problem: 'is required' }] };
  if ('retry_after_seconds' in figures) return { error: wordsOf(name, 'en', figures), code, ...figures };
  return {
    error: wordsOf(name, 'en', figures),
    ...(code === null ? {} : { code }),
    ...(code === null || Object.keys(figures).length === 0 ? {} : { vars: figures }),
  };
};

const ERROR_SCHEMA = { $ref: '#/components/schemas/ErrorBody' };

/** Refusals that say how long to wait. */
const WAITING: ReadonlySet<RefusalName> = new Set(['RATE_LIMITED', 'PIN_THROTTLED', 'UNAVAILABLE']);

const errorResponse = (e: Endpoint, names: readonly RefusalName[]): Json => {
  const waits = names.some((name) => WAITING.has(name));
  return {
    description: names.map((name) => describe(name)).join(' '),
    headers: headerRefs({
      'Cache-Control': 'CacheControl',
      ...limitHeaders(e),
      ...(waits ? { 'Retry-After': 'RetryAfter' } : {}),
      'X-Request-Id': 'RequestId',
    }),
    content: {
      'application/json': {
        schema: ERROR_SCHEMA,
        examples: Object.fromEntries(names.map((name) => [name, { value: exampleError(name) }])),
      },
    },
  };
};

const describe = (name: RefusalName): string => {
  const { code, when } = REFUSALS[name];
  return code === null ? when : `\`${code}\`: ${when}`;
};

const errorResponses = (e: Endpoint): Json => {
  const names = refusalsOf(e).filter((name) => name !== 'RATE_LIMITED' || e.limit !== 'none');
  const statuses = [...new Set(names.map((name) => REFUSALS[name].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      errorResponse(
        e,
        names.filter((name) => REFUSALS[name].status === status),
      ),
    ]),
  );
};

const successResponses = (e: Endpoint): Json => {
  const cached = isPublished(e);
  const always = { 'Cache-Control': 'CacheControl', ...limitHeaders(e) };
  const tagged = { ETag: 'ETag', Vary: 'Vary', ...always };
  const named = { 'X-Request-Id': 'RequestId' };
  const examples = Object.entries(e.examples).map(([name, { reply }]) => [name, { value: reply }] as const);
  return {
    [e.status]: {
      description: e.summary,
      headers: headerRefs({ ...(cached ? tagged : always), ...named }),
      content: {
        [e.answers === 'events' ? 'text/event-stream' : 'application/json']: {
          schema: schemaOf(e.reply),
          ...(examples.length === 0 ? {} : { examples: Object.fromEntries(examples) }),
        },
      },
    },
    ...(e.repeatable === true
      ? {
          200: {
            description:
              'The same was asked for before under this `Idempotency-Key`: what was made, as it stands now.',
            headers: headerRefs({ ...always, ...named }),
            content: { 'application/json': { schema: schemaOf(e.reply) } },
          },
        }
      : {}),
    ...(cached
      ? {
          304: {
            description: 'The client holds this answer (`If-None-Match`).',
            headers: headerRefs(tagged),
          },
        }
      : {}),
  };
};

const IF_NONE_MATCH = { $ref: '#/components/parameters/IfNoneMatch' };

/** `idempotency-key` as people write it. */
const lineName = (name: string): string => name.replace(/(^|-)([a-z])/g, (text) => text.toUpperCase());

const parametersOf = (e: Endpoint): readonly unknown[] => [
  ...Object.entries(e.params).map(([name, { scalar, description }]) => ({
    ...{ name, in: 'path', required: true, description, schema: schemaOf(scalar.schema) },
  })),
  ...Object.entries(e.query).map(([name, { scalar, required, description }]) => ({
    ...{ name, in: 'query', required, description, schema: schemaOf(scalar.schema) },
  })),
  ...Object.entries(e.headers).map(([name, { scalar, required, description }]) => ({
    ...{ name: lineName(name), in: 'header', required, description, schema: schemaOf(scalar.schema) },
  })),
  ...(isPublished(e) ? [IF_NONE_MATCH] : []),
];

const bodyOf = (e: Endpoint): Json => {
  if (e.body === undefined) return {};
  const examples = Object.entries(e.examples).filter(([, example]) => example.body !== undefined);
  return {
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: schemaOf(e.body),
          ...(examples.length === 0
            ? {}
            : { examples: Object.fromEntries(examples.map(([name, { body }]) => [name, { value: body }])) }),
        },
      },
    },
  };
};

/** Which bearer token an operation of the staff's side takes. */
const securityOf = ({ access }: Endpoint): Json => {
  if (access === undefined) return {};
  return { security: access.by === 'anyone' ? [] : [{ [access.by]: [] }] };
};

const SECURITY_SCHEMES: Json = {
  staff: { type: 'http', scheme: 'bearer', description: 'The `token` of a sign-in.' },
  device: { type: 'http', scheme: 'bearer', description: 'The `device_token` of a paired device.' },
};

const operation = (e: Endpoint): Json => ({
  operationId: e.id,
  tags: [e.tag],
  summary: e.summary,
  ...(e.description === undefined ? {} : { description: e.description }),
  parameters: parametersOf(e),
  ...securityOf(e),
  ...bodyOf(e),
  responses: {
    ...successResponses(e),
    ...errorResponses(e),
    default: { $ref: '#/components/responses/BrokenRequest' },
  },
});

const pathsOf = (table: readonly Endpoint[]): Json => {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const e of table) (paths[e.path] ??= {})[e.method.toLowerCase()] = operation(e);
  return paths;
};

/** What a request can meet below any operation. */
const BROKEN: readonly RefusalName[] = [
  'INVALID_INPUT',
  'REQUEST_TIMEOUT',
  'ADDRESS_TOO_LONG',
  'HEADERS_TOO_LARGE',
];

const TAGS: Readonly<Record<string, string>> = {
  Service: 'The service itself.',
  Shop: 'A shop, its links page and its branches.',
  Menu: 'What a branch sells, with the prices of one channel.',
  Booking: 'When a branch takes bookings.',
  Orders: 'What becomes of an order.',
  Tables: "What a table's QR code leads to.",
  Carts: 'What a cart costs, before anything is ordered.',
  Codes: 'One-time codes that prove a phone.',
  'Sign-in': 'Who works here, and on which device.',
  Board: 'The orders of a branch, as they come and move.',
  Sale: 'What a branch sells now: pauses and sold-out items.',
  People: "A person's data: handed out, or erased.",
};

/** The contact in the one field that its form allows. */
const contactOf = (contact: string): Json => {
  if (/^https?:\/\/[!-~]+$/i.test(contact) && URL.canParse(contact)) return { url: contact };
  return /^[^\s@:;,<>"]+@[^\s@:;,<>"/]+$/.test(contact) ? { email: contact } : { name: contact };
};

const STAFF_INTRODUCTION =
  'What the staff of a shop do: orders, pauses, sold-out items. An owner signs in with e-mail and password; a device ' +
  'of the branch is paired once, and staff sign in on it with a PIN. Every change is in the audit log. Money is an ' +
  'integer number of piastres; times are ISO 8601 in UTC.';

const INTRODUCTION =
  'The public data of cafés and restaurants: brand, links page, branches, menu, booking times, order status. Money ' +
  'is an integer number of piastres (100 = 1.00 EGP); times are ISO 8601 in UTC. Every call names one shop. Fields ' +
  'may be added: ignore those you do not know. Keep answers as `Cache-Control` says and ask again with ' +
  '`If-None-Match`.';

/** The whole description; the same value for the same table and publication. */
export const openApiDocument = (endpoints: EndpointTable, publication: Publication): Json => {
  const { baseUrl, version, service, side = 'public' } = publication;
  const table = Object.values(endpoints);
  const tags = [...new Set(table.map((e) => e.tag))];
  return {
    openapi: '3.1.0',
    info: {
      title: apiTitle(service?.name, side),
      version,
      description: side === 'staff' ? STAFF_INTRODUCTION : INTRODUCTION,
      ...(service === undefined ? {} : { contact: contactOf(service.contact) }),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: tags.map((name) => ({ name, ...(TAGS[name] === undefined ? {} : { description: TAGS[name] }) })),
    paths: pathsOf(table),
    components: {
      schemas: Object.fromEntries(
        Object.entries(components).map(([name, schema]) => [name, withReferences(plain(schema), name)]),
      ),
      headers: HEADERS,
      ...(side === 'staff' ? { securitySchemes: SECURITY_SCHEMES } : {}),
      parameters: {
        IfNoneMatch: {
          ...{ name: 'If-None-Match', in: 'header', required: false, schema: { type: 'string' } },
          description: 'The `ETag` of the answer that the client holds.',
        },
      },
      responses: {
        BrokenRequest: {
          description: BROKEN.map(describe).join(' '),
          content: {
            'application/json': {
              schema: ERROR_SCHEMA,
              examples: Object.fromEntries(BROKEN.map((name) => [name, { value: exampleError(name) }])),
            },
          },
        },
      },
    },
  };
};
