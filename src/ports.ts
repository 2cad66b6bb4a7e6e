/**
 * What the app needs from the world outside. Interfaces only; `adapters` implement them and `main.ts` wires
 * them. Time is a port because no rule reads the machine's or the database's clock (Decisions 10).
 */
import type { Instant } from './domain/time.ts';

export interface Clock {
  /** The service's moment: real time, or real time running on from `CLOCK_START`. */
  now(): Instant;
}
