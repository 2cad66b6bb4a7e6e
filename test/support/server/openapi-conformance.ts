/** Checks an answer against the OpenAPI document: operation, status, headers, body. Every HTTP fixture uses it. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { languageOf } from '../../../src/doors/http/refuse.ts';
import type { EndpointTable } from '../../../src/platform/contract/endpoint.ts';
import { openApiDocument } from '../../../src/service/contract/openapi-document.ts';
import { COMPILED_QUICKLY } from '../../../src/platform/app/schema-compiler.ts';

type Json = Readonly<Record<string, unknown>>;

/** One answer. `path` may have a query; header names are lower-case. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>> | Headers;
  /** `Accept-Language` of the request. */
  readonly language?: string | string[] | undefined;
  /** Decompressed; null or '' when there is none. */
  readonly body: string | null;
}

export interface Conformance {
  /** Returns the parsed body. Throws an Error that names the mismatch. */
  check(seen: Seen): unknown;
}

const JSON_TYPE = 'application/json';

/** Pages and their files, discovery documents and MCP messages are not in the OpenAPI document. */
export const isOutside = (address: string, type = JSON_TYPE): boolean =>
  (!type.startsWith(JSON_TYPE) && !/^\/(public|staff)\//.test(address)) ||
  /^\/(docs(\.md)?|openapi-staff\.json|llms\.txt|mcp(\/.*)?|wallet\/.*|\.well-known\/.*)(\?|$)/.test(address);

/** Statuses of an unknown address or method. */
const NOWHERE = new Set([400, 404, 405, 408, 414, 429, 431, 503]);
/** Statuses of a malformed request: the `default` response. */
const BROKEN = new Set([400, 408, 414, 431]);

const asRecord = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {};

const headerOf = ({ headers }: Seen, name: string): string | undefined => {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
};

interface Operation {
  readonly operation: Json;
  readonly pointer: string;
}

/** Paths without parameters come before the templates that match them too. */
const pathsOf = (document: Json): readonly string[] =>
  Object.keys(asRecord(document['paths'])).toSorted((a, b) => a.split('{').length - b.split('{').length);

const operationAt = (
  document: Json,
  templates: readonly string[],
  method: string,
  path: string,
): Operation | null => {
  const segments = (path.split('?')[0] ?? '').split('/');
  const fits = (template: string): boolean => {
    const parts = template.split('/');
    return (
      parts.length === segments.length &&
      parts.every((part, index) => part.startsWith('{') || part === segments[index])
    );
  };
  for (const template of templates) {
    const verb = (method === 'HEAD' ? 'GET' : method).toLowerCase();
    const operation = asRecord(asRecord(document['paths'])[template])[verb];
    if (operation !== undefined && fits(template))
      return {
        operation: asRecord(operation),
        pointer: `/paths/${template.replaceAll('~', '~0').replaceAll('/', '~1')}/${verb}`,
      };
  }
  return null;
};

const escaped = (pointer: string): string => encodeURI(pointer).replaceAll('{', '%7B').replaceAll('}', '%7D');

/** Headers that must be sent where the document lists them. */
const REQUIRED = ['Cache-Control', 'X-Request-Id'];

const createConformance = (document: Json): Conformance => {
  const templates = pathsOf(document);
  const ajv = new Ajv2020({ strict: false, allErrors: true, ...COMPILED_QUICKLY });
  formats.default(ajv, { mode: 'full' });
  ajv.addSchema({ ...document, $id: 'https://openapi.test/document' });
  const validators = new Map<string, ValidateFunction>();
  const validatorAt = (pointer: string): ValidateFunction => {
    const known = validators.get(pointer);
    if (known !== undefined) return known;
    const made = ajv.compile({ $ref: `https://openapi.test/document#${escaped(pointer)}` });
    validators.set(pointer, made);
    return made;
  };
  const fail = (seen: Seen, what: string): never => {
    throw new Error(
      `${seen.method} ${seen.path} answered ${seen.status}: ${what}\n${(seen.body ?? '').slice(0, 500)}`,
    );
  };

  const bodyOf = (seen: Seen): unknown => {
    try {
      return JSON.parse(seen.body ?? '');
    } catch {
      return fail(seen, 'the body is not JSON');
    }
  };

  const checkBody = (seen: Seen, pointer: string, mediaType = JSON_TYPE): unknown => {
    const type = headerOf(seen, 'content-type') ?? '';
    if (type.split(';')[0] !== mediaType) fail(seen, `the content type is ${type === '' ? 'missing' : type}`);
    if (seen.method === 'HEAD') return null;
    const value = mediaType === JSON_TYPE ? bodyOf(seen) : (seen.body ?? '');
    const validate = validatorAt(pointer);
    if (!validate(value)) fail(seen, `the body does not match: ${ajv.errorsText(validate.errors)}`);
    return value;
  };

  const checkArabic = (seen: Seen, { error, fields = [] }: Json): void => {
    const problems = (fields as readonly { readonly problem: string }[]).map(({ problem }) => problem);
    for (const text of [String(error), ...problems])
      if (!/[\u0600-\u06ff]/.test(text)) fail(seen, `asked for in Arabic, it says: ${text}`);
  };

  const checkError = (seen: Seen): unknown => {
    if (headerOf(seen, 'cache-control') !== 'no-store') fail(seen, 'an error must be no-store');
    if (seen.status === 405 && headerOf(seen, 'allow') === undefined) fail(seen, 'no Allow header');
    const value = asRecord(checkBody(seen, '/components/schemas/ErrorBody'));
    const wait = value['retry_after_seconds'];
    if (wait !== undefined && wait !== Number(headerOf(seen, 'retry-after')))
      fail(seen, 'the two waits differ');
    if (seen.method !== 'HEAD' && languageOf(String(seen.language ?? '')) === 'ar') checkArabic(seen, value);
    return seen.method === 'HEAD' ? null : value;
  };

  return {
    check: (seen) => {
      if (seen.status >= 500 && seen.status !== 503) fail(seen, 'no answer may be an unexpected fault');
      const found = operationAt(document, templates, seen.method, seen.path);
      const documented =
        found === null ? undefined : asRecord(found.operation['responses'])[String(seen.status)];
      if (found === null || documented === undefined) {
        if (
          !(found === null ? NOWHERE : BROKEN).has(seen.status) &&
          !(seen.method === 'OPTIONS' && seen.status === 204)
        )
          fail(seen, 'the status is not documented');
        return seen.status === 204 ? null : checkError(seen);
      }
      const lines = Object.keys(asRecord(asRecord(documented)['headers']));
      for (const name of REQUIRED)
        if (lines.includes(name) && headerOf(seen, name.toLowerCase()) === undefined)
          fail(seen, `no ${name} header`);
      if (lines.includes('ETag') && !/^"[^"]+"$/.test(headerOf(seen, 'etag') ?? ''))
        fail(seen, 'no strong ETag');
      if (seen.status >= 400) return checkError(seen);
      if (seen.status === 204) return (seen.body ?? '') === '' ? null : fail(seen, 'a 204 has no body');
      if (seen.status === 304) return (seen.body ?? '') === '' ? null : fail(seen, 'a 304 has no body');
      const [mediaType = JSON_TYPE] = Object.keys(asRecord(asRecord(documented)['content']));
      const content = `content/${mediaType.replaceAll('/', '~1')}`;
      return checkBody(seen, `${found.pointer}/responses/${seen.status}/${content}/schema`, mediaType);
    },
  };
};

const created = new WeakMap<EndpointTable, Conformance>();

/** Against the document of these endpoints; its validators are compiled once per table and process. */
export const conformanceTo = (endpoints: EndpointTable): Conformance => {
  const known =
    created.get(endpoints) ??
    createConformance(openApiDocument(endpoints, { baseUrl: 'https://ahwa.example', version: 'test' }));
  created.set(endpoints, known);
  return known;
};
