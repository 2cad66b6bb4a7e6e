/**
 * Origin and host rules of the tool server, against web pages that reach for a server on the visitor's machine
 * (Decisions 14).
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../kernel/refusal.ts';
import { hostOf, isLoopback } from '../../platform/domain/loopback.ts';
import { memoized } from './cache/memoized.ts';

/** `host[:port]` alone: no user, no path, no space (RFC 9110, 7.2). */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d*)?$/i;

const isLoopbackHost = memoized((host: string): boolean => HOST.test(host) && isLoopback(`http://${host}`));

/** Null: neither http nor https (RFC 6454, 6.1). */
const originKind = memoized(
  (line: string): { readonly isHttps: boolean; readonly isLoopback: boolean } | null => {
    const [, scheme = '', host = ''] = /^(https?):\/\/(.*)$/i.exec(line) ?? [];
    if (!HOST.test(host) || hostOf(line) === null) return null;
    return { isHttps: scheme.toLowerCase() === 'https', isLoopback: isLoopback(line) };
  },
);

/**
 * Any https origin is allowed. While `baseUrl` is loopback, loopback origins are too, and `Host` must be loopback:
 * otherwise a page could point its own name here (DNS rebinding).
 */
export const originCheck = (baseUrl: string) => {
  const isLocalService = isLoopback(baseUrl);
  const isAllowedOrigin = (origin: string): boolean => {
    const kind = originKind(origin);
    return kind !== null && (kind.isHttps || (isLocalService && kind.isLoopback));
  };
  return ({ origin, host }: IncomingHttpHeaders): Refusal | null => {
    if (origin !== undefined && !isAllowedOrigin(origin)) return new Refusal('ORIGIN_NOT_ALLOWED');
    if (isLocalService && host !== undefined && !isLoopbackHost(host)) return new Refusal('HOST_NOT_ALLOWED');
    return null;
  };
};
