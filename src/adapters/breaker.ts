/** Leaves a server alone that keeps silent, so that nobody waits for it in vain. What fails at once holds nobody up. */

export interface BreakerParts {
  /** Milliseconds of real time since any moment; never goes back. */
  readonly monotonic: () => number;
  /** Hears why when a server has failed several times in a row; again only once it has answered in between. */
  readonly onFailing: (reason: string) => void;
}

/** A try that failed. */
export interface Failure {
  readonly reason: string;
  /** There was no answer in time. */
  readonly isSilence: boolean;
}

export interface Breaker {
  /** Whether to ask now; after a pause only the first may, and the others go on without until it has heard. */
  mayAsk(): boolean;
  /** The server is in good health, whatever it said. */
  answered(): void;
  failed(failure: Failure): void;
}

/** So many silences in a row, and the server is left alone for a while; then one request tries whether it is back. */
const IN_A_ROW = 3;
const PAUSE_MS = 10_000;

export const createBreaker = ({ monotonic, onFailing }: BreakerParts): Breaker => {
  let failures = 0;
  let silences = 0;
  let pausedUntil = -Infinity;
  return {
    mayAsk: () => {
      if (silences < IN_A_ROW) return true;
      if (monotonic() < pausedUntil) return false;
      pausedUntil = monotonic() + PAUSE_MS;
      return true;
    },
    answered: () => {
      failures = 0;
      silences = 0;
    },
    failed: ({ reason, isSilence }) => {
      failures += 1;
      silences = isSilence ? silences + 1 : 0;
      pausedUntil = monotonic() + PAUSE_MS;
      if (failures === IN_A_ROW) onFailing(reason);
    },
  };
};
