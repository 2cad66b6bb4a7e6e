/** The duration histogram: counted in plain numbers, merged over processes, printed in Prometheus' text format. */

/** Upper bounds of the buckets, seconds. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const MILLISECONDS = SECONDS.map((seconds) => seconds * 1000);
export const BUCKETS = SECONDS.length + 1;

const NAME = 'ahwa_http_request_duration_seconds';
const HELP = 'Time from a request to its answer, by operation.';

export interface Duration {
  readonly operation: string;
  /** Answers in each bucket alone; the last one has no upper bound. */
  readonly byBucket: readonly number[];
  readonly sumSeconds: number;
}

export const bucketOf = (ms: number): number => {
  let bucket = 0;
  while (bucket < MILLISECONDS.length && ms > (MILLISECONDS[bucket] ?? 0)) bucket += 1;
  return bucket;
};

/** One per operation. */
export const mergeDurations = (durations: readonly Duration[]): readonly Duration[] => {
  const merged = new Map<string, Duration>();
  for (const { operation, byBucket, sumSeconds } of durations) {
    const known = merged.get(operation);
    merged.set(operation, {
      operation,
      byBucket: byBucket.map((count, bucket) => count + (known?.byBucket[bucket] ?? 0)),
      sumSeconds: sumSeconds + (known?.sumSeconds ?? 0),
    });
  }
  return [...merged.values()];
};

export const durationText = (durations: readonly Duration[]): string => {
  const samples = durations.flatMap(({ operation, byBucket, sumSeconds }) => {
    let count = 0;
    const buckets = byBucket.map((counted, bucket) => {
      count += counted;
      return `${NAME}_bucket{operation="${operation}",le="${SECONDS[bucket] ?? '+Inf'}"} ${count}`;
    });
    return [
      ...buckets,
      `${NAME}_sum{operation="${operation}"} ${sumSeconds}`,
      `${NAME}_count{operation="${operation}"} ${count}`,
    ];
  });
  return [`# HELP ${NAME} ${HELP}`, `# TYPE ${NAME} histogram`, ...samples].join('\n');
};
