/** The machine's timers. None of them keeps the process alive. */
export const systemTimers = {
  /** Runs `work` every `ms` milliseconds; gives what ends that. */
  every: (ms: number, work: () => void): (() => void) => {
    const timer = setInterval(work, ms).unref();
    return () => clearInterval(timer);
  },
  /** Runs `work` once, after `ms` milliseconds, unless it is ended before. */
  after: (ms: number, work: () => void): (() => void) => {
    const timer = setTimeout(work, ms).unref();
    return () => clearTimeout(timer);
  },
};
