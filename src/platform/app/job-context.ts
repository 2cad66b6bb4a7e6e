import type { Meter } from './meter.ts';

/** Whose request a computation serves, and where its cost is counted. */
export interface JobContext {
  readonly client: string;
  readonly meter: Meter;
}
