/**
 * Background jobs: rejects unconfirmed orders, ends bookings, pauses and snoozes, deletes expired data. Several
 * processes may run it: each change happens under a row lock or in one statement, exactly once, but that devices may be told
 * twice of what has left them.
 */
import { sweeps as bookings } from '../../bookings/app/sweeps.ts';
import { sweeps as delivery } from '../../delivery/app/sweeps.ts';
import { sweeps as floor } from '../../floor/app/sweeps.ts';
import { sweeps as identity } from '../../identity/app/sweeps.ts';
import type { Instant } from '../../kernel/time.ts';
import { sweeps as kitchen } from '../../kitchen/app/sweeps.ts';
import { sweeps as loyalty } from '../../loyalty/app/sweeps.ts';
import { sweeps as menu } from '../../menu/app/sweeps.ts';
import { sweeps as messaging } from '../../messaging/app/sweeps.ts';
import { sweeps as orders } from '../../orders/app/sweeps.ts';
import type { App } from '../../platform/app/app.ts';
import { isDatabaseDown, type Sweep } from '../../platform/app/sweep.ts';
import { sweeps as platform } from '../../platform/app/sweeps.ts';
import type { Log, Stop, Timers } from '../../ports.ts';
import { sweeps as reports } from '../../reports/app/sweeps.ts';
import { sweeps as sales } from '../../sales/app/sweeps.ts';
import { sweeps as staff } from '../../staff/app/sweeps.ts';
import { sweepsOf as sync } from '../../sync/app/sweeps.ts';
import { eventAppliers } from './event-appliers.ts';

/** The most frequent first: long deletions do not delay frequent sweeps. */
const sweepsOf = (parts: Pick<SweeperParts, 'app'>): readonly Sweep[] =>
  [
    ...platform,
    ...orders,
    ...bookings,
    ...menu,
    ...staff,
    ...identity,
    ...messaging,
    ...delivery,
    ...loyalty,
    ...sales,
    ...floor,
    ...kitchen,
    ...reports,
    ...sync(eventAppliers(parts)),
  ].sort((a, b) => a.everyMs - b.everyMs);

export interface SweeperParts {
  readonly app: App;
  readonly timers: Timers;
  readonly log: Log;
}

export interface Sweeper {
  /** Runs rounds periodically. */
  start(): void;
  /** Runs a round, or joins the current one. Never rejects: errors are logged and the work stays due. */
  sweep(): Promise<void>;
  /** Starts no further round; resolves when the current round ends. */
  stop(): Promise<void>;
}

const EVERY_MS = 5_000;

/** Logs the first failure of a job after a success, and the first success after a failure. */
const createFailureLog = (log: Log) => {
  const failing = new Set<Sweep>();
  return (job: Sweep, fault: unknown): void => {
    const isFault = fault !== null;
    if (isFault === failing.has(job)) return;
    if (isFault) {
      failing.add(job);
      const { name, message } = fault instanceof Error ? fault : { name: 'a fault', message: '' };
      log.warn({ job: job.name, fault: name, reason: message }, 'the sweep failed; it is tried again');
    } else {
      failing.delete(job);
      log.info({ job: job.name }, 'the sweep succeeds again');
    }
  };
};

export const createSweeper = ({ app, timers, log }: SweeperParts): Sweeper => {
  const sweeps = sweepsOf({ app });
  const logResult = createFailureLog(log);
  const doneAt = new Map<Sweep, Instant>();
  let isStopped = false;
  let stopTimer: Stop | null = null;
  let currentRound: Promise<void> | null = null;

  /** Runs a job if it is due; false if the rest of the round would fail as well. */
  const runIfDue = async (job: Sweep): Promise<boolean> => {
    const now = app.clock.now();
    if (now < (doneAt.get(job) ?? -Infinity) + job.everyMs) return true;
    try {
      // A copy with sending off must stay unchanged.
      if ((await app.sending.silence()) !== null) return false;
      await job.run(app, () => isStopped);
      doneAt.set(job, now);
      logResult(job, null);
      return true;
    } catch (fault) {
      logResult(job, fault);
      return !isDatabaseDown(fault);
    }
  };
  const round = async (): Promise<void> => {
    for (const job of sweeps) if (isStopped || !(await runIfDue(job))) return;
  };
  const sweep = (): Promise<void> =>
    (currentRound ??= round().finally(() => {
      currentRound = null;
    }));
  return {
    start: () => {
      stopTimer ??= timers.every(EVERY_MS, () => void sweep());
      void sweep();
    },
    sweep,
    stop: async () => {
      isStopped = true;
      stopTimer?.();
      await currentRound;
    },
  };
};
