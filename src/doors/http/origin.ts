/** Who may speak to the tool server: its origin and host rules, against pages that reach for a server at home (Decisions 14). */
import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../kernel/refusal.ts';
import { remembered } from './cache/remembered.ts';

/** Names that lead to the machine they are looked up on, as `URL` writes them: `::ffff:7fxx:xxxx` is a mapped 127.x.x.x. */
const LOOPBACK =
  /^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;

/** `host[:port]` and nothing around it: no user, no path, no blank (RFC 9110, 7.2). */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d*)?$/i;

const nameOf = (address: string): string | null => {
  try {
    return new URL(address).hostname;
  } catch {
    return null;
  }
};

const isLoopback = (address: string): boolean => LOOPBACK.test(nameOf(address) ?? '');

const isLoopbackHost = remembered((host: string): boolean => HOST.test(host) && isLoopback(`http://${host}`));

/** What kind of origin a line names, `scheme://host[:port]` (RFC 6454, 6.1); null: none of ours. */
const originKind = remembered(
  (line: string): { readonly isHttps: boolean; readonly isLoopback: boolean } | null => {
    const [, scheme = '', host = ''] = /^(https?):\/\/(.*)$/i.exec(line) ?? [];
    if (!HOST.test(host) || nameOf(line) === null) return null;
    return { isHttps: scheme.toLowerCase() === 'https', isLoopback: isLoopback(line) };
  },
);

/**
 * The refusal of a request by `Origin` or `Host`, or null. Any https origin may speak, and one of this machine while
 * the service's own address is of this machine; then, too, `Host` must name this machine, or a page could point its
 * own name here.
 */
export const originRules = (baseUrl: string) => {
  const isAtHome = isLoopback(baseUrl);
  const maySpeak = (origin: string): boolean => {
    const kind = originKind(origin);
    return kind !== null && (kind.isHttps || (isAtHome && kind.isLoopback));
  };
  return ({ origin, host }: IncomingHttpHeaders): Refusal | null => {
    if (origin !== undefined && !maySpeak(origin)) return new Refusal('ORIGIN_NOT_ALLOWED');
    if (isAtHome && host !== undefined && !isLoopbackHost(host)) return new Refusal('HOST_NOT_ALLOWED');
    return null;
  };
};
