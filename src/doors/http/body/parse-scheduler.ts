/** Parses one large body per turn of the event loop, round-robin over the clients. */
import { RoundRobin } from '../../../platform/app/round-robin.ts';

/** Bytes. Smaller bodies are parsed at once, within a few milliseconds. */
export const LARGE_BODY = 16 * 1024;

export type ScheduleParse = (client: string) => Promise<void>;

export const createParseScheduler = (): ScheduleParse => {
  const waiting = new RoundRobin<() => void>();
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled || waiting.isEmpty) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      waiting.take()?.();
      schedule();
    });
  };

  return (client) =>
    new Promise((go) => {
      waiting.add(client, go);
      schedule();
    });
};
