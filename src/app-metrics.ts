/** The metrics that use cases count, for operators (docs/operations.md). */
import type { Metrics } from './doors/http/metrics.ts';
import { budgetLimits, budgetsSpent } from './messaging/app/message-budget.ts';
import type { OutboxWorker } from './messaging/app/outbox.ts';
import type { Runtime } from './wiring.ts';

export const registerAppMetrics = (metrics: Metrics, { app, background }: Runtime): void => {
  metrics.counters(
    'ahwa_security_events_total',
    'Security events, by kind.',
    'kind',
    () => app.security.counts,
  );
  metrics.counters(
    'ahwa_seating_undecided_total',
    'Questions about seats that were left undecided, by use.',
    'use',
    () => ({ ...app.undecidedSeatings.counts }),
  );
  metrics.counters(
    'ahwa_seating_decided_total',
    'Starts that were decided for a size, by use: a request, or ahead of one.',
    'use',
    () => ({ ...app.seatingGrids.decided }),
  );
  metrics.gauge(
    'ahwa_long_searches',
    'Searches for deals and hints that run in a thread or wait for one.',
    () => app.dealSearches.open,
  );
  metrics.gauges(
    'ahwa_message_budget_spent',
    'Codes and messages of the last hour, by budget; `shop` is the shop with most of them.',
    'budget',
    () => budgetsSpent(background),
  );
  metrics.gauges(
    'ahwa_message_budget_limit',
    'Codes and messages that an hour may have, by budget.',
    'budget',
    () => Promise.resolve(budgetLimits(background)),
  );
};

export const registerOutboxMetrics = (metrics: Metrics, outbox: Pick<OutboxWorker, 'failures'>): void =>
  metrics.counters(
    'ahwa_outbox_destination_failures_total',
    'How often a destination of the outbox began to fail, by kind: once until something goes through again.',
    'kind',
    () => outbox.failures,
  );
