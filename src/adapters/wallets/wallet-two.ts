/** Google Wallet: loyalty classes and objects over REST, and signed save links. */
import { later, never, type SendOutcome, type Unsent } from '../../messaging/domain/outbox.ts';
import type { Clock, WalletTwo } from '../../ports.ts';
import { retryAfterMs, fieldOf, textIn, textOf, valueOfJson } from '../responses.ts';
import {
  createAccessTokens,
  readServiceAccount,
  signJwt,
  type AccessTokens,
  type WalletTwoAccess,
  type WalletTwoSettings,
} from './service-account.ts';

export interface WalletTwoOptions extends WalletTwoSettings {
  readonly clock: Clock;
  /** Where links are opened: the host of BASE_URL. */
  readonly origin: string;
  /** For the token and the response together. */
  readonly timeLimitMs?: number | undefined;
}

const TIME_LIMIT_MS = 10_000;
const SAVE_LINK = 'https://pay.google.com/gp/v/save/';
const MAX_ID_LENGTH = 255;

/** A reply of the API; `reason` where there was none. */
type Reply =
  | { readonly status: number; readonly id: string | null; readonly waitMs: number | null }
  | { readonly reason: string };

const withoutAnswer = (thrown: unknown): string => {
  if (thrown instanceof Error && thrown.name === 'TimeoutError') return 'no answer in time';
  const cause = thrown instanceof Error ? thrown.cause : null;
  return cause instanceof Error && 'code' in cause ? `no answer: ${String(cause.code)}` : 'no answer';
};

interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: object;
  /** Of the work that the call is part of. */
  readonly within?: AbortSignal;
}

const createCalls = (options: WalletTwoOptions, tokens: AccessTokens) => {
  const { api, clock, timeLimitMs = TIME_LIMIT_MS } = options;
  return async ({ method, path, body, within }: Call): Promise<Reply> => {
    const limit = AbortSignal.timeout(timeLimitMs);
    const signal = within === undefined ? limit : AbortSignal.any([limit, within]);
    try {
      const access = await tokens.get(clock.now(), signal);
      if ('reason' in access) return access;
      const response = await fetch(`${api}/walletobjects/v1/${path}`, {
        ...{ method, redirect: 'error', signal },
        headers: { authorization: `Bearer ${access.token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const { status, headers } = response;
      if (status === 401) tokens.forget();
      const answer = valueOfJson((await textOf(response)) ?? '');
      const waitMs = retryAfterMs(headers.get('retry-after'), headers.get('date'));
      return { status, id: textIn(fieldOf(answer, 'id'), MAX_ID_LENGTH), waitMs };
    } catch (thrown) {
      return { reason: withoutAnswer(thrown) };
    }
  };
};

/** Null: the reply has the resource with this id. */
const failureOf = (reply: Reply, id: string): Unsent | null => {
  if ('reason' in reply) return later(reply.reason);
  const { status, waitMs } = reply;
  if (status === 200) return reply.id === id ? null : later('the API answered what cannot be read', waitMs);
  const said = `the API answered ${status}`;
  // Only what the request itself is refused for is final: rights can be given within a day.
  return status === 400 ? never(said) : later(said, waitMs);
};

const outcomeOf = (reply: Reply, id: string): SendOutcome =>
  failureOf(reply, id) ?? { sent: true, providerId: null };

const statusOf = (reply: Reply): number => ('status' in reply ? reply.status : 0);

const CLASSES = 'loyaltyClass';
const OBJECTS = 'loyaltyObject';

const at = (path: string, id: string): string => `${path}/${encodeURIComponent(id)}`;

const usable = (options: WalletTwoOptions, { issuer, account }: WalletTwoAccess): WalletTwo => {
  const tokens = createAccessTokens(account);
  const call = createCalls(options, tokens);
  return {
    ...{ issuer, fault: null },
    saveClass: async (resource, isKnown, within) => {
      const insert = (): Promise<Reply> => call({ method: 'POST', path: CLASSES, body: resource, within });
      const patch = (): Promise<Reply> =>
        call({ method: 'PATCH', path: at(CLASSES, resource.id), body: resource, within });
      const first = await (isKnown ? patch() : insert());
      // Made by a save link, or by an issuer account of before: what is known of the other side is wrong.
      const isWrong = statusOf(first) === (isKnown ? 404 : 409);
      return outcomeOf(isWrong ? await (isKnown ? insert() : patch()) : first, resource.id);
    },
    hasObject: async (id, within) => {
      const reply = await call({ method: 'GET', path: at(OBJECTS, id), within });
      return statusOf(reply) === 404 ? false : (failureOf(reply, id) ?? true);
    },
    patchObject: async (resource, within) => {
      const reply = await call({ method: 'PATCH', path: at(OBJECTS, resource.id), body: resource, within });
      if (statusOf(reply) === 404)
        return { sent: false, again: 'gone', reason: 'the API answered 404: there is no such object' };
      return outcomeOf(reply, resource.id);
    },
    saveLink: async (payload) => {
      const iat = Math.floor(options.clock.now() / 1_000);
      const claims = { aud: 'google', typ: 'savetowallet', iat, origins: [options.origin], payload };
      return `${SAVE_LINK}${await signJwt(account, claims)}`;
    },
    check: async () => {
      const reply = await call({ method: 'GET', path: `${CLASSES}?issuerId=${issuer}&maxResults=1` });
      if ('reason' in reply) return reply.reason;
      return reply.status === 200 ? null : `the API answered ${reply.status}`;
    },
  };
};

export const createWalletTwo = (options: WalletTwoOptions): WalletTwo => {
  const access = readServiceAccount(options);
  if (typeof access !== 'string') return usable(options, access);
  return {
    ...{ issuer: options.issuer ?? '', fault: access },
    saveClass: () => Promise.resolve(later(access)),
    hasObject: () => Promise.resolve(later(access)),
    patchObject: () => Promise.resolve(later(access)),
    saveLink: () => Promise.reject(new Error(access)),
    check: () => Promise.resolve(access),
  };
};
