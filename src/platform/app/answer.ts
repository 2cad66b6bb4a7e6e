import type { Scope } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { earliest, type Instant } from '../../kernel/time.ts';

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

/** The reply to a repetition, answered with 200: what was made the first time, as it stands now (Decisions 8). */
export class Repeated<T> {
  readonly reply: T;

  constructor(reply: T) {
    this.reply = reply;
  }
}

/** One event of a stream; a listener that comes back names the last `id` it had. */
export interface ServerEvent {
  readonly id: string | null;
  readonly event: string;
  readonly data: unknown;
}

/**
 * Something that goes on: `start` sends what happens until the returned function is called, or ends it by itself. What is
 * sent is awaited, so that nobody is sent more than they take.
 */
export interface EventStream {
  /** The `id` after which events follow, for a listener that comes back before it had any. */
  readonly from: string;
  start(send: (event: ServerEvent) => Promise<void>, end: () => void): () => void;
}

/**
 * The JSON bytes of an answer, kept under `key` for as long as it holds, or made by `build`, whose refusals pass through.
 */
export type ReadyBytes = (key: string, build: () => Promise<Answer<unknown>>) => Promise<Buffer>;

/** What became of a call of a tool: its answer, a refusal in words, a part that was away, or what nobody foresaw. */
export type CallOutcome = 'answered' | 'refused' | 'unavailable' | 'failed';

/** JSON text as it was read: its value, or that it is none, or what there is too much of, as the end of a sentence. */
export type ReadJson =
  { readonly value: unknown } | { readonly malformed: string } | { readonly vast: string };

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
