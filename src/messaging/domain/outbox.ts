/**
 * What waits to be told to someone outside: its lanes, and what becomes of a row after each try. Rows of a lane go out in
 * their order, one at a time; lanes do not wait for each other.
 */
import type { Uuid } from '../../kernel/ids.ts';
import type { Message } from '../../orders/domain/message.ts';
import type { Instant } from '../../kernel/time.ts';

export const OUTBOX_KINDS = ['message', 'webhook'] as const;
export type OutboxKind = (typeof OUTBOX_KINDS)[number];

export const EVENT_TYPES = ['order.created', 'order.updated', 'security.wrong_tries'] as const;

/** What happened to an order, without the person: the order itself is read when the event is sent. */
interface OrderFacts {
  readonly type: 'order.created' | 'order.updated';
}

/** What happened at the door of a shop: so many wrong PINs and passwords within an hour. */
export interface SecurityFacts {
  readonly type: 'security.wrong_tries';
  readonly tries: number;
}

export type EventFacts = OrderFacts | SecurityFacts;

interface AnyRow {
  readonly id: Uuid;
  readonly orgId: Uuid;
  readonly lane: string;
  /** The order it is about, or the shop. */
  readonly subjectId: Uuid;
}

/** A message to the guest of an order. */
export interface MessageRow extends AnyRow {
  readonly kind: 'message';
  readonly targetId: null;
  /** Phone and link are put to it when it is sent: neither is kept here. */
  readonly payload: Message;
  /** Whether it was counted in the budgets of messages; the others are counted when they are sent. */
  readonly isBudgeted: boolean;
}

/** An event for one address of the shop's own systems; its id is the event's, also when it is sent again. */
export interface WebhookRow extends AnyRow {
  readonly kind: 'webhook';
  readonly targetId: Uuid;
  readonly payload: EventFacts;
}

export type OutboxRow = MessageRow | WebhookRow;

/** An order's messages follow each other. */
export const messageRow = (
  orgId: Uuid,
  id: Uuid,
  orderId: Uuid,
  payload: Message,
  isBudgeted = false,
): MessageRow => ({
  ...{ id, orgId, lane: `order:${orderId}`, subjectId: orderId },
  ...{ kind: 'message', targetId: null, payload, isBudgeted },
});

/** The events of an order, or of a shop, follow each other at each address, whatever becomes of them at another. */
export const webhookRow = (
  orgId: Uuid,
  id: Uuid,
  subjectId: Uuid,
  targetId: Uuid,
  payload: EventFacts,
): WebhookRow => ({
  ...{ id, orgId, lane: `${subjectId === orgId ? 'shop' : 'order'}:${subjectId}:${targetId}`, subjectId },
  ...{ kind: 'webhook', targetId, payload },
});

/** When a row that could not be sent is tried again, and when no more. */
export const BACK_OFF = {
  /** The wait after the first failure; each further one is twice the one before … */
  firstMs: 5_000,
  /** … up to this. */
  longestMs: 30 * 60_000,
  /** A wait is longer or shorter by at most this part, so that what failed together does not come back together. */
  spread: 0.2,
  /** Who asks to be left alone for longer than the wait is, up to this. */
  longestAskedMs: 60 * 60_000,
  /** Tries until a row is parked: the waits between them come to 23.7 hours. */
  tries: 56,
} as const;

/** Not taken: for now (`later`, after `waitMs` where the other side says so) or for good. */
export interface Unsent {
  readonly sent: false;
  readonly again: 'later' | 'never';
  readonly waitMs: number | null;
  /** One sentence that names no phone and no token. */
  readonly reason: string;
}

/** What whoever was to take it said. */
export type SendOutcome = { readonly sent: true; readonly providerId: string | null } | Unsent;

/** Nobody was asked to take it: there is nobody to tell, such as a guest whose phone was erased. */
export interface Pointless {
  readonly sent: false;
  readonly again: 'pointless';
  readonly reason: string;
}

/** Nobody was asked to take it: the budget of the hour is spent. */
export interface Deferred {
  readonly sent: false;
  readonly again: 'deferred';
  readonly waitMs: number;
  readonly reason: string;
}

/** How sending went. */
export type Outcome = SendOutcome | Pointless | Deferred;

/** Nothing is wrong with what was to be sent. */
export const later = (reason: string, waitMs: number | null = null): Unsent => ({
  ...{ sent: false, again: 'later', waitMs, reason },
});

/** Refused however often it is tried. */
export const never = (reason: string): Unsent => ({ sent: false, again: 'never', waitMs: null, reason });

export const pointless = (reason: string): Pointless => ({ sent: false, again: 'pointless', reason });

export const deferred = (reason: string, waitMs: number): Deferred => ({
  ...{ sent: false, again: 'deferred', waitMs, reason },
});

/** What a row is after a try. Parked rows stay for a while, for a person to replay them. */
export type AfterTry =
  | { readonly status: 'sent'; readonly providerId: string | null }
  /** `isTry`: false where nobody was asked, which brings the end of its tries no nearer. */
  | {
      readonly status: 'waiting';
      readonly until: Instant;
      readonly reason: string;
      readonly isTry?: false;
    }
  | { readonly status: 'parked'; readonly reason: string }
  | { readonly status: 'dropped'; readonly reason: string };

/** The wait after so many tries, ms; `jitter` 0…1 moves it within its spread, 0.5 leaves it as it is. */
export const backOffMs = (tries: number, jitter: number): number => {
  const doubled = BACK_OFF.firstMs * 2 ** Math.min(tries - 1, 30);
  return Math.round(Math.min(doubled, BACK_OFF.longestMs) * (1 + BACK_OFF.spread * (2 * jitter - 1)));
};

/** What others wrote, as it may be kept: one line, not too long. */
const asLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').slice(0, 300);

/** What a row is that could not be sent. */
export type AfterFailure = Exclude<AfterTry, { status: 'sent' }>;

/** `tries` counts the one that just ended. */
export const afterFailure = (
  tries: number,
  failure: Unsent | Pointless,
  now: Instant,
  jitter: number,
): AfterFailure => {
  const reason = asLine(failure.reason);
  if (failure.again === 'pointless') return { status: 'dropped', reason };
  if (failure.again === 'never' || tries >= BACK_OFF.tries) return { status: 'parked', reason };
  const asked = Math.min(failure.waitMs ?? 0, BACK_OFF.longestAskedMs);
  return { status: 'waiting', until: now + Math.max(backOffMs(tries, jitter), asked), reason };
};

/** What waits for one budget does not come back all at once: the first of it spends what is there again. */
const DEFERRED_SPREAD_MS = 5 * 60_000;

/** `tries` counts the one that just ended. */
export const afterTry = (tries: number, outcome: Outcome, now: Instant, jitter: number): AfterTry => {
  if (!outcome.sent && outcome.again === 'deferred') {
    const until = now + outcome.waitMs + Math.round(DEFERRED_SPREAD_MS * jitter);
    return { status: 'waiting', until, reason: asLine(outcome.reason), isTry: false };
  }
  if (!outcome.sent) return afterFailure(tries, outcome, now, jitter);
  return { status: 'sent', providerId: outcome.providerId === null ? null : asLine(outcome.providerId) };
};

/**
 * A way out is what many lanes share: one webhook's address, or the provider of messages. One where everything fails
 * is left in peace, but for a single try now and then, so that it takes no place from the others.
 */
export const WAY_OUT = {
  /** So many failures in a row, and it rests. */
  failuresBeforeRest: 5,
  /** The first rest; doubled after each further failure … */
  firstRestMs: 5_000,
  /** … up to this. */
  longestRestMs: 60_000,
  /** Where nothing went through for so long, what has waited that long there is parked. */
  givenUpAfterMs: 24 * 60 * 60_000,
} as const;

/** How long a way out rests after so many failures in a row, ms. */
export const restMs = (failures: number): number => {
  const over = failures - WAY_OUT.failuresBeforeRest;
  return over < 0 ? 0 : Math.min(WAY_OUT.firstRestMs * 2 ** Math.min(over, 30), WAY_OUT.longestRestMs);
};
