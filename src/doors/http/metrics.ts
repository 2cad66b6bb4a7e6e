/** Prometheus metrics, counted in plain numbers and formatted when they are scraped. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { BUCKETS, bucketOf, type Duration } from './metrics/durations.ts';
import { AGGREGATORS, figuresOf, mergedText, toExact } from './metrics/snapshot.ts';
import type { GaugeScope, MetricsSnapshot } from './metrics/snapshot.ts';

const HIGHEST_STATUS = 600;

interface Tally {
  readonly byStatus: Float64Array;
  readonly byBucket: Float64Array;
  sumMs: number;
}

const newTally = (): Tally => ({
  byStatus: new Float64Array(HIGHEST_STATUS),
  byBucket: new Float64Array(BUCKETS),
  sumMs: 0,
});

const durationsOf = (tallies: ReadonlyMap<string, Tally>): readonly Duration[] =>
  [...tallies].map(([operation, { byBucket, sumMs }]) => ({
    ...{ operation, byBucket: [...byBucket], sumSeconds: toExact(sumMs / 1000) },
  }));

interface Counted {
  readonly labels: Readonly<Record<string, string>>;
  readonly count: number;
}

/** What a scrape reads: the metrics of one process, or of several together. */
export interface ScrapedMetrics {
  text(): Promise<string>;
  readonly contentType: string;
}

export interface Metrics extends ScrapedMetrics {
  /** `operation` may be `unknown`. */
  answered(operation: string, status: number, ms: number): void;
  published(outcome: 'hit' | 'miss', bytes: number): void;
  called(tool: string, outcome: string): void;
  gauge(name: string, help: string, of: GaugeScope, read: () => number): void;
  /** A gauge with one label; without samples where `read` rejects. */
  gauges(
    name: string,
    help: string,
    of: GaugeScope,
    label: string,
    read: () => Promise<Readonly<Record<string, number>>>,
  ): void;
  counters(name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void;
  /** A counter with several labels. */
  countersBy(name: string, help: string, labels: readonly string[], read: () => readonly Counted[]): void;
  snapshot(): Promise<MetricsSnapshot>;
}

const addCounters =
  (registry: Registry): Metrics['counters'] =>
  (name, help, label, read) => {
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        this.reset();
        for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count);
      },
    });
  };

const addCountersBy =
  (registry: Registry): Metrics['countersBy'] =>
  (name, help, labels, read) => {
    new Counter({
      ...{ name, help, labelNames: [...labels], registers: [registry] },
      collect() {
        this.reset();
        for (const counted of read()) this.inc({ ...counted.labels }, counted.count);
      },
    });
  };

const addGauge =
  (registry: Registry): Metrics['gauge'] =>
  (name, help, of, read) => {
    new Gauge({
      name,
      help,
      aggregator: AGGREGATORS[of],
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };

const addGauges =
  (registry: Registry): Metrics['gauges'] =>
  (name, help, of, label, read) => {
    new Gauge({
      name,
      help,
      aggregator: AGGREGATORS[of],
      labelNames: [label],
      registers: [registry],
      async collect() {
        const figures = await read().catch(() => ({}));
        this.reset();
        for (const [value, figure] of Object.entries(figures)) this.set({ [label]: value }, figure);
      },
    });
  };

const addAnswers = (registry: Registry, tallies: Map<string, Tally>): Metrics['answered'] => {
  new Counter({
    name: 'ahwa_http_requests_total',
    help: 'Answers sent, by operation and status.',
    labelNames: ['operation', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [operation, { byStatus }] of tallies)
        byStatus.forEach((count, status) => {
          if (count > 0) this.inc({ operation, status }, count);
        });
    },
  });
  return (operation, status, ms) => {
    let tally = tallies.get(operation);
    if (tally === undefined) tallies.set(operation, (tally = newTally()));
    tally.byStatus[status] = (tally.byStatus[status] ?? 0) + 1;
    const bucket = bucketOf(ms);
    tally.byBucket[bucket] = (tally.byBucket[bucket] ?? 0) + 1;
    tally.sumMs += ms;
  };
};

export const createMetrics = (): Metrics => {
  const node = new Registry();
  const registry = new Registry();
  const tallies = new Map<string, Tally>();
  collectDefaultMetrics({ register: node });
  const answered = addAnswers(registry, tallies);
  const counters = addCounters(registry);
  const calls = new Counter({
    name: 'ahwa_tool_calls_total',
    help: 'Calls of tools by AI assistants, and what became of them.',
    labelNames: ['tool', 'outcome'],
    registers: [registry],
  });
  const sent = { hit: 0, miss: 0 };
  const sentBytes = { hit: 0, miss: 0 };
  counters('ahwa_published_answers_total', 'Public reads from ready bytes or built.', 'outcome', () => sent);
  counters('ahwa_published_sent_bytes_total', 'Body bytes of public reads.', 'outcome', () => sentBytes);
  const snapshot = async (): Promise<MetricsSnapshot> => {
    const [ofNode, ofAhwa] = await Promise.all([figuresOf(node), figuresOf(registry)]);
    return { node: ofNode, durations: durationsOf(tallies), ahwa: ofAhwa };
  };
  return {
    answered,
    published: (outcome, bytes) => {
      sent[outcome] += 1;
      sentBytes[outcome] += bytes;
    },
    called: (tool, outcome) => calls.inc({ tool, outcome }),
    gauge: addGauge(registry),
    gauges: addGauges(registry),
    counters,
    countersBy: addCountersBy(registry),
    snapshot,
    text: async () => mergedText([await snapshot()]),
    contentType: registry.contentType,
  };
};

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves GET /metrics on a separate port. Rejects when it cannot listen. */
export const serveMetrics = async (
  metrics: ScrapedMetrics,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<MetricsServer> => {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response
        .writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' })
        .end('The figures are at GET /metrics.\n');
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
