import {
  afterFailureReport,
  strongestReports,
  type ArrivalReport,
  type FailureReport,
  type MessageReport,
} from '../domain/message-report.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { closedShops } from '../../platform/store/closed-shop.ts';
import { retryContended } from '../../platform/store/db.ts';
import type { Log } from '../../ports.ts';
import {
  lockAccepted,
  recordArrivals,
  settleFailures,
  shopsOfAccepted,
  type SettledFailure,
} from '../store/message-report.ts';
import type { App } from '../../platform/app/app.ts';
import { jitterOf, logParked } from './outbox/attempt.ts';

export interface ReportParts extends Pick<App, 'db' | 'clock' | 'random'> {
  readonly log: Log;
}

const isFailure = (report: MessageReport): report is FailureReport => report.delivery === 'failed';
const isArrival = (report: MessageReport): report is ArrivalReport => !isFailure(report);

/**
 * Applies delivery reports from a provider: a failed message is retried or parked. A report without a row is
 * of a code, or arrived before its row was written; ignored. Throws SHOP_MOVING, with all else applied, where a message of a
 * closed shop has failed: the provider reports again, and by then to the installation that may send it again.
 */
export const applyReports = async (
  { db, clock, random, log }: ReportParts,
  reports: readonly MessageReport[],
): Promise<void> => {
  const known = strongestReports(reports);
  const failures = new Map(known.filter(isFailure).map(({ providerId, failure }) => [providerId, failure]));
  // In no transaction: what nodes that answer have recorded stays.
  await retryContended(() => recordArrivals(db.kysely, known.filter(isArrival)));
  const shops = await shopsOfAccepted(db.kysely, [...failures.keys()]);
  if (shops.length === 0) return;
  const { decided, isLeft } = await db.tx(async (tx) => {
    const now = clock.now();
    const rows = await lockAccepted(tx, shops, [...failures.keys()], now);
    const closed = rows.length === 0 ? new Set<Uuid>() : await closedShops(tx);
    const decided = rows.flatMap((row): SettledFailure[] => {
      const failure = failures.get(row.providerId);
      if (failure === undefined || closed.has(row.orgId)) return [];
      return [{ row, after: afterFailureReport(row, failure, now, jitterOf(random)) }];
    });
    await settleFailures(tx, decided, now);
    return { decided, isLeft: rows.some(({ orgId }) => closed.has(orgId)) };
  });
  for (const { row, after } of decided) logParked(log, { kind: 'message', ...row }, after);
  if (isLeft) throw new Refusal('SHOP_MOVING');
};
