import { printFault, printStatus } from './faults.ts';

export interface Running {
  /** Waits for running answers. */
  stop(): Promise<void>;
  /** Ends at once and stops the embedded database. */
  abandon(): Promise<void>;
  /** Replaces the workers; undefined: there are none. */
  readonly reload?: () => Promise<void>;
}

export const failWith = (fault: unknown): never => {
  printFault(fault);
  process.exit(1);
};

/** SIGHUP of a terminal means that it was closed. */
const hasTerminal = (): boolean => process.stdin.isTTY || process.stdout.isTTY;

/**
 * The first SIGTERM, SIGINT or SIGHUP waits for running answers, also during the start; a second signal ends at once.
 * Without a terminal SIGHUP reloads what can be reloaded.
 */
export const stopOnSignals = (starting: Promise<Running>): void => {
  let running: Running | null = null;
  let signals = 0;
  const endAfter = (work: Promise<void>, code: number): void => {
    work.then(() => process.exit(code), failWith);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (signal === 'SIGHUP' && signals === 0 && running?.reload !== undefined && !hasTerminal()) {
      printStatus('SIGHUP: replacing the workers one by one');
      running.reload().catch(failWith);
      return;
    }
    signals += 1;
    if (signals === 1) {
      printStatus(`${signal}: finishing the answers under way`);
      endAfter(
        starting.then((started) => started.stop()),
        0,
      );
    } else if (signals === 2 && running !== null) {
      printStatus(`${signal}: ending at once`);
      endAfter(running.abandon(), 1);
    } else process.exit(1);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
  starting.then(
    (started) => (running = started),
    () => undefined,
  );
};
