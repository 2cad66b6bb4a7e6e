/** Expiry of unused paired devices (Decisions 12). */
import type { Instant } from '../../kernel/time.ts';

const DAY = 24 * 60 * 60 * 1_000;

const UNUSED_MS = 90 * DAY;
const TOUCH_INTERVAL_MS = DAY;
const HEARD_AFTER_END_MS = 30 * DAY;

export const unusedSince = (now: Instant): Instant => now - UNUSED_MS;

/** A device that ended since then may still tell what it sold before (Decisions 13). */
export const endedSince = (now: Instant): Instant => now - HEARD_AFTER_END_MS;

export const touchedBefore = (now: Instant): Instant => now - TOUCH_INTERVAL_MS;

/** Null: paired before use was stored, and unused since. */
export const isExpired = (lastUsedAt: Instant | null, now: Instant): boolean =>
  lastUsedAt !== null && lastUsedAt <= unusedSince(now);

export const isTouchDue = (lastUsedAt: Instant | null, now: Instant): boolean =>
  lastUsedAt === null || lastUsedAt <= touchedBefore(now);
