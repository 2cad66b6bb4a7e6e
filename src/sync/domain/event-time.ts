/** When an event happened by our clock (Decisions 13). */
import { isoInstant, type Instant } from '../../kernel/time.ts';
import { reason, type ReviewReason } from '../../platform/domain/review.ts';

/** Clocks of devices and ours are read at different moments: so much ahead is no fault. */
const SLACK_MS = 60_000;
const LONG_AGO_MS = 30 * 24 * 60 * 60 * 1_000;
/** Before any sale of ours: a clock that was never set has other years, some of which no database stores. */
const EARLIEST = Date.UTC(2000, 0, 1);

export interface EventTime {
  /** Never after now. */
  readonly at: Instant;
  readonly reasons: readonly ReviewReason[];
}

/** `told` and `deviceTime`: of the device's clock, which reads `deviceTime` now. */
export const eventTime = (told: Instant, deviceTime: Instant, now: Instant): EventTime => {
  const at = Math.max(EARLIEST, told + (now - deviceTime));
  const figures = { at: isoInstant(at) };
  if (at > now) return { at: now, reasons: at - now > SLACK_MS ? [reason('in_the_future', figures)] : [] };
  return { at, reasons: at < now - LONG_AGO_MS ? [reason('long_ago', figures)] : [] };
};
