/** The metrics of several worker processes, merged for one scrape address. */
import { Registry } from 'prom-client';
import { withTimeout } from '../../../platform/app/background-tasks.ts';
import type { Timers } from '../../../ports.ts';
import type { ScrapedMetrics } from '../metrics.ts';
import { AGGREGATORS, EMPTY, mergedText, totalsOf, withoutServiceGauges } from './snapshot.ts';
import type { MetricsSnapshot } from './snapshot.ts';

/** Longer than a worker waits for a silent database (6 s); Prometheus gives a scrape 10 s by default. */
const ANSWER_MS = 7_000;

type Ask = () => Promise<MetricsSnapshot>;

interface Worker {
  readonly ask: Ask;
  /** The last known snapshot, and the round in which it was asked for. */
  known: { readonly round: number; readonly snapshot: MetricsSnapshot } | null;
}

/** A late answer counts unless a later one was known before. Never rejects. */
const askWorker = async (worker: Worker, round: number): Promise<void> => {
  try {
    const snapshot = await worker.ask();
    if (worker.known === null || worker.known.round < round) worker.known = { round, snapshot };
  } catch {
    // The last known snapshot is used.
  }
};

const gauge = (name: string, help: string, value: number): MetricsSnapshot['ahwa'][number] => ({
  ...{ name, help, type: 'gauge', aggregator: AGGREGATORS.process },
  values: [{ value, labels: {} }],
});

const workersMetrics = (configured: number, answered: number): MetricsSnapshot => ({
  ...EMPTY,
  ahwa: [
    gauge('ahwa_workers_configured', 'Worker processes that there should be.', configured),
    gauge('ahwa_workers', 'Worker processes that answered this scrape.', answered),
  ],
});

/** Totals never fall when a worker is replaced: what removed workers had counted is kept, in one snapshot. */
export class MergedMetrics implements ScrapedMetrics {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  readonly #timers: Pick<Timers, 'after'>;
  readonly #configured: number;
  readonly #workers = new Map<number, Worker>();
  /** Of removed workers. */
  #totals: Promise<MetricsSnapshot> = Promise.resolve(EMPTY);
  #round = 0;
  #scrape: Promise<string> | null = null;

  /** `configured`: how many workers there should be. */
  constructor(timers: Pick<Timers, 'after'>, configured: number) {
    this.#timers = timers;
    this.#configured = configured;
  }

  get workers(): number {
    return this.#workers.size;
  }

  /** `ask` runs once per round; it may reject, or never settle. */
  add(id: number, ask: Ask): void {
    this.remove(id);
    this.#workers.set(id, { ask, known: null });
  }

  /** What the worker counted after its last answer is lost. */
  remove(id: number): void {
    const known = this.#workers.get(id)?.known ?? null;
    this.#workers.delete(id);
    if (known === null) return;
    // A worker of another build may have figures of another form.
    this.#totals = this.#totals.then((totals) => totalsOf([totals, known.snapshot]).catch(() => totals));
  }

  /** Scrapes at the same time share one round of questions. */
  text(): Promise<string> {
    this.#scrape ??= this.#askAll().finally(() => (this.#scrape = null));
    return this.#scrape;
  }

  async #askAll(): Promise<string> {
    const round = (this.#round += 1);
    const asked = [...this.#workers.values()].map((worker) => askWorker(worker, round));
    await withTimeout(this.#timers, ANSWER_MS, Promise.all(asked), null);
    // Before the next `await`: a worker is either in the totals or among the workers.
    const totals = this.#totals;
    const known = [...this.#workers.values()].flatMap((worker) => worker.known ?? []);
    const answered = known.filter((one) => one.round === round);
    const snapshots = known.map((one) =>
      one.round === round ? one.snapshot : withoutServiceGauges(one.snapshot),
    );
    return mergedText([await totals, ...snapshots, workersMetrics(this.#configured, answered.length)]);
  }
}
