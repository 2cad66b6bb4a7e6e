/**
 * Sessions of staff in a browser: their token is in a cookie that no script reads, and pages of our own origins alone
 * may use it and read the staff API (Decisions 12, 15).
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { CookieSession } from '../../platform/app/answer.ts';
import { SESSION_COOKIE } from '../../staff/contract/sign-in.ts';
import { isStaffPath, targetOf } from './address.ts';
import { EXPOSED } from './headers.ts';

export interface BrowserSessions {
  /** The token in the cookie of a page of our own; null with `Authorization`, and for a page of another origin. */
  tokenOf(headers: IncomingHttpHeaders): string | null;
  /** The header lines that set the cookie; null: those that clear the one that the request used, if it used one. */
  cookieLines(session: CookieSession | null, headers: IncomingHttpHeaders): readonly string[];
  /** Whether a console's page asks for the staff API from its own origin. */
  isConsole(request: IncomingMessage): boolean;
  /** The header lines that let a console's page read the answer; none for any other request. */
  corsLines(request: IncomingMessage): readonly string[];
}

/** `consoleOrigins`: as browsers write them in `Origin`. */
export const createBrowserSessions = (
  baseUrl: string,
  consoleOrigins: readonly string[],
): BrowserSessions => {
  const isHttps = baseUrl.startsWith('https:');
  const name = isHttps ? SESSION_COOKIE.https : SESSION_COOKIE.http;
  const pattern = new RegExp(String.raw`(?:^|;\s*)${name}=([\w-]{1,200})(?:;|$)`);
  const consoles = new Set(consoleOrigins);
  const own = new Set([new URL(baseUrl).origin, ...consoleOrigins]);

  const setCookie = (value: string, maxAgeSeconds: number): readonly string[] => [
    'Set-Cookie',
    `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Strict; HttpOnly${isHttps ? '; Secure' : ''}`,
  ];

  // Without `Origin`, as of a GET, only `Sec-Fetch-Site` says whose page asks.
  const isOfOwnPage = ({ origin, ...headers }: IncomingHttpHeaders): boolean =>
    origin === undefined ? headers['sec-fetch-site'] === 'same-origin' : own.has(origin);

  const tokenOf = (headers: IncomingHttpHeaders): string | null =>
    headers.authorization === undefined && isOfOwnPage(headers)
      ? (pattern.exec(headers.cookie ?? '')?.[1] ?? null)
      : null;

  const isConsole = ({ headers: { origin }, url = '' }: IncomingMessage): boolean =>
    origin !== undefined && consoles.has(origin) && isStaffPath(targetOf(url).path);

  return {
    tokenOf,
    cookieLines: (session, headers) => {
      if (session !== null) return setCookie(session.token, session.maxAgeSeconds);
      return tokenOf(headers) === null ? [] : setCookie('', 0);
    },
    isConsole,
    corsLines: (request) =>
      isConsole(request)
        ? [
            ...['Access-Control-Allow-Origin', request.headers.origin ?? ''],
            ...['Access-Control-Allow-Credentials', 'true', 'Vary', 'Origin'],
            ...EXPOSED,
          ]
        : [],
  };
};
