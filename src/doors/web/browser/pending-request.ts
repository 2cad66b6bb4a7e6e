/**
 * A request whose answer is not known. Its key and its body stay in the tab, so that a retry and a reload repeat the same
 * request, which the server carries out once.
 */
import { ApiError } from '../../../client/client.ts';
import { readStored, session, store } from './storage.ts';
import { newKey } from './words.ts';

export interface PendingRequest<Body> {
  readonly key: string;
  readonly body: Body;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
}

/** A guest who comes back later does not wait for it any more, and would be surprised by it. */
export const WAITS_MS = 15 * 60_000;

export const isOlder = ({ sentAt }: PendingRequest<unknown>, ms: number): boolean =>
  Date.now() - sentAt >= ms;

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

/** One that was sent longer ago is removed. */
export const readPending = <Body>(name: string, withinMs: number): PendingRequest<Body> | null => {
  const kept = readStored(session, name);
  if (isPending<Body>(kept) && !isOlder(kept, withinMs)) return kept;
  keepPending(name, null);
  return null;
};

export const newPending = <Body>(body: Body): PendingRequest<Body> => ({
  ...{ key: newKey(), body, sentAt: Date.now() },
});

/** A refusal says that nothing was done; a failure of the server does not. */
export const isRefused = (fault: unknown): fault is ApiError =>
  fault instanceof ApiError && fault.status < 500;
