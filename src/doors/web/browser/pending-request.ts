/**
 * A request whose answer may get lost. Its key and its body stay in the tab, so that a retry and a reload repeat the same
 * request, which the server carries out once.
 */
import type { ApiError } from '../../../client/client.ts';
import { readStored, session, store } from './storage.ts';
import { isRefusedRequest, newKey } from './words.ts';

export interface PendingRequest<Body> {
  readonly key: string;
  readonly body: Body;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  /** An answer was lost: it may have been carried out. */
  readonly isInDoubt: boolean;
}

/** A guest who comes back later does not wait for it any more, and would be surprised by it. */
const WAITS_MS = 15 * 60_000;

const isOlder = ({ sentAt }: PendingRequest<unknown>, ms: number): boolean => Date.now() - sentAt >= ms;

export const isLate = (request: PendingRequest<unknown>): boolean => isOlder(request, WAITS_MS);

const isPending = <Body>(value: unknown): value is PendingRequest<Body> =>
  typeof value === 'object' &&
  value !== null &&
  'key' in value &&
  typeof value.key === 'string' &&
  'body' in value &&
  'sentAt' in value &&
  typeof value.sentAt === 'number';

/** Null: removes it. */
export const keepPending = (name: string, request: PendingRequest<unknown> | null): void =>
  store(session, name, request);

/** The server knows a key for a day; then the request is forgotten. */
const KEPT_MS = 24 * 60 * 60_000;

/** Of before a reload, so that its answer is not known. One that was sent longer ago is removed. */
export const readPending = <Body>(name: string): PendingRequest<Body> | null => {
  const kept = readStored(session, name);
  if (isPending<Body>(kept) && !isOlder(kept, KEPT_MS)) return inDoubt(kept);
  keepPending(name, null);
  return null;
};

export const newPending = <Body>(body: Body): PendingRequest<Body> => ({
  ...{ key: newKey(), body, sentAt: Date.now(), isInDoubt: false },
});

export const inDoubt = <Body>(request: PendingRequest<Body>): PendingRequest<Body> => ({
  ...request,
  isInDoubt: true,
});

/** The limits of a client count minutes. */
const LONGEST_LIMIT_S = 60;

/** The server has not looked at the request: it arrived too slowly, or after too many others. */
const isTurnedAway = ({ status, retryAfterSeconds }: ApiError): boolean =>
  status === 408 || (status === 429 && (retryAfterSeconds ?? 0) <= LONGEST_LIMIT_S);

/** Whether a fault says that nothing was done, now or at an earlier try. */
export const isSettledBy = (fault: unknown, { isInDoubt }: PendingRequest<unknown>): fault is ApiError =>
  isRefusedRequest(fault) && !(isInDoubt && isTurnedAway(fault));

/** Keeps the one request of a page, also in memory, for a browser that keeps nothing. */
export const pendingStore = <Body>(name: string) => {
  let pending: PendingRequest<Body> | null = null;
  const keep = (sent: PendingRequest<Body> | null): void => {
    pending = sent;
    keepPending(name, sent);
  };
  return {
    /** The request whose answer is not known; null: none. */
    unanswered: (): PendingRequest<Body> | null => pending ?? readPending<Body>(name),
    /** Keeps the request until its answer is known. Throws as `work` does. */
    send: async <T>(
      request: PendingRequest<Body>,
      work: (request: PendingRequest<Body>) => Promise<T>,
    ): Promise<T> => {
      keep(request);
      try {
        const done = await work(request);
        keep(null);
        return done;
      } catch (fault) {
        keep(isSettledBy(fault, request) ? null : inDoubt(request));
        throw fault;
      }
    },
  };
};
