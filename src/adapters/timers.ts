import type { Timers } from '../ports.ts';

/** The timers do not keep the process alive. */
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

/** Calls within `ms` of the first run `work` once, `ms` after the first. */
export const debounced = (timers: Pick<Timers, 'after'>, ms: number, work: () => void): (() => void) => {
  let isScheduled = false;
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    timers.after(ms, () => {
      isScheduled = false;
      work();
    });
  };
};
