/** The circuit breaker of a server that is called during a request: only timeouts open it. */
import { CircuitBreaker, type CircuitRule } from '../platform/domain/circuit-breaker.ts';

export interface BreakerParts {
  /** Monotonic ms. */
  readonly monotonic: () => number;
  /** Called at the third failure in a row; again only after a success in between. */
  readonly onFailing: (reason: string) => void;
}

export interface CallFailure {
  readonly reason: string;
  /** There was no answer in time. Other failures return at once, delay no request, and leave the circuit closed. */
  readonly isTimeout: boolean;
}

export interface TimeoutBreaker {
  /** Whether to ask now; in a half-open circuit only the first caller may. */
  mayCall(): boolean;
  /** The server responded, with any status. */
  succeeded(): void;
  failed(failure: CallFailure): void;
}

const FAILURES_TO_REPORT = 3;
/** Timeouts in a row, and a fixed open time. */
const CIRCUIT: CircuitRule = { failuresToOpen: 3, firstOpenMs: 10_000, longestOpenMs: 10_000 };

export const createTimeoutBreaker = ({ monotonic, onFailing }: BreakerParts): TimeoutBreaker => {
  const circuit = new CircuitBreaker(CIRCUIT);
  let failures = 0;
  return {
    mayCall: () => circuit.mayCall(monotonic()),
    succeeded: () => {
      failures = 0;
      circuit.succeeded();
    },
    failed: ({ reason, isTimeout }) => {
      failures += 1;
      if (isTimeout) circuit.failed(monotonic());
      else circuit.succeeded();
      if (failures === FAILURES_TO_REPORT) onFailing(reason);
    },
  };
};
