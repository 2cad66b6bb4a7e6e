/** The metrics that use cases count, for operators (docs/operations.md). */
import type { Metrics } from './doors/http/metrics.ts';
import type { LimitSettling } from './platform/app/limits/settling.ts';
import { openOrders } from './orders/app/open-orders.ts';
import { outboxSize } from './messaging/app/outbox-size.ts';
import { budgetLimits, budgetsSpent } from './messaging/app/message-budget.ts';
import type { OutboxWorker } from './messaging/app/outbox.ts';
import type { Runtime } from './wiring.ts';

const registerBusiness = (metrics: Metrics, { app, background }: Runtime): void => {
  metrics.countersBy(
    'ahwa_orders_total',
    'Online orders that reached a status, by channel; placed orders reach `received`, undone deliveries `reopened`.',
    ['channel', 'status'],
    () => app.orderCounts.all().map(({ count, ...labels }) => ({ labels, count })),
  );
  metrics.gauges(
    'ahwa_orders_open',
    'Online orders that have not ended, by status; 10,000 are counted at most.',
    'service',
    'status',
    () => openOrders(background),
  );
  metrics.gauges(
    'ahwa_outbox_rows',
    'Rows of the outbox that wait to be sent or are parked; 10,000 are counted at most.',
    'service',
    'state',
    () => outboxSize(background),
  );
  metrics.counters('ahwa_codes_total', 'One-time codes, by what became of them.', 'outcome', () => ({
    ...app.codeCounts.counts,
  }));
  metrics.countersBy(
    'ahwa_codes_carried_total',
    'One-time codes that a provider took; `next`: that a provider asked before did not take.',
    ['sender', 'place'],
    () => app.codeCounts.carried().map(({ count, ...labels }) => ({ labels, count })),
  );
};

export const registerAppMetrics = (metrics: Metrics, runtime: Runtime): void => {
  const { app, background } = runtime;
  registerBusiness(metrics, runtime);
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
    'process',
    () => app.dealSearches.open,
  );
  metrics.gauge(
    'ahwa_database_nodes_silent',
    'Nodes of a database of many nodes that do not answer.',
    'service',
    () => app.db.nodes.silent.count,
  );
  metrics.gauges(
    'ahwa_message_budget_spent',
    'Codes and messages of the last hour, by budget; `shop` is the shop with most of them.',
    'service',
    'budget',
    () => budgetsSpent(background),
  );
  metrics.gauges(
    'ahwa_message_budget_limit',
    'Codes and messages that an hour may have, by budget.',
    'service',
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

export const registerLimitMetrics = (metrics: Metrics, settling: LimitSettling): void => {
  // Added up over processes: how many limit alone.
  metrics.gauge(
    'ahwa_limits_alone',
    '1 while request limits cannot be shared with the other processes and this one limits alone, else 0.',
    'process',
    () => (settling.isAlone ? 1 : 0),
  );
  metrics.counters(
    'ahwa_limit_clients_settled_total',
    'Clients whose use of a limit was settled with the other processes, by limit; again each time.',
    'limit',
    () => settling.settled,
  );
  metrics.gauge(
    'ahwa_limit_clients_waiting',
    'Clients whose use waits to be settled.',
    'process',
    () => settling.waiting,
  );
};
