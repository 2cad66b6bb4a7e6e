/** Processes of this program that share its port (`node:cluster`): the launcher starts them, and talks to each. */
import cluster, { type Worker as ClusterWorker } from 'node:cluster';

/** How a process ended: by itself with a code, or by a signal. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface WorkerProcess {
  readonly pid: number;
  /** Does nothing once the process has ended. */
  send(message: object): void;
  /** Ends the process at once. */
  kill(): void;
}

export interface WorkerListener {
  readonly onMessage: (message: unknown) => void;
  /** Once, last. */
  readonly onEnd: (end: ProcessEnd) => void;
}

/** A worker's first message: Node drops what is sent to a process that does not listen yet. */
const READY = 'ready';

const NO_PROCESS: WorkerProcess = { pid: 0, send: () => undefined, kill: () => undefined };

/** The argument of a worker, also for who lists processes. */
const WORKER = 'worker';

/** Null: the system gives no process. */
const fork = (): ClusterWorker | null => {
  // Workers accept for themselves. By default the launcher hands connections out, one per worker and turn of its loop, and
  // a connection that it handed to a worker which ends at that moment is neither answered nor closed.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ args: [WORKER] });
  try {
    return cluster.fork();
  } catch {
    return null;
  }
};

/** Runs this program once more. A process that cannot be had has ended, without code or signal. */
export const startWorkerProcess = ({ onMessage, onEnd }: WorkerListener): WorkerProcess => {
  const worker = fork();
  if (worker === null) {
    setImmediate(() => onEnd({ code: null, signal: null }));
    return NO_PROCESS;
  }
  let unsent: object[] | null = [];
  const send = (message: object): void => {
    if (unsent !== null) unsent.push(message);
    else if (worker.isConnected()) worker.send(message, () => undefined);
  };
  const sendUnsent = (): void => {
    const messages = unsent ?? [];
    unsent = null;
    messages.forEach(send);
  };
  let hasEnded = false;
  const end = (code: number | null, signal: string | null): void => {
    if (hasEnded) return;
    hasEnded = true;
    onEnd({ code, signal });
  };
  worker.on('message', (message: unknown) => (message === READY ? sendUnsent() : onMessage(message)));
  // Node tells the end of a process, not that it could not be started.
  worker.on('error', () => {
    if (worker.process.pid === undefined) end(null, null);
  });
  worker.once('exit', end);
  return { pid: worker.process.pid ?? 0, send, kill: () => void worker.process.kill('SIGKILL') };
};

/** What a worker has of its launcher. */
export interface Launcher {
  send(message: object): void;
  /** Listens from now on. `onLost`: the launcher has ended. */
  listen(onMessage: (message: unknown) => void, onLost: () => void): void;
}

/** Such as the cluster mode of a process manager, which neither says what to do nor hears. */
export const isWorkerOfAnotherProgram = (): boolean => cluster.isWorker && !process.argv.includes(WORKER);

/** Null: this process is no worker. */
export const launcherOfThisProcess = (): Launcher | null => {
  const { worker } = cluster;
  if (worker === undefined) return null;
  worker.on('error', () => undefined);
  return {
    send: (message) => {
      if (worker.isConnected()) worker.send(message, () => undefined);
    },
    listen: (onMessage, onLost) => {
      worker.on('message', onMessage);
      worker.once('disconnect', () => {
        // Node ends a worker at once, in the middle of its answers, unless it left by itself.
        worker.exitedAfterDisconnect = true;
        onLost();
      });
      worker.send(READY, () => undefined);
    },
  };
};
