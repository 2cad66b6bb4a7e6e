/** This process's state of each destination of the outbox: rows in flight, and the circuit. */
import { BACK_OFF, DESTINATION_CIRCUIT, GIVE_UP_AFTER_MS, type Outcome } from '../domain/outbox.ts';
import { CircuitBreaker } from '../../platform/domain/circuit-breaker.ts';
import type { Instant } from '../../kernel/time.ts';

interface Destination {
  inFlight: number;
  readonly circuit: CircuitBreaker;
  /** The first and the last failure since it last accepted a row. */
  failingSince: Instant;
  failedAt: Instant;
}

/**
 * A waiting row is tried sooner than this: after a longer silence between two failures the first is too old to count.
 */
const LONGEST_SILENCE_MS = 2 * BACK_OFF.longestAskedMs;

export interface Destinations {
  /** For a claim: rows in flight by destination, and the destinations that take no row now. */
  toClaim(now: Instant): {
    readonly inFlight: ReadonlyMap<string, number>;
    readonly without: readonly string[];
  };
  begin(name: string): void;
  /** Whether it takes no further row before one in flight ends. */
  isFull(name: string): boolean;
  /** Returns whether the destination has accepted no row for so long that its waiting rows are parked. */
  end(name: string, outcome: Outcome, now: Instant): boolean;
}

/** `maxInFlight`: rows that may be in flight at once to one destination. */
export const createDestinations = (maxInFlight: number): Destinations => {
  const destinations = new Map<string, Destination>();
  const destinationOf = (name: string): Destination => {
    const known = destinations.get(name) ?? {
      ...{ inFlight: 0, circuit: new CircuitBreaker(DESTINATION_CIRCUIT) },
      ...{ failingSince: -Infinity, failedAt: -Infinity },
    };
    destinations.set(name, known);
    return known;
  };
  /** Unless the circuit is closed one row is tried at a time, as if the others were in flight. */
  const takenOf = ({ inFlight, circuit }: Destination): number =>
    circuit.isClosed ? inFlight : inFlight + maxInFlight - 1;
  const isFull = (destination: Destination): boolean => takenOf(destination) >= maxInFlight;
  return {
    isFull: (name) => isFull(destinationOf(name)),
    toClaim: (now) => {
      const all = [...destinations];
      const isShut = (destination: Destination): boolean =>
        isFull(destination) || destination.circuit.state(now) === 'open';
      return {
        inFlight: new Map(all.map(([name, destination]) => [name, takenOf(destination)])),
        without: all.filter(([, destination]) => isShut(destination)).map(([name]) => name),
      };
    },
    begin: (name) => {
      destinationOf(name).inFlight += 1;
    },
    end: (name, outcome, now) => {
      const destination = destinationOf(name);
      destination.inFlight -= 1;
      // `obsolete` and `deferred` made no call, so they do not change the state of the destination.
      const isReached = outcome.sent || outcome.again === 'never';
      if (isReached) {
        destination.circuit.succeeded();
        destination.failedAt = -Infinity;
      }
      if (outcome.sent || outcome.again !== 'later') {
        if (destination.failedAt === -Infinity && destination.inFlight === 0) destinations.delete(name);
        return false;
      }
      if (now - destination.failedAt > LONGEST_SILENCE_MS) destination.failingSince = now;
      destination.failedAt = now;
      destination.circuit.failed(now);
      return now - destination.failingSince >= GIVE_UP_AFTER_MS;
    },
  };
};
