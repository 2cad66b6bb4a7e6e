/** What a kitchen promises and what it takes (Decisions 12, Kitchen). */

/** Fewer say too little. */
const ENOUGH = 20;
const STEP = 5;
const RANGE = { least: 5, most: 120 } as const;

/**
 * The estimate that four of five of these orders would have kept, in whole steps of five minutes; null: too few orders
 * to say.
 */
export const learnedMinutes = (actualMinutes: readonly number[]): number | null => {
  if (actualMinutes.length < ENOUGH) return null;
  const sorted = actualMinutes.toSorted((a, b) => a - b);
  const kept = sorted[Math.ceil(sorted.length * 0.8) - 1] ?? RANGE.most;
  const steps = Math.ceil(kept / STEP) * STEP;
  return Math.min(RANGE.most, Math.max(RANGE.least, steps));
};

export interface Punctuality {
  readonly hour: number;
  readonly orders: number;
  readonly late: number;
  /** Means, to a tenth of a minute. */
  readonly promisedMinutes: number;
  readonly actualMinutes: number;
}

interface Made {
  readonly hour: number;
  readonly promisedMinutes: number;
  readonly actualMinutes: number;
}

const mean = (values: readonly number[]): number =>
  Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 10) / 10;

/** By hour, the first one first; hours without orders are left out. */
export const punctualityByHour = (made: readonly Made[]): readonly Punctuality[] =>
  [...new Set(made.map(({ hour }) => hour))]
    .sort((a, b) => a - b)
    .map((hour) => {
      const own = made.filter((one) => one.hour === hour);
      return {
        ...{ hour, orders: own.length },
        late: own.filter((one) => one.actualMinutes > one.promisedMinutes).length,
        promisedMinutes: mean(own.map((one) => one.promisedMinutes)),
        actualMinutes: mean(own.map((one) => one.actualMinutes)),
      };
    });
