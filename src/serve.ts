import { isWorkerOfAnotherProgram, launcherOfThisProcess } from './adapters/worker-processes.ts';
import { loadConfig, type Config } from './config.ts';
import { launch } from './serve/launcher.ts';
import { StartError } from './serve/faults.ts';
import { judgePaths } from './serve/paths.ts';
import { settlePorts } from './serve/ports.ts';
import { startServerProcess } from './serve/server-process.ts';
import { failWith, stopOnSignals, type Running } from './serve/signals.ts';
import { serveAsWorker } from './serve/worker.ts';

/** One process has no launcher to lose. */
const NEVER = new Promise<never>(() => undefined);

/** The server as one process. */
const startAlone = async (configured: Config): Promise<Running> => {
  judgePaths(configured);
  const config = await settlePorts(configured);
  return startServerProcess(config, { isFirst: true, isInitial: true, servesMetrics: true, lost: NEVER });
};

const start = (config: Config): Promise<Running> =>
  config.workers === null ? startAlone(config) : launch(config, config.workers);

/** A closed terminal must not end the process during its shutdown. */
const outliveOutput = (): void => {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
};

export const serve = async (): Promise<void> => {
  outliveOutput();
  if (isWorkerOfAnotherProgram())
    failWith(
      new StartError(
        'Another program runs this one as its cluster worker: run it as a process, and set WORKERS.',
      ),
    );
  const launcher = launcherOfThisProcess();
  if (launcher !== null) {
    serveAsWorker(launcher);
    return;
  }
  // Deferred, so that the signal handlers are installed before the start.
  const starting = Promise.resolve().then(() => start(loadConfig()));
  stopOnSignals(starting);
  await starting.catch(failWith);
};
