/** Prometheus metrics, counted in plain numbers and formatted when they are scraped. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';

/** Upper bounds of the buckets, seconds. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const MILLISECONDS = SECONDS.map((seconds) => seconds * 1000);
const HIGHEST_STATUS = 600;

interface Tally {
  readonly byStatus: Float64Array;
  readonly byBucket: Float64Array;
  sumMs: number;
}

const newTally = (): Tally => ({
  byStatus: new Float64Array(HIGHEST_STATUS),
  byBucket: new Float64Array(SECONDS.length + 1),
  sumMs: 0,
});

const DURATION = 'ahwa_http_request_duration_seconds';
const DURATION_HELP = 'Time from a request to its answer, by operation.';

/** The duration histogram in Prometheus' text format. */
const durationText = (tallies: ReadonlyMap<string, Tally>): string => {
  const samples = [...tallies].flatMap(([operation, tally]) => {
    let sum = 0;
    const buckets = Array.from(tally.byBucket, (count, index) => {
      sum += count;
      return `${DURATION}_bucket{operation="${operation}",le="${SECONDS[index] ?? '+Inf'}"} ${sum}`;
    });
    return [
      ...buckets,
      `${DURATION}_sum{operation="${operation}"} ${tally.sumMs / 1000}`,
      `${DURATION}_count{operation="${operation}"} ${sum}`,
    ];
  });
  return [`# HELP ${DURATION} ${DURATION_HELP}`, `# TYPE ${DURATION} histogram`, ...samples].join('\n');
};

interface Counted {
  readonly labels: Readonly<Record<string, string>>;
  readonly count: number;
}

export interface Metrics {
  /** `operation` may be `unknown`. */
  answered(operation: string, status: number, ms: number): void;
  published(outcome: 'hit' | 'miss', bytes: number): void;
  called(tool: string, outcome: string): void;
  gauge(name: string, help: string, read: () => number): void;
  /** A gauge with one label; without samples where `read` rejects. */
  gauges(
    name: string,
    help: string,
    label: string,
    read: () => Promise<Readonly<Record<string, number>>>,
  ): void;
  counters(name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void;
  /** A counter with several labels. */
  countersBy(name: string, help: string, labels: readonly string[], read: () => readonly Counted[]): void;
  text(): Promise<string>;
  readonly contentType: string;
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
  (name, help, read) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };

const addGauges =
  (registry: Registry): Metrics['gauges'] =>
  (name, help, label, read) => {
    new Gauge({
      name,
      help,
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
    let bucket = 0;
    while (bucket < MILLISECONDS.length && ms > (MILLISECONDS[bucket] ?? 0)) bucket += 1;
    tally.byBucket[bucket] = (tally.byBucket[bucket] ?? 0) + 1;
    tally.sumMs += ms;
  };
};

export const createMetrics = (): Metrics => {
  const ofProcess = new Registry();
  const registry = new Registry();
  const tallies = new Map<string, Tally>();
  collectDefaultMetrics({ register: ofProcess });
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
    text: async () => `${await ofProcess.metrics()}\n${durationText(tallies)}\n\n${await registry.metrics()}`,
    contentType: registry.contentType,
  };
};

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves GET /metrics on a separate port. Rejects when it cannot listen. */
export const serveMetrics = async (
  metrics: Metrics,
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
