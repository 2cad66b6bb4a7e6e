/**
 * Outbox rows and their state after each try. Rows with one ordering key are sent one at a time, in order;
 * different keys do not wait for each other.
 */
import type { Uuid } from '../../kernel/ids.ts';
import type { Message } from './template.ts';
import type { Instant } from '../../kernel/time.ts';
import type { CircuitRule } from '../../platform/domain/circuit-breaker.ts';

/** One kind per wallet, so that a vendor that is down does not delay the other. */
export const OUTBOX_KINDS = ['message', 'webhook', 'wallet_one', 'wallet_two'] as const;
export type OutboxKind = (typeof OUTBOX_KINDS)[number];

/** What a row is about. Each topic that sends messages has one. */
export type MessageSubject = 'order' | 'booking' | 'card';

/** `webhook.test` is sent by command alone and is in no row. */
export const EVENT_TYPES = [
  'order.created',
  'order.updated',
  'security.wrong_tries',
  'webhook.test',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** No personal data: the order is read when the event is sent. */
interface OrderFacts {
  readonly type: Extract<EventType, `order.${string}`>;
}

/** Wrong PINs and passwords at a shop within an hour. */
export interface SecurityFacts {
  readonly type: Extract<EventType, 'security.wrong_tries'>;
  readonly tries: number;
}

export type EventFacts = OrderFacts | SecurityFacts;

interface AnyRow {
  readonly id: Uuid;
  readonly orgId: Uuid;
  readonly orderingKey: string;
  readonly subjectId: Uuid;
}

export interface MessageRow extends AnyRow {
  readonly kind: 'message';
  readonly subject: MessageSubject;
  readonly targetId: null;
  /** Without phone and link, which are added when it is sent. */
  readonly payload: Message;
  /** False: it is counted in the budgets when it is sent. */
  readonly isBudgeted: boolean;
}

/** An event for one webhook address; the id stays the same when it is sent again. */
export interface WebhookRow extends AnyRow {
  readonly kind: 'webhook';
  readonly subject: 'order' | 'shop';
  readonly targetId: Uuid;
  readonly payload: EventFacts;
}

/** A push to one phone that holds the pass of a card. Its push token is read when the row is sent. */
export interface PushRow extends AnyRow {
  readonly kind: 'wallet_one';
  readonly subject: 'card';
  readonly targetId: null;
  readonly payload: { readonly registration: Uuid };
}

/** The object of a card at the vendor of wallet two, which is written as it is when the row is sent. */
export interface ObjectRow extends AnyRow {
  readonly kind: 'wallet_two';
  readonly subject: 'card';
  readonly targetId: null;
  readonly payload: Readonly<Record<string, never>>;
}

export type OutboxRow = MessageRow | WebhookRow | PushRow | ObjectRow;

/** One ordering key per order, booking or card. */
export const messageRow = (
  { orgId, id, subject, subjectId }: Pick<MessageRow, 'orgId' | 'id' | 'subject' | 'subjectId'>,
  payload: Message,
  isBudgeted = false,
): MessageRow => ({
  ...{ id, orgId, orderingKey: `${subject}:${subjectId}`, subject, subjectId },
  ...{ kind: 'message', targetId: null, payload, isBudgeted },
});

/** One ordering key per order (or shop) and address, so that addresses do not delay each other. */
export const webhookRow = (
  orgId: Uuid,
  id: Uuid,
  subjectId: Uuid,
  targetId: Uuid,
  payload: EventFacts,
): WebhookRow => {
  const subject = subjectId === orgId ? 'shop' : 'order';
  return {
    ...{ id, orgId, orderingKey: `${subject}:${subjectId}:${targetId}`, subject, subjectId },
    ...{ kind: 'webhook', targetId, payload },
  };
};

type CardRowIds = Pick<AnyRow, 'orgId' | 'id'> & { readonly cardId: Uuid };

/** One ordering key per card and phone. */
export const pushRow = ({ orgId, id, cardId }: CardRowIds, registration: Uuid): PushRow => ({
  ...{ id, orgId, orderingKey: `card:${cardId}:${registration}`, subject: 'card', subjectId: cardId },
  ...{ kind: 'wallet_one', targetId: null, payload: { registration } },
});

/** One ordering key per card. */
export const objectRow = ({ orgId, id, cardId }: CardRowIds): ObjectRow => ({
  ...{ id, orgId, orderingKey: `card:${cardId}:object`, subject: 'card', subjectId: cardId },
  ...{ kind: 'wallet_two', targetId: null, payload: {} },
});

export const BACK_OFF = {
  /** Doubled after each further failure … */
  firstMs: 5_000,
  /** … up to this. */
  longestMs: 30 * 60_000,
  /** A wait varies by this part, so that rows that failed together do not return together. */
  spread: 0.2,
  /** The longest wait that a receiver may ask for. */
  longestAskedMs: 60 * 60_000,
  /** A row is parked after these; the waits between them come to 23.7 hours. */
  tries: 56,
} as const;

/** Not accepted: retry `later`, after `waitMs` if the receiver set it, or `never`. */
export interface Unsent {
  readonly sent: false;
  readonly again: 'later' | 'never';
  readonly waitMs: number | null;
  /** One sentence without phone or token. */
  readonly reason: string;
  /** False: the receiver was not called. */
  readonly isTry?: false;
}

/** The receiver's answer. */
export type SendOutcome = { readonly sent: true; readonly providerId: string | null } | Unsent;

export interface Obsolete {
  readonly sent: false;
  readonly again: 'obsolete';
  readonly reason: string;
}

export interface Deferred {
  readonly sent: false;
  readonly again: 'deferred';
  readonly waitMs: number;
  readonly reason: string;
}

export type Outcome = SendOutcome | Obsolete | Deferred;

export const later = (reason: string, waitMs: number | null = null): Unsent => ({
  ...{ sent: false, again: 'later', waitMs, reason },
});

export const never = (reason: string): Unsent => ({ sent: false, again: 'never', waitMs: null, reason });

/** Not to be sent now or later, which was clear without a call. */
export const uncalled = (reason: string): Unsent => ({ ...never(reason), isTry: false });

export const obsolete = (reason: string): Obsolete => ({ sent: false, again: 'obsolete', reason });

export const deferred = (reason: string, waitMs: number): Deferred => ({
  ...{ sent: false, again: 'deferred', waitMs, reason },
});

/** The state of a row after a try. A parked row can be replayed. */
export type AfterTry =
  | { readonly status: 'sent'; readonly providerId: string | null }
  /** `isTry`: false if the receiver was not asked; does not count towards the limit of tries. */
  | {
      readonly status: 'waiting';
      readonly until: Instant;
      readonly reason: string;
      readonly isTry?: false;
    }
  | { readonly status: 'parked'; readonly reason: string; readonly isTry?: false }
  | { readonly status: 'dropped'; readonly reason: string };

/**
 * What an outcome says of its destination; null: nothing, since it was not called. A webhook has one receiver, which
 * does not work where it refuses for good; a message that is refused for good says that its provider works.
 */
export const healthAfter = (kind: OutboxKind, outcome: Outcome): 'works' | 'fails' | null => {
  if (outcome.sent) return 'works';
  if (outcome.again === 'obsolete' || outcome.again === 'deferred' || outcome.isTry === false) return null;
  return outcome.again === 'later' || kind === 'webhook' ? 'fails' : 'works';
};

/** The wait after so many tries, ms; `jitter` 0…1, where 0.5 adds none. */
export const backOffMs = (tries: number, jitter: number): number => {
  const doubled = BACK_OFF.firstMs * 2 ** Math.min(tries - 1, 30);
  return Math.round(Math.min(doubled, BACK_OFF.longestMs) * (1 + BACK_OFF.spread * (2 * jitter - 1)));
};

/** Text from outside, made storable: one line, at most 300 characters. */
export const asLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').slice(0, 300);

export type AfterFailure = Exclude<AfterTry, { status: 'sent' }>;

export const afterFailure = (
  tries: number,
  failure: Unsent | Obsolete,
  now: Instant,
  jitter: number,
): AfterFailure => {
  const reason = asLine(failure.reason);
  if (failure.again === 'obsolete') return { status: 'dropped', reason };
  if (failure.isTry === false) return { status: 'parked', reason, isTry: false };
  if (failure.again === 'never' || tries >= BACK_OFF.tries) return { status: 'parked', reason };
  const asked = Math.min(failure.waitMs ?? 0, BACK_OFF.longestAskedMs);
  return { status: 'waiting', until: now + Math.max(backOffMs(tries, jitter), asked), reason };
};

/** Spreads the rows that wait for one budget: the first of them spend what is free again. */
const DEFERRED_SPREAD_MS = 5 * 60_000;

export const afterTry = (tries: number, outcome: Outcome, now: Instant, jitter: number): AfterTry => {
  if (!outcome.sent && outcome.again === 'deferred') {
    const until = now + outcome.waitMs + Math.round(DEFERRED_SPREAD_MS * jitter);
    return { status: 'waiting', until, reason: asLine(outcome.reason), isTry: false };
  }
  if (!outcome.sent) return afterFailure(tries, outcome, now, jitter);
  return { status: 'sent', providerId: outcome.providerId === null ? null : asLine(outcome.providerId) };
};

/**
 * The circuit of a destination, which many ordering keys share: one webhook's address, or the provider of messages.
 * While it is half-open, one row at a time is tried.
 */
export const DESTINATION_CIRCUIT: CircuitRule = {
  failuresToOpen: 5,
  firstOpenMs: 5_000,
  longestOpenMs: 60_000,
};

/** Rows that have waited this long for a destination that accepted no row meanwhile are parked, ms. */
export const GIVE_UP_AFTER_MS = 24 * 60 * 60_000;
