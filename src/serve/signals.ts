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
  const reload = (started: Running): void => {
    if (signals > 0) return;
    if (started.reload === undefined) {
      onSignal('SIGHUP');
      return;
    }
    printStatus('SIGHUP: replacing the workers one by one');
    started.reload().catch(failWith);
  };
  const onHangUp = (): void => {
    // A server that is still starting may have workers.
    if (hasTerminal()) onSignal('SIGHUP');
    else starting.then(reload, () => undefined);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
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
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
  process.on('SIGHUP', onHangUp);
  starting.then(
    (started) => (running = started),
    () => undefined,
  );
};
