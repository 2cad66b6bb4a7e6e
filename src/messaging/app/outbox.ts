/**
 * Sends what waits in the outbox: soon after a commit of this process, what others left within a second. Sending
 * happens outside every transaction, and whoever takes an order never waits for it.
 */
import { OUTBOX_KINDS } from '../domain/outbox.ts';
import type { Stop } from '../../ports.ts';
import { Desk, type DeskParts } from './dispatcher.ts';
import { within } from './outbox/sending.ts';

export type { DeskParts as OutboxParts } from './dispatcher.ts';
export type { Senders } from './outbox/sending.ts';

export interface OutboxWorker {
  /** Begins to look for what waits, again and again. */
  start(): void;
  /** Says that something may wait now. Returns at once. */
  wake(): void;
  /** Wakes, and resolves once nothing more is due and nothing is under way. */
  drain(): Promise<void>;
  /** Begins nothing more, and waits a while for what is under way: what is cut then is sent again by whoever comes next. */
  stop(): Promise<void>;
}

const POLL_MS = 1_000;
const STOP_MS = 10_000;

/** Messages and webhooks have a desk each: neither takes the other's places. */
export const createOutboxWorker = (parts: DeskParts): OutboxWorker => {
  const desks = OUTBOX_KINDS.map((kind) => new Desk(kind, parts));
  let poll: Stop | null = null;
  const wake = (): void => {
    for (const desk of desks) desk.wake();
  };
  const quiet = async (): Promise<void> => {
    await Promise.all(desks.map((desk) => desk.quiet()));
  };
  return {
    start: () => {
      poll ??= parts.timers.every(POLL_MS, wake);
      wake();
    },
    wake,
    drain: () => {
      wake();
      return quiet();
    },
    stop: () => {
      poll?.();
      for (const desk of desks) desk.close();
      return within(parts.timers, STOP_MS, quiet(), undefined);
    },
  };
};
