/** Figures for operators, kept as plain numbers and written out in Prometheus' form only when asked for. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Upper bounds of the duration buckets, seconds. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const MILLISECONDS = SECONDS.map((seconds) => seconds * 1000);
const HIGHEST_STATUS = 600;

/** One operation's figures. */
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

/** The duration histogram, filled from the tallies. */
class Durations extends Histogram<'operation'> {
  readonly #tallies: ReadonlyMap<string, Tally>;

  constructor(registry: Registry, tallies: ReadonlyMap<string, Tally>) {
    super({
      name: DURATION,
      help: DURATION_HELP,
      labelNames: ['operation'],
      buckets: SECONDS,
      registers: [registry],
    });
    this.#tallies = tallies;
  }

  /** What the registry reads when it writes text. */
  getForPromString(): Promise<object> {
    const values = [...this.#tallies].flatMap(([operation, tally]) => {
      let sum = 0;
      const cumulative = Array.from(tally.byBucket, (count) => (sum += count));
      const bound = (index: number): number | string => SECONDS[index] ?? '+Inf';
      return [
        ...cumulative.map((value, index) => ({
          value,
          labels: { operation, le: bound(index) },
          metricName: `${DURATION}_bucket`,
        })),
        { value: tally.sumMs / 1000, labels: { operation }, metricName: `${DURATION}_sum` },
        { value: sum, labels: { operation }, metricName: `${DURATION}_count` },
      ];
    });
    return Promise.resolve({
      name: DURATION,
      help: DURATION_HELP,
      type: 'histogram',
      aggregator: 'sum',
      values,
    });
  }
}

export interface Metrics {
  /** One answer of an operation (or `unknown`) sent. */
  answered(operation: string, status: number, ms: number): void;
  /** One public read answered from ready bytes, or built. */
  published(outcome: 'hit' | 'miss', bytes: number): void;
  /** One call of a tool, and what became of it. */
  called(tool: string, outcome: string): void;
  /** A figure read when asked for, and its help line. */
  gauge(name: string, help: string, read: () => number): void;
  /** Figures by one label, read when asked for; where they cannot be read there are none. */
  gauges(
    name: string,
    help: string,
    label: string,
    read: () => Promise<Readonly<Record<string, number>>>,
  ): void;
  /** Growing figures by one label, read when asked for. */
  counters(name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void;
  /** Everything, in Prometheus' text form. */
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

/** Counts answers by operation; gives the function that takes one in. */
const addAnswers = (registry: Registry): Metrics['answered'] => {
  const tallies = new Map<string, Tally>();
  new Durations(registry, tallies);
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
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const answered = addAnswers(registry);
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
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
};

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves the figures at `/metrics` on a port of their own, which need not be public. Rejects when it cannot listen. */
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
