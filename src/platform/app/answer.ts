import type { ChangeScope } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Problem } from '../../kernel/refusal.ts';
import { earliest, type Instant } from '../../kernel/time.ts';

/**
 * An answer and its cache metadata: shop, scopes, the change number that it was read at, and the instant at
 * which it expires by itself (null: never).
 */
export interface Answer<T> {
  readonly body: T;
  readonly orgId: Uuid;
  readonly scopes: readonly ChangeScope[];
  readonly version: number;
  readonly validUntil: Instant | null;
}

/** The reply to a repeated request, sent with status 200: the resource in its current state (Decisions 8). */
export class Repeated<T> {
  readonly reply: T;

  constructor(reply: T) {
    this.reply = reply;
  }
}

/** Thrown for an address that has moved for good; the query of the request is kept. */
export class Moved extends Error {
  override readonly name = 'Moved';
  readonly path: string;

  constructor(path: string) {
    super(`moved to ${path}`);
    this.path = path;
  }
}

/** A session whose token a browser keeps in a cookie. */
export interface CookieSession {
  readonly token: string;
  readonly maxAgeSeconds: number;
}

/** A reply that gives the browser its session; null: that takes it away. */
export class CookieReply<T> {
  readonly reply: T;
  readonly session: CookieSession | null;

  constructor(reply: T, session: CookieSession | null) {
    this.reply = reply;
    this.session = session;
  }
}

/** A client that reconnects sends the last `id`. */
export interface ServerEvent {
  readonly id: string | null;
  readonly event: string;
  readonly data: unknown;
}

/**
 * `start` sends events until the returned function is called, or calls `end`. `send` is awaited, so a slow
 * client slows the source.
 */
export interface EventStream {
  /** The `id` to resume from, for a client that reconnects before its first event. */
  readonly from: string;
  start(send: (event: ServerEvent) => Promise<void>, end: () => void): () => void;
}

/** A body with a media type of its own, such as a page or a picture. */
export interface Content {
  readonly type: string;
  readonly body: string | Buffer;
  /** Names and values of further header lines. */
  readonly headers: readonly string[];
}

/** The JSON bytes of an answer, cached under `key`, or made by `build`. Refusals of `build` pass through. */
export type CachedBytes = (key: string, build: () => Promise<Answer<unknown>>) => Promise<Buffer>;

/**
 * Outcome of a tool call: `refused` is a refusal with a message, `unavailable` a missing dependency, `failed`
 * an unexpected error.
 */
export type CallOutcome = 'answered' | 'refused' | 'unavailable' | 'failed';

/** Parsed JSON text, or why it was rejected. */
export type ReadJson =
  { readonly value: unknown } | { readonly malformed: Problem } | { readonly tooLarge: Problem };

export interface MessageContext {
  readonly cachedBytes: CachedBytes;
  /** Called after every tool call; `thrown` is the reason when there is no answer. */
  readonly onToolCall: (tool: string, outcome: CallOutcome, thrown?: unknown) => void;
}

/** All scopes, the lowest version and the earliest expiry, of answers about one shop. */
export const combineAnswers = <T>(
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
