/** The metrics of a process as plain data, and the text of one or several of them together. */
import { AggregatorRegistry, type Aggregator, type Registry } from 'prom-client';
import { durationText, mergeDurations, type Duration } from './durations.ts';

interface Sample {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number | undefined>>;
  /** Of the samples of a histogram. */
  readonly metricName?: string;
}

interface MetricFigures {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly aggregator: Aggregator;
  readonly values: readonly Sample[];
}

/** Survives JSON: it has finite numbers only. */
export interface MetricsSnapshot {
  /** Of Node and the operating system. */
  readonly node: readonly MetricFigures[];
  readonly durations: readonly Duration[];
  readonly ahwa: readonly MetricFigures[];
}

export const EMPTY: MetricsSnapshot = { node: [], durations: [], ahwa: [] };

/**
 * What a gauge describes. Gauges of a `process` are added up over processes; of those of the `service`, which
 * every process reads alike, the largest is printed.
 */
export type GaugeScope = 'process' | 'service';
export const AGGREGATORS: Readonly<Record<GaugeScope, Aggregator>> = { process: 'sum', service: 'max' };

/** prom-client averages the lag, which hides one busy process, and omits the start. */
const NODE_AGGREGATORS: Readonly<Record<string, Aggregator>> = {
  process_start_time_seconds: 'min',
  nodejs_eventloop_lag_seconds: 'max',
  nodejs_eventloop_lag_mean_seconds: 'max',
  nodejs_eventloop_lag_stddev_seconds: 'max',
  nodejs_eventloop_lag_p50_seconds: 'max',
  nodejs_eventloop_lag_p90_seconds: 'max',
  nodejs_eventloop_lag_p99_seconds: 'max',
};

const PARTS = 2 ** 20;
/**
 * To the nearest multiple of 2⁻²⁰, about a microsecond. Sums of such numbers are exact, in any order: by a
 * rounding error a total could fall when a worker is replaced, and Prometheus takes that for a restart.
 */
export const toExact = (value: number): number => Math.round(value * PARTS) / PARTS;

const isTotal = (type: string): boolean => type === 'counter' || type === 'histogram';

/** Copies. Without samples that are no number, such as the mean lag of a loop that was not observed. */
export const figuresOf = async (registry: Pick<Registry, 'getMetricsAsJSON'>): Promise<MetricFigures[]> =>
  (await registry.getMetricsAsJSON()).map(({ name, help, type, aggregator, values }) => {
    const samples: readonly Sample[] = values;
    const isExact = isTotal(String(type));
    return {
      ...{ name, help, type: String(type), aggregator: NODE_AGGREGATORS[name] ?? aggregator },
      values: samples
        .filter(({ value }) => Number.isFinite(value))
        .map(({ value, labels, metricName }) => ({
          value: isExact ? toExact(value) : value,
          labels: { ...labels },
          ...(metricName === undefined ? {} : { metricName }),
        })),
    };
  });

const aggregate = (parts: readonly (readonly MetricFigures[])[]): Registry =>
  AggregatorRegistry.aggregate([...parts]);

export const mergedText = async (snapshots: readonly MetricsSnapshot[]): Promise<string> => {
  const [node, ahwa] = await Promise.all([
    aggregate(snapshots.map((snapshot) => snapshot.node)).metrics(),
    aggregate(snapshots.map((snapshot) => snapshot.ahwa)).metrics(),
  ]);
  const durations = mergeDurations(snapshots.flatMap((snapshot) => snapshot.durations));
  return `${node}\n${durationText(durations)}\n\n${ahwa}`;
};

const totalsIn = async (parts: readonly (readonly MetricFigures[])[]): Promise<readonly MetricFigures[]> =>
  (await figuresOf(aggregate(parts))).filter(({ type }) => isTotal(type));

/** Counters and histograms of all, added up; no gauges. */
export const totalsOf = async (snapshots: readonly MetricsSnapshot[]): Promise<MetricsSnapshot> => ({
  node: await totalsIn(snapshots.map(({ node }) => node)),
  durations: mergeDurations(snapshots.flatMap(({ durations }) => durations)),
  ahwa: await totalsIn(snapshots.map(({ ahwa }) => ahwa)),
});

/** Leaves out what other processes have read since. */
export const withoutServiceGauges = (snapshot: MetricsSnapshot): MetricsSnapshot => ({
  ...snapshot,
  ahwa: snapshot.ahwa.filter(
    ({ type, aggregator }) => type !== 'gauge' || aggregator !== AGGREGATORS.service,
  ),
});
