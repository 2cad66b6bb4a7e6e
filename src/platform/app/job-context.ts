import type { Meter } from './meter.ts';

/** Whose request a computation serves, and where its cost is counted. */
export interface JobContext {
  readonly client: string;
  readonly meter: Meter;
  /** What the request asked for is done: its answer must not be refused any more. */
  readonly isCommitted?: boolean;
}
