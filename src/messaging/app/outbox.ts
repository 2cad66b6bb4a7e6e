/**
 * Sends the outbox: rows of this process right after their commit, rows of other processes within a second.
 * The worker sends outside transactions, and no order waits for it.
 */
import { OUTBOX_KINDS, type OutboxKind } from '../domain/outbox.ts';
import { withTimeout } from '../../platform/app/background-tasks.ts';
import type { Stop } from '../../ports.ts';
import { RequestCoalescer } from '../../platform/app/coalescing.ts';
import { dueKinds } from '../store/outbox.ts';
import { Dispatcher, type DispatcherParts } from './dispatcher.ts';

export type { DispatcherParts as OutboxParts } from './dispatcher.ts';
export type { Senders } from './outbox/attempt.ts';

export interface OutboxWorker {
  /** How often a destination began to fail, by kind; counted anew once it has worked in between. */
  readonly failures: Readonly<Record<OutboxKind, number>>;
  /** Starts polling. */
  start(): void;
  /** Announces new rows; returns at once. */
  wake(): void;
  /** Wakes, and resolves once no row is due or in flight. */
  drain(): Promise<void>;
  /**
   * Stops claiming and waits up to `STOP_MS` for rows in flight; an interrupted row is sent again by another
   * process.
   */
  stop(): Promise<void>;
}

const POLL_MS = 1_000;
const STOP_MS = 10_000;

/** One dispatcher per kind, so that no kind uses the concurrency of another. */
export const createOutboxWorker = (parts: DispatcherParts): OutboxWorker => {
  const failures = { message: 0, webhook: 0, wallet_one: 0, wallet_two: 0 };
  const dispatchers = OUTBOX_KINDS.map((kind) => new Dispatcher(kind, parts, () => (failures[kind] += 1)));
  const looks = new RequestCoalescer<null, void>();
  /** One look for all kinds: most commits add no row, and hardly one adds rows of every kind. */
  const look = async (): Promise<void> => {
    // The dispatchers meet the fault themselves, and report it.
    const due = await dueKinds(parts.db.kysely, parts.clock.now()).catch(() => new Set(OUTBOX_KINDS));
    for (const dispatcher of dispatchers)
      if (due.has(dispatcher.kind) || dispatcher.isBehind) dispatcher.wake();
  };
  let poll: Stop | null = null;
  let looked = Promise.resolve();
  const wake = (): void => {
    looked = looks.request('due', null, look);
  };
  const idle = async (): Promise<void> => {
    let last: Promise<void> | null = null;
    while (last !== looked) {
      last = looked;
      await last;
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.idle()));
    }
  };
  return {
    failures,
    start: () => {
      poll ??= parts.timers.every(POLL_MS, wake);
      wake();
    },
    wake,
    drain: () => {
      wake();
      return idle();
    },
    stop: () => {
      poll?.();
      for (const dispatcher of dispatchers) dispatcher.close();
      return withTimeout(parts.timers, STOP_MS, idle(), undefined);
    },
  };
};
