import Type, { type Static, type TSchema } from 'typebox';
import type { RefusalName } from '../../kernel/refusal.ts';
import { needsPassword, type Permission } from '../../kernel/permission.ts';
import { Text, type Scalar } from './scalars.ts';

/** Token bucket of an operation, in addition to the general one (Decisions 15). */
export type LimitGroup =
  | 'general'
  | 'ordering_reads'
  | 'delivery_quote'
  | 'otp'
  | 'writes'
  | 'join'
  | 'booking_and_loyalty_reads'
  | 'staff'
  /** Pictures and files whose address names their content; not counted as general. */
  | 'files'
  | 'none';

/**
 * Cache directive (Decisions 15): `maxAge` in seconds gives `public, max-age`, shortened to the expiry of the
 * answer.
 */
export type CachePolicy =
  | { readonly maxAge: number }
  | 'no-cache'
  | 'private, no-cache'
  | 'no-store'
  /** For a year: the address names the content. */
  | 'public, max-age=31536000, immutable';

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

export type Access =
  | {
      readonly by: 'staff';
      readonly permission: Permission | null;
      /** Also allowed at a suspended shop. */
      readonly evenSuspended?: boolean;
      /** Requires a recent password entry, whatever the permission. */
      readonly elevated?: boolean;
    }
  | {
      readonly by: 'device';
      /** Also allowed to a device that ended within 30 days, and at a suspended shop. */
      readonly evenEnded?: boolean;
    }
  /** No sign-in yet. */
  | { readonly by: 'anyone' };

/** Keys in lower case. */
export type HeaderParameters = QueryParameters;

export type PathParameters = Readonly<Record<string, { scalar: Scalar<unknown>; description: string }>>;
export type QueryParameters = Readonly<Record<string, QueryParameter>>;

/** The reply of an operation with status 204. */
export const NoContent = Type.Null();

/** Text or bytes with a media type of their own, and the name under which a browser saves them. */
export interface FileAnswer {
  readonly mediaType: string;
  readonly filename: string;
}

/**
 * Declaration of one operation: validation, types, OpenAPI, the documentation, the client and the routes all
 * derive from it.
 */
export interface Endpoint<
  P extends PathParameters = PathParameters,
  Q extends QueryParameters = QueryParameters,
  B extends TSchema | undefined = TSchema | undefined,
  R extends TSchema = TSchema,
  C extends CachePolicy = CachePolicy,
  H extends HeaderParameters = HeaderParameters,
> {
  /** OpenAPI operation id and name of the handler. */
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
  /** Bytes; default: `BODY_LIMIT` of `body-limits.ts`. */
  readonly bodyLimit?: number;
  /** 204: without a body; `reply` is `NoContent`. */
  readonly status: 200 | 201 | 204;
  /**
   * Accepts `Idempotency-Key`; a repeated request is answered with 200 and the existing resource
   * (Decisions 8). Requires `idempotencyHeaders`.
   */
  readonly repeatable?: boolean;
  /**
   * `events`: text/event-stream; the data of each event has the shape of `reply`. A file: `reply` is its text or its bytes.
   * `content`: a `Content`. `page`: a `Content` in the language of the reader, whose refusals are pages too.
   */
  readonly answers?: 'json' | 'events' | 'content' | 'page' | FileAnswer;
  /** undefined: public. */
  readonly access?: Access;
  readonly reply: R;
  /** In addition to those of `refusalsOf`. */
  readonly refusals: readonly RefusalName[];
  readonly cache: C;
  readonly limit: LimitGroup;
  /** For the documentation; a test checks them against the schemas. */
  readonly examples: Readonly<Record<string, { body?: unknown; reply: Static<R> }>>;
}

type ScalarValue<S> = S extends Scalar<infer T> ? T : never;

export type PathOf<E> =
  E extends Endpoint<infer P> ? { readonly [K in keyof P]: ScalarValue<P[K]['scalar']> } : never;

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

/** Preserves the literal types of a declaration. */
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
    status?: 200 | 201 | 204;
    headers?: H;
  },
): Endpoint<P, Q, B, R, C, H> => ({
  ...declaration,
  headers: declaration.headers ?? ({} as H),
  body: declaration.body as B,
  status: declaration.status ?? 200,
});

/** The operation, answered with a stream of events. */
export const streaming = <E extends Endpoint>(declared: E): E & { readonly answers: 'events' } => ({
  ...declared,
  answers: 'events',
});

/** The operation, answered with a file. */
export const fileAnswer = <E extends Endpoint>(
  answers: FileAnswer,
  declared: E,
): E & { readonly answers: FileAnswer } => ({ ...declared, answers });

/** The file that an operation is answered with, if it is. */
export const fileOf = ({ answers }: Pick<Endpoint, 'answers'>): FileAnswer | null =>
  typeof answers === 'object' ? answers : null;

/** Whether the reply is a `Content`. */
export const isContent = ({ answers }: Pick<Endpoint, 'answers'>): boolean =>
  answers === 'content' || answers === 'page';

export const isPage = ({ answers }: Pick<Endpoint, 'answers'>): boolean => answers === 'page';

export const restricted = <const A extends Access, E extends Endpoint>(
  access: A,
  declared: E,
): E & { readonly access: A } => ({ ...declared, access });

/** 1 to 255 printable characters (Decisions 8). */
const idempotencyKey: Scalar<string> = {
  schema: Text({ examples: ['3b1c9f0a-checkout-1'] }),
  read: (text) => (/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(text) ? text : null),
  expected: { en: '1 to 255 printable ASCII characters', ar: 'من 1 إلى 255 من محارف ASCII القابلة للطباعة' },
};

export const idempotencyHeaders = {
  'idempotency-key': optional(
    idempotencyKey,
    'Makes repeating safe: the same key and body is done once, and answered with 200 and what was made.',
  ),
};

/** Operations by name. */
export type EndpointTable = Readonly<Record<string, Endpoint>>;

/** Refusals common to all operations. One without a limit group is never rate limited. */
const alwaysOf = (e: Endpoint): readonly RefusalName[] =>
  e.limit === 'none'
    ? ['INTERNAL']
    : ['RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE', ...(e.method === 'GET' ? [] : (['SHOP_MOVING'] as const))];

const accessRefusals = ({ access }: Endpoint): readonly RefusalName[] => {
  if (access === undefined || access.by === 'anyone') return [];
  const isStaff = access.by === 'staff';
  const suspended = isStaff && access.evenSuspended === true ? [] : (['ORG_SUSPENDED'] as const);
  const asked = isStaff ? access.permission : null;
  const permission = asked === null ? [] : (['NOT_PERMITTED'] as const);
  const isLately = (isStaff && access.elevated === true) || (asked !== null && needsPassword(asked));
  const lately = isLately ? (['REAUTHENTICATION_REQUIRED'] as const) : [];
  const ended = isStaff ? 'SESSION_ENDED' : 'DEVICE_REVOKED';
  return ['SIGN_IN_REQUIRED', ended, ...suspended, ...permission, ...lately];
};

/** Whether the body is read. An operation without a body that is no GET rejects fields (Decisions 7). */
export const readsBody = ({ body, method }: Pick<Endpoint, 'body' | 'method'>): boolean =>
  body !== undefined || method !== 'GET';

/** The declared ones and those that follow from access and input. */
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
