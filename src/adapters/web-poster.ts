/** https, public addresses only (`public-https.ts`) but for WEBHOOK_ALLOW, no redirects (Decisions 12). */
import { lookup } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { later, never } from '../messaging/domain/outbox.ts';
import {
  isListedName,
  isPermittedHost,
  mayReach,
  type WebhookAllow,
} from '../messaging/domain/webhook-allow.ts';
import type { PostOutcome, WebhookAnswer, WebhookPoster, WebhookRequest } from '../ports.ts';
import {
  shownCodeOf,
  destinationOf,
  optionsTo,
  PUBLIC_HTTPS,
  resolveName,
  type Destination,
  type PublicHttpsParts,
} from './public-https.ts';
import { retryAfterMs } from './responses.ts';

/** All are discarded. */
const MAX_READ_BYTES = 64 * 1_024;

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

const unanswered = (outcome: PostOutcome): WebhookAnswer => ({ outcome, status: null });

/** The faults that somebody who tries out a receiver meets. */
const FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at its port',
  ECONNRESET: 'it broke off before an answer',
  EHOSTUNREACH: 'no way leads to its address',
  ENETUNREACH: 'no way leads to its address',
  EPROTO: 'it does not speak TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is of an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the chain of its certificate is not complete',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is of an authority that is not trusted',
};

const inWords = (code: string): string => {
  const words = FAULTS[code];
  return words === undefined ? code : `${words} (${code})`;
};

/** Resolves when the response has ended or the limit is read. */
const exchange = (
  destination: Destination,
  { headers, body }: WebhookRequest,
  ca: string | undefined,
  signal: AbortSignal,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = destination.url.protocol === 'http:' ? httpRequest : httpsRequest;
    const sending = request(
      {
        ...optionsTo(destination, ca),
        ...{ method: 'POST', signal },
        headers: {
          ...headers,
          host: destination.url.host,
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

/** As this machine resolves names, with its hosts file: for those that the operator lists. */
const resolveListed = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address);

const insideParts = (allow: WebhookAllow): PublicHttpsParts => ({
  ...PUBLIC_HTTPS,
  resolve: (host, url) => (isListedName(allow, url) ? resolveListed(host) : resolveName(host)),
  isAllowed: (address, url) => mayReach(allow, url, address),
  isHttpAllowed: (url) => isPermittedHost(allow, url),
});

/** Of an http address that may not be posted to. A command has the setting of its own shell, not the server's. */
const httpReason = (allow: WebhookAllow): string =>
  `http is permitted only for hosts in WEBHOOK_ALLOW, ${allow.length === 0 ? 'which has none here' : 'and this one is not in it'}`;

/** `allow`: WEBHOOK_ALLOW. `parts` are for tests only: no setting can change authorities. */
export const createWebPoster = (
  allow: WebhookAllow,
  parts: Partial<PublicHttpsParts> = {},
): WebhookPoster => {
  const all: PublicHttpsParts = { ...insideParts(allow), ...parts };
  const { ca, timeLimitMs } = all;
  const post = async (request: WebhookRequest, signal: AbortSignal): Promise<WebhookAnswer> => {
    const destination = await destinationOf(request.url, all, signal);
    if ('reason' in destination) {
      const reason = destination.isPlainHttp === true ? httpReason(allow) : destination.reason;
      return unanswered(destination.isFinal ? never(reason) : later(reason));
    }
    const answer = await exchange(destination, request, ca, signal);
    return { outcome: outcomeOf(answer), status: answer.status };
  };
  return {
    allow,
    post: async (request) => {
      const signal = AbortSignal.timeout(timeLimitMs);
      try {
        return await post(request, signal);
      } catch (fault) {
        return unanswered(
          later(
            signal.aborted
              ? `no answer within ${timeLimitMs / 1_000} s`
              : `no connection: ${inWords(shownCodeOf(fault))}`,
          ),
        );
      }
    },
  };
};
