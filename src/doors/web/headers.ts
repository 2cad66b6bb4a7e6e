/** Header lines of pages and of what they load. */
import { createHash } from 'node:crypto';
import { languageCookie } from '../http/reader.ts';

const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'img-src': "'self'",
  'font-src': "'self'",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'worker-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
} as const;

const hashOf = (style: string): string => `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** `styles`: the inline styles that the page may have. */
const policyWith = (styles: readonly string[]): string =>
  Object.entries({ ...POLICY, 'style-src': ["'self'", ...styles.map(hashOf)].join(' ') })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');

export const pageHeaders = (styles: readonly string[]): readonly string[] => [
  ...['Content-Security-Policy', policyWith(styles)],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['X-Frame-Options', 'DENY'],
  ...['Referrer-Policy', 'no-referrer'],
  ...['Cross-Origin-Opener-Policy', 'same-origin'],
  ...['Permissions-Policy', 'geolocation=(self), camera=(), microphone=(), payment=()'],
];

/** Of pages that a secret address opens. */
export const NOT_INDEXED: readonly string[] = ['X-Robots-Tag', 'noindex, nofollow'];

/** Of scripts, styles and pictures. A service worker fetches by the policy of its own script. */
export const FILE_HEADERS: readonly string[] = [
  ...['Content-Security-Policy', "default-src 'none'; connect-src 'self'"],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
];

/** For a year. */
export const rememberLanguage = (language: string, isHttps: boolean): readonly string[] => [
  'Set-Cookie',
  `${languageCookie(isHttps)}=${language}; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly${isHttps ? '; Secure' : ''}`,
];
