import type { Instant } from '../../kernel/time.ts';

/** The setting, a restored copy that was not released yet, or `ahwa sending off`. */
export type SilenceReason = 'setting' | 'restored' | 'command';

export interface Silence {
  readonly reason: SilenceReason;
  /** Null for the setting, which has no start. */
  readonly since: Instant | null;
}

/** A guest whose notification is this late has asked by other means, or been served. */
export const STALE_AFTER_MS = 15 * 60_000;

/**
 * Messages at least this old are parked when sending resumes: stale ones, and all that a restored copy
 * contained, because the original has sent them.
 */
export const staleSince = ({ reason, since }: Silence, now: Instant): Instant => {
  const stale = now - STALE_AFTER_MS;
  return reason === 'restored' && since !== null ? Math.max(since, stale) : stale;
};
