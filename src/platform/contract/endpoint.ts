import type { Static, TSchema } from 'typebox';
import type { RefusalName } from '../../kernel/refusal.ts';
import { needsPassword, type Permission } from '../../kernel/permission.ts';
import { Text, type Scalar } from './scalars.ts';

/** Which token bucket a request counts in, besides the general one (Decisions 15). */
export type LimitGroup =
  | 'general'
  | 'ordering_reads'
  | 'delivery_quote'
  | 'otp'
  | 'writes'
  | 'booking_and_loyalty_reads'
  | 'join'
  | 'staff'
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

/** Who may call an operation that is not public: a signed-in person with a permission, or a paired device. */
export type Access =
  | {
      readonly by: 'staff';
      readonly permission: Permission | null;
      /** True: at a shop that is switched off too. */
      readonly evenSuspended?: boolean;
      /** True: only while the password was given lately, whatever the role may. */
      readonly elevated?: boolean;
    }
  | { readonly by: 'device' }
  /** Those who are about to sign in. */
  | { readonly by: 'anyone' };

/** Request header lines that an operation reads, by their lower-case name. */
export type HeaderParameters = QueryParameters;

export type PathParameters = Readonly<Record<string, { scalar: Scalar<unknown>; description: string }>>;
export type QueryParameters = Readonly<Record<string, QueryParameter>>;

/** One operation, declared once: validation, types, OpenAPI, the docs, the client and the routes all read this. */
export interface Endpoint<
  P extends PathParameters = PathParameters,
  Q extends QueryParameters = QueryParameters,
  B extends TSchema | undefined = TSchema | undefined,
  R extends TSchema = TSchema,
  C extends CachePolicy = CachePolicy,
  H extends HeaderParameters = HeaderParameters,
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
  readonly headers: H;
  readonly body: B;
  /** Bytes that a body may have; where nothing is said, what the server takes of any (`doors/http/operations.ts`). */
  readonly bodyLimit?: number;
  readonly status: 200 | 201;
  /**
   * True: `Idempotency-Key` is taken, and a repetition is answered with 200 and what was made (Decisions 8). Such an
   * operation reads `idempotencyHeaders`.
   */
  readonly repeatable?: boolean;
  /** `events`: the answer is a stream of events (text/event-stream), each with data of the shape of `reply`. */
  readonly answers?: 'json' | 'events';
  /** The staff's side; public where nothing is said. */
  readonly access?: Access;
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

export type HeadersOf<E> =
  E extends Endpoint<PathParameters, QueryParameters, TSchema | undefined, TSchema, CachePolicy, infer H>
    ? ValuesOf<H>
    : never;

export type BodyOf<E> = E extends { body: infer B extends TSchema } ? Static<B> : undefined;
export type ReplyOf<E> = E extends { reply: infer R extends TSchema } ? Static<R> : never;

/** Keeps the literal types of a declaration, so that path, query, body and reply types follow from it. */
export const endpoint = <
  const P extends PathParameters,
  const Q extends QueryParameters,
  const R extends TSchema,
  const C extends CachePolicy,
  const B extends TSchema | undefined = undefined,
  const H extends HeaderParameters = Readonly<Record<string, never>>,
>(
  declaration: Omit<Endpoint<P, Q, B, R, C, H>, 'body' | 'status' | 'headers'> & {
    body?: B;
    status?: 200 | 201;
    headers?: H;
  },
): Endpoint<P, Q, B, R, C, H> => ({
  ...declaration,
  headers: declaration.headers ?? ({} as H),
  body: declaration.body as B,
  status: declaration.status ?? 200,
});

/** The same operation, answered with a stream of events. */
export const streaming = <E extends Endpoint>(declared: E): E & { readonly answers: 'events' } => ({
  ...declared,
  answers: 'events',
});

/** The same operation, for those alone whom `access` names. */
export const restricted = <const A extends Access, E extends Endpoint>(
  access: A,
  declared: E,
): E & { readonly access: A } => ({ ...declared, access });

/** 1 to 255 printable characters (Decisions 8). */
const idempotencyKey: Scalar<string> = {
  schema: Text({ examples: ['3b1c9f0a-checkout-1'] }),
  read: (text) => (/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(text) ? text : null),
  expected: '1 to 255 printable ASCII characters',
};

/** What a repeatable operation reads. */
export const idempotencyHeaders = {
  'idempotency-key': optional(
    idempotencyKey,
    'Makes repeating safe: the same key and body is done once, and answered with 200 and what was made.',
  ),
};

/** Refusals that any operation can meet, whatever it does. What is never counted is never refused for that. */
const alwaysOf = (e: Endpoint): readonly RefusalName[] =>
  e.limit === 'none' ? ['INTERNAL'] : ['RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE'];

/** What the one who asks may be refused for, whatever the operation does. */
const accessRefusals = ({ access }: Endpoint): readonly RefusalName[] => {
  if (access === undefined || access.by === 'anyone') return [];
  const isStaff = access.by === 'staff';
  const suspended = isStaff && access.evenSuspended === true ? [] : (['ORG_SUSPENDED'] as const);
  const asked = isStaff ? access.permission : null;
  const permission = asked === null ? [] : (['NOT_PERMITTED'] as const);
  const isLately = (isStaff && access.elevated === true) || (asked !== null && needsPassword(asked));
  const lately = isLately ? (['REAUTHENTICATION_REQUIRED'] as const) : [];
  return ['SIGN_IN_REQUIRED', ...suspended, ...permission, ...lately];
};

/** Whether the body of a request is read. What takes none, and is no read, refuses the fields of one (Decisions 7). */
export const readsBody = ({ body, method }: Pick<Endpoint, 'body' | 'method'>): boolean =>
  body !== undefined || method !== 'GET';

/** Every refusal of an operation: its own, and those that follow from what it takes. */
export const refusalsOf = (e: Endpoint): readonly RefusalName[] => {
  const parameters = [e.params, e.query, e.headers].flatMap((each) => Object.keys(each));
  const takesInput = parameters.length > 0 || readsBody(e);
  return [
    ...new Set<RefusalName>([
      ...(takesInput ? (['INVALID_INPUT'] as const) : []),
      ...accessRefusals(e),
      ...e.refusals,
      ...(e.repeatable === true ? (['IDEMPOTENCY_KEY_REUSED'] as const) : []),
      ...(takesInput ? (['ADDRESS_TOO_LONG'] as const) : []),
      ...(readsBody(e) ? (['BODY_TOO_LARGE', 'NOT_JSON', 'BODY_COMPRESSED'] as const) : []),
      ...alwaysOf(e),
    ]),
  ];
};
