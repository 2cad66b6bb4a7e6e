/** What goes on without a request: the outbox, sweeps, and a look at what a monitor asks. */
import { debounced, systemTimers } from '../adapters/timers.ts';
import { registerOutboxMetrics } from '../app-metrics.ts';
import type { Config } from '../config.ts';
import type { Metrics } from '../doors/http/metrics.ts';
import { createOutboxWorker } from '../messaging/app/outbox.ts';
import { watchSending } from '../messaging/app/sending.ts';
import type { Readiness } from '../platform/app/readiness.ts';
import { sendersOf } from '../service/app/senders.ts';
import { createSweeper } from '../service/app/sweeper.ts';
import type { Runtime } from '../wiring.ts';

export interface Monitoring {
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

/** Debounces wake-ups of the outbox, so that in a rush placing orders comes first. */
const WAKE_DEBOUNCE_MS = 25;

export interface BackgroundWorkers {
  stop(): Promise<void>;
}

const MONITORING_MS = 5_000;

/** Logs even when no request asks. */
export const startMonitoring = async (
  runtime: Runtime,
  { metrics, readiness }: Monitoring,
): Promise<() => void> => {
  const watch = watchSending(runtime.app.sending, runtime.log);
  metrics.gauge(
    'ahwa_sending',
    '1 while messages, codes and events leave, 0 while they do not.',
    'service',
    () => (watch.isOn() ? 1 : 0),
  );
  const look = async (): Promise<void> => {
    await Promise.all([readiness.check(), watch.check()]);
  };
  await look();
  return systemTimers.every(MONITORING_MS, () => void look());
};

export const startBackgroundWorkers = (
  { sending }: Config,
  { background: app, log }: Runtime,
  metrics: Metrics,
): BackgroundWorkers => {
  if (sending === false) return { stop: () => Promise.resolve() };
  const parts = { ...app, timers: systemTimers, log };
  const outbox = createOutboxWorker({ ...parts, senders: sendersOf(app) });
  registerOutboxMetrics(metrics, outbox);
  const sweeper = createSweeper({ app, timers: systemTimers, log });
  const wake = debounced(systemTimers, WAKE_DEBOUNCE_MS, () => outbox.wake());
  const unsubscribe = app.changePublisher.subscribe({ changed: wake, missed: wake });
  outbox.start();
  sweeper.start();
  return {
    stop: async () => {
      unsubscribe();
      await Promise.all([outbox.stop(), sweeper.stop()]);
    },
  };
};
