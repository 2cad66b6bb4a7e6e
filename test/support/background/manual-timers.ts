/** Timers that fire, and promises that resolve, when the test says so. */
import type { Timers } from '../../../src/ports.ts';

export const manualTimers = () => {
  const pending = new Set<{ readonly ms: number; readonly work: () => void; readonly once: boolean }>();
  const add = (ms: number, work: () => void, once: boolean) => {
    const timer = { ms, work, once };
    pending.add(timer);
    return () => void pending.delete(timer);
  };
  const timers: Timers = {
    every: (ms, work) => add(ms, work, false),
    after: (ms, work) => add(ms, work, true),
  };
  return {
    timers,
    /** Runs every pending timer of exactly this delay. */
    fire: (ms: number): void => {
      for (const timer of [...pending]) {
        if (timer.ms !== ms) continue;
        if (timer.once) pending.delete(timer);
        timer.work();
      }
    },
    pending: (): number[] => [...pending].map(({ ms }) => ms).sort((a, b) => a - b),
  };
};

/** A promise and the function that resolves it. */
export const deferred = <T = void>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
} => {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
};
