/** Constant header lines: flat lists of names and values. */

export const JSON_TYPE = 'application/json; charset=utf-8';

const BASE_HEADERS = ['X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer'] as const;

/** For data that a browser opens as a page: it loads no resources and runs no scripts. */
const DATA_POLICY = ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"] as const;

/** Public responses, without credentials (Decisions 15). */
const OPEN_TO_ALL_ORIGINS = ['Access-Control-Allow-Origin', '*'] as const;

export const EXPOSED = [
  'Access-Control-Expose-Headers',
  'ETag, RateLimit, RateLimit-Policy, Retry-After',
] as const;

export const PUBLIC_HEADERS: readonly string[] = [
  ...BASE_HEADERS,
  ...DATA_POLICY,
  ...OPEN_TO_ALL_ORIGINS,
  ...EXPOSED,
];

/** Pages of other origins may not read the staff API, except those of a console. */
export const STAFF_HEADERS: readonly string[] = [...BASE_HEADERS, ...DATA_POLICY];

/** For browsers to cache for a day. */
export const PREFLIGHT: readonly string[] = [
  'Access-Control-Allow-Headers',
  [
    'content-type, accept, accept-language, if-none-match, idempotency-key, x-device-token',
    'mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id',
  ].join(', '),
  'Access-Control-Max-Age',
  '86400',
];

/** For a console, which signs in by a cookie. For browsers to cache for a day. */
export const CONSOLE_PREFLIGHT: readonly string[] = [
  'Access-Control-Allow-Headers',
  'content-type, accept, accept-language, authorization, idempotency-key, x-known-device, last-event-id',
  'Access-Control-Max-Age',
  '86400',
];

/** For a year (RFC 6797). */
export const STRICT_TRANSPORT = ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'] as const;
