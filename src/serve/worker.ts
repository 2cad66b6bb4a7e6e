import type { Launcher } from '../adapters/worker-processes.ts';
import { loadConfig, withPort } from '../config.ts';
import { printStatus } from './faults.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';
import { failWith } from './signals.ts';
import { isToWorker, type FromWorker, type ToWorker, type WorkerStart } from './worker-messages.ts';

/** Longer than a stop takes; a worker that hangs must not outlive its launcher. */
const LOST_MS = 60_000;

/** The clock is the launcher's. */
const startAsTold = async ({ port, isFirst, isInitial }: WorkerStart): Promise<ServerProcess> => {
  const config = { ...withPort(loadConfig(), port), clockStart: null };
  return startServerProcess(config, { isFirst, isInitial, servesMetrics: false });
};

/** Does what the launcher says. Signals of a terminal go to all of its processes, and are the launcher's to judge. */
export const serveAsWorker = (launcher: Launcher): void => {
  const tell = (message: FromWorker): void => launcher.send(message);
  let starting: Promise<ServerProcess> | null = null;
  let isEnding = false;
  const endAfter = (end: (running: ServerProcess) => Promise<void>): void => {
    if (isEnding) return;
    isEnding = true;
    const ended = starting === null ? Promise.resolve() : starting.then(end);
    ended.then(() => process.exit(0), failWith);
  };
  const onMessage = (message: ToWorker): void => {
    switch (message.kind) {
      case 'start':
        starting ??= startAsTold(message);
        starting.then(() => tell({ kind: 'listening' }), failWith);
        break;
      case 'measure':
        void starting
          ?.then((running) => running.snapshot())
          .then((snapshot) => tell({ kind: 'measured', snapshot }))
          .catch(() => undefined);
        break;
      case 'retire':
        endAfter((running) => running.retire());
        break;
      case 'stop':
        endAfter((running) => running.stop());
    }
  };
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('SIGTERM', () => endAfter((running) => running.stop()));
  const onLost = (): void => {
    if (!isEnding) printStatus('the launcher has ended: finishing the answers under way');
    endAfter((running) => running.stop());
    setTimeout(() => process.exit(1), LOST_MS).unref();
  };
  launcher.listen((message) => {
    if (isToWorker(message)) onMessage(message);
  }, onLost);
};
