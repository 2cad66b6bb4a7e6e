/** Paired devices that nobody uses: a token that lies in a drawer is nobody's for long (Decisions 12). */
import type { Instant } from '../../kernel/time.ts';

const DAY = 24 * 60 * 60 * 1_000;

/** A device's token ends when it was not used for so long. */
const UNUSED_MS = 90 * DAY;
/** That a device is used is written down this often, and no more. */
const NOTED_MS = DAY;

/** A device that was last used before or at this moment has ended. */
export const unusedSince = (now: Instant): Instant => now - UNUSED_MS;

/** What was written down before or at this moment is written down again. */
export const notedBefore = (now: Instant): Instant => now - NOTED_MS;

/** Null: paired before its use was written down, and not used since. */
export const isExpired = (lastUsedAt: Instant | null, now: Instant): boolean =>
  lastUsedAt !== null && lastUsedAt <= unusedSince(now);

export const isToNote = (lastUsedAt: Instant | null, now: Instant): boolean =>
  lastUsedAt === null || lastUsedAt <= notedBefore(now);
