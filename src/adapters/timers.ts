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
