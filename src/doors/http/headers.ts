/** The header lines that never change, as flat name-value lists: every answer carries them, so none is built twice. */

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A browser guesses no type, and tells no other site an address of ours. */
const DISCREET = ['X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer'] as const;

/** Of data: a browser that is made to open it as a page loads and runs nothing, in no frame. */
const DATA_POLICY = ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"] as const;

/** Of documents for people: styles of their own, no script, no frame around them. */
const PAGE_POLICY = [
  'Content-Security-Policy',
  "default-src 'none'; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
] as const;

/** Any origin may read what is public, without credentials (Decisions 15). */
export const OPEN_TO_ALL_ORIGINS = ['Access-Control-Allow-Origin', '*'] as const;

const EXPOSED = ['Access-Control-Expose-Headers', 'ETag, RateLimit, RateLimit-Policy, Retry-After'] as const;

/** Of every answer but pages and those to the staff. */
export const EVERY_ANSWER: readonly string[] = [
  ...DISCREET,
  ...DATA_POLICY,
  ...OPEN_TO_ALL_ORIGINS,
  ...EXPOSED,
];

/** Of every page. */
export const EVERY_PAGE: readonly string[] = [
  ...DISCREET,
  ...PAGE_POLICY,
  ...OPEN_TO_ALL_ORIGINS,
  ...EXPOSED,
];

/** Of every answer to the staff, which pages of other origins may not read. */
export const EVERY_STAFF_ANSWER: readonly string[] = [...DISCREET, ...DATA_POLICY];

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

/** Of every answer while the public address is https: browsers then ask by https alone, for a year (RFC 6797). */
export const STRICT_TRANSPORT = ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'] as const;
