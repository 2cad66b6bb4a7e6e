/** How a page is declared. Pages are endpoints of the HTTP door that no API document lists. */
import Type from 'typebox';
import { LANGUAGES, type Language } from '../../kernel/names.ts';
import type { Answer, Content } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import { endpoint, optional, type CachePolicy, type Endpoint } from '../../platform/contract/endpoint.ts';
import { Text, wordScalar, type Scalar } from '../../platform/contract/scalars.ts';
import type { DemoContents } from '../../service/app/demo.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Site } from './document.tsx';

/** Any text: an address that no page has is answered as not found, not as wrong input. */
const anyText: Scalar<string> = { schema: Text(), read: (text) => text, expected: { en: 'text', ar: 'نص' } };

const parametersOf = (path: string) =>
  Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, { scalar: anyText, description: '' }]),
  );

interface PageOptions {
  /** Names of query parameters, whose values are optional text. */
  readonly query?: readonly string[];
  /** Default `no-cache`: revalidated by its tag. */
  readonly cache?: CachePolicy;
  readonly limit?: Endpoint['limit'];
}

const contentEndpoint = (
  answers: 'page' | 'content',
  id: string,
  path: string,
  { query = [], cache = 'no-cache', limit = 'general' }: PageOptions,
): Endpoint => ({
  ...endpoint({
    ...{
      id,
      path,
      method: 'GET',
      tag: 'Pages',
      summary: id,
      reply: Type.Unknown(),
      refusals: [],
      examples: {},
    },
    ...{ params: parametersOf(path), cache, limit },
    query: {
      ...Object.fromEntries(query.map((name) => [name, optional(anyText, '')])),
      ...(answers === 'page' ? { lang: optional(wordScalar(LANGUAGES), 'The language of the page.') } : {}),
    },
  }),
  answers,
});

/** The path's parameters are text. */
export const pageEndpoint = (id: string, path: string, options: PageOptions = {}): Endpoint =>
  contentEndpoint('page', id, path, options);

/** What pages load: in no language. */
export const fileEndpoint = (id: string, path: string, options: PageOptions = {}): Endpoint =>
  contentEndpoint('content', id, path, options);

export interface PageInput {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>> & { readonly lang?: Language };
  /** `language` null: neither remembered nor preferred. */
  readonly caller: { readonly language: Language | null };
}

export interface PageParts extends Site {
  readonly app: App;
  /** Null: no demo shops are shown. */
  readonly demo: (() => Promise<DemoContents>) | null;
}

/** Of pages that belong to no shop, so that no change concerns them. */
const NO_SHOP = '00000000-0000-0000-0000-000000000000';

export const serviceAnswer = (body: Content, validUntil: Instant | null): Answer<Content> => ({
  ...{ body, orgId: NO_SHOP, scopes: [], version: 0, validUntil },
});

export interface Page {
  readonly endpoint: Endpoint;
  /** An answer that is cached, or for `no-store` the content. Throws `Refusal`, such as NOT_FOUND. */
  readonly handler: (parts: PageParts) => (input: PageInput) => Promise<Answer<Content> | Content>;
}
