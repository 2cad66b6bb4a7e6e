import type { Timers } from '../ports.ts';

/** The machine's timers. None of them keeps the process alive. */
export const systemTimers: Timers = {
  every: (ms, work) => {
    const timer = setInterval(work, ms).unref();
    return () => clearInterval(timer);
  },
  after: (ms, work) => {
    const timer = setTimeout(work, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** Calls that come within `ms` of the first are one: `work` runs once, that much after it. */
export const together = (timers: Pick<Timers, 'after'>, ms: number, work: () => void): (() => void) => {
  let isComing = false;
  return () => {
    if (isComing) return;
    isComing = true;
    timers.after(ms, () => {
      isComing = false;
      work();
    });
  };
};
