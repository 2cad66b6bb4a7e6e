/**
 * https, public addresses only, no redirects (Decisions 12). The name is resolved once, all its addresses are
 * checked, and the connection uses only those, so that DNS cannot change in between. Any port is allowed,
 * because only the public internet is reachable.
 */
import { Resolver } from 'node:dns/promises';
import { Agent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { later, never } from '../messaging/domain/outbox.ts';
import { isPublicAddress } from '../platform/domain/public-address.ts';
import type { PostOutcome, WebhookPoster, WebhookRequest } from '../ports.ts';
import { retryAfterMs } from './responses.ts';

/** For resolution, request and response together. */
const TIME_LIMIT_MS = 10_000;

/** All are discarded. */
const MAX_READ_BYTES = 64 * 1_024;

export interface WebPosterParts {
  /** Empty for an unknown name. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  readonly isAllowed: (address: string) => boolean;
  /** undefined: those of Node.js. */
  readonly ca: string | undefined;
  readonly timeLimitMs: number;
}

/** Uses DNS only, not the hosts file of this machine. */
const resolveName = async (host: string): Promise<readonly string[]> => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
};

const codeOf = (fault: unknown): string =>
  fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : 'no code';

interface Answer {
  readonly status: number;
  /** ms; null without a request to wait. */
  readonly waitMs: number | null;
}

const outcomeOf = ({ status, waitMs }: Answer): PostOutcome => {
  if (status >= 200 && status < 300) return { sent: true, providerId: null };
  if (status === 410) return { sent: false, again: 'gone', reason: 'answered 410' };
  if (status >= 300 && status < 400) return later(`answered ${status}; redirects are not followed`);
  return later(`answered ${status}`, waitMs);
};

const lookupOf =
  (addresses: readonly string[]): LookupFunction =>
  (_host, options, callback) => {
    const all = addresses.map((address) => ({ address, family: isIP(address) }));
    const [first] = all;
    if (options.all === true) callback(null, all);
    else callback(null, first?.address ?? '', first?.family);
  };

interface Destination {
  readonly url: URL;
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly addresses: readonly string[];
}

/** No keep-alive, and no proxy from the environment. */
const agent = new Agent({ keepAlive: false, maxCachedSessions: 0 });

/** Resolves when the response has ended or the limit is read. */
const exchange = (
  { url, host, addresses }: Destination,
  { headers, body }: WebhookRequest,
  ca: string | undefined,
  signal: AbortSignal,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sending = httpsRequest(
      {
        ...{ method: 'POST', host, port: url.port === '' ? 443 : Number(url.port) },
        ...{ path: `${url.pathname}${url.search}`, agent, signal },
        ...{ lookup: lookupOf(addresses), autoSelectFamily: true },
        ...{ servername: isIP(host) === 0 ? host : '', rejectUnauthorized: true },
        ...(ca === undefined ? {} : { ca }),
        headers: {
          ...headers,
          host: url.host,
          'content-length': Buffer.byteLength(body),
          connection: 'close',
        },
      },
      (response) => {
        let read = 0;
        const { 'retry-after': retryAfter, date } = response.headers;
        const answer = { status: response.statusCode ?? 0, waitMs: retryAfterMs(retryAfter, date) };
        // The status decides, however the body ends.
        const end = (): void => {
          resolve(answer);
          sending.destroy();
        };
        sending.off('error', reject).on('error', end);
        response.on('data', (chunk: Buffer) => {
          read += chunk.length;
          if (read > MAX_READ_BYTES) end();
        });
        response.on('error', end).on('close', end);
      },
    );
    sending.on('error', reject);
    sending.end(body);
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

/** `parts` are for tests only: no setting can change addresses or authorities. */
export const createWebPoster = (parts: Partial<WebPosterParts> = {}): WebhookPoster => {
  const { resolve, isAllowed, ca, timeLimitMs }: WebPosterParts = {
    ...{ resolve: resolveName, isAllowed: isPublicAddress, ca: undefined, timeLimitMs: TIME_LIMIT_MS },
    ...parts,
  };
  const post = async (request: WebhookRequest, signal: AbortSignal): Promise<PostOutcome> => {
    const url = parsed(request.url);
    if (url?.protocol !== 'https:') return never('not an https address');
    if (url.username !== '' || url.password !== '') return never('a name or password in the address');
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const addresses = isIP(host) === 0 ? await withSignal(signal, resolve(host)) : [host];
    if (addresses.length === 0) return later('its name is not known');
    if (!addresses.every(isAllowed)) return never('not a public address');
    return outcomeOf(await exchange({ url, host, addresses }, request, ca, signal));
  };
  return {
    post: async (request) => {
      const signal = AbortSignal.timeout(timeLimitMs);
      try {
        return await post(request, signal);
      } catch (fault) {
        return signal.aborted
          ? later(`no answer within ${timeLimitMs / 1_000} s`)
          : later(`no connection (${codeOf(fault)})`);
      }
    },
  };
};
