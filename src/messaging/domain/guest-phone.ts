/**
 * Phones that were only typed (Decisions 8): until its owner is known, a phone is told of two orders in a rolling day, over
 * all shops. Its owner is known once a code proved the phone or an order of it was handed over, for 90 days from the last time.
 */
import type { Instant } from '../../kernel/time.ts';

export interface GuestPhone {
  /** Null: nobody proved it and nothing was handed over, so it may be a stranger's. */
  readonly knownAt: Instant | null;
  /** When orders were taken that it is told of. */
  readonly toldAt: readonly Instant[];
}

export const TOLD_MS = 24 * 60 * 60_000;
export const TOLD_ORDERS = 2;
/** As long as the device token lives that a code gives (Decisions 10). */
export const KNOWN_MS = 90 * TOLD_MS;

const counted = ({ toldAt }: GuestPhone, now: Instant): readonly Instant[] =>
  toldAt.filter((moment) => now - moment < TOLD_MS);

export const isKnown = ({ knownAt }: GuestPhone, now: Instant): boolean =>
  knownAt !== null && now - knownAt < KNOWN_MS;

/** Whether the phone may be told of one more order. */
export const mayBeTold = (phone: GuestPhone, now: Instant): boolean =>
  isKnown(phone, now) || counted(phone, now).length < TOLD_ORDERS;

/** The moments to keep once it is told of an order that is taken now. */
export const toldAfter = (phone: GuestPhone, now: Instant): readonly Instant[] =>
  isKnown(phone, now) ? [] : [...counted(phone, now), now];
