/** Statistics and their formats. */

const sorted = (values: readonly number[]): readonly number[] => [...values].sort((a, b) => a - b);

/** `share`: 0…1. NaN without values. */
export const percentile = (values: readonly number[], share: number): number => {
  const ordered = sorted(values);
  return ordered[Math.min(ordered.length - 1, Math.floor(share * ordered.length))] ?? NaN;
};

export const median = (values: readonly number[]): number => {
  const ordered = sorted(values);
  const middle = ordered.length / 2;
  if (ordered.length % 2 === 1) return ordered[Math.floor(middle)] ?? NaN;
  return ((ordered[middle - 1] ?? NaN) + (ordered[middle] ?? NaN)) / 2;
};

export const highest = (values: readonly number[]): number => percentile(values, 1);

export const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`;

/** Seconds as microseconds. */
export const micros = (seconds: number): string => `${(seconds * 1e6).toFixed(1)} µs`;

export const millis = (value: number): string => `${value < 100 ? value.toFixed(1) : Math.round(value)} ms`;

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
