/** Who may speak to the tool server: its origin and host rules, against pages that reach for a server at home (Decisions 14). */
import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../domain/refusal.ts';
import { remembered } from './remembered.ts';

/** Names that lead to the machine they are looked up on. */
const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

const hostOf = (address: string): string | null => {
  try {
    return new URL(address).hostname;
  } catch {
    return null;
  }
};

const isLoopback = remembered((address: string): boolean => LOOPBACK.test(hostOf(address) ?? ''));

/**
 * The refusal of a request by `Origin` or `Host`, or null. Any https origin may speak, and one of this machine while
 * the service's own address is of this machine; then, too, `Host` must name this machine, or a page could point its
 * own name here.
 */
export const originRules = (baseUrl: string) => {
  const isAtHome = isLoopback(baseUrl);
  return ({ origin, host }: IncomingHttpHeaders): Refusal | null => {
    if (origin !== undefined && !/^https:\/\/[^/\s,]+$/i.test(origin) && !(isAtHome && isLoopback(origin)))
      return new Refusal('ORIGIN_NOT_ALLOWED');
    if (isAtHome && host !== undefined && !isLoopback(`http://${host}`))
      return new Refusal('HOST_NOT_ALLOWED');
    return null;
  };
};
