/**
 * The workers of a launcher. One that ends is replaced, at first soon, then later and later while its replacements end
 * too; a reload replaces all, one after the other, each once its replacement listens.
 */
import type { ProcessEnd, WorkerListener, WorkerProcess } from '../adapters/worker-processes.ts';
import type { Log, Stop, Timers } from '../ports.ts';
import {
  isFromWorker,
  PROTOCOL,
  type FromWorker,
  type ToWorker,
  type WorkerStart,
} from './worker-messages.ts';

/** Until a worker that ended is replaced; doubled each time, and as at first after a worker that lived so long. */
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 10_000;
const STEADY_MS = 60_000;

/** Longer than a worker needs, once it is told to stop or to retire: one that hangs is killed. */
const LEAVE_MS = { stop: 60_000, retire: 120_000 };

/** Longer than a worker that takes the place of another needs to start, with the migrations of a new build. */
const START_MS = 15 * 60_000;

/** Beside the worker whose place it takes: a build that listens and fails with its first requests replaces nobody. */
const TRIAL_MS = 2_000;

/** A worker whose event loop does not turn for so long answers nobody: it is killed, and replaced. */
const PING_MS = 10_000;
/** Pings in a row without a word: a minute, of which the launcher was awake. */
const MOST_UNANSWERED = 6;

export interface WorkerPoolParts {
  readonly size: number;
  readonly port: number;
  readonly startProcess: (listener: WorkerListener) => WorkerProcess;
  readonly onListening: (worker: Worker) => void;
  /** Besides `listening` and `pong`. */
  readonly onMessage: (worker: Worker, message: FromWorker) => void;
  readonly onEnd: (worker: Worker) => void;
  readonly timers: Timers;
  readonly monotonic: () => number;
  readonly log: Log;
}

export class Worker {
  /** Counted from 1: the system gives process ids again. */
  readonly number: number;
  readonly pid: number;
  readonly startedAt: number;
  /** Whether it listens; false: it ended before. */
  readonly listens: Promise<boolean>;
  readonly ended: Promise<ProcessEnd>;
  /** Pings since it last said anything. */
  unanswered = 0;
  readonly #process: WorkerProcess;

  constructor(parts: WorkerPoolParts, order: Omit<WorkerStart, 'port'>, number: number) {
    this.number = number;
    this.startedAt = parts.monotonic();
    let settle: (listens: boolean) => void = () => undefined;
    let end: (how: ProcessEnd) => void = () => undefined;
    this.listens = new Promise((resolve) => (settle = resolve));
    this.ended = new Promise((resolve) => (end = resolve));
    this.#process = parts.startProcess({
      onMessage: (message) => {
        if (!isFromWorker(message)) return;
        this.unanswered = 0;
        if (message.kind === 'listening') {
          parts.onListening(this);
          settle(true);
        } else if (message.kind !== 'pong') parts.onMessage(this, message);
      },
      onEnd: (how) => {
        settle(false);
        end(how);
      },
    });
    this.pid = this.#process.pid;
    this.send({ kind: 'start', protocol: PROTOCOL, port: parts.port, ...order });
  }

  send(message: ToWorker): void {
    this.#process.send(message);
  }

  kill(): void {
    this.#process.kill();
  }
}

/** What one worker after the other has. */
interface Place {
  readonly isFirst: boolean;
  worker: Worker | null;
  delayMs: number;
  /** Null: no replacement is due. */
  stopTimer: Stop | null;
}

export class WorkerPool {
  readonly #parts: WorkerPoolParts;
  readonly #places: readonly Place[];
  /** Those that leave too. */
  readonly #all = new Set<Worker>();
  #started = 0;
  #isStopping = false;
  #reloading: Promise<void> | null = null;
  #reloadsAgain = false;

  constructor(parts: WorkerPoolParts) {
    this.#parts = parts;
    this.#places = Array.from({ length: parts.size }, (_, index) => ({
      ...{ isFirst: index === 0, worker: null, delayMs: FIRST_DELAY_MS, stopTimer: null },
    }));
  }

  /** The first worker prepares the database before the others start; false: it has ended before it listened. */
  async start(): Promise<boolean> {
    const [first, ...others] = this.#places;
    if (first === undefined) return false;
    const worker = this.#run(first, true);
    if (!(await worker.listens)) return false;
    this.#install(first, worker);
    if (this.#isStopping) return true;
    for (const place of others) this.#install(place, this.#run(place, true));
    return true;
  }

  /** Replaces all workers by ones of the program as it is now, without a moment in which none listens. */
  reload(): Promise<void> {
    if (this.#isStopping) return Promise.resolve();
    if (this.#reloading !== null) this.#reloadsAgain = true;
    this.#reloading ??= this.#replaceAll().finally(() => {
      this.#reloading = null;
      if (!this.#reloadsAgain || this.#isStopping) return;
      this.#reloadsAgain = false;
      void this.reload();
    });
    return this.#reloading;
  }

  /** Resolves when all have ended, each after the answers under way. */
  async stop(): Promise<void> {
    await this.#endAll((worker) => this.#leave(worker, 'stop'));
  }

  /** Resolves when all have ended. */
  async kill(): Promise<void> {
    await this.#endAll((worker) => worker.kill());
  }

  /** No other is started from now on. */
  async #endAll(end: (worker: Worker) => void): Promise<void> {
    this.#isStopping = true;
    for (const { stopTimer } of this.#places) stopTimer?.();
    this.#all.forEach(end);
    await Promise.all([...this.#all].map(({ ended }) => ended));
  }

  #run({ isFirst }: Place, isInitial: boolean): Worker {
    this.#started += 1;
    const worker = new Worker(this.#parts, { isFirst, isInitial }, this.#started);
    this.#all.add(worker);
    const stopWatch = this.#parts.timers.every(PING_MS, () => this.#ping(worker));
    if (!isInitial)
      this.#killAfter(START_MS, worker, worker.listens, 'a worker does not start: it is killed');
    void worker.ended.then(() => {
      stopWatch();
      this.#all.delete(worker);
      this.#parts.onEnd(worker);
    });
    return worker;
  }

  #ping(worker: Worker): void {
    if (worker.unanswered < MOST_UNANSWERED) {
      worker.unanswered += 1;
      worker.send({ kind: 'ping' });
      return;
    }
    this.#parts.log.warn({ worker_pid: worker.pid }, 'a worker hangs: it is killed');
    worker.kill();
  }

  /** It has the place until it ends or another is installed. */
  #install(place: Place, worker: Worker): void {
    place.stopTimer?.();
    place.stopTimer = null;
    place.worker = worker;
    void worker.ended.then((how) => {
      if (!this.#isStopping && place.worker === worker) this.#replaceLater(place, worker, how);
    });
  }

  #replaceLater(place: Place, { pid, startedAt }: Worker, how: ProcessEnd): void {
    const { monotonic, timers, log } = this.#parts;
    if (monotonic() - startedAt >= STEADY_MS) place.delayMs = FIRST_DELAY_MS;
    const { delayMs } = place;
    place.delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS);
    log.warn({ worker_pid: pid, ...how, replaced_in_ms: delayMs }, 'a worker has ended');
    place.worker = null;
    place.stopTimer = timers.after(delayMs, () => this.#install(place, this.#run(place, false)));
  }

  #hasStopped(): boolean {
    return this.#isStopping;
  }

  /** Unless `done` settles before. */
  #killAfter(ms: number, worker: Worker, done: Promise<unknown>, line: string): void {
    const { log, timers } = this.#parts;
    const stopTimer = timers.after(ms, () => {
      log.warn({ worker_pid: worker.pid }, line);
      worker.kill();
    });
    void done.then(stopTimer);
  }

  #leave(worker: Worker, kind: 'retire' | 'stop'): void {
    worker.send({ kind });
    this.#killAfter(LEAVE_MS[kind], worker, worker.ended, 'a worker does not leave: it is killed');
    void worker.ended.then((how) => {
      if (how.code !== 0) this.#parts.log.warn({ worker_pid: worker.pid, ...how }, 'a worker has ended');
    });
  }

  /** Null: it listens, and is still there a while later. */
  async #faultOfNew(worker: Worker): Promise<string | null> {
    if (!(await worker.listens)) return 'did not start';
    const lived = new Promise<null>((resolve) => {
      const stopTimer = this.#parts.timers.after(TRIAL_MS, () => resolve(null));
      void worker.ended.then(stopTimer);
    });
    return Promise.race([lived, worker.ended.then(() => 'has ended soon')]);
  }

  async #replaceAll(): Promise<void> {
    const { log } = this.#parts;
    for (const place of this.#places) {
      const worker = this.#run(place, false);
      const fault = await this.#faultOfNew(worker);
      if (this.#isStopping) return;
      if (fault !== null) {
        log.warn({ worker_pid: worker.pid }, `a new worker ${fault}: the workers of before stay`);
        return;
      }
      const before = place.worker;
      this.#install(place, worker);
      if (before === null) continue;
      this.#leave(before, 'retire');
      // One more process at a time: each holds memory and connections to the database.
      await before.ended;
      if (this.#hasStopped()) return;
    }
    log.info({ workers: this.#places.length }, 'all workers are replaced');
  }
}
