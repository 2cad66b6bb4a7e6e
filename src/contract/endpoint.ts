import type { Static, TSchema } from 'typebox';
import type { RefusalName } from '../domain/refusal.ts';
import type { Scalar } from './scalars.ts';

/** Which token bucket a request counts in, besides the general one (Decisions 15). */
export type LimitGroup =
  | 'general'
  | 'ordering_reads'
  | 'delivery_quote'
  | 'otp'
  | 'writes'
  | 'booking_and_loyalty_reads'
  | 'join'
  | 'none';

/**
 * How an answer may be kept (Decisions 15): seconds of `public, max-age`, shortened to the next moment at which
 * the answer changes by itself; or a fixed directive.
 */
export type CachePolicy = { readonly maxAge: number } | 'no-cache' | 'private, no-cache' | 'no-store';

/** One query parameter. */
export interface QueryParameter<T = unknown, Required extends boolean = boolean> {
  readonly scalar: Scalar<T>;
  readonly required: Required;
  readonly description: string;
}

export const required = <T>(scalar: Scalar<T>, description: string): QueryParameter<T, true> => ({
  scalar,
  required: true,
  description,
});
export const optional = <T>(scalar: Scalar<T>, description: string): QueryParameter<T, false> => ({
  scalar,
  required: false,
  description,
});

export type PathParameters = Readonly<Record<string, { scalar: Scalar<unknown>; description: string }>>;
export type QueryParameters = Readonly<Record<string, QueryParameter>>;

/** One operation, declared once: validation, types, OpenAPI, the docs, the client and the routes all read this. */
export interface Endpoint<
  P extends PathParameters = PathParameters,
  Q extends QueryParameters = QueryParameters,
  B extends TSchema | undefined = TSchema | undefined,
  R extends TSchema = TSchema,
  C extends CachePolicy = CachePolicy,
> {
  /** The OpenAPI operation id, and the name of the app function that answers. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** As in OpenAPI: `/public/branches/{id}/menu`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Bytes that a body may have; where nothing is said, what the server takes of any (`http/operations.ts`). */
  readonly bodyLimit?: number;
  readonly status: 200 | 201;
  readonly reply: R;
  /** Besides those that every operation of its kind can raise (see `refusalsOf`). */
  readonly refusals: readonly RefusalName[];
  readonly cache: C;
  readonly limit: LimitGroup;
  /** Name to a whole reply (and body, where it takes one) for the documents; each is checked against the shapes. */
  readonly examples: Readonly<Record<string, { body?: unknown; reply: Static<R> }>>;
}

type ScalarValue<S> = S extends Scalar<infer T> ? T : never;

export type PathOf<E> =
  E extends Endpoint<infer P> ? { readonly [K in keyof P]: ScalarValue<P[K]['scalar']> } : never;

/** The values of parameters, once read; an optional one may be missing. */
export type ValuesOf<Q extends QueryParameters> = {
  readonly [K in keyof Q as Q[K]['required'] extends true ? K : never]: ScalarValue<Q[K]['scalar']>;
} & {
  readonly [K in keyof Q as Q[K]['required'] extends true ? never : K]?: ScalarValue<Q[K]['scalar']>;
};

export type QueryOf<E> = E extends Endpoint<PathParameters, infer Q> ? ValuesOf<Q> : never;

export type BodyOf<E> = E extends { body: infer B extends TSchema } ? Static<B> : undefined;
export type ReplyOf<E> = E extends { reply: infer R extends TSchema } ? Static<R> : never;

/** Keeps the literal types of a declaration, so that path, query, body and reply types follow from it. */
export const endpoint = <
  const P extends PathParameters,
  const Q extends QueryParameters,
  const R extends TSchema,
  const C extends CachePolicy,
  const B extends TSchema | undefined = undefined,
>(
  declaration: Omit<Endpoint<P, Q, B, R, C>, 'body' | 'status'> & { body?: B; status?: 200 | 201 },
): Endpoint<P, Q, B, R, C> => ({
  ...declaration,
  body: declaration.body as B,
  status: declaration.status ?? 200,
});

/** Refusals that any operation can meet, whatever it does. What is never counted is never refused for that. */
const alwaysOf = (e: Endpoint): readonly RefusalName[] =>
  e.limit === 'none' ? ['INTERNAL'] : ['RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE'];

/** Every refusal of an operation: its own, and those that follow from what it takes. */
export const refusalsOf = (e: Endpoint): readonly RefusalName[] => {
  const takesInput = Object.keys(e.params).length + Object.keys(e.query).length > 0 || e.body !== undefined;
  return [
    ...new Set<RefusalName>([
      ...(takesInput ? (['INVALID_INPUT'] as const) : []),
      ...e.refusals,
      ...(takesInput ? (['ADDRESS_TOO_LONG'] as const) : []),
      ...(e.body === undefined ? [] : (['BODY_TOO_LARGE', 'NOT_JSON', 'BODY_COMPRESSED'] as const)),
      ...alwaysOf(e),
    ]),
  ];
};
