/**
 * `WORKERS` processes that answer on one port. The launcher answers nothing: it holds what outlives a worker (the
 * embedded database, the clock, and the port while a worker listens), replaces workers, and adds up their metrics.
 */
import { createLog } from '../adapters/log.ts';
import { systemTimers } from '../adapters/timers.ts';
import { startWorkerProcess } from '../adapters/worker-processes.ts';
import type { Config } from '../config.ts';
import type { MetricsServer, ScrapedMetrics } from '../doors/http/metrics.ts';
import { MergedMetrics } from '../doors/http/metrics/merged-metrics.ts';
import type { MetricsSnapshot } from '../doors/http/metrics/snapshot.ts';
import type { Stop } from '../ports.ts';
import { holdForWorkers, type Held } from '../wiring.ts';
import { printStatus, StartError } from './faults.ts';
import { listenForMetrics } from './metrics-port.ts';
import { judgePaths } from './paths.ts';
import { settlePorts } from './ports.ts';
import type { Running } from './signals.ts';
import { WorkerPool, type Worker } from './worker-pool.ts';

const monotonic = (): number => performance.now();

interface Question {
  readonly answer: Promise<MetricsSnapshot>;
  readonly settle: (snapshot: MetricsSnapshot) => void;
  readonly reject: (fault: Error) => void;
}

/** What workers were asked and have not answered yet, one question each. */
class Questions {
  readonly #open = new Map<Worker, Question>();

  /** Rejects when the worker ends first. */
  ask(worker: Worker): Promise<MetricsSnapshot> {
    const open = this.#open.get(worker);
    if (open !== undefined) return open.answer;
    let settle: Question['settle'] = () => undefined;
    let reject: Question['reject'] = () => undefined;
    const answer = new Promise<MetricsSnapshot>((...outcomes) => ([settle, reject] = outcomes));
    this.#open.set(worker, { answer, settle, reject });
    worker.send({ kind: 'measure' });
    return answer;
  }

  answered(worker: Worker, snapshot: MetricsSnapshot): void {
    this.#open.get(worker)?.settle(snapshot);
    this.#open.delete(worker);
  }

  ended(worker: Worker): void {
    this.#open.get(worker)?.reject(new Error('The worker has ended.'));
    this.#open.delete(worker);
  }
}

const createPool = (config: Config, size: number, metrics: MergedMetrics): WorkerPool => {
  const questions = new Questions();
  return new WorkerPool({
    ...{ size, port: config.port, startProcess: startWorkerProcess, monotonic },
    onListening: (worker) => metrics.add(worker.number, () => questions.ask(worker)),
    onMessage: (worker, message) => {
      if (message.kind === 'measured') questions.answered(worker, message.snapshot);
    },
    onEnd: (worker) => {
      metrics.remove(worker.number);
      questions.ended(worker);
    },
    timers: systemTimers,
    log: createLog(config.logLevel),
  });
};

/** A scrape fails while no worker listens: whoever watches the service must hear that it does not answer. */
const whileListening = (metrics: MergedMetrics): ScrapedMetrics => ({
  contentType: metrics.contentType,
  text: async () => {
    if (metrics.workers === 0) throw new Error('No worker listens.');
    return metrics.text();
  },
});

/** While all workers are being replaced nothing else keeps the process. */
const stayAlive = (): Stop => {
  const timer = setInterval(() => undefined, 60_000);
  return () => clearInterval(timer);
};

/** What a start has opened so far. */
interface Opened {
  readonly end: Stop;
  readonly held: Held;
  readonly pool: WorkerPool;
  metrics: MetricsServer | null;
}

const close = async ({ held, pool, metrics, end }: Opened): Promise<void> => {
  await pool.stop();
  await metrics?.close();
  await held.release();
  end();
};

export const launch = async (configured: Config, workers: number): Promise<Running> => {
  judgePaths(configured);
  const config = await settlePorts(configured);
  const held = await holdForWorkers(config, printStatus);
  const metrics = new MergedMetrics(systemTimers, workers);
  const opened: Opened = {
    end: stayAlive(),
    held,
    pool: createPool(config, workers, metrics),
    metrics: null,
  };
  try {
    opened.metrics = await listenForMetrics(whileListening(metrics), config);
    if (!(await opened.pool.start()))
      throw new StartError('The first worker did not start, so no other was started.');
  } catch (fault) {
    await close(opened).catch(() => undefined);
    throw fault;
  }
  const { pool } = opened;
  return {
    stop: () => close(opened),
    abandon: async () => {
      await pool.kill();
      await held.release();
    },
    reload: () => pool.reload(),
  };
};
