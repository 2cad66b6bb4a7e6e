/**
 * Posts to the addresses that shops name for their webhooks (Decisions 12): https, public addresses only, no redirects. A
 * name is resolved once, every address it has is judged, and the connection goes to those and no others, so that a name
 * cannot lead elsewhere between the two. Any port may be named: only the public internet is behind it.
 */
import { Resolver } from 'node:dns/promises';
import { Agent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { later, never } from '../messaging/domain/outbox.ts';
import { isPublicAddress } from '../platform/domain/public-address.ts';
import type { PostOutcome, WebhookPoster, WebhookRequest } from '../ports.ts';
import { askedWait } from './answers.ts';

/** From the first question to the end of the answer. */
const TIME_LIMIT_MS = 10_000;

/** As much of an answer as is read; nothing of it is kept. */
const MOST_READ = 64 * 1_024;

export interface WebPosterParts {
  /** Every address that a name has now; none for a name that is not known. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  readonly isAllowed: (address: string) => boolean;
  /** Authorities whose certificates are believed; undefined: those that Node.js believes. */
  readonly ca: string | undefined;
  readonly timeLimitMs: number;
}

/** Asks the name servers alone: what this machine calls its neighbours by in files of its own is not the world's. */
const resolveName = async (host: string): Promise<readonly string[]> => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
};

const codeOf = (fault: unknown): string =>
  fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : 'no code';

interface Answer {
  readonly status: number;
  /** ms that it asks to wait; null where it does not say. */
  readonly waitMs: number | null;
}

const outcomeOf = ({ status, waitMs }: Answer): PostOutcome => {
  if (status >= 200 && status < 300) return { sent: true, providerId: null };
  if (status === 410) return { sent: false, again: 'gone', reason: 'answered 410' };
  if (status >= 300 && status < 400) return later(`answered ${status}; redirects are not followed`);
  return later(`answered ${status}`, waitMs);
};

/** Gives the judged addresses instead of asking anybody. */
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

/** Nothing is kept open, and no proxy of the environment is asked. */
const agent = new Agent({ keepAlive: false, maxCachedSessions: 0 });

/** Resolves once the answer has ended, or as much of it was read as is read. */
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
        const answer = { status: response.statusCode ?? 0, waitMs: askedWait(retryAfter, date) };
        // The status has said what there is to say, however the rest of it ends.
        const end = (): void => {
          resolve(answer);
          sending.destroy();
        };
        sending.off('error', reject).on('error', end);
        response.on('data', (chunk: Buffer) => {
          read += chunk.length;
          if (read > MOST_READ) end();
        });
        response.on('error', end).on('close', end);
      },
    );
    sending.on('error', reject);
    sending.end(body);
  });

/** What `work` gives, unless the time is up before. */
const before = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
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

/** `parts` are for tests: neither other addresses nor other authorities can be set from outside. */
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
    const addresses = isIP(host) === 0 ? await before(signal, resolve(host)) : [host];
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
