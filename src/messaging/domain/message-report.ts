/** What a provider says became of a message that it took, and what follows from that. */
import { afterFailure, never, pointless, WAY_OUT, type AfterFailure, type Unsent } from './outbox.ts';
import type { Instant } from '../../kernel/time.ts';

/** From the least that is known of a message to the most; `failed` can be overtaken by a second device. */
export const DELIVERIES = ['sent', 'failed', 'delivered', 'read'] as const;
export type MessageDelivery = (typeof DELIVERIES)[number];

interface Report<D extends MessageDelivery> {
  /** The id that the message got when it was taken, `wamid.…`. */
  readonly providerId: string;
  readonly delivery: D;
}

export type ArrivalReport = Report<Exclude<MessageDelivery, 'failed'>>;

export interface FailureReport extends Report<'failed'> {
  /** Why, and whether to try again. */
  readonly failure: Unsent;
}

export type MessageReport = ArrivalReport | FailureReport;

/** What several reports, in whatever order they come, say of each message. */
export const strongest = (reports: readonly MessageReport[]): readonly MessageReport[] => {
  const known = new Map<string, MessageReport>();
  for (const report of reports) {
    const before = known.get(report.providerId);
    if (before === undefined || DELIVERIES.indexOf(before.delivery) < DELIVERIES.indexOf(report.delivery))
      known.set(report.providerId, report);
  }
  return [...known.values()];
};

/** A row of the outbox whose message was taken. */
export interface TakenRow {
  /** Tries, the one included that was taken. */
  readonly tries: number;
  readonly waitingSince: Instant;
  /** A later row of its lane has gone out or is going out: the guest knows more already. */
  readonly isOvertaken: boolean;
}

/**
 * What a row is whose message failed after it was taken: as after any failed try, so that it waits, at its old place in
 * its lane and those behind it that have not gone out wait for it; for a day at most, as whatever waits. Where later news
 * has gone out it is dropped, for old news would come after it: so old news does not follow new; but for a row that
 * another process begins to send at that very moment.
 */
export const afterFailureReport = (
  { tries, waitingSince, isOvertaken }: TakenRow,
  failure: Unsent,
  now: Instant,
  jitter: number,
): AfterFailure => {
  if (failure.again === 'never') return afterFailure(tries, failure, now, jitter);
  const { reason } = failure;
  if (isOvertaken)
    return afterFailure(tries, pointless(`${reason}; the guest was told what came later`), now, jitter);
  const isTooLate = now - waitingSince >= WAY_OUT.givenUpAfterMs;
  return afterFailure(tries, isTooLate ? never(reason) : failure, now, jitter);
};
