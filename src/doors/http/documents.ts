/** Documents that never change while the process runs: the service description, OpenAPI, the reference pages. */
import { about, openapi } from '../../service/contract/about.ts';
import type { Endpoint, EndpointTable, ReplyOf } from '../../platform/contract/endpoint.ts';
import { endpoint } from '../../platform/contract/endpoint.ts';
import { apiReference, openApiDocument } from '../../service/contract/openapi-document.ts';
import { Text } from '../../platform/contract/scalars.ts';
import { PUBLIC_HEADERS, JSON_TYPE } from './headers.ts';
import type { Entry } from './cache/published-reads.ts';
import { Representations, varyOf } from './cache/representation.ts';

/** Routed like operations, but not in the OpenAPI document. */
const page = (id: string, path: string, isFile = false): Endpoint =>
  endpoint({
    ...{ id, path, method: 'GET', tag: 'Service', summary: 'The reference, for people' },
    ...{ params: {}, query: {}, reply: Text(), refusals: [], examples: {} },
    limit: isFile ? 'files' : 'general',
    cache: isFile ? 'public, max-age=31536000, immutable' : { maxAge: 3600 },
  });

const openapiStaff = page('openapiStaff', '/openapi-staff.json');
const docsMarkdown = page('docsMarkdown', '/docs.md');

export interface ServiceFacts {
  readonly baseUrl: string;
  readonly version: string;
  readonly about: ReplyOf<typeof about>;
}

export interface PlainDocument {
  readonly id: string;
  readonly path: string;
  readonly type: string;
  readonly write: () => string | Buffer;
  /** A file whose address names its content. */
  readonly isFile?: boolean;
  /** Default: those of public answers. */
  readonly headers?: readonly string[];
}

const endpointsFor = (endpoints: EndpointTable, audience: 'public' | 'staff'): EndpointTable =>
  Object.fromEntries(
    Object.entries(endpoints).filter(([, { access }]) => (access !== undefined) === (audience === 'staff')),
  );

export const createDocuments = (
  endpoints: EndpointTable,
  facts: ServiceFacts,
  others: readonly PlainDocument[],
): readonly Entry[] => {
  /** Written at the first request, which keeps the start fast. */
  const entry = (
    at: Endpoint,
    write: PlainDocument['write'],
    type: string,
    headers = PUBLIC_HEADERS,
  ): Entry => {
    let body: Representations | null = null;
    return {
      endpoint: at,
      get body() {
        return (body ??= new Representations({ type, body: write(), headers }, varyOf(at), () => undefined));
      },
      from: Number.NEGATIVE_INFINITY,
      until: Number.POSITIVE_INFINITY,
    };
  };
  const { baseUrl, version, about: service } = facts;
  const open = endpointsFor(endpoints, 'public');
  const staff = endpointsFor(endpoints, 'staff');
  return [
    entry(about, () => JSON.stringify(service), JSON_TYPE),
    entry(openapi, () => JSON.stringify(openApiDocument(open, { baseUrl, version, service })), JSON_TYPE),
    entry(
      openapiStaff,
      () => JSON.stringify(openApiDocument(staff, { baseUrl, version, service, audience: 'staff' })),
      JSON_TYPE,
    ),
    entry(
      docsMarkdown,
      () => apiReference(open, service.name, '/docs#errors'),
      'text/markdown; charset=utf-8',
    ),
    ...others.map(({ id, path, write, type, isFile, headers }) =>
      entry(page(id, path, isFile), write, type, headers),
    ),
  ];
};
