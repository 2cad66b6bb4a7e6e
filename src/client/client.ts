/**
 * The typed client: one method per operation, typed by the endpoint table. Imports only types from it, so
 * that no schema library reaches a browser.
 *
 *     const ahwa = createClient({ baseUrl: 'https://ahwa.example', fetch });
 *     const { body, etag } = await ahwa.getBranchMenu({ path: { id }, query: { channel: 'pickup' } });
 *     const again = await ahwa.getBranchMenu({ path: { id }, query: { channel: 'pickup' }, ifNoneMatch: etag });
 *     if (again.status === 304) …  // not modified
 */
import type { BodyOf, HeadersOf, PathOf, QueryOf, ReplyOf } from '../platform/contract/endpoint.ts';
import type { ErrorBody } from '../platform/contract/error.ts';
import type { EndpointOf, OperationId } from '../service/contract/endpoints.ts';
import { operations } from './operations.ts';

/** Absent when empty; optional when it has no required field. */
type Part<Name extends string, T> = [T] extends [undefined]
  ? { readonly [K in Name]?: undefined }
  : Partial<T> extends T
    ? { readonly [K in Name]?: T }
    : { readonly [K in Name]: T };

export type RequestOf<Id extends OperationId> = Part<'path', PathOf<EndpointOf<Id>>> &
  Part<'query', QueryOf<EndpointOf<Id>>> &
  Part<'body', BodyOf<EndpointOf<Id>>> & {
    /** Names in lower case, such as `idempotency-key`. */
    readonly headers?: HeadersOf<EndpointOf<Id>>;
    /** The `etag` of the cached reply. */
    readonly ifNoneMatch?: string | null;
    /** How a browser's cache is used. */
    readonly cache?: RequestCache;
    readonly signal?: AbortSignal;
  };

/** A reply, or 304 without body: the cached reply is current. */
export type ResultOf<Id extends OperationId> =
  | { readonly status: 200 | 201 | 204; readonly body: ReplyOf<EndpointOf<Id>>; readonly etag: string | null }
  | { readonly status: 304; readonly body: null; readonly etag: string | null };

/** The body of an answer. */
export type Reply<Id extends OperationId> = ReplyOf<EndpointOf<Id>>;

/** No argument when no parameter is required. */
type Arguments<R> = Partial<R> extends R ? [request?: R] : [request: R];

export type Client = {
  readonly [Id in OperationId]: (...request: Arguments<RequestOf<Id>>) => Promise<ResultOf<Id>>;
};

/** Status and error body of a refused request. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly body: ErrorBody;
  /** Seconds to wait before a retry; null when a retry does not help. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, body: ErrorBody, retryAfterSeconds: number | null) {
    super(body.error);
    this.status = status;
    this.body = body;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface ClientOptions {
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  /** For every request, such as `Accept-Language`. */
  readonly headers?: Readonly<Record<string, string>>;
}

type Values = Readonly<Record<string, string | number | boolean | undefined>>;

interface AnyRequest {
  readonly path?: Values;
  readonly query?: Values;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly ifNoneMatch?: string | null;
  readonly cache?: RequestCache;
  readonly signal?: AbortSignal;
}

const addressOf = (baseUrl: string, path: string, request: AnyRequest): string => {
  const place = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(request.path?.[name])),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {}))
    if (value !== undefined) query.set(name, String(value));
  const text = query.toString();
  return `${baseUrl.replace(/\/$/, '')}${place}${text === '' ? '' : `?${text}`}`;
};

/** A proxy's page, for example, is wrapped in our error body. */
const errorOf = async (response: Response): Promise<ApiError> => {
  const text = await response.text();
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
  let body: ErrorBody = {
    error: text === '' ? `The service answered ${response.status}.` : text.slice(0, 200),
  };
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && 'error' in parsed) body = parsed as ErrorBody;
  } catch {
    // Not JSON: the text is the message.
  }
  return new ApiError(response.status, body, Number.isFinite(wait) ? wait : null);
};

/** Rejects as the methods of a client do. */
export const call = async (
  { baseUrl, fetch, headers }: ClientOptions,
  operation: { readonly method: string; readonly path: string },
  request: AnyRequest,
): Promise<{ status: number; body: unknown; etag: string | null }> => {
  const hasBody = request.body !== undefined;
  const response = await fetch(addressOf(baseUrl, operation.path, request), {
    method: operation.method,
    headers: {
      ...headers,
      ...request.headers,
      Accept: 'application/json',
      ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
      ...(request.ifNoneMatch ? { 'If-None-Match': request.ifNoneMatch } : {}),
    },
    ...(hasBody ? { body: JSON.stringify(request.body) } : {}),
    ...(request.cache === undefined ? {} : { cache: request.cache }),
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  });
  const etag = response.headers.get('etag');
  if (response.status === 304) return { status: 304, body: null, etag };
  if (!response.ok) throw await errorOf(response);
  return {
    status: response.status,
    body: response.status === 204 ? null : await response.json(),
    etag,
  };
};

/** Methods reject with ApiError when the service refuses, and as `fetch` does when it cannot be reached. */
export const createClient = (options: ClientOptions): Client =>
  Object.fromEntries(
    Object.entries(operations).map(([id, operation]) => [
      id,
      (request: AnyRequest = {}) => call(options, operation, request),
    ]),
  ) as unknown as Client;
