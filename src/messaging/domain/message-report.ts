import { afterFailure, never, obsolete, GIVE_UP_AFTER_MS, type AfterFailure, type Unsent } from './outbox.ts';
import type { Instant } from '../../kernel/time.ts';

/** From the least knowledge to the most; a second device may receive what failed on the first. */
export const DELIVERIES = ['sent', 'failed', 'delivered', 'read'] as const;
export type MessageDelivery = (typeof DELIVERIES)[number];

interface Report<D extends MessageDelivery> {
  /** Given by the provider when it accepted the message, `wamid.…`. */
  readonly providerId: string;
  readonly delivery: D;
}

export type ArrivalReport = Report<Exclude<MessageDelivery, 'failed'>>;

export interface FailureReport extends Report<'failed'> {
  readonly failure: Unsent;
}

export type MessageReport = ArrivalReport | FailureReport;

/** The strongest report of each message, independent of the order in which they arrive. */
export const strongestReports = (reports: readonly MessageReport[]): readonly MessageReport[] => {
  const known = new Map<string, MessageReport>();
  for (const report of reports) {
    const before = known.get(report.providerId);
    if (before === undefined || DELIVERIES.indexOf(before.delivery) < DELIVERIES.indexOf(report.delivery))
      known.set(report.providerId, report);
  }
  return [...known.values()];
};

export interface AcceptedRow {
  /** Includes the accepted one. */
  readonly tries: number;
  readonly waitingSince: Instant;
  /** A later row of its ordering key was sent or is in flight. */
  readonly isOvertaken: boolean;
}

/**
 * The row's state after an accepted message failed. It is retried like any failed try, in its old position,
 * within a day; but dropped if a later row was sent, so that no old message follows a newer one. A row that
 * another process begins to send at the same time is not seen.
 */
export const afterFailureReport = (
  { tries, waitingSince, isOvertaken }: AcceptedRow,
  failure: Unsent,
  now: Instant,
  jitter: number,
): AfterFailure => {
  if (failure.again === 'never') return afterFailure(tries, failure, now, jitter);
  const { reason } = failure;
  if (isOvertaken) return afterFailure(tries, obsolete(`${reason}; a later message was sent`), now, jitter);
  const isTooLate = now - waitingSince >= GIVE_UP_AFTER_MS;
  return afterFailure(tries, isTooLate ? never(reason) : failure, now, jitter);
};
