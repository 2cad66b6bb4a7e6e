/**
 * https to public addresses only (Decisions 12), unless `parts` permit more. The name is resolved once, all its
 * addresses are checked, and the connection uses only those, so that DNS cannot change in between. Any port is allowed,
 * because only the public internet is reachable.
 */
import { Resolver } from 'node:dns/promises';
import { Agent as PlainAgent } from 'node:http';
import { Agent, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { codeOf } from '../platform/domain/fault-code.ts';
import { isPublicAddress } from '../platform/domain/public-address.ts';
import { portOf } from '../platform/domain/url-port.ts';

export interface PublicHttpsParts {
  /** Empty for an unknown name. */
  readonly resolve: (host: string, url: URL) => Promise<readonly string[]>;
  /** Of each address that the host of the URL leads to. */
  readonly isAllowed: (address: string, url: URL) => boolean;
  readonly isHttpAllowed: (url: URL) => boolean;
  /** undefined: those of Node.js. */
  readonly ca: string | undefined;
  /** For resolution, request and response together. */
  readonly timeLimitMs: number;
}

/** Uses DNS only, not the hosts file of this machine. */
export const resolveName = async (host: string): Promise<readonly string[]> => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
};

export const PUBLIC_HTTPS: PublicHttpsParts = {
  ...{ resolve: resolveName, isAllowed: isPublicAddress, isHttpAllowed: () => false },
  ...{ ca: undefined, timeLimitMs: 10_000 },
};

/** Of a connection that failed, for a reason. */
export const shownCodeOf = (fault: unknown): string => {
  const code = codeOf(fault);
  return code === '' ? 'no code' : code;
};

const lookupOf =
  (addresses: readonly string[]): LookupFunction =>
  (_host, options, callback) => {
    const all = addresses.map((address) => ({ address, family: isIP(address) }));
    const [first] = all;
    if (options.all === true) callback(null, all);
    else callback(null, first?.address ?? '', first?.family);
  };

export interface Destination {
  readonly url: URL;
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly addresses: readonly string[];
}

/** No keep-alive, and no proxy from the environment. */
const agent = new Agent({ keepAlive: false, maxCachedSessions: 0 });
const plainAgent = new PlainAgent({ keepAlive: false });

/** The part of a request that leads to the checked addresses. */
export const optionsTo = ({ url, host, addresses }: Destination, ca: string | undefined): RequestOptions => ({
  ...{ host, port: portOf(url), path: `${url.pathname}${url.search}` },
  agent: url.protocol === 'http:' ? plainAgent : agent,
  ...{ lookup: lookupOf(addresses), autoSelectFamily: true },
  ...{ servername: isIP(host) === 0 ? host : '', rejectUnauthorized: true },
  ...(ca === undefined ? {} : { ca }),
});

/** Rejects when the signal aborts first. */
const withSignal = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const end = (): void => reject(new Error('the time is up'));
    signal.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });

const parsed = (text: string): URL | null => {
  try {
    return new URL(text);
  } catch {
    return null;
  }
};

/** Why an address cannot be reached; `isFinal`: a later attempt cannot succeed either. */
export interface Unreachable {
  readonly reason: string;
  readonly isFinal: boolean;
  /** An http address, which would be permitted for some hosts. */
  readonly isPlainHttp?: boolean;
}

/** Rejects if the name cannot be resolved in time. */
export const destinationOf = async (
  address: string,
  { resolve, isAllowed, isHttpAllowed }: PublicHttpsParts,
  signal: AbortSignal,
): Promise<Destination | Unreachable> => {
  const url = parsed(address);
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && isHttpAllowed(url))))
    return { reason: 'not an https address', isFinal: true, isPlainHttp: url?.protocol === 'http:' };
  if (url.username !== '' || url.password !== '')
    return { reason: 'a name or password in the address', isFinal: true };
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = isIP(host) === 0 ? await withSignal(signal, resolve(host, url)) : [host];
  if (addresses.length === 0) return { reason: 'its name is not known', isFinal: false };
  if (!addresses.every((one) => isAllowed(one, url)))
    return { reason: 'not a public address', isFinal: true };
  return { url, host, addresses };
};
