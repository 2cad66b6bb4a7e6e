/** This process's state of each destination of the outbox: rows in flight, and the circuit. */
import {
  BACK_OFF,
  DESTINATION_CIRCUIT,
  GIVE_UP_AFTER_MS,
  healthAfter,
  type Outcome,
  type OutboxKind,
} from '../domain/outbox.ts';
import { CircuitBreaker } from '../../platform/domain/circuit-breaker.ts';
import type { Instant } from '../../kernel/time.ts';

interface Destination {
  inFlight: number;
  readonly circuit: CircuitBreaker;
  /** The first and the last failure since it last accepted a row. */
  failingSince: Instant;
  failedAt: Instant;
  /** Its failure was reported, and nothing has gone through since. */
  isReported: boolean;
}

export interface Ended {
  /** The destination has accepted no row for so long that its waiting rows are parked. */
  readonly isGivenUp: boolean;
  /** Null: unchanged. */
  readonly healthChange: 'failed' | 'recovered' | null;
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
  end(name: string, outcome: Outcome, now: Instant): Ended;
}

/** Whether it has accepted no row for a day. */
const afterFailure = (destination: Destination, now: Instant): boolean => {
  if (now - destination.failedAt > LONGEST_SILENCE_MS) destination.failingSince = now;
  destination.failedAt = now;
  // Rows that were in flight when it opened failed with the one that opened it.
  if (destination.circuit.state(now) !== 'open') destination.circuit.failed(now);
  return now - destination.failingSince >= GIVE_UP_AFTER_MS;
};

const healthChangeOf = (
  destination: Destination,
  health: ReturnType<typeof healthAfter>,
): Ended['healthChange'] => {
  const isFailing = health === null ? destination.isReported : health === 'fails';
  if (isFailing === destination.isReported) return null;
  destination.isReported = isFailing;
  return isFailing ? 'failed' : 'recovered';
};

/** `maxInFlight`: rows that may be in flight at once to one destination. */
export const createDestinations = (kind: OutboxKind, maxInFlight: number): Destinations => {
  const destinations = new Map<string, Destination>();
  const destinationOf = (name: string): Destination => {
    const known = destinations.get(name) ?? {
      ...{ inFlight: 0, circuit: new CircuitBreaker(DESTINATION_CIRCUIT) },
      ...{ failingSince: -Infinity, failedAt: -Infinity, isReported: false },
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
      // What made no call does not change the state of the destination.
      const health = healthAfter(kind, outcome);
      const healthChange = healthChangeOf(destination, health);
      if (!outcome.sent && outcome.again === 'later')
        return { isGivenUp: afterFailure(destination, now), healthChange };
      // A row that is refused for good delays no other.
      if (health !== null) {
        destination.circuit.succeeded();
        destination.failedAt = -Infinity;
      }
      const { inFlight, failedAt, isReported } = destination;
      if (failedAt === -Infinity && inFlight === 0 && !isReported) destinations.delete(name);
      return { isGivenUp: false, healthChange };
    },
  };
};
