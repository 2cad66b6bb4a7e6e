import type { TSchema } from 'typebox';
import { REFUSALS, wordsOf } from '../../kernel/refusal.ts';
import type { Figures, RefusalName } from '../../kernel/refusal.ts';
import { CART_BODY_LIMIT } from '../../platform/contract/body-limits.ts';
import type { Endpoint, EndpointTable } from '../../platform/contract/endpoint.ts';
import { contactOf } from './contact.ts';
import type { AnswerHeader } from './operation.ts';
import {
  REPEATED_DESCRIPTION,
  ANSWER_HEADERS,
  NOT_MODIFIED_DESCRIPTION,
  IF_NONE_MATCH,
  isPublished,
  mediaTypeOf,
  parametersOf,
  refusalsByStatus,
  SECURITY_SCHEMES,
  tokenUseOf,
} from './operation.ts';
import { isPlain, namedBy, plain, shapesOf } from './shapes.ts';
import type { Audience } from './audiences.ts';
import { apiTitle, AUDIENCES, TAGS } from './audiences.ts';

export { apiReference, errorReference, staffReference } from './reference.ts';

export interface OpenApiOptions {
  readonly baseUrl: string;
  readonly version: string;
  /** Name and contact: an e-mail address, a URL or other text. */
  readonly service?: { readonly name: string; readonly contact: string };
  /** Default: public. */
  readonly audience?: Audience;
}

type Json = Readonly<Record<string, unknown>>;

/** Replaces named schemas by references, except `self`, the one being defined. */
const withReferences = (value: unknown, self: string | null = null): unknown => {
  if (Array.isArray(value)) return value.map((child) => withReferences(child));
  if (!isPlain(value)) return value;
  const named = namedBy(value);
  if (named !== null && named.name !== self) {
    const reference = { $ref: `#/components/schemas/${named.name}` };
    return named.isNullable ? { anyOf: [reference, { type: 'null' }] } : reference;
  }
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withReferences(child)]));
};

const schemaOf = (schema: TSchema): unknown => withReferences(plain(schema));

const headerRefs = (names: readonly AnswerHeader[]): Json =>
  Object.fromEntries(
    names.map((name) => [ANSWER_HEADERS[name].line, { $ref: `#/components/headers/${name}` }]),
  );

/** `ETag` and `Vary` are of published reads. */
const headerComponents = (hasPublished: boolean): Json =>
  Object.fromEntries(
    Object.entries(ANSWER_HEADERS)
      .filter(([name]) => hasPublished || !(name === 'ETag' || name === 'Vary'))
      .map(([name, { description, example }]) => [
        name,
        { description, schema: { type: typeof example === 'number' ? 'integer' : 'string' }, example },
      ]),
  );

/** Headers of all replies of an operation. */
const usualHeaders = (e: Endpoint): readonly AnswerHeader[] => [
  'CacheControl',
  ...(e.limit === 'none' ? [] : (['RateLimitPolicy', 'RateLimit'] as const)),
];

const SOME_ID = '1c5a0a2e-4b2f-5d6e-9b7c-2d3e4f5a6b02';

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
  BODY_TOO_LARGE: { limit: CART_BODY_LIMIT / 1024 },
  OUT_OF_RANGE: { distance_meters: 7400, tested_meters: 9620, max_meters: 5000 },
  ORDER_ENDED: { status: 'delivered', revision: 6 },
  ORDER_MOVED: { status: 'preparing', revision: 3 },
  REOPEN_TOO_LATE: { business_date: '2026-12-04' },
  SALE_REFUNDED: { refunded: 4500 },
  QUOTE_CHANGED: { total: 12500, delivery_fee: 2000, reward_cost: 0 },
  RATE_LIMITED: { retry_after_seconds: 3 },
  TOO_MANY_ORDERS: { retry_after_seconds: 900 },
  PIN_THROTTLED: { retry_after_seconds: 15 },
  INTERNAL: { request_id: '5f1d0c9b7a3e2846-1a' },
};

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

const WITH_RETRY_AFTER: ReadonlySet<RefusalName> = new Set(['RATE_LIMITED', 'PIN_THROTTLED', 'UNAVAILABLE']);

const errorResponse = (e: Endpoint, names: readonly RefusalName[]): Json => {
  const waits = names.some((name) => WITH_RETRY_AFTER.has(name));
  return {
    description: names.map((name) => describe(name)).join(' '),
    headers: headerRefs([...usualHeaders(e), ...(waits ? (['RetryAfter'] as const) : []), 'RequestId']),
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

const errorResponses = (e: Endpoint): Json =>
  Object.fromEntries(refusalsByStatus(e).map(([status, names]) => [status, errorResponse(e, names)]));

const successResponses = (e: Endpoint): Json => {
  const cached = isPublished(e);
  const usual = usualHeaders(e);
  const tagged: readonly AnswerHeader[] = ['ETag', 'Vary', ...usual];
  const examples = Object.entries(e.examples).map(([name, { reply }]) => [name, { value: reply }] as const);
  return {
    [e.status]: {
      description: e.summary,
      headers: headerRefs([...(cached ? tagged : usual), 'RequestId']),
      ...(e.status === 204
        ? {}
        : {
            content: {
              [mediaTypeOf(e)]: {
                schema: schemaOf(e.reply),
                ...(examples.length === 0 ? {} : { examples: Object.fromEntries(examples) }),
              },
            },
          }),
    },
    ...(e.repeatable === true && e.status !== 200
      ? {
          200: {
            description: REPEATED_DESCRIPTION,
            headers: headerRefs([...usual, 'RequestId']),
            content: { 'application/json': { schema: schemaOf(e.reply) } },
          },
        }
      : {}),
    ...(cached ? { 304: { description: NOT_MODIFIED_DESCRIPTION, headers: headerRefs(tagged) } } : {}),
  };
};

const parameterRefs = (e: Endpoint): readonly unknown[] => [
  ...parametersOf(e).map(({ name, in: place, required, description, scalar }) => ({
    ...{ name, in: place, required, description, schema: schemaOf(scalar.schema) },
  })),
  ...(isPublished(e) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
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

/** Alternatives: an empty object is a request without a token, and an empty list an operation that takes none. */
const securityOf = (e: Endpoint): readonly Json[] => {
  const use = tokenUseOf(e);
  if (use === null) return [];
  return [...(use.isOptional ? [{}] : []), ...use.schemes.map((scheme) => ({ [scheme]: [] }))];
};

const securitySchemesOf = (table: readonly Endpoint[]): Json => {
  const used = new Set<string>(table.flatMap((e) => tokenUseOf(e)?.schemes ?? []));
  return Object.fromEntries(Object.entries(SECURITY_SCHEMES).filter(([name]) => used.has(name)));
};

const operation = (e: Endpoint): Json => ({
  operationId: e.id,
  tags: [e.tag],
  summary: e.summary,
  ...(e.description === undefined ? {} : { description: e.description }),
  parameters: parameterRefs(e),
  security: securityOf(e),
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

const PRE_ROUTING_REFUSALS: readonly RefusalName[] = [
  'INVALID_INPUT',
  'REQUEST_TIMEOUT',
  'ADDRESS_TOO_LONG',
  'HEADERS_TOO_LARGE',
];

/** The whole document; deterministic. */
export const openApiDocument = (endpoints: EndpointTable, options: OpenApiOptions): Json => {
  const { baseUrl, version, service, audience = 'public' } = options;
  const table = Object.values(endpoints);
  const tags = [...new Set(table.map((e) => e.tag))];
  const hasPublished = table.some(isPublished);
  return {
    openapi: '3.1.0',
    info: {
      title: apiTitle(service?.name, audience),
      version,
      description: AUDIENCES[audience].introduction,
      ...(service === undefined ? {} : { contact: contactOf(service.contact) }),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: tags.map((name) => ({ name, ...(TAGS[name] === undefined ? {} : { description: TAGS[name] }) })),
    paths: pathsOf(table),
    components: {
      schemas: Object.fromEntries(
        shapesOf(table).map(([name, schema]) => [name, withReferences(plain(schema), name)]),
      ),
      headers: headerComponents(hasPublished),
      securitySchemes: securitySchemesOf(table),
      ...(hasPublished
        ? {
            parameters: {
              IfNoneMatch: { ...IF_NONE_MATCH, in: 'header', required: false, schema: { type: 'string' } },
            },
          }
        : {}),
      responses: {
        BrokenRequest: {
          description: PRE_ROUTING_REFUSALS.map(describe).join(' '),
          content: {
            'application/json': {
              schema: ERROR_SCHEMA,
              examples: Object.fromEntries(
                PRE_ROUTING_REFUSALS.map((name) => [name, { value: exampleError(name) }]),
              ),
            },
          },
        },
      },
    },
  };
};
