import type { Launcher } from '../adapters/worker-processes.ts';
import { loadConfig, withPort } from '../config.ts';
import { printStatus, StartError } from './faults.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';
import { failWith } from './signals.ts';
import { isToWorker, PROTOCOL, type FromWorker, type ToWorker } from './worker-messages.ts';

/** Longer than a stop takes; a worker that hangs must not outlive its launcher. */
const LOST_MS = 60_000;

type Start = Extract<ToWorker, { kind: 'start' }>;
type Ending = 'retire' | 'stop';

/** The clock is the launcher's. */
const startAsTold = async (
  { protocol, port, isFirst, isInitial }: Start,
  lost: Promise<never>,
): Promise<ServerProcess> => {
  if (protocol !== PROTOCOL)
    throw new StartError(
      'The launcher is of a build that speaks otherwise with its workers: restart the server.',
    );
  const config = { ...withPort(loadConfig(), port), clockStart: null };
  return startServerProcess(config, { isFirst, isInitial, servesMetrics: false, lost });
};

/** Does what the launcher says. Signals of a terminal go to all of its processes, and are the launcher's to judge. */
export const serveAsWorker = (launcher: Launcher): void => {
  const tell = (message: FromWorker): void => launcher.send(message);
  let starting: Promise<ServerProcess> | null = null;
  let ending: Ending | null = null;
  let lose: (fault: Error) => void = () => undefined;
  const lost = new Promise<never>((_, reject) => (lose = reject));
  lost.catch(() => undefined);
  /** A stop goes before a worker that retires. */
  const end = (how: Ending): void => {
    if (ending === 'stop' || ending === how) return;
    ending = how;
    const ended = starting === null ? Promise.resolve() : starting.then((running) => running[how]());
    ended.then(() => process.exit(0), failWith);
  };
  const onMessage = (message: ToWorker): void => {
    switch (message.kind) {
      case 'start':
        starting ??= startAsTold(message, lost);
        starting.then(() => tell({ kind: 'listening' }), failWith);
        break;
      case 'measure':
        void starting
          ?.then((running) => running.snapshot())
          .then((snapshot) => tell({ kind: 'measured', snapshot }))
          .catch(() => undefined);
        break;
      case 'ping':
        tell({ kind: 'pong' });
        break;
      case 'retire':
      case 'stop':
        end(message.kind);
    }
  };
  const onLost = (): void => {
    if (ending === null) printStatus('the launcher has ended: finishing the answers under way');
    // Node never answers a worker without a launcher that wants to listen.
    lose(new StartError('The launcher ended before this worker listened.'));
    end('stop');
    setTimeout(() => process.exit(1), LOST_MS).unref();
  };
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('SIGTERM', () => end('stop'));
  launcher.listen((message) => {
    if (isToWorker(message)) onMessage(message);
  }, onLost);
};
