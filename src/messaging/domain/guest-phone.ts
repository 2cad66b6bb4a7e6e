/**
 * Unproven phones (Decisions 8): messages about at most two orders in a rolling day, over all shops. A phone
 * is known for 90 days after its owner last proved it with a code or received an order of it.
 */
import type { Instant } from '../../kernel/time.ts';

export interface GuestPhone {
  /** Null: never proved, and no order of it was handed over; possibly another person's phone. */
  readonly knownAt: Instant | null;
  /** When the orders were taken for which it gets messages. */
  readonly notifiedAt: readonly Instant[];
}

export interface LinkedPhone extends GuestPhone {
  /** When a shop last sent it the link of a card; null: none did. */
  readonly cardLinkAt: Instant | null;
}

export const NOTIFIED_WINDOW_MS = 24 * 60 * 60_000;
const MAX_NOTIFIED_ORDERS = 2;
/** The life of a device token (Decisions 10). */
export const KNOWN_MS = 90 * NOTIFIED_WINDOW_MS;

const counted = ({ notifiedAt }: GuestPhone, now: Instant): readonly Instant[] =>
  notifiedAt.filter((moment) => now - moment < NOTIFIED_WINDOW_MS);

export const isKnown = ({ knownAt }: GuestPhone, now: Instant): boolean =>
  knownAt !== null && now - knownAt < KNOWN_MS;

export const mayNotify = (phone: GuestPhone, now: Instant): boolean =>
  isKnown(phone, now) || counted(phone, now).length < MAX_NOTIFIED_ORDERS;

/** At most one a day, over all shops (Decisions 11, Join). */
export const mayGetCardLink = ({ cardLinkAt }: LinkedPhone, now: Instant): boolean =>
  cardLinkAt === null || now - cardLinkAt >= NOTIFIED_WINDOW_MS;

/** The `notifiedAt` to store once messages about an order taken now are sent to it. */
export const notifiedAfter = (phone: GuestPhone, now: Instant): readonly Instant[] =>
  isKnown(phone, now) ? [] : [...counted(phone, now), now];
