/** The header lines that never change, as flat name-value lists: every answer carries them, so none is built twice. */

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Nothing here is a page: a browser must not guess a type. */
const SECURITY = ['X-Content-Type-Options', 'nosniff'] as const;

/** Any origin may read what is public, without credentials (Decisions 15). */
export const OPEN_TO_ALL_ORIGINS = ['Access-Control-Allow-Origin', '*'] as const;

const EXPOSED = ['Access-Control-Expose-Headers', 'ETag, RateLimit, RateLimit-Policy, Retry-After'] as const;

/** Of every answer but those to the staff. */
export const EVERY_ANSWER: readonly string[] = [...SECURITY, ...OPEN_TO_ALL_ORIGINS, ...EXPOSED];

/** Of every answer to the staff, which pages of other origins may not read. */
export const EVERY_STAFF_ANSWER: readonly string[] = SECURITY;

/** What a preflight may be told for a day: the headers our operations read. */
export const PREFLIGHT: readonly string[] = [
  'Access-Control-Allow-Headers',
  [
    'content-type, accept, accept-language, if-none-match, idempotency-key, x-device-token',
    'mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id',
  ].join(', '),
  'Access-Control-Max-Age',
  '86400',
];

/** Documents for people: styles of their own, no script, no frame around them. */
export const PAGE_SECURITY: readonly string[] = [
  'Referrer-Policy',
  'no-referrer',
  'Content-Security-Policy',
  "default-src 'none'; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
];

/** Of every answer while the public address is https: browsers then ask by https alone, for a year (RFC 6797). */
export const STRICT_TRANSPORT = ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'] as const;
