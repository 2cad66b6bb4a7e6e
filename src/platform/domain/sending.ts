/** When nothing leaves the service, and what becomes of what waited meanwhile. */
import type { Instant } from '../../kernel/time.ts';

/** Why nothing is sent: the setting, a restored copy of which nobody said otherwise yet, or `ahwa sending off`. */
export type SilenceReason = 'setting' | 'restored' | 'command';

export interface Silence {
  readonly reason: SilenceReason;
  /** Null for the setting, which says nothing of it. */
  readonly since: Instant | null;
}

/** A guest who is told of a step this late has asked by other means, or been served. */
export const STALE_AFTER_MS = 15 * 60_000;

/**
 * What waited since then or longer is parked, not sent, when sending begins again: what is stale, and whatever a restored
 * copy brought, since the original has sent it meanwhile.
 */
export const staleSince = ({ reason, since }: Silence, now: Instant): Instant => {
  const stale = now - STALE_AFTER_MS;
  return reason === 'restored' && since !== null ? Math.max(since, stale) : stale;
};
