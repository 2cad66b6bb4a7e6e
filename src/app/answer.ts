import type { Scope } from '../domain/change.ts';
import type { Uuid } from '../domain/ids.ts';
import { earliest, type Instant } from '../domain/time.ts';

/**
 * An answer with what a cache must know to keep it: whose it is, what it depends on, the shop's change number
 * it was read at, and the moment at which it changes by itself (null: never).
 */
export interface Answer<T> {
  readonly body: T;
  readonly orgId: Uuid;
  readonly scopes: readonly Scope[];
  readonly version: number;
  readonly validUntil: Instant | null;
}

/**
 * The JSON bytes of an answer, kept under `key` for as long as it holds, or made by `build`, whose refusals pass through.
 */
export type ReadyBytes = (key: string, build: () => Promise<Answer<unknown>>) => Promise<Buffer>;

/** What became of a call of a tool: its answer, a refusal in words, a part that was away, or what nobody foresaw. */
export type CallOutcome = 'answered' | 'refused' | 'unavailable' | 'failed';

/** What the door that a message came through lends to its answering. */
export interface MessageContext {
  readonly ready: ReadyBytes;
  /** Hears of every call of a tool; `thrown` is why it has no answer. */
  readonly called: (tool: string, outcome: CallOutcome, thrown?: unknown) => void;
}

/**
 * An answer made of others about the same shop: it depends on all they depend on, is as old as the oldest, and holds
 * until the first of them changes by itself.
 */
export const madeOf = <T>(
  body: T,
  first: Answer<unknown>,
  ...others: readonly Answer<unknown>[]
): Answer<T> => {
  const parts = [first, ...others];
  return {
    body,
    orgId: first.orgId,
    scopes: [...new Set(parts.flatMap((part) => part.scopes))],
    version: Math.min(...parts.map((part) => part.version)),
    validUntil: earliest(parts.map((part) => part.validUntil)),
  };
};
