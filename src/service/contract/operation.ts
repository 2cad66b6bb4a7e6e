/** Facts about operations that OpenAPI and the reference share. */
import { REFUSALS, type RefusalName } from '../../kernel/refusal.ts';
import { fileOf, type Endpoint, type QueryParameter } from '../../platform/contract/endpoint.ts';
import { refusalsOf } from '../../platform/contract/endpoint.ts';
import { SESSION_COOKIE } from '../../staff/contract/sign-in.ts';

/** Whether replies are cached and have an `ETag`. */
export const isPublished = (e: Endpoint): boolean => e.method === 'GET' && e.cache !== 'no-store';

/** Without parameters. */
export const mediaTypeOf = (e: Endpoint): string => {
  if (e.answers === 'events') return 'text/event-stream';
  return fileOf(e)?.mediaType.split(';')[0] ?? 'application/json';
};

export interface Parameter extends QueryParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
}

/** `idempotency-key` → `Idempotency-Key`. */
const lineName = (name: string): string => name.replace(/(^|-)([a-z])/g, (text) => text.toUpperCase());

export const parametersOf = (e: Endpoint): readonly Parameter[] => [
  ...Object.entries(e.params).map(
    ([name, of]) => ({ ...of, name, in: 'path', required: true }) satisfies Parameter,
  ),
  ...Object.entries(e.query).map(([name, of]) => ({ ...of, name, in: 'query' }) satisfies Parameter),
  ...Object.entries(e.headers).map(
    ([name, of]) => ({ ...of, name: lineName(name), in: 'header' }) satisfies Parameter,
  ),
];

export const IF_NONE_MATCH = {
  name: 'If-None-Match',
  description: 'The `ETag` of the answer that the client holds.',
} as const;

export const BEARER_TOKENS = {
  staff: 'The `token` of a sign-in. A page of our own origin may have it in a cookie instead.',
  device: 'The `device_token` of a paired device.',
} as const;

/** As in OpenAPI. */
export const SECURITY_SCHEMES = {
  deviceToken: {
    ...{ type: 'apiKey', in: 'header', name: 'X-Device-Token' },
    description: 'The `device_token` of POST /public/otp/verify: proves a phone.',
  },
  staff: { type: 'http', scheme: 'bearer', description: BEARER_TOKENS.staff },
  staffCookie: {
    ...{ type: 'apiKey', in: 'cookie', name: SESSION_COOKIE.https },
    description: `Set by a sign-in with \`session: cookie\`, for pages of this origin and of \`CONSOLE_ORIGINS\`; \`${SESSION_COOKIE.http}\` while the service is behind http.`,
  },
  device: { type: 'http', scheme: 'bearer', description: BEARER_TOKENS.device },
} as const;

export interface TokenUse {
  /** One of them is enough. */
  readonly schemes: readonly (keyof typeof SECURITY_SCHEMES)[];
  /** The operation answers without one too. */
  readonly isOptional: boolean;
}

/** The token that an operation takes in a header or cookie. One that refuses a request without proof of the phone requires it. */
export const tokenUseOf = ({ access, headers, refusals }: Endpoint): TokenUse | null => {
  if (access?.by === 'staff') return { schemes: ['staff', 'staffCookie'], isOptional: false };
  if (access?.by === 'device') return { schemes: ['device'], isOptional: false };
  if (!('x-device-token' in headers)) return null;
  return { schemes: ['deviceToken'], isOptional: !refusals.includes('PHONE_NOT_VERIFIED') };
};

/** 200 of a repeated request, and 304. */
export const REPEATED_DESCRIPTION =
  'The same was asked for before under this `Idempotency-Key`: what was made, as it stands now.';
export const NOT_MODIFIED_DESCRIPTION = 'The client holds this answer (`If-None-Match`).';

/** Refusals by status, ascending. An operation without a limit group is never rate limited. */
export const refusalsByStatus = (e: Endpoint): readonly (readonly [number, readonly RefusalName[]])[] => {
  const names = refusalsOf(e).filter((name) => name !== 'RATE_LIMITED' || e.limit !== 'none');
  const statuses = [...new Set(names.map((name) => REFUSALS[name].status))].sort((a, b) => a - b);
  return statuses.map((status) => [status, names.filter((name) => REFUSALS[name].status === status)]);
};

export const ANSWER_HEADERS = {
  ETag: {
    line: 'ETag',
    description: 'The tag of these bytes; send it back in If-None-Match.',
    example: '"9Jb0lNfYxM3n2vQkz1c4bw-br"',
  },
  CacheControl: {
    line: 'Cache-Control',
    description: 'How long the answer may be kept.',
    example: 'public, max-age=30',
  },
  Vary: {
    line: 'Vary',
    description: 'The request headers that choose among answers.',
    example: 'Accept-Encoding',
  },
  RateLimitPolicy: {
    line: 'RateLimit-Policy',
    description: 'The limits this request counts in: requests (q) per seconds (w).',
    example: '"ordering_reads";q=300;w=15, "general";q=2000;w=60',
  },
  RateLimit: {
    line: 'RateLimit',
    description:
      'What is left of each limit (r), the nearest to its end first, and the seconds until there is more (t).',
    example: '"ordering_reads";r=299;t=1, "general";r=1999;t=1',
  },
  RetryAfter: { line: 'Retry-After', description: 'Seconds to wait.', example: 3 },
  RequestId: {
    line: 'X-Request-Id',
    description: 'Names this request in our log.',
    example: '5f1d0c9b7a3e2846-1a',
  },
} as const;

export type AnswerHeader = keyof typeof ANSWER_HEADERS;
